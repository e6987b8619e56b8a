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

use super::{
    limits::{MAX_DICTIONARY, MAX_NARROW, PADDING, base_bits, delta_width},
    packed::RECORD,
    rice_level,
};
use crate::{bits::width, simd::Avx512};
use std::arch::x86_64::{
    __m128i, __m512i, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_setr_epi8,
    _mm_shuffle_epi8, _mm512_and_si512, _mm512_castsi128_si512, _mm512_castsi512_si256, _mm512_cvtepu8_epi16,
    _mm512_cvtepu8_epi64, _mm512_extracti64x4_epi64, _mm512_mask_sub_epi8, _mm512_maskz_expand_epi8,
    _mm512_multishift_epi64_epi8, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_permutexvar_epi8,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_sllv_epi16, _mm512_zextsi128_si512,
    _pdep_u64,
};

/// Most bytes of a brick: 35 of header, 528 of bit planes, 120 of remainders.
const WINDOW: usize = 1024;

/// Bytes from the start of a brick on that may be read.
pub(crate) const REACH: usize = WINDOW + 64;

const _: () = assert!(PADDING >= REACH);

/// A byte of each eight.
const BYTES: u64 = 0x0101_0101_0101_0101;

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
        unsafe { bricks(bytes, starts, ranges, values) }
    }

    /// Unpacks the values of a packed brick, each of `width` bits, at most seven.
    #[inline]
    #[allow(unsafe_code)]
    pub fn unpack(self, record: &[u8; RECORD], width: usize, values: &mut [u16; 64]) {
        // SAFETY: the token proves that the CPU has these instructions.
        unsafe { packed::unpack(record, width, values) }
    }
}

/// The header of a brick: the bits before its bit planes.
#[derive(Clone, Copy, Default)]
struct Head {
    predictor: usize,
    /// The largest value that codes represent.
    largest: u32,
    /// The k of each group of eight, in bytes; 0 for Rice level 0.
    remainder_bits: u64,
    /// The bits of the first value above those stored in place of a remainder.
    first: u32,
    cap: u32,
    active: u64,
    half: u64,
    has_dictionary: bool,
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn bricks<const N: usize>(
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
    let mut heads = [Head::default(); N];
    for i in 0..N {
        heads[i] = head(windows[i], ranges[i], &mut positions[i], &mut dictionaries[i]);
    }
    let quotients = bit_planes(&windows, &heads, &mut positions);
    let mut codes = [[0; wavefront::CODES]; N];
    let mut ends = [0; N];
    for i in 0..N {
        let at = positions[i].div_ceil(8);
        let [low, high] = join(windows[i], at, &heads[i], quotients[i]);
        wavefront::sort(low, high, heads[i].predictor, &mut codes[i]);
        ends[i] = starts[i] + at + (heads[i].remainder_bits.wrapping_mul(BYTES) >> 56) as usize;
    }
    let last = heads.map(|head| (head.predictor, head.largest));
    if let ([(predictor, largest)], [codes], [values]) = (&last[..], &codes[..], &mut values[..]) {
        one_brick::undo(*predictor, *largest, codes, values);
    } else {
        wavefront::undo(last, &codes, values);
    }
    for ((head, dictionary), values) in heads.iter().zip(&dictionaries).zip(values) {
        if head.has_dictionary {
            for value in values.iter_mut() {
                *value = dictionary[usize::from(*value) & 31];
            }
        }
    }
    Some(ends)
}

/// Returns eight bytes.
#[inline(always)]
fn load(window: &[u8; REACH], at: usize) -> u64 {
    let at = at & (WINDOW - 1);
    u64::from_le_bytes(window[at..at + 8].try_into().expect("eight bytes"))
}

/// Returns the 57 bits from `position` on.
#[inline(always)]
fn bits(window: &[u8; REACH], position: usize) -> u64 {
    load(window, position / 8) >> (position % 8)
}

#[inline]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn head(window: &[u8; REACH], range: u32, position: &mut usize, dictionary: &mut [u16; 32]) -> Head {
    let word = load(window, 0);
    let low = |count: u32| (1u64 << count) - 1;
    let predictor = (word & 15) as usize;
    let mut largest = range;
    let may_have_dictionary = range > 1;
    let has_dictionary = may_have_dictionary && word >> 4 & 1 == 1;
    let mut at = 4 + usize::from(may_have_dictionary);
    let mut rest = word >> at;
    if has_dictionary {
        let inner = (rest & 15) as usize;
        at += 4;
        for entry in &mut dictionary[1..=inner] {
            *entry = (bits(window, at) & low(width(range))) as u16;
            at += width(range) as usize;
        }
        dictionary[inner + 1] = range as u16;
        const { assert!(MAX_DICTIONARY <= 32) };
        largest = inner as u32 + 1;
        rest = bits(window, at);
    }
    let base_bits = base_bits(largest);
    let delta_width = delta_width(base_bits);
    let base = (rest & low(base_bits)) as u32;
    let delta_bits = (rest >> base_bits & low(delta_width)) as u32;
    at += (base_bits + delta_width) as usize;
    rest >>= base_bits + delta_width;
    let deltas = rest & low(8 * delta_bits);
    let rice_levels = u64::from(base) * BYTES + _pdep_u64(deltas, low(delta_bits) * BYTES);
    // Rice levels are below 64: the top bit of a byte is free.
    let some = (rice_levels + 0x7f * BYTES) & (0x80 * BYTES);
    let some = (some << 1).wrapping_sub(some >> 7);
    let even = !rice_levels & BYTES;
    let even = (even << 8).wrapping_sub(even);
    let remainder_bits = ((rice_levels | (0x80 * BYTES)) - BYTES) >> 1 & (0x1f * BYTES) & some;
    let first_low_bits = (remainder_bits & 31) as u32;
    let first_bits = width(largest).saturating_sub(first_low_bits);
    let first = ((rest >> (8 * delta_bits)) & low(first_bits)) as u32;
    *position = at + (8 * delta_bits + first_bits) as usize;
    let active = some & !1;
    Head {
        predictor,
        largest,
        remainder_bits,
        first: first << first_low_bits,
        cap: rice_level::most_ones(base, largest),
        active,
        half: active & even,
        has_dictionary,
    }
}

