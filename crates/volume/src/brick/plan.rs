//! How to code a brick: the predictor and the levels that take the fewest bits.

use super::{GROUP, MAX_ONES, WIDE, base_bits, decode, level, predict, wavefront};
use crate::{bits::width, simd::Bits};
use predict::WEIGHTS;

/// Levels tried around the one a brick's mean asks for; a multiple of four.
const LEVELS_TRIED: usize = 12;

/// Predictors whose size is counted exactly, after an estimate of all.
const PREDICTORS_COUNTED: usize = 3;

/// Bits of a level that cannot hold a group's codes. Eight of them fit 16 bits.
const IMPOSSIBLE: u16 = 1 << 12;

/// Bits of groups by level, four levels to a word of 64 bits, and by group. The last two words stand for levels not tried.
type Sizes = [[[u16; 4]; 8]; LEVELS_TRIED / 4 + 2];

/// Codes of one width.
pub(super) trait Code: Copy + Default + Into<u32> {
    /// A code that fits.
    fn from_u32(code: u32) -> Self;

    /// [`Bits::unary_sizes`] of 64 codes.
    fn unary_sizes<B: Bits>(bits: B, codes: &[Self; 64], k: u32, half: bool, cap: u8) -> [u64; 8];
}

impl Code for u16 {
    #[inline(always)]
    fn from_u32(code: u32) -> Self {
        code as Self
    }

    #[inline(always)]
    fn unary_sizes<B: Bits>(bits: B, codes: &[Self; 64], k: u32, half: bool, cap: u8) -> [u64; 8] {
        bits.unary_sizes(codes, k, half, cap)
    }
}

impl Code for u32 {
    #[inline(always)]
    fn from_u32(code: u32) -> Self {
        code
    }

    #[inline(always)]
    fn unary_sizes<B: Bits>(bits: B, codes: &[Self; 64], k: u32, half: bool, cap: u8) -> [u64; 8] {
        bits.unary_sizes(&codes.map(|code| (code >> k).min(255) as u16), 0, half, cap)
    }
}

/// One way to code a brick of `COUNT` voxels.
pub(super) struct Plan<C, const COUNT: usize> {
    pub predictor: usize,
    pub base: u32,
    pub delta_bits: u32,
    /// By chunk of 64 voxels and group.
    pub levels: [[u32; 8]; 8],
    /// About how many bits it takes, the header's left out.
    pub bits: u32,
    pub codes: [C; COUNT],
}

impl<C: Code, const COUNT: usize> Plan<C, COUNT> {
    /// The cheapest plan found for values of 0..=`range`.
    #[inline(always)]
    pub fn best<B: Bits, const SIDE: usize, const CHUNKS: usize>(
        bits: B,
        values: &[u32; COUNT],
        range: u32,
    ) -> Self {
        let plan = Self {
            predictor: 0,
            base: 0,
            delta_bits: 0,
            levels: [[0; 8]; 8],
            bits: u32::MAX,
            codes: [C::default(); COUNT],
        };
        if range <= wavefront::NARROW as u32 {
            plan.best_of::<_, _, CHUNKS>(
                bits,
                range,
                &Of::<_, SIDE> { values: narrow::Padded::new(values), range },
            )
        } else if range < WIDE {
            plan.best_of::<_, _, CHUNKS>(
                bits,
                range,
                &Of::<_, SIDE> { values: middle::Padded::new(values), range },
            )
        } else {
            plan.best_of::<_, _, CHUNKS>(bits, range, &Of::<_, SIDE> { values: *values, range })
        }
    }

    /// The best of the plans for those predictors whose estimates are least.
    #[inline(always)]
    fn best_of<B: Bits, P: Predict<COUNT>, const CHUNKS: usize>(
        mut self,
        bits: B,
        range: u32,
        values: &P,
    ) -> Self {
        let mut estimates = [0; predict::COUNT];
        for (predictor, estimate) in estimates.iter_mut().enumerate() {
            *estimate = values.estimate(predictor);
        }
        for _ in 0..PREDICTORS_COUNTED {
            let mut predictor = 0;
            for i in 1..predict::COUNT {
                if estimates[i] < estimates[predictor] {
                    predictor = i;
                }
            }
            estimates[predictor] = u32::MAX;
            self.take_if_better::<B, CHUNKS>(bits, predictor, &values.codes(predictor), range);
        }
        self
    }

