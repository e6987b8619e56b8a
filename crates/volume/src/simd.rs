//! The same code for every instruction set, chosen at run time. It computes with integers, so all give the
//! same results.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2_bytes;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod bytes;
#[cfg(target_arch = "x86_64")]
mod level;
#[allow(unsafe_code)]
mod prefetch;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
use brickwork_base::SimdVariableError;
pub(crate) use bytes::{ByteLanes, STREAM, Weights, byte_pair_place};
#[cfg(target_arch = "x86_64")]
use level::Level;
pub(crate) use prefetch::prefetch;
use std::array;

/// Environment variable that selects an instruction set.
const VARIABLE: &str = "BRICKWORK_VOLUME_SIMD";

/// Checks the environment variable `BRICKWORK_VOLUME_SIMD`, for programs that report a wrong value when they
/// start.
///
/// # Errors
/// [`SimdVariableError`] if it is set, not empty, and not `portable` or, on a CPU of x86-64 that has them,
/// `avx2` or `avx512`.
pub fn check_simd_variable() -> Result<(), SimdVariableError> {
    #[cfg(target_arch = "x86_64")]
    Level::wanted()?;
    #[cfg(not(target_arch = "x86_64"))]
    brickwork_base::simd_variable(VARIABLE, &[("portable", ())])?;
    Ok(())
}

/// Work that is compiled for each instruction set. [`run`](Self::run) and all functions that it calls must be
/// `#[inline(always)]`. Code in a closure is not compiled for the instruction set unless the closure is also
/// inlined.
///
/// Small and frequent kernels are references to their fields. Passed by value, these are written as words and
/// read in larger pieces, for which the processor waits until all stores before are done.
pub(crate) trait SimdKernel {
    /// The kernel's result.
    type Output;

    /// Does the work.
    fn run<B: Bits>(self, bits: B) -> Self::Output;
}

/// Moving bits to and from scattered places.
pub(crate) trait Bits: ByteLanes {
    /// Runs `kernel` as a separate function: large parts with several users would take long to compile in
    /// each of them.
    fn call<K: SimdKernel>(self, kernel: K) -> K::Output;

    /// Spreads the low bits of `bits` over the ones of `mask`, the lowest first.
    fn deposit(self, bits: u64, mask: u64) -> u64;

    /// Gathers the bits of `bits` at the ones of `mask`, the lowest first.
    fn extract(self, bits: u64, mask: u64) -> u64;

    /// 64 counts below 256.
    type Counts: Copy;

    /// Returns zeros.
    fn counts(self) -> Self::Counts;

    /// Adds bit i of `bits` to count i.
    fn add(self, counts: &mut Self::Counts, bits: u64);

    /// Returns the counts.
    fn to_bytes(self, counts: Self::Counts) -> [u8; 64];

    /// Returns, for each eight of 64 codes below 2¹⁵, the sum of their unary sizes. For a quotient q = ⌊code
    /// / 2^k⌋ up to 255, the size is q + 1, or with `half` max(q, 1), but at most `cap`; with `half` it is
    /// one more where q < 2.
    fn unary_sizes(self, codes: &[u16; 64], k: u32, half: bool, cap: u8) -> [u64; 8];

    /// 16 numbers of 16 bits.
    type Row: Copy;

    /// Creates a row of these numbers.
    fn row(self, numbers: [i16; 16]) -> Self::Row;

    /// Returns the numbers of a row.
    fn numbers(self, row: Self::Row) -> [i16; 16];

    /// Returns the common bits of both.
    fn and(self, a: Self::Row, b: Self::Row) -> Self::Row;

    /// Returns the bits of either.
    fn or(self, a: Self::Row, b: Self::Row) -> Self::Row;

    /// Returns the neighbour to the west of each lane of a slice of 4×4; unspecified at x = 0.
    fn west(self, row: Self::Row) -> Self::Row;

    /// Returns the neighbour to the north of each lane of a slice of 4×4; unspecified at y = 0.
    fn north(self, row: Self::Row) -> Self::Row;

    /// Returns the number `BY` lanes before each lane; zero if there is none.
    fn back<const BY: usize>(self, row: Self::Row) -> Self::Row;

