//! Encoding of whole images, for threads that may wait.

use super::Encoding;
use crate::{EncodeError, Stage, Task};
use brickwork_gpu::{TimerRead, wgpu};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Longest wait between two checks for cancellation.
const WAIT: Duration = Duration::from_millis(20);

/// Time of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it is a pair")]
pub struct KernelTime {
    /// Name of the kernel.
    pub name: String,
    /// Time from the start of the kernel's pass to its end.
    pub time: Duration,
}

impl Encoding<'_> {
    /// Runs until all is done, with a clock. Blocks.
    pub(in crate::gpu) fn run(&mut self, task: &Task<'_>) -> Result<(), EncodeError> {
        self.threads = task.threads();
        let start = Instant::now();
        self.clock = Some(Box::new(move || start.elapsed()));
        self.last = Duration::ZERO;
        self.submit()?;
        while let Some(band) = self.under_way.front() {
            task.check()?;
            while !band.is_ready(&self.machine.context)? {
                // The times arrive last, with a separate submission.
                let last = band.times.as_ref().map_or(&band.download, TimerRead::download);
                self.machine.context.wait_for_at_most(last.submission(), WAIT)?;
                task.check()?;
            }
            self.take()?;
            self.submit()?;
            let (done, all) = self.progress();
            task.report(Stage::Encoding, done, all);
        }
        Ok(task.check()?)
    }

    /// Runs until all is done and returns the time of each kernel; `None` if the device has no timestamps.
    /// Blocks.
    pub(in crate::gpu) fn run_timed(mut self) -> Result<Option<Vec<KernelTime>>, EncodeError> {
        let prepared = Arc::clone(&self.prepared);
        self.times = Some(vec![Duration::ZERO; prepared.names().count()]);
        self.run(&Task::new())?;
        let has_timer = self.context().device().features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let times = self.times.filter(|_| has_timer);
        // Two steps may use the same kernel with different constants.
        let named = |times: Vec<Duration>| {
            let mut found: Vec<KernelTime> = Vec::new();
            for (name, time) in prepared.names().zip(times) {
                match found.iter_mut().find(|kernel| kernel.name == name) {
                    Some(kernel) => kernel.time += time,
                    None => found.push(KernelTime { name: name.to_owned(), time }),
                }
            }
            found
        };
        Ok(times.map(named))
    }
}
