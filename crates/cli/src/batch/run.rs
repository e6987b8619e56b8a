//! One run of all jobs.

use super::{
    BatchError, BatchOptions, FileId, Incremental, Job, Kept, Output, Preview, Recipe, Turn,
    digest::Digest,
    incremental::{Examined, states_of},
    keeper::Keeper,
    side_by_side::{Lanes, side_by_side},
    update::{effect, untouched},
};
use crate::report::{BatchSummary, FileAction, UntouchedFile};
use brickwork_base::{Cancelled, Stage, Task};
use std::{path::Path, time::Instant};

/// The result of a job that wrote its output.
#[derive(Clone, Debug)]
pub struct Written<T> {
    /// The result.
    pub result: T,
    /// Bytes of texels or blocks that were read.
    pub input_bytes: u64,
    /// Bytes of the output.
    pub output_bytes: u64,
    /// Report for later runs that find the output in the cache.
    pub kept: Option<Kept>,
}

/// A job whose output was not made.
#[derive(Clone, Debug)]
pub struct Untouched {
    /// The entry of the report.
    pub file: UntouchedFile,
    /// The report of the run that made the output, from the cache.
    pub kept: Option<Kept>,
    /// The decisions about the texture in a dry run.
    pub preview: Option<Preview>,
}

impl From<UntouchedFile> for Untouched {
    fn from(file: UntouchedFile) -> Self {
        Self { file, kept: None, preview: None }
    }
}

/// Result of a job that did not fail.
#[derive(Clone, Debug)]
pub enum JobResult<T> {
    /// The output was written.
    Written(T),
    /// The work was not done: the output is up to date or from a cache, or this is a dry run.
    Untouched(Box<Untouched>),
}

