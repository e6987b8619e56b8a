//! How to code a brick: the predictor and the levels that take the fewest bits.

use super::{GROUP, MAX_ONES, WIDE, base_bits, decode, level, predict, wavefront};
use crate::bits::width;
use predict::WEIGHTS;
use std::array;

/// Levels tried around the one a brick's mean asks for.
const LEVELS_TRIED: usize = 12;

/// Predictors whose size is counted exactly, after an estimate of all.
const PREDICTORS_COUNTED: usize = 3;

/// Bits of a level that cannot hold a group's codes.
const IMPOSSIBLE: u32 = 1 << 24;

/// One way to code a brick of `COUNT` voxels.
pub(super) struct Plan<const COUNT: usize> {
    pub predictor: usize,
    pub base: u32,
    pub delta_bits: u32,
    /// By chunk of 64 voxels and group.
    pub levels: [[u32; 8]; 8],
    /// About how many bits it takes, the header's left out.
    pub bits: u32,
    pub codes: [u32; COUNT],
}

impl<const COUNT: usize> Plan<COUNT> {
    /// The cheapest plan found for values of 0..=`range`.
    #[inline(always)]
    pub fn best<const SIDE: usize>(values: &[u32; COUNT], range: u32) -> Self {
        let mut estimates = [u32::MAX; predict::COUNT];
        let (narrow, middle) = (narrow::Padded::new(values), middle::Padded::new(values));
        if range <= wavefront::NARROW as u32 {
            for (predictor, estimate) in estimates.iter_mut().enumerate() {
                *estimate = narrow::estimate(&narrow.predict::<SIDE, COUNT>(predictor, range));
            }
        } else if range < WIDE {
            for (predictor, estimate) in estimates.iter_mut().enumerate() {
                *estimate = middle::estimate(&middle.predict::<SIDE, COUNT>(predictor, range));
            }
        } else {
            for predictor in [0, 2, 3, 4, 5, 6, 7, 8] {
                // Four codes are added up, in 32 bits.
                let codes = predict_wide::<SIDE, COUNT>(predictor, values);
                estimates[predictor] = middle::estimate(&codes.map(|code| code >> 2));
            }
        }
        let mut plan = Self {
            predictor: 0,
            base: 0,
            delta_bits: 0,
            levels: [[0; 8]; 8],
            bits: u32::MAX,
            codes: [0; COUNT],
        };
        for _ in 0..PREDICTORS_COUNTED {
            let mut predictor = 0;
            for i in 1..predict::COUNT {
                if estimates[i] < estimates[predictor] {
                    predictor = i;
                }
            }
            estimates[predictor] = u32::MAX;
            let codes = if range <= wavefront::NARROW as u32 {
                let codes = narrow.predict::<SIDE, COUNT>(predictor, range);
                array::from_fn(|i| u32::from(codes[i]))
            } else if range < WIDE {
                middle.predict::<SIDE, COUNT>(predictor, range)
            } else {
                predict_wide::<SIDE, COUNT>(predictor, values)
            };
            plan.take_if_better(predictor, codes, range);
        }
        plan
    }

