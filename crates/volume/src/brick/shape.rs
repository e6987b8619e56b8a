//! The voxels of a brick: of a whole one, and of one that the volume ends in.

use crate::Dims;
use std::fmt;

/// The voxels of a brick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BrickSize {
    /// 4×4×4 voxels: the fastest access to single bricks.
    #[default]
    Four,
    /// 8×8×8 voxels: smaller files.
    Eight,
    /// 16×16×1 voxels: for single slices, and for slices that are far apart.
    Flat,
}

/// Maximum number of voxels of a brick.
pub(crate) const MAX_VOXELS: usize = 512;

impl BrickSize {
    /// Returns the voxels along each axis.
    pub const fn dims(self) -> Dims {
        match self {
            Self::Four => Dims::cube(4),
            Self::Eight => Dims::cube(8),
            Self::Flat => Dims::new(16, 16, 1),
        }
    }

    /// Returns the voxels along each axis of a box of bricks.
    pub(crate) const fn dims_of(self, bricks: Dims) -> Dims {
        let Dims { x, y, z } = self.dims();
        Dims::new(x * bricks.x, y * bricks.y, z * bricks.z)
    }

    /// Every size.
    pub const ALL: &[Self] = &[Self::Four, Self::Eight, Self::Flat];

    /// Returns the size of brick with `count` voxels.
    pub(super) const fn of_count(count: usize) -> Self {
        match count {
            64 => Self::Four,
            256 => Self::Flat,
            _ => Self::Eight,
        }
    }

    /// Returns the number of voxels.
    pub const fn voxel_count(self) -> usize {
        let Dims { x, y, z } = self.dims();
        x * y * z
    }
}

impl fmt::Display for BrickSize {
    /// Writes the size as `4×4×4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dims().fmt(f)
    }
}

/// Returns the dims of the bricks with `width` voxels along x; each size has a different width.
pub(super) const fn dims_of(width: usize) -> Dims {
    if width == 16 { BrickSize::Flat.dims() } else { Dims::cube(width) }
}

/// Returns the dims of the bricks with `count` voxels.
pub(super) const fn dims_of_count(count: usize) -> Dims {
    BrickSize::of_count(count).dims()
}

/// Part of a brick inside the volume: a box at the brick's first corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrickBox {
    pub size: BrickSize,
    inside: Dims,
}

impl BrickBox {
    /// Returns a whole brick.
    pub const fn whole(size: BrickSize) -> Self {
        Self { size, inside: size.dims() }
    }

    /// Returns the voxels of a brick that starts `corner` voxels after the start of `dims`: those inside.
    /// `None` if there are none.
    #[inline]
    pub fn at(size: BrickSize, corner: (usize, usize, usize), dims: Dims) -> Option<Self> {
        Some(Self { size, inside: dims.clip(corner, size.dims())? })
    }

    /// Returns the voxels inside, along each axis.
    pub const fn inside(self) -> Dims {
        self.inside
    }

    /// Returns the number of voxels inside.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.inside.x * self.inside.y * self.inside.z
    }

    /// True if all voxels are inside.
    #[inline(always)]
    pub const fn is_whole(self) -> bool {
        self.count() == self.size.voxel_count()
    }

    /// Gives each of a brick's values outside that of the nearest voxel inside.
    pub fn repeat_edge(self, values: &mut [u32]) {
        let (dims, inside) = (self.size.dims(), self.inside);
        for i in 0..values.len() {
            let (x, y, z) = dims.position(i);
            values[i] = values[dims.index(x.min(inside.x - 1), y.min(inside.y - 1), z.min(inside.z - 1))];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::order::order, *};

    #[test]
    fn places_are_those_inside_by_their_neighbours() {
        let dims = Dims::new(7, 6, 9);
        let part = BrickBox::at(BrickSize::Four, (4, 4, 8), dims).expect("voxels");
        assert_eq!((part.inside(), part.count(), part.is_whole()), (Dims::new(3, 2, 1), 6, false));
        assert_eq!(part.places(false)[..7], [0, 1, 4, 5, 2, 6, 0]);
        assert_eq!(part.places(true)[..7], [0, 1, 4, 2, 5, 6, 0]);
        assert!(BrickBox::at(BrickSize::Four, (8, 4, 8), dims).is_none());
        let whole = BrickBox::at(BrickSize::Four, (0, 0, 4), dims).expect("voxels");
        assert!(whole.is_whole());
        assert_eq!(whole.places(true)[..64], *order(BrickSize::Four, true));
        let flat = BrickBox::at(BrickSize::Flat, (0, 0, 3), Dims::new(3, 40, 5)).expect("voxels");
        assert_eq!(flat.inside(), Dims::new(3, 16, 1));
        assert_eq!(flat.places(true)[..6], [0, 1, 16, 2, 32, 48]);
        assert_eq!(flat.places(true)[17..19], [240, 17]);
    }
}
