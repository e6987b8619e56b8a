//! The header of a brick: the bits before its bit planes (docs/volume-format.md, 5.1 and 5.2).
//!
//! `avx512` reads the same header from one load, as bytes of 64-bit words.

use super::{
    labels::{RUNS_OF_LABELS, is_label_brick},
    limits::{GROUP, MAX_DICTIONARY, base_bits, delta_width},
    rice_level,
};
use crate::bits::width;

/// The coding of a brick of `RUNS` runs of 64 voxels.
pub(super) struct BrickHeader<const RUNS: usize> {
    pub predictor: usize,
    /// The largest value that codes represent: the range, or the last place in the dictionary.
    pub largest: u32,
    pub has_dictionary: bool,
    /// The distinct values in ascending order; zeros past the last, and without a dictionary.
    pub dictionary: [u32; MAX_DICTIONARY],
    /// The least Rice level.
    pub base: u32,
    /// The Rice level of each group of eight, by run; 0 for those that the brick does not have.
    pub rice_levels: [[u32; 8]; RUNS],
    /// Number of low bits of the first value that are stored in place of a code's remainder.
    pub first_low_bits: u32,
    /// The first value's other bits.
    pub first_high: u32,
    /// True for a label brick, whose Rice levels are 0.
    pub is_label_brick: bool,
    /// The bit at which the bit planes start, or the flags of a label brick.
    pub end: usize,
}

impl<const RUNS: usize> BrickHeader<RUNS> {
    /// Reads the header at byte `start` of a brick of `count` values of 0..=`range`. `None` if the bytes end
    /// too soon.
    #[inline(always)]
    pub fn read(bytes: &[u8], start: usize, range: u32, count: usize) -> Option<Self> {
        let mut position = start * 8;
        let mut take = |count: u32| {
            let value = window(bytes, position)? & ((1 << count) - 1);
            position += count as usize;
            Some(value as u32)
        };
        let predictor = take(4)? as usize;
        let mut dictionary = [0; MAX_DICTIONARY];
        let mut largest = range;
        let has_dictionary = range > 1 && take(1)? == 1;
        if has_dictionary {
            largest = take(4)? + 1;
            for entry in &mut dictionary[1..largest as usize] {
                *entry = take(width(range))?;
            }
            dictionary[largest as usize] = range;
        }
        let mut base = take(base_bits(largest))?;
        let mut delta_bits = take(delta_width(base_bits(largest)))?;
        let is_label_brick = RUNS == RUNS_OF_LABELS && is_label_brick(largest, base, delta_bits);
        if is_label_brick {
            (base, delta_bits) = (0, 0);
        }
        let mut rice_levels = [[0; 8]; RUNS];
        for (run, rice_levels) in rice_levels.iter_mut().enumerate() {
            let groups = if count == 64 * RUNS { 8 } else { groups_of_run(count, run) };
            let deltas = take(groups as u32 * delta_bits)?;
            for (i, rice_level) in rice_levels.iter_mut().enumerate() {
                *rice_level = base + (deltas >> (i as u32 * delta_bits) & ((1 << delta_bits) - 1));
            }
            rice_levels[groups..].fill(0);
        }
        let first_low_bits = rice_level::low_bits(rice_levels[0][0]);
        let first_high = take(width(largest).saturating_sub(first_low_bits))?;
        Some(Self {
            predictor,
            largest,
            has_dictionary,
            dictionary,
            base,
            rice_levels,
            first_low_bits,
            first_high,
            is_label_brick,
            end: position,
        })
    }
}

/// Returns the number of groups of eight in run `run` of a brick of `count` values.
#[inline(always)]
pub(super) fn groups_of_run(count: usize, run: usize) -> usize {
    count.div_ceil(GROUP).saturating_sub(8 * run).min(8)
}

/// Returns the mask of the values with codes among the 64 values of run `run` of a brick of `count`: the
/// first value of the brick has none.
#[inline(always)]
pub(super) const fn coded_of_run(count: usize, run: usize) -> u64 {
    let left = count.saturating_sub(64 * run);
    let coded = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
    if run == 0 { coded & !1 } else { coded }
}

/// Returns at least 57 bits from `position` on.
#[inline(always)]
fn window(bytes: &[u8], position: usize) -> Option<u64> {
    let at = position / 8;
    let window = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(window.try_into().ok()?) >> (position % 8))
}