    /// Takes the best levels for `codes` if they need fewer bits.
    #[inline(always)]
    fn take_if_better(&mut self, predictor: usize, codes: [u32; COUNT], range: u32) {
        let chunk_count = COUNT / 64;
        let largest = codes.iter().fold(0, |largest, &code| largest | code);
        let total: u64 = codes.iter().map(|&code| u64::from(code)).sum();
        let mean = (total / COUNT as u64) as u32;
        // No code may need more ones than the planes hold.
        let least = match width(largest).saturating_sub(width(MAX_ONES)) {
            0 => 0,
            k => 1 + 2 * k,
        };
        let lowest = (2 * width(mean)).saturating_sub(6).max(least);
        let highest = (1 << base_bits(range)) - 1;

        // Bits by chunk, level and group.
        let mut bits = [[[IMPOSSIBLE; 8]; LEVELS_TRIED + 8]; 8];
        for (chunk, (codes, bits)) in codes.as_chunks::<64>().0.iter().zip(&mut bits).enumerate() {
            let mut columns = [[0; 8]; GROUP];
            for (i, column) in columns.iter_mut().enumerate() {
                *column = array::from_fn(|g| codes[GROUP * g + i]);
            }
            for (level, bits) in (lowest..=highest).zip(&mut bits[..LEVELS_TRIED]) {
                *bits = group_bits(&columns, level, range);
                if chunk == 0 {
                    // The first voxel is no code: its low bits lie where its remainder would.
                    let (k, t) = if level == 0 { (0, 0) } else { level::split(level) };
                    let own = if level == 0 { 0 } else { level::most_ones(level, range).min(1) + t };
                    bits[0] = bits[0] - own + width(range).saturating_sub(k);
                }
            }
        }
        let mut best = (0, 0, u32::MAX);
        let mut least_bits = bits;
        for delta_bits in 0..4 {
            let mut sums = [(GROUP * chunk_count * delta_bits) as u32; LEVELS_TRIED];
            for bits in &mut least_bits[..chunk_count] {
                for j in 0..LEVELS_TRIED {
                    if delta_bits > 0 {
                        let other = bits[j + (1 << (delta_bits - 1))];
                        for g in 0..8 {
                            bits[j][g] = bits[j][g].min(other[g]);
                        }
                    }
                    sums[j] += bits[j].iter().sum::<u32>();
                }
            }
            for (j, &sum) in sums.iter().enumerate() {
                if sum < best.2 {
                    best = (j, delta_bits, sum);
                }
            }
        }
        let (j, delta_bits, all) = best;
        if all >= self.bits {
            return;
        }
        for (levels, bits) in self.levels.iter_mut().zip(&bits[..chunk_count]) {
            for (g, level) in levels.iter_mut().enumerate() {
                let deltas = j..(j + (1 << delta_bits)).min(bits.len());
                *level = lowest + deltas.min_by_key(|&j| bits[j][g]).unwrap_or(j) as u32;
            }
        }
        (self.predictor, self.codes, self.bits) = (predictor, codes, all);
        (self.base, self.delta_bits) = (lowest + j as u32, delta_bits as u32);
    }
}

/// Bits of eight groups of codes, a column each, at `level`.
#[inline(always)]
fn group_bits(columns: &[[u32; 8]; GROUP], level: u32, range: u32) -> [u32; 8] {
    let mut bits = [0; 8];
    if level == 0 {
        for column in columns {
            for g in 0..8 {
                bits[g] |= if column[g] == 0 { 0 } else { IMPOSSIBLE };
            }
        }
        return bits;
    }
    let (k, t) = level::split(level);
    let cap = level::most_ones(level, range);
    bits = [8 * k; 8];
    for column in columns {
        for g in 0..8 {
            let ones = (column[g] >> k).saturating_sub(t);
            bits[g] += (ones + 1).min(cap) + if ones == 0 { t } else { 0 };
        }
    }
    bits
}

/// The codes of a wide brick; the first is zero.
#[inline(always)]
fn predict_wide<const SIDE: usize, const COUNT: usize>(
    predictor: usize,
    values: &[u32; COUNT],
) -> [u32; COUNT] {
    let backs = predict::backs(SIDE);
    let mut codes = *values;
    if predictor != 0 {
        for i in 1..COUNT {
            let prediction = decode::wide_prediction(predictor, values, i, SIDE, &backs);
            let difference = values[i].wrapping_sub(prediction);
            codes[i] = (difference << 1) ^ ((difference as i32) >> 31) as u32;
        }
    }
    codes[0] = 0;
    codes
}

/// Zeros before a brick's values, so that every voxel may look back.
const PAD: usize = 80;

/// Weights of 16 voxels in a row, by predictor and kind of row: for sides of 4 that is whether z > 0, for 8 that and twice
/// whether y > 1.
const fn lanes<const SIDE: usize>() -> [[[[i8; 16]; 8]; 4]; predict::COUNT] {
    let mut table = [[[[0; 16]; 8]; 4]; predict::COUNT];
    let mut predictor = 0;
    while predictor < predict::COUNT {
        let mut i = 0;
        while i < 4 * 16 {
            let (kind, lane) = (i / 16, i % 16);
            let y = lane / SIDE + kind / 2 * 2;
            let class = (lane % SIDE > 0) as usize | ((y > 0) as usize) << 1 | (kind % 2) << 2;
            let mut weight = 0;
            while weight < 8 {
                table[predictor][kind][weight][lane] = WEIGHTS[predictor][class][weight];
                weight += 1;
            }
            i += 1;
        }
        predictor += 1;
    }
    table
}

