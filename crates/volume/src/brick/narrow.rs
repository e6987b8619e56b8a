//! Bits to the values of narrow bricks: whole ones of 4³ whose ranges are up to [`MAX_NARROW`].

use super::{
    bit_planes::bit_planes,
    header::BrickHeader,
    limits::{GROUP, MAX_DICTIONARY, MAX_NARROW},
    order::order_of_four,
    predict, rice_level,
    shape::{BrickBox, BrickSize},
    wavefront,
};
use crate::simd::{self, Bits, SimdKernel};
use std::array;

#[cfg(target_arch = "x86_64")]
use crate::simd::Avx512;

/// The code of each voxel of a sorted brick.
const SORTED_CODES: [u16; 64] = {
    let (order, mut codes, mut i) = (order_of_four(true), [0; 64], 0);
    while i < 64 {
        codes[order[i] as usize] = i as u16;
        i += 1;
    }
    codes
};

/// Returns slice `Z` of a sorted brick's codes. (Slice by slice, the positions are constants in every build.)
#[inline(always)]
fn sorted_slice<const Z: usize>(codes: &[i16; 64]) -> [i16; 16] {
    array::from_fn(|i| codes[usize::from(SORTED_CODES[16 * Z + i]) & 63])
}

/// True if a brick is narrow.
#[inline]
pub(crate) fn is_narrow(part: BrickBox, range: u32) -> bool {
    part.size == BrickSize::Four && part.is_whole() && (1..=MAX_NARROW).contains(&range)
}

/// Works like [`decode::brick`](super::decode::brick) for a narrow brick.
#[inline]
pub(crate) fn brick(bytes: &[u8], start: usize, range: u32, values: &mut [u16; 64]) -> Option<usize> {
    let values = array::from_mut(values);
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx512::detect() {
        return token.bricks([bytes], [start], [range], values).map(|[end]| end);
    }
    simd::dispatch(&mut DecodeBrick { bytes, start, range, values })
}

/// Works like [`brick`], in portable code.
#[cfg(test)]
pub(super) fn brick_portable(
    bytes: &[u8],
    start: usize,
    range: u32,
    values: &mut [u16; 64],
) -> Option<usize> {
    (&mut DecodeBrick { bytes, start, range, values: array::from_mut(values) }).run(simd::Portable)
}

struct DecodeBrick<'a> {
    bytes: &'a [u8],
    start: usize,
    range: u32,
    values: &'a mut [[u16; 64]; 1],
}

impl SimdKernel for &mut DecodeBrick<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<usize> {
        decode_narrow(bits, [self.bytes], [self.start], [self.range], self.values).map(|[end]| end)
    }
}

/// Four whole bricks of 4³ whose ranges are up to [`MAX_NARROW`].
pub(crate) struct FourBricks<'a> {
    pub bytes: [&'a [u8]; 4],
    /// First byte of each brick, and the byte after its last one.
    pub starts: [usize; 4],
    pub ends: [usize; 4],
    pub ranges: [u32; 4],
    pub values: &'a mut [[u16; 64]; 4],
}

impl FourBricks<'_> {
    /// Decodes each as [`brick`] does, faster than one by one. `None` also if one ends elsewhere.
    #[inline]
    pub fn decode(&mut self) -> Option<()> {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Avx512::detect() {
            let ends = token.bricks(self.bytes, self.starts, self.ranges, self.values)?;
            return (ends == self.ends).then_some(());
        }
        self.decode_by_pairs()
    }

    /// Works like [`decode`](Self::decode) on other instruction sets.
    #[inline]
    pub(super) fn decode_by_pairs(&mut self) -> Option<()> {
        simd::dispatch(self)
    }
}

impl SimdKernel for &mut FourBricks<'_> {
    type Output = Option<()>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<()> {
        for (pair, values) in self.values.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let [first, second] = [2 * pair, 2 * pair + 1];
            let starts = [self.starts[first], self.starts[second]];
            let ranges = [self.ranges[first], self.ranges[second]];
            let bytes = [self.bytes[first], self.bytes[second]];
            let ends = decode_narrow(bits, bytes, starts, ranges, values)?;
            if ends != [self.ends[first], self.ends[second]] {
                return None;
            }
        }
        Some(())
    }
}

