//! An open file without its bytes: header and index.

use super::source::ReadAt;
use crate::{
    BwvError, VolumeReadError,
    brick::PADDING,
    file::{
        guthe2016::Sections,
        header::{FIXED_BYTES, Header, Profile},
        index::FileIndex,
        parts::{self, FOOTER_BYTES},
        table::Table,
    },
    patterns::Patterns,
};
use std::sync::{OnceLock, atomic::AtomicU64};

/// Counts of the parts of a file.
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

/// Header, index and body of an open file.
#[derive(Debug)]
pub(in crate::file) struct Contents {
    pub header: Header,
    pub file_bytes: u64,
    pub body: Body,
    /// Bricks decoded to read regions.
    pub bricks_decoded: AtomicU64,
}

/// The parts between header and footer, by profile.
#[derive(Debug)]
pub(crate) enum Body {
    Bricks(BrickBody),
    Guthe2016(Sections),
}

/// The body of a file of our own bricks.
#[derive(Debug)]
pub(crate) struct BrickBody {
    pub index: FileIndex,
    /// The tables, each read on first use.
    pub tables: Vec<OnceLock<Table>>,
    pub patterns: Vec<OnceLock<Patterns>>,
}

impl BrickBody {
    /// Returns the body with this index, with no table read.
    fn new(index: FileIndex) -> Self {
        let tables = index.tables.iter().map(|_| OnceLock::new()).collect();
        let patterns = index.patterns.iter().map(|_| OnceLock::new()).collect();
        Self { index, tables, patterns }
    }
}

impl Contents {
    /// Reads header and index. Their memory is bounded by the length of the file, not by the header.
    pub fn read(source: &dyn ReadAt) -> Result<Self, VolumeReadError> {
        let file_bytes = source.byte_count()?;
        let (fixed, metadata_bytes) = read_fixed(source, file_bytes)?;
        let least = (FIXED_BYTES + FOOTER_BYTES + metadata_bytes) as u64;
        if file_bytes < least {
            return Err(BwvError::Short { part: "the file", need: least, have: file_bytes }.into());
        }
        let mut metadata = memory(metadata_bytes as u64)?;
        metadata.resize(metadata_bytes, 0);
        source.read_exact_at(&mut metadata, FIXED_BYTES as u64)?;
        let header = Header::from_bytes(&fixed, metadata)?;
        let (offset, byte_count, crc) = read_footer(source, &fixed, file_bytes)?;
        // The part is inside the file, so this is at most the size of the file.
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
            Profile::Bricks => Body::Bricks(BrickBody::new(FileIndex::from_bytes(
                &bytes,
                crc,
                offset,
                &header,
                header_bytes,
            )?)),
            Profile::Guthe2016 { .. } => {
                Body::Guthe2016(Sections::from_bytes(&bytes, crc, offset, &header, header_bytes)?)
            }
        };
        Ok(Self { header, file_bytes, body, bricks_decoded: AtomicU64::new(0) })
    }

    /// Returns the contents of bytes that have this index, with no table read.
    pub fn new(header: Header, file_bytes: u64, index: FileIndex) -> Self {
        let body = Body::Bricks(BrickBody::new(index));
        Self { header, file_bytes, body, bricks_decoded: AtomicU64::new(0) }
    }

    /// Works like [`VolumeFile::chunk_bytes`](crate::VolumeFile::chunk_bytes).
    pub fn chunk_bytes(&self) -> u64 {
        match &self.body {
            Body::Bricks(BrickBody { index, .. }) => {
                let chunks = index.mip_levels.iter().flat_map(|level| &level.chunks);
                chunks.map(|chunk| u64::from(chunk.part.byte_count)).sum()
            }
            Body::Guthe2016(sections) => sections.counts().0,
        }
    }

    /// Works like [`VolumeFile::counts`](crate::VolumeFile::counts).
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

/// Returns the header without its metadata, and the size of the metadata in bytes.
pub(super) fn read_fixed(
    source: &dyn ReadAt,
    file_bytes: u64,
) -> Result<([u8; FIXED_BYTES], usize), VolumeReadError> {
    let mut fixed = [0; FIXED_BYTES];
    let there = file_bytes.min(FIXED_BYTES as u64) as usize;
    source.read_exact_at(&mut fixed[..there], 0)?;
    let metadata_bytes = Header::metadata_bytes(&fixed)?;
    Ok((fixed, metadata_bytes))
}

/// Returns the index's offset, size and checksum, from the footer of a file with a footer and a header.
pub(super) fn read_footer(
    source: &dyn ReadAt,
    fixed: &[u8; FIXED_BYTES],
    file_bytes: u64,
) -> Result<(u64, u64, u32), VolumeReadError> {
    let mut footer = [0; FOOTER_BYTES];
    source.read_exact_at(&mut footer, file_bytes.saturating_sub(FOOTER_BYTES as u64))?;
    Ok(parts::index_place(&footer, Header::crc(fixed), file_bytes)?)
}

/// Returns an empty vector with room for `byte_count` bytes and a little more.
pub(super) fn memory(byte_count: u64) -> Result<Vec<u8>, VolumeReadError> {
    let mut bytes = Vec::new();
    let count = usize::try_from(byte_count).unwrap_or(usize::MAX).saturating_add(PADDING);
    bytes.try_reserve_exact(count).map_err(|_| VolumeReadError::Memory(byte_count))?;
    Ok(bytes)
}
