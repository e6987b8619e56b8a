//! Indices of a part whose texels have different weights: a texel in each lane.

use crate::simd::{Int, Simd};
use std::ops::Range;

/// Texels of a part, and the colours between its endpoints.
pub(super) struct WeightedPart {
    pub channels: Range<usize>,
    /// Number of texels.
    pub count: usize,
    /// Texels and the weights of their squared errors, `[channel][texel]`. Weights past the part's texels are
    /// 0, others at most 255.
    pub values: [[i32; 16]; 4],
    pub weights: [[i32; 16]; 4],
    /// Number of indices, and the share of the second endpoint at each, in 64ths.
    pub index_count: usize,
    pub factors: [i32; 16],
}

/// The nearest index of each texel, the lowest if several are, and its error. Past the texels, both are 0.
#[derive(Clone, Copy, Default)]
pub(super) struct Nearest {
    pub indices: [i32; 16],
    pub errors: [i32; 16],
}

/// Finds the nearest indices for endpoints of 8 bits.
#[inline(always)]
pub(super) fn nearest_lanes<S: Simd>(s: S, part: &WeightedPart, ends: &[[i32; 4]; 2], found: &mut Nearest) {
    let mut palette = [[0; 16]; 4];
    for c in part.channels.clone() {
        let (start, change) = (s.i(64 * ends[0][c] + 32), s.i(ends[1][c] - ends[0][c]));
        for first in (0..part.index_count).step_by(S::LANES) {
            let value = start + change.mul(s.load_i(&part.factors[first..]));
            value.shr::<6>().store(&mut palette[c][first..]);
        }
    }
    for first in (0..part.count).step_by(S::LANES) {
        let (mut least, mut best) = (s.i(i32::MAX), s.i(0));
        for index in 0..part.index_count {
            let mut error = s.i(0);
            for c in part.channels.clone() {
                let difference = s.load_i(&part.values[c][first..]) - s.i(palette[c][index]);
                error = error + difference.mul(difference).mul(s.load_i(&part.weights[c][first..]));
            }
            let is_less = error.lt(least);
            least = least.or_if(is_less, error);
            best = best.or_if(is_less, s.i(index as i32));
        }
        least.store(&mut found.errors[first..]);
        best.store(&mut found.indices[first..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bc::bc7::{fit::nearest, modes::weights},
        random::Random,
        simd::{AvailableLevel, SimdLevel},
    };

    #[test]
    fn the_first_of_the_nearest_indices_is_found() {
        let mut random = Random(7);
        for round in 0..600 {
            let index_bits = 2 + round % 3;
            let mut factors = [0; 16];
            factors.iter_mut().zip(weights(index_bits)).for_each(|(to, &factor)| *to = factor.into());
            let count = 1 + random.bits(4) as usize;
            let channels = [0..4, 0..3, 3..4][random.bits(8) as usize % 3].clone();
            // Some endpoints are so near that several indices are equally good.
            let bits = if round % 5 == 0 { 3 } else { 8 };
            let ends = [(); 2].map(|()| [(); 4].map(|()| random.bits(bits)));
            let values = [(); 4].map(|()| [(); 16].map(|()| random.bits(bits)));
            let mut weights = [[0; 16]; 4];
            for c in channels.clone() {
                weights[c][..count].fill_with(|| random.bits(8));
            }
            let index_count = 1 << index_bits;
            let part = WeightedPart { channels, count, values, weights, index_count, factors };
            let error = |t: usize, index: usize| {
                let factor = part.factors[index];
                let square = |c: usize| {
                    let value = (ends[0][c] * (64 - factor) + ends[1][c] * factor + 32) / 64;
                    weights[c][t] * (values[c][t] - value).pow(2)
                };
                (0..4).map(square).sum::<i32>()
            };
            let mut expected = Nearest::default();
            for t in 0..count {
                let best = (0..index_count).min_by_key(|&index| error(t, index)).unwrap();
                (expected.indices[t], expected.errors[t]) = (best as i32, error(t, best));
            }
            for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
                let mut found = Nearest::default();
                nearest(level, &part, &ends, &mut found);
                assert_eq!(found.indices[..count], expected.indices[..count], "{level:?}");
                assert_eq!(found.errors, expected.errors, "{level:?}");
            }
        }
    }
}
