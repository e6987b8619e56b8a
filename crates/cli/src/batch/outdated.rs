//! Jobs of incremental runs whose output is not up to date.

use super::{BatchError, BatchFault, digest::Digest, file_state::FileState};
use brickwork_base::whole_file::Existing;
use std::path::PathBuf;

/// Place of a job in the manifest.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub path: PathBuf,
    pub output: String,
    pub root: String,
    pub names: Vec<InputName>,
    pub recipe: Digest,
}

/// Folder and name of an input, as in its [entry](super::manifest::InputEntry).
pub(super) type InputName = (Option<String>, String);

/// A job whose output is to be copied or made.
#[derive(Debug)]
pub(super) struct Outdated {
    pub place: Place,
    pub key: Digest,
    /// Contents of the inputs.
    pub inputs: Vec<Digest>,
    /// True if the manifest has the output, and another program changed it.
    pub is_edited: bool,
    pub states: Vec<FileState>,
    /// Time before the inputs were read.
    pub time: i64,
    pub existing: Existing,
}

impl Outdated {
    /// Returns an error of the output, with the reason that the manifest knows.
    pub fn error_of_output(&self, error: BatchError) -> BatchError {
        if self.is_edited && matches!(error.fault(), BatchFault::Exists) {
            BatchError::new(error.file().unwrap_or_default(), BatchFault::Edited)
        } else {
            error
        }
    }
}
