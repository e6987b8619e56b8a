//! Counting values and bricks within a bounded memory.

use crate::Dims;
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Values counted one by one.
const DENSE: usize = 1 << 16;

/// Maximum number of distinct values from [`DENSE`] on that are counted: at most 40 MB.
pub(crate) const MAX_VALUES: usize = 1 << 20;

/// The number of occurrences of each value. Memory: 512 KiB for values below 65,536, and a map of at most
/// 1,048,576 others.
#[derive(Debug)]
pub struct Histogram {
    dense: Vec<u64>,
    others: HashMap<u32, u64>,
    has_too_many: bool,
}

impl Default for Histogram {
    /// Returns a histogram without values.
    fn default() -> Self {
        Self { dense: vec![0; DENSE], others: HashMap::new(), has_too_many: false }
    }
}

impl Histogram {
    /// Counts values.
    pub fn add(&mut self, values: &[u32]) {
        for &value in values {
            match self.dense.get_mut(value as usize) {
                Some(count) => *count += 1,
                None => self.add_other(value, 1),
            }
        }
    }

    fn add_other(&mut self, value: u32, count: u64) {
        if self.others.len() < MAX_VALUES || self.others.contains_key(&value) {
            *self.others.entry(value).or_default() += count;
        } else {
            self.has_too_many = true;
        }
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: Self) {
        for (count, more) in self.dense.iter_mut().zip(other.dense) {
            *count += more;
        }
        for (value, count) in other.others {
            self.add_other(value, count);
        }
        self.has_too_many |= other.has_too_many;
    }

    /// Returns the order-0 entropy in bits per value: −Σ p·log2(p). `None` if there were too many distinct
    /// values to count.
    pub fn entropy(&self) -> Option<f64> {
        if self.has_too_many {
            return None;
        }
        let counts = self.dense.iter().chain(self.others.values()).copied();
        let mut counts: Vec<u64> = counts.filter(|&count| count > 0).collect();
        // This makes sums the same for any order of the map.
        counts.sort_unstable();
        let total = counts.iter().sum::<u64>() as f64;
        let bits = |count: u64| count as f64 / total * (total / count as f64).log2();
        Some(counts.into_iter().map(bits).sum())
    }
}

/// Bricks that are the same, by hashes of 128 bits. Memory: a map of `most` hashes. If there are more, only
/// those whose low bits are zero stay, and represent the others.
pub(crate) struct Repeats {
    counts: HashMap<u128, u64>,
    most: usize,
    /// Low bits that must be zero.
    sampled_bits: u32,
}

impl Repeats {
    pub fn new(most: usize) -> Self {
        Self { counts: HashMap::new(), most, sampled_bits: 0 }
    }

    pub fn add(&mut self, hash: u128) {
        if !self.is_sampled(hash) {
            return;
        }
        *self.counts.entry(hash).or_default() += 1;
        while self.counts.len() > self.most {
            self.sampled_bits += 1;
            let mask = (1 << self.sampled_bits) - 1;
            self.counts.retain(|hash, _| hash & mask == 0);
        }
    }

    fn is_sampled(&self, hash: u128) -> bool {
        hash & ((1 << self.sampled_bits) - 1) == 0
    }

    /// Returns the number of repeats, and true if it is exact.
    pub fn finish(&self) -> (u64, bool) {
        let repeated: u64 = self.counts.values().map(|count| count - 1).sum();
        (repeated << self.sampled_bits, self.sampled_bits == 0)
    }
}

/// Returns a 128-bit hash of a box of values: two readings of SipHash's state of 256 bits.
pub(crate) fn hash(dims: Dims, values: &[u32]) -> u128 {
    let mut hasher = DefaultHasher::new();
    (dims, values).hash(&mut hasher);
    let first = hasher.finish();
    hasher.write_u8(1);
    u128::from(first) << 64 | u128::from(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropies_of_known_counts() {
        let mut histogram = Histogram::default();
        histogram.add(&[7; 4]);
        assert_eq!(histogram.entropy(), Some(0.0));
        histogram.add(&[70_000; 4]);
        assert_eq!(histogram.entropy(), Some(1.0));
        let mut other = Histogram::default();
        other.add(&[1, 1, 1, 1, u32::MAX, u32::MAX, 70_000, 70_000]);
        histogram.merge(other);
        // 6 of 70,000, 4 of 7, 4 of 1, 2 of the last, among 16.
        let want = 6.0 / 16.0 * (16f64 / 6.0).log2() + 2.0 * 0.25 * 2.0 + 0.125 * 3.0;
        assert!((histogram.entropy().expect("few values") - want).abs() < 1e-12);
    }

    #[test]
    fn too_many_values_have_no_entropy() {
        let values: Vec<u32> = (0..MAX_VALUES as u32).map(|i| i + 65_536).collect();
        let mut histogram = Histogram::default();
        histogram.add(&values);
        assert!((histogram.entropy().expect("as many as fit") - 20.0).abs() < 1e-9);
        histogram.add(&[3, 65_536]);
        assert!(histogram.entropy().is_some());
        histogram.add(&[u32::MAX]);
        assert_eq!(histogram.entropy(), None);
        assert_eq!(histogram.others.len(), MAX_VALUES);
    }

    #[test]
    fn repeats_are_exact_and_then_estimated() {
        let hashes = |from: u32, to: u32| (from..to).map(|i| hash(Dims::cube(4), &[i; 64]));
        let mut repeats = Repeats::new(1000);
        hashes(0, 1000).chain(hashes(0, 400)).chain(hashes(0, 100)).for_each(|hash| repeats.add(hash));
        assert_eq!(repeats.finish(), (500, true));
        let mut repeats = Repeats::new(1000);
        hashes(0, 40_000).chain(hashes(10_000, 30_000)).for_each(|hash| repeats.add(hash));
        let (count, is_exact) = repeats.finish();
        assert!(!is_exact && (17_000..23_000).contains(&count), "{count}");
        assert!(repeats.counts.len() <= 1000);
    }
}
