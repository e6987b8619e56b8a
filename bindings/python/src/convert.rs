//! Volumes of `.bwv` files in the formats of other programs.

use crate::{errors, save::save, work::Work};
use brickwork_base::Task;
use brickwork_formats::{
    OpenedVolume, VolumeFormat, VolumeWriteOptions, WriteError, lost_fields, write_volume,
};
use brickwork_toolkit::volume::LostRescaling;
use brickwork_volume::{Region, Selection, VolumeFile, VolumeReadError, VolumeWriteError};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{io::Write, num::NonZero, path::PathBuf};

/// True if a file of this name is a `.bwv` file: by its extension, or because it has none.
///
/// # Errors
/// `ValueError` if the name is that of a format that is not written.
#[pyfunction]
pub fn is_bwv_name(path: PathBuf) -> PyResult<bool> {
    match VolumeFormat::to_write(&path) {
        Some(VolumeFormat::Bwv) => Ok(true),
        Some(_) => Ok(path.extension().is_none()),
        None => {
            let written = VolumeFormat::written_extensions();
            let text = format!("{}: no format of this name is written; use {written}", path.display());
            Err(PyValueError::new_err(text))
        }
    }
}

/// Writes a mip level of the `.bwv` file at `source` to `path`, in the format of its name, whole or not at
/// all. Returns notes on what that format does not hold.
#[pyfunction]
pub fn convert(
    py: Python<'_>,
    source: PathBuf,
    path: PathBuf,
    mip_level: usize,
    overwrite: bool,
) -> PyResult<Vec<String>> {
    let format = VolumeFormat::to_write(&path).unwrap_or(VolumeFormat::Raw);
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
    let write = |writer: &mut dyn Write, task: &Task<'_>| -> Result<(), WriteError> {
        write_volume(volume, format, &VolumeWriteOptions::default(), writer, task).map(drop)
    };
    save(py, &path, overwrite, byte_count, write, |error| match error {
        WriteError::Volume(VolumeWriteError::Io(error)) => errors::of_io(error, Some(&path)),
        WriteError::Volume(error) => errors::of_write(error),
        error => errors::of_kind(error.kind(), error.to_string()),
    })?;
    Ok(notes)
}
