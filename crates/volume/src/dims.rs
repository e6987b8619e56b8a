//! Shapes: numbers of voxels, distances between them, regions, and their errors.

use std::{fmt, ops::Range};

/// Maximum number of channels of a volume.
pub const MAX_CHANNELS: usize = 255;

/// Maximum number of channels of a chunk of a Zarr array.
pub(crate) const MAX_CHUNK_CHANNELS: usize = 4;

/// Voxels along x, y and z. x runs fastest in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a side along each axis")]
pub struct Dims {
    /// Voxels along x.
    pub x: usize,
    /// Voxels along y.
    pub y: usize,
    /// Voxels along z.
    pub z: usize,
}

impl Dims {
    /// Returns the dims of `x`×`y`×`z` voxels.
    pub const fn new(x: usize, y: usize, z: usize) -> Self {
        Self { x, y, z }
    }

    /// Returns the dims of `side` voxels along each axis.
    pub const fn cube(side: usize) -> Self {
        Self::new(side, side, side)
    }

    /// Returns the number of voxels.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero, or if the count does not fit `usize`.
    pub fn voxel_count(self) -> Result<usize, ShapeError> {
        if self.x == 0 || self.y == 0 || self.z == 0 {
            return Err(ShapeError::Empty(self));
        }
        let count = self.x.checked_mul(self.y).and_then(|c| c.checked_mul(self.z));
        count.ok_or(ShapeError::TooLarge(self))
    }

    /// Returns the number of numbers in these voxels with `channels` each.
    ///
    /// # Errors
    /// The errors of [`voxel_count`](Self::voxel_count), and [`ShapeError::Channels`] unless there are 1 to
    /// [`MAX_CHANNELS`](crate::MAX_CHANNELS).
    pub fn number_count(self, channels: usize) -> Result<usize, ShapeError> {
        if channels == 0 || channels > MAX_CHANNELS {
            return Err(ShapeError::Channels(channels));
        }
        self.voxel_count()?.checked_mul(channels).ok_or(ShapeError::TooLarge(self))
    }

    /// Returns the size of these voxels in bytes at `voxel_bytes` each.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero, or if the bytes cannot be addressed.
    pub fn byte_count(self, voxel_bytes: usize) -> Result<usize, ShapeError> {
        let bytes = self.voxel_count()?.checked_mul(voxel_bytes);
        bytes.filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or(ShapeError::TooLarge(self))
    }

    /// Returns the number of boxes of `part` that cover these dims, along each axis. A side of zero counts as
    /// one voxel.
    pub const fn covered_by(self, part: Self) -> Self {
        const fn count(side: usize, part: usize) -> usize {
            side.div_ceil(if part == 0 { 1 } else { part })
        }
        Self::new(count(self.x, part.x), count(self.y, part.y), count(self.z, part.z))
    }

    /// Returns the part of the box of `part` at `corner` within these dims: a box at the same corner. `None`
    /// if it is empty.
    #[inline]
    pub(crate) const fn clip(self, corner: (usize, usize, usize), part: Self) -> Option<Self> {
        if !self.contains(corner) {
            return None;
        }
        let (x, y, z) = (self.x - corner.0, self.y - corner.1, self.z - corner.2);
        Some(Self::new(
            if part.x < x { part.x } else { x },
            if part.y < y { part.y } else { y },
            if part.z < z { part.z } else { z },
        ))
    }

    /// Returns `count` times as many voxels along each axis.
    pub(crate) const fn times(self, count: usize) -> Self {
        Self::new(self.x * count, self.y * count, self.z * count)
    }

    /// Returns half of the voxels along each axis, rounded up: the dims of the next mip level.
    pub const fn halved(self) -> Self {
        self.covered_by(Self::cube(2))
    }

    /// Returns the index of (x, y, z) in memory, in voxels. This is not checked: outside of the dims it has
    /// no meaning.
    #[inline]
    pub const fn index(self, x: usize, y: usize, z: usize) -> usize {
        x.wrapping_add(self.x.wrapping_mul(y.wrapping_add(self.y.wrapping_mul(z))))
    }

