//! Bins of a histogram.

use super::ValueHistogram;

/// Bins of equal width.
pub struct Bins {
    edges: Vec<f64>,
    counts: Vec<u64>,
}

impl Bins {
    /// Returns empty bins over a range, as NumPy divides it: a range of one value is widened by half to both
    /// sides. `None` if the width is not finite.
    pub fn new(count: usize, [low, high]: [f64; 2]) -> Option<Self> {
        let [low, high] = if low == high { [low - 0.5, high + 0.5] } else { [low, high] };
        let step = (high - low) / count as f64;
        let mut edges: Vec<f64> = (0..=count).map(|edge| edge as f64 * step + low).collect();
        edges[count] = high;
        step.is_finite().then(|| Self { edges, counts: vec![0; count] })
    }

    /// Returns the bin of a value; `None` outside the range.
    fn of(&self, value: f64) -> Option<usize> {
        let last = self.counts.len() - 1;
        let is_inside = (self.edges[0]..=self.edges[last + 1]).contains(&value);
        is_inside.then(|| self.edges[1..=last].partition_point(|&edge| edge <= value))
    }

    /// Adds `count` equal values.
    pub fn add_value(&mut self, value: f64, count: u64) {
        if let Some(bin) = self.of(value) {
            self.counts[bin] += count;
        }
    }

    /// Returns bins and the number of values in them, without empty ones.
    pub fn count(&self, values: &[f64]) -> Vec<(usize, u64)> {
        let mut bins: Vec<usize> = values.iter().filter_map(|&value| self.of(value)).collect();
        bins.sort_unstable();
        bins.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
    }

    /// Adds the result of [`count`](Self::count).
    pub fn add(&mut self, counts: &[(usize, u64)]) {
        for &(bin, count) in counts {
            self.counts[bin] += count;
        }
    }

    pub fn into_histogram(self) -> ValueHistogram {
        ValueHistogram { edges: self.edges, counts: self.counts }
    }
}
