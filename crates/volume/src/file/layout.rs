//! Division of a volume: bricks form superblocks, superblocks form chunks, chunks form slabs.

use super::header::{Header, Profile};
use crate::{BrickSize, Dims, ShapeError, superblock};

/// Most superblocks in a chunk.
pub(super) const SUPERBLOCKS: usize = 8;

/// A position in voxels, superblocks or chunks: x, y, z.
pub(crate) type Position = (usize, usize, usize);

/// Returns the superblocks along each axis of the chunks of voxels of `dims`: 2×2×2, but more along others if
/// there is only one along an axis.
pub(super) fn chunk_superblocks(brick: BrickSize, dims: Dims) -> Dims {
    let all = dims.covered_by(brick.dims().times(superblock::SIDE));
    let (all, mut sides) = ([all.x, all.y, all.z], [1; 3]);
    while sides[0] * sides[1] * sides[2] < SUPERBLOCKS {
        let larger = (0..3).filter(|&axis| sides[axis] < all[axis]).min_by_key(|&axis| sides[axis]);
        let Some(axis) = larger else { break };
        sides[axis] *= 2;
    }
    Dims::new(sides[0], sides[1], sides[2])
}

/// Returns the bricks along each axis of these chunks.
pub(super) fn chunk_bricks(brick: BrickSize, dims: Dims) -> Dims {
    chunk_superblocks(brick, dims).times(superblock::SIDE)
}

/// Returns the voxels along each axis of these chunks. The profile guthe2016 has no chunks; its rows of
/// voxels are read as if it had.
pub(crate) fn chunk_dims(brick: BrickSize, dims: Dims) -> Dims {
    let (bricks, Dims { x, y, z }) = (chunk_bricks(brick, dims), brick.dims());
    Dims::new(bricks.x * x, bricks.y * y, bricks.z * z)
}

impl Header {
    /// Returns the size in bytes of the voxels that are held in memory when a file with this header is
    /// written. This is a slab, which is 32, 64 or 8 slices deep for bricks of 4×4×4, 8×8×8 or 16×16×1
    /// voxels, or deeper in a narrow volume. In the profile guthe2016 it is a frame.
    ///
    /// # Errors
    /// The errors of [`raw_bytes`](Self::raw_bytes).
    pub fn slab_bytes(&self) -> Result<u64, ShapeError> {
        let frame_bytes = self.raw_bytes()? / self.frames as u64;
        let depth = match self.profile {
            Profile::Bricks => chunk_dims(self.brick, self.dims).z.min(self.dims.z),
            Profile::Guthe2016 { .. } => self.dims.z,
        };
        Ok(frame_bytes / self.dims.z as u64 * depth as u64)
    }
}

/// Returns the corner of brick `i` of the superblock at `corner`, both in voxels.
pub(crate) fn brick_corner(corner: Position, brick: BrickSize, i: usize) -> Position {
    corner_after(corner, brick.dims(), Dims::cube(superblock::SIDE).position(i))
}

/// Returns the corner that is `count` boxes of `dims` after `first`.
#[inline]
pub(crate) const fn corner_after(first: Position, dims: Dims, count: Position) -> Position {
    (first.0 + count.0 * dims.x, first.1 + count.1 * dims.y, first.2 + count.2 * dims.z)
}

/// The chunks of a mip level, all frames and components of it, in the order of the index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkGrid {
    /// Chunks along each axis of one frame.
    pub dims: Dims,
    components: usize,
}

/// Address of a chunk of a mip level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkPlace {
    pub x: usize,
    pub y: usize,
    pub component: usize,
    /// The slab, counted over all frames.
    pub slab: usize,
}

impl ChunkGrid {
    /// Returns the chunks of a mip level.
    pub fn new(header: &Header, mip_level: usize) -> Self {
        let dims = header.mip_level_dims(mip_level);
        let dims = dims.covered_by(chunk_dims(header.brick, dims));
        Self { dims, components: header.component_count() }
    }

    /// Returns the number of a chunk: x runs fastest, then y, the component and the slab.
    pub const fn number(&self, place: ChunkPlace) -> usize {
        self.dims.index(place.x, place.y, place.component + self.components * place.slab)
    }

    /// Returns the chunk of a number.
    pub const fn place(&self, number: usize) -> ChunkPlace {
        let (x, y, layer) = self.dims.position(number);
        ChunkPlace { x, y, component: layer % self.components, slab: layer / self.components }
    }

    /// Returns the position of a chunk in its frame, in chunks.
    pub const fn position(&self, place: ChunkPlace) -> Position {
        (place.x, place.y, place.slab % self.dims.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VoxelType;

    #[test]
    fn numbers_and_places_of_chunks_undo_each_other() {
        let header = Header { channels: 3, frames: 2, ..Header::new(VoxelType::U64, Dims::new(65, 64, 33)) };
        let grid = ChunkGrid::new(&header, 0);
        assert_eq!(grid.dims, Dims::new(3, 2, 2));
        let last = ChunkPlace { x: 2, y: 1, component: 5, slab: 3 };
        assert_eq!((grid.number(last), grid.position(last)), (3 * 2 * 6 * 4 - 1, (2, 1, 1)));
        assert!((0..144).all(|number| grid.number(grid.place(number)) == number));
    }

    #[test]
    fn chunks_of_thin_volumes_are_wide() {
        let chunks = |x, y, z| {
            let Dims { x, y, z } = chunk_superblocks(BrickSize::Four, Dims::new(x, y, z));
            [x, y, z]
        };
        assert_eq!(chunks(500, 500, 500), [2, 2, 2]);
        assert_eq!(chunks(17, 17, 17), [2, 2, 2]);
        assert_eq!(chunks(500, 500, 1), [4, 2, 1]);
        assert_eq!(chunks(500, 20, 16), [4, 2, 1]);
        assert_eq!(chunks(1, 500, 16), [1, 8, 1]);
        assert_eq!(chunks(20, 1, 1), [2, 1, 1]);
        assert_eq!(chunk_dims(BrickSize::Flat, Dims::new(500, 500, 4)), Dims::new(256, 128, 4));
        assert_eq!(brick_corner((0, 0, 8), BrickSize::Flat, 63), (48, 48, 11));
        assert_eq!(brick_corner((32, 0, 32), BrickSize::Four, 63), (44, 12, 44));
    }
}
