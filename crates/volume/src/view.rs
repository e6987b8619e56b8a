//! Borrowed voxels.

use crate::{Dims, ShapeError, Voxel};

/// Voxels of a volume in memory: x runs fastest, then y, then z, without gaps.
#[derive(Clone, Copy, Debug)]
pub struct VolumeView<'a, T> {
    voxels: &'a [T],
    dims: Dims,
}

impl<'a, T: Voxel> VolumeView<'a, T> {
    /// A view of `voxels`.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero or `voxels` has another length than `dims` says.
    pub fn new(voxels: &'a [T], dims: Dims) -> Result<Self, ShapeError> {
        let expected = dims.voxel_count()?;
        if voxels.len() != expected {
            return Err(ShapeError::Length { dims, expected, actual: voxels.len() });
        }
        Ok(Self { voxels, dims })
    }

    /// The voxels, x fastest.
    pub const fn voxels(&self) -> &'a [T] {
        self.voxels
    }

    /// The shape.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Copies the ordinals of the cube of `side` voxels whose first corner is `(x, y, z)`, x fastest. What lies past the
    /// edge of the volume repeats the edge.
    ///
    /// # Panics
    /// If the corner lies outside, or `ordinals` is shorter than `side`³.
    pub fn cube(&self, side: usize, (x, y, z): (usize, usize, usize), ordinals: &mut [u32]) {
        let dims = self.dims;
        assert!(x < dims.x && y < dims.y && z < dims.z && ordinals.len() >= side * side * side);
        let mut rows = ordinals.chunks_exact_mut(side);
        for dz in 0..side {
            for dy in 0..side {
                let start = dims.index(x, (y + dy).min(dims.y - 1), (z + dz).min(dims.z - 1));
                let row = &self.voxels[start..start + side.min(dims.x - x)];
                let last = row[row.len() - 1];
                let filled = rows.next().into_iter().flatten();
                for (ordinal, voxel) in filled.zip(row.iter().copied().chain(std::iter::repeat(last))) {
                    *ordinal = voxel.to_ordinal();
                }
            }
        }
    }
}
