//! Jobs whose output is not written.

use super::{BatchError, BatchOptions, FileId, Job, Output, Turn, UpdateRule};
use crate::report::{FileAction, UntouchedFile};
use brickwork_base::whole_file::{Existing, folder_of};
use std::{fs, path::Path, time::SystemTime};

/// Returns the reason why the output of a job is not written; in a dry run, the effect that writing would
/// have. Returns `None` if the output is to be written.
///
/// # Errors
/// In a dry run, [`BatchError`] of inputs that cannot be opened and of an output that cannot be written.
pub(super) fn untouched(
    options: &BatchOptions,
    turn: &Turn<'_>,
) -> Result<Option<UntouchedFile>, BatchError> {
    let job = turn.job;
    let untouched = |action| Ok(Some(job.untouched(action)));
    let is_up_to_date = match options.update {
        UpdateRule::Always => false,
        UpdateRule::IfOlder => {
            let is_same = |path| !job.recipe_in(options).is_some_and(|recipe| recipe.differs(path));
            matches!(&job.output, Output::File(path) if is_same(path)) && is_as_new_as_its_inputs(job)
        }
    };
    if is_up_to_date {
        return untouched(FileAction::UpToDate);
    }
    if !options.dry_run {
        return Ok(None);
    }
    for input in &job.inputs {
        input.open(turn.max_memory, &turn.task)?;
    }
    if let (Output::File(path), false) = (&job.output, job.makes_folder) {
        let folder = folder_of(path);
        fs::metadata(folder).map_err(|error| BatchError::io(folder.display(), error))?;
    }
    untouched(effect(&job.output, options.existing, turn.inputs)?)
}

/// Returns the effect of writing an output.
///
/// # Errors
/// As [`Output::replaces`].
pub(super) fn effect(
    output: &Output,
    existing: Existing,
    inputs: &[FileId],
) -> Result<FileAction, BatchError> {
    let replaces = output.replaces(existing, inputs)?;
    Ok(if replaces { FileAction::Replace } else { FileAction::Create })
}

fn is_as_new_as_its_inputs(job: &Job) -> bool {
    let Output::File(output) = &job.output else { return false };
    let Some(written) = modified(output) else { return false };
    let is_older = |input: &Path| modified(input).is_some_and(|input| input <= written);
    job.inputs.iter().all(|input| input.path().is_some_and(is_older))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_toolkit::batch::Input;
    use std::{fs::File, time::Duration};

    #[test]
    fn each_input_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, seconds: u64| {
            let path = folder.path().join(name);
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds);
            File::create(&path).unwrap().set_modified(time).unwrap();
            path
        };
        let [old, new] = [file("old", 1), file("new", 9)].map(Input::File);
        let job = |inputs: &[&Input], output| {
            Job::new(inputs.iter().map(|&input| input.clone()).collect(), Output::File(output))
        };
        let output = file("output", 5);
        assert!(is_as_new_as_its_inputs(&job(&[&old, &old], output.clone())));
        assert!(!is_as_new_as_its_inputs(&job(&[&old, &new], output.clone())));
        assert!(!is_as_new_as_its_inputs(&job(&[&old, &Input::Stdin], output)));
        assert!(!is_as_new_as_its_inputs(&job(&[&old], folder.path().join("missing"))));
    }
}
