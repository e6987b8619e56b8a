//! Physical values in place of stored numbers.

use crate::OpenedVolume;
use brickwork_volume::{Task, VoxelStreamError, rescale_stream};

/// Returns `volume` with physical values instead of stored numbers, as [`rescale_stream`] does.
///
/// # Errors
/// [`VoxelStreamError`] if the voxels cannot be read.
pub fn rescale(volume: OpenedVolume, task: &Task<'_>) -> Result<OpenedVolume, VoxelStreamError> {
    let OpenedVolume { format, header, order, voxels, files, notes } = volume;
    let (voxels, order, header) = rescale_stream(voxels, order, header, task)?;
    Ok(OpenedVolume { format, header, order, voxels, files, notes })
}
