//! Opening of volumes of any format, Zarr included.

use super::open_levels;
use brickwork_base::Task;
use brickwork_volume::{
    OpenError, OpenedVolume, RawLayout, ShapeError, VolumeFormat, VolumeOpenOptions, open,
};
use std::path::Path;

/// Opens the volume at `path` as [`brickwork_volume::open`] does, and Zarr arrays and OME-Zarr groups with
/// the feature `zarr`.
///
/// # Errors
/// [`OpenError`]. Without the feature, Zarr is not supported.
pub fn open_volume(
    path: impl AsRef<Path>,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    let path = path.as_ref();
    if !is_zarr(path, options) {
        return open(path, options, task);
    }
    let (first, mut smaller) = open_levels(path, options, task)?;
    let (index, count) = (options.mip_level(), 1 + smaller.len());
    match index {
        0 => Ok(first),
        _ if index < count => Ok(smaller.swap_remove(index - 1)),
        _ => Err(ShapeError::Selected { what: "level", index, count }.into()),
    }
}

/// True if the options and the path indicate a Zarr folder.
pub fn is_zarr(path: &Path, options: &VolumeOpenOptions) -> bool {
    let is_described = *options.raw() != RawLayout::default();
    !is_described && options.format().or_else(|| VolumeFormat::of_path(path)) == Some(VolumeFormat::Zarr)
}
