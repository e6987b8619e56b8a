//! Functions of a build without the feature `zarr`.

use super::{WrittenZarr, ZarrCheck, ZarrOptions};
use crate::{
    FormatError, OpenError, OpenedVolume, UnsupportedFeature, VolumeFormat, VolumeOpenOptions, WriteError,
};
use brickwork_base::Task;
use std::{io::Write, path::Path};

fn unsupported() -> OpenError {
    FormatError::from(UnsupportedFeature::Build { format: VolumeFormat::Zarr, feature: "zarr" }).into()
}

/// Returns an error: the feature `zarr` is disabled.
///
/// # Errors
/// [`OpenError`], always.
pub fn open_zarr_levels(
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
/// [`WriteError::NotWritten`], always.
pub fn write_zarr(
    _: OpenedVolume,
    _: &Path,
    _: &ZarrOptions,
    _: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    Err(WriteError::NotWritten(VolumeFormat::Zarr.name()))
}

/// Returns an error: the feature `zarr` is disabled.
///
/// # Errors
/// [`WriteError::NotWritten`], always.
pub fn write_zarr_archive(
    _: OpenedVolume,
    _: impl Write,
    _: &Path,
    _: &ZarrOptions,
    _: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    Err(WriteError::NotWritten(VolumeFormat::Zarr.name()))
}