/// Reads the bit planes of all bricks, and moves the positions on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
fn bit_planes<const N: usize>(
    windows: &[&[u8; REACH]; N],
    heads: &[Head; N],
    positions: &mut [usize; N],
) -> [__m512i; N] {
    let minus_one = _mm512_set1_epi8(-1);
    let read = |window: &[u8; REACH], position: &mut usize, mask: u64| {
        let (at, shift) = (*position / 8, *position % 8);
        let word = load(window, at) >> shift | load(window, at + 1) << (8 - shift);
        *position += mask.count_ones() as usize;
        _pdep_u64(word, mask)
    };
    let mut counts = [_mm512_setzero_si512(); N];
    let mut alive = [0; N];
    for i in 0..N {
        let head = &heads[i];
        alive[i] = read(windows[i], &mut positions[i], if head.cap > 0 { head.active } else { 0 });
        counts[i] = _mm512_mask_sub_epi8(counts[i], alive[i], counts[i], minus_one);
    }
    for i in 0..N {
        // Half a step: without ones, quotients 0 and 1 remain to be distinguished; each one counts from 2 on.
        let half = heads[i].half;
        let apart = read(windows[i], &mut positions[i], half & !alive[i]);
        counts[i] = _mm512_mask_sub_epi8(counts[i], apart | half & alive[i], counts[i], minus_one);
    }
    let mut bit_plane = 1;
    loop {
        let mut any = 0;
        for i in 0..N {
            alive[i] = if bit_plane < heads[i].cap { alive[i] } else { 0 };
            any |= alive[i];
        }
        if any == 0 {
            return counts;
        }
        for i in 0..N {
            alive[i] = read(windows[i], &mut positions[i], alive[i]);
            counts[i] = _mm512_mask_sub_epi8(counts[i], alive[i], counts[i], minus_one);
        }
        bit_plane += 1;
    }
}

/// Joins 64 quotients with the remainders from byte `at` on: codes of 16 bits, 32 in each vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn join(window: &[u8; REACH], at: usize, head: &Head, quotients: __m512i) -> [__m512i; 2] {
    let per_group = head.remainder_bits;
    let widths: __m128i = _mm_cvtsi64_si128(per_group as i64);
    let at = at & (WINDOW - 1);
    let (low, high) = if (per_group + 0x77 * BYTES) & (0x80 * BYTES) == 0 {
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
                *remainder = (bits(window, 8 * at + i * usize::from(k)) & ((1 << k) - 1)) as u16;
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
