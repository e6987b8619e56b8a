//! Count, extent, mean and deviation.

use super::{FiniteStatistics, ValueStatistics};

/// Moments of values. Merged in the same order, they are the same bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    /// Number of finite values.
    pub count: u64,
    pub nan: u64,
    pub infinite: u64,
    mean: f64,
    /// Sum of the squares of the differences from the mean.
    squares: f64,
    minimum: f64,
    maximum: f64,
}

impl Moments {
    /// Returns the moments of values, in two passes.
    pub fn of(values: &[f64]) -> Self {
        Self::of_runs(|| [values].into_iter())
    }

    /// Returns the moments of values that are in several runs.
    pub fn of_runs<'a, I: Iterator<Item = &'a [f64]>>(runs: impl Fn() -> I) -> Self {
        let mut sums = Self { minimum: f64::INFINITY, maximum: f64::NEG_INFINITY, ..Self::default() };
        let mut sum = 0.0;
        for &value in runs().flatten() {
            if value.is_finite() {
                sums.count += 1;
                sum += value;
                sums.minimum = sums.minimum.min(value);
                sums.maximum = sums.maximum.max(value);
            } else if value.is_nan() {
                sums.nan += 1;
            } else {
                sums.infinite += 1;
            }
        }
        if sums.count == 0 {
            return Self { nan: sums.nan, infinite: sums.infinite, ..Self::default() };
        }
        sums.mean = sum / sums.count as f64;
        let squares = runs().flatten().filter(|value| value.is_finite());
        sums.squares = squares.map(|value| (value - sums.mean).powi(2)).sum();
        sums
    }

    /// Returns the moments of `count` finite values.
    pub const fn known(count: u64, mean: f64, squares: f64, [minimum, maximum]: [f64; 2]) -> Self {
        Self { count, nan: 0, infinite: 0, mean, squares, minimum, maximum }
    }

    /// Adds the values of `other` (Chan, Golub and LeVeque 1979).
    pub fn merge(&mut self, other: &Self) {
        self.nan += other.nan;
        self.infinite += other.infinite;
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            let (nan, infinite) = (self.nan, self.infinite);
            *self = Self { nan, infinite, ..*other };
            return;
        }
        let (a, b) = (self.count as f64, other.count as f64);
        let difference = other.mean - self.mean;
        self.count += other.count;
        self.mean += difference * (b / (a + b));
        self.squares += other.squares + difference * difference * (a * b / (a + b));
        self.minimum = self.minimum.min(other.minimum);
        self.maximum = self.maximum.max(other.maximum);
    }

    /// Returns the statistics, without percentiles.
    pub fn statistics(&self) -> ValueStatistics {
        let finite = (self.count > 0).then(|| FiniteStatistics {
            minimum: self.minimum,
            maximum: self.maximum,
            mean: self.mean,
            deviation: (self.squares / self.count as f64).sqrt(),
            percentiles: Vec::new(),
        });
        let Self { nan, infinite, .. } = *self;
        ValueStatistics { count: self.count + nan + infinite, nan, infinite, finite }
    }
}
