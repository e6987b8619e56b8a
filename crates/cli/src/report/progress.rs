//! Progress bars on standard error, where that is a terminal.

use super::printable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{
    fmt,
    sync::Once,
    time::{Duration, Instant},
};

/// Jobs that end sooner show no progress bar.
const LONG_JOB: Duration = Duration::from_millis(500);

/// What jobs call with the work done and the total.
pub type Tell<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Runs `job` with a progress bar on standard error, if that is a terminal and the job is long. `job` is
/// given a function to call with the work done and the total.
pub fn with_progress<R>(name: &str, quiet: bool, job: impl FnOnce(Tell<'_>) -> R) -> R {
    if quiet {
        return job(&|_, _| {});
    }
    let start = Instant::now();
    let shown = Once::new();
    let bar = ProgressBar::hidden();
    bar.set_style(style("{msg} [{bar:30}] {percent:>3} %{left}"));
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

/// Runs `job` with a sign of life beside `name`, if it is long: for work that cannot say how far it is.
pub fn with_spinner<R>(name: &str, quiet: bool, job: impl FnOnce() -> R) -> R {
    if quiet {
        return job();
    }
    let bar = ProgressBar::new_spinner();
    bar.set_style(style("{msg} {spinner}"));
    bar.set_message(printable(name));
    // The first tick is drawn after this time.
    bar.enable_steady_tick(LONG_JOB / 4);
    let result = job();
    bar.finish_and_clear();
    result
}

/// The progress of a run over many files.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar that counts to `total` files, or none.
    pub fn files(total: u64, hidden: bool) -> Self {
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        bar.set_style(style("[{bar:30}] {pos} of {len} files{left}"));
        Self(bar)
    }

    /// One more file is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Runs `print` while the bar is not on the screen.
    pub fn pause<R>(&self, print: impl FnOnce() -> R) -> R {
        self.0.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// `template`, in which `left` stands for the time left, once it can be told.
fn style(template: &str) -> ProgressStyle {
    let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = text.write_str(&time_left(state.fraction(), state.eta()));
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left).progress_chars("=> ")
}

/// `  12 s left`, or nothing while that is a guess or all is done.
fn time_left(done: f32, left: Duration) -> String {
    match left.as_secs() {
        _ if done < 0.02 => String::new(),
        0 => String::new(),
        left @ ..60 => format!("  {left} s left"),
        left => format!("  {} min {} s left", left / 60, left % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_told_once_it_is_known() {
        assert_eq!(time_left(0.0, Duration::ZERO), "");
        assert_eq!(time_left(0.001, Duration::from_secs(900)), "");
        assert_eq!(time_left(0.5, Duration::from_secs(12)), "  12 s left");
        assert_eq!(time_left(0.5, Duration::from_secs(187)), "  3 min 7 s left");
        assert_eq!(time_left(1.0, Duration::ZERO), "");
    }
}