    /// Joins two groups of eight codes: quotients, and remainders of `k` bits, at most 8, in bytes.
    fn join(self, quotients: &[u8; 16], remainders: [u64; 2], k: [u32; 2]) -> Self::Row;

    /// Returns the same for one group, in 32 bits.
    fn join_eight(self, quotients: &[u8; 8], remainders: u64, k: u32) -> [u32; 8];

    /// Returns the four slices of a brick of 4³ from its numbers in Morton order.
    fn slices(self, numbers: [Self::Row; 4]) -> [Self::Row; 4];

    /// Values from codes, in lanes that `mask` has; zeros in others, whose codes are zeros. The prediction is
    /// p = ⌊(Σ + 8) / 16⌋, kept within 0 and `largest`; Σ is the sum of eight numbers with their weights. A
    /// code c of which half, rounded up, is more than p is the value itself; if it is more than
    /// `largest` − p, the value is `largest` − c.
    fn values(
        self,
        numbers: [[Self::Row; 2]; 4],
        weights: &PairWeights,
        codes: Self::Row,
        largest: Self::Row,
        mask: Self::Row,
    ) -> Self::Row;

    /// Replaces numbers in eight rows of 20 numbers of 16 bits; word w of row r, with four numbers, is
    /// `rows[w][r]`. Each of the first 16 numbers becomes the smaller of itself and the number 0, 1, 2 or 4
    /// places after it, for `step` 0 to 3. Returns the sums of the rows' first 12 numbers.
    fn least_of_pairs(self, rows: &mut [[u64; 8]; 5], step: usize) -> [u64; 3];
}

/// Weights of four pairs of numbers in 16 lanes, the two of a lane side by side at [`pair_place`]. The sizes
/// of the eight of a lane add up to 127 at most.
pub(crate) type PairWeights = [[[i16; 16]; 2]; 4];

/// Returns the half that contains a lane's pair, and the position of its first number. (Interleaving two
/// vectors of 16 lanes works within their halves.)
pub(crate) const fn pair_place(lane: usize) -> (usize, usize) {
    (lane % 8 / 4, lane / 8 * 8 + lane % 4 * 2)
}

/// Portable code.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline(never)]
    fn call<K: SimdKernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn deposit(self, mut bits: u64, mut mask: u64) -> u64 {
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
        array::from_fn(|lane| a[lane] & b[lane])
    }

    #[inline(always)]
    fn or(self, a: [i16; 16], b: [i16; 16]) -> [i16; 16] {
        array::from_fn(|lane| a[lane] | b[lane])
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
        // The bits of a place are x, y, z, x, y, z in Morton order, and x, x, y, y, z, z in the slices.
        array::from_fn(|z| {
            array::from_fn(|lane| {
                let (x, y) = (lane % 4, lane / 4);
                let block = 2 * (z / 2) + y / 2;
                numbers[block][8 * (x / 2) + 4 * (z % 2) + 2 * (y % 2) + x % 2]
            })
        })
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

/// Does the work of `kernel` on the best instruction set this CPU has.
#[inline]
pub(crate) fn dispatch<K: SimdKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = avx2::Avx2::detect() {
        return avx2::run(token, kernel);
    }
    kernel.run(Portable)
}

/// Works like [`dispatch`], also with AVX-512, for kernels that gain by it: each is compiled again.
#[inline]
pub(crate) fn dispatch_wide<K: SimdKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx512::detect() {
        return avx512::run(token, kernel);
    }
    dispatch(kernel)
}

/// True if [`dispatch_bytes`] does the work of a kernel.
#[inline]
pub(crate) fn has_byte_lanes() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has_byte_lanes = avx2::Avx2::detect().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    let has_byte_lanes = false;
    has_byte_lanes
}

