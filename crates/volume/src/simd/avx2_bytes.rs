//! 64 numbers of 8 bits with AVX2.

use super::{
    Bits, ByteLanes, STREAM,
    avx2::Avx2,
    operations::{Weights, remainders},
};
use std::arch::x86_64::{
    __m256i, _mm_cvtsi64_si128, _mm256_add_epi8, _mm256_add_epi16, _mm256_adds_epu8, _mm256_alignr_epi8,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_avg_epu8, _mm256_blendv_epi8, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_cvtepu8_epi64, _mm256_maddubs_epi16, _mm256_max_epi8,
    _mm256_max_epu8, _mm256_min_epu8, _mm256_or_si256, _mm256_packus_epi16, _mm256_permute2x128_si256,
    _mm256_permute4x64_epi64, _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sign_epi8, _mm256_slli_si256,
    _mm256_sllv_epi64, _mm256_srai_epi16, _mm256_sub_epi8, _mm256_unpackhi_epi8, _mm256_unpackhi_epi32,
    _mm256_unpacklo_epi8, _mm256_unpacklo_epi32, _mm256_xor_si256,
};

impl ByteLanes for Avx2 {
    type Bytes = [__m256i; 2];

    #[inline(always)]
    fn bytes(self, numbers: &[u8; 64]) -> [__m256i; 2] {
        bytemuck::cast(*numbers)
    }

    #[inline(always)]
    fn store(self, bytes: [__m256i; 2], to: &mut [u8; 64]) {
        *to = bytemuck::cast(bytes);
    }

    #[inline(always)]
    fn quarters(self, quarters: [&[u8; 16]; 4]) -> [__m256i; 2] {
        let [a, b, c, d] = quarters;
        let (a, b, c, d) = (bytemuck::cast(*a), bytemuck::cast(*b), bytemuck::cast(*c), bytemuck::cast(*d));
        // SAFETY: the token proves that the CPU has AVX.
        unsafe { [_mm256_set_m128i(b, a), _mm256_set_m128i(d, c)] }
    }

