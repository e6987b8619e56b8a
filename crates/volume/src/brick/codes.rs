//! The codes that predictors make of a brick's values, and an estimate of their cost.

use super::{
    limits::{GROUP, MAX_DICTIONARY},
    predict,
    shape::dims_of,
};
use crate::simd::Bits;
use predict::WEIGHTS;

/// The largest range of *few* values: all ranges of places in a dictionary.
const MAX_FEW: u32 = MAX_DICTIONARY as u32 - 1;

/// Codes of one width.
pub(super) trait Code: Copy + Default + Into<u32> {
    /// Converts a code that fits.
    fn from_u32(code: u32) -> Self;

    /// Returns the code with only the bits of `mask`.
    fn masked(self, mask: u32) -> Self {
        Self::from_u32(self.into() & mask)
    }

    /// Works like [`Bits::unary_sizes`] for 64 codes.
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
        bits.unary_sizes(&mapped(codes, |code| (code >> k).min(255) as u16), 0, half, cap)
    }
}

/// The predictions of a brick's values.
pub(super) trait Predict<const COUNT: usize> {
    /// Returns an estimate of the codes' size in bits, up to a factor and a summand that all predictors
    /// share. Returns `u32::MAX` for predictors whose codes equal those of another.
    fn estimate(&self, predictor: usize) -> u32;

    /// Returns the estimate for these codes.
    fn estimate_of<C: Code>(&self, codes: &[C; COUNT]) -> u32;

    /// Returns the codes.
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT];
}

/// Returns the results of `change` for all numbers. (`array::map` calls a function for each of many.)
#[inline(always)]
pub(super) fn mapped<T: Copy, U: Copy + Default, const N: usize>(
    numbers: &[T; N],
    change: impl Fn(T) -> U,
) -> [U; N] {
    let mut changed = [U::default(); N];
    for (changed, &number) in changed.iter_mut().zip(numbers) {
        *changed = change(number);
    }
    changed
}

/// Returns the size in bits of codes up to [`MAX_FEW`] in unary: each takes one bit more than its value, and
/// a group of zeros takes none. (The other estimates halve codes and add up columns, which cannot distinguish
/// codes of 0 and 1.)
#[inline(always)]
fn estimate_few<const WIDTH: usize, const COUNT: usize>(codes: &[u16; COUNT]) -> u32 {
    let dims = dims_of(WIDTH);
    let words = codes.as_chunks::<4>().0;
    let word =
        |x: usize, y: usize, z: usize| -> u64 { bytemuck::cast(words[x + WIDTH / 4 * (y + dims.y * z)]) };
    let mut total = 0;
    for z in (0..dims.z).step_by(2) {
        for y in (0..dims.y).step_by(2) {
            for x in 0..WIDTH / 4 {
                // Sums of at most 8 · 16 in four parts of 16 bits.
                let slice = word(x, y, z) + word(x, y + 1, z);
                let groups = if dims.z == 1 {
                    // One group of 4×2 voxels.
                    let pairs = slice + (slice >> 32);
                    [(pairs + (pairs >> 16)) & 0xffff, 0]
                } else {
                    // Two groups of 2×2×2.
                    let block = slice + word(x, y, z + 1) + word(x, y + 1, z + 1);
                    let pairs = block + (block >> 16);
                    [pairs & 0xffff, pairs >> 32 & 0xffff]
                };
                for sum in groups {
                    total += sum as u32 + if sum > 0 { GROUP as u32 } else { 0 };
                }
            }
        }
    }
    total
}

/// Values of 0..=`range`, of a brick with `WIDTH` voxels along x.
pub(super) struct RangedValues<V, const WIDTH: usize> {
    pub values: V,
    pub range: u32,
}

impl<const WIDTH: usize, const COUNT: usize> Predict<COUNT> for RangedValues<narrow::Padded<COUNT>, WIDTH> {
    #[inline(always)]
    fn estimate(&self, predictor: usize) -> u32 {
        self.estimate_of(&self.values.predict::<WIDTH>(predictor, self.range))
    }

    #[inline(always)]
    fn estimate_of<C: Code>(&self, codes: &[C; COUNT]) -> u32 {
        let codes = mapped(codes, |code| code.into() as u16);
        if self.range <= MAX_FEW { estimate_few::<WIDTH, COUNT>(&codes) } else { narrow::estimate(&codes) }
    }

    #[inline(always)]
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT] {
        mapped(&self.values.predict::<WIDTH>(predictor, self.range), |code| C::from_u32(code.into()))
    }
}

impl<const WIDTH: usize, const COUNT: usize> Predict<COUNT> for RangedValues<middle::Padded<COUNT>, WIDTH> {
    #[inline(always)]
    fn estimate(&self, predictor: usize) -> u32 {
        self.estimate_of(&self.values.predict::<WIDTH>(predictor, self.range))
    }

    #[inline(always)]
    fn estimate_of<C: Code>(&self, codes: &[C; COUNT]) -> u32 {
        middle::estimate(&mapped(codes, Into::into))
    }

    #[inline(always)]
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT] {
        mapped(&self.values.predict::<WIDTH>(predictor, self.range), C::from_u32)
    }
}

/// Wide bricks.
impl<const WIDTH: usize, const COUNT: usize> Predict<COUNT> for RangedValues<[u32; COUNT], WIDTH> {
    #[inline(always)]
    fn estimate(&self, predictor: usize) -> u32 {
        match predictor {
            // The same as 2.
            1 | 9.. => u32::MAX,
            _ => self.estimate_of(&predict_wide::<WIDTH, COUNT>(predictor, &self.values)),
        }
    }

