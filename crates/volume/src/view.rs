//! Borrowed voxels.

use crate::{Dims, ShapeError, Voxel, untyped::UntypedView};

/// Voxels of a volume in memory: channels run fastest, then x, then y, then z, without gaps.
#[derive(Clone, Copy, Debug)]
pub struct VolumeView<'a, T> {
    voxels: &'a [T],
    dims: Dims,
    channels: usize,
}

impl<'a, T: Voxel> VolumeView<'a, T> {
    /// Returns a view of `voxels` of one channel.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero or the length of `voxels` does not match `dims`.
    pub fn new(voxels: &'a [T], dims: Dims) -> Result<Self, ShapeError> {
        Self::interleaved(voxels, dims, 1)
    }

    /// Returns a view of voxels with `channels` numbers each, side by side.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new), and [`ShapeError::Channels`] for 0 or more than
    /// [`MAX_CHANNELS`](crate::MAX_CHANNELS) channels.
    pub fn interleaved(voxels: &'a [T], dims: Dims, channels: usize) -> Result<Self, ShapeError> {
        let expected = dims.number_count(channels)?;
        if voxels.len() != expected {
            return Err(ShapeError::Length { dims, expected, actual: voxels.len() });
        }
        Ok(Self { voxels, dims, channels })
    }

    /// Returns the voxels, channels and then x fastest.
    pub const fn voxels(&self) -> &'a [T] {
        self.voxels
    }

    /// Returns the shape.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Returns the number of channels.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the same voxels without their Rust type.
    pub(crate) fn untyped(&self) -> UntypedView<'a> {
        let bytes = bytemuck::cast_slice(self.voxels);
        UntypedView::new(bytes, T::TYPE, self.dims, self.channels).expect("checked when this view was made")
    }
}
