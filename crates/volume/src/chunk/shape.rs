//! The shape of a Zarr chunk, which the array's metadata states.

use crate::{BrickSize, Dims, Header, ShapeError, VoxelType, dims::MAX_CHUNK_CHANNELS};
use std::fmt;

/// Type and number of the voxels of a Zarr chunk. A chunk of fewer than three axes has sides of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkShape {
    voxel_type: VoxelType,
    dims: Dims,
    channels: usize,
}

impl ChunkShape {
    /// Returns the shape of voxels of one channel.
    pub const fn new(voxel_type: VoxelType, dims: Dims) -> Self {
        Self { voxel_type, dims, channels: 1 }
    }

    /// Sets the number of channels, 1 to 4. Default: 1.
    #[must_use]
    pub const fn with_channels(self, channels: usize) -> Self {
        Self { channels, ..self }
    }

    /// Returns the type of the voxels.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// Returns the voxels along each axis.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Returns the number of channels.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the number of bytes of a voxel, all channels.
    pub(super) const fn voxel_bytes(&self) -> usize {
        self.channels * self.voxel_type.byte_count()
    }

    /// Returns the header of the `.bwv` file that has the parts of such a chunk with this extent.
    pub(super) fn header(&self, brick: BrickSize, extent: Dims) -> Header {
        Header::new(self.voxel_type, extent).with(|header| {
            header.brick = brick;
            header.channels = self.channels;
        })
    }

    /// Checks that there are voxels, that their bytes can be addressed, and that the channels are supported.
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        if self.channels > MAX_CHUNK_CHANNELS {
            return Err(ShapeError::ChunkChannels(self.channels));
        }
        self.dims.number_count(self.channels)?;
        self.dims.byte_count(self.voxel_bytes()).map(drop)
    }
}

impl fmt::Display for ChunkShape {
    /// Writes the shape as `64×64×64 u16`, or as `64×64×64 u16 with 3 channels`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.dims, self.voxel_type)?;
        if self.channels == 1 { Ok(()) } else { write!(f, " with {} channels", self.channels) }
    }
}
