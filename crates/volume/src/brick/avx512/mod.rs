//! Several bricks of 4³ at the same time with AVX-512, for ranges up to [`MAX_NARROW`]. The sums of their
//! products fit 32 bits; in 16 bits they are positive.
//!
//! The stages of `decode.rs` run in lockstep for several bricks. The latency of one brick's loads and
//! multiplications is hidden by the others, and an additional bit plane in one of them is a single
//! misprediction.
//!
//! 1. A header is one load; Rice levels, masks and remainders' widths are bytes of 64-bit words.
//! 2. Bit planes: each step reads one bit plane of every brick; a brick without ones reads nothing.
//! 3. Remainders: a byte expansion gives each group of eight its k bytes, and a multishift each voxel its k
//!    bits.
//! 4. The wavefront: `wavefront.rs`, and of one brick `one_brick.rs`.
//!
//! `packed.rs` reads bricks that a cache has in another form.

mod one_brick;
mod packed;
mod wavefront;

pub(crate) use super::head::REACH;
use super::{
    head::{BYTES, Head, WINDOW, Window, above_eight, bit_planes, load_bits},
    limits::MAX_NARROW,
    packed::RECORD,
};
use crate::simd::Avx512;
use std::arch::x86_64::{
    __m128i, __m512i, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_setr_epi8,
    _mm_shuffle_epi8, _mm512_and_si512, _mm512_castsi128_si512, _mm512_castsi512_si256, _mm512_cvtepu8_epi16,
    _mm512_cvtepu8_epi64, _mm512_extracti64x4_epi64, _mm512_maskz_expand_epi8, _mm512_multishift_epi64_epi8,
    _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_permutexvar_epi8, _mm512_permutexvar_epi16,
    _mm512_set1_epi16, _mm512_sllv_epi16, _mm512_zextsi128_si512,
};

impl Avx512 {
    /// Decodes `N` bricks of 4³ that start at `starts` and have `ranges` of 1 to [`MAX_NARROW`], and returns
    /// where they end, each in its `bytes`. `None` if one starts less than [`REACH`] bytes before their end.
    #[inline]
    #[allow(unsafe_code)]
    pub fn bricks<const N: usize>(
        self,
        bytes: [&[u8]; N],
        starts: [usize; N],
        ranges: [u32; N],
        values: &mut [[u16; 64]; N],
    ) -> Option<[usize; N]> {
        // SAFETY: the token proves that the CPU has these instructions.
        unsafe { bricks(self, bytes, starts, ranges, values) }
    }

