//! An open file without its bytes: header and index; and reading one verified part.

use super::{
    chunk::{Chunk, ChunkBox},
    guthe2016::Sections,
    header::{FIXED_BYTES, Header, Profile},
    index::{ChunkEntry, FileIndex},
    layout::{ChunkGrid, ChunkPlace},
    parts::{self, FOOTER_BYTES, Part},
    source::ReadAt,
    table::Table,
};
use crate::{BwvError, VolumeReadError, brick::PADDING, patterns::Patterns};
use std::sync::OnceLock;

/// What a file is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartCounts {
    /// Chunks, of all mip levels and frames. With the profile guthe2016: pieces under a checksum.
    pub chunks: usize,
    /// Tables of the few values that a component takes.
    pub rank_tables: usize,
    /// Tables of coded bricks that occur again and again.
    pub pattern_tables: usize,
}

/// What is known of an open file.
#[derive(Debug)]
pub(super) struct Contents {
    pub header: Header,
    pub file_bytes: u64,
    pub body: Body,
}

/// What the profile has between header and footer.
#[derive(Debug)]
pub(super) enum Body {
    Bricks(BrickBody),
    Guthe2016(Sections),
}

/// The body of a file of our own bricks.
#[derive(Debug)]
pub(super) struct BrickBody {
    pub index: FileIndex,
    /// The tables, each read on first use.
    pub tables: Vec<OnceLock<Table>>,
    pub patterns: Vec<OnceLock<Patterns>>,
}

impl Contents {
    /// Reads header and index. Their memory is bounded by the length of the file, whatever the header says.
    pub fn read(source: &dyn ReadAt) -> Result<Self, VolumeReadError> {
        let file_bytes = source.byte_count()?;
        let least = (FIXED_BYTES + FOOTER_BYTES) as u64;
        let mut fixed = [0; FIXED_BYTES];
        let there = file_bytes.min(FIXED_BYTES as u64) as usize;
        source.read_exact_at(&mut fixed[..there], 0)?;
        let metadata_bytes = Header::metadata_bytes(&fixed)?;
        let least = least + metadata_bytes as u64;
        if file_bytes < least {
            return Err(BwvError::Short { part: "the file", need: least, have: file_bytes }.into());
        }
        let mut metadata = vec![0; metadata_bytes];
        source.read_exact_at(&mut metadata, FIXED_BYTES as u64)?;
        let header = Header::from_bytes(&fixed, metadata)?;
        let mut footer = [0; FOOTER_BYTES];
        source.read_exact_at(&mut footer, file_bytes - FOOTER_BYTES as u64)?;
        let (offset, byte_count, crc) = parts::index_place(&footer, Header::crc(&fixed), file_bytes)?;
        // The place lies in the file, so this is no more than the file has.
        let need = match header.profile {
            Profile::Bricks => FileIndex::byte_count(&header, 0),
            Profile::Guthe2016 { .. } => Sections::least_bytes(&header),
        };
        let need = need.unwrap_or(u64::MAX);
        if byte_count < need {
            return Err(BwvError::Short { part: "the index", need, have: byte_count }.into());
        }
        let mut bytes = memory(byte_count)?;
        bytes.resize(byte_count as usize, 0);
        source.read_exact_at(&mut bytes, offset)?;
        let header_bytes = (FIXED_BYTES + metadata_bytes) as u64;
        let body = match header.profile {
            Profile::Bricks => {
                let index = FileIndex::from_bytes(&bytes, crc, offset, &header, header_bytes)?;
                let tables = index.tables.iter().map(|_| OnceLock::new()).collect();
                let patterns = index.patterns.iter().map(|_| OnceLock::new()).collect();
                Body::Bricks(BrickBody { index, tables, patterns })
            }
            Profile::Guthe2016 { .. } => {
                Body::Guthe2016(Sections::from_bytes(&bytes, crc, offset, &header, header_bytes)?)
            }
        };
        Ok(Self { header, file_bytes, body })
    }

    /// As [`VolumeFile::chunk_bytes`](super::VolumeFile::chunk_bytes).
    pub fn chunk_bytes(&self) -> u64 {
        match &self.body {
            Body::Bricks(BrickBody { index, .. }) => {
                let chunks = index.mip_levels.iter().flat_map(|level| &level.chunks);
                chunks.map(|chunk| u64::from(chunk.part.byte_count)).sum()
            }
            Body::Guthe2016(sections) => sections.counts().0,
        }
    }

    /// As [`VolumeFile::counts`](super::VolumeFile::counts).
    pub fn counts(&self) -> PartCounts {
        match &self.body {
            Body::Bricks(BrickBody { index, tables, patterns }) => PartCounts {
                chunks: index.mip_levels.iter().map(|level| level.chunks.len()).sum(),
                rank_tables: tables.len(),
                pattern_tables: patterns.len(),
            },
            Body::Guthe2016(sections) => PartCounts { chunks: sections.counts().1, ..PartCounts::default() },
        }
    }
}

/// An open file with its bytes, whatever holds these.
#[derive(Clone, Copy)]
pub(super) struct OpenFile<'a> {
    pub source: &'a dyn ReadAt,
    pub header: &'a Header,
    pub body: &'a Body,
}

/// A chunk of a mip level and its part of the file.
#[derive(Clone, Copy)]
pub(super) struct ChunkPart {
    pub mip_level: usize,
    pub number: usize,
    pub place: ChunkPlace,
    entry: ChunkEntry,
}