    /// Takes the best levels for `codes` if they need fewer bits.
    #[inline(always)]
    fn take_if_better<B: Bits, const CHUNKS: usize>(
        &mut self,
        bits: B,
        predictor: usize,
        codes: &[C; COUNT],
        range: u32,
    ) {
        let largest = codes.iter().fold(0, |largest, &code| largest | code.into());
        let total: u64 = codes.iter().map(|&code| u64::from(code.into())).sum();
        let mean = (total / COUNT as u64) as u32;
        // No code may need more ones than the planes hold.
        let least = match width(largest).saturating_sub(width(MAX_ONES)) {
            0 => 0,
            k => 1 + 2 * k,
        };
        let lowest = (2 * width(mean)).saturating_sub(6).max(least);
        let highest = (1 << base_bits(range)) - 1;

        let mut sizes: [Sizes; CHUNKS] = [[[[IMPOSSIBLE; 4]; 8]; LEVELS_TRIED / 4 + 2]; CHUNKS];
        for (chunk, (codes, sizes)) in codes.as_chunks::<64>().0.iter().zip(&mut sizes).enumerate() {
            for (word, sizes) in sizes[..LEVELS_TRIED / 4].iter_mut().enumerate() {
                let mut words = [0; 8];
                for i in 0..4 {
                    let level = (lowest + (4 * word + i) as u32).min(highest);
                    let mut levels = group_sizes(bits, codes, level, range);
                    if chunk == 0 {
                        levels[0] = levels[0].wrapping_add(first_size(level, range));
                    }
                    for (words, level) in words.iter_mut().zip(levels) {
                        *words |= level << (16 * i);
                    }
                }
                *sizes = bytemuck::cast(words);
            }
        }
        for i in (0..LEVELS_TRIED).filter(|&i| lowest + i as u32 > highest) {
            for sizes in &mut sizes {
                for group in &mut sizes[i / 4] {
                    group[i % 4] = IMPOSSIBLE;
                }
            }
        }
        // For each count of bits of a delta the bits by base level, then their least, in this order where they are equal.
        let mut sums = [[0; LEVELS_TRIED]; 4];
        for sizes in sizes {
            let mut words = bytemuck::cast(sizes);
            for (delta_bits, sums) in sums.iter_mut().enumerate() {
                let bits: [u16; LEVELS_TRIED] = bytemuck::cast(bits.least_of_pairs(&mut words, delta_bits));
                for (sum, bits) in sums.iter_mut().zip(bits) {
                    *sum += u32::from(bits) + (GROUP * delta_bits) as u32;
                }
            }
        }
        let keys = sums.as_flattened().iter().zip(0..).map(|(&sum, i)| sum << 8 | i);
        let best = keys.fold(u32::MAX, u32::min);
        let (all, delta_bits, j) = (best >> 8, (best & 0xff) / LEVELS_TRIED as u32, best as usize & 0xff);
        let j = j % LEVELS_TRIED;
        if all >= self.bits {
            return;
        }
        for (levels, sizes) in self.levels.iter_mut().zip(&sizes) {
            for (g, level) in levels.iter_mut().enumerate() {
                let deltas = j..j + (1 << delta_bits);
                *level = lowest + deltas.min_by_key(|&j| sizes[j / 4][g][j % 4]).unwrap_or(j) as u32;
            }
        }
        (self.predictor, self.codes, self.bits) = (predictor, *codes, all);
        (self.base, self.delta_bits) = (lowest + j as u32, delta_bits);
    }
}

/// What predictors make of a brick's values.
trait Predict<const COUNT: usize> {
    /// About how many bits the codes take, up to a factor and a summand that all predictors share.
    fn estimate(&self, predictor: usize) -> u32;

    /// The codes.
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT];
}

