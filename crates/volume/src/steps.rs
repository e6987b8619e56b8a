//! A stage of a call whose work is counted from several threads.

use crate::{Cancelled, Stage, Task};
use std::sync::atomic::{AtomicU64, Ordering};

/// The work of one stage: counted, reported, and stopped with its task.
pub(crate) struct Steps<'t> {
    task: &'t Task<'t>,
    stage: Stage,
    total: u64,
    done: AtomicU64,
}

impl<'t> Steps<'t> {
    /// Returns a stage of `total` units of work, none of them done.
    pub const fn new(task: &'t Task<'t>, stage: Stage, total: u64) -> Self {
        Self { task, stage, total, done: AtomicU64::new(0) }
    }

    /// Returns the task of the call.
    pub const fn task(&self) -> &'t Task<'t> {
        self.task
    }

    /// Checks for cancellation before a unit of work.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check(&self) -> Result<(), Cancelled> {
        self.task.check()
    }

    /// Reports `count` more units as done.
    pub fn add(&self, count: u64) {
        let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
        self.task.report(self.stage, done, self.total);
    }
}
