//! TIFF, through the `image` crate, after a look at the directory.
//!
//! The decoder keeps each value of a tag in 32 bytes and believes its count until it has allocated for it, before
//! limits can be set. So the first directory is walked first (TIFF 6.0, section 2; BigTIFF widens its fields).

use super::{
    Budget, color,
    source::{Decode, Failure, Source},
    through_image,
};
use image::{ImageDecoder, Limits, codecs::tiff::TiffDecoder};
use std::io::{BufRead, Read, Seek, SeekFrom};

/// Bytes that a value of a tag may take: the decoder's 32, and its copy as a number.
const VALUE_BYTES: u64 = 64;

pub(super) fn decode<R: BufRead + Seek>(mut source: Source<R>, budget: &Budget) -> Result<Decode, Failure> {
    let value_count = greatest_value_count(&mut source)?;
    let value_bytes = value_count.saturating_mul(VALUE_BYTES);
    budget.check(value_bytes)?;
    source.seek(SeekFrom::Start(0))?;
    let mut decoder = TiffDecoder::new(source)?;
    let size = <[u32; 2]>::from(decoder.dimensions());
    let texel_bytes = u64::from(decoder.color_type().bytes_per_pixel());
    // The crate decodes into a buffer of its own before it copies; CMYK has one channel more there.
    let texel_count = u64::from(size[0]) * u64::from(size[1]);
    let own_bytes = texel_count.saturating_mul(texel_bytes + texel_bytes.div_ceil(3));
    let extra = own_bytes.saturating_add(value_bytes).saturating_add(through_image::rows(&decoder));
    // Deflate makes 1032 bytes of one, Zstandard and fax codes more.
    through_image::check_plausible(&decoder, texel_bytes, 1 << 16, budget)?;
    let layout = through_image::layout(decoder.color_type())?;
    let texel_bytes = budget.texel_bytes(size, layout, extra)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(budget.limit - texel_bytes);
    decoder.set_limits(limits)?;
    through_image::decode_any(decoder, "TIFF", extra, budget, color::assumed("TIFF without ICC profile"))
}

/// The greatest count of values of any tag in the first directory; fails if one's values cannot lie in the file.
fn greatest_value_count<R: BufRead + Seek>(source: &mut Source<R>) -> Result<u64, Failure> {
    let header = bytes::<R, 16>(source)?;
    let is_little = header[0] == b'I';
    let number = |bytes: &[u8]| {
        let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        if is_little { bytes.iter().rev().fold(0, shift) } else { bytes.iter().fold(0, shift) }
    };
    let is_big = number(&header[2..4]) == 43;
    let directory = number(if is_big { &header[8..16] } else { &header[4..8] });
    let seek_error = |_| Failure::Malformed("the directory lies outside the file".to_owned());
    source.seek(SeekFrom::Start(directory)).map_err(seek_error)?;
    let entry_count = if is_big { number(&bytes::<R, 8>(source)?) } else { number(&bytes::<R, 2>(source)?) };
    let file_bytes = source.length();
    let outside = || Failure::Malformed("a tag has more values than the file has bytes".to_owned());
    if entry_count > file_bytes / 12 {
        return Err(outside());
    }
    let mut greatest = entry_count;
    for _ in 0..entry_count {
        let (kind, count) = if is_big {
            let entry = bytes::<R, 20>(source)?;
            (number(&entry[2..4]), number(&entry[4..12]))
        } else {
            let entry = bytes::<R, 12>(source)?;
            (number(&entry[2..4]), number(&entry[4..8]))
        };
        let value_bytes = match kind {
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16..=18 => 8,
            _ => 1,
        };
        if count.saturating_mul(value_bytes) > file_bytes {
            return Err(outside());
        }
        greatest = greatest.max(count);
    }
    Ok(greatest)
}

fn bytes<R: BufRead + Seek, const N: usize>(source: &mut Source<R>) -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}
