//! Borrowed voxels.

use crate::{Dims, ShapeError, Voxel};

/// Voxels of a volume in memory: channels run fastest, then x, then y, then z, without gaps.
#[derive(Clone, Copy, Debug)]
pub struct VolumeView<'a, T> {
    voxels: &'a [T],
    dims: Dims,
    channels: usize,
}

impl<'a, T: Voxel> VolumeView<'a, T> {
    /// A view of `voxels` of one channel.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero or `voxels` has another length than `dims` says.
    pub fn new(voxels: &'a [T], dims: Dims) -> Result<Self, ShapeError> {
        Self::interleaved(voxels, dims, 1)
    }

    /// A view of voxels that each are `channels` numbers in a row.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`ShapeError::Channels`] if they are none or more than
    /// [`MAX_CHANNELS`](crate::MAX_CHANNELS).
    pub fn interleaved(voxels: &'a [T], dims: Dims, channels: usize) -> Result<Self, ShapeError> {
        let expected = dims.number_count(channels)?;
        if voxels.len() != expected {
            return Err(ShapeError::Length { dims, expected, actual: voxels.len() });
        }
        Ok(Self { voxels, dims, channels })
    }

    /// The voxels, channels and then x fastest.
    pub const fn voxels(&self) -> &'a [T] {
        self.voxels
    }

    /// The shape.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Numbers a voxel.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// What is coded on its own: each plane of each channel.
    pub(crate) const fn component_count(&self) -> usize {
        self.channels * T::TYPE.plane_count()
    }

    /// Copies the ordinals' plane `component` of the cube of `side` voxels whose first corner is `(x, y, z)`, x fastest. What
    /// lies past the edge of the volume repeats the edge.
    ///
    /// # Panics
    /// If the corner lies outside, or `ordinals` is shorter than `side`³.
    pub(crate) fn cube(
        &self,
        component: usize,
        side: usize,
        (x, y, z): (usize, usize, usize),
        ordinals: &mut [u32],
    ) {
        let dims = self.dims;
        assert!(x < dims.x && y < dims.y && z < dims.z && ordinals.len() >= side * side * side);
        let (channel, plane) = (component / T::TYPE.plane_count(), component % T::TYPE.plane_count());
        let mut rows = ordinals.chunks_exact_mut(side);
        for dz in 0..side {
            for dy in 0..side {
                let start = dims.index(x, (y + dy).min(dims.y - 1), (z + dz).min(dims.z - 1));
                let row = &self.voxels[start * self.channels..][..side.min(dims.x - x) * self.channels];
                let last = row[row.len() - self.channels + channel];
                let filled = rows.next().into_iter().flatten();
                if self.channels == 1 {
                    let voxels = row.iter().copied().chain(std::iter::repeat(last));
                    for (ordinal, voxel) in filled.zip(voxels) {
                        *ordinal = voxel.plane(plane);
                    }
                } else {
                    let voxels = row.iter().skip(channel).step_by(self.channels).copied();
                    for (ordinal, voxel) in filled.zip(voxels.chain(std::iter::repeat(last))) {
                        *ordinal = voxel.plane(plane);
                    }
                }
            }
        }
    }
}
