//! The last bytes of a chunk: its index, the index's checksum and its size.

use super::error::ChunkError;
use crate::checksum::crc32c;

/// The version of chunks: the first byte, and the lower half of the last one.
pub(super) const VERSION: u8 = 1;

/// Maximum number of bytes after the index: its checksum, its size, and the last byte.
pub(super) const MAX_BYTES: usize = 4 + 4 + 1;

/// Last byte of a `.bwv` file.
const BWV_END: u8 = b'\n';

/// The last bytes of a chunk, read.
pub(super) struct Tail {
    crc: u32,
    /// Number of bytes of the index.
    pub index_bytes: u64,
    /// Number of bytes after the index.
    pub byte_count: usize,
}

impl Tail {
    /// Reads the end of `bytes`, which are the last ones of a chunk.
    pub fn read(bytes: &[u8]) -> Result<Self, ChunkError> {
        let have = bytes.len() as u64;
        let short = |need: usize| ChunkError::Length { need: need as u64, have };
        let &last = bytes.last().ok_or(short(MAX_BYTES))?;
        let (version, width) = (last & 0x0f, usize::from(last >> 4));
        if !(1..=4).contains(&width) || version != VERSION {
            return Err(ChunkError::NotAChunk { place: "last", value: last });
        }
        let byte_count = 4 + width + 1;
        let start = bytes.len().checked_sub(byte_count).ok_or(short(byte_count))?;
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0u32, |number, &byte| number << 8 | u32::from(byte));
        let (crc, size) = bytes[start..bytes.len() - 1].split_at(4);
        Ok(Self { crc: number(crc), index_bytes: number(size).into(), byte_count })
    }

    /// Returns the number of bytes at the end of a chunk that opening it needs.
    pub const fn suffix_bytes(&self) -> u64 {
        self.index_bytes + self.byte_count as u64
    }

    /// Checks the bytes of the index.
    pub fn check(&self, index: &[u8]) -> Result<(), ChunkError> {
        if crc32c(index) == self.crc { Ok(()) } else { Err(ChunkError::Checksum) }
    }
}

/// Appends its index to a chunk, and the bytes after the index. `None` if the index is larger than 4 GiB.
pub(super) fn append(index: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let size = u32::try_from(index.len()).ok()?;
    let width = crate::bits::width(size).div_ceil(8).max(1);
    out.extend_from_slice(index);
    out.extend_from_slice(&crc32c(index).to_le_bytes());
    out.extend_from_slice(&size.to_le_bytes()[..width as usize]);
    out.push(VERSION | (width as u8) << 4);
    Some(())
}

/// True if `last` is the last byte of a `.bwv` file, and not of a chunk.
pub(super) fn ends_bwv(last: Option<&u8>) -> bool {
    last == Some(&BWV_END)
}
