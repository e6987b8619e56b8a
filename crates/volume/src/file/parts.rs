//! The parts of a `.bwv` file, and its last bytes, which have the position of the index.

use crate::{
    BwvError, FilePart,
    checksum::{crc32c, crc32c_append},
};
use std::{
    io::{self, Write},
    ops::Range,
};

/// Last bytes of a file.
const END_MAGIC: [u8; 8] = *b"BWV end\n";

/// Alignment in bytes of the header and the parts of a file of the profile bricks.
pub(super) const ALIGNMENT: usize = 4;

/// Bytes of the footer.
pub(super) const FOOTER_BYTES: usize = 32;

/// A stretch of the file with its CRC-32C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub offset: u64,
    pub byte_count: u32,
    pub crc: u32,
}

impl Part {
    /// Returns its range of bytes in the file, which has all of them.
    pub fn range(self) -> Range<u64> {
        self.offset..self.offset + u64::from(self.byte_count)
    }
}

/// Writer of the parts of a file.
pub(super) struct PartSink<'a> {
    pub sink: &'a mut dyn Write,
    /// Position in the file.
    pub offset: &'a mut u64,
}

impl PartSink<'_> {
    /// Writes a part.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<Part> {
        self.sink.write_all(bytes)?;
        let part = Part { offset: *self.offset, byte_count: bytes.len() as u32, crc: crc32c(bytes) };
        *self.offset += bytes.len() as u64;
        Ok(part)
    }
}

/// Returns a part's bytes, filled up with zeros.
pub(super) fn aligned(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
    bytes
}

/// Checks that `pieces`, each a start and a count of bytes, fill the file from `start` to `end` without gaps,
/// in any order. `misplaced` makes the error of a piece that does not start at the end of the previous one.
pub(super) fn check_all_filled(
    mut pieces: Vec<(u64, u64)>,
    start: u64,
    end: u64,
    misplaced: impl Fn(u64) -> BwvError,
) -> Result<(), BwvError> {
    pieces.sort_unstable();
    let mut next = start;
    for (start, byte_count) in pieces {
        if start != next {
            return Err(misplaced(start));
        }
        next = next.checked_add(byte_count).ok_or_else(|| misplaced(start))?;
    }
    if next == end { Ok(()) } else { Err(misplaced(next)) }
}

/// Appends the footer to an index that starts at `offset` of the file. `header_crc` binds them to the header.
pub(super) fn append_footer(index: &mut Vec<u8>, offset: u64, header_crc: [u8; 4]) {
    let crc = crc32c(index);
    let start = index.len();
    index.extend_from_slice(&offset.to_le_bytes());
    index.extend_from_slice(&(start as u64).to_le_bytes());
    index.extend_from_slice(&crc.to_le_bytes());
    let crc = crc32c_append(crc32c(&header_crc), &index[start..]);
    index.extend_from_slice(&crc.to_le_bytes());
    index.extend_from_slice(&END_MAGIC);
}

/// Returns the offset, the number of bytes and the CRC-32C of the index, from the footer of a file of
/// `file_bytes` bytes.
pub(super) fn index_place(
    footer: &[u8; FOOTER_BYTES],
    header_crc: [u8; 4],
    file_bytes: u64,
) -> Result<(u64, u64, u32), BwvError> {
    let at = file_bytes.saturating_sub(FOOTER_BYTES as u64);
    let crc = crc32c_append(crc32c(&header_crc), &footer[..20]);
    if footer[24..] != END_MAGIC {
        return Err(BwvError::Cut(file_bytes));
    }
    if footer[20..24] != crc.to_le_bytes() {
        return Err(BwvError::Checksum { part: FilePart::Footer, offset: at });
    }
    let word = |i: usize| u64::from_le_bytes(footer[i..i + 8].try_into().expect("eight bytes"));
    let (offset, byte_count) = (word(0), word(8));
    if offset.checked_add(byte_count) != Some(at) {
        return Err(BwvError::Value { part: "the place of the index", offset: at, value: offset });
    }
    Ok((offset, byte_count, u32::from_le_bytes(footer[16..20].try_into().expect("four bytes"))))
}
