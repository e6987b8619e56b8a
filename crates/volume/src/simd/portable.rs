//! Portable code.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::pair_place;
use super::{Bits, PairWeights, SimdKernel};
use std::array;

/// Portable code, for any CPU.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// True if the ones of a mask follow one another, or there is none.
#[inline(always)]
const fn is_run(mask: u64) -> bool {
    mask.wrapping_add(mask & mask.wrapping_neg()) & mask == 0
}

/// Returns k, from 1 to 8, if the ones of a mask are the k low bits of each byte.
#[inline(always)]
fn field_bits(mask: u64) -> Option<u32> {
    let k = (mask as u8).trailing_ones();
    (mask != 0 && mask == 0x0101_0101_0101_0101 * ones(k)).then_some(k)
}

/// Returns a number of `count` ones.
#[inline(always)]
const fn ones(count: u32) -> u64 {
    (1 << count) - 1
}

impl Bits for Portable {
    #[inline(never)]
    fn call<K: SimdKernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn deposit(self, mut bits: u64, mut mask: u64) -> u64 {
        if is_run(mask) {
            return bits.wrapping_shl(mask.trailing_zeros()) & mask;
        }
        if let Some(k) = field_bits(mask) {
            let four = (bits & ones(4 * k)) | bits >> (4 * k) << 32;
            let two = ones(2 * k) * 0x0000_0001_0000_0001;
            let two = (four & two) | (four >> (2 * k) & two) << 16;
            let one = ones(k) * 0x0001_0001_0001_0001;
            return ((two & one) | (two >> k & one) << 8) & mask;
        }
        let mut out = 0;
        while mask != 0 {
            let lowest = mask & mask.wrapping_neg();
            out |= lowest & (bits & 1).wrapping_neg();
            bits >>= 1;
            mask ^= lowest;
        }
        out
    }

    #[inline(always)]
    fn extract(self, bits: u64, mut mask: u64) -> u64 {
        if is_run(mask) {
            return (bits & mask).wrapping_shr(mask.trailing_zeros());
        }
        if let Some(k) = field_bits(mask) {
            let one = bits & mask;
            let two = (one & 0x00ff_00ff_00ff_00ff) | (one >> 8 & 0x00ff_00ff_00ff_00ff) << k;
            let four = (two & 0x0000_ffff_0000_ffff) | (two >> 16 & 0x0000_ffff_0000_ffff) << (2 * k);
            return (four & 0xffff_ffff) | four >> 32 << (4 * k);
        }
        let (mut out, mut count) = (0, 0);
        while mask != 0 {
            let lowest = mask & mask.wrapping_neg();
            out |= u64::from(bits & lowest != 0) << count;
            count += 1;
            mask ^= lowest;
        }
        out
    }

    type Counts = [u64; 8];

    #[inline(always)]
    fn counts(self) -> [u64; 8] {
        [0; 8]
    }

