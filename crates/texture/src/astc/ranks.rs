//! Ranks of weights, lowest first, and their weights.

use super::sequence::{RANGES, WEIGHT_RANGES};
use crate::simd::{Float, Int, Simd};

/// Factor and summand of the weights of a range, in 64ths: ⌊rank · factor + summand⌋ up to the middle, by
/// number of the range. All products and sums are exact.
static WEIGHTS: [[f32; 2]; WEIGHT_RANGES] = [
    [64.0, 0.0],
    [32.0, 0.0],
    [21.0, 0.0],
    [16.0, 0.0],
    [12.5, 0.0],
    [9.0, 0.0],
    [7.0, 0.0],
    [5.75, 0.0],
    [4.1875, 0.25],
    [3.296875, 0.0],
    [2.75, 0.0],
    [2.0, 0.0],
];

/// Highest rank of each range.
static LAST: [f32; WEIGHT_RANGES] = {
    let mut last = [0.0; WEIGHT_RANGES];
    let mut range = 0;
    while range < WEIGHT_RANGES {
        last[range] = (RANGES[range].levels() - 1) as f32;
        range += 1;
    }
    last
};

/// Weights of the ranks of each range, in 64ths.
static WEIGHTS_OF_RANKS: [[f32; 32]; WEIGHT_RANGES] = {
    let mut weights = [[0.0; 32]; WEIGHT_RANGES];
    let mut range = 0;
    while range < WEIGHT_RANGES {
        let last = RANGES[range].levels() - 1;
        let mut rank = 0;
        while rank <= last {
            let low = if rank <= last - rank { rank } else { last - rank };
            // (Positive, so that the conversion rounds down.)
            let weight = (low as f32 * WEIGHTS[range][0] + WEIGHTS[range][1]) as u32 as f32;
            weights[range][rank] = if low == rank { weight } else { 64.0 - weight };
            rank += 1;
        }
        range += 1;
    }
    weights
};

/// Range of weights in the form that lanes need.
#[derive(Clone, Copy)]
pub(crate) struct Ranks<S: Simd> {
    /// Rank of the highest weight.
    pub last: S::F,
    factor: S::F,
    summand: S::F,
    /// Weights, if all lanes have the same.
    table: Option<&'static [f32; 32]>,
}

impl<S: Simd> Ranks<S> {
    #[inline(always)]
    pub fn new(s: S, range: usize) -> Self {
        let [factor, summand] = WEIGHTS[range];
        Self {
            last: s.f(LAST[range]),
            factor: s.f(factor),
            summand: s.f(summand),
            table: if S::HAS_LOOKUP { Some(&WEIGHTS_OF_RANKS[range]) } else { None },
        }
    }

    /// Returns the ranges with the numbers `ranges`, one for each lane.
    #[inline(always)]
    pub fn of_lanes(s: S, ranges: S::I) -> Self {
        let numbers = ranges.shl::<1>();
        Self {
            last: s.gather(&LAST, ranges),
            factor: s.gather(WEIGHTS.as_flattened(), numbers),
            summand: s.gather(WEIGHTS.as_flattened(), numbers + s.i(1)),
            table: None,
        }
    }

    /// Returns the weight of a rank in 64ths.
    #[inline(always)]
    pub fn weight(&self, s: S, rank: S::F) -> S::F {
        if let Some(table) = self.table {
            return s.lookup(table, rank.to_i());
        }
        let other = self.last - rank;
        let weight = rank.min(other).mul_add(self.factor, self.summand).floor();
        weight.or_if(other.lt(rank), s.f(64.0) - weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        astc::{groups::weight_codes, levels},
        simd::Scalar,
    };

    /// Checks that the weights of ranks are those of the format.
    #[test]
    fn weights_of_ranks_are_those_of_codes() {
        for range in 0..WEIGHT_RANGES {
            let ranks = Ranks::new(Scalar, range);
            let codes = weight_codes(range);
            for rank in 0..RANGES[range].levels() {
                let expected = levels::weights(range)[usize::from(codes[rank])];
                assert_eq!(ranks.weight(Scalar, rank as f32), f32::from(expected), "{range} {rank}");
            }
        }
    }
}