/// Values of 0..=`range`, of a brick with `SIDE` voxels along each side.
struct Of<V, const SIDE: usize> {
    values: V,
    range: u32,
}

impl<const SIDE: usize, const COUNT: usize> Predict<COUNT> for Of<narrow::Padded<COUNT>, SIDE> {
    #[inline(always)]
    fn estimate(&self, predictor: usize) -> u32 {
        narrow::estimate(&self.values.predict::<SIDE>(predictor, self.range))
    }

    #[inline(always)]
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT] {
        self.values.predict::<SIDE>(predictor, self.range).map(|code| C::from_u32(code.into()))
    }
}

impl<const SIDE: usize, const COUNT: usize> Predict<COUNT> for Of<middle::Padded<COUNT>, SIDE> {
    #[inline(always)]
    fn estimate(&self, predictor: usize) -> u32 {
        middle::estimate(&self.values.predict::<SIDE>(predictor, self.range))
    }

    #[inline(always)]
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT] {
        self.values.predict::<SIDE>(predictor, self.range).map(C::from_u32)
    }
}

/// Wide bricks.
impl<const SIDE: usize, const COUNT: usize> Predict<COUNT> for Of<[u32; COUNT], SIDE> {
    #[inline(always)]
    fn estimate(&self, predictor: usize) -> u32 {
        match predictor {
            // The same as 2.
            1 | 9.. => u32::MAX,
            // Four codes are added up, in 32 bits.
            _ => {
                middle::estimate(&predict_wide::<SIDE, COUNT>(predictor, &self.values).map(|code| code >> 2))
            }
        }
    }

    #[inline(always)]
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT] {
        predict_wide::<SIDE, COUNT>(predictor, &self.values).map(C::from_u32)
    }
}

/// Bits of eight groups of codes at `level`.
#[inline(always)]
fn group_sizes<B: Bits, C: Code>(bits: B, codes: &[C; 64], level: u32, range: u32) -> [u64; 8] {
    if level == 0 {
        let sizes = C::unary_sizes(bits, codes, 0, false, 2);
        return sizes.map(|size| if size == GROUP as u64 { 0 } else { IMPOSSIBLE.into() });
    }
    let (k, t) = level::split(level);
    let sizes = C::unary_sizes(bits, codes, k, t == 1, level::most_ones(level, range) as u8);
    sizes.map(|size| size + 8 * u64::from(k))
}

/// What the first voxel adds to its group: it is no code, but its low bits lie where a remainder would.
#[inline(always)]
fn first_size(level: u32, range: u32) -> u64 {
    let (k, t) = if level == 0 { (0, 0) } else { level::split(level) };
    let own = if level == 0 { 0 } else { level::most_ones(level, range).min(1) + t };
    u64::from(width(range).saturating_sub(k)).wrapping_sub(own.into())
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
            use super::{LANES_4, LANES_8, predict};

            /// A brick's values after as many zeros, so that every voxel may look back.
            pub struct Padded<const COUNT: usize> {
                values: [[$int; COUNT]; 2],
            }

            impl<const COUNT: usize> Padded<COUNT> {
                #[inline(always)]
                pub fn new(values: &[u32; COUNT]) -> Self {
                    Self { values: [[0; COUNT], values.map(|value| value as $int)] }
                }

                /// The codes of the values under `predictor`; the first is zero.
                #[inline(always)]
                pub fn predict<const SIDE: usize>(&self, predictor: usize, range: u32) -> [$unsigned; COUNT] {
                    let range = range as $int;
                    let mut codes = [0; COUNT];
                    let table = if SIDE == 4 { &LANES_4[predictor] } else { &LANES_8[predictor] };
                    for (row, codes) in codes.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                        let at = COUNT + 16 * row;
                        let kind = if SIDE == 4 {
                            usize::from(row > 0)
                        } else {
                            usize::from(row > 3) + 2 * usize::from(row % 4 > 0)
                        };
                        let values: &[$int; 16] =
                            self.values.as_flattened()[at..at + 16].try_into().expect("16 values");
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
                            self.values.as_flattened()[at - back..][..16].try_into().expect("16 values");
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