    /// Unpacks the values of a packed brick, each of `width` bits, at most seven.
    #[inline]
    #[allow(unsafe_code)]
    pub fn unpack(self, record: &[u8; RECORD], width: usize, values: &mut [u16; 64]) {
        // SAFETY: the token proves that the CPU has these instructions.
        unsafe { packed::unpack(record, width, values) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn bricks<const N: usize>(
    token: Avx512,
    bytes: [&[u8]; N],
    starts: [usize; N],
    ranges: [u32; N],
    values: &mut [[u16; 64]; N],
) -> Option<[usize; N]> {
    debug_assert!(ranges.iter().all(|&range| range > 0 && range <= MAX_NARROW));
    let mut windows = [&[0; REACH]; N];
    for i in 0..N {
        windows[i] = bytes[i].get(starts[i]..)?.first_chunk()?;
    }
    let mut positions = [0; N];
    let mut dictionaries = [[0; 32]; N];
    let mut heads = [Head::<1>::ZEROS; N];
    for i in 0..N {
        let dictionary = &mut dictionaries[i];
        heads[i] = Head::read(token, windows[i], ranges[i], &mut positions[i], |place, value| {
            dictionary[place & 31] = value as u16;
        });
    }
    let (mut caps, mut active, mut half) = ([0; N], [0; N], [0; N]);
    for (i, head) in heads.iter().enumerate() {
        (caps[i], active[i], half[i]) = (head.cap, head.active[0], head.half[0]);
    }
    let quotients = bit_planes(token, &windows, caps, active, half, &mut positions);
    let mut codes = [[0; wavefront::CODES]; N];
    let mut ends = [0; N];
    for i in 0..N {
        let at = positions[i].div_ceil(8);
        let [low, high] = join(windows[i], at, &heads[i], quotients[i]);
        wavefront::sort(low, high, heads[i].predictor, &mut codes[i]);
        ends[i] = starts[i] + at + (heads[i].remainder_bits[0].wrapping_mul(BYTES) >> 56) as usize;
    }
    let last = heads.map(|head| (head.predictor, head.largest));
    if let ([(predictor, largest)], [codes], [values]) = (&last[..], &codes[..], &mut values[..]) {
        one_brick::undo(*predictor, *largest, codes, values);
    } else {
        wavefront::undo(last, &codes, values);
    }
    for ((head, dictionary), values) in heads.iter().zip(&dictionaries).zip(values) {
        if head.has_dictionary {
            let [low, high]: [__m512i; 2] = bytemuck::cast(*values);
            let dictionary: __m512i = bytemuck::cast(*dictionary);
            let low = _mm512_permutexvar_epi16(low, dictionary);
            *values = bytemuck::cast([low, _mm512_permutexvar_epi16(high, dictionary)]);
        }
    }
    Some(ends)
}

/// Joins 64 quotients with the remainders from byte `at` on: codes of 16 bits, 32 in each vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn join(window: &Window, at: usize, head: &Head<1>, quotients: __m512i) -> [__m512i; 2] {
    let per_group = head.remainder_bits[0];
    let widths: __m128i = _mm_cvtsi64_si128(per_group as i64);
    let at = at & (WINDOW - 1);
    let (low, high) = if above_eight(per_group) == 0 {
        // Eight bits at most.
        let ones = _mm_setr_epi8(0, 1, 3, 7, 15, 31, 63, 127, -1, 0, 0, 0, 0, 0, 0, 0);
        let masks = _mm_shuffle_epi8(ones, widths);
        let stream: [u8; 64] = *window[at..].first_chunk().expect("64 bytes");
        let groups = _mm512_maskz_expand_epi8(_mm_cvtsi128_si64(masks) as u64, bytemuck::cast(stream));
        let [shifts_low, shifts_high]: [__m512i; 2] = bytemuck::cast(SHIFTS);
        let shifts = _mm512_permutex2var_epi64(shifts_low, _mm512_cvtepu8_epi64(widths), shifts_high);
        let apart = _mm512_multishift_epi64_epi8(shifts, groups);
        let masks = _mm512_permutexvar_epi8(bytemuck::cast(BY_GROUP), _mm512_castsi128_si512(masks));
        let remainders = _mm512_and_si512(apart, masks);
        (
            _mm512_cvtepu8_epi16(_mm512_castsi512_si256(remainders)),
            _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(remainders)),
        )
    } else {
        let mut remainders = [0u16; 64];
        let mut at = at;
        for (remainders, k) in remainders.as_chunks_mut::<8>().0.iter_mut().zip(per_group.to_le_bytes()) {
            for (i, remainder) in remainders.iter_mut().enumerate() {
                *remainder = (load_bits(window, 8 * at + i * usize::from(k)) & ((1 << k) - 1)) as u16;
            }
            at += usize::from(k);
        }
        let [low, high]: [__m512i; 2] = bytemuck::cast(remainders);
        (low, high)
    };
    let widths = _mm512_castsi128_si512(widths);
    let [groups_low, groups_high]: [__m512i; 2] = bytemuck::cast(GROUP_OF);
    let wide = |bytes: __m512i| _mm512_and_si512(bytes, _mm512_set1_epi16(0xff));
    let low_widths = wide(_mm512_permutexvar_epi8(groups_low, widths));
    let high_widths = wide(_mm512_permutexvar_epi8(groups_high, widths));
    let low_quotients = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(quotients));
    let high_quotients = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(quotients));
    let first = _mm512_zextsi128_si512(_mm_cvtsi32_si128((head.first & 0xffff) as i32));
    let low = _mm512_or_si512(low, _mm512_sllv_epi16(low_quotients, low_widths));
    let high = _mm512_or_si512(high, _mm512_sllv_epi16(high_quotients, high_widths));
    [_mm512_or_si512(low, first), high]
}

/// Start of each of eight remainders of k bits in 64 bits.
static SHIFTS: [[u8; 8]; 16] = {
    let (mut table, mut i) = ([[0; 8]; 16], 0);
    while i < 9 * 8 {
        table[i / 8][i % 8] = (i / 8 * (i % 8)) as u8;
        i += 1;
    }
    table
};

/// Number of the group of eight, for each voxel.
static BY_GROUP: [u8; 64] = {
    let (mut table, mut i) = ([0; 64], 0);
    while i < 64 {
        table[i] = i as u8 / 8;
        i += 1;
    }
    table
};

/// The same in 16 bits, whose upper eight are unspecified.
static GROUP_OF: [u16; 64] = {
    let (mut table, mut i) = ([0; 64], 0);
    while i < 64 {
        table[i] = i as u16 / 8;
        i += 1;
    }
    table
};
