//! All voxels of a volume in memory.

use super::{BRICKS_AT_A_TIME, SIDE};
use brickwork_volume::{Dims, Stage, Task, VolumeReadError, Voxel, guthe2016::Compressed};

/// Decodes all voxels. Works on the calling thread. Reports bricks.
///
/// # Errors
/// [`VolumeReadError::Format`] if the bytes break the format's rules, which those of [`Compressed::encode`]
/// never do; [`VolumeReadError::Cancelled`].
pub fn decode<T: Voxel>(volume: &Compressed, task: &Task<'_>) -> Result<Vec<T>, VolumeReadError> {
    let dims = volume.dims();
    dims.byte_count(size_of::<T>())?;
    let mut voxels = vec![T::zeroed(); dims.voxel_count()?];
    let bricks = dims.covered_by(Dims::cube(SIDE));
    let count = bricks.x * bricks.y * bricks.z;
    for i in 0..count {
        if i.is_multiple_of(BRICKS_AT_A_TIME) {
            task.check()?;
            task.report(Stage::Decoding, i as u64, count as u64);
        }
        let (x, y, z) = bricks.position(i);
        let brick = volume.brick::<T>(x, y, z)?;
        let (x, y, z) = (SIDE * x, SIDE * y, SIDE * z);
        for (dy, dz) in (0..16).map(|row| (row % 4, row / 4)) {
            if y + dy >= dims.y || z + dz >= dims.z {
                continue;
            }
            let start = dims.index(x, y + dy, z + dz);
            let count = SIDE.min(dims.x - x);
            let row = SIDE * (dy + SIDE * dz);
            voxels[start..start + count].copy_from_slice(&brick[row..row + count]);
        }
    }
    Ok(voxels)
}
