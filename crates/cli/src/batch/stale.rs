//! Outputs that the batch no longer makes.

use super::{
    BatchError, Incremental, Scope, digest::digest_of_file, file_state::FileState, manifest::Entry,
    names::path_of, plan::place,
};
use brickwork_base::{Cancelled, Task};
use brickwork_toolkit::report::path_text;
use std::{
    cell::LazyCell,
    collections::{HashMap, HashSet},
    fmt, fs, io,
    path::{Path, PathBuf},
};

/// An output that the batch no longer makes.
#[derive(Clone, Debug)]
pub struct StaleOutput {
    /// Path of an input that is gone, else of the first input.
    pub input: String,
    /// Path of the output.
    pub output: String,
    /// The reason.
    pub reason: StaleReason,
    /// The treatment of the output.
    pub fate: StaleFate,
}

/// Reason why an output is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleReason {
    /// An input is gone.
    InputGone,
    /// The inputs exist, but the options and rules of the batch make other outputs from them, or none.
    NotPlanned,
}

/// Treatment of a stale output.
#[derive(Clone, Debug)]
pub enum StaleFate {
    /// It was kept, because only a list was requested.
    Kept,
    /// It was kept, because this output, which the batch makes from the same input, was not written: its job
    /// failed, or is not part of this run.
    Unreplaced(PathBuf),
    /// It was kept, because it changed since it was written.
    Changed,
    /// It was kept, because the input may only be unreachable. This folder of the input is empty or a broken
    /// link, as if a disk were not mounted.
    Unreachable(PathBuf),
    /// It was removed.
    Removed,
    /// It could not be removed.
    Failed(BatchError),
}

impl fmt::Display for StaleOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            StaleReason::InputGone => write!(f, "{}: stale, because {} is gone", self.output, self.input),
            StaleReason::NotPlanned => {
                write!(f, "{}: stale, because this command does not make it from {}", self.output, self.input)
            }
        }
    }
}

impl Incremental {
    /// Returns the stale outputs of the shard, sorted by output; none if the batch [is
    /// incomplete](Scope::is_complete). The manifest contains a stale output, and the batch does not make it:
    /// - an input is gone from one of the folders of the batch, or
    /// - all inputs were found in these folders, but no job has this output.
    ///
    /// Further inputs that are not below the folder of the first one do not count. Outputs from other folders
    /// are not stale. If `prune`, stale outputs are removed; [`StaleFate`] lists the exceptions.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled. Other errors are those of one output.
    pub fn stale_outputs(
        &self,
        scope: &Scope,
        prune: bool,
        task: &Task<'_>,
    ) -> Result<Vec<StaleOutput>, Cancelled> {
        task.check()?;
        let mut stale = Vec::new();
        if !scope.is_complete() {
            return Ok(stale);
        }
        let roots = scope.roots.iter().filter_map(|folder| Some((self.root_name(folder)?, folder)));
        let roots: HashMap<String, &PathBuf> = roots.collect();
        // Another path may lead to the same file, through links or in another case.
        let places = LazyCell::new(|| scope.outputs.iter().map(|path| place(path)).collect::<HashSet<_>>());
        for entry in self.entries_of_shard() {
            task.check()?;
            let Some(folder) = roots.get(&entry.root) else { continue };
            let Some(output) = path_of(&entry.output).map(|output| self.outputs.join(output)) else {
                continue;
            };
            if scope.outputs.contains(&output) {
                continue;
            }
            // The batch did not search for files of other folders.
            let inputs = entry.inputs.iter().filter(|input| input.folder.is_none());
            let inputs = inputs.map(|input| Some(folder.join(path_of(&input.name)?)));
            let Some(inputs) = inputs.collect::<Option<Vec<_>>>() else { continue };
            let Some(first) = inputs.first() else { continue };
            let absent = inputs.iter().find_map(|input| Some((input, absence(input)?)));
            let (input, reason, unreachable) = match absent {
                Some((input, Absence::Gone)) => (input, StaleReason::InputGone, None),
                Some((input, Absence::Unreachable(at))) => (input, StaleReason::InputGone, Some(at)),
                None if inputs.iter().all(|input| scope.found.contains(input)) => {
                    (first, StaleReason::NotPlanned, None)
                }
                None => continue,
            };
            if is_gone(&output) {
                if prune && unreachable.is_none() {
                    // Only the entry is left. If it cannot be removed now, the next run does it.
                    let _ = self.record_removed(entry);
                }
                continue;
            }
            if places.contains(&place(&output)) {
                continue;
            }
            let input = path_text(input);
            let fate = if let Some(folder) = unreachable {
                StaleFate::Unreachable(folder)
            } else if let Some(awaited) = self.awaited(scope, &inputs) {
                StaleFate::Unreplaced(awaited)
            } else {
                match self.treat(entry, &output, prune, task) {
                    Ok(fate) => fate,
                    Err(error) if prune => StaleFate::Failed(error),
                    Err(_) => StaleFate::Kept,
                }
            };
            let output = path_text(&output);
            stale.push(StaleOutput { input, output, reason, fate });
        }
        Ok(stale)
    }

