//! AVX-512: the operations that take fewer steps than with AVX2; the others are AVX2's.

use super::{Bits, Level, PairWeights, SimdKernel, avx2::Avx2};
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi16, _mm256_and_si256, _mm256_avg_epu16, _mm256_cmpgt_epi16_mask,
    _mm256_cmplt_epi16_mask, _mm256_dpwssd_epi32, _mm256_mask_mov_epi16, _mm256_mask_sub_epi16,
    _mm256_packs_epi32, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srai_epi32,
    _mm256_sub_epi16, _mm256_test_epi16_mask, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
    _mm512_mask_sub_epi8, _mm512_set1_epi8, _mm512_setzero_si512,
};

/// Proof that this CPU has AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and VNNI, and the features of [`Avx2`].
#[derive(Clone, Copy)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    #[inline]
    pub fn detect() -> Option<Self> {
        (Level::get() >= Level::Avx512).then(Avx2::detect).flatten().map(Self)
    }
}

impl Bits for Avx512 {
    #[inline(never)]
    fn call<K: SimdKernel>(self, kernel: K) -> K::Output {
        run(self, kernel)
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        self.0.deposit(bits, mask)
    }

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        self.0.extract(bits, mask)
    }

    type Counts = __m512i;

    #[inline(always)]
    fn counts(self) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512F.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn add(self, counts: &mut __m512i, bits: u64) {
        // SAFETY: the token proves that the CPU has AVX-512F and BW.
        *counts = unsafe { _mm512_mask_sub_epi8(*counts, bits, *counts, _mm512_set1_epi8(-1)) };
    }

    #[inline(always)]
    fn to_bytes(self, counts: __m512i) -> [u8; 64] {
        bytemuck::cast(counts)
    }

    #[inline(always)]
    fn unary_sizes(self, codes: &[u16; 64], k: u32, half: bool, cap: u8) -> [u64; 8] {
        self.0.unary_sizes(codes, k, half, cap)
    }

    type Row = __m256i;

    #[inline(always)]
    fn row(self, numbers: [i16; 16]) -> __m256i {
        self.0.row(numbers)
    }

    #[inline(always)]
    fn numbers(self, row: __m256i) -> [i16; 16] {
        self.0.numbers(row)
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        self.0.and(a, b)
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        self.0.or(a, b)
    }

    #[inline(always)]
    fn join(self, quotients: &[u8; 16], remainders: [u64; 2], k: [u32; 2]) -> __m256i {
        self.0.join(quotients, remainders, k)
    }

    #[inline(always)]
    fn join_eight(self, quotients: &[u8; 8], remainders: u64, k: u32) -> [u32; 8] {
        self.0.join_eight(quotients, remainders, k)
    }

    #[inline(always)]
    fn slices(self, numbers: [__m256i; 4]) -> [__m256i; 4] {
        self.0.slices(numbers)
    }

    #[inline(always)]
    fn back<const BY: usize>(self, row: __m256i) -> __m256i {
        self.0.back::<BY>(row)
    }

    #[inline(always)]
    fn west(self, row: __m256i) -> __m256i {
        self.0.west(row)
    }

    #[inline(always)]
    fn north(self, row: __m256i) -> __m256i {
        self.0.north(row)
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
        // SAFETY: the token proves that the CPU has AVX-512BW, VL and VNNI, and AVX2.
        unsafe {
            let (mut low, mut high) = (_mm256_set1_epi32(8), _mm256_set1_epi32(8));
            // The oldest values come first, to hide the latency of the newest.
            for (&[first, second], &weights) in numbers.iter().zip(weights).rev() {
                let [low_weights, high_weights]: [__m256i; 2] = bytemuck::cast(weights);
                low = _mm256_dpwssd_epi32(low, _mm256_unpacklo_epi16(first, second), low_weights);
                high = _mm256_dpwssd_epi32(high, _mm256_unpackhi_epi16(first, second), high_weights);
            }
            // (Sums that overflow 16 bits are beyond 0 or the largest value.)
            let sums = _mm256_packs_epi32(_mm256_srai_epi32::<4>(low), _mm256_srai_epi32::<4>(high));
            let (zeros, largest) = (_mm256_setzero_si256(), _mm256_and_si256(largest, mask));
            // (Without clamping, as in `brick/avx512/wavefront.rs`.)
            let half = _mm256_avg_epu16(codes, zeros);
            let is_odd = _mm256_test_epi16_mask(codes, _mm256_set1_epi16(1));
            let near = _mm256_add_epi16(sums, half);
            let near = _mm256_mask_sub_epi16(near, is_odd, sums, half);
            let is_low = _mm256_cmplt_epi16_mask(sums, half);
            let is_high = _mm256_cmpgt_epi16_mask(sums, _mm256_sub_epi16(largest, half));
            let value = _mm256_mask_mov_epi16(near, is_low, codes);
            _mm256_mask_sub_epi16(value, is_high, largest, codes)
        }
    }

    #[inline(always)]
    fn least_of_pairs(self, rows: &mut [[u64; 8]; 5], step: usize) -> [u64; 3] {
        self.0.least_of_pairs(rows, step)
    }
}

#[inline]
pub(super) fn run<K: SimdKernel>(token: Avx512, kernel: K) -> K::Output {
    // SAFETY: the token proves that the CPU has these instructions.
    unsafe { with_avx512(token, kernel) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx512<K: SimdKernel>(token: Avx512, kernel: K) -> K::Output {
    kernel.run(token)
}
