//! Arguments of a running job, and its way to write its output.

use super::{
    BatchError, FileId, Job,
    file_state::{FileState, check_states},
    keeper::Keeper,
};
use brickwork_base::{Task, whole_file::Existing};
use std::{io::Write, path::PathBuf};

/// Arguments of a running job.
#[derive(Clone, Copy, Debug)]
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
    /// Inputs and their states before the work.
    pub(super) states: &'a [(PathBuf, FileState)],
    /// Copies the output to a cache.
    pub(super) keeper: Option<&'a Keeper<'a>>,
}

impl Turn<'_> {
    /// Returns the turn of a job that is alone and may use 4 GiB.
    #[cfg(test)]
    pub(crate) fn for_tests(job: &Job, existing: Existing) -> Turn<'_> {
        let (max_memory, task) = (1 << 32, Task::new());
        Turn { job, inputs: &[], max_memory, existing, is_alone: true, task, states: &[], keeper: None }
    }

    /// Returns the turn with the same inputs in another order.
    pub(crate) fn with_job<'b>(&'b self, job: &'b Job) -> Turn<'b> {
        Turn { job, ..*self }
    }

    /// Checks, before the work begins, that the output can be written.
    ///
    /// # Errors
    /// As [`Output::check`](super::Output::check).
    pub fn check_output(&self) -> Result<(), BatchError> {
        self.job.output.check(self.existing, self.inputs)
    }

    /// Calls `write` with a sink for the whole output, and returns the number of bytes that it wrote, like
    /// [`Output::write`]. The output is not written if an input changed since the job began.
    ///
    /// # Errors
    /// As [`Output::write`], and [`BatchError`] of an input that changed or vanished.
    ///
    /// [`Output::write`]: super::Output::write
    pub fn write<E: From<BatchError>>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.job.output.write(self.existing, |sink| {
            let Some(keeper) = self.keeper else {
                write(sink)?;
                return Ok(check_states(self.states)?);
            };
            let pending = keeper.tee(sink, write)?;
            check_states(self.states)?;
            keeper.check_inputs(&self.task)?;
            keeper.commit(pending);
            Ok(())
        })
    }
}