static LANES_4: [[[[i8; 16]; 8]; 4]; predict::COUNT] = lanes::<4>();
static LANES_8: [[[[i8; 16]; 8]; 4]; predict::COUNT] = lanes::<8>();

/// Predictions in numbers of one width.
macro_rules! predictions {
    ($name:ident, $int:ident, $unsigned:ident) => {
        mod $name {
            use super::{LANES_4, LANES_8, PAD, predict};

            /// A brick's values after [`PAD`] zeros.
            pub struct Padded {
                values: [$int; PAD + 512],
            }

            impl Padded {
                #[inline(always)]
                pub fn new(values: &[u32]) -> Self {
                    let mut padded = [0; PAD + 512];
                    for (padded, value) in padded[PAD..].iter_mut().zip(values) {
                        *padded = *value as $int;
                    }
                    Self { values: padded }
                }

                /// The codes of the values under `predictor`; the first is zero.
                #[inline(always)]
                pub fn predict<const SIDE: usize, const COUNT: usize>(
                    &self,
                    predictor: usize,
                    range: u32,
                ) -> [$unsigned; COUNT] {
                    let range = range as $int;
                    let mut codes = [0; COUNT];
                    let table = if SIDE == 4 { &LANES_4[predictor] } else { &LANES_8[predictor] };
                    for (row, codes) in codes.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                        let at = PAD + 16 * row;
                        let kind = if SIDE == 4 {
                            usize::from(row > 0)
                        } else {
                            usize::from(row > 3) + 2 * usize::from(row % 4 > 0)
                        };
                        let values: &[$int; 16] = self.values[at..at + 16].try_into().expect("16 values");
                        match predictor {
                            0 => *codes = values.map(|value| value as $unsigned),
                            1 => *codes = values.map(|value| (range - value) as $unsigned),
                            _ => *codes = self.predict_row::<SIDE>(at, values, &table[kind], range),
                        }
                    }
                    codes[0] = 0;
                    codes
                }

                #[inline(always)]
                fn predict_row<const SIDE: usize>(
                    &self,
                    at: usize,
                    values: &[$int; 16],
                    weights: &[[i8; 16]; 8],
                    range: $int,
                ) -> [$unsigned; 16] {
                    let mut sums = [0; 16];
                    for lane in 0..16 {
                        sums[lane] = $int::from(weights[7][lane]) * range + 8;
                    }
                    for (back, weights) in predict::backs(SIDE).into_iter().zip(weights) {
                        let neighbours: &[$int; 16] =
                            self.values[at - back..][..16].try_into().expect("16 values");
                        for lane in 0..16 {
                            // Sums on the way may wrap around, the whole does not.
                            let product = $int::from(weights[lane]).wrapping_mul(neighbours[lane]);
                            sums[lane] = sums[lane].wrapping_add(product);
                        }
                    }
                    let mut codes = [0; 16];
                    for lane in 0..16 {
                        let prediction = (sums[lane] >> 4).max(0).min(range);
                        codes[lane] = fold(values[lane], prediction, range);
                    }
                    codes
                }
            }

            /// The place of `value` among 0..=range around `prediction`: 0, −1, 1, −2, 2, …, then those of the longer side
            /// (as in the paper).
            #[inline(always)]
            fn fold(value: $int, prediction: $int, range: $int) -> $unsigned {
                let difference = value - prediction;
                let both = prediction.min(range - prediction);
                let size = difference.abs();
                let near = 2 * size - $int::from(difference < 0);
                (if size > both { size + both } else { near }) as $unsigned
            }

            /// About how many bits codes take, up to a factor and a summand that all predictors share.
            #[inline(always)]
            pub fn estimate<const COUNT: usize>(codes: &[$unsigned; COUNT]) -> u32 {
                let mut total = 0;
                for chunk in codes.as_chunks::<64>().0 {
                    let mut sums: [$unsigned; 16] = [3; 16];
                    for slice in chunk.as_chunks::<16>().0 {
                        for lane in 0..16 {
                            // Of wide codes it may wrap around: it is only an estimate.
                            sums[lane] = sums[lane].wrapping_add(slice[lane] >> 1);
                        }
                    }
                    for sum in sums {
                        // The bits of a float are, near enough, its logarithm.
                        total += (sum as i32 as f32).to_bits() >> 12;
                    }
                }
                total
            }
        }
    };
}

predictions!(narrow, i16, u16);
predictions!(middle, i32, u32);
