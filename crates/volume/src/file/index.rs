//! The index of a file of our own bricks: where tables and chunks are, and their checksums.

use super::{
    header::Header,
    layout::ChunkGrid,
    parts::{ALIGNMENT, Part, check_all_filled},
};
use crate::{BwvError, FilePart, VolumeReadError, checksum::crc32c};

/// Bytes of the counts of tables; of a table's entry; of a chunk's without its values; of a slab's without
/// its tables.
const COUNTS: usize = 8;
const TABLE_ENTRY: u64 = 16;
const CHUNK_ENTRY: u64 = 8;
const SLAB_ENTRY: u64 = 8;

/// Places of all parts of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileIndex {
    pub tables: Vec<Part>,
    pub patterns: Vec<Part>,
    pub mip_levels: Vec<MipLevelParts>,
}

/// Places of the parts of one mip level.
#[derive(Clone, Debug, Default)]
pub(crate) struct MipLevelParts {
    /// Slabs by frame and number.
    pub slabs: Vec<SlabParts>,
    /// Chunks by frame, slab, component and position, x fastest.
    pub chunks: Vec<ChunkEntry>,
}

/// Place of a chunk, and the range of its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkEntry {
    pub part: Part,
    pub min: u32,
    pub max: u32,
}

/// The unit of writing: a layer of chunks of each component.
#[derive(Clone, Debug)]
pub(crate) struct SlabParts {
    pub offset: u64,
    /// Tables of each component: one more than the number of its rank table, or 0; and the same for its
    /// pattern table.
    pub tables: Vec<u32>,
    pub patterns: Vec<u32>,
}

impl FileIndex {
    /// Returns the index's bytes.
    pub fn to_bytes(&self, header: &Header) -> Vec<u8> {
        let mut out = Vec::new();
        for tables in [&self.tables, &self.patterns] {
            out.extend_from_slice(&(tables.len() as u32).to_le_bytes());
        }
        for table in self.tables.iter().chain(&self.patterns) {
            out.extend_from_slice(&table.offset.to_le_bytes());
            out.extend_from_slice(&table.byte_count.to_le_bytes());
            out.extend_from_slice(&table.crc.to_le_bytes());
        }
        for slab in self.mip_levels.iter().flat_map(|parts| &parts.slabs) {
            out.extend_from_slice(&slab.offset.to_le_bytes());
            for table in slab.tables.iter().chain(&slab.patterns) {
                out.extend_from_slice(&table.to_le_bytes());
            }
        }
        for chunk in self.mip_levels.iter().flat_map(|parts| &parts.chunks) {
            out.extend_from_slice(&chunk.part.byte_count.to_le_bytes());
            out.extend_from_slice(&chunk.part.crc.to_le_bytes());
            for value in [chunk.min, chunk.max] {
                out.extend_from_slice(&value.to_le_bytes()[..header.value_bytes()]);
            }
        }
        out
    }

    /// Returns the bytes of this volume's index with `table_count` tables; `None` if more than 2⁶⁴.
    pub fn byte_count(header: &Header, table_count: u64) -> Option<u64> {
        let components = header.component_count() as u64;
        let mut bytes = COUNTS as u64 + TABLE_ENTRY * table_count;
        for mip_level in 0..header.mip_levels {
            let chunks = ChunkGrid::new(header, mip_level).dims;
            let area = (chunks.x as u64).checked_mul(chunks.y as u64)?;
            let area = area.checked_mul(CHUNK_ENTRY + 2 * header.value_bytes() as u64)?;
            let slab = area.checked_add(8)?.checked_mul(components)?.checked_add(SLAB_ENTRY)?;
            let slabs = (chunks.z as u64).checked_mul(header.frames as u64)?;
            bytes = bytes.checked_add(slab.checked_mul(slabs)?)?;
        }
        Some(bytes)
    }

