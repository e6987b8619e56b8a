//! What raw voxels are.

use super::OpenError;
use crate::{ByteOrder, Dims, Header, VoxelType};

/// What raw voxels do not say themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawLayout {
    /// Voxels along x, y and z. Default: none, which only [`like`](Self::like) can fill in.
    pub dims: Option<Dims>,
    /// The type of their numbers. Default: none, as for the dims.
    pub voxel_type: Option<VoxelType>,
    /// Numbers per voxel, 1 to 4, side by side. Default: none, which stands for 1.
    pub channels: Option<usize>,
    /// Volumes one after the other in time. Default: none, which stands for 1.
    pub frames: Option<usize>,
    /// Which byte of a number comes first. Default: the least significant one.
    pub order: ByteOrder,
    /// Bytes before the voxels, such as a header of another program. Default: 0.
    pub offset: u64,
}

impl RawLayout {
    /// Little-endian voxels of one channel and frame.
    pub fn new(voxel_type: VoxelType, dims: Dims) -> Self {
        Self { dims: Some(dims), voxel_type: Some(voxel_type), ..Self::default() }
    }

    /// Fills in what is not said: as many voxels as `header` has, and of its type.
    #[must_use]
    pub fn like(self, header: &Header) -> Self {
        Self {
            dims: self.dims.or(Some(header.dims)),
            voxel_type: self.voxel_type.or(Some(header.voxel_type)),
            channels: self.channels.or(Some(header.channels)),
            frames: self.frames.or(Some(header.frames)),
            order: self.order,
            offset: self.offset,
        }
    }

    /// The header of such voxels.
    ///
    /// # Errors
    /// [`OpenError::Undescribed`] if dims or type are not said, [`OpenError::Shape`] if they cannot be.
    pub fn header(&self) -> Result<Header, OpenError> {
        let (Some(dims), Some(voxel_type)) = (self.dims, self.voxel_type) else {
            return Err(OpenError::Undescribed);
        };
        let (channels, frames) = (self.channels.unwrap_or(1), self.frames.unwrap_or(1));
        let header = Header { channels, frames, ..Header::new(voxel_type, dims) };
        header.raw_bytes()?;
        Ok(header)
    }
}
