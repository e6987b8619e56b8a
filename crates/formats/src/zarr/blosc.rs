//! A decoder of Blosc's format of version 2, which c-blosc 1 writes: BloscLZ, LZ4, zlib and Zstandard, with
//! and without shuffling.
//!
//! A buffer is a header of 16 bytes, the offsets of its blocks, and the blocks. A block is one part, or one
//! part for each byte of a number; a part is its size in 4 bytes, and its bytes. Source: Blosc's
//! README_CHUNK_FORMAT.rst and the published descriptions of LZ4's blocks and of FastLZ's level 2, on which
//! BloscLZ is based; the rule of splitting is that of c-blosc 1.21.

use super::bounded::{zlib, zstd};

const HEADER_BYTES: usize = 16;

/// Bits of the header's flags.
const BYTE_SHUFFLE: u8 = 1;
const MEMCPY: u8 = 2;
const BIT_SHUFFLE: u8 = 4;
const NOT_SPLIT: u8 = 16;

/// Maximum size of a number whose bytes are split into parts, and minimum size of a part.
const MAX_SPLITS: usize = 16;
const MIN_PART: usize = 128;

/// Largest distance of a match in BloscLZ, except far ones.
const BLOSCLZ_DISTANCE: usize = 8191;

/// Decodes a buffer of at most `limit` bytes.
///
/// # Errors
/// Reason why it is damaged, larger, or not supported.
pub fn decode(bytes: &[u8], limit: usize) -> Result<Vec<u8>, String> {
    let Some(&[version, _, flags, number_bytes, ..]) = bytes.first_chunk::<HEADER_BYTES>() else {
        return Err("blosc: ends within its header".to_owned());
    };
    if version != 2 {
        return Err(format!("blosc: version {version} is not supported"));
    }
    let (size, block) = (word(bytes, 4)?, word(bytes, 8)?);
    if size > limit {
        return Err(format!("blosc: unpacks to {size} bytes, more than the {limit} that a chunk can need"));
    }
    let mut out = Vec::new();
    if size == 0 {
        return Ok(out);
    }
    if flags & MEMCPY != 0 {
        let stored = bytes.get(HEADER_BYTES..HEADER_BYTES + size).ok_or_else(cut)?;
        return Ok(stored.to_vec());
    }
    if block == 0 || number_bytes == 0 {
        return Err("blosc: a block or a number has 0 bytes".to_owned());
    }
    let number_bytes = usize::from(number_bytes);
    for index in 0..size.div_ceil(block) {
        let wanted = block.min(size - index * block);
        let is_split = flags & NOT_SPLIT == 0
            && wanted == block
            && number_bytes <= MAX_SPLITS
            && block / number_bytes >= MIN_PART;
        let parts = if is_split { number_bytes } else { 1 };
        if !wanted.is_multiple_of(parts) {
            return Err("blosc: a block does not consist of whole numbers".to_owned());
        }
        let mut at = word(bytes, HEADER_BYTES + 4 * index)?;
        let mut unpacked = Vec::new();
        for _ in 0..parts {
            let packed = word(bytes, at)?;
            let start = at + 4;
            let part = start.checked_add(packed).and_then(|end| bytes.get(start..end)).ok_or_else(cut)?;
            unpacked.extend(unpack(part, flags >> 5, wanted / parts)?);
            at = start + packed;
        }
        unshuffle(&unpacked, flags, number_bytes, &mut out);
    }
    Ok(out)
}

fn cut() -> String {
    "blosc: ends too soon".to_owned()
}

fn word(bytes: &[u8], at: usize) -> Result<usize, String> {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(cut)?;
    Ok(u32::from_le_bytes(*word) as usize)
}