    #[inline(always)]
    fn add(self, counts: &mut [u64; 8], bits: u64) {
        for (count, byte) in counts.iter_mut().zip(bits.to_le_bytes()) {
            // Bit i of the byte alone in byte i; then 1 there if it was set.
            let apart = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            *count += ((apart + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101;
        }
    }

    #[inline(always)]
    fn to_bytes(self, counts: [u64; 8]) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (bytes, count) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(counts) {
            *bytes = count.to_le_bytes();
        }
        bytes
    }

    #[inline(always)]
    fn unary_sizes(self, codes: &[u16; 64], k: u32, half: bool, cap: u8) -> [u64; 8] {
        let mut sizes = [0; 8];
        for (size, codes) in sizes.iter_mut().zip(codes.as_chunks::<8>().0) {
            let mut sum = 0;
            for code in codes {
                let ones = (code >> k).min(255) + u16::from(!half);
                let ones = ones.clamp(1, 255);
                sum += ones.min(cap.into()) + u16::from(half && ones == 1);
            }
            *size = sum.into();
        }
        sizes
    }

    type Row = [i16; 16];

    #[inline(always)]
    fn row(self, numbers: [i16; 16]) -> [i16; 16] {
        numbers
    }

    #[inline(always)]
    fn numbers(self, row: [i16; 16]) -> [i16; 16] {
        row
    }

    #[inline(always)]
    fn and(self, a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        let [a, b]: [[u64; 4]; 2] = bytemuck::cast([a, b]);
        bytemuck::cast([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    #[inline(always)]
    fn or(self, a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        let [a, b]: [[u64; 4]; 2] = bytemuck::cast([a, b]);
        bytemuck::cast([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    #[inline(always)]
    fn join(self, quotients: &[u8; 16], remainders: [u64; 2], k: [u32; 2]) -> [i16; 16] {
        let remainders: [u8; 16] = bytemuck::cast(remainders.map(u64::to_le));
        array::from_fn(|i| (i16::from(quotients[i]) << k[i / 8]) | i16::from(remainders[i]))
    }

    #[inline(always)]
    fn join_eight(self, quotients: &[u8; 8], remainders: u64, k: u32) -> [u32; 8] {
        let remainders = remainders.to_le_bytes();
        array::from_fn(|i| (u32::from(quotients[i]) << k) | u32::from(remainders[i]))
    }

    #[inline(always)]
    fn slices(self, numbers: [[i16; 16]; 4]) -> [[i16; 16]; 4] {
        // The bits of a place are x, y, z, x, y, z in Morton order, and x, x, y, y, z, z in the slices. Pairs
        // along x are moved together.
        let pairs: [[[u32; 2]; 2]; 8] = bytemuck::cast(numbers);
        let slice = |z: usize| {
            let row = |y: usize| [0, 1].map(|right| pairs[4 * (z / 2) + 2 * (y / 2) + right][z % 2][y % 2]);
            bytemuck::cast([row(0), row(1), row(2), row(3)])
        };
        [slice(0), slice(1), slice(2), slice(3)]
    }

    #[inline(always)]
    fn back<const BY: usize>(self, row: [i16; 16]) -> [i16; 16] {
        array::from_fn(|lane| if lane >= BY { row[lane - BY] } else { 0 })
    }

    #[inline(always)]
    fn west(self, row: [i16; 16]) -> [i16; 16] {
        self.back::<1>(row)
    }

    #[inline(always)]
    fn north(self, row: [i16; 16]) -> [i16; 16] {
        self.back::<4>(row)
    }

    #[inline(always)]
    fn values(
        self,
        numbers: [[[i16; 16]; 2]; 4],
        weights: &PairWeights,
        codes: [i16; 16],
        largest: [i16; 16],
        mask: [i16; 16],
    ) -> [i16; 16] {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return super::simd128::values(numbers, weights, codes, largest, mask);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        scalar_values(numbers, weights, codes, largest, mask)
    }

    #[inline(always)]
    fn least_of_pairs(self, rows: &mut [[u64; 8]; 5], step: usize) -> [u64; 3] {
        let mut sums = [[0u16; 4]; 3];
        for row in 0..8 {
            let mut numbers = [[0u16; 4]; 5];
            for (numbers, words) in numbers.iter_mut().zip(rows.iter()) {
                *numbers = bytemuck::cast(words[row]);
            }
            let numbers = numbers.as_flattened_mut();
            for i in 0..16 {
                numbers[i] = numbers[i].min(numbers[i + (1 << step) / 2]);
            }
            let numbers = numbers.as_chunks::<4>().0;
            for (words, &numbers) in rows.iter_mut().zip(numbers) {
                words[row] = bytemuck::cast(numbers);
            }
            for (sums, numbers) in sums.as_flattened_mut().iter_mut().zip(numbers.as_flattened()) {
                *sums = sums.wrapping_add(*numbers);
            }
        }
        bytemuck::cast(sums)
    }
}

/// The work of [`Bits::values`].
#[inline(always)]
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn scalar_values(
    numbers: [[[i16; 16]; 2]; 4],
    weights: &PairWeights,
    codes: [i16; 16],
    largest: [i16; 16],
    mask: [i16; 16],
) -> [i16; 16] {
    let mut values = [0; 16];
    for lane in 0..16 {
        let (half, at) = pair_place(lane);
        let mut sum = 8;
        for (numbers, weights) in numbers.iter().zip(weights) {
            sum += i32::from(numbers[0][lane]) * i32::from(weights[half][at]);
            sum += i32::from(numbers[1][lane]) * i32::from(weights[half][at + 1]);
        }
        let (code, largest) = (codes[lane], largest[lane] & mask[lane]);
        let prediction = (sum >> 4).clamp(0, largest.into()) as i16;
        let half = (code as u16).div_ceil(2) as i16;
        values[lane] = if prediction > largest.wrapping_sub(half) {
            largest.wrapping_sub(code)
        } else if half > prediction {
            code
        } else {
            prediction.wrapping_add(((code as u16 >> 1) as i16) ^ -(code & 1))
        };
    }
    values
}
