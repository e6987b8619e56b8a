//! Files that exist whole or not at all.

use crate::work::Work;
use brickwork_base::{
    Task,
    whole_file::{Existing, Target},
};
use pyo3::{exceptions::PyFileExistsError, prelude::*};
use std::{
    io::{self, BufWriter, Write},
    num::NonZero,
    path::Path,
};

/// Writes a file of `byte_count` bytes by `write`. Ctrl-C stops it.
///
/// # Errors
/// `FileExistsError` if the file exists and `overwrite` is false; the failure of `write` or of the system, by
/// `exception`.
pub fn save<E: From<io::Error> + Send>(
    py: Python<'_>,
    path: &Path,
    overwrite: bool,
    byte_count: u64,
    write: impl FnOnce(&mut dyn Write, &Task<'_>) -> Result<(), E> + Send,
    exception: impl FnOnce(E) -> PyErr,
) -> PyResult<()> {
    // Returns false if the file exists.
    let save = |task: &Task<'_>| -> Result<bool, E> {
        if !overwrite && path.try_exists()? {
            return Ok(false);
        }
        let mut file = Target::of(path)?.create()?;
        let mut writer = BufWriter::with_capacity(1 << 20, &mut file);
        write(&mut writer, task)?;
        writer.flush()?;
        drop(writer);
        match file.commit(if overwrite { Existing::Replace } else { Existing::Keep }) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            committed => Ok(committed.map(|()| true)?),
        }
    };
    let work = Work { threads: NonZero::new(1), progress: None, byte_count };
    match work.run(py, save)?.map_err(exception)? {
        true => Ok(()),
        false => {
            let text = format!("{} exists; overwrite=True replaces it", path.display());
            Err(PyFileExistsError::new_err(text))
        }
    }
}
