//! Bits to a brick's values.

use super::{
    bit_planes::bit_planes,
    fast,
    header::{BrickHeader, coded_of_run},
    labels::DecodeLabels,
    limits::{GROUP, MAX_DICTIONARY, PADDING, WIDE},
    narrow,
    order::{from_morton, spread},
    predict, rice_level,
    shape::{BrickBox, BrickSize, dims_of},
    wavefront,
};
use crate::simd::{self, Bits, SimdKernel};

/// Decodes the brick at byte `start` of `bytes` into `values` (0..=`range`, x fastest), and returns where its
/// bytes end. `values` has room for a whole brick; those outside are unspecified. `range` must not be zero.
/// `None` if the bytes end too soon; bytes that no encoder writes give unspecified values.
#[inline]
pub(crate) fn brick(
    bytes: &[u8],
    start: usize,
    range: u32,
    part: BrickBox,
    values: &mut [u32],
) -> Option<usize> {
    if part.size == BrickSize::Four
        && part.is_whole()
        && let Some(end) = fast::decode(bytes, start, range, values)
    {
        return Some(end);
    }
    if narrow::is_narrow(part, range) {
        let mut narrow = [0; 64];
        let end = narrow::brick(bytes, start, range, &mut narrow)?;
        for (value, narrow) in values.iter_mut().zip(narrow) {
            *value = narrow.into();
        }
        return Some(end);
    }
    simd::dispatch_wide(&mut DecodeBrick { bytes, start, range, part, values })
}

/// Works like [`brick`], in portable code.
#[cfg(test)]
pub(crate) fn brick_portable(
    bytes: &[u8],
    start: usize,
    range: u32,
    part: BrickBox,
    values: &mut [u32],
) -> Option<usize> {
    if narrow::is_narrow(part, range) {
        let mut narrow = [0; 64];
        let end = narrow::brick_portable(bytes, start, range, &mut narrow)?;
        values.copy_from_slice(&narrow.map(u32::from));
        return Some(end);
    }
    (&mut DecodeBrick { bytes, start, range, part, values }).run(simd::Portable)
}

struct DecodeBrick<'a> {
    bytes: &'a [u8],
    start: usize,
    range: u32,
    part: BrickBox,
    values: &'a mut [u32],
}

impl SimdKernel for &mut DecodeBrick<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<usize> {
        let DecodeBrick { bytes, start, range, part, ref mut values } = *self;
        let runs = values.as_chunks_mut::<64>().0;
        match part.size {
            BrickSize::Four => one::<B, 4, 1>(bits, bytes, start, range, part, runs.try_into().ok()?),
            BrickSize::Eight => one::<B, 8, 8>(bits, bytes, start, range, part, runs.try_into().ok()?),
            BrickSize::Flat => one::<B, 16, 4>(bits, bytes, start, range, part, runs.try_into().ok()?),
        }
    }
}

#[inline(always)]
fn one<B: Bits, const WIDTH: usize, const RUNS: usize>(
    bits: B,
    bytes: &[u8],
    start: usize,
    range: u32,
    part: BrickBox,
    runs: &mut [[u32; 64]; RUNS],
) -> Option<usize> {
    let header = BrickHeader::<RUNS>::read(bytes, start, range, part.count())?;
    if header.is_label_brick {
        return labels(bits, bytes, &header, part, runs.as_flattened_mut());
    }
    let coded = codes(bits, bytes, header, part, runs)?;
    coded.finish::<B, WIDTH>(bits, runs);
    Some(coded.end)
}

/// Decodes a label brick, and returns where its bytes end.
#[inline(always)]
fn labels<B: Bits, const RUNS: usize>(
    bits: B,
    bytes: &[u8],
    header: &BrickHeader<RUNS>,
    part: BrickBox,
    values: &mut [u32],
) -> Option<usize> {
    let &BrickHeader { predictor, largest, end: position, .. } = header;
    let first = header.first_high as u8;
    let mut slices = [[0; 64]; 8];
    let end =
        bits.call(DecodeLabels { bytes, position, first, part, predictor, largest, slices: &mut slices })?;
    for (value, &label) in values.iter_mut().zip(slices.as_flattened()) {
        let label = usize::from(label);
        *value = if header.has_dictionary {
            header.dictionary[label.min(MAX_DICTIONARY - 1)]
        } else {
            label as u32
        };
    }
    Some(end)
}

/// A brick whose codes are read, and where its bytes end.
struct Coded<const RUNS: usize> {
    header: BrickHeader<RUNS>,
    end: usize,
}

impl<const RUNS: usize> Coded<RUNS> {
    /// Converts codes to values.
    #[inline(always)]
    fn finish<B: Bits, const WIDTH: usize>(&self, bits: B, runs: &mut [[u32; 64]]) {
        undo_prediction::<B, WIDTH>(bits, self.header.predictor, self.header.largest, runs);
        self.replace(runs.as_flattened_mut());
    }

