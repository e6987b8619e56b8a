//! AVX-512: the operations that take fewer steps than with AVX2; the others are AVX2's.

use super::{Bits, ByteLanes, Level, PairWeights, STREAM, SimdKernel, Weights, avx2::Avx2};
use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_setr_epi8,
    _mm_shuffle_epi8, _mm256_add_epi16, _mm256_and_si256, _mm256_avg_epu16, _mm256_cmpgt_epi16_mask,
    _mm256_cmplt_epi16_mask, _mm256_dpwssd_epi32, _mm256_mask_mov_epi16, _mm256_mask_sub_epi16,
    _mm256_packs_epi32, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srai_epi32,
    _mm256_sub_epi16, _mm256_test_epi16_mask, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16, _mm512_add_epi8,
    _mm512_add_epi16, _mm512_alignr_epi8, _mm512_alignr_epi64, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_avg_epu8, _mm512_bslli_epi128, _mm512_castsi128_si512, _mm512_cmpeq_epi8_mask,
    _mm512_cmpgt_epi8_mask, _mm512_cmpgt_epu8_mask, _mm512_cmple_epu8_mask, _mm512_cmplt_epu8_mask,
    _mm512_cmpneq_epi8_mask, _mm512_cvtepu8_epi64, _mm512_inserti32x4, _mm512_maddubs_epi16,
    _mm512_mask_add_epi8, _mm512_mask_cmplt_epu8_mask, _mm512_mask_mov_epi8, _mm512_mask_sub_epi8,
    _mm512_maskz_expand_epi8, _mm512_maskz_mov_epi8, _mm512_max_epi8, _mm512_multishift_epi64_epi8,
    _mm512_packus_epi16, _mm512_permutex2var_epi64, _mm512_permutexvar_epi8, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_shuffle_i32x4, _mm512_sllv_epi64, _mm512_srai_epi16, _mm512_sub_epi8, _mm512_ternarylogic_epi64,
    _mm512_test_epi8_mask, _mm512_testn_epi8_mask, _mm512_unpackhi_epi8, _mm512_unpackhi_epi32,
    _mm512_unpacklo_epi8, _mm512_unpacklo_epi32, _mm512_zextsi128_si512,
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
            // Sums that overflow 16 bits are beyond 0 or the largest value.
            let sums = _mm256_packs_epi32(_mm256_srai_epi32::<4>(low), _mm256_srai_epi32::<4>(high));
            let (zeros, largest) = (_mm256_setzero_si256(), _mm256_and_si256(largest, mask));
            // There is no clamping, as in `brick/avx512/wavefront.rs`.
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

/// 1 in each of eight bytes.
const BYTES: u64 = 0x0101_0101_0101_0101;

impl ByteLanes for Avx512 {
    type Bytes = __m512i;

    #[inline(always)]
    fn bytes(self, numbers: &[u8; 64]) -> __m512i {
        bytemuck::cast(*numbers)
    }

    #[inline(always)]
    fn store(self, bytes: __m512i, to: &mut [u8; 64]) {
        *to = bytemuck::cast(bytes);
    }

