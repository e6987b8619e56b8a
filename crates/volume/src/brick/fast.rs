//! The fast encoder of bricks of 4³: each value in as many bits as the brick's range has.
//!
//! The predictor is 0, and all groups have the Rice level of k = width(M) − 1 and t = 0. The quotients are
//! then the values' upper bits, a single bit plane, and the remainders are the other bits:
//!
//! | bits | contents |
//! |---|---|
//! | 6 to 13 | header, without dictionary and deltas |
//! | 64 | the upper bit of each value: that of the first value, then bit plane 0 |
//! | one for each 1 of bit plane 0 | zeros, for ranges from 2²⁴ to 2³¹: bit plane 1 |
//! | 0 to 7 | zeros up to a whole byte |
//! | 64 × k | remainders |
//!
//! Few values, among which many pairs of neighbours are equal, are replaced by their ranks, if the dictionary
//! takes less. `notes.md` has sizes and speeds.

use super::{
    dictionary::{distinct, put_start},
    limits::{GROUP, MAX_DICTIONARY, base_bits, delta_width},
    order::to_morton,
    rice_level,
    shape::BrickBox,
};
use crate::bits::{BitWriter, width};

/// Pairs of equal neighbours along x in a whole brick, from which on its values are counted.
const EQUAL_PAIRS: usize = 16;

/// The largest k of [`narrow`]: four remainders fit 64 bits.
const MAX_NARROW_BITS: u32 = 15;

/// Works like [`encode::four`](super::encode::four), but many times faster. The brick takes more bytes.
pub(crate) fn four(values: &[u32], range: u32, part: BrickBox, out: &mut Vec<u8>) {
    let values: &[u32; 64] = values.try_into().expect("the values of a whole brick");
    if part.is_whole() {
        return whole(&to_morton(values), range, out);
    }
    let (places, mut inside) = (part.places(false), [0; 64]);
    for (value, &place) in inside.iter_mut().zip(&places[..part.count()]) {
        *value = values[usize::from(place) & 63];
    }
    let inside = &inside[..part.count()];
    if range == 1 || !put_ranks(inside, range, out) {
        put(inside, range, range, None, out);
    }
}

/// Works like [`four`] for the values of a whole brick in Morton order.
#[inline(always)]
pub(crate) fn whole(values: &[u32; 64], range: u32, out: &mut Vec<u8>) {
    let equal = values.as_chunks::<2>().0.iter().map(|[a, b]| usize::from(a == b)).sum::<usize>();
    if range > 1 && equal >= EQUAL_PAIRS && put_ranks(values, range, out) {
        return;
    }
    if range >> (MAX_NARROW_BITS + 1) == 0 {
        narrow(values, range, out);
    } else {
        put(values, range, range, None, out);
    }
}

/// Appends a whole brick without dictionary whose range has at most 16 bits.
#[inline(always)]
fn narrow(values: &[u32; 64], range: u32, out: &mut Vec<u8>) {
    let k = width(range) - 1;
    let (header, header_bits) = header(range);
    let upper = upper_bits(values, k);
    let mut bytes = [0; 10 + GROUP * MAX_NARROW_BITS as usize + GROUP];
    bytes[..8].copy_from_slice(&(header | upper << header_bits).to_le_bytes());
    bytes[8..10].copy_from_slice(&((upper >> (64 - header_bits)) as u16).to_le_bytes());
    let mut at = (64 + header_bits as usize).div_ceil(8);
    if k > 0 {
        let mask = (1 << k) - 1;
        let two = |a: u32, b: u32| u64::from(a & mask) | u64::from(b & mask) << k;
        let four = |[a, b, c, d]: [u32; 4]| two(a, b) | two(c, d) << (2 * k);
        for &[a, b, c, d, e, f, g, h] in values.as_chunks::<GROUP>().0 {
            let (low, high) = (four([a, b, c, d]), four([e, f, g, h]));
            // The next group overwrites excess bytes.
            let words = u128::from(low | high << (4 * k)) | u128::from(high >> (64 - 4 * k)) << 64;
            bytes[at..at + 16].copy_from_slice(&words.to_le_bytes());
            at += k as usize;
        }
    }
    out.extend_from_slice(&bytes[..at]);
}

