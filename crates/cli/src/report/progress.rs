//! Progress on standard error: bars if that is a terminal, else lines at long intervals.

use super::{console, printable};
use brickwork_base::{Progress, Stage, Task};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{
    fmt,
    io::{IsTerminal as _, stderr},
    sync::{Mutex, Once, PoisonError},
    time::{Duration, Instant},
};

/// Time before which no progress bar is shown.
const LONG_JOB: Duration = Duration::from_millis(500);

/// Time between two lines of progress.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Runs `job` with a progress bar on standard error, or lines if that is no terminal, if the job is long.
pub fn with_progress<R>(name: &str, quiet: bool, job: impl FnOnce(&Task<'_>) -> R) -> R {
    shown(|_| name.to_owned(), quiet, job)
}

/// Works like [`with_progress`], with the name of each stage.
pub fn with_stages<R>(name: &str, quiet: bool, job: impl FnOnce(&Task<'_>) -> R) -> R {
    shown(|stage| format!("{name}: {stage}"), quiet, job)
}

fn shown<R>(name: impl Fn(Stage) -> String + Sync, quiet: bool, job: impl FnOnce(&Task<'_>) -> R) -> R {
    match quiet {
        true => job(&Task::new()),
        false if stderr().is_terminal() => with_bar(name, LONG_JOB, ProgressDrawTarget::stderr, job),
        false => {
            let lines = Lines::new(BETWEEN_LINES, console::progress);
            let show = |progress: Progress| {
                let percent = 100 * progress.done.min(progress.total) / progress.total.max(1);
                lines.show(|| format!("{} {percent} %", printable(&name(progress.stage))));
            };
            job(&Task::new().with_progress(&show))
        }
    }
}

/// Lines of progress for logs, at intervals.
struct Lines<P> {
    every: Duration,
    last: Mutex<Instant>,
    print: P,
}

impl<P: Fn(&str)> Lines<P> {
    fn new(every: Duration, print: P) -> Self {
        Self { every, last: Mutex::new(Instant::now()), print }
    }

    /// Prints a line if enough time has passed since the last one.
    fn show(&self, line: impl FnOnce() -> String) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= self.every {
            *last = Instant::now();
            (self.print)(&line());
        }
    }
}

/// Runs `job` with a bar on `target`, which appears after the time `long`.
fn with_bar<R>(
    name: impl Fn(Stage) -> String + Sync,
    long: Duration,
    target: impl Fn() -> ProgressDrawTarget + Sync,
    job: impl FnOnce(&Task<'_>) -> R,
) -> R {
    let start = Instant::now();
    let shown = Once::new();
    let bar = ProgressBar::hidden();
    bar.set_style(style("{msg} [{bar:30}] {percent:>3} %{left}"));
    let current = Mutex::new(None);
    let show = |progress: Progress| {
        if start.elapsed() < long {
            return;
        }
        shown.call_once(|| bar.set_draw_target(target()));
        let mut current = current.lock().unwrap_or_else(PoisonError::into_inner);
        // Reports of a stage may arrive out of order, and each stage starts at 0.
        let stage = Some((progress.stage, progress.total));
        if *current != stage {
            *current = stage;
            bar.set_message(printable(&name(progress.stage)));
            bar.set_position(0);
            bar.reset_eta();
        }
        bar.set_length(progress.total);
        bar.set_position(bar.position().max(progress.done));
    };
    let result = job(&Task::new().with_progress(&show));
    bar.finish_and_clear();
    result
}

/// Progress of a run over many files.
pub struct Bar {
    bar: ProgressBar,
    /// Replaces the bar where there is no terminal.
    lines: Option<Lines<fn(&str)>>,
}

impl Bar {
    /// Creates a bar that counts to `total` files, or none.
    pub fn files(total: u64, hidden: bool) -> Self {
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        bar.set_style(style("[{bar:30}] {pos} of {len} files{left}"));
        let has_lines = !hidden && !stderr().is_terminal();
        let lines = has_lines.then(|| Lines::new(BETWEEN_LINES, console::progress as fn(&str)));
        Self { bar, lines }
    }

    /// Counts a completed file.
    pub fn step(&self) {
        self.bar.inc(1);
        if let (Some(lines), Some(total)) = (&self.lines, self.bar.length()) {
            lines.show(|| format!("{} of {total} files", self.bar.position()));
        }
    }

    /// Runs `print` while the bar is hidden.
    pub fn pause<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the style of `template`, in which the remaining time replaces `left` once it is known.
fn style(template: &str) -> ProgressStyle {
    let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = text.write_str(&time_left(state.fraction(), state.eta()));
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left).progress_chars("=> ")
}

/// Returns `  12 s left`, or nothing while the time is uncertain or all work is done.
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
    use indicatif::TermLike;
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    /// A terminal that keeps all contents of its line.
    #[derive(Clone, Debug, Default)]
    struct Terminal {
        lines: Arc<Mutex<Vec<String>>>,
    }

    impl Terminal {
        fn change(&self, change: impl FnOnce(&str) -> String) -> io::Result<()> {
            let mut lines = self.lines.lock().expect("no panic");
            let line = change(lines.last().map_or("", String::as_str));
            lines.push(line);
            Ok(())
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.change(|line| format!("{line}{text}"))
        }

        fn clear_line(&self) -> io::Result<()> {
            self.change(|_| String::new())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns the successive lines of a terminal during a job that reports `told` of 100.
    fn shown(long: Duration, told: &[(Stage, u64)]) -> Vec<String> {
        let terminal = Terminal::default();
        let target = || ProgressDrawTarget::term_like_with_hz(Box::new(terminal.clone()), 255);
        let result = with_bar(
            |stage| format!("a.png: {stage}"),
            long,
            target,
            |task| {
                for &(stage, done) in told {
                    task.report(stage, done, 100);
                }
                7
            },
        );
        assert_eq!(result, 7);
        let lines = terminal.lines.lock().expect("no panic");
        lines.iter().map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn a_long_job_has_a_bar_that_goes_away_with_it() {
        let lines = shown(Duration::ZERO, &[50, 20, 99, 100].map(|done| (Stage::Reading, done)));
        let has = |text: &str| {
            lines.iter().any(|line| line.starts_with("a.png: reading [") && line.ends_with(text))
        };
        assert!(has("  50 %") && has("  99 %") && has(" 100 %"), "{lines:?}");
        assert!(!has("  20 %"), "it went back: {lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some(""), "it stays: {lines:?}");
    }

    #[test]
    fn each_stage_starts_at_0() {
        let lines = shown(Duration::ZERO, &[(Stage::Analyzing, 100), (Stage::Encoding, 20)]);
        let last = lines.iter().rfind(|line| !line.is_empty()).expect("a bar");
        assert!(last.starts_with("a.png: encoding [") && last.ends_with("  20 %"), "{lines:?}");
    }

    #[test]
    fn a_short_job_has_no_bar() {
        assert_eq!(shown(Duration::from_secs(3600), &[50, 99].map(|done| (Stage::Reading, done))), [""; 0]);
    }

    #[test]
    fn lines_keep_their_distance() {
        let printed = Mutex::new(Vec::new());
        let print = |line: &str| printed.lock().expect("no panic").push(line.to_owned());
        for (every, count) in [(Duration::ZERO, 3), (Duration::from_secs(3600), 0)] {
            let lines = Lines::new(every, print);
            (0..3).for_each(|i| lines.show(|| format!("{i} of 3 files")));
            assert_eq!(printed.lock().expect("no panic").drain(..).count(), count);
        }
    }

    #[test]
    fn the_time_left_is_told_once_it_is_known() {
        assert_eq!(time_left(0.0, Duration::ZERO), "");
        assert_eq!(time_left(0.001, Duration::from_secs(900)), "");
        assert_eq!(time_left(0.5, Duration::from_secs(12)), "  12 s left");
        assert_eq!(time_left(0.5, Duration::from_secs(187)), "  3 min 7 s left");
        assert_eq!(time_left(1.0, Duration::ZERO), "");
    }
}