    #[inline(always)]
    fn quarters(self, quarters: [&[u8; 16]; 4]) -> __m512i {
        let [a, b, c, d] = quarters;
        let (a, b, c, d) = (bytemuck::cast(*a), bytemuck::cast(*b), bytemuck::cast(*c), bytemuck::cast(*d));
        // SAFETY: the token proves that the CPU has AVX-512F.
        unsafe {
            let two = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
            _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(two, c), d)
        }
    }

    #[inline(always)]
    fn fill_quarters(self, numbers: [u8; 4]) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512F and BW.
        unsafe {
            let (one, three) = (0x0101_0101_0101_0101, 0x0303_0303_0303_0303);
            let places = _mm512_setr_epi64(0, 0, one, one, 2 * one, 2 * one, three, three);
            _mm512_shuffle_epi8(_mm512_set1_epi32(i32::from_le_bytes(numbers)), places)
        }
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: the token proves that the CPU has AVX-512F.
        unsafe {
            let ab_even = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
            let ab_odd = _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b);
            let cd_even = _mm512_shuffle_i32x4::<0b10_00_10_00>(c, d);
            let cd_odd = _mm512_shuffle_i32x4::<0b11_01_11_01>(c, d);
            [
                _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_even, cd_even),
                _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_odd, cd_odd),
                _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_even, cd_even),
                _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_odd, cd_odd),
            ]
        }
    }

    #[inline(always)]
    fn interleave_fours(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: the token proves that the CPU has AVX-512F.
        unsafe { [_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)] }
    }

    #[inline(always)]
    fn permute(self, bytes: __m512i, table: &[u8; 64]) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512 VBMI.
        unsafe { _mm512_permutexvar_epi8(bytemuck::cast(*table), bytes) }
    }

    #[inline(always)]
    fn cube(self, numbers: __m512i) -> __m512i {
        static FROM_MORTON: [u8; 64] = {
            let (mut table, mut i) = ([0; 64], 0);
            while i < 64 {
                let (x, y, z) = (i % 4, i / 4 % 4, i / 16);
                let (low, high) = (x % 2 + 2 * (y % 2) + 4 * (z % 2), x / 2 + 2 * (y / 2) + 4 * (z / 2));
                table[i] = (low + 8 * high) as u8;
                i += 1;
            }
            table
        };
        self.permute(numbers, &FROM_MORTON)
    }

    #[inline(always)]
    fn look_up(self, numbers: __m512i, table: &[u8; 64]) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512 VBMI.
        unsafe { _mm512_permutexvar_epi8(numbers, bytemuck::cast(*table)) }
    }

    #[inline(always)]
    fn or_masked(self, a: __m512i, b: __m512i, mask: &[u8; 64]) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512F.
        unsafe { _mm512_ternarylogic_epi64::<0b1111_1000>(a, b, bytemuck::cast(*mask)) }
    }

    #[inline(always)]
    fn mask(self, a: __m512i, mask: &[u8; 64]) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512F.
        unsafe { _mm512_and_si512(a, bytemuck::cast(*mask)) }
    }

    #[inline(always)]
    fn choose(self, mask: &[u8; 64], a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512F.
        unsafe { _mm512_ternarylogic_epi64::<0b1110_0100>(a, b, bytemuck::cast(*mask)) }
    }

    #[inline(always)]
    fn back_in_quarters<const BY: usize>(self, bytes: __m512i) -> __m512i {
        const { assert!(BY == 1 || BY == 4 || BY == 5) };
        // SAFETY: the token proves that the CPU has AVX-512BW.
        unsafe {
            match BY {
                1 => _mm512_bslli_epi128::<1>(bytes),
                4 => _mm512_bslli_epi128::<4>(bytes),
                _ => _mm512_bslli_epi128::<5>(bytes),
            }
        }
    }

    #[inline(always)]
    fn back_1_8_9(self, bytes: __m512i) -> [__m512i; 3] {
        // SAFETY: the token proves that the CPU has AVX-512F and BW.
        unsafe {
            // Quarters, each in the place of the next.
            let before = _mm512_alignr_epi64::<6>(bytes, _mm512_setzero_si512());
            [
                _mm512_alignr_epi8::<15>(bytes, before),
                _mm512_alignr_epi8::<8>(bytes, before),
                _mm512_alignr_epi8::<7>(bytes, before),
            ]
        }
    }

    #[inline(always)]
    fn predictions(self, pairs: [[__m512i; 2]; 4], weights: &Weights<Self>) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512BW.
        unsafe {
            let (mut low, mut high) = (_mm512_set1_epi16(8), _mm512_set1_epi16(8));
            // The newest values come first in the pairs, and last in the sums.
            for (&[first, second], weights) in pairs.iter().zip(weights).rev() {
                let both = _mm512_unpacklo_epi8(first, second);
                low = _mm512_add_epi16(low, _mm512_maddubs_epi16(both, weights[0]));
                let both = _mm512_unpackhi_epi8(first, second);
                high = _mm512_add_epi16(high, _mm512_maddubs_epi16(both, weights[1]));
            }
            _mm512_packus_epi16(_mm512_srai_epi16::<4>(low), _mm512_srai_epi16::<4>(high))
        }
    }

    #[inline(always)]
    fn unfold(self, predictions: __m512i, codes: __m512i, largest: __m512i) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512BW.
        unsafe {
            let size = _mm512_avg_epu8(codes, _mm512_setzero_si512());
            let is_odd = _mm512_test_epi8_mask(codes, _mm512_set1_epi8(1));
            let near = _mm512_add_epi8(predictions, size);
            let near = _mm512_mask_sub_epi8(near, is_odd, predictions, size);
            let is_low = _mm512_cmplt_epu8_mask(predictions, size);
            let is_high = _mm512_cmpgt_epu8_mask(predictions, _mm512_sub_epi8(largest, size));
            let value = _mm512_mask_mov_epi8(near, is_low, codes);
            _mm512_mask_sub_epi8(value, is_high, largest, codes)
        }
    }

    #[inline(always)]
    fn add_where_equal(self, sums: __m512i, a: __m512i, b: __m512i, summand: __m512i) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512BW.
        unsafe { _mm512_mask_add_epi8(sums, _mm512_cmpeq_epi8_mask(a, b), sums, summand) }
    }

    #[inline(always)]
    fn elect(self, [label, votes]: [__m512i; 2], [other, others]: [__m512i; 2]) -> [__m512i; 2] {
        // SAFETY: the token proves that the CPU has AVX-512BW.
        unsafe {
            let is_smaller = _mm512_mask_cmplt_epu8_mask(_mm512_cmpeq_epi8_mask(others, votes), other, label);
            let is_second = _mm512_cmpgt_epi8_mask(others, votes) | is_smaller;
            [_mm512_mask_mov_epi8(label, is_second, other), _mm512_max_epi8(votes, others)]
        }
    }

    #[inline(always)]
    fn labels_of_two(
        self,
        neighbours: &[__m512i; 7],
        weights: [__m512i; 7],
        most: __m512i,
        exists: [__m512i; 3],
        codes: __m512i,
    ) -> __m512i {
        let ([w, n, u, ..], [has_w, has_n, has_u]) = (*neighbours, exists);
        // SAFETY: the token proves that the CPU has AVX-512 F and BW.
        unsafe {
            let mut sum = _mm512_setzero_si512();
            // The newest values come first, and are added last.
            for i in (0..7).rev() {
                sum = _mm512_add_epi8(sum, _mm512_and_si512(neighbours[i], weights[i]));
            }
            // a | b & c
            let any = _mm512_and_si512(w, has_w);
            let any = _mm512_ternarylogic_epi64::<0b1111_1000>(any, n, has_n);
            let any = _mm512_ternarylogic_epi64::<0b1111_1000>(any, u, has_u);
            // a | !b & c: candidates of the first label.
            let other = _mm512_andnot_si512(w, has_w);
            let other = _mm512_ternarylogic_epi64::<0b1111_0010>(other, n, has_n);
            let other = _mm512_ternarylogic_epi64::<0b1111_0010>(other, u, has_u);
            let is_more = _mm512_cmpgt_epi8_mask(sum, most);
            let other = _mm512_mask_mov_epi8(other, is_more, _mm512_setzero_si512());
            // !a & b ^ c
            _mm512_ternarylogic_epi64::<0b1010_0110>(other, any, codes)
        }
    }

    #[inline(always)]
    fn labels(self, predicted: __m512i, codes: __m512i) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512BW.
        unsafe {
            let is_below = _mm512_cmple_epu8_mask(codes, predicted);
            let labels = _mm512_mask_sub_epi8(codes, is_below, codes, _mm512_set1_epi8(1));
            _mm512_mask_mov_epi8(labels, _mm512_testn_epi8_mask(codes, codes), predicted)
        }
    }

    #[inline(always)]
    fn label_codes(self, predicted: __m512i, labels: __m512i) -> __m512i {
        // SAFETY: the token proves that the CPU has AVX-512BW.
        unsafe {
            let is_below = _mm512_cmplt_epu8_mask(labels, predicted);
            let codes = _mm512_mask_add_epi8(labels, is_below, labels, _mm512_set1_epi8(1));
            _mm512_maskz_mov_epi8(_mm512_cmpneq_epi8_mask(labels, predicted), codes)
        }
    }

    #[inline(always)]
    fn byte_codes(self, quotients: __m512i, widths: u64, stream: &[u8; STREAM], first: u8) -> __m512i {
        // The start of each of eight remainders of k bits in 64 bits, and a mask of k bits in each byte.
        static STARTS: [u64; 16] = {
            let (mut table, mut k) = ([0; 16], 0);
            while k <= 8 {
                table[k] = 0x0706_0504_0302_0100 * k as u64;
                k += 1;
            }
            table
        };
        static MASKS: [u64; 16] = {
            let (mut table, mut k) = ([0; 16], 0);
            while k <= 8 {
                table[k] = BYTES * ((1 << k) - 1);
                k += 1;
            }
            table
        };
        let stream: [u8; 64] = *stream.first_chunk().expect("64 bytes");
        let [starts_low, starts_high]: [__m512i; 2] = bytemuck::cast(STARTS);
        let [masks_low, masks_high]: [__m512i; 2] = bytemuck::cast(MASKS);
        // SAFETY: the token proves that the CPU has AVX-512 F, BW, VBMI and VBMI2, and SSSE3.
        unsafe {
            let per_group = _mm_cvtsi64_si128(widths as i64);
            let ones = _mm_setr_epi8(0, 1, 3, 7, 15, 31, 63, 127, -1, 0, 0, 0, 0, 0, 0, 0);
            // Each group gets its k bytes, and each code its k bits.
            let places = _mm_cvtsi128_si64(_mm_shuffle_epi8(ones, per_group)) as u64;
            let groups = _mm512_maskz_expand_epi8(places, bytemuck::cast(stream));
            let widths = _mm512_cvtepu8_epi64(per_group);
            let starts = _mm512_permutex2var_epi64(starts_low, widths, starts_high);
            let masks = _mm512_permutex2var_epi64(masks_low, widths, masks_high);
            let remainders = _mm512_and_si512(_mm512_multishift_epi64_epi8(starts, groups), masks);
            let first = _mm512_zextsi128_si512(_mm_cvtsi32_si128(i32::from(first)));
            // No bit leaves its byte: codes are below 256.
            let quotients = _mm512_sllv_epi64(quotients, widths);
            _mm512_ternarylogic_epi64::<0b1111_1110>(quotients, remainders, first)
        }
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
