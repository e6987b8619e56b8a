//! Stretches: neighbouring chunks along x with a frequent ordinal in common. They are filled with it, and
//! their other bricks are put after that, since memory is written faster in long rows than brick by brick.

use super::{
    chunk::{Chunk, ChunkCoding},
    open_file::ChunkPart,
    ordinals::Lookup,
};
use crate::{Dims, file::layout::Position};

/// Size of a stretch's chunks in memory after which it ends. Longer stretches fill longer rows, but each
/// thread holds as many bytes.
const MAX_BYTES: usize = 1 << 20;

/// A chunk with its place in the file and the ordinals of its ranks.
pub(super) struct StretchChunk<'t> {
    pub chunk: Chunk,
    pub part: ChunkPart,
    pub lookup: Option<&'t Lookup>,
}

/// Neighbouring chunks along x with an ordinal in common.
pub(super) struct ChunkStretch<'t> {
    pub ordinal: u32,
    /// First voxel.
    pub corner: Position,
    /// Dims of the box of all chunks, which may extend beyond the volume.
    pub dims: Dims,
    /// The chunks that have other ordinals, too.
    pub others: Vec<StretchChunk<'t>>,
    bytes: usize,
}

impl<'t> ChunkStretch<'t> {
    /// Returns a stretch of one chunk of `dims` voxels.
    pub fn new(ordinal: u32, chunk: StretchChunk<'t>, dims: Dims) -> Self {
        let corner = chunk.chunk.corner();
        let mut stretch = Self { ordinal, corner, dims: Dims { x: 0, ..dims }, others: Vec::new(), bytes: 0 };
        stretch.add(chunk, dims.x);
        stretch
    }

    /// True if the next chunk, with this frequent ordinal, can be added.
    pub fn continues_with(&self, ordinal: Option<u32>) -> bool {
        ordinal == Some(self.ordinal) && self.bytes < MAX_BYTES
    }

    /// Adds the next chunk, of `width` voxels along x.
    pub fn add(&mut self, chunk: StretchChunk<'t>, width: usize) {
        self.dims.x += width;
        if !matches!(chunk.chunk.coding, ChunkCoding::Constant(_)) {
            self.bytes += chunk.chunk.bytes.len();
            self.others.push(chunk);
        }
    }
}
