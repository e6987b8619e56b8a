//! Time that a call takes, on a machine that may do other work.

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

/// A stopwatch for limits that a busy machine must not exceed.
///
/// Other programs lengthen the time of the wall clock, not the processor time of this process. Threads of
/// other tests in this process lengthen its processor time, but only a busy machine lengthens the time of the
/// wall clock with it. The lesser of the two is therefore the bound.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    wall: Instant,
    process: ProcessTime,
}

impl Stopwatch {
    /// Returns a running stopwatch.
    pub fn start() -> Self {
        Self { wall: Instant::now(), process: ProcessTime::now() }
    }

    /// Returns the time of the wall clock or the processor time of all threads: the shorter of the two.
    pub fn elapsed(self) -> Duration {
        self.wall.elapsed().min(self.process.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the stopwatch measures the lesser of both times.
    fn is_lesser(stopwatch: Stopwatch) -> bool {
        let both = || [stopwatch.wall.elapsed(), stopwatch.process.elapsed()];
        // Other tests run meanwhile: both times only grow.
        let [before, elapsed, after] =
            [both().into_iter().min(), Some(stopwatch.elapsed()), both().into_iter().min()];
        before <= elapsed && elapsed <= after
    }

    #[test]
    fn the_lesser_of_both_times_counts() {
        let working = Stopwatch::start();
        while working.process.elapsed() < Duration::from_millis(20) {}
        assert!(is_lesser(working));
        assert!(working.elapsed() > Duration::ZERO);
        let waiting = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(20));
        assert!(is_lesser(waiting));
    }
}
