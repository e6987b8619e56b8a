//! Bands of rows for several threads.

use crate::{Cancelled, Stage, Task};
use brickwork_base::parallel;
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// Rows per band. In a larger band, the ten rows shared by SSIM's bands cost less. In a smaller band, even
/// small images keep several threads busy.
const BAND_ROWS: usize = 64;

/// Returns the results of `band` for all bands of [`BAND_ROWS`] rows, in order.
pub(super) fn map_bands<R: Send, E: Send>(
    task: &Task<'_>,
    row_count: usize,
    band: impl Fn(Range<usize>) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let rows = |index: usize| index * BAND_ROWS..((index + 1) * BAND_ROWS).min(row_count);
    parallel::try_map(task, 0..row_count.div_ceil(BAND_ROWS), |index| band(rows(index)))
}

/// Progress of a comparison in rows, counted by several threads.
pub(super) struct Rows<'a> {
    task: &'a Task<'a>,
    done: AtomicU64,
    total: u64,
}

impl<'a> Rows<'a> {
    pub fn new(task: &'a Task<'a>, total: usize) -> Self {
        Self { task, done: AtomicU64::new(0), total: total as u64 }
    }

    pub fn task(&self) -> &Task<'a> {
        self.task
    }

    /// Counts and reports a row, and checks for cancellation.
    pub fn step(&self) -> Result<(), Cancelled> {
        self.task.check()?;
        self.task.report(Stage::Comparing, self.done.fetch_add(1, Ordering::Relaxed) + 1, self.total);
        Ok(())
    }
}
