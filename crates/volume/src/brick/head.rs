//! The header of a brick of narrow values, read by a few loads. Rice levels, masks and widths of remainders
//! are bytes of 64-bit words, one word for a run of eight groups.
//!
//! `header.rs` reads the headers of all bricks.

use super::{
    labels::{RUNS_OF_LABELS, is_label_brick},
    limits::{MAX_DICTIONARY, PADDING, base_bits, delta_width},
    rice_level,
};
use crate::{bits::width, simd::Bits};

/// Most bytes of a run: 40 of header, 528 of bit planes, 120 of remainders.
pub(super) const WINDOW: usize = 1024;

/// Bytes from the start of a run on that may be read.
pub(crate) const REACH: usize = WINDOW + 64;

const _: () = assert!(PADDING >= REACH);

/// 1 in each of eight bytes.
pub(super) const BYTES: u64 = 0x0101_0101_0101_0101;

/// Returns a number that is not 0 if one of eight widths, each up to 31, is above eight.
#[inline(always)]
pub(super) const fn above_eight(widths: u64) -> u64 {
    (widths + 0x77 * BYTES) & (0x80 * BYTES)
}

/// The bytes from the start of a run on.
pub(super) type Window = [u8; REACH];

/// The header of a brick of `RUNS` runs of 64 voxels: the bits before its bit planes.
#[derive(Clone, Copy)]
pub(super) struct Head<const RUNS: usize> {
    pub predictor: usize,
    /// The largest value that codes represent.
    pub largest: u32,
    /// The k of each group of eight, in bytes; 0 for Rice level 0.
    pub remainder_bits: [u64; RUNS],
    /// The bits of the first value above those stored in place of a remainder.
    pub first: u32,
    pub cap: u32,
    /// Codes with a bit in the first bit plane.
    pub active: [u64; RUNS],
    /// Those with half a step.
    pub half: [u64; RUNS],
    pub has_dictionary: bool,
    /// True for a label brick, whose Rice levels are 0.
    pub is_label_brick: bool,
}

impl<const RUNS: usize> Head<RUNS> {
    /// A header of zeros.
    pub const ZEROS: Self = Self {
        predictor: 0,
        largest: 0,
        remainder_bits: [0; RUNS],
        first: 0,
        cap: 0,
        active: [0; RUNS],
        half: [0; RUNS],
        has_dictionary: false,
        is_label_brick: false,
    };

