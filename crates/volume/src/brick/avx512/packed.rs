//! Packed bricks to values, all in one line of the processor's cache and one register.

use super::super::packed::{HEAD, RECORD};
use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_castsi512_si256, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64,
    _mm512_multishift_epi64_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi64,
};

/// Unpacks the values of a record, each of `width` bits, at most seven.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn unpack(record: &[u8; RECORD], width: usize, values: &mut [u16; 64]) {
    let width = width & 7;
    let record: __m512i = bytemuck::cast(*record);
    let eights = _mm512_permutexvar_epi8(bytemuck::cast(EIGHTS.0[width]), record);
    let shifts = _mm512_set1_epi64(0x0706_0504_0302_0100 * width as i64);
    let apart = _mm512_multishift_epi64_epi8(shifts, eights);
    let bytes = _mm512_and_si512(apart, _mm512_set1_epi8(((1u8 << width) - 1) as i8));
    let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
    let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes));
    *values = bytemuck::cast([low, high]);
}

/// Aligned as vectors are.
#[repr(align(64))]
struct Aligned<T>(T);

/// Bytes of a record in which each eight values start, and the bytes after them, for each width.
static EIGHTS: Aligned<[[u8; 64]; 8]> = {
    let (mut table, mut width) = ([[0; 64]; 8], 0);
    while width < 8 {
        let mut i = 0;
        while i < 64 {
            table[width][i] = (HEAD + i / 8 * width + i % 8) as u8 % 64;
            i += 1;
        }
        width += 1;
    }
    Aligned(table)
};
