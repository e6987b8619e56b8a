//! Description of raw voxels.

use crate::OpenError;
use brickwork_volume::{ByteOrder, Dims, Header, VoxelType};

/// Description of raw voxels, which have no header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawLayout {
    /// Number of voxels along x, y and z. Default: none; only [`like`](Self::like) can fill it in.
    pub dims: Option<Dims>,
    /// Type of the numbers. Default: none, as for the dims.
    pub voxel_type: Option<VoxelType>,
    /// Numbers per voxel, 1 to 4, side by side. Default: none, which means 1.
    pub channels: Option<usize>,
    /// Number of volumes one after the other in time. Default: none, which means 1.
    pub frames: Option<usize>,
    /// Byte order of the numbers. Default: little-endian.
    pub order: ByteOrder,
    /// Number of bytes before the voxels, such as a header of another program. Default: 0.
    pub offset: u64,
}

impl RawLayout {
    /// Describes little-endian voxels of one channel and one frame.
    pub fn new(voxel_type: VoxelType, dims: Dims) -> Self {
        Self { dims: Some(dims), voxel_type: Some(voxel_type), ..Self::default() }
    }

    /// Fills in missing values from `header`: dims, type, channels and frames.
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

    /// Returns the header of such voxels.
    ///
    /// # Errors
    /// [`OpenError::Undescribed`] if dims or type are missing. [`OpenError::Shape`] if they are impossible.
    pub fn header(&self) -> Result<Header, OpenError> {
        let (Some(dims), Some(voxel_type)) = (self.dims, self.voxel_type) else {
            return Err(OpenError::Undescribed);
        };
        let (channels, frames) = (self.channels.unwrap_or(1), self.frames.unwrap_or(1));
        let header = Header::new(voxel_type, dims).with(|header| {
            header.channels = channels;
            header.frames = frames;
        });
        header.raw_bytes()?;
        Ok(header)
    }
}
