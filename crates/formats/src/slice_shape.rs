//! Size and type of a slice.

use brickwork_volume::VoxelType;
use std::fmt;

/// Size and type of a slice. It is displayed as `512x512 u16`, or `512x512 u8 of 3 channels`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SliceShape {
    /// Voxels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Type of each number.
    pub voxel_type: VoxelType,
    /// Numbers per voxel, side by side.
    pub channels: usize,
}

impl fmt::Display for SliceShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{} {}", self.width, self.height, self.voxel_type)?;
        if self.channels > 1 { write!(f, " of {} channels", self.channels) } else { Ok(()) }
    }
}