/// Decodes whole bricks of 4³ whose ranges are up to [`MAX_NARROW`], as [`brick`] does one, two of them
/// faster than one by one.
#[inline(always)]
fn decode_narrow<B: Bits, const N: usize>(
    bits: B,
    bytes: [&[u8]; N],
    starts: [usize; N],
    ranges: [u32; N],
    values: &mut [[u16; 64]; N],
) -> Option<[usize; N]> {
    let mut ends = [0; N];
    let mut bricks = [(0, 0); N];
    let mut codes = [[bits.row([0; 16]); 4]; N];
    let mut dictionaries = [None; N];
    for i in 0..N {
        let (header, end) = narrow_codes(bits, bytes[i], starts[i], ranges[i], &mut codes[i])?;
        ends[i] = end;
        bricks[i] = (header.predictor, header.largest);
        dictionaries[i] = header.has_dictionary.then_some(header.dictionary);
    }
    let slices = wavefront::undo_4(bits, bricks, &codes);
    for i in 0..N {
        let values = &mut values[i];
        for (values, slice) in values.as_chunks_mut::<16>().0.iter_mut().zip(slices[i]) {
            *values = bits.numbers(slice).map(|value| value as u16);
        }
        if let Some(dictionary) = dictionaries[i] {
            for value in values {
                *value = dictionary[usize::from(*value).min(MAX_DICTIONARY - 1)] as u16;
            }
        }
    }
    Some(ends)
}

/// Reads the codes of a whole brick of 4³ whose range is up to [`MAX_NARROW`], by slice; the first is a value
/// already.
#[inline(always)]
fn narrow_codes<B: Bits>(
    bits: B,
    bytes: &[u8],
    start: usize,
    range: u32,
    codes: &mut [B::Row; 4],
) -> Option<(BrickHeader<1>, usize)> {
    let header = BrickHeader::<1>::read(bytes, start, range, 64)?;
    let cap = rice_level::most_ones(header.base, header.largest);
    let mut quotients = [0; 64];
    let rice_levels = &header.rice_levels[0];
    let end = bit_planes(bits, bytes, header.end, !1, rice_levels, cap, &mut quotients)?;
    let mut at = end.div_ceil(8);
    // The remainders of eight codes, of up to 15 bits each, take 15 bytes.
    let window: &[u8; 8 * 15 + 8] = bytes.get(at..)?.first_chunk()?;
    let word = |at: usize| {
        let eight = window[at..].first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(eight)
    };
    let mut next = 0;
    let groups = quotients.as_chunks::<16>().0.iter().zip(rice_levels.as_chunks::<2>().0);
    for (codes, (quotients, &rice_levels)) in codes.iter_mut().zip(groups) {
        let k = rice_levels.map(|rice_level| rice_level::low_bits(rice_level) & 15);
        let first = [next, next + k[0] as usize];
        *codes = if k[0].max(k[1]) <= 8 {
            let places = |i: usize| 0x0101_0101_0101_0101 * ((1 << k[i]) - 1);
            let low = bits.deposit(word(first[0]), places(0));
            let high = bits.deposit(word(first[1]), places(1));
            bits.join(quotients, [low, high], k)
        } else {
            bits.row(array::from_fn(|i| {
                let (group, k) = (i / GROUP, k[i / GROUP]);
                let bit = i % GROUP * k as usize;
                let remainder = (word(first[group] + bit / 8) >> (bit % 8)) as u16 & ((1 << k) - 1);
                (u16::from(quotients[i]) << k | remainder) as i16
            }))
        };
        next = first[1] + k[1] as usize;
    }
    at += next;
    // The first value has no quotient.
    let mut first = [0; 16];
    first[0] = (header.first_high << (header.first_low_bits & 15)) as i16;
    codes[0] = bits.or(codes[0], bits.row(first));
    *codes = if header.predictor == predict::SORTED {
        let mut ordered = [0; 64];
        for (ordered, &row) in ordered.as_chunks_mut::<16>().0.iter_mut().zip(&*codes) {
            *ordered = bits.numbers(row);
        }
        [
            bits.row(sorted_slice::<0>(&ordered)),
            bits.row(sorted_slice::<1>(&ordered)),
            bits.row(sorted_slice::<2>(&ordered)),
            bits.row(sorted_slice::<3>(&ordered)),
        ]
    } else {
        bits.slices(*codes)
    };
    Some((header, at))
}
