//! A whole batch, of which a run may do only a part.

use super::{BatchError, Input, InputGroup, Job, Output};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// Inputs and outputs of a whole batch, before it is divided into shards or reduced to some targets. They
/// decide which outputs are [stale](super::Incremental::stale_outputs).
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Folders of the inputs, as given.
    pub(super) roots: Vec<PathBuf>,
    /// Inputs that were found in folders, not those that were named.
    pub(super) found: HashSet<PathBuf>,
    pub(super) outputs: HashSet<PathBuf>,
    has_errors: bool,
}

impl Scope {
    /// Returns a batch without inputs and outputs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the inputs that were [found](super::find()) at `path`, a file or a folder. Those for which the
    /// batch has no job are necessary, too: their earlier outputs are stale.
    pub fn add_inputs(&mut self, path: &Path, groups: &[Result<InputGroup, BatchError>]) {
        self.has_errors |= groups.iter().any(Result::is_err);
        if Input::of(path) == Input::Stdin {
            return;
        }
        if path.is_dir() {
            self.roots.push(path.to_owned());
            let inputs = groups.iter().flatten().flat_map(|group| &group.inputs);
            self.found.extend(inputs.filter_map(|input| input.path().map(Path::to_owned)));
        } else if let Some(folder) = path.parent() {
            self.roots.push(folder.to_owned());
        }
    }

    /// Adds the outputs of jobs.
    pub fn add_jobs(&mut self, jobs: &[Result<Job, BatchError>]) {
        self.has_errors |= jobs.iter().any(Result::is_err);
        let outputs = jobs.iter().flatten().filter_map(|job| match &job.output {
            Output::File(path) => Some(path.clone()),
            Output::Stdout => None,
        });
        self.outputs.extend(outputs);
    }

    /// True if all inputs were found. If a folder could not be searched, its inputs may only seem to be gone.
    pub const fn is_complete(&self) -> bool {
        !self.has_errors
    }
}