/// Decodes a part of exactly `size` bytes.
fn unpack(part: &[u8], format: u8, size: usize) -> Result<Vec<u8>, String> {
    if part.len() == size {
        return Ok(part.to_vec());
    }
    let unpacked = match format {
        0 => blosclz(part, size).ok_or("blosc: damaged BloscLZ")?,
        1 => lz4(part, size).ok_or("blosc: damaged LZ4")?,
        2 => return Err("blosc: Snappy is not supported".to_owned()),
        3 => zlib(part, size)?,
        4 => zstd(part, size)?,
        _ => return Err(format!("blosc: compressor {format} is not known")),
    };
    if unpacked.len() == size { Ok(unpacked) } else { Err(cut()) }
}

/// Decodes an LZ4 block of `size` bytes.
fn lz4(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    loop {
        let token = next(bytes, &mut at)?;
        let count = if token >> 4 == 15 { 15 + extension(bytes, &mut at)? } else { token >> 4 };
        let literals = bytes.get(at..at.checked_add(count)?)?;
        if literals.len() > size - out.len() {
            return None;
        }
        out.extend_from_slice(literals);
        at += count;
        if at == bytes.len() {
            return Some(out);
        }
        let distance = next(bytes, &mut at)? | next(bytes, &mut at)? << 8;
        let count = if token & 15 == 15 { 15 + extension(bytes, &mut at)? } else { token & 15 };
        repeat(&mut out, distance, count + 4, size)?;
    }
}

/// Decodes BloscLZ of `size` bytes.
fn blosclz(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    let mut control = next(bytes, &mut at)? & 31;
    loop {
        if control < 32 {
            let literals = bytes.get(at..at + control + 1)?;
            if literals.len() > size - out.len() {
                return None;
            }
            out.extend_from_slice(literals);
            at += literals.len();
        } else {
            let (mut count, high) = ((control >> 5) + 2, control & 31);
            if count == 9 {
                count += extension(bytes, &mut at)?;
            }
            let low = next(bytes, &mut at)?;
            let distance = if (high, low) == (31, 255) {
                BLOSCLZ_DISTANCE + 1 + (next(bytes, &mut at)? << 8 | next(bytes, &mut at)?)
            } else {
                (high << 8 | low) + 1
            };
            repeat(&mut out, distance, count, size)?;
        }
        if at == bytes.len() {
            return Some(out);
        }
        control = next(bytes, &mut at)?;
    }
}

/// Returns the next byte.
fn next(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let byte = bytes.get(*at)?;
    *at += 1;
    Some(usize::from(*byte))
}

/// Returns the sum of the next bytes up to the first one below 255.
fn extension(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut sum = 0;
    loop {
        let byte = next(bytes, at)?;
        sum += byte;
        if byte != 255 {
            return Some(sum);
        }
    }
}

/// Appends `count` bytes from a distance, which may be smaller than the count.
fn repeat(out: &mut Vec<u8>, distance: usize, count: usize, size: usize) -> Option<()> {
    if distance == 0 || distance > out.len() || count > size - out.len() {
        return None;
    }
    let (start, mut left) = (out.len() - distance, count);
    while left > 0 {
        let run = left.min(out.len() - start);
        out.extend_from_within(start..start + run);
        left -= run;
    }
    Some(())
}

/// Appends a block with its bytes or bits back in the order of its numbers.
fn unshuffle(block: &[u8], flags: u8, number_bytes: usize, out: &mut Vec<u8>) {
    let count = block.len() / number_bytes;
    let (shuffled, rest) = block.split_at(count * number_bytes);
    if flags & BYTE_SHUFFLE != 0 && number_bytes > 1 {
        for index in 0..count {
            out.extend((0..number_bytes).map(|byte| shuffled[byte * count + index]));
        }
    } else if flags & BIT_SHUFFLE != 0 && count > 0 && count.is_multiple_of(8) {
        let row = count / 8;
        for index in 0..count {
            let bit_of = |plane: usize| shuffled[plane * row + index / 8] >> (index % 8) & 1;
            let byte_of = |byte: usize| (0..8).fold(0, |bits, bit| bits | bit_of(8 * byte + bit) << bit);
            out.extend((0..number_bytes).map(byte_of));
        }
    } else {
        out.extend_from_slice(shuffled);
    }
    out.extend_from_slice(rest);
}
