//! One run of all jobs.

use super::{
    BatchError, BatchOptions, FileId, Job, Output,
    side_by_side::{Lanes, side_by_side},
    update::untouched,
};
use crate::report::{BatchSummary, FileAction, UntouchedFile};
use brickwork_base::{Cancelled, Stage, Task, whole_file::Existing};
use std::time::Instant;

/// Arguments of a running job.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Turn<'a> {
    /// The job.
    pub job: &'a Job,
    /// The inputs of all jobs. None of them may be overwritten.
    pub inputs: &'a [FileId],
    /// Bytes that the job may use.
    pub max_memory: u64,
    /// Treatment of an existing output.
    pub existing: Existing,
    /// True if the batch has no other job.
    pub is_alone: bool,
    /// The task of the job. It reports progress only if the job [is alone](Self::is_alone).
    pub task: Task<'a>,
}

/// The result of a job that wrote its output.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "each job makes one")]
pub struct Written<T> {
    /// The result.
    pub result: T,
    /// Bytes of texels or blocks that were read.
    pub input_bytes: u64,
    /// Bytes of the output.
    pub output_bytes: u64,
}

/// Result of a job that did not fail.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "an output is written or not")]
pub enum JobResult<T> {
    /// The output was written.
    Written(T),
    /// The output was not written: it is up to date, or this is a dry run.
    Untouched(UntouchedFile),
}

impl Turn<'_> {
    /// Checks, before the work begins, that the output can be written.
    ///
    /// # Errors
    /// As [`Output::check`](super::Output::check).
    pub fn check_output(&self) -> Result<(), BatchError> {
        self.job.output.check(self.existing, self.inputs)
    }
}

/// Runs `work` for each job and returns the totals. `done` receives the results in the order of the jobs,
/// each as soon as all earlier ones are known. A failed job does not stop the others.
///
/// Up to [`lanes`](BatchOptions::lanes) jobs run side by side, each with an equal share of
/// [`max_memory`](BatchOptions::max_memory). If `needs_more` is true of a job's error, the job runs again,
/// alone, with all of the memory.
///
/// The task reports the progress of a single job, or [`Stage::Batch`] in finished jobs if there are several.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled. Jobs that have started end with their own errors. No other job
/// starts, and complete outputs remain.
pub fn run<T: Send, E: From<BatchError> + Send>(
    jobs: &[Result<Job, BatchError>],
    options: &BatchOptions,
    needs_more: impl Fn(&E) -> bool + Sync,
    work: impl Fn(&Turn<'_>) -> Result<Written<T>, E> + Sync,
    mut done: impl FnMut(Result<JobResult<T>, E>) + Send,
    task: &Task<'_>,
) -> Result<BatchSummary, Cancelled> {
    let start = Instant::now();
    let inputs = jobs.iter().flatten().flat_map(|job| &job.inputs);
    let inputs: Vec<FileId> = inputs.filter_map(super::Input::id).collect();
    let is_alone = jobs.len() == 1;
    let job_task = if is_alone { *task } else { task.without_progress() };
    let run = |job: &Job, max_memory| {
        let existing = options.existing();
        let turn = Turn { job, inputs: &inputs, max_memory, existing, is_alone, task: job_task };
        match untouched(options, &turn)? {
            Some(untouched) => Ok(JobResult::Untouched(untouched)),
            None => {
                job.make_folder()?;
                let written = work(&turn)?;
                if let (Some(recipe), Output::File(path)) = (options.recipe(), &job.output) {
                    recipe.record(path);
                }
                Ok(JobResult::Written(written))
            }
        }
    };
    let (mut summary, mut done_count) = (BatchSummary::default(), 0);
    let done = |result: Result<JobResult<Written<T>>, E>| {
        let result = result.map(|result| match result {
            JobResult::Written(Written { result, input_bytes, output_bytes }) => {
                summary.add([input_bytes, output_bytes]);
                JobResult::Written(result)
            }
            JobResult::Untouched(untouched) => {
                summary.up_to_date += u64::from(untouched.action == FileAction::UpToDate);
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
    let lanes = Lanes { count: options.lanes(), max_memory: options.max_memory() };
    side_by_side(jobs, lanes, needs_more, run, done, task);
    task.check()?;
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(summary)
}
