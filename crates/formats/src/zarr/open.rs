//! Opening of a mip level of a Zarr folder or archive.

use super::open_zarr_levels;
use crate::{OpenError, OpenedVolume, RawLayout, VolumeFormat, VolumeOpenOptions};
use brickwork_base::Task;
use brickwork_volume::ShapeError;
use std::path::Path;

/// Opens the mip level of the options.
pub fn open_level(
    path: &Path,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    level_of(open_zarr_levels(path, options, task)?, options)
}

/// Opens the mip level of the options in an archive that came from a pipe.
#[cfg(feature = "zarr")]
pub fn open_level_of_bytes(
    bytes: impl brickwork_volume::ReadAt + 'static,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    level_of(super::open_levels_of_bytes(bytes, options, task)?, options)
}

fn level_of(
    (first, mut smaller): (OpenedVolume, Vec<OpenedVolume>),
    options: &VolumeOpenOptions,
) -> Result<OpenedVolume, OpenError> {
    let (index, count) = (options.mip_level, 1 + smaller.len());
    match index {
        0 => Ok(first),
        _ if index < count => Ok(smaller.swap_remove(index - 1)),
        _ => Err(ShapeError::Selected { what: "level", index, count }.into()),
    }
}

/// True if the options, the path or the file indicate a Zarr folder or archive.
pub fn is_zarr(path: &Path, options: &VolumeOpenOptions) -> bool {
    let is_described = options.raw != RawLayout::default();
    let format = || options.format.or_else(|| VolumeFormat::detect(path).ok());
    !is_described && format() == Some(VolumeFormat::Zarr)
}
