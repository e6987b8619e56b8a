//! AVX2 with BMI.

use super::{Bits, Level, PairWeights, SimdKernel};
use std::arch::x86_64::{
    __m256i, _mm_add_epi16, _mm_cvtepu8_epi16, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64,
    _mm_or_si128, _mm_sll_epi16, _mm_unpackhi_epi64, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_adds_epu8, _mm256_alignr_epi8, _mm256_and_si256, _mm256_avg_epu16, _mm256_blendv_epi8,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpgt_epi16, _mm256_cvtepu8_epi32,
    _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_max_epu8, _mm256_min_epi16,
    _mm256_min_epu8, _mm256_min_epu16, _mm256_or_si256, _mm256_packs_epi32, _mm256_packus_epi16,
    _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_permutevar8x32_epi32, _mm256_sad_epu8,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_epi64x,
    _mm256_setr_epi32, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sll_epi32,
    _mm256_slli_epi64, _mm256_slli_si256, _mm256_srai_epi32, _mm256_srl_epi16, _mm256_srli_epi16,
    _mm256_srli_epi64, _mm256_sub_epi8, _mm256_sub_epi16, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
    _mm256_xor_si256, _pdep_u64, _pext_u64,
};

/// Proof that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

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
                // Each byte eight times; then only bit i of it in byte i; as a mask, minus one if it was set.
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
                let apart = _mm256_and_si256(_mm256_cmpeq_epi8(ones, one), _mm256_set1_epi8(i8::from(half)));
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
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn join(self, quotients: &[u8; 16], remainders: [u64; 2], k: [u32; 2]) -> __m256i {
        let &[first, second]: &[[u8; 8]; 2] = bytemuck::cast_ref(quotients);
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            let first = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(i64::from_le_bytes(first)));
            let second = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(i64::from_le_bytes(second)));
            let low = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(remainders[0] as i64));
            let high = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(remainders[1] as i64));
            let low = _mm_or_si128(low, _mm_sll_epi16(first, _mm_cvtsi32_si128(k[0] as i32)));
            let high = _mm_or_si128(high, _mm_sll_epi16(second, _mm_cvtsi32_si128(k[1] as i32)));
            _mm256_set_m128i(high, low)
        }
    }

    #[inline(always)]
    fn join_eight(self, quotients: &[u8; 8], remainders: u64, k: u32) -> [u32; 8] {
        // SAFETY: the token proves that the CPU has AVX2.
        bytemuck::cast(unsafe {
            let quotients = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(*quotients)));
            let remainders = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(remainders as i64));
            _mm256_or_si256(_mm256_sll_epi32(quotients, _mm_cvtsi32_si128(k as i32)), remainders)
        })
    }

    #[inline(always)]
    fn slices(self, numbers: [__m256i; 4]) -> [__m256i; 4] {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            // Pairs along x: from (y, z, x) to (x, y, z) by halves, the lowest bit first.
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            let a = _mm256_permutevar8x32_epi32(numbers[0], order);
            let b = _mm256_permutevar8x32_epi32(numbers[1], order);
            let c = _mm256_permutevar8x32_epi32(numbers[2], order);
            let d = _mm256_permutevar8x32_epi32(numbers[3], order);
            [
                _mm256_permute2x128_si256::<0x20>(a, b),
                _mm256_permute2x128_si256::<0x31>(a, b),
                _mm256_permute2x128_si256::<0x20>(c, d),
                _mm256_permute2x128_si256::<0x31>(c, d),
            ]
        }
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
    fn west(self, row: __m256i) -> __m256i {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { _mm256_slli_si256::<2>(row) }
    }

    #[inline(always)]
    fn north(self, row: __m256i) -> __m256i {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { _mm256_permute4x64_epi64::<0b10_01_00_00>(row) }
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
            // The oldest values come first, to hide the latency of the newest.
            for (&[first, second], &weights) in numbers.iter().zip(weights).rev() {
                let [low_weights, high_weights]: [__m256i; 2] = bytemuck::cast(weights);
                let pairs = _mm256_unpacklo_epi16(first, second);
                low = _mm256_add_epi32(low, _mm256_madd_epi16(pairs, low_weights));
                let pairs = _mm256_unpackhi_epi16(first, second);
                high = _mm256_add_epi32(high, _mm256_madd_epi16(pairs, high_weights));
            }
            // Sums that overflow 16 bits are beyond 0 or the largest value.
            let sums = _mm256_packs_epi32(_mm256_srai_epi32::<4>(low), _mm256_srai_epi32::<4>(high));
            let (zeros, largest) = (_mm256_setzero_si256(), _mm256_and_si256(largest, mask));
            // The operations that do not depend on the sums.
            let odd = _mm256_sub_epi16(zeros, _mm256_and_si256(codes, _mm256_set1_epi16(1)));
            let step = _mm256_xor_si256(_mm256_srli_epi16::<1>(codes), odd);
            let half = _mm256_avg_epu16(codes, zeros);
            let upper = _mm256_sub_epi16(largest, half);
            let down = _mm256_sub_epi16(largest, codes);
            let near = _mm256_min_epi16(_mm256_max_epi16(sums, zeros), largest);
            let near = _mm256_add_epi16(near, step);
            let up = _mm256_blendv_epi8(near, codes, _mm256_cmpgt_epi16(half, sums));
            _mm256_blendv_epi8(up, down, _mm256_cmpgt_epi16(sums, upper))
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
                        1 => _mm256_or_si256(_mm256_srli_epi64::<16>(here), _mm256_slli_epi64::<48>(next)),
                        2 => _mm256_or_si256(_mm256_srli_epi64::<32>(here), _mm256_slli_epi64::<32>(next)),
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
