//! Reports printed as JSON.

use crate::{
    exit::Exit,
    failure::Failure,
    output,
    report::{FileEntry, FileError},
};
use serde::Serialize;

/// Returns the entry for a file's result.
pub fn entry<T>(result: Result<T, Failure>) -> FileEntry<T> {
    match result {
        Ok(done) => FileEntry::Done(done),
        Err(failure) => FileEntry::Failed { error: error(&failure) },
    }
}

/// Returns the entry's error for a failure.
pub fn error(failure: &Failure) -> FileError {
    FileError { exit_code: failure.exit as u8, message: failure.to_string() }
}

/// Prints `value` as indented JSON.
///
/// # Errors
/// [`Failure`] if the system cannot write it.
pub fn print(value: &impl Serialize, to_stderr: bool) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new(Exit::Runtime, format!("JSON: {error}")))?;
    output::print(&(text + "\n"), to_stderr)
}
