//! The same code for every instruction set, chosen at run time. What it computes is in integers, so all give
//! the same.

#[cfg(target_arch = "x86_64")]
mod level;

#[cfg(target_arch = "x86_64")]
pub(crate) use level::Level;
use std::array;

/// Work that is compiled for each instruction set. [`run`](Self::run) and all it calls must be
/// `#[inline(always)]`.
pub(crate) trait SimdKernel {
    /// What it yields.
    type Output;

    /// Does the work.
    fn run<B: Bits>(self, bits: B) -> Self::Output;
}

/// Moving bits to and from scattered places.
pub(crate) trait Bits: Copy {
    /// Runs `kernel` as a function of its own: large parts with several users would take long to compile
    /// wherever they are used.
    fn call<K: SimdKernel>(self, kernel: K) -> K::Output;

    /// Spreads the low bits of `bits` over the ones of `mask`, the lowest first.
    fn deposit(self, bits: u64, mask: u64) -> u64;

    /// Gathers the bits of `bits` at the ones of `mask`, the lowest first.
    fn extract(self, bits: u64, mask: u64) -> u64;

    /// 64 counts below 256.
    type Counts: Copy;

    /// Zeros.
    fn counts(self) -> Self::Counts;

    /// Adds bit i of `bits` to count i.
    fn add(self, counts: &mut Self::Counts, bits: u64);

    /// The counts.
    fn to_bytes(self, counts: Self::Counts) -> [u8; 64];

    /// For each eight of 64 codes below 2¹⁵ the sum of their unary sizes: of a quotient q = ⌊code / 2^k⌋ up
    /// to 255 it is q + 1, or with `half` max(q, 1), but `cap` at most, and one more with `half` where q < 2.
    fn unary_sizes(self, codes: &[u16; 64], k: u32, half: bool, cap: u8) -> [u64; 8];

    /// 16 numbers of 16 bits.
    type Row: Copy;

    /// A row of these numbers.
    fn row(self, numbers: [i16; 16]) -> Self::Row;

    /// The numbers of a row.
    fn numbers(self, row: Self::Row) -> [i16; 16];

    /// What each lane sees of the one `BY` before it; zero where there is none.
    fn back<const BY: usize>(self, row: Self::Row) -> Self::Row;

    /// Values from codes, in lanes that `mask` has, zeros in others. The prediction is ⌊(Σ + 8) / 16⌋, kept
    /// within 0 and `largest`; Σ is the sum of eight numbers with their weights.
    fn values(
        self,
        numbers: [[Self::Row; 2]; 4],
        weights: &PairWeights,
        codes: Self::Row,
        largest: Self::Row,
        mask: Self::Row,
    ) -> Self::Row;

    /// Of eight rows of 20 numbers of 16 bits, of which word w of row r holds four at `rows[w][r]`: replaces
    /// each of the first 16 by the lesser of it and the one 0, 1, 2 or 4 places after it, `step` being 0 to
    /// 3. Returns the sums of the rows' first 12.
    fn least_of_pairs(self, rows: &mut [[u64; 8]; 5], step: usize) -> [u64; 3];
}

/// Weights of four pairs of numbers in 16 lanes, the two of a lane side by side at [`pair_place`]. The sizes
/// of the eight of a lane add up to 127 at most.
pub(crate) type PairWeights = [[[i16; 16]; 2]; 4];

