//! Errors of the entries of a folder or an archive.

use crate::FormatError;
use std::{error::Error, io};

/// Returns the error of an entry with the given key.
pub fn fault(key: &str, reason: impl Into<Box<dyn Error + Send + Sync>>) -> FormatError {
    FormatError::Zarr { key: key.to_owned(), reason: reason.into() }
}

/// Returns an error of the operating system with the key of the file.
pub fn failure(key: &str, error: &io::Error) -> FormatError {
    FormatError::Io(io::Error::new(error.kind(), format!("{key}: {error}")))
}
