//! Runs of work that writes no output.

use super::{
    BatchError, InputGroup, Job, Output,
    side_by_side::{Lanes, side_by_side},
};
use brickwork_base::{Cancelled, Task};

/// Runs `work` for each group of inputs with the bytes of memory that it may use. `done` receives the
/// results in the order of the groups, each as soon as all earlier ones are known. A failure does not stop
/// the others.
///
/// Up to `lanes` groups, at least 1, are examined side by side, each with an equal share of `max_memory`. If
/// `needs_more` is true of a group's error, the work runs again, alone, with all of the memory. The task
/// reports no progress.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled. No other work starts then.
pub fn examine<T: Send, E: From<BatchError> + Send>(
    groups: Vec<Result<InputGroup, BatchError>>,
    lanes: usize,
    max_memory: u64,
    needs_more: impl Fn(&E) -> bool + Sync,
    work: impl Fn(&Job, u64) -> Result<T, E> + Sync,
    done: impl FnMut(Result<T, E>) + Send,
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    // No job writes to its output.
    let job = |group| Job::of_group(group, Output::Stdout, false);
    let jobs: Vec<_> = groups.into_iter().map(|group| group.map(job)).collect();
    side_by_side(&jobs, Lanes { count: lanes, max_memory }, needs_more, work, done, task);
    task.check()
}