/// Works like [`dispatch_wide`] for kernels of [`ByteLanes`], which gain nothing in portable code. Returns
/// `None`, and does nothing, if the CPU has neither AVX2 nor AVX-512.
#[inline]
pub(crate) fn dispatch_bytes<K: SimdKernel>(kernel: K) -> Option<K::Output> {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx512::detect() {
        return Some(avx512::run(token, kernel));
    } else if let Some(token) = avx2::Avx2::detect() {
        return Some(avx2::run(token, kernel));
    }
    let _ = kernel;
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Both(u64, u64);

    impl SimdKernel for Both {
        type Output = (u64, u64, [u8; 64], [u64; 8], [u64; 3], [[u64; 8]; 5], [[i16; 16]; 11]);

        fn run<B: Bits>(self, bits: B) -> Self::Output {
            let mut counts = bits.counts();
            bits.add(&mut counts, self.0);
            bits.add(&mut counts, self.1);
            let k = self.0 as u32 >> 28;
            let codes =
                array::from_fn(|i| ((self.0 ^ self.1.rotate_left(i as u32)) & 0x7fff) as u16 >> (i / 8));
            let mut rows =
                array::from_fn(|i| array::from_fn(|g| self.0.rotate_left(i as u32 * 5) ^ self.1 << (3 * g)));
            let sums = bits.least_of_pairs(&mut rows, (self.1 >> 60) as usize & 3);
            // Values and codes of 0 to 900, weights of −15 to 15.
            let row = |from: u32| -> [i16; 16] {
                array::from_fn(|i| {
                    let number = self.0.rotate_left(from + 5 * i as u32) ^ self.1.rotate_left(from);
                    (number & 0x7fff) as i16 % 901
                })
            };
            let weight = |i: usize| (self.1.rotate_left(5 * i as u32) & 31) as i16 % 31 - 15;
            let weights = array::from_fn(|pair| {
                array::from_fn(|half| array::from_fn(|i| weight(32 * pair + 16 * half + i)))
            });
            let numbers = array::from_fn(|i| array::from_fn(|j| bits.row(row(8 * i as u32 + 31 * j as u32))));
            let mask = row(3).map(|number| -(number & 1));
            let (row_codes, largest) = (bits.and(bits.row(row(50)), bits.row(mask)), bits.row([900; 16]));
            let values = bits.values(numbers, &weights, row_codes, largest, bits.row(mask));
            let rows_back = [
                bits.back::<1>(row_codes),
                bits.back::<2>(row_codes),
                bits.and(bits.west(row_codes), bits.row(array::from_fn(|lane| -i16::from(lane % 4 > 0)))),
                bits.and(bits.north(row_codes), bits.row(array::from_fn(|lane| -i16::from(lane > 3)))),
                bits.or(row_codes, bits.row(mask)),
                values,
            ];
            let ordered = array::from_fn(|i| bits.row(array::from_fn(|lane| (16 * i + lane) as i16)));
            let slices = bits.slices(ordered);
            let quotients = array::from_fn(|i| (self.0.rotate_left(3 * i as u32) & 63) as u8);
            let joined = bits.join(&quotients, [self.0, self.1], [k % 9, self.1 as u32 % 9]);
            let rows_made = [slices[0], slices[1], slices[2], slices[3], joined];
            let sizes = bits.unary_sizes(&codes, k, self.1 & 1 == 1, self.1.count_ones() as u8);
            (
                bits.deposit(self.0, self.1),
                bits.extract(self.0, self.1),
                bits.to_bytes(counts),
                sizes,
                sums,
                rows,
                array::from_fn(|i| bits.numbers(if i < 6 { rows_back[i] } else { rows_made[i - 6] })),
            )
        }
    }

    #[test]
    fn every_instruction_set_moves_bits_alike() {
        let mut state = 1u64;
        // Miri takes long for each.
        for _ in 0..if cfg!(miri) { 20 } else { 1000 } {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (bits, mask) = (state, state.rotate_left(29) & state.rotate_left(11));
            let plain = Both(bits, mask).run(Portable);
            assert_eq!(dispatch(Both(bits, mask)), plain);
            assert_eq!(dispatch_wide(Both(bits, mask)), plain);
            for (i, count) in plain.2.into_iter().enumerate() {
                assert_eq!(u64::from(count), (bits >> i & 1) + (mask >> i & 1));
            }
        }
        assert_eq!(Portable.deposit(0b101, 0b1101_0000), 0b1001_0000);
        assert_eq!(Portable.extract(0b1001_0000, 0b1101_0000), 0b101);
    }
}
