//! Words of blocks.

use super::{
    coding::Coded,
    weights::{Weights, place},
};
use crate::{
    astc::header::block_mode_4x4,
    simd::{Float, Int, Simd},
};

/// Returns the packing of five trits in eight bits.
#[inline(always)]
fn trits<S: Simd>(s: S, t: [S::I; 5]) -> S::I {
    let two = s.i(2);
    let (second, third) = (t[1].eq(two), t[2].eq(two));
    let plain = t[2].shl::<4>() | t[1].shl::<2>() | t[0];
    let other = (t[1].shl::<4>() | t[0].shl::<2>() | s.i(3)).or_if(second, t[0] | s.i(12));
    let low = plain.or_if(third, other);
    let (fourth, fifth) = (t[3].eq(two), t[4].eq(two));
    let plain = t[4].shl::<7>() | t[3].shl::<5>() | low;
    let both = low.shr::<2>().shl::<5>() | (low & s.i(3)) | s.i(28);
    let other = (t[3].shl::<7>() | s.i(96) | low).or_if(fourth, both);
    plain.or_if(fifth, other)
}

/// Returns a group of five values of `BITS` bits and a trit: 5 · `BITS` + 8 bits.
#[inline(always)]
fn group<S: Simd>(s: S, bits: i32, low: [S::I; 5], t: [S::I; 5]) -> S::I {
    let packed = trits(s, t);
    low[0]
        | (packed & s.i(3)).shl_by(s.i(bits))
        | low[1].shl_by(s.i(bits + 2))
        | (packed & s.i(12)).shl_by(s.i(2 * bits))
        | low[2].shl_by(s.i(2 * bits + 4))
        | (packed & s.i(16)).shl_by(s.i(3 * bits))
        | low[3].shl_by(s.i(3 * bits + 5))
        | (packed & s.i(96)).shl_by(s.i(4 * bits))
        | low[4].shl_by(s.i(4 * bits + 7))
        | (packed & s.i(128)).shl_by(s.i(5 * bits))
}

/// Returns the bits in reverse order.
#[inline(always)]
fn reversed<S: Simd>(s: S, x: S::I) -> S::I {
    let x = (x.shr::<1>() & s.i(0x5555_5555)) | (x & s.i(0x5555_5555)).shl::<1>();
    let x = (x.shr::<2>() & s.i(0x3333_3333)) | (x & s.i(0x3333_3333)).shl::<2>();
    let x = (x.shr::<4>() & s.i(0x0f0f_0f0f)) | (x & s.i(0x0f0f_0f0f)).shl::<4>();
    let x = (x.shr::<8>() & s.i(0x00ff_00ff)) | (x & s.i(0x00ff_00ff)).shl::<8>();
    x.shr::<16>() | x.shl::<16>()
}

/// Returns the upper three words with the weights of 3·2^`bits` levels, the lowest first.
#[inline(always)]
fn weights<S: Simd>(s: S, weights: &Weights<S>, bits: i32) -> [S::I; 3] {
    let last = s.i((3 << (bits - 1)) - 1);
    let mut low = [s.i(0); 20];
    let mut trit = [s.i(0); 20];
    for t in 0..16 {
        let (word, shift) = place(t);
        let code = weights.packed[word].shr_by(s.i(shift)) & s.i(31);
        // Numbers from the end on have the bits of thirds above the one of the half, and the rest as trit.
        let number = last - code.shr::<1>();
        let thirds = number.mul(s.i(11)).shr::<5>();
        trit[t] = number - thirds - thirds.shl::<1>();
        low[t] = thirds.shl::<1>() | (code & s.i(1));
    }
    let mut words = [s.i(0); 3];
    let size = 5 * bits + 8;
    for g in 0..4 {
        let first = 5 * g;
        let (low, trit) = (low.as_chunks::<5>().0[g], trit.as_chunks::<5>().0[g]);
        let group = group(s, bits, low, trit);
        let (word, shift) = (g as i32 * size / 32, g as i32 * size % 32);
        words[word as usize] = words[word as usize] | group.shl_by(s.i(shift));
        if shift + size > 32 && first < 15 {
            words[word as usize + 1] = words[word as usize + 1] | group.shr_by(s.i(32 - shift));
        }
    }
    [reversed(s, words[2]), reversed(s, words[1]), reversed(s, words[0])]
}

/// Number of the range of 6, 12 and 24 levels of weights, by their bits below the trit.
pub(super) const fn mode(bits: i32) -> i32 {
    block_mode_4x4([0, 4, 7, 10][bits as usize], false) as i32
}

