//! A whole batch, of which a run may do only a part.

use super::{BatchError, Input, InputGroup, Job, Output};
use std::{
    collections::{HashMap, HashSet},
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
    /// For each input, the outputs made from it.
    made_from: HashMap<PathBuf, Vec<PathBuf>>,
    /// Outputs that a dry run would write.
    assumed: HashSet<PathBuf>,
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
        for job in jobs.iter().flatten() {
            let Output::File(output) = &job.output else { continue };
            for input in job.inputs.iter().filter_map(Input::path) {
                self.made_from.entry(input.to_owned()).or_default().push(output.clone());
            }
        }
        let outputs = outputs_of(jobs);
        self.outputs.extend(outputs);
    }

    /// Counts the outputs of jobs as written. For a dry run, whose jobs write nothing.
    pub fn assume_written(&mut self, jobs: &[Result<Job, BatchError>]) {
        self.assumed.extend(outputs_of(jobs));
    }

    /// True if all inputs were found. If a folder could not be searched, its inputs may only seem to be gone.
    pub const fn is_complete(&self) -> bool {
        !self.has_errors
    }

    /// Returns the outputs that the batch makes from an input, without those that a dry run would write.
    pub(super) fn expected_from(&self, input: &Path) -> impl Iterator<Item = &PathBuf> {
        let outputs = self.made_from.get(input).into_iter().flatten();
        outputs.filter(move |output| !self.assumed.contains(*output))
    }
}

fn outputs_of(jobs: &[Result<Job, BatchError>]) -> impl Iterator<Item = PathBuf> {
    jobs.iter().flatten().filter_map(|job| match &job.output {
        Output::File(path) => Some(path.clone()),
        Output::Stdout => None,
    })
}