    #[inline(always)]
    fn fill_quarters(self, numbers: [u8; 4]) -> [__m256i; 2] {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            let numbers = _mm256_set1_epi32(i32::from_le_bytes(numbers));
            let ones = 0x0101_0101_0101_0101;
            [
                _mm256_shuffle_epi8(numbers, _mm256_setr_epi64x(0, 0, ones, ones)),
                _mm256_shuffle_epi8(numbers, _mm256_setr_epi64x(2 * ones, 2 * ones, 3 * ones, 3 * ones)),
            ]
        }
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [[__m256i; 2]; 4]) -> [[__m256i; 2]; 4] {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            [
                [
                    _mm256_permute2x128_si256::<0x20>(a[0], b[0]),
                    _mm256_permute2x128_si256::<0x20>(c[0], d[0]),
                ],
                [
                    _mm256_permute2x128_si256::<0x31>(a[0], b[0]),
                    _mm256_permute2x128_si256::<0x31>(c[0], d[0]),
                ],
                [
                    _mm256_permute2x128_si256::<0x20>(a[1], b[1]),
                    _mm256_permute2x128_si256::<0x20>(c[1], d[1]),
                ],
                [
                    _mm256_permute2x128_si256::<0x31>(a[1], b[1]),
                    _mm256_permute2x128_si256::<0x31>(c[1], d[1]),
                ],
            ]
        }
    }

    #[inline(always)]
    fn interleave_fours(self, a: [__m256i; 2], b: [__m256i; 2]) -> [[__m256i; 2]; 2] {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            [
                [_mm256_unpacklo_epi32(a[0], b[0]), _mm256_unpacklo_epi32(a[1], b[1])],
                [_mm256_unpackhi_epi32(a[0], b[0]), _mm256_unpackhi_epi32(a[1], b[1])],
            ]
        }
    }

    #[inline(always)]
    fn permute(self, bytes: [__m256i; 2], table: &[u8; 64]) -> [__m256i; 2] {
        let mut permuted: [__m256i; 2] = self.counts();
        let places: [__m256i; 2] = bytemuck::cast(*table);
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            let quarters = [
                _mm256_permute2x128_si256::<0x00>(bytes[0], bytes[0]),
                _mm256_permute2x128_si256::<0x11>(bytes[0], bytes[0]),
                _mm256_permute2x128_si256::<0x00>(bytes[1], bytes[1]),
                _mm256_permute2x128_si256::<0x11>(bytes[1], bytes[1]),
            ];
            for (permuted, &places) in permuted.iter_mut().zip(&places) {
                for (i, &quarter) in quarters.iter().enumerate() {
                    // The top bit of a place marks those of other quarters, which give zeros.
                    let places = _mm256_sub_epi8(places, _mm256_set1_epi8(16 * i as i8));
                    let places = _mm256_adds_epu8(places, _mm256_set1_epi8(0x70));
                    *permuted = _mm256_or_si256(*permuted, _mm256_shuffle_epi8(quarter, places));
                }
            }
        }
        permuted
    }

    #[inline(always)]
    fn cube(self, numbers: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            // Rows of four from blocks of 2×2×2, then rows of the same slice side by side.
            let (first, second) = (0x0b0a_0302_0908_0100, 0x0f0e_0706_0d0c_0504);
            let rows = _mm256_setr_epi64x(first, second, first, second);
            [
                _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(numbers[0], rows)),
                _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(numbers[1], rows)),
            ]
        }
    }

    #[inline(always)]
    fn look_up(self, numbers: [__m256i; 2], table: &[u8; 64]) -> [__m256i; 2] {
        let first: [u8; 16] = *table.first_chunk().expect("16 bytes");
        let mut found = numbers;
        for (found, number) in found.iter_mut().zip(numbers) {
            // SAFETY: the token proves that the CPU has AVX2.
            *found = unsafe {
                let first = _mm256_broadcastsi128_si256(bytemuck::cast(first));
                let is_last = _mm256_cmpeq_epi8(number, _mm256_set1_epi8(16));
                let last = _mm256_set1_epi8(table[16] as i8);
                _mm256_blendv_epi8(_mm256_shuffle_epi8(first, number), last, is_last)
            };
        }
        found
    }

    #[inline(always)]
    fn or_masked(self, a: [__m256i; 2], b: [__m256i; 2], mask: &[u8; 64]) -> [__m256i; 2] {
        let masked = self.mask(b, mask);
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { [_mm256_or_si256(a[0], masked[0]), _mm256_or_si256(a[1], masked[1])] }
    }

    #[inline(always)]
    fn mask(self, a: [__m256i; 2], mask: &[u8; 64]) -> [__m256i; 2] {
        let mask: [__m256i; 2] = bytemuck::cast(*mask);
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { [_mm256_and_si256(a[0], mask[0]), _mm256_and_si256(a[1], mask[1])] }
    }

    #[inline(always)]
    fn choose(self, mask: &[u8; 64], a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        let mask: [__m256i; 2] = bytemuck::cast(*mask);
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { [_mm256_blendv_epi8(b[0], a[0], mask[0]), _mm256_blendv_epi8(b[1], a[1], mask[1])] }
    }

    #[inline(always)]
    fn back_in_quarters<const BY: usize>(self, [a, b]: [__m256i; 2]) -> [__m256i; 2] {
        const { assert!(BY == 1 || BY == 4 || BY == 5) };
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            match BY {
                1 => [_mm256_slli_si256::<1>(a), _mm256_slli_si256::<1>(b)],
                4 => [_mm256_slli_si256::<4>(a), _mm256_slli_si256::<4>(b)],
                _ => [_mm256_slli_si256::<5>(a), _mm256_slli_si256::<5>(b)],
            }
        }
    }

    #[inline(always)]
    fn back_1_8_9(self, bytes: [__m256i; 2]) -> [[__m256i; 2]; 3] {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            let [a, b] = bytes;
            let before_a = _mm256_permute2x128_si256::<0x08>(a, a);
            let before_b = _mm256_permute2x128_si256::<0x21>(a, b);
            [
                [_mm256_alignr_epi8::<15>(a, before_a), _mm256_alignr_epi8::<15>(b, before_b)],
                [_mm256_alignr_epi8::<8>(a, before_a), _mm256_alignr_epi8::<8>(b, before_b)],
                [_mm256_alignr_epi8::<7>(a, before_a), _mm256_alignr_epi8::<7>(b, before_b)],
            ]
        }
    }

    #[inline(always)]
    fn predictions(self, pairs: [[[__m256i; 2]; 2]; 4], weights: &Weights<Self>) -> [__m256i; 2] {
        let mut predictions = self.counts();
        for (half, predictions) in predictions.iter_mut().enumerate() {
            // SAFETY: the token proves that the CPU has AVX2.
            *predictions = unsafe {
                let (mut low, mut high) = (_mm256_set1_epi16(8), _mm256_set1_epi16(8));
                // The newest values come first in the pairs, and last in the sums.
                for ([first, second], weights) in pairs.iter().zip(weights).rev() {
                    let both = _mm256_unpacklo_epi8(first[half], second[half]);
                    low = _mm256_add_epi16(low, _mm256_maddubs_epi16(both, weights[0][half]));
                    let both = _mm256_unpackhi_epi8(first[half], second[half]);
                    high = _mm256_add_epi16(high, _mm256_maddubs_epi16(both, weights[1][half]));
                }
                _mm256_packus_epi16(_mm256_srai_epi16::<4>(low), _mm256_srai_epi16::<4>(high))
            };
        }
        predictions
    }

    #[inline(always)]
    fn unfold(self, predictions: [__m256i; 2], codes: [__m256i; 2], largest: [__m256i; 2]) -> [__m256i; 2] {
        let mut values = predictions;
        for (half, value) in values.iter_mut().enumerate() {
            let (prediction, code, largest) = (predictions[half], codes[half], largest[half]);
            // SAFETY: the token proves that the CPU has AVX2.
            *value = unsafe {
                let (zeros, one) = (_mm256_setzero_si256(), _mm256_set1_epi8(1));
                let size = _mm256_avg_epu8(code, zeros);
                let upper = _mm256_sub_epi8(largest, size);
                let down = _mm256_sub_epi8(largest, code);
                // 1 for an even code, −1 for an odd one.
                let sign = _mm256_or_si256(_mm256_sub_epi8(zeros, _mm256_and_si256(code, one)), one);
                let near = _mm256_add_epi8(prediction, _mm256_sign_epi8(size, sign));
                let is_near = _mm256_cmpeq_epi8(_mm256_max_epu8(prediction, size), prediction);
                let value = _mm256_blendv_epi8(code, near, is_near);
                let is_value = _mm256_cmpeq_epi8(_mm256_min_epu8(prediction, upper), prediction);
                _mm256_blendv_epi8(down, value, is_value)
            };
        }
        values
    }

    #[inline(always)]
    fn add_where_equal(
        self,
        mut sums: [__m256i; 2],
        a: [__m256i; 2],
        b: [__m256i; 2],
        summand: [__m256i; 2],
    ) -> [__m256i; 2] {
        for half in 0..2 {
            // SAFETY: the token proves that the CPU has AVX2.
            sums[half] = unsafe {
                let is_equal = _mm256_cmpeq_epi8(a[half], b[half]);
                _mm256_add_epi8(sums[half], _mm256_and_si256(is_equal, summand[half]))
            };
        }
        sums
    }

    #[inline(always)]
    fn elect(self, first: [[__m256i; 2]; 2], second: [[__m256i; 2]; 2]) -> [[__m256i; 2]; 2] {
        let mut elected = first;
        for half in 0..2 {
            let ([label, votes], [other, others]) =
                ([first[0][half], first[1][half]], [second[0][half], second[1][half]]);
            // SAFETY: the token proves that the CPU has AVX2.
            unsafe {
                let is_tie = _mm256_cmpeq_epi8(others, votes);
                let is_smaller = _mm256_and_si256(is_tie, _mm256_cmpgt_epi8(label, other));
                let is_second = _mm256_or_si256(_mm256_cmpgt_epi8(others, votes), is_smaller);
                elected[0][half] = _mm256_blendv_epi8(label, other, is_second);
                elected[1][half] = _mm256_max_epi8(votes, others);
            }
        }
        elected
    }

    #[inline(always)]
    fn labels_of_two(
        self,
        neighbours: &[[__m256i; 2]; 7],
        weights: [[__m256i; 2]; 7],
        most: [__m256i; 2],
        exists: [[__m256i; 2]; 3],
        codes: [__m256i; 2],
    ) -> [__m256i; 2] {
        let mut labels = codes;
        for half in 0..2 {
            let [w, n, u] = [neighbours[0][half], neighbours[1][half], neighbours[2][half]];
            let [has_w, has_n, has_u] = [exists[0][half], exists[1][half], exists[2][half]];
            // SAFETY: the token proves that the CPU has AVX2.
            labels[half] = unsafe {
                let mut sum = _mm256_setzero_si256();
                // The newest values come first, and are added last.
                for i in (0..7).rev() {
                    sum = _mm256_add_epi8(sum, _mm256_and_si256(neighbours[i][half], weights[i][half]));
                }
                let any = _mm256_or_si256(
                    _mm256_or_si256(_mm256_and_si256(w, has_w), _mm256_and_si256(n, has_n)),
                    _mm256_and_si256(u, has_u),
                );
                // Candidates of the first label.
                let other = _mm256_or_si256(
                    _mm256_or_si256(_mm256_andnot_si256(w, has_w), _mm256_andnot_si256(n, has_n)),
                    _mm256_andnot_si256(u, has_u),
                );
                let is_more = _mm256_cmpgt_epi8(sum, most[half]);
                let elected = _mm256_andnot_si256(_mm256_andnot_si256(is_more, other), any);
                _mm256_xor_si256(elected, codes[half])
            };
        }
        labels
    }

    #[inline(always)]
    fn labels(self, predicted: [__m256i; 2], codes: [__m256i; 2]) -> [__m256i; 2] {
        let mut labels = codes;
        for half in 0..2 {
            let (predicted, code) = (predicted[half], codes[half]);
            // SAFETY: the token proves that the CPU has AVX2.
            labels[half] = unsafe {
                let is_below = _mm256_cmpeq_epi8(_mm256_min_epu8(code, predicted), code);
                let is_predicted = _mm256_cmpeq_epi8(code, _mm256_setzero_si256());
                _mm256_blendv_epi8(_mm256_add_epi8(code, is_below), predicted, is_predicted)
            };
        }
        labels
    }

    #[inline(always)]
    fn label_codes(self, predicted: [__m256i; 2], labels: [__m256i; 2]) -> [__m256i; 2] {
        let mut codes = labels;
        for half in 0..2 {
            let (predicted, label) = (predicted[half], labels[half]);
            // SAFETY: the token proves that the CPU has AVX2.
            codes[half] = unsafe {
                let is_below = _mm256_cmpeq_epi8(_mm256_min_epu8(label, predicted), label);
                let is_predicted = _mm256_cmpeq_epi8(label, predicted);
                _mm256_andnot_si256(is_predicted, _mm256_sub_epi8(label, is_below))
            };
        }
        codes
    }

    #[inline(always)]
    fn byte_codes(
        self,
        quotients: [__m256i; 2],
        widths: u64,
        stream: &[u8; STREAM],
        first: u8,
    ) -> [__m256i; 2] {
        let [a, b, c, d, e, f, g, h]: [i64; 8] = bytemuck::cast(remainders(self, widths, stream));
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            let remainders =
                [_mm256_setr_epi64x(a | i64::from(first), b, c, d), _mm256_setr_epi64x(e, f, g, h)];
            let low = _mm256_cvtepu8_epi64(_mm_cvtsi64_si128(widths as i64));
            let high = _mm256_cvtepu8_epi64(_mm_cvtsi64_si128((widths >> 32) as i64));
            // No bit leaves its byte: codes are below 256.
            [
                _mm256_or_si256(_mm256_sllv_epi64(quotients[0], low), remainders[0]),
                _mm256_or_si256(_mm256_sllv_epi64(quotients[1], high), remainders[1]),
            ]
        }
    }
}