    #[inline(always)]
    fn estimate_of<C: Code>(&self, codes: &[C; COUNT]) -> u32 {
        // Sums of four codes have 32 bits.
        middle::estimate(&mapped(codes, |code| code.into() >> 2))
    }

    #[inline(always)]
    fn codes<C: Code>(&self, predictor: usize) -> [C; COUNT] {
        mapped(&predict_wide::<WIDTH, COUNT>(predictor, &self.values), C::from_u32)
    }
}

/// Writes the codes of a wide brick; the first is zero.
#[inline(always)]
fn predict_wide<const WIDTH: usize, const COUNT: usize>(
    predictor: usize,
    values: &[u32; COUNT],
) -> [u32; COUNT] {
    let dims = dims_of(WIDTH);
    let backs = predict::backs(dims);
    let mut codes = *values;
    if predictor != 0 {
        for i in 1..COUNT {
            let prediction = predict::wide_prediction(predictor, values, i, dims, &backs);
            let difference = values[i].wrapping_sub(prediction);
            codes[i] = (difference << 1) ^ ((difference as i32) >> 31) as u32;
        }
    }
    codes[0] = 0;
    codes
}

/// Returns the weights of 16 voxels in a row, by predictor and kind of row. The kind is whether z > 0 for
/// sides of 4; also twice whether y > 1 for sides of 8; y, but at most 2, for slices.
const fn lanes<const WIDTH: usize>() -> [[[[i8; 16]; 8]; 4]; predict::COUNT] {
    let mut table = [[[[0; 16]; 8]; 4]; predict::COUNT];
    let mut predictor = 0;
    while predictor < predict::COUNT {
        let mut i = 0;
        while i < 4 * 16 {
            let (kind, lane) = (i / 16, i % 16);
            let y = lane / WIDTH + kind / 2 * 2;
            let class = (lane % WIDTH > 0) as usize | ((y > 0) as usize) << 1 | (kind % 2) << 2;
            let weights = match WIDTH {
                16 => predict::flat_weights(predictor, lane, kind),
                _ => WEIGHTS[predictor][class],
            };
            let mut weight = 0;
            while weight < 8 {
                table[predictor][kind][weight][lane] = weights[weight];
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
static LANES_16: [[[[i8; 16]; 8]; 4]; predict::COUNT] = lanes::<16>();

/// Predictions in numbers of one width.
macro_rules! predictions {
    ($name:ident, $int:ident, $unsigned:ident) => {
        pub(super) mod $name {
            use super::{LANES_4, LANES_8, LANES_16, dims_of, mapped, predict};

            /// A brick's values after as many zeros, so that every voxel may look back.
            pub struct Padded<const COUNT: usize> {
                values: [[$int; COUNT]; 2],
            }

            impl<const COUNT: usize> Padded<COUNT> {
                #[inline(always)]
                pub fn new(values: &[u32; COUNT]) -> Self {
                    Self { values: [[0; COUNT], mapped(values, |value| value as $int)] }
                }

                /// Returns the codes of the values under `predictor`; the first is zero.
                #[inline(always)]
                pub fn predict<const WIDTH: usize>(
                    &self,
                    predictor: usize,
                    range: u32,
                ) -> [$unsigned; COUNT] {
                    let range = range as $int;
                    let mut codes = [0; COUNT];
                    let table = match WIDTH {
                        4 => &LANES_4[predictor],
                        8 => &LANES_8[predictor],
                        _ => &LANES_16[predictor],
                    };
                    for (row, codes) in codes.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                        let at = COUNT + 16 * row;
                        let kind = match WIDTH {
                            4 => usize::from(row > 0),
                            8 => usize::from(row > 3) + 2 * usize::from(row % 4 > 0),
                            _ => row.min(2),
                        };
                        let values: &[$int; 16] =
                            self.values.as_flattened()[at..at + 16].try_into().expect("16 values");
                        match predictor {
                            0 => *codes = mapped(values, |value| value as $unsigned),
                            1 => *codes = mapped(values, |value| (range - value) as $unsigned),
                            _ => *codes = self.predict_row::<WIDTH>(at, values, &table[kind], range),
                        }
                    }
                    codes[0] = 0;
                    codes
                }

                #[inline(always)]
                fn predict_row<const WIDTH: usize>(
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
                    for (back, weights) in predict::backs(dims_of(WIDTH)).into_iter().zip(weights) {
                        let neighbours: &[$int; 16] =
                            self.values.as_flattened()[at - back..][..16].try_into().expect("16 values");
                        for lane in 0..16 {
                            // Intermediate sums may wrap around; the result does not.
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

            /// Returns the position of `value` among 0..=range around `prediction`: 0, −1, 1, −2, 2, …, then
            /// the rest of the longer side (as in the paper).
            #[inline(always)]
            fn fold(value: $int, prediction: $int, range: $int) -> $unsigned {
                let difference = value - prediction;
                let both = prediction.min(range - prediction);
                let size = difference.abs();
                let near = 2 * size - $int::from(difference < 0);
                (if size > both { size + both } else { near }) as $unsigned
            }

            /// Returns an estimate of the size of codes in bits, up to a factor and a summand that all
            /// predictors share.
            #[inline(always)]
            pub fn estimate<const COUNT: usize>(codes: &[$unsigned; COUNT]) -> u32 {
                let mut total = 0;
                for run in codes.as_chunks::<64>().0 {
                    let mut sums: [$unsigned; 16] = [3; 16];
                    for slice in run.as_chunks::<16>().0 {
                        for lane in 0..16 {
                            // For wide codes it may wrap around: it is only an estimate.
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
