//! The bricks of a mip level, and the chunk of each.

use crate::{
    BrickAddress, BrickSize, Dims,
    brick::BrickBox,
    file::{
        layout::{ChunkGrid, ChunkPlace, chunk_bricks},
        read::OpenFile,
    },
};

/// Properties of a mip level that every access needs, computed once.
#[derive(Clone, Copy, Debug)]
pub(super) struct MipLevelShape {
    pub dims: Dims,
    /// Bricks along each axis.
    pub bricks: Dims,
    /// Bricks of 4³ and one word that have no voxel outside the volume, along each axis.
    pub quick: Dims,
    pub grid: ChunkGrid,
    /// The binary logarithms of the bricks along each axis of a chunk.
    chunk_shifts: [u32; 3],
    /// First slot of the mip level.
    pub first_slot: usize,
}

impl MipLevelShape {
    /// Returns the shape of a mip level whose first chunk has the slot `first_slot`.
    pub fn new(file: OpenFile, mip_level: usize, first_slot: usize) -> Self {
        let header = file.header;
        let dims = header.mip_level_dims(mip_level);
        let Dims { x, y, z } = chunk_bricks(header.brick, dims);
        let is_quick = header.brick == BrickSize::Four && header.voxel_type.word_count() == 1;
        let quick = if is_quick { Dims::new(dims.x / 4, dims.y / 4, dims.z / 4) } else { Dims::new(0, 0, 0) };
        Self {
            dims,
            bricks: file.bricks(mip_level),
            quick,
            grid: ChunkGrid::new(header, mip_level),
            chunk_shifts: [x, y, z].map(usize::ilog2),
            first_slot,
        }
    }

    /// Returns the chunk of a brick, and the brick's number in the chunk, x fastest. (Works like
    /// `Chunk::brick_number`, but without an access to the chunk, whose memory may be far away.)
    #[inline]
    pub fn place(&self, brick: BrickAddress, component: usize) -> (ChunkPlace, usize) {
        let BrickAddress { x, y, z, frame, .. } = brick;
        let [a, b, c] = self.chunk_shifts;
        let place = ChunkPlace { x: x >> a, y: y >> b, component, slab: frame * self.grid.dims.z + (z >> c) };
        let within = |i: usize, shift: u32| i & ((1 << shift) - 1);
        (place, within(x, a) | (within(y, b) | within(z, c) << b) << a)
    }

    /// Returns the part of a brick that is in the volume.
    #[inline]
    pub fn inside(&self, size: BrickSize, brick: BrickAddress) -> Option<BrickBox> {
        let side = size.dims();
        BrickBox::at(size, (brick.x * side.x, brick.y * side.y, brick.z * side.z), self.dims)
    }
}

impl OpenFile<'_> {
    /// Returns the bricks of a mip level along each axis.
    pub fn bricks(self, mip_level: usize) -> Dims {
        self.header.mip_level_dims(mip_level).covered_by(self.header.brick.dims())
    }
}