/// In which half a lane's pair stands, and where its first number. (What interleaves two vectors of 16 lanes
/// does so within their halves.)
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
            // Bit i of the byte alone in byte i; then a one there if it was set.
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
    fn back<const BY: usize>(self, row: [i16; 16]) -> [i16; 16] {
        array::from_fn(|lane| if lane >= BY { row[lane - BY] } else { 0 })
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
            let (code, largest) = (codes[lane], largest[lane]);
            let prediction = (sum >> 4).clamp(0, largest.into()) as i16;
            let both = prediction.min(largest - prediction);
            let near = ((code as u16 >> 1) as i16) ^ -(code & 1);
            let far = code.wrapping_sub(both);
            let far = if prediction > largest - prediction { far.wrapping_neg() } else { far };
            let step = if code > both.wrapping_add(both) { far } else { near };
            values[lane] = prediction.wrapping_add(step) & mask[lane];
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
    if let Some(token) = x86::Avx2::detect() {
        return x86::run(token, kernel);
    }
    kernel.run(Portable)
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{Bits, Level, PairWeights, SimdKernel};
    use std::arch::x86_64::{
        __m256i, _mm_add_epi16, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi8,
        _mm256_add_epi16, _mm256_add_epi32, _mm256_adds_epu8, _mm256_alignr_epi8, _mm256_and_si256,
        _mm256_blendv_epi8, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpgt_epi16,
        _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_max_epu8, _mm256_min_epi16,
        _mm256_min_epu8, _mm256_min_epu16, _mm256_or_si256, _mm256_packs_epi32, _mm256_packus_epi16,
        _mm256_permute2x128_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32,
        _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64,
        _mm256_srai_epi32, _mm256_srl_epi16, _mm256_srli_epi16, _mm256_srli_epi64, _mm256_sub_epi8,
        _mm256_sub_epi16, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16, _mm256_xor_si256, _pdep_u64,
        _pext_u64,
    };

    /// Proof that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        #[inline]
        pub fn detect() -> Option<Self> {
            (Level::get() >= Level::Avx2).then_some(Self(()))
        }
    }

    impl Bits for Avx2 {
        #[inline(never)]
        fn call<K: SimdKernel>(self, kernel: K) -> K::Output {
            run(self, kernel)
        }

        #[inline(always)]
        fn deposit(self, bits: u64, mask: u64) -> u64 {
            // SAFETY: the token proves that the CPU has BMI2.
            unsafe { _pdep_u64(bits, mask) }
        }

        #[inline(always)]
        fn extract(self, bits: u64, mask: u64) -> u64 {
            // SAFETY: the token proves that the CPU has BMI2.
            unsafe { _pext_u64(bits, mask) }
        }

        type Counts = [__m256i; 2];

        #[inline(always)]
        fn counts(self) -> [__m256i; 2] {
            // SAFETY: the token proves that the CPU has AVX.
            unsafe { [_mm256_setzero_si256(); 2] }
        }

        #[inline(always)]
        fn add(self, counts: &mut [__m256i; 2], bits: u64) {
            for (count, half) in counts.iter_mut().zip([bits as i32, (bits >> 32) as i32]) {
                // SAFETY: the token proves that the CPU has AVX2.
                *count = unsafe {
                    // Each byte eight times, then bit i of it alone in byte i: as a mask, minus one where it
                    // was set.
                    let ones = 0x0101_0101_0101_0101;
                    let places = _mm256_setr_epi64x(0, ones, 2 * ones, 3 * ones);
                    let apart = _mm256_set1_epi64x(0x8040_2010_0804_0201u64 as i64);
                    let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(half), places);
                    let set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, apart), apart);
                    _mm256_sub_epi8(*count, set)
                };
            }
        }

        #[inline(always)]
        fn to_bytes(self, counts: [__m256i; 2]) -> [u8; 64] {
            bytemuck::cast(counts)
        }

        #[inline(always)]
        fn unary_sizes(self, codes: &[u16; 64], k: u32, half: bool, cap: u8) -> [u64; 8] {
            let rows: [__m256i; 4] = bytemuck::cast(*codes);
            let mut sizes = [[0u64; 4]; 2];
            for (sizes, rows) in sizes.iter_mut().zip(rows.as_chunks::<2>().0) {
                // SAFETY: the token proves that the CPU has AVX2.
                *sizes = bytemuck::cast(unsafe {
                    // Packing works on halves: the first groups of both rows, then the second.
                    let even = _mm256_permute2x128_si256::<0x20>(rows[0], rows[1]);
                    let odd = _mm256_permute2x128_si256::<0x31>(rows[0], rows[1]);
                    let k = _mm_cvtsi32_si128(k as i32);
                    let quotients = _mm256_packus_epi16(_mm256_srl_epi16(even, k), _mm256_srl_epi16(odd, k));
                    let one = _mm256_set1_epi8(1);
                    let whole = _mm256_set1_epi8(i8::from(!half));
                    let ones = _mm256_max_epu8(_mm256_adds_epu8(quotients, whole), one);
                    let apart =
                        _mm256_and_si256(_mm256_cmpeq_epi8(ones, one), _mm256_set1_epi8(i8::from(half)));
                    let ones = _mm256_min_epu8(ones, _mm256_set1_epi8(cap as i8));
                    _mm256_sad_epu8(_mm256_add_epi8(ones, apart), _mm256_setzero_si256())
                });
            }
            bytemuck::cast(sizes)
        }

        type Row = __m256i;

        #[inline(always)]
        fn row(self, numbers: [i16; 16]) -> __m256i {
            bytemuck::cast(numbers)
        }

        #[inline(always)]
        fn numbers(self, row: __m256i) -> [i16; 16] {
            bytemuck::cast(row)
        }

        #[inline(always)]
        fn back<const BY: usize>(self, row: __m256i) -> __m256i {
            // SAFETY: the token proves that the CPU has AVX2.
            unsafe {
                // Zeros, and the lower half where the upper one looks back.
                let before = _mm256_permute2x128_si256::<0x08>(row, row);
                match BY {
                    1 => _mm256_alignr_epi8::<14>(row, before),
                    2 => _mm256_alignr_epi8::<12>(row, before),
                    4 => _mm256_alignr_epi8::<8>(row, before),
                    _ => {
                        const { assert!(BY == 1 || BY == 2 || BY == 4 || BY == 5) };
                        _mm256_alignr_epi8::<6>(row, before)
                    }
                }
            }
        }

        #[inline(always)]
        fn values(
            self,
            numbers: [[__m256i; 2]; 4],
            weights: &PairWeights,
            codes: __m256i,
            largest: __m256i,
            mask: __m256i,
        ) -> __m256i {
            // SAFETY: the token proves that the CPU has AVX2.
            unsafe {
                let (mut low, mut high) = (_mm256_set1_epi32(8), _mm256_set1_epi32(8));
                // What has been known longest comes first, to hide the latency of the newest values.
                for (&[first, second], &weights) in numbers.iter().zip(weights).rev() {
                    let [low_weights, high_weights]: [__m256i; 2] = bytemuck::cast(weights);
                    let pairs = _mm256_unpacklo_epi16(first, second);
                    low = _mm256_add_epi32(low, _mm256_madd_epi16(pairs, low_weights));
                    let pairs = _mm256_unpackhi_epi16(first, second);
                    high = _mm256_add_epi32(high, _mm256_madd_epi16(pairs, high_weights));
                }
                // (What 16 bits do not hold lies beyond 0 and the largest value.)
                let sums = _mm256_packs_epi32(_mm256_srai_epi32::<4>(low), _mm256_srai_epi32::<4>(high));
                let zeros = _mm256_setzero_si256();
                let prediction = _mm256_min_epi16(_mm256_max_epi16(sums, zeros), largest);
                let above = _mm256_sub_epi16(largest, prediction);
                let both = _mm256_min_epi16(prediction, above);
                let odd = _mm256_sub_epi16(zeros, _mm256_and_si256(codes, _mm256_set1_epi16(1)));
                let near = _mm256_xor_si256(_mm256_srli_epi16::<1>(codes), odd);
                let is_upper = _mm256_cmpgt_epi16(prediction, above);
                let far = _mm256_sub_epi16(codes, both);
                let far = _mm256_sub_epi16(_mm256_xor_si256(far, is_upper), is_upper);
                let is_far = _mm256_cmpgt_epi16(codes, _mm256_add_epi16(both, both));
                let step = _mm256_blendv_epi8(near, far, is_far);
                _mm256_and_si256(_mm256_add_epi16(prediction, step), mask)
            }
        }

        #[inline(always)]
        fn least_of_pairs(self, rows: &mut [[u64; 8]; 5], step: usize) -> [u64; 3] {
            let mut words: [[__m256i; 2]; 5] = bytemuck::cast(*rows);
            let mut sums = [0; 3];
            for i in 0..4 {
                for half in 0..2 {
                    let (here, next) = (words[i][half], words[i + 1][half]);
                    // SAFETY: the token proves that the CPU has AVX2.
                    words[i][half] = unsafe {
                        let after = match step {
                            0 => here,
                            1 => {
                                _mm256_or_si256(_mm256_srli_epi64::<16>(here), _mm256_slli_epi64::<48>(next))
                            }
                            2 => {
                                _mm256_or_si256(_mm256_srli_epi64::<32>(here), _mm256_slli_epi64::<32>(next))
                            }
                            _ => next,
                        };
                        _mm256_min_epu16(here, after)
                    };
                }
                if let Some(sum) = sums.get_mut(i) {
                    // SAFETY: the token proves that the CPU has AVX2.
                    *sum = unsafe {
                        let four = _mm256_add_epi16(words[i][0], words[i][1]);
                        let two =
                            _mm_add_epi16(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
                        _mm_cvtsi128_si64(_mm_add_epi16(two, _mm_unpackhi_epi64(two, two))) as u64
                    };
                }
            }
            *rows = bytemuck::cast(words);
            sums
        }
    }

    #[inline]
    pub(super) fn run<K: SimdKernel>(token: Avx2, kernel: K) -> K::Output {
        // SAFETY: the token proves that the CPU has these instructions.
        unsafe { with_avx2(token, kernel) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn with_avx2<K: SimdKernel>(token: Avx2, kernel: K) -> K::Output {
        kernel.run(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Both(u64, u64);

    impl SimdKernel for Both {
        type Output = (u64, u64, [u8; 64], [u64; 8], [u64; 3], [[u64; 8]; 5], [[i16; 16]; 5]);

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
            let (row_codes, largest) = (bits.row(row(50)), bits.row([900; 16]));
            let values = bits.values(numbers, &weights, row_codes, largest, bits.row(mask));
            let rows_back = [
                bits.back::<1>(row_codes),
                bits.back::<2>(row_codes),
                bits.back::<4>(row_codes),
                bits.back::<5>(row_codes),
                values,
            ];
            let sizes = bits.unary_sizes(&codes, k, self.1 & 1 == 1, self.1.count_ones() as u8);
            (
                bits.deposit(self.0, self.1),
                bits.extract(self.0, self.1),
                bits.to_bytes(counts),
                sizes,
                sums,
                rows,
                rows_back.map(|row| bits.numbers(row)),
            )
        }
    }

    #[test]
    fn every_instruction_set_moves_bits_alike() {
        let mut state = 1u64;
        for _ in 0..1000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (bits, mask) = (state, state.rotate_left(29) & state.rotate_left(11));
            let plain = Both(bits, mask).run(Portable);
            assert_eq!(dispatch(Both(bits, mask)), plain);
            for (i, count) in plain.2.into_iter().enumerate() {
                assert_eq!(u64::from(count), (bits >> i & 1) + (mask >> i & 1));
            }
        }
        assert_eq!(Portable.deposit(0b101, 0b1101_0000), 0b1001_0000);
        assert_eq!(Portable.extract(0b1001_0000, 0b1101_0000), 0b101);
    }
}