    /// Reads the header of a whole brick with a range of 1 to [`MAX_NARROW`](super::MAX_NARROW). Calls
    /// `entry` with the place and the value of each entry of a dictionary except the first. Sets `position`
    /// to the bit at which the bit planes start, or the flags of a label brick.
    #[inline(always)]
    pub fn read<B: Bits>(
        bits: B,
        window: &Window,
        range: u32,
        position: &mut usize,
        mut entry: impl FnMut(usize, u32),
    ) -> Self {
        let word = load(window, 0);
        let low = |count: u32| (1u64 << count) - 1;
        let mut head = Self { predictor: (word & 15) as usize, largest: range, ..Self::ZEROS };
        let may_have_dictionary = range > 1;
        head.has_dictionary = may_have_dictionary && word >> 4 & 1 == 1;
        let mut at = 4 + usize::from(may_have_dictionary);
        let mut rest = word >> at;
        if head.has_dictionary {
            let inner = (rest & 15) as usize;
            at += 4;
            for place in 1..=inner {
                entry(place, (load_bits(window, at) & low(width(range))) as u32);
                at += width(range) as usize;
            }
            entry(inner + 1, range);
            const { assert!(MAX_DICTIONARY <= 32) };
            head.largest = inner as u32 + 1;
            rest = load_bits(window, at);
        }
        let base_bits = base_bits(head.largest);
        let delta_width = delta_width(base_bits);
        let mut base = (rest & low(base_bits)) as u32;
        let mut delta_bits = (rest >> base_bits & low(delta_width)) as u32;
        if RUNS == RUNS_OF_LABELS && is_label_brick(head.largest, base, delta_bits) {
            (head.is_label_brick, base, delta_bits) = (true, 0, 0);
        }
        head.cap = rice_level::most_ones(base, head.largest);
        at += (base_bits + delta_width) as usize;
        rest >>= base_bits + delta_width;
        for run in 0..RUNS {
            let deltas = rest & low(8 * delta_bits);
            at += 8 * delta_bits as usize;
            rest = if RUNS == 1 { rest >> (8 * delta_bits) } else { load_bits(window, at) };
            let rice_levels = u64::from(base) * BYTES + bits.deposit(deltas, low(delta_bits) * BYTES);
            // Rice levels are below 64: the top bit of a byte is free.
            let some = (rice_levels + 0x7f * BYTES) & (0x80 * BYTES);
            let some = (some << 1).wrapping_sub(some >> 7);
            let even = !rice_levels & BYTES;
            let even = (even << 8).wrapping_sub(even);
            head.remainder_bits[run] = ((rice_levels | (0x80 * BYTES)) - BYTES) >> 1 & (0x1f * BYTES) & some;
            head.active[run] = if run == 0 { some & !1 } else { some };
            head.half[run] = head.active[run] & even;
        }
        let first_low_bits = (head.remainder_bits[0] & 31) as u32;
        let first_bits = width(head.largest).saturating_sub(first_low_bits);
        head.first = ((rest & low(first_bits)) as u32) << first_low_bits;
        *position = at + first_bits as usize;
        head
    }
}

/// Returns the eight bytes at byte `at` of a window.
#[inline(always)]
pub(super) fn load(window: &Window, at: usize) -> u64 {
    let at = at & (WINDOW - 1);
    u64::from_le_bytes(window[at..at + 8].try_into().expect("eight bytes"))
}

/// Returns the 57 bits from `position` on.
#[inline(always)]
pub(super) fn load_bits(window: &Window, position: usize) -> u64 {
    load(window, position / 8) >> (position % 8)
}

/// Reads the bit planes of a run of each of `N` bricks in lockstep, and moves the positions on. Returns the
/// quotients.
#[inline(always)]
pub(super) fn bit_planes<B: Bits, const N: usize>(
    bits: B,
    windows: &[&Window; N],
    caps: [u32; N],
    active: [u64; N],
    half: [u64; N],
    positions: &mut [usize; N],
) -> [B::Counts; N] {
    let mut counts = [bits.counts(); N];
    let mut alive = [0; N];
    for i in 0..N {
        alive[i] = take(bits, windows[i], &mut positions[i], if caps[i] > 0 { active[i] } else { 0 });
        bits.add(&mut counts[i], alive[i]);
    }
    for i in 0..N {
        // Half a step: without ones, quotients 0 and 1 remain to be distinguished; each one counts from 2 on.
        let apart = take(bits, windows[i], &mut positions[i], half[i] & !alive[i]);
        bits.add(&mut counts[i], apart | half[i] & alive[i]);
    }
    let mut bit_plane = 1;
    loop {
        let mut any = 0;
        for i in 0..N {
            alive[i] = if bit_plane < caps[i] { alive[i] } else { 0 };
            any |= alive[i];
        }
        if any == 0 {
            return counts;
        }
        for i in 0..N {
            alive[i] = take(bits, windows[i], &mut positions[i], alive[i]);
            bits.add(&mut counts[i], alive[i]);
        }
        bit_plane += 1;
    }
}

/// Reads one bit for each one of `mask`, and moves the position on.
#[inline(always)]
fn take<B: Bits>(bits: B, window: &Window, position: &mut usize, mask: u64) -> u64 {
    let (at, shift) = (*position / 8, *position % 8);
    let word = load(window, at) >> shift | load(window, at + 1) << (8 - shift);
    *position += mask.count_ones() as usize;
    bits.deposit(word, mask)
}