impl ChunkPart {
    /// What this chunk is called in errors.
    fn name(&self) -> String {
        match self.mip_level {
            0 => format!("chunk {}", self.number),
            level => format!("chunk {} of level {level}", self.number),
        }
    }

    /// Its least and its largest value.
    pub const fn extremes(&self) -> (u32, u32) {
        (self.entry.min, self.entry.max)
    }

    /// The error of a chunk with the right checksum that breaks the format's rules.
    pub fn broken(&self) -> VolumeReadError {
        BwvError::Structure { part: self.name(), offset: self.entry.part.offset }.into()
    }
}

impl BrickBody {
    /// The chunk of a place.
    pub fn chunk_at(&self, grid: ChunkGrid, mip_level: usize, place: ChunkPlace) -> ChunkPart {
        let number = grid.number(place);
        ChunkPart { mip_level, number, place, entry: self.index.mip_levels[mip_level].chunks[number] }
    }

    /// The chunk of a number.
    pub fn chunk_of(&self, grid: ChunkGrid, mip_level: usize, number: usize) -> ChunkPart {
        self.chunk_at(grid, mip_level, grid.place(number))
    }
}

impl OpenFile<'_> {
    /// Reads and verifies a chunk.
    pub fn chunk(self, body: &BrickBody, chunk: ChunkPart) -> Result<Chunk, VolumeReadError> {
        let ChunkEntry { part, min, max } = chunk.entry;
        let bytes = if part.byte_count > 0 { self.part(part, || chunk.name())? } else { Vec::new() };
        let position = ChunkGrid::new(self.header, chunk.mip_level).position(chunk.place);
        let place = ChunkBox::new(self.header, chunk.mip_level, position);
        let patterns = self.patterns(body, chunk)?;
        Chunk::new(bytes, place, patterns, (min == max).then_some(min)).ok_or_else(|| chunk.broken())
    }

    /// Reads a part of the file and compares its checksum.
    fn part(self, part: Part, name: impl Fn() -> String) -> Result<Vec<u8>, VolumeReadError> {
        // Parts lie in the file, so this is no more than the file has.
        let mut bytes = memory(part.byte_count.into())?;
        bytes.resize(part.byte_count as usize, 0);
        self.source.read_exact_at(&mut bytes, part.offset)?;
        if crc32c::crc32c(&bytes) != part.crc {
            return Err(BwvError::Checksum { part: name(), offset: part.offset }.into());
        }
        Ok(bytes)
    }

    /// The rank table of the component and slab of a chunk, read on first use.
    pub fn table(self, body: &BrickBody, chunk: ChunkPart) -> Result<Option<&Table>, VolumeReadError> {
        let slab = &body.index.mip_levels[chunk.mip_level].slabs[chunk.place.slab];
        match slab.tables[chunk.place.component].checked_sub(1) {
            None => Ok(None),
            Some(number) => self.numbered_table(body, number as usize).map(Some),
        }
    }

    /// The pattern table of the component and slab of a chunk, read on first use.
    fn patterns(self, body: &BrickBody, chunk: ChunkPart) -> Result<Option<&Patterns>, VolumeReadError> {
        let slab = &body.index.mip_levels[chunk.mip_level].slabs[chunk.place.slab];
        match slab.patterns[chunk.place.component].checked_sub(1) {
            None => Ok(None),
            Some(number) => self.numbered_patterns(body, number as usize).map(Some),
        }
    }

    /// A rank table, read on first use.
    pub fn numbered_table(self, body: &BrickBody, number: usize) -> Result<&Table, VolumeReadError> {
        let from_bytes = |bytes| Table::from_bytes(bytes, self.header.voxel_type);
        self.read_once(&body.tables[number], body.index.tables[number], ("rank", number), from_bytes)
    }

    /// A pattern table, read on first use.
    pub fn numbered_patterns(self, body: &BrickBody, number: usize) -> Result<&Patterns, VolumeReadError> {
        let from_bytes = |bytes: Vec<u8>| Patterns::from_bytes(&bytes);
        self.read_once(&body.patterns[number], body.index.patterns[number], ("pattern", number), from_bytes)
    }

    /// What `from_bytes` makes of a part, kept in `table`.
    fn read_once<'t, T>(
        self,
        table: &'t OnceLock<T>,
        part: Part,
        (kind, number): (&str, usize),
        from_bytes: impl FnOnce(Vec<u8>) -> Option<T>,
    ) -> Result<&'t T, VolumeReadError> {
        if let Some(table) = table.get() {
            return Ok(table);
        }
        let name = || format!("{kind} table {number}");
        let read = from_bytes(self.part(part, name)?);
        let read = read.ok_or_else(|| BwvError::Structure { part: name(), offset: part.offset })?;
        // Another thread may have been first, with the same result.
        Ok(table.get_or_init(|| read))
    }
}

/// An empty vector with room for `byte_count` bytes and a little more.
fn memory(byte_count: u64) -> Result<Vec<u8>, VolumeReadError> {
    let mut bytes = Vec::new();
    let count = usize::try_from(byte_count).unwrap_or(usize::MAX).saturating_add(PADDING);
    bytes.try_reserve_exact(count).map_err(|_| VolumeReadError::Memory(byte_count))?;
    Ok(bytes)
}
