//! Runs jobs side by side, and passes on their results in order.

use super::{BatchError, BatchFault, Input, Job};
use brickwork_base::Task;
use std::{
    any::Any,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Threads for jobs, and the memory that they may use together.
pub(super) struct Lanes {
    pub count: usize,
    pub max_memory: u64,
}

/// Calls `run` for each job with the bytes that it may use: an equal share of the bytes of all lanes. If
/// `needs_more` is true of its error, the job runs again with all bytes, while no other job runs. `done`
/// receives the results in the order of the jobs. No job starts after the task is cancelled. A job that
/// panics fails with [`BatchFault::Panicked`].
pub(super) fn side_by_side<T: Send, E: From<BatchError> + Send>(
    jobs: &[Result<Job, BatchError>],
    lanes: Lanes,
    needs_more: impl Fn(&E) -> bool + Sync,
    run: impl Fn(&Job, u64) -> Result<T, E> + Sync,
    done: impl FnMut(Result<T, E>) + Send,
    task: &Task<'_>,
) {
    let Lanes { count, max_memory } = lanes;
    let count = count.clamp(1, jobs.len().max(1));
    let share = max_memory / count as u64;
    // Jobs that keep to their share lock it for reading; a job that needs all memory locks it for writing.
    let alone = RwLock::new(());
    let run = |job: &Job, bytes| {
        let result = catch_unwind(AssertUnwindSafe(|| run(job, bytes)));
        result.unwrap_or_else(|panic| {
            let fault = BatchFault::Panicked { message: message_of(&*panic) };
            Err(BatchError::new(job.name(), fault).into())
        })
    };
    let run = |job: &Job| {
        if count > 1 && job.inputs.iter().all(Input::can_be_read_again) {
            let result = {
                let _together = alone.read().unwrap_or_else(PoisonError::into_inner);
                run(job, share)
            };
            match result {
                Err(error) if needs_more(&error) => {}
                result => return result,
            }
        }
        let _alone = alone.write().unwrap_or_else(PoisonError::into_inner);
        run(job, max_memory)
    };
    let next = AtomicUsize::new(0);
    let in_order = Mutex::new(InOrder { done, next: 0, waiting: BTreeMap::new() });
    let lane = || {
        while !task.is_cancelled()
            && let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(job) = jobs.get(index)
        {
            let result = job.as_ref().map_err(|error| E::from(error.clone())).and_then(run);
            in_order.lock().unwrap_or_else(PoisonError::into_inner).take(index, result);
        }
    };
    thread::scope(|scope| {
        for _ in 1..count {
            scope.spawn(lane);
        }
        lane();
    });
}

/// Returns the message of a panic.
fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Holds back results until those of all earlier jobs are known.
struct InOrder<T, E, F> {
    done: F,
    next: usize,
    waiting: BTreeMap<usize, Result<T, E>>,
}

impl<T, E, F: FnMut(Result<T, E>)> InOrder<T, E, F> {
    fn take(&mut self, index: usize, result: Result<T, E>) {
        self.waiting.insert(index, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            (self.done)(result);
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Output;
    use brickwork_base::{CancelToken, ErrorKind};
    use std::{
        path::PathBuf,
        sync::atomic::AtomicU64,
        time::{Duration, Instant},
    };

    /// Returns jobs whose input is this file.
    fn jobs(count: usize) -> Vec<Result<Job, BatchError>> {
        let this = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/batch/side_by_side.rs");
        let output = |index: usize| Output::File(PathBuf::from(index.to_string()));
        (0..count).map(|index| Ok(Job::new(vec![Input::File(this.clone())], output(index)))).collect()
    }

    fn index(job: &Job) -> usize {
        job.output.name().parse().unwrap()
    }

    fn over_limit(limit: u64) -> BatchError {
        BatchError::of_plan(BatchFault::TooLong { limit })
    }

    fn needs_more(error: &BatchError) -> bool {
        error.kind() == ErrorKind::Limit
    }

    #[test]
    fn results_come_in_order_from_several_threads() {
        for count in [1, 2, 5, 100] {
            let mut jobs = jobs(40);
            jobs[7] = Err(BatchError::of_plan(BatchFault::NotFound));
            let mut found = Vec::new();
            let run = |job: &Job, _| {
                thread::sleep(Duration::from_millis((index(job) * 7 % 5) as u64));
                Ok::<_, BatchError>(index(job))
            };
            let lanes = Lanes { count, max_memory: 1000 };
            side_by_side(&jobs, lanes, needs_more, run, |result| found.push(result.ok()), &Task::new());
            let expected: Vec<_> = (0..40).map(|index| (index != 7).then_some(index)).collect();
            assert_eq!(found, expected, "{count}");
        }
    }

    /// Jobs 3, 4 and 11 need more than a share and run alone. The test counts the memory in use.
    #[test]
    fn memory_is_shared() {
        let (used, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let run = |job: &Job, max_memory| {
            let needed = if [3, 4, 11].contains(&index(job)) { 900 } else { 200 };
            if needed > max_memory {
                return Err(over_limit(max_memory));
            }
            most.fetch_max(used.fetch_add(needed, Ordering::SeqCst) + needed, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            used.fetch_sub(needed, Ordering::SeqCst);
            Ok(max_memory)
        };
        let mut limits = Vec::new();
        let lanes = Lanes { count: 4, max_memory: 1000 };
        let done = |result: Result<u64, BatchError>| limits.push(result.unwrap());
        side_by_side(&jobs(16), lanes, needs_more, run, done, &Task::new());
        let expected = (0..16).map(|index| if [3, 4, 11].contains(&index) { 1000 } else { 250 });
        assert_eq!(limits, expected.collect::<Vec<_>>());
        assert!(most.load(Ordering::SeqCst) <= 1000, "{most:?}");
        let mut failed = 0;
        let refuse = |_: &Job, max_memory| Err::<(), _>(over_limit(max_memory));
        let lanes = Lanes { count: 2, max_memory: 1000 };
        let done = |result: Result<(), BatchError>| {
            failed += u32::from(result.unwrap_err().to_string().ends_with("limit of 1000 bytes"));
        };
        side_by_side(&jobs(3), lanes, needs_more, refuse, done, &Task::new());
        assert_eq!(failed, 3);
    }

    #[test]
    fn no_job_starts_after_the_batch_is_cancelled() {
        let token = CancelToken::new();
        let task = Task::new().with_cancel(&token);
        let run = |job: &Job, _| {
            if index(job) == 5 {
                token.cancel();
            }
            // Like a job that takes long.
            let start = Instant::now();
            while index(job) > 5 && start.elapsed() < Duration::from_secs(60) && !token.is_cancelled() {
                thread::yield_now();
            }
            Ok::<_, BatchError>(index(job))
        };
        let mut found = Vec::new();
        let lanes = Lanes { count: 3, max_memory: 1000 };
        let done = |result: Result<usize, BatchError>| found.push(result.unwrap());
        side_by_side(&jobs(100), lanes, needs_more, run, done, &task);
        assert!((6..=8).contains(&found.len()), "{found:?}");
    }

    #[test]
    fn a_panic_is_the_failure_of_its_job() {
        for count in [1, 3] {
            let mut results = Vec::new();
            side_by_side(
                &jobs(4),
                Lanes { count, max_memory: 1 },
                needs_more,
                |job, _| match index(job) {
                    2 => panic!("index {} of 1", 2),
                    other => Ok(other),
                },
                |result| results.push(result.map_err(|error: BatchError| error.to_string())),
                &Task::new(),
            );
            let error = results.remove(2).unwrap_err();
            let reason =
                "side_by_side.rs: a bug in Brickwork (index 2 of 1); please report it with this file";
            assert!(error.ends_with(reason), "{error}");
            assert_eq!(results, [Ok(0), Ok(1), Ok(3)]);
        }
    }
}
