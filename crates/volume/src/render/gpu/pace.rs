//! Size of the parts in which a rendering is submitted. Large parts fill a fast GPU. Parts that take seconds
//! would be stopped by drivers, and would end long after the rendering is cancelled.

use std::{
    ops::RangeInclusive,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// Tiles of the first submission.
const FIRST: u32 = 4096;
/// Tiles of any submission, at most one row of workgroups. A picture of 1920×1080 pixels has 64,800.
const TILES: RangeInclusive<u32> = 1024..=65535;
/// Target time of a submission.
const TARGET: Duration = Duration::from_millis(20);

/// Tiles of 8×4 pixels, one per workgroup, of the next submission.
#[derive(Debug)]
pub(super) struct Pace(AtomicU32);

impl Default for Pace {
    fn default() -> Self {
        Self(AtomicU32::new(FIRST))
    }
}

impl Pace {
    pub fn tiles(&self) -> u32 {
        self.0.load(Relaxed)
    }

    /// Takes the time of a submission into account.
    fn learn(&self, tiles: u32, time: Duration) {
        let suited = f64::from(tiles) * TARGET.as_secs_f64() / time.as_secs_f64().max(1e-6);
        let now = self.tiles();
        // A smaller submission, the last of a picture, tells little: each has a fixed cost.
        if tiles >= now || suited < f64::from(now) {
            let suited = suited.min(f64::from(2 * now)) as u32;
            self.0.store(suited.clamp(*TILES.start(), *TILES.end()), Relaxed);
        }
    }
}

/// The times of a rendering's submissions, which the device runs one after the other.
pub(super) struct Stopwatch<'a> {
    pace: &'a Pace,
    now: Option<fn() -> Instant>,
    /// The end of the last submission that is finished.
    finished: Option<Instant>,
}

/// A submission: its tiles, and when it was submitted.
pub(super) struct Started(u32, Option<Instant>);

impl<'a> Stopwatch<'a> {
    /// Without a clock, nothing is learned.
    pub fn new(pace: &'a Pace, now: Option<fn() -> Instant>) -> Self {
        Self { pace, now, finished: None }
    }

    pub fn start(&self, tiles: u32) -> Started {
        Started(tiles, self.now.map(|now| now()))
    }

    pub fn finish(&mut self, Started(tiles, started): Started) {
        let (Some(now), Some(started)) = (self.now.map(|now| now()), started) else { return };
        let ran_since = self.finished.map_or(started, |finished| finished.max(started));
        self.pace.learn(tiles, now - ran_since);
        self.finished = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn fast_devices_get_more_and_slow_ones_less() {
        let pace = Pace::default();
        pace.learn(4096, ms(2));
        assert_eq!(pace.tiles(), 8192, "doubled at most");
        pace.learn(4096, ms(1));
        assert_eq!(pace.tiles(), 8192, "a rest of a picture");
        for _ in 0..5 {
            pace.learn(pace.tiles(), Duration::ZERO);
        }
        assert_eq!(pace.tiles(), 65535);
        pace.learn(65535, ms(160));
        assert_eq!(pace.tiles(), 8191);
        pace.learn(2048, ms(40));
        assert_eq!(pace.tiles(), 1024, "a rest that takes too long");
        pace.learn(1024, ms(2000));
        assert_eq!(pace.tiles(), 1024);
    }

    #[test]
    fn submissions_are_timed_from_the_end_of_the_one_before() {
        let pace = Pace::default();
        let mut stopwatch = Stopwatch::new(&pace, Some(Instant::now));
        // Both were submitted at once; the second ran for no time after the first.
        let long_ago = Instant::now() - ms(2000);
        stopwatch.finish(Started(4096, Some(long_ago)));
        assert_eq!(pace.tiles(), 1024);
        stopwatch.finish(Started(16384, Some(long_ago)));
        assert!(pace.tiles() > 1024);

        let pace = Pace::default();
        let mut stopwatch = Stopwatch::new(&pace, None);
        let started = stopwatch.start(4096);
        stopwatch.finish(started);
        assert_eq!(pace.tiles(), FIRST, "without a clock");
    }
}
