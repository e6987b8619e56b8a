//! Runs of chunks along x with a frequent number in common. They are filled with it, and their other bricks
//! are put after that: memory is written faster in long rows than brick by brick.

use super::{
    chunk::{Chunk, ChunkCoding},
    open_file::ChunkPart,
    ordinals::Lookup,
};
use crate::{Dims, file::layout::Position};

/// Bytes of its chunks after which a run ends.
const MAX_BYTES: usize = 1 << 20;

/// A chunk with its place in the file and the ordinals of its ranks.
pub(super) struct RunChunk<'t> {
    pub chunk: Chunk,
    pub part: ChunkPart,
    pub lookup: Option<&'t Lookup>,
}

pub(super) struct ChunkRun<'t> {
    pub number: u32,
    /// The first voxel, and the box of all chunks. (The last one may extend beyond the volume.)
    pub corner: Position,
    pub dims: Dims,
    /// The chunks that have other numbers, too.
    pub others: Vec<RunChunk<'t>>,
    bytes: usize,
}

impl<'t> ChunkRun<'t> {
    /// Returns a run of one chunk of `dims` voxels.
    pub fn new(number: u32, chunk: RunChunk<'t>, dims: Dims) -> Self {
        let corner = chunk.chunk.corner();
        let mut run = Self { number, corner, dims: Dims { x: 0, ..dims }, others: Vec::new(), bytes: 0 };
        run.add(chunk, dims.x);
        run
    }

    /// True if the next chunk, with this frequent number, can be added.
    pub fn continues_with(&self, number: Option<u32>) -> bool {
        number == Some(self.number) && self.bytes < MAX_BYTES
    }

    /// Adds the next chunk, of `width` voxels along x.
    pub fn add(&mut self, chunk: RunChunk<'t>, width: usize) {
        self.dims.x += width;
        if !matches!(chunk.chunk.coding, ChunkCoding::Constant(_)) {
            self.bytes += chunk.chunk.bytes.len();
            self.others.push(chunk);
        }
    }
}