    /// Returns an output that the batch makes from one of `inputs`, but that was not written.
    fn awaited(&self, scope: &Scope, inputs: &[PathBuf]) -> Option<PathBuf> {
        let mut expected = inputs.iter().flat_map(|input| scope.expected_from(input));
        let is_missing = |output: &&PathBuf| is_gone(output) || !self.has_entry(output);
        expected.find(is_missing).cloned()
    }

    /// Returns the fate of a stale output. If `prune`, it is removed, unless it changed.
    fn treat(
        &self,
        entry: Entry,
        output: &Path,
        prune: bool,
        task: &Task<'_>,
    ) -> Result<StaleFate, BatchError> {
        let name = path_text(output);
        let io = |error| BatchError::io(&name, error);
        let is_file = fs::metadata(output).map_err(io)?.is_file();
        // The state is sufficient for a list. Before a removal, the contents decide.
        let is_same = !prune && FileState::of(output).map_err(io)? == entry.state;
        if !is_file || !is_same && digest_of_file(&name, output, task)? != entry.digest {
            return Ok(StaleFate::Changed);
        }
        if !prune {
            return Ok(StaleFate::Kept);
        }
        fs::remove_file(output).map_err(io)?;
        self.record_removed(entry)?;
        Ok(StaleFate::Removed)
    }
}

/// State of an input that cannot be found.
#[derive(Debug, PartialEq, Eq)]
enum Absence {
    Gone,
    /// This folder is empty or a broken link: the input may be on a disk that is not mounted.
    Unreachable(PathBuf),
}

/// Returns the state of a file that cannot be found; none if it exists or the system does not reveal this.
fn absence(path: &Path) -> Option<Absence> {
    if !is_gone(path) {
        return None;
    }
    let existing = path.ancestors().find(|ancestor| fs::symlink_metadata(ancestor).is_ok());
    let existing = existing.unwrap_or(Path::new("."));
    let is_empty = || fs::read_dir(existing).is_ok_and(|mut entries| entries.next().is_none());
    let is_unreachable = is_gone(existing) || is_empty();
    Some(if is_unreachable { Absence::Unreachable(existing.to_owned()) } else { Absence::Gone })
}

/// True if there is no file at the path, or only a broken link.
fn is_gone(path: &Path) -> bool {
    let is_absent = |kind| matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    fs::metadata(path).is_err_and(|error| is_absent(error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_on_disks_that_are_not_mounted_are_not_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.png"), "").unwrap();
        fs::create_dir(path("mount")).unwrap();
        assert_eq!(absence(&path("a.png")), None);
        assert_eq!(absence(&path("b.png")), Some(Absence::Gone));
        assert_eq!(absence(&path("deep/b.png")), Some(Absence::Gone));
        assert_eq!(absence(&path("a.png/b.png")), Some(Absence::Gone));
        for name in ["mount/b.png", "mount/deep/b.png"] {
            assert_eq!(absence(&path(name)), Some(Absence::Unreachable(path("mount"))), "{name}");
        }
        #[cfg(unix)]
        {
            let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, path(name)).unwrap();
            link("nothing", "broken");
            link("mount", "of-mount");
            link(".", "here");
            for (link, name) in [("broken", "broken/deep/b.png"), ("of-mount", "of-mount/b.png")] {
                assert_eq!(absence(&path(name)), Some(Absence::Unreachable(path(link))), "{name}");
            }
            assert_eq!(absence(&path("broken")), Some(Absence::Unreachable(path("broken"))));
            assert_eq!(absence(&path("here/b.png")), Some(Absence::Gone));
        }
    }
}
