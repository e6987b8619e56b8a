//! One channel in real time. `channel.wgsl` takes the same steps.
//!
//! ```text
//! range, less 1/64 at each end, as a first line
//!   → endpoints by least squares → places on their line → … once per level: the best of these
//! ```
//!
//! Blocks have eight values. Numbers are integers below 2²⁴ in floats, or 32-bit integers, or such an integer
//! times a constant, rounded once. Errors are those of values that are not rounded.

use super::sixteen::{Regression, digits, dot, places, range, sum};
use crate::{
    RealTime,
    bc::{
        batch::{BATCH, BatchTexels},
        numbers::reciprocal,
    },
    simd::{Float, Int, Simd, each},
};

/// The first line starts one 64th from the end of the range: 63 parts of one end and 1 of the other.
pub(crate) const PARTS: f32 = 64.0;
/// Factor of the first line: places per 64th of the range, which has 62 parts.
pub(crate) const FIRST_SCALE: f32 = 7.0 / 62.0;
/// The last place.
pub(crate) const LAST: f32 = 7.0;

/// Kind of channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChannelKind {
    /// Unsigned codes, 0 to 255.
    Unorm,
    /// Signed codes, 0 to 254: see `bc4/palette.rs`.
    Snorm,
    /// Unsigned codes of alpha. If a texel has 0 or 255, so has an endpoint.
    Alpha,
}

impl ChannelKind {
    /// Returns the largest code.
    pub const fn top(self) -> f32 {
        if matches!(self, Self::Snorm) { 254.0 } else { 255.0 }
    }

    /// Returns the number of units in a step of bytes and of codes: 254 bytes are 255 codes if signed.
    pub const fn units(self) -> [f32; 2] {
        if matches!(self, Self::Snorm) { [254.0, 255.0] } else { [1.0; 2] }
    }

    /// Returns the number of codes in a step of bytes.
    pub const fn codes_per_byte(self) -> f32 {
        let [byte, code] = self.units();
        byte / code
    }

    /// Returns the code of an endpoint that is stored as 0.
    pub const fn stored_offset(self) -> i32 {
        if matches!(self, Self::Snorm) { 127 } else { 0 }
    }
}

/// Encodes the channel that starts at bit `bit`, for [`BATCH`] blocks.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd>(
    s: S,
    level: RealTime,
    kind: ChannelKind,
    texels: &BatchTexels,
    bit: u32,
    blocks: &mut [[i32; BATCH]; 2],
) {
    for first in (0..BATCH).step_by(S::LANES) {
        let x = each!(t in 16 => {
            let shifted = s.load_i(&texels[t][first..]).shr_by(s.i(bit as i32));
            (shifted & s.i(255)).to_f()
        });
        let (ends, halves) = best_encoding(s, level, kind, &x);
        let halves = each!(i in 2 => eight_indices(s, halves[i]));
        let stored = each!(i in 2 => (ends[i].to_i() - s.i(kind.stored_offset())) & s.i(255));
        (stored[1] | stored[0].shl::<8>() | halves[0].shl::<16>()).store(&mut blocks[0][first..]);
        (halves[0].shr::<16>() | halves[1].shl::<8>()).store(&mut blocks[1][first..]);
    }
}

/// Returns the lower and the higher endpoint, and the texels' places in digits to the base 8.
#[inline(always)]
fn best_encoding<S: Simd>(
    s: S,
    level: RealTime,
    kind: ChannelKind,
    x: &[S::F; 16],
) -> ([S::F; 2], [S::F; 2]) {
    let (zero, one, last, top) = (s.f(0.0), s.f(1.0), s.f(LAST), s.f(kind.top()));
    let [low, high] = range(x);
    let total = sum(x);
    let units = kind.units();
    let (byte, code) = (s.f(units[0]), s.f(units[1]));
    let codes_per_byte = s.f(kind.codes_per_byte());
    // Errors are those of the nearest codes.
    let mut codes = *x;
    if kind == ChannelKind::Snorm {
        codes = each!(t in 16 => (x[t] * codes_per_byte).round());
    }
    let (code_total, code_squares) = (sum(&codes), dot(&codes, &codes));
    let start = zero - low.mul_add(s.f(PARTS - 1.0), high);
    let offsets = each!(t in 16 => x[t].mul_add(s.f(PARTS), start));
    let mut at = places(s, &offsets, reciprocal(s, (high - low).max(one)) * s.f(FIRST_SCALE), last);
    let mut ends = [(low * codes_per_byte).round(), (high * codes_per_byte).round()];
    let (mut halves, mut least) = (digits(s, &at, 8.0), s.i(i32::MAX));
    for _ in 0..=level as usize {
        let regression = Regression::new(s, &at);
        let scale = reciprocal(s, regression.determinant.max(one)) * codes_per_byte;
        let [of_a, of_b] = regression.ends(s, last, total, dot(&at, x));
        let mut a = (of_a * scale).max(zero).min(top).round();
        let mut b = (of_b * scale).max(zero).min(top).round();
        if kind == ChannelKind::Alpha {
            a = a.or_if(low.lt(one), zero);
            b = b.or_if((top - one).lt(high), top);
        }
        let span = b - a;
        let from = zero - a * code;
        let offsets = each!(t in 16 => x[t].mul_add(byte, from));
        at = places(s, &offsets, reciprocal(s, span.max(one)) * s.f(LAST / kind.units()[1]), last);
        let mut error = s.i(0);
        if level > RealTime::Level1 {
            // 49 times the error: Σ (7·(x − a) − place·span)².
            let from_a = (code_squares + a * (a * s.f(16.0) - (code_total + code_total))).to_i();
            let whole = span.to_i();
            let offsets = each!(t in 16 => codes[t] - a);
            let of_places = dot(&at, &offsets).to_i().mul(s.i(14));
            error = from_a.mul(s.i(49)) + whole.mul(whole.mul(dot(&at, &at).to_i()) - of_places);
        }
        let better = zero.lt(span) & error.lt(least);
        ends = [ends[0].or_if(better, a), ends[1].or_if(better, b)];
        let found = digits(s, &at, 8.0);
        halves = each!(i in 2 => halves[i].or_if(better, found[i]));
        least = least.or_if(better, error);
    }
    (ends, halves)
}

/// Returns the indices of eight texels in a block of eight values, 3 bits each, from their places. Place 0 on
/// the line is index 1, 7 is index 0, and any other k is 8 − k. In 3 bits, 8 − k is −k, so only indices 0 and
/// 1 are exchanged.
#[inline(always)]
pub(crate) fn eight_indices<S: Simd>(s: S, places: S::F) -> S::I {
    let places = places.to_i();
    let ones = s.i(0o1111_1111);
    let (b0, b1, b2) = (places & ones, places.shr::<1>() & ones, places.shr::<2>() & ones);
    // −k bit by bit. A sum of two bits without its carry is their XOR.
    let n1 = (b1 + b0) & ones;
    let n2 = (b2 + (b1 | b0)) & ones;
    let n0 = (b0 + (ones - (n1 | n2))) & ones;
    n0 | n1.shl::<1>() | n2.shl::<2>()
}
