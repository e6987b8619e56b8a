//! Properties of volumes that a format cannot store.

use brickwork_volume::VoxelType;
use std::fmt;

/// Property of a volume that the format to write cannot store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnwritableFeature {
    /// Number of frames.
    Frames(usize),
    /// Type and number of a voxel's channels.
    Voxels {
        /// Type of the numbers.
        voxel_type: VoxelType,
        /// Numbers per voxel.
        channels: usize,
    },
    /// Side in voxels that is beyond the format's.
    Side(usize),
    /// Channels from a pipe, for a format that stores one channel after the other.
    ChannelsOfPipe,
    /// Compressed voxels from a pipe, for a format that states their size first.
    CompressedOfPipe,
}

impl fmt::Display for UnwritableFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frames(frames) => write!(f, "{frames} frames"),
            Self::Voxels { voxel_type, channels: 1 } => write!(f, "voxels that are {voxel_type}"),
            Self::Voxels { voxel_type, channels } => write!(f, "{channels} channels of {voxel_type}"),
            Self::Side(side) => write!(f, "a side of {side} voxels"),
            Self::ChannelsOfPipe => f.write_str(
                "channels that come from a pipe, because they are stored one volume after the other",
            ),
            Self::CompressedOfPipe => {
                f.write_str("compressed voxels that come from a pipe, because their size precedes them")
            }
        }
    }
}
