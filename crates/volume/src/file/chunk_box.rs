//! The place of a chunk in a volume: up to eight superblocks.

use super::{
    header::Header,
    layout::{Position, chunk_superblocks, corner_after},
    parts::ALIGNMENT,
};
use crate::{
    BrickSize, Dims,
    superblock::{SIDE, SuperblockBox},
};

/// The place of a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkBox {
    pub brick: BrickSize,
    /// Dims of the mip level that contains the chunk.
    dims: Dims,
    /// Superblocks along each axis.
    pub sides: Dims,
    /// Position of the first voxel.
    corner: Position,
    pub first_brick: Position,
    /// Bytes of a value that is stored as it is.
    value_bytes: usize,
}

impl ChunkBox {
    /// Returns the chunk at `position`, in chunks, of a mip level.
    pub fn new(header: &Header, mip_level: usize, position: Position) -> Self {
        let (brick, dims) = (header.brick, header.mip_level_dims(mip_level));
        let sides = chunk_superblocks(brick, dims);
        let first_brick = corner_after((0, 0, 0), sides.times(SIDE), position);
        let corner = corner_after((0, 0, 0), brick.dims(), first_brick);
        Self { brick, dims, sides, corner, first_brick, value_bytes: header.value_bytes() }
    }

    /// Returns the same chunk in a volume without the slices before `z`.
    pub const fn after_slice(mut self, z: usize) -> Self {
        self.dims.z -= z;
        self.corner.2 -= z;
        self
    }

    /// Returns the first voxel.
    pub const fn corner(self) -> Position {
        self.corner
    }

    /// Returns the size in bytes of a value that is stored unchanged.
    pub const fn value_bytes(self) -> usize {
        self.value_bytes
    }

    /// Returns the superblocks with voxels inside, and their corners.
    pub fn superblocks(self) -> impl Iterator<Item = (Position, SuperblockBox)> {
        let side = self.brick.dims().times(SIDE);
        (0..self.sides.x * self.sides.y * self.sides.z).filter_map(move |i| {
            let at = corner_after(self.corner, side, self.sides.position(i));
            Some((at, SuperblockBox::at(self.brick, at, self.dims)?))
        })
    }

    /// Returns the number of voxels inside the volume along each axis.
    pub fn inside(self) -> Dims {
        let (x, y, z) = (self.sides.x * SIDE, self.sides.y * SIDE, self.sides.z * SIDE);
        let (x, y, z) = corner_after((0, 0, 0), self.brick.dims(), (x, y, z));
        self.dims.clip(self.corner, Dims::new(x, y, z)).expect("a chunk of the volume")
    }

    /// Returns the size in bytes of its raw values.
    pub fn raw_bytes(self) -> usize {
        let Dims { x, y, z } = self.inside();
        (x * y * z * self.value_bytes).next_multiple_of(ALIGNMENT)
    }
}
