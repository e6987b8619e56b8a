//! Volumes of `.bwv` files in the formats of other programs.

use crate::{errors, save::save, work::Work};
use brickwork_base::{Task, whole_file::folder_of, whole_folder::WholeFolder};
use brickwork_formats::{
    BrickPolicy, HAS_ZARR, OpenedVolume, VolumeFormat, VolumeWriteOptions, WriteError, ZarrForm, ZarrOptions,
    lost_fields, write_volume, write_zarr, write_zarr_archive,
};
use brickwork_toolkit::volume::LostRescaling;
use brickwork_volume::{Region, Selection, VolumeFile, VolumeReadError, VolumeWriteError};
use pyo3::{
    exceptions::{PyFileExistsError, PyValueError},
    prelude::*,
};
use std::{
    io::{ErrorKind, Write},
    num::NonZero,
    path::PathBuf,
};

/// True if a file of this name is a `.bwv` file: by its extension, or because it has none.
///
/// # Errors
/// `ValueError` if the name is that of a format that is not written.
#[pyfunction]
pub fn is_bwv_name(path: PathBuf) -> PyResult<bool> {
    match VolumeFormat::to_write(&path) {
        Some(VolumeFormat::Bwv) => Ok(true),
        Some(_) => Ok(path.extension().is_none()),
        None if is_zarr_name(path.clone()) => Ok(false),
        None => {
            let written = VolumeFormat::written_extensions();
            let text =
                format!("{}: no format of this name is written; use {written}, .zarr, .ozx", path.display());
            Err(PyValueError::new_err(text))
        }
    }
}

/// True if OME-Zarr is written to a folder or archive of this name.
#[pyfunction]
pub fn is_zarr_name(path: PathBuf) -> bool {
    ZarrForm::to_write(&path).is_some()
}

/// Writes a mip level of the `.bwv` file at `source` to `path`, in the format of its name, whole or not at
/// all. OME-Zarr has as many levels as the file if the mip level is 0. Returns notes on what the format
/// does not hold.
#[pyfunction]
pub fn convert(
    py: Python<'_>,
    source: PathBuf,
    path: PathBuf,
    mip_level: usize,
    overwrite: bool,
) -> PyResult<Vec<String>> {
    let form = ZarrForm::to_write(&path);
    if form.is_some() && !HAS_ZARR {
        let advice = "pip install . --config-settings build-args=\"--features zarr\"";
        let text = format!("{}: this build does not write Zarr; use {advice}", path.display());
        return Err(errors::of_kind(brickwork_base::ErrorKind::Unsupported, text));
    }
    let written = VolumeFormat::to_write(&path).unwrap_or(VolumeFormat::Raw);
    let format = if form.is_some() { VolumeFormat::Zarr } else { written };
    let open = |task: &Task<'_>| -> Result<OpenedVolume, VolumeReadError> {
        let file = VolumeFile::open(&source)?;
        let region = Region::all(file.header().mip_level_dims(mip_level));
        let selection = Selection { mip_level, ..Selection::default() };
        Ok(OpenedVolume::from_region(file, selection, region, task)?)
    };
    let work = Work { threads: NonZero::new(1), progress: None, byte_count: 0 };
    let volume = work.run(py, open)?.map_err(errors::of_read)?;
    let lost = LostRescaling::of(&volume.header, format).map(|lost| lost.to_string());
    let notes = lost_fields(&volume.header, format).iter().map(ToString::to_string).chain(lost).collect();
    let byte_count = volume.header.raw_bytes().unwrap_or(u64::MAX);
    let exception = |error| match error {
        WriteError::Volume(VolumeWriteError::Io(error)) => errors::of_io(error, Some(&path)),
        WriteError::Volume(error) => errors::of_write(error),
        error => errors::of_kind(error.kind(), error.to_string()),
    };
    let zarr = ZarrOptions::default().with(|o| o.brick = BrickPolicy::Fixed(volume.header.brick));
    if form == Some(ZarrForm::Folder) {
        WholeFolder::check(&path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let text = format!("{}: {error}; overwrite=True does not replace it", path.display());
                PyFileExistsError::new_err(text)
            }
            _ => errors::of_io(error, Some(&path)),
        })?;
        let write = |task: &Task<'_>| -> Result<(), WriteError> {
            let folder = WholeFolder::create(&path)?;
            write_zarr(volume, folder.path(), &zarr, task)?;
            Ok(folder.commit()?)
        };
        let work = Work { threads: None, progress: None, byte_count };
        work.run(py, write)?.map_err(exception)?;
        return Ok(notes);
    }
    let write = |writer: &mut dyn Write, task: &Task<'_>| -> Result<(), WriteError> {
        if form == Some(ZarrForm::Archive) {
            return write_zarr_archive(volume, writer, folder_of(&path), &zarr, task).map(drop);
        }
        write_volume(volume, format, &VolumeWriteOptions::default(), writer, task).map(drop)
    };
    save(py, &path, overwrite, byte_count, write, exception)?;
    Ok(notes)
}