    /// Reads the output of [`to_bytes`](Self::to_bytes) at `offset` of a file, after `header_bytes` bytes of
    /// header. Every byte between header and index must belong to one table or chunk.
    pub fn from_bytes(
        bytes: &[u8],
        crc: u32,
        offset: u64,
        header: &Header,
        header_bytes: u64,
    ) -> Result<Self, VolumeReadError> {
        if crc32c(bytes) != crc {
            return Err(BwvError::Checksum { part: FilePart::Index, offset }.into());
        }
        let short = |need| BwvError::Short { part: "the index", need, have: bytes.len() as u64 };
        let (counts, mut rest) = bytes.split_at_checked(COUNTS).ok_or(short(COUNTS as u64))?;
        let counts = counts.as_chunks::<4>().0.iter().map(|&count| u32::from_le_bytes(count));
        let [table_count, pattern_count] = counts.collect::<Vec<_>>()[..] else { unreachable!("two counts") };
        let all_tables = u64::from(table_count) + u64::from(pattern_count);
        let need = Self::byte_count(header, all_tables).unwrap_or(u64::MAX);
        if need != bytes.len() as u64 {
            return Err(short(need).into());
        }
        let mut take = |count: usize| {
            let (taken, others) = rest.split_at(count);
            rest = others;
            taken.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let misplaced = |at: u64| BwvError::Value { part: "the index: a place", offset, value: at };
        let mut parts = |count: u32| -> Vec<Part> {
            (0..count)
                .map(|_| Part { offset: take(8), byte_count: take(4) as u32, crc: take(4) as u32 })
                .collect()
        };
        let (tables, patterns) = (parts(table_count), parts(pattern_count));
        // The parts of the file, by start.
        let mut pieces: Vec<(u64, u64)> = (tables.iter().chain(&patterns))
            .map(|table| (table.offset, u64::from(table.byte_count)))
            .collect();
        let components = header.component_count();
        let mut mip_levels = Vec::with_capacity(header.mip_levels);
        for mip_level in 0..header.mip_levels {
            let mut slabs = Vec::new();
            for _ in 0..ChunkGrid::new(header, mip_level).dims.z * header.frames {
                let offset = take(8);
                let mut numbers = |count: u32| {
                    let numbers: Vec<u32> = (0..components).map(|_| take(4) as u32).collect();
                    let wrong = numbers.iter().find(|&&number| number > count);
                    wrong.map_or(Ok(()), |&number| Err(misplaced(number.into()))).map(|()| numbers)
                };
                let (tables, patterns) = (numbers(table_count)?, numbers(pattern_count)?);
                slabs.push(SlabParts { offset, tables, patterns });
            }
            mip_levels.push(MipLevelParts { slabs, chunks: Vec::new() });
        }
        for (i, parts) in mip_levels.iter_mut().enumerate() {
            let chunks = ChunkGrid::new(header, i).dims;
            let count = chunks.x * chunks.y * components * parts.slabs.len();
            let no_memory = |_| VolumeReadError::Memory((count * size_of::<ChunkEntry>()) as u64);
            parts.chunks.try_reserve_exact(count).map_err(no_memory)?;
            for slab in &parts.slabs {
                let mut next = slab.offset;
                for _ in 0..chunks.x * chunks.y * components {
                    let part = Part { offset: next, byte_count: take(4) as u32, crc: take(4) as u32 };
                    next = next.checked_add(part.byte_count.into()).ok_or(misplaced(next))?;
                    let mut value = || take(header.value_bytes()) as u32;
                    let (min, max) = (value(), value());
                    if min > max || (min == max) != (part.byte_count == 0) {
                        let what = "the index: the values of a chunk";
                        return Err(BwvError::Value { part: what, offset, value: max.into() }.into());
                    }
                    parts.chunks.push(ChunkEntry { part, min, max });
                }
                pieces.push((slab.offset, next - slab.offset));
            }
        }
        let is_misplaced = |&&(start, count): &&(u64, u64)| !(start | count).is_multiple_of(ALIGNMENT as u64);
        if let Some(&(start, _)) = pieces.iter().find(is_misplaced) {
            return Err(misplaced(start).into());
        }
        check_all_filled(pieces, header_bytes, offset, misplaced)?;
        Ok(Self { tables, patterns, mip_levels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VoxelType};

    /// Tests two slabs of nearly 4 GiB, without a file: positions keep all their bits.
    #[test]
    fn places_beyond_4_gib_are_kept() {
        let header = Header::new(VoxelType::U16, Dims::new(9, 9, 200));
        let chunks = ChunkGrid::new(&header, 0).dims;
        assert!(chunks.x == 1 && chunks.y == 1 && chunks.z > 1, "{chunks:?}");
        let (start, byte_count) = (256, 0xffff_ff00);
        let mut level = MipLevelParts::default();
        let mut offset = start;
        for _ in 0..chunks.z {
            level.slabs.push(SlabParts { offset, tables: vec![0], patterns: vec![0] });
            let part = Part { offset, byte_count, crc: 7 };
            level.chunks.push(ChunkEntry { part, min: 3, max: 9 });
            offset += u64::from(byte_count);
        }
        let index = FileIndex { mip_levels: vec![level], ..FileIndex::default() };
        let bytes = index.to_bytes(&header);
        let crc = crc32c(&bytes);
        let found = FileIndex::from_bytes(&bytes, crc, offset, &header, start).expect("sound");
        let offsets = |index: &FileIndex| -> Vec<u64> {
            let level = &index.mip_levels[0];
            let slabs = level.slabs.iter().map(|slab| slab.offset);
            slabs.chain(level.chunks.iter().map(|chunk| chunk.part.offset)).collect()
        };
        assert_eq!(offsets(&found), offsets(&index));
        assert!(offsets(&found)[1] == 256 + 0xffff_ff00);
    }
}
