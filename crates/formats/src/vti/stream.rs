//! The voxels of a VTI file as bytes: decodes text, base64 and zlib.

use crate::{FormatError, streams::text_numbers::TextNumbers};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use brickwork_volume::{ByteOrder, VoxelType};
use flate2::read::ZlibDecoder;
use std::io::{self, BufRead, Read, Take};

/// Encoding of an array's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Numbers separated by white space.
    Text,
    /// Base64.
    Base64,
    /// Raw bytes.
    Raw,
}

/// Position and encoding of the voxels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Position of the first byte in the file.
    pub offset: u64,
    pub encoding: Encoding,
    /// True if the bytes are compressed by zlib, in blocks.
    pub packed: bool,
    /// Size in bytes of each count before the voxels.
    pub word_bytes: usize,
    pub order: ByteOrder,
}

/// Returns the voxels of `file`, which is at their start.
pub fn open(
    file: Box<dyn BufRead + Send>,
    layout: &Layout,
    voxel_type: VoxelType,
    byte_count: u64,
) -> Result<Box<dyn Read + Send>, FormatError> {
    match layout.encoding {
        Encoding::Text => Ok(Box::new(TextNumbers::new(file, voxel_type))),
        Encoding::Base64 => {
            let decoded = Base64 { file, quads: Vec::new(), buffer: Vec::new(), at: 0, done: false };
            blocks(Box::new(decoded), layout, byte_count)
        }
        Encoding::Raw => blocks(file, layout, byte_count),
    }
}

fn blocks(
    mut file: Box<dyn Read + Send>,
    layout: &Layout,
    byte_count: u64,
) -> Result<Box<dyn Read + Send>, FormatError> {
    let fits = |have: u64| match have == byte_count {
        true => Ok(()),
        false => Err(FormatError::Length { part: "the array", need: byte_count, have }),
    };
    let mut word = || -> io::Result<u64> {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes[..layout.word_bytes])?;
        if layout.order == ByteOrder::Big {
            bytes[..layout.word_bytes].reverse();
        }
        Ok(u64::from_le_bytes(bytes))
    };
    if !layout.packed {
        fits(word()?)?;
        return Ok(Box::new(file.take(byte_count)));
    }
    let (count, whole, last) = (word()?, word()?, word()?);
    // A last block of zero bytes means a whole one.
    let last = if last == 0 { whole } else { last };
    fits(count.saturating_sub(1).saturating_mul(whole).saturating_add(if count == 0 { 0 } else { last }))?;
    // The list grows as counts are read, so that a wrong count reserves no memory.
    let mut packed = Vec::new();
    for index in 0..count {
        packed.try_reserve(1).map_err(|_| FormatError::Memory(16 * index))?;
        packed.push((word()?, if index + 1 == count { last } else { whole }));
    }
    packed.reverse();
    Ok(Box::new(Blocks { packed, left: 0, state: State::Between(file) }))
}

/// Reader of blocks compressed by zlib, one after the other.
struct Blocks {
    /// Compressed and decoded size of each block in bytes. The next block is the last item.
    packed: Vec<(u64, u64)>,
    /// Number of bytes of this block that are not read yet.
    left: u64,
    state: State,
}

enum State {
    Between(Box<dyn Read + Send>),
    Within(Box<ZlibDecoder<Take<Box<dyn Read + Send>>>>),
    Broken,
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::Broken) {
                State::Between(file) => {
                    let Some((packed, left)) = self.packed.pop() else {
                        self.state = State::Between(file);
                        return Ok(0);
                    };
                    self.left = left;
                    self.state = State::Within(Box::new(ZlibDecoder::new(file.take(packed))));
                }
                State::Within(decoder) if self.left == 0 => {
                    let mut rest = decoder.into_inner();
                    io::copy(&mut rest, &mut io::sink())?;
                    self.state = State::Between(rest.into_inner());
                }
                State::Within(mut decoder) => {
                    let wanted = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
                    let count = decoder.read(&mut buffer[..wanted])?;
                    if count == 0 && wanted > 0 {
                        let reason = "a block of zlib ends too soon";
                        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
                    }
                    self.left -= count as u64;
                    self.state = State::Within(decoder);
                    return Ok(count);
                }
                State::Broken => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }
}

/// Reader of base64 up to the next tag. Padding may occur within: VTK encodes some data in two parts.
struct Base64 {
    file: Box<dyn BufRead + Send>,
    quads: Vec<u8>,
    buffer: Vec<u8>,
    at: usize,
    done: bool,
}

impl Read for Base64 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.buffer.len() && !self.done {
            let text = self.file.fill_buf()?;
            let end = text.iter().position(|&b| b == b'<');
            let count = end.unwrap_or(text.len()).min(1 << 16);
            self.done = count == 0;
            self.quads.extend(text[..count].iter().filter(|b| !b.is_ascii_whitespace()));
            self.file.consume(count);
            let whole = if self.done { self.quads.len() } else { self.quads.len() / 4 * 4 };
            (self.at, self.buffer) = (0, decode(&self.quads[..whole])?);
            self.quads.drain(..whole);
        }
        let count = buffer.len().min(self.buffer.len() - self.at);
        buffer[..count].copy_from_slice(&self.buffer[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

fn decode(text: &[u8]) -> io::Result<Vec<u8>> {
    if let Ok(bytes) = STANDARD.decode(text) {
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    for quad in text.chunks(4) {
        STANDARD
            .decode_vec(quad, &mut bytes)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("base64: {error}")))?;
    }
    Ok(bytes)
}