    /// Returns the position (x, y, z) of an index, the inverse of [`index`](Self::index). Indices past the
    /// last continue along z. A side of zero counts as one voxel.
    #[inline]
    pub const fn position(self, index: usize) -> (usize, usize, usize) {
        let (x, y) = (if self.x == 0 { 1 } else { self.x }, if self.y == 0 { 1 } else { self.y });
        (index % x, index / x % y, index / x / y)
    }

    /// True if the voxel at (x, y, z) is within these dims.
    #[inline]
    pub const fn contains(self, (x, y, z): (usize, usize, usize)) -> bool {
        x < self.x && y < self.y && z < self.z
    }
}

impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}×{}", self.x, self.y, self.z)
    }
}

/// Distance between voxels along x, y and z, in millimetres unless the source has an unknown unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a distance along each axis")]
pub struct Spacing {
    /// Along x.
    pub x: f64,
    /// Along y.
    pub y: f64,
    /// Along z.
    pub z: f64,
}

impl Default for Spacing {
    /// Returns a distance of 1 along each axis.
    fn default() -> Self {
        Self { x: 1.0, y: 1.0, z: 1.0 }
    }
}

/// A box of voxels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a range along each axis")]
pub struct Region {
    /// Along x.
    pub x: Range<usize>,
    /// Along y.
    pub y: Range<usize>,
    /// Along z.
    pub z: Range<usize>,
}

impl Region {
    /// Returns the region of all voxels of `dims`.
    pub const fn all(dims: Dims) -> Self {
        Self { x: 0..dims.x, y: 0..dims.y, z: 0..dims.z }
    }

    /// Returns the region's dims. A reversed range counts as empty.
    pub const fn dims(&self) -> Dims {
        Dims::new(
            self.x.end.saturating_sub(self.x.start),
            self.y.end.saturating_sub(self.y.start),
            self.z.end.saturating_sub(self.z.start),
        )
    }

    /// Checks that the region is not empty and is within `dims`.
    ///
    /// # Errors
    /// [`ShapeError::Outside`].
    pub fn check(&self, dims: Dims) -> Result<(), ShapeError> {
        let fits = |range: &Range<usize>, side| range.start < range.end && range.end <= side;
        if fits(&self.x, dims.x) && fits(&self.y, dims.y) && fits(&self.z, dims.z) {
            return Ok(());
        }
        Err(ShapeError::Outside { region: self.clone(), dims })
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y, z } = self;
        write!(f, "{}..{},{}..{},{}..{}", x.start, x.end, y.start, y.end, z.start, z.end)
    }
}