/// Decodes the brick at byte `start` of `bytes`, as [`decode::brick`](super::decode::brick) does, if it has
/// the form of [`narrow`]. Else returns `None`.
#[inline]
pub(super) fn decode(bytes: &[u8], start: usize, range: u32, values: &mut [u32]) -> Option<usize> {
    let values: &mut [u32; 64] = values.try_into().ok()?;
    if range == 0 || range >> (MAX_NARROW_BITS + 1) != 0 {
        return None;
    }
    let k = width(range) - 1;
    let (header, header_bits) = header(range);
    let word = u64::from_le_bytes(*bytes.get(start..)?.first_chunk()?);
    if word & ((1 << header_bits) - 1) != header {
        return None;
    }
    let rest = u16::from_le_bytes(*bytes[start + 8..].first_chunk()?);
    let upper = word >> header_bits | u64::from(rest) << (64 - header_bits);
    let mut at = start + (64 + header_bits as usize).div_ceil(8);
    let mask = (1 << k) - 1;
    for (i, block) in FIRSTS.into_iter().enumerate() {
        let words = u128::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let four = |at: u32| {
            let (low, upper) = ((words >> (k * at)) as u64, upper >> (8 * i as u32 + at));
            let value = |j: u32| ((low >> (j * k)) as u32 & mask) | ((upper >> j) as u32 & 1) << k;
            [value(0), value(1), value(2), value(3)]
        };
        for (places, four) in [[0, 1, 4, 5], [16, 17, 20, 21]].into_iter().zip([four(0), four(4)]) {
            for (place, value) in places.into_iter().zip(four) {
                values[block + place] = value;
            }
        }
        at += k as usize;
    }
    Some(at)
}

/// The first voxel of each block of 2×2×2.
const FIRSTS: [usize; 8] = [0, 2, 8, 10, 32, 34, 40, 42];

/// Appends a brick with a dictionary if it takes less than one without. Returns whether it did.
#[inline(never)]
fn put_ranks(values: &[u32], range: u32, out: &mut Vec<u8>) -> bool {
    let mut dictionary = [0; MAX_DICTIONARY];
    let entries = distinct(values, range, &mut dictionary);
    if entries < 2 {
        return false;
    }
    let (largest, count) = (entries as u32 - 1, values.len() as u32);
    if 4 + (largest - 1) * width(range) + count * width(largest) >= count * width(range) {
        return false;
    }
    let mut ranks = [0; 64];
    let ranks = &mut ranks[..values.len()];
    for (rank, value) in ranks.iter_mut().zip(values) {
        *rank = dictionary[..entries].iter().map(|entry| u32::from(entry < value)).sum();
    }
    put(ranks, range, largest, Some(&dictionary[1..entries - 1]), out);
    true
}

/// Appends a brick of values in the order of their codes: up to `range`, or ranks up to `largest`.
#[inline(never)]
fn put(values: &[u32], range: u32, largest: u32, dictionary: Option<&[u32]>, out: &mut Vec<u8>) {
    let (k, base_bits) = (width(largest) - 1, base_bits(largest));
    let upper = upper_bits(values, k);
    let mut writer = BitWriter::append(out);
    put_start(&mut writer, 0, range, dictionary);
    writer.put(1 + 2 * k, base_bits);
    writer.put(0u32, delta_width(base_bits));
    writer.put(upper, values.len() as u32);
    if rice_level::most_ones(1 + 2 * k, largest) > 1 {
        writer.put(0u32, (upper & !1).count_ones());
    }
    writer.align();
    for value in values {
        writer.put(value & ((1 << k) - 1), k);
    }
    writer.align();
}

/// Returns the header of a brick without dictionary, and its number of bits.
#[inline(always)]
fn header(range: u32) -> (u64, u32) {
    let (start, base_bits) = (if range > 1 { 5 } else { 4 }, base_bits(range));
    (u64::from(2 * width(range) - 1) << start, start + base_bits + delta_width(base_bits))
}

/// Returns bit `k` of each value, which is its highest one.
#[inline(always)]
fn upper_bits(values: &[u32], k: u32) -> u64 {
    let mut upper = 0;
    for (i, eight) in values.chunks(GROUP).enumerate() {
        let bits = eight.iter().rev().fold(0, |bits, value| bits << 1 | u64::from(value >> k & 1));
        upper |= bits << (8 * i);
    }
    upper
}
