//! How a volume is cut: bricks into superblocks, these into chunks, and chunks into slabs.

use super::header::Header;
use crate::{
    BrickSize, Dims,
    superblock::{self, SuperblockBox},
};

/// Superblocks along each side of a chunk.
const CHUNK_SIDE: usize = 2;

/// Superblocks in a chunk.
pub(super) const SUPERBLOCKS: usize = CHUNK_SIDE.pow(3);

/// Bricks along each side of a chunk.
pub(super) const CHUNK_BRICK_SIDE: usize = CHUNK_SIDE * superblock::SIDE;

/// A position in voxels, superblocks or chunks: x, y, z.
pub(super) type Position = (usize, usize, usize);

/// The voxels of a chunk. The profile guthe2016 has none; its rows of voxels are read as if it had.
pub(super) const fn chunk_dims(header: &Header) -> Dims {
    header.brick.dims().times(CHUNK_BRICK_SIDE)
}

/// The corners in voxels of those superblocks of the chunk at `chunk` (in chunks) that lie in a volume of
/// `dims`, and what of them does.
pub(super) fn superblocks(
    dims: Dims,
    brick: BrickSize,
    chunk: Position,
) -> impl Iterator<Item = (Position, SuperblockBox)> {
    let side = brick.dims().times(superblock::SIDE);
    let corner = corner_after((0, 0, 0), side.times(CHUNK_SIDE), chunk);
    (0..SUPERBLOCKS).filter_map(move |i| {
        let at = corner_after(corner, side, Dims::cube(CHUNK_SIDE).position(i));
        Some((at, SuperblockBox::at(brick, at, dims)?))
    })
}

/// The corner of brick `i` of the superblock at `corner`, both in voxels.
pub(super) fn brick_corner(corner: Position, brick: BrickSize, i: usize) -> Position {
    corner_after(corner, brick.dims(), Dims::cube(superblock::SIDE).position(i))
}

/// The corner `count` boxes of `dims` after `first`.
#[inline]
const fn corner_after(first: Position, dims: Dims, count: Position) -> Position {
    (first.0 + count.0 * dims.x, first.1 + count.1 * dims.y, first.2 + count.2 * dims.z)
}

/// The chunks of a mip level, all frames and components of it, in the order of the index.
#[derive(Clone, Copy)]
pub(super) struct ChunkGrid {
    /// Chunks along each axis of one frame.
    pub dims: Dims,
    components: usize,
}

/// Which chunk of a mip level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkPlace {
    pub x: usize,
    pub y: usize,
    pub component: usize,
    /// The slab, counted over all frames.
    pub slab: usize,
}

impl ChunkGrid {
    /// The chunks of a mip level.
    pub fn new(header: &Header, mip_level: usize) -> Self {
        let dims = header.mip_level_dims(mip_level).covered_by(chunk_dims(header));
        Self { dims, components: header.component_count() }
    }

    /// The number of a chunk: x runs fastest, then y, the component and the slab.
    pub const fn number(&self, place: ChunkPlace) -> usize {
        self.dims.index(place.x, place.y, place.component + self.components * place.slab)
    }

    /// The chunk of a number.
    pub const fn place(&self, number: usize) -> ChunkPlace {
        let (x, y, layer) = self.dims.position(number);
        ChunkPlace { x, y, component: layer % self.components, slab: layer / self.components }
    }

    /// The position in its frame of a chunk, in chunks.
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
    fn only_superblocks_with_voxels_are_there() {
        let dims = Dims::new(49, 16, 40);
        let corners: Vec<_> = superblocks(dims, BrickSize::Four, (1, 0, 1)).map(|(at, _)| at).collect();
        assert_eq!(corners, [(32, 0, 32), (48, 0, 32)]);
        assert_eq!(brick_corner((32, 0, 32), BrickSize::Four, 63), (44, 12, 44));
        let corners: Vec<_> = superblocks(dims, BrickSize::Flat, (0, 0, 1)).map(|(at, _)| at).collect();
        assert_eq!(corners, [(0, 0, 8), (0, 0, 12)]);
        assert_eq!(brick_corner((0, 0, 8), BrickSize::Flat, 63), (48, 48, 11));
    }
}
