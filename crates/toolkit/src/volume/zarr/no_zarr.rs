//! Functions of a toolkit without the feature `zarr`.

use super::{WrittenZarr, ZarrCheck, ZarrOptions};
use brickwork_base::Task;
use brickwork_volume::{
    OpenError, OpenedVolume, VolumeFormat, VolumeOpenOptions, VolumeWriteError,
    formats::{FormatError, UnsupportedFeature},
};
use std::path::Path;

fn unsupported() -> OpenError {
    FormatError::from(UnsupportedFeature::Build { format: VolumeFormat::Zarr, feature: "zarr" }).into()
}

pub fn open_levels(
    path: &Path,
    _: &VolumeOpenOptions,
    _: &Task<'_>,
) -> Result<(OpenedVolume, Vec<OpenedVolume>), OpenError> {
    std::fs::metadata(path)?;
    Err(unsupported())
}

/// Returns an error: the feature `zarr` is disabled.
///
/// # Errors
/// [`OpenError`], always.
pub fn verify_zarr(path: &Path, _: &Task<'_>) -> Result<ZarrCheck, OpenError> {
    std::fs::metadata(path)?;
    Err(unsupported())
}

/// Returns an error: the feature `zarr` is disabled.
///
/// # Errors
/// [`VolumeWriteError::NotWritten`], always.
pub fn write_zarr(
    _: OpenedVolume,
    _: &Path,
    _: &ZarrOptions,
    _: &Task<'_>,
) -> Result<WrittenZarr, VolumeWriteError> {
    Err(VolumeWriteError::NotWritten(VolumeFormat::Zarr.name()))
}
