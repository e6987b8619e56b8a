//! An open file with its bytes, and its verified parts.

use super::{
    chunk::Chunk,
    contents::{Body, BrickBody, memory},
    source::ReadAt,
};
use crate::{
    BwvError, Dims, FilePart, VolumeReadError,
    checksum::crc32c,
    file::{
        chunk_box::ChunkBox,
        header::Header,
        index::ChunkEntry,
        layout::{ChunkGrid, ChunkPlace, Position},
        parts::Part,
        table::Table,
    },
    patterns::Patterns,
};
use std::{
    ops::Range,
    sync::{OnceLock, atomic::AtomicU64},
};

/// An open file with its bytes.
#[derive(Clone, Copy)]
pub(crate) struct OpenFile<'a> {
    pub source: &'a dyn ReadAt,
    pub header: &'a Header,
    pub body: &'a Body,
    pub bricks_decoded: &'a AtomicU64,
}

/// A chunk of a mip level and its part of the file.
#[derive(Clone, Copy)]
pub(crate) struct ChunkPart {
    pub mip_level: usize,
    pub number: usize,
    pub place: ChunkPlace,
    entry: ChunkEntry,
}

impl ChunkPart {
    /// Returns the chunk for errors.
    const fn name(&self) -> FilePart {
        FilePart::Chunk { mip_level: self.mip_level, number: self.number }
    }

    /// Returns the smallest and the largest value.
    pub const fn extremes(&self) -> (u32, u32) {
        (self.entry.min, self.entry.max)
    }

    /// Returns the range of bytes in the file.
    pub fn range(&self) -> Range<u64> {
        self.entry.part.range()
    }

    /// Returns the error of a chunk with the right checksum that breaks the format's rules.
    pub fn broken(&self) -> VolumeReadError {
        BwvError::Structure { part: self.name(), offset: self.entry.part.offset }.into()
    }
}

impl BrickBody {
    /// Returns the chunk of a place.
    pub fn chunk_at(&self, grid: ChunkGrid, mip_level: usize, place: ChunkPlace) -> ChunkPart {
        let number = grid.number(place);
        ChunkPart { mip_level, number, place, entry: self.index.mip_levels[mip_level].chunks[number] }
    }

    /// Returns the chunk of a number.
    pub fn chunk_of(&self, grid: ChunkGrid, mip_level: usize, number: usize) -> ChunkPart {
        self.chunk_at(grid, mip_level, grid.place(number))
    }
}

impl OpenFile<'_> {
    /// Reads and verifies a chunk.
    pub fn chunk(self, body: &BrickBody, chunk: ChunkPart) -> Result<Chunk, VolumeReadError> {
        let ChunkEntry { part, min, max } = chunk.entry;
        let bytes = if part.byte_count > 0 { self.part(part, chunk.name())? } else { Vec::new() };
        let patterns = self.patterns(body, chunk)?;
        let read = Chunk::new(bytes, self.place(chunk), patterns, (min == max).then_some(min));
        read.ok_or_else(|| chunk.broken())
    }

    /// Reads and verifies a chunk, which may lack the superblocks that `wanted` refuses by their corner and
    /// dims. Only the others are copied from bytes in memory.
    pub fn superblocks(
        self,
        body: &BrickBody,
        chunk: ChunkPart,
        wanted: impl Fn(Position, Dims) -> bool,
    ) -> Result<Chunk, VolumeReadError> {
        let ChunkEntry { part, min, max } = chunk.entry;
        if min == max || part.byte_count == 0 {
            return self.chunk(body, chunk);
        }
        let Some(bytes) = self.source.slice_at(part.offset, part.byte_count as usize) else {
            return self.chunk(body, chunk);
        };
        check_crc(bytes, part, chunk.name())?;
        let patterns = self.patterns(body, chunk)?;
        let read = Chunk::of_superblocks(bytes, self.place(chunk), patterns, wanted)?;
        read.ok_or_else(|| chunk.broken())
    }

    /// Returns the box of a chunk.
    pub fn place(self, chunk: ChunkPart) -> ChunkBox {
        let grid = ChunkGrid::new(self.header, chunk.mip_level);
        ChunkBox::new(self.header, chunk.mip_level, grid.position(chunk.place))
    }

    /// Reads a part of the file and compares its checksum.
    fn part(self, part: Part, name: FilePart) -> Result<Vec<u8>, VolumeReadError> {
        // Parts are inside the file, so this is at most the size of the file.
        let mut bytes = memory(part.byte_count.into())?;
        bytes.resize(part.byte_count as usize, 0);
        self.source.read_exact_at(&mut bytes, part.offset)?;
        check_crc(&bytes, part, name)?;
        Ok(bytes)
    }

    /// Returns the rank table of the component and slab of a chunk, read on first use.
    pub fn table(self, body: &BrickBody, chunk: ChunkPart) -> Result<Option<&Table>, VolumeReadError> {
        let slab = &body.index.mip_levels[chunk.mip_level].slabs[chunk.place.slab];
        match slab.tables[chunk.place.component].checked_sub(1) {
            None => Ok(None),
            Some(number) => self.numbered_table(body, number as usize).map(Some),
        }
    }

    /// Returns the pattern table of the component and slab of a chunk, read on first use.
    pub fn patterns(self, body: &BrickBody, chunk: ChunkPart) -> Result<Option<&Patterns>, VolumeReadError> {
        let slab = &body.index.mip_levels[chunk.mip_level].slabs[chunk.place.slab];
        match slab.patterns[chunk.place.component].checked_sub(1) {
            None => Ok(None),
            Some(number) => self.numbered_patterns(body, number as usize).map(Some),
        }
    }

    /// Returns a rank table, read on first use.
    pub fn numbered_table(self, body: &BrickBody, number: usize) -> Result<&Table, VolumeReadError> {
        let from_bytes = |bytes| Table::from_bytes(bytes, self.header.voxel_type);
        self.read_once(
            &body.tables[number],
            body.index.tables[number],
            FilePart::RankTable(number),
            from_bytes,
        )
    }

    /// Returns a pattern table, read on first use.
    pub fn numbered_patterns(self, body: &BrickBody, number: usize) -> Result<&Patterns, VolumeReadError> {
        let from_bytes = |bytes: Vec<u8>| Patterns::from_bytes(&bytes);
        self.read_once(
            &body.patterns[number],
            body.index.patterns[number],
            FilePart::PatternTable(number),
            from_bytes,
        )
    }

    /// Returns the result of `from_bytes` for a part, and keeps it in `table`.
    fn read_once<T>(
        self,
        table: &OnceLock<T>,
        part: Part,
        name: FilePart,
        from_bytes: impl FnOnce(Vec<u8>) -> Option<T>,
    ) -> Result<&T, VolumeReadError> {
        if let Some(table) = table.get() {
            return Ok(table);
        }
        let read = from_bytes(self.part(part, name)?);
        let read = read.ok_or(BwvError::Structure { part: name, offset: part.offset })?;
        // Another thread may have been first, with the same result.
        Ok(table.get_or_init(|| read))
    }
}

/// Compares the checksum of a part.
fn check_crc(bytes: &[u8], part: Part, name: FilePart) -> Result<(), BwvError> {
    if crc32c(bytes) == part.crc {
        Ok(())
    } else {
        Err(BwvError::Checksum { part: name, offset: part.offset })
    }
}