/// Runs `work` for each job and returns the totals. `done` receives the results in the order of the jobs,
/// each as soon as all earlier ones are known. A failed job does not stop the others.
///
/// Up to [`lanes`](BatchOptions::lanes) jobs run side by side, each with an equal share of
/// [`max_memory`](BatchOptions::max_memory). If `needs_more` is true of a job's error, the job runs again,
/// alone, with all of the memory.
///
/// With `incremental`, outputs are up to date if neither the contents of their inputs nor their options
/// changed, and outputs in the cache are copied. The [update rule](BatchOptions::update) has no effect then.
/// `work` must write its output by [`Turn::write`].
///
/// In a dry run, `preview` is called instead of `work`.
///
/// The task reports the progress of a single job, or [`Stage::Batch`] in finished jobs if there are several.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled. Jobs that have started end with their own errors. No other job
/// starts, and complete outputs remain.
pub fn run<T: Send, E: From<BatchError> + Send>(
    jobs: &[Result<Job, BatchError>],
    options: &BatchOptions,
    incremental: Option<&Incremental>,
    needs_more: impl Fn(&E) -> bool + Sync,
    (work, preview): (
        impl Fn(&Turn<'_>) -> Result<Written<T>, E> + Sync,
        impl Fn(&Turn<'_>) -> Result<Option<Preview>, E> + Sync,
    ),
    mut done: impl FnMut(Result<JobResult<T>, E>) + Send,
    task: &Task<'_>,
) -> Result<BatchSummary, Cancelled> {
    let start = Instant::now();
    let inputs = jobs.iter().flatten().flat_map(|job| &job.inputs);
    let inputs: Vec<FileId> = inputs.filter_map(FileId::of_input).collect();
    let is_alone = jobs.len() == 1;
    let job_task = if is_alone { *task } else { task.without_progress() };
    let run = |job: &Job, max_memory| {
        let (existing, states) = (options.existing, states_of(job));
        let (inputs, states) = (&inputs[..], &states[..]);
        let turn = Turn { job, inputs, max_memory, existing, is_alone, task: job_task, states, keeper: None };
        match incremental {
            Some(incremental) => run_again(incremental, options, &turn, &work, &preview),
            None => run_job(options, &turn, &work, &preview),
        }
    };
    let (mut summary, mut done_count) = (BatchSummary::default(), 0);
    let done = |result: Result<JobResult<Written<T>>, E>| {
        let result = result.map(|result| match result {
            JobResult::Written(Written { result, input_bytes, output_bytes, .. }) => {
                summary.add([input_bytes, output_bytes]);
                JobResult::Written(result)
            }
            JobResult::Untouched(untouched) => {
                summary.up_to_date += u64::from(untouched.file.action == FileAction::UpToDate);
                summary.from_cache += u64::from(untouched.file.action == FileAction::FromCache);
                JobResult::Untouched(untouched)
            }
        });
        summary.failed += u64::from(result.is_err());
        done_count += 1;
        done(result);
        if !is_alone {
            task.report(Stage::Batch, done_count, jobs.len() as u64);
        }
    };
    let lanes = Lanes { count: options.lanes, max_memory: options.max_memory };
    side_by_side(jobs, lanes, needs_more, run, done, task);
    task.check()?;
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(summary)
}

/// Runs a job, unless its output is up to date or this is a dry run.
fn run_job<T, E: From<BatchError>>(
    options: &BatchOptions,
    turn: &Turn<'_>,
    work: impl Fn(&Turn<'_>) -> Result<Written<T>, E>,
    preview: impl Fn(&Turn<'_>) -> Result<Option<Preview>, E>,
) -> Result<JobResult<Written<T>>, E> {
    if let Some(file) = untouched(options, turn)? {
        return not_made(file, turn, preview);
    }
    turn.job.make_folder()?;
    let written = work(turn)?;
    if let Some((recipe, path)) = recordable(turn.job, options) {
        recipe.record(path);
    }
    Ok(JobResult::Written(written))
}

/// Returns the options of a job and its output, for the record that a later run with
/// [`UpdateRule::IfOlder`](super::UpdateRule::IfOlder) reads. Every run that leaves an output with these
/// options must write it, or the record is that of an earlier run with other options.
fn recordable<'a>(job: &'a Job, options: &BatchOptions) -> Option<(Recipe, &'a Path)> {
    match &job.output {
        Output::File(path) => Some((job.recipe_in(options)?, path)),
        Output::Stdout => None,
    }
}

/// Returns the result of a job whose output is not made, with a preview if it would be.
fn not_made<T, E>(
    file: UntouchedFile,
    turn: &Turn<'_>,
    preview: impl Fn(&Turn<'_>) -> Result<Option<Preview>, E>,
) -> Result<JobResult<T>, E> {
    let is_planned = matches!(file.action, FileAction::Create | FileAction::Replace);
    let preview = if is_planned { preview(turn)? } else { None };
    Ok(JobResult::Untouched(Box::new(Untouched { preview, ..file.into() })))
}

/// Runs a job, unless its output is up to date or in the cache, or this is a dry run.
fn run_again<T, E: From<BatchError>>(
    incremental: &Incremental,
    options: &BatchOptions,
    turn: &Turn<'_>,
    work: impl Fn(&Turn<'_>) -> Result<Written<T>, E>,
    preview: impl Fn(&Turn<'_>) -> Result<Option<Preview>, E>,
) -> Result<JobResult<Written<T>>, E> {
    let job = turn.job;
    let states: Vec<_> = turn.states.iter().map(|(_, state)| *state).collect();
    // Pipes, and files that cannot be found, which is an error of the work.
    let place = incremental.place_of(job).filter(|_| states.len() == job.inputs.len());
    let Some(place) = place else { return run_job(options, turn, work, preview) };
    let untouched = |action, key: &Digest| {
        let kept = options.reads_reports.then(|| incremental.kept(key, job)).flatten();
        Ok(JobResult::Untouched(Box::new(Untouched { kept, ..job.untouched(action).into() })))
    };
    let outdated = match incremental.examine(place, states, options, turn)? {
        Examined::UpToDate(key) => {
            if let Some((recipe, path)) = recordable(job, options).filter(|_| !options.dry_run) {
                recipe.confirm(path);
            }
            return untouched(FileAction::UpToDate, &key);
        }
        Examined::Outdated(outdated) => outdated,
    };
    let turn = Turn { existing: outdated.existing, ..*turn };
    let effect = || {
        let effect = effect(&job.output, turn.existing, turn.inputs);
        effect.map_err(|error| outdated.error_of_output(error))
    };
    if options.dry_run {
        return not_made(job.untouched(effect()?), &turn, preview);
    }
    job.make_folder()?;
    effect()?;
    let record = || {
        if let Some((recipe, path)) = recordable(job, options) {
            recipe.record(path);
        }
    };
    if incremental.restore(&outdated, &turn)? {
        record();
        return untouched(FileAction::FromCache, &outdated.key);
    }
    let keeper = Keeper::new(&incremental.cache, &outdated, job);
    let written = work(&Turn { keeper: Some(&keeper), ..turn })?;
    record();
    incremental.record_kept(&outdated, &keeper)?;
    if let Some(kept) = &written.kept {
        incremental.keep(&outdated.key, kept, job);
    }
    Ok(JobResult::Written(written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Build, Shard};
    use brickwork_toolkit::batch::{BatchFault, Input};
    use std::{fs, io::Write};

    /// Runs a job that writes the bytes of its input after `change`, with a cache if `is_incremental`.
    fn ran(folder: &Path, is_incremental: bool, change: impl Fn(&Path) + Sync) -> Result<(), BatchError> {
        let (input, output) = (folder.join("a.png"), folder.join("out/a.dds"));
        fs::write(&input, b"before").unwrap();
        fs::create_dir_all(folder.join("out")).unwrap();
        let job = Job::new(vec![Input::File(input.clone())], Output::File(output));
        let jobs = [Ok(Job { recipe: Some("recipe".to_owned()), ..job })];
        let open = || {
            let (cache, outputs) = (folder.join("cache"), folder.join("out"));
            Incremental::open(&cache, &outputs, Build::named("a"), Shard::ALL, false)
        };
        let incremental = is_incremental.then(|| open().unwrap());
        let work = |turn: &Turn<'_>| {
            let bytes = fs::read(&input).unwrap();
            change(&input);
            let write = |sink: &mut dyn Write| sink.write_all(&bytes);
            let output_bytes =
                turn.write(|sink| write(sink).map_err(|error| BatchError::io("a.dds", error)))?;
            Ok::<_, BatchError>(Written { result: (), input_bytes: 0, output_bytes, kept: None })
        };
        let mut results = Vec::new();
        let done = |result: Result<_, _>| results.push(result.map(drop));
        let options = BatchOptions::default();
        run(
            &jobs,
            &options,
            incremental.as_ref(),
            |_| false,
            (work, |_: &Turn<'_>| Ok(None)),
            done,
            &Task::new(),
        )
        .unwrap();
        results.remove(0)
    }

    #[test]
    fn inputs_that_change_or_vanish_are_errors_of_their_job() {
        for is_incremental in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let changed =
                ran(folder.path(), is_incremental, |input| fs::write(input, b"afterwards").unwrap());
            let error = changed.unwrap_err();
            assert!(matches!(error.fault(), BatchFault::Changed), "{error}");
            assert!(error.file().unwrap().ends_with("a.png"), "{error}");
            let gone = ran(folder.path(), is_incremental, |input| fs::remove_file(input).unwrap());
            assert!(matches!(gone.unwrap_err().fault(), BatchFault::NotFound));
            assert!(!folder.path().join("out/a.dds").exists());
            // Nothing of the failed jobs is in the cache.
            ran(folder.path(), is_incremental, |_| ()).unwrap();
            assert_eq!(fs::read(folder.path().join("out/a.dds")).unwrap(), b"before");
        }
    }

    /// Within the resolution of the file system's times, only the contents show a change.
    #[cfg(unix)]
    #[test]
    fn quick_changes_are_noticed_by_the_contents() {
        use super::super::{
            digest::digest_of_file,
            file_state::{FileState, now},
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, b"before").unwrap();
        let state = FileState::of(&path).unwrap();
        assert!(!state.is_settled_at(now()) && state.is_settled_at(now() + 60_000_000_000));
        let digest = || digest_of_file("a.png", &path, &Task::new()).unwrap();
        let before = digest();
        fs::write(&path, b"afterw").unwrap();
        assert_ne!(digest(), before);
    }
}
