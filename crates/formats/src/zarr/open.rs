//! Opening of a mip level of a Zarr folder.

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
    let (first, mut smaller) = open_zarr_levels(path, options, task)?;
    let (index, count) = (options.mip_level, 1 + smaller.len());
    match index {
        0 => Ok(first),
        _ if index < count => Ok(smaller.swap_remove(index - 1)),
        _ => Err(ShapeError::Selected { what: "level", index, count }.into()),
    }
}

/// True if the options and the path indicate a Zarr folder.
pub fn is_zarr(path: &Path, options: &VolumeOpenOptions) -> bool {
    let is_described = options.raw != RawLayout::default();
    !is_described && options.format.or_else(|| VolumeFormat::of_path(path)) == Some(VolumeFormat::Zarr)
}