/// A shape that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A side of zero voxels.
    #[error("{0} has a side of zero voxels")]
    Empty(Dims),
    /// More voxels or bytes than this machine can address.
    #[error("{0} is more than this machine can address")]
    TooLarge(Dims),
    /// Slice of voxels whose length does not match the dims.
    #[error("{dims} has {expected} voxels, not {actual}")]
    Length {
        /// The volume's dims.
        dims: Dims,
        /// Number of voxels by the dims.
        expected: usize,
        /// Voxels given.
        actual: usize,
    },
    /// Voxels of one frame whose channels are not those of the header.
    #[error("channels × frames are {channels}×{frames} in the header, {actual}×1 in the voxels")]
    Parts {
        /// Channels in the header.
        channels: usize,
        /// Frames in the header.
        frames: usize,
        /// Channels given.
        actual: usize,
    },
    /// Unsupported number of channels.
    #[error("{0} channels: 1 to {MAX_CHANNELS} are supported")]
    Channels(usize),
    /// Unsupported number of channels in a chunk of a Zarr array.
    #[error("a chunk of {0} channels: 1 to {MAX_CHUNK_CHANNELS} are supported")]
    ChunkChannels(usize),
    /// Unsupported number of frames: none, or more than the format can store.
    #[error("{0} frames: 1 to 4294967296 are supported")]
    Frames(usize),
    /// Unsupported number of mip levels: none, or more than halve the volume down to one voxel.
    #[error("{levels} levels: {dims} has 1 to {most}")]
    MipLevels {
        /// The requested mip levels.
        levels: usize,
        /// The volume's dims.
        dims: Dims,
        /// Mip levels there may be.
        most: usize,
    },
    /// Shards that do not consist of whole chunks.
    #[error("shards of {shard} do not consist of whole chunks of {chunk}")]
    Shards {
        /// Dims of a shard.
        shard: Dims,
        /// Dims of a chunk.
        chunk: Dims,
    },
    /// Chunks or shards of a Zarr array that readers refuse.
    #[error("{what} of {dims} contain {count} {unit}, more than {most}")]
    ZarrSize {
        /// `chunks` or `shards`.
        what: &'static str,
        /// Dims of a chunk or a shard.
        dims: Dims,
        /// Number of units in it.
        count: u64,
        /// `bytes` or `chunks`.
        unit: &'static str,
        /// Maximum number of units.
        most: u64,
    },
    /// The paper's scheme has bricks of 4³ voxels.
    #[error("the profile guthe2016 only has bricks of 4×4×4 voxels")]
    PaperBrick,
    /// `guthe2016::Compressed` holds one number of up to 32 bits per voxel.
    #[error("the paper's scheme holds one number of up to 32 bits per voxel")]
    PaperVoxels,
    /// Strides that lead out of the slice of voxels.
    #[error("the strides span positions {first} to {last}, but the slice has {actual} numbers")]
    Strides {
        /// The first place, which is negative if it is before the slice; at least `i64::MIN`.
        first: i64,
        /// The last place; at most `i64::MAX`.
        last: i64,
        /// Numbers in the slice.
        actual: usize,
    },
    /// A mip level, frame or channel that the volume does not have.
    #[error("{what} {index}: the volume has {}", indices(what, *count))]
    Selected {
        /// `level`, `frame` or `channel`.
        what: &'static str,
        /// The requested index.
        index: usize,
        /// Number of items.
        count: usize,
    },
    /// A brick that the volume does not have.
    #[error("there is no brick ({}, {}, {}): the volume has {bricks} bricks", place[0], place[1], place[2])]
    NoSuchBrick {
        /// The requested column, row and layer.
        place: [usize; 3],
        /// Bricks along each axis.
        bricks: Dims,
    },
    /// More labels than numbers of 32 bits.
    #[error("{0} labels: renderings show at most 4294967295")]
    Labels(usize),
    /// A region that is empty or extends beyond the volume.
    #[error("the region {region} is empty or extends beyond {dims}")]
    Outside {
        /// The requested region.
        region: Region,
        /// The volume's dims.
        dims: Dims,
    },
}

fn indices(what: &str, count: usize) -> String {
    if count == 1 { format!("only {what} 0") } else { format!("{what}s 0 to {}", count - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_indices_undo_each_other() {
        let dims = Dims::new(3, 5, 2);
        assert_eq!(dims.position(3 * 5 + 2 * 3 + 1), (1, 2, 1));
        for i in 0..30 {
            let (x, y, z) = dims.position(i);
            assert!(dims.contains((x, y, z)));
            assert_eq!(dims.index(x, y, z), i);
        }
        assert_eq!(dims.clip((1, 4, 0), Dims::cube(2)), Some(Dims::new(2, 1, 2)));
        assert_eq!(dims.clip((1, 5, 0), Dims::cube(2)), None);
        assert_eq!(dims.position(30), (0, 0, 2));
        // Sides of zero have no panic.
        assert_eq!(Dims::new(0, 0, 4).position(3), (0, 0, 3));
        assert_eq!(dims.covered_by(Dims::new(0, 2, 0)), Dims::new(3, 3, 2));
        assert!(!dims.contains((0, 0, 2)) && !dims.contains((3, 0, 0)) && !dims.contains((0, 5, 0)));
    }
}
