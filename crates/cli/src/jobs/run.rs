//! Runs jobs side by side, and hands on their results in order.

use super::Job;
use crate::{failure::Failure, input::FileId};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// What a job is given.
pub struct Turn<'a> {
    /// What to do.
    pub job: &'a Job,
    /// The files that are inputs, none of which may be overwritten.
    pub inputs: &'a [FileId],
    /// Bytes that the job may take.
    pub max_memory: u64,
    /// Whether no other job is running or to come.
    pub is_alone: bool,
}

/// Runs `jobs` on up to `lanes` threads, which together stay within `max_memory` bytes: a job gets an equal
/// share, and if that is too little for it ([`Failure::is_over_limit`]), it runs once more, alone, with all
/// of it. `done` takes the results in the order of the jobs, as soon as those before are there.
pub fn side_by_side<T: Send>(
    jobs: &[Result<Job, Failure>],
    lanes: usize,
    max_memory: u64,
    work: impl Fn(&Turn<'_>) -> Result<T, Failure> + Sync,
    done: impl FnMut(Result<T, Failure>) + Send,
) {
    let inputs: Vec<FileId> = jobs.iter().flatten().filter_map(|job| job.input.id()).collect();
    let lanes = lanes.clamp(1, jobs.len().max(1));
    let share = max_memory / lanes as u64;
    let is_alone = jobs.len() == 1;
    // Read by jobs that keep to their share, written by one that needs all.
    let alone = RwLock::new(());
    let run = |job: &Job| {
        let turn = |max_memory| work(&Turn { job, inputs: &inputs, max_memory, is_alone });
        if lanes > 1 && job.input.can_be_read_again() {
            let result = {
                let _together = alone.read().unwrap_or_else(PoisonError::into_inner);
                turn(share)
            };
            match result {
                Err(failure) if failure.is_over_limit() => {}
                result => return result,
            }
        }
        let _alone = alone.write().unwrap_or_else(PoisonError::into_inner);
        turn(max_memory)
    };
    let next = AtomicUsize::new(0);
    let in_order = Mutex::new(InOrder { done, next: 0, waiting: BTreeMap::new() });
    let lane = || {
        while let Some((index, job)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(index).map(|job| (index, job))
        } {
            let result = job.as_ref().map_err(Clone::clone).and_then(run);
            in_order.lock().unwrap_or_else(PoisonError::into_inner).take(index, result);
        }
    };
    thread::scope(|scope| {
        for _ in 1..lanes {
            scope.spawn(lane);
        }
        lane();
    });
}

/// Results that came before those of earlier jobs wait.
struct InOrder<T, F> {
    done: F,
    next: usize,
    waiting: BTreeMap<usize, Result<T, Failure>>,
}

impl<T, F: FnMut(Result<T, Failure>)> InOrder<T, F> {
    fn take(&mut self, index: usize, result: Result<T, Failure>) {
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
    use crate::{exit::Exit, input::Input, output::Output};
    use std::{path::PathBuf, sync::atomic::AtomicU64, time::Duration};

    /// Jobs whose inputs are this file.
    fn jobs(count: usize) -> Vec<Result<Job, Failure>> {
        let this = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/jobs/run.rs");
        let job = |index| Job {
            input: Input::File(this.clone()),
            output: Output::File(PathBuf::from(format!("{index}"))),
            makes_folder: false,
        };
        (0..count).map(|index| Ok(job(index))).collect()
    }

    fn index(turn: &Turn<'_>) -> usize {
        turn.job.output.name().parse().unwrap()
    }

    #[test]
    fn results_come_in_order_from_several_threads() {
        for lanes in [1, 2, 5, 100] {
            let mut jobs = jobs(40);
            jobs[7] = Err(Failure::new(Exit::Io, "not there"));
            let mut found = Vec::new();
            let work = |turn: &Turn<'_>| {
                thread::sleep(Duration::from_millis((index(turn) * 7 % 5) as u64));
                Ok(index(turn))
            };
            side_by_side(&jobs, lanes, 1000, work, |result| found.push(result.ok()));
            let expected: Vec<_> = (0..40).map(|index| (index != 7).then_some(index)).collect();
            assert_eq!(found, expected, "{lanes}");
        }
    }

    /// Jobs 3, 4 and 11 need more than a share: they run alone. What is taken together is counted.
    #[test]
    fn memory_is_shared() {
        let (taken, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let work = |turn: &Turn<'_>| {
            let needed = if [3, 4, 11].contains(&index(turn)) { 900 } else { 200 };
            if needed > turn.max_memory {
                return Err(Failure::over_limit("too little"));
            }
            most.fetch_max(taken.fetch_add(needed, Ordering::SeqCst) + needed, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            taken.fetch_sub(needed, Ordering::SeqCst);
            Ok(turn.max_memory)
        };
        let mut limits = Vec::new();
        side_by_side(&jobs(16), 4, 1000, work, |result| limits.push(result.unwrap()));
        let expected = (0..16).map(|index| if [3, 4, 11].contains(&index) { 1000 } else { 250 });
        assert_eq!(limits, expected.collect::<Vec<_>>());
        assert!(most.load(Ordering::SeqCst) <= 1000, "{most:?}");
        let mut failed = 0;
        let refuse = |turn: &Turn<'_>| match turn.max_memory {
            1000 => Err::<(), _>(Failure::over_limit("still too little")),
            _ => Err(Failure::over_limit("too little")),
        };
        side_by_side(&jobs(3), 2, 1000, refuse, |result| {
            failed += u32::from(result.unwrap_err().to_string().starts_with("still"));
        });
        assert_eq!(failed, 3);
    }
}
