//! The index at the end of a `.bwv` file: where tables and groups are, and their checksums.

use super::{GROUP_SIDE, header::Header};
use crate::{DecodeError, Dims, superblock};

/// The last bytes of a file.
pub(super) const END_MAGIC: [u8; 8] = *b"BWV end\n";

/// Bytes of the footer.
pub(super) const FOOTER_BYTES: usize = 32;

/// Bytes of a table's, slab's and group's entry.
const TABLE_ENTRY: u64 = 16;
const SLAB_ENTRY: u64 = 12;
const GROUP_ENTRY: u64 = 8;

/// A stretch of the file with its CRC-32C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub offset: u64,
    pub byte_count: u32,
    pub crc: u32,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub tables: Vec<Part>,
    /// By slab: one more than the number of its table, or 0.
    pub slabs: Vec<u32>,
    /// By group, x fastest.
    pub groups: Vec<Part>,
}

/// How many groups there are along each axis.
pub(super) fn groups(header: &Header) -> Dims {
    header.dims.covered_by(header.brick.side() * superblock::SIDE * GROUP_SIDE)
}

impl Index {
    /// The bytes of index and footer, which start at `offset`. `header_crc` binds them to the header.
    pub fn to_bytes(&self, offset: u64, header_crc: [u8; 4]) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&(self.tables.len() as u32).to_le_bytes());
        for table in &self.tables {
            out.extend_from_slice(&table.offset.to_le_bytes());
            out.extend_from_slice(&table.byte_count.to_le_bytes());
            out.extend_from_slice(&table.crc.to_le_bytes());
        }
        let per_slab = self.groups.len() / self.slabs.len().max(1);
        for (slab, groups) in self.slabs.iter().zip(self.groups.chunks_exact(per_slab.max(1))) {
            out.extend_from_slice(&slab.to_le_bytes());
            out.extend_from_slice(&groups[0].offset.to_le_bytes());
        }
        for group in &self.groups {
            out.extend_from_slice(&group.byte_count.to_le_bytes());
            out.extend_from_slice(&group.crc.to_le_bytes());
        }
        let byte_count = out.len() as u64;
        let crc = crc32c::crc32c(&out);
        let footer = out.len();
        out.extend_from_slice(&offset.to_le_bytes());
        out.extend_from_slice(&byte_count.to_le_bytes());
        out.extend_from_slice(&crc.to_le_bytes());
        let crc = crc32c::crc32c_append(crc32c::crc32c(&header_crc), &out[footer..]);
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(&END_MAGIC);
        out
    }

    /// Where the index starts and how many bytes it has, from the footer of a file of `file_bytes` bytes.
    pub fn place(
        footer: &[u8; FOOTER_BYTES],
        header_crc: [u8; 4],
        file_bytes: u64,
    ) -> Result<(u64, u64, u32), DecodeError> {
        let at = file_bytes - FOOTER_BYTES as u64;
        let crc = crc32c::crc32c_append(crc32c::crc32c(&header_crc), &footer[..20]);
        if footer[24..] != END_MAGIC {
            return Err(DecodeError::Cut(file_bytes));
        }
        if footer[20..24] != crc.to_le_bytes() {
            return Err(DecodeError::Checksum { part: "the footer".into(), offset: at });
        }
        let word = |i: usize| u64::from_le_bytes(footer[i..i + 8].try_into().expect("eight bytes"));
        let (offset, byte_count) = (word(0), word(8));
        if offset.checked_add(byte_count) != Some(at) {
            return Err(DecodeError::Value { part: "the place of the index", offset: at, value: offset });
        }
        Ok((offset, byte_count, u32::from_le_bytes(footer[16..20].try_into().expect("four bytes"))))
    }

    /// How many bytes the index of this volume has with `table_count` tables; none if more than 2⁶⁴.
    pub fn byte_count(header: &Header, table_count: u32) -> Option<u64> {
        let groups = groups(header);
        let area = (groups.x as u64).checked_mul(groups.y as u64)?;
        let slab = area.checked_mul(GROUP_ENTRY)?.checked_add(SLAB_ENTRY)?;
        slab.checked_mul(groups.z as u64)?.checked_add(4 + TABLE_ENTRY * u64::from(table_count))
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote at `offset`, after `header_bytes` bytes of header. Every byte between
    /// header and index must belong to one table or group, in the order of the slabs.
    pub fn from_bytes(
        bytes: &[u8],
        crc: u32,
        offset: u64,
        header: &Header,
        header_bytes: u64,
    ) -> Result<Self, DecodeError> {
        if crc32c::crc32c(bytes) != crc {
            return Err(DecodeError::Checksum { part: "the index".into(), offset });
        }
        let short = DecodeError::Short { part: "the index", need: 0, have: bytes.len() as u64 };
        let (count, mut rest) = bytes.split_at_checked(4).ok_or(short.clone())?;
        let table_count = u32::from_le_bytes(count.try_into().expect("four bytes"));
        let need = Self::byte_count(header, table_count).unwrap_or(u64::MAX);
        if need != bytes.len() as u64 {
            return Err(DecodeError::Short { part: "the index", need, have: bytes.len() as u64 });
        }
        let mut take = |count: usize| {
            let (taken, others) = rest.split_at(count);
            rest = others;
            taken.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let tables: Vec<Part> = (0..table_count)
            .map(|_| Part { offset: take(8), byte_count: take(4) as u32, crc: take(4) as u32 })
            .collect();
        let groups = groups(header);
        let slabs: Vec<(u32, u64)> = (0..groups.z).map(|_| (take(4) as u32, take(8))).collect();
        let mut next = header_bytes;
        let mut next_table = 0;
        let mut index = Self { tables, slabs: Vec::with_capacity(slabs.len()), groups: Vec::new() };
        index.groups.reserve_exact(groups.x * groups.y * groups.z);
        let misplaced = |at: u64| DecodeError::Value { part: "the index: a place", offset, value: at };
        for (table, start) in slabs {
            // A table stands before the first slab that uses it.
            while next_table < table as usize {
                let part = index.tables.get(next_table).ok_or(misplaced(table.into()))?;
                if part.offset != next {
                    return Err(misplaced(part.offset));
                }
                next = next.checked_add(part.byte_count.into()).ok_or(misplaced(next))?;
                next_table += 1;
            }
            if start != next {
                return Err(misplaced(start));
            }
            index.slabs.push(table);
            for _ in 0..groups.x * groups.y {
                let part = Part { offset: next, byte_count: take(4) as u32, crc: take(4) as u32 };
                next = next.checked_add(part.byte_count.into()).ok_or(misplaced(next))?;
                index.groups.push(part);
            }
        }
        if next != offset || next_table != index.tables.len() {
            return Err(misplaced(next));
        }
        Ok(index)
    }
}