    /// Replaces places in the dictionary by its values.
    #[inline(always)]
    fn replace(&self, values: &mut [u32]) {
        if self.header.has_dictionary {
            for value in values {
                *value = self.header.dictionary[(*value as usize).min(MAX_DICTIONARY - 1)];
            }
        }
    }
}

/// Reads the codes of a brick of runs of 64 voxels; the first is a value already.
#[inline(always)]
fn codes<B: Bits, const RUNS: usize>(
    bits: B,
    bytes: &[u8],
    header: BrickHeader<RUNS>,
    part: BrickBox,
    runs: &mut [[u32; 64]; RUNS],
) -> Option<Coded<RUNS>> {
    let count = part.count();
    let mut position = header.end;
    let cap = rice_level::most_ones(header.base, header.largest);
    let mut quotients = [[0; 64]; RUNS];
    for (i, (quotients, rice_levels)) in quotients.iter_mut().zip(&header.rice_levels).enumerate() {
        let coded = coded_of_run(count, i);
        position = bit_planes(bits, bytes, position, coded, rice_levels, cap, quotients)?;
    }
    let mut at = position.div_ceil(8);
    let mut ordered = [[0; 64]; RUNS];
    for ((codes, quotients), rice_levels) in ordered.iter_mut().zip(&quotients).zip(&header.rice_levels) {
        for (i, &rice_level) in rice_levels.iter().enumerate() {
            let codes = &mut codes.as_chunks_mut::<GROUP>().0[i];
            let quotients = &quotients.as_chunks::<GROUP>().0[i];
            let k = rice_level::low_bits(rice_level) & 31;
            remainders(bits, bytes.get(at..at + REMAINDER_WINDOW)?, k, quotients, codes);
            at += k as usize;
        }
    }
    if !count.is_multiple_of(GROUP) {
        // The last group has fewer than eight.
        let k = rice_level::low_bits(header.rice_levels.as_flattened()[count / GROUP]) as usize & 31;
        at -= k - (count % GROUP * k).div_ceil(8);
    }
    let is_sorted = header.predictor == predict::SORTED;
    if is_sorted || !part.is_whole() {
        spread(part, is_sorted, ordered.as_flattened(), runs.as_flattened_mut());
    } else {
        from_morton(&ordered, runs);
    }
    let low_bits = header.first_low_bits & 31;
    let first = &mut runs[0][0];
    *first = (*first & ((1 << low_bits) - 1)) | header.first_high << low_bits;
    Some(Coded { header, end: at })
}

/// Bytes from the start of a group's remainders on that are looked at: of 31 bits at most, eight bytes for
/// each.
const REMAINDER_WINDOW: usize = 64;

// The last group may be shorter than its remainders would be for eight.
const _: () = assert!(PADDING >= REMAINDER_WINDOW + 31);

/// Joins eight quotients with their remainders of `k` bits.
#[inline(always)]
fn remainders<B: Bits>(bits: B, bytes: &[u8], k: u32, quotients: &[u8; GROUP], codes: &mut [u32; GROUP]) {
    if k <= 8 {
        let word = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
        let remainders = bits.deposit(word, 0x0101_0101_0101_0101 * ((1 << k) - 1));
        *codes = bits.join_eight(quotients, remainders, k);
        return;
    }
    for (i, (code, quotient)) in codes.iter_mut().zip(quotients).enumerate() {
        let bit = i * k as usize;
        let window = u64::from_le_bytes(bytes[bit / 8..bit / 8 + 8].try_into().expect("eight bytes"));
        let remainder = (window >> (bit % 8)) as u32 & ((1 << k) - 1);
        *code = u32::from(*quotient) << k | remainder;
    }
}

/// Converts codes to values in place; the first one is a value already.
#[inline(always)]
fn undo_prediction<B: Bits, const WIDTH: usize>(
    bits: B,
    predictor: usize,
    range: u32,
    runs: &mut [[u32; 64]],
) {
    let values = runs.as_flattened_mut();
    match predictor {
        0 => {}
        1 if range < WIDE => {
            for value in &mut values[1..] {
                *value = range.wrapping_sub(*value);
            }
        }
        _ if range < WIDE => wavefront::undo(bits, predictor, range as i32, runs),
        _ => {
            let dims = dims_of(WIDTH);
            let backs = predict::backs(dims);
            for i in 1..values.len() {
                let prediction = predict::wide_prediction(predictor, values, i, dims, &backs);
                let code = values[i];
                values[i] = prediction.wrapping_add((code >> 1) ^ (code & 1).wrapping_neg());
            }
        }
    }
}