/// Returns the block of one part without alpha: 24 levels of weights, 64 of colours.
#[inline(always)]
pub(super) fn one_part<S: Simd>(s: S, coded: &Coded<S, 3>, found: &Weights<S>) -> [S::I; 4] {
    let [low, middle, high] = weights(s, found, 3);
    let v = codes(s, coded);
    let mode = s.i(mode(3) | 8 << 13) | coded.is_offset.to_i().shl::<13>();
    [
        mode | v[0][0].shl::<17>() | v[0][1].shl::<23>() | v[1][0].shl::<29>(),
        v[1][0].shr::<3>() | v[1][1].shl::<3>() | v[2][0].shl::<9>() | v[2][1].shl::<15>() | low,
        middle,
        high,
    ]
}

/// Returns integers, by channel.
#[inline(always)]
fn codes<S: Simd, const CHANNELS: usize>(s: S, coded: &Coded<S, CHANNELS>) -> [[S::I; 2]; CHANNELS] {
    let mut codes = [[s.i(0); 2]; CHANNELS];
    for (c, codes) in codes.iter_mut().enumerate() {
        *codes = [coded.codes.a[c].to_i(), coded.codes.b[c].to_i()];
    }
    codes
}

/// Returns the block of one part with alpha: 12 levels of weights, 96 of colours.
#[inline(always)]
pub(super) fn with_alpha<S: Simd>(s: S, coded: &Coded<S, 4>, found: &Weights<S>) -> [S::I; 4] {
    let [low, middle, high] = weights(s, found, 2);
    let [[a, b], [c, d], [e, f], [g, h]] = codes(s, coded);
    let packed = trits(s, [a.shr::<5>(), b.shr::<5>(), c.shr::<5>(), d.shr::<5>(), e.shr::<5>()]);
    let more = trits(s, [f.shr::<5>(), g.shr::<5>(), h.shr::<5>(), s.i(0), s.i(0)]);
    let five = s.i(31);
    // Bits 0 to 31 and 32 to 52 of the sequence, which starts at bit 17.
    let first = (a & five)
        | (packed & s.i(3)).shl::<5>()
        | (b & five).shl::<7>()
        | (packed & s.i(12)).shl::<10>()
        | (c & five).shl::<14>()
        | (packed & s.i(16)).shl::<15>()
        | (d & five).shl::<20>()
        | (packed & s.i(96)).shl::<20>()
        | (e & five).shl::<27>();
    let second = packed.shr::<7>()
        | (f & five).shl::<1>()
        | (more & s.i(3)).shl::<6>()
        | (g & five).shl::<8>()
        | (more & s.i(12)).shl::<11>()
        | (h & five).shl::<15>()
        | (more & s.i(16)).shl::<16>();
    let mode = s.i(mode(2) | 12 << 13);
    [
        mode | first.shl::<17>(),
        first.shr::<15>() | second.shl::<17>(),
        second.shr::<15>() | low | middle,
        high,
    ]
}

/// Returns a group of five codes of 3 bits and a trit.
#[inline(always)]
fn group_of_codes<S: Simd>(s: S, codes: [S::I; 5]) -> S::I {
    let (mut low, mut trits) = (codes, codes);
    for n in 0..5 {
        low[n] = codes[n] & s.i(7);
        trits[n] = codes[n].shr::<3>();
    }
    group(s, 3, low, trits)
}

/// Returns the block of two parts: 6 levels of weights, 24 of colours.
#[inline(always)]
pub(super) fn two_parts<S: Simd>(
    s: S,
    pattern: S::I,
    coded: &[Coded<S, 3>; 2],
    found: &Weights<S>,
) -> [S::I; 4] {
    let [_, middle, high] = weights(s, found, 1);
    let [[a, b], [c, d], [e, f]] = codes(s, &coded[0]);
    let [[g, h], [i, j], [k, l]] = codes(s, &coded[1]);
    let zero = s.i(0);
    let first = group_of_codes(s, [a, b, c, d, e]);
    let second = group_of_codes(s, [f, g, h, i, j]);
    let third = group_of_codes(s, [k, l, zero, zero, zero]);
    let mode = s.i(mode(1) | 1 << 11 | 8 << 25) | pattern.shr::<16>().shl::<13>();
    // The sequence of 56 bits starts at bit 29.
    [
        mode | first.shl::<29>(),
        first.shr::<3>() | second.shl::<20>(),
        second.shr::<12>() | third.shl::<11>() | middle,
        high,
    ]
}
