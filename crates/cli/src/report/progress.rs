//! The progress bar.

use super::printable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    sync::Once,
    time::{Duration, Instant},
};

/// Jobs that end sooner show no progress bar.
const LONG_JOB: Duration = Duration::from_millis(500);

/// Runs `job` with a progress bar on standard error, if that is a terminal and the job is long. `job` is
/// given a function to call with the work done and the total.
pub fn with_progress<R>(name: &str, quiet: bool, job: impl FnOnce(&(dyn Fn(u64, u64) + Sync)) -> R) -> R {
    if quiet {
        return job(&|_, _| {});
    }
    let start = Instant::now();
    let shown = Once::new();
    let bar = ProgressBar::hidden();
    let style = ProgressStyle::with_template("{msg} [{bar:30}] {percent:>3} %  {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar.set_message(printable(name));
    let result = job(&|done, total| {
        if start.elapsed() < LONG_JOB {
            return;
        }
        // Hides itself if standard error is not a terminal.
        shown.call_once(|| bar.set_draw_target(ProgressDrawTarget::stderr()));
        bar.set_length(total);
        bar.set_position(bar.position().max(done));
    });
    bar.finish_and_clear();
    result
}
