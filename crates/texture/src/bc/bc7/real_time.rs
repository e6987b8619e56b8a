//! Real-time encoding: a short search in mode 6 alone.
//!
//! Level 1 takes the corners of the texels' bounding box, on the diagonal along the texels. Level 2 then fits
//! endpoints to the indices by least squares, twice, and takes the best of the three.
//!
//! Numbers are integers below 2²⁴ in floats, or 32-bit integers. Estimates are corrected or rounded once.
//! `real_time.wgsl` takes the same steps.

use super::coding::reciprocal;
use crate::{
    RealTime,
    bc::{
        batch::{BATCH, BatchTexels, BatchWords},
        block::{CENTER, bytes},
    },
    simd::{Float, Int, Simd, each},
};

/// Number of regressions of level 2.
pub(super) const ROUNDS: usize = 2;

/// The highest index.
const LAST: f32 = 15.0;

/// 8-bit values of two endpoints, red, green, blue and alpha; the lowest bit is the p-bit.
#[derive(Clone, Copy)]
struct Ends<S: Simd> {
    a: [S::F; 4],
    b: [S::F; 4],
}

impl<S: Simd> Ends<S> {
    #[inline(always)]
    fn or_if(self, mask: S::M, other: &Self) -> Self {
        Self {
            a: each!(c in 4 => self.a[c].or_if(mask, other.a[c])),
            b: each!(c in 4 => self.b[c].or_if(mask, other.b[c])),
        }
    }
}

/// Texels of a block in each lane.
struct Texels<S: Simd> {
    packed: [S::I; 16],
    /// True if any texel's alpha is 255.
    has_opaque: S::M,
    /// One bit for each texel in the image: only those have an error.
    visible: S::I,
}

/// Encoding. Its indices have four bits each: first those of eight texels, then those of the others.
#[derive(Clone, Copy)]
struct Encoding<S: Simd> {
    ends: Ends<S>,
    indices: [S::I; 2],
    error: S::F,
}

/// Encodes [`BATCH`] blocks. The `visible` texels, a bit each, are in the image.
#[inline(always)]
pub(super) fn encode_batch<S: Simd>(
    s: S,
    level: RealTime,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    for first in (0..BATCH).step_by(S::LANES) {
        let packed = each!(t in 16 => s.load_i(&texels[t][first..]));
        let (block, ends) = bounding_box(s, packed, s.load_i(&visible[first..]));
        let mut best = encoding(s, &block, &ends, level == RealTime::Level2);
        if level == RealTime::Level2 {
            let mut last = best;
            for _ in 0..ROUNDS {
                let ends = least_squares(s, &block, &last);
                last = encoding(s, &block, &ends, true);
                let better = last.error.lt(best.error);
                best.error = best.error.min(last.error);
                best.ends = best.ends.or_if(better, &last.ends);
                best.indices = each!(i in 2 => best.indices[i].or_if(better, last.indices[i]));
            }
        }
        for (word, words) in pack(s, &best).into_iter().zip(&mut *words) {
            word.store(&mut words[first..]);
        }
    }
}

/// Returns the texels and the corners of their bounding box.
#[inline(always)]
fn bounding_box<S: Simd>(s: S, packed: [S::I; 16], visible: S::I) -> (Texels<S>, Ends<S>) {
    let (mut low, mut high) = ([s.f(255.0); 4], [s.f(0.0); 4]);
    for &texel in &packed {
        let x = bytes(s, texel);
        for c in 0..4 {
            low[c] = low[c].min(x[c]);
            high[c] = high[c].max(x[c]);
        }
    }
    // The channel with the widest range determines which channels fall while it rises.
    let range = each!(c in 4 => high[c] - low[c]);
    let of_two = range[0].max(range[1]);
    let wider = [range[0].lt(range[1]), of_two.lt(range[2]), of_two.max(range[2]).lt(range[3])];
    let mut covariances = [s.f(0.0); 4];
    for &texel in &packed {
        let x = bytes(s, texel);
        let apart = each!(c in 4 => x[c] + x[c] - (low[c] + high[c]));
        let of_widest =
            apart[0].or_if(wider[0], apart[1]).or_if(wider[1], apart[2]).or_if(wider[2], apart[3]);
        for c in 0..4 {
            covariances[c] = apart[c].mul_add(of_widest, covariances[c]);
        }
    }
    let falls = each!(c in 4 => covariances[c].lt(s.f(0.0)));
    let ends = Ends {
        a: each!(c in 4 => low[c].or_if(falls[c], high[c])),
        b: each!(c in 4 => high[c].or_if(falls[c], low[c])),
    };
    (Texels { packed, has_opaque: s.f(254.0).lt(high[3]), visible }, ends)
}

/// Returns the nearest endpoint that has one p-bit for all channels. An alpha of 255 or 0 is kept. Otherwise
/// the more frequent lowest bit is taken.
#[inline(always)]
fn quantized<S: Simd>(s: S, end: &[S::F; 4]) -> [S::F; 4] {
    let (half, one) = (s.f(0.5), s.f(1.0));
    let mut odd = s.f(0.0);
    for &value in end {
        odd = odd + (value - (value * half).floor() * s.f(2.0));
    }
    let mut p = s.f(0.0).or_if(s.f(2.0).lt(odd), one);
    p = p.or_if(end[3].lt(one), s.f(0.0)).or_if(s.f(254.0).lt(end[3]), one);
    each!(c in 4 => ((end[c] + one - p) * half).floor().min(s.f(127.0)).mul_add(s.f(2.0), p))
}

/// Quantizes endpoints and finds the indices. Computes the error if it `counts`.
#[inline(always)]
fn encoding<S: Simd>(s: S, texels: &Texels<S>, ends: &Ends<S>, counts: bool) -> Encoding<S> {
    let zero = s.f(0.0);
    let mut ends = *ends;
    // One endpoint must have the alpha of opaque texels.
    let opaque = s.f(255.0);
    let of_b = ends.a[3].lt(ends.b[3]);
    ends.a[3] = ends.a[3].or_if(texels.has_opaque & !of_b, opaque);
    ends.b[3] = ends.b[3].or_if(texels.has_opaque & of_b, opaque);
    let ends = Ends::<S> { a: quantized(s, &ends.a), b: quantized(s, &ends.b) };
    let step = each!(c in 4 => ends.b[c] - ends.a[c]);
    let mut length = zero;
    for step in step {
        length = step.mul_add(step, length);
    }
    let inverse = reciprocal(s, length.max(s.f(1.0))) * s.f(LAST);
    // Opaque texels take the opaque endpoint, where the two differ in alpha.
    let of_opaque = zero.or_if(ends.a[3].lt(ends.b[3]), s.f(LAST));
    let differs = ends.a[3].lt(ends.b[3]) | ends.b[3].lt(ends.a[3]);
    let mut indices = [s.i(0); 2];
    let mut error = zero;
    for t in (0..16).rev() {
        let x = bytes(s, texels.packed[t]);
        let mut along = zero;
        for c in 0..4 {
            along = (x[c] - ends.a[c]).mul_add(step[c], along);
        }
        let index = (along * inverse).max(zero).min(s.f(LAST)).round();
        let is_opaque = s.f(254.0).lt(x[3]) & differs & texels.has_opaque;
        let index = index.or_if(is_opaque, of_opaque);
        indices[t / 8] = indices[t / 8].shl::<4>() | index.to_i();
        if counts {
            // The weight is 64·index/15, to nearest.
            let weight = (index.mul_add(s.f(64.0), s.f(7.5)) * s.f(1.0 / LAST)).floor();
            let mut squares = zero;
            for c in 0..4 {
                let value = weight.mul_add(step[c], ends.a[c].mul_add(s.f(64.0), s.f(32.0)));
                let difference = (value * s.f(1.0 / 64.0)).floor() - x[c];
                squares = difference.mul_add(difference, squares);
            }
            error = error.add_if(s.i(0).lt(texels.visible & s.i(1 << t)), squares);
        }
    }
    Encoding { ends, indices, error }
}

/// Returns the endpoints that best fit an encoding's indices, rounded to 8 bits. Returns the encoding's
/// endpoints if the indices are all equal.
#[inline(always)]
fn least_squares<S: Simd>(s: S, texels: &Texels<S>, of: &Encoding<S>) -> Ends<S> {
    // Weights in 15ths: Σ u², Σ u·w, Σ w² and Σ u·x, Σ w·x with u = 15 − w, about the centre.
    let zero = s.f(0.0);
    let (mut uu, mut uw, mut ww) = (zero, zero, zero);
    let (mut ux, mut wx) = ([zero; 4], [zero; 4]);
    for t in 0..16 {
        let nibble = of.indices[t / 8].shr_by(s.i(4 * (t as i32 % 8)));
        let w = (nibble & s.i(15)).to_f();
        let u = s.f(LAST) - w;
        uu = u.mul_add(u, uu);
        uw = u.mul_add(w, uw);
        ww = w.mul_add(w, ww);
        let x = bytes(s, texels.packed[t]);
        for c in 0..4 {
            let x = x[c] - s.f(CENTER);
            ux[c] = u.mul_add(x, ux[c]);
            wx[c] = w.mul_add(x, wx[c]);
        }
    }
    let [uu, uw, ww] = [uu.to_i(), uw.to_i(), ww.to_i()];
    let determinant = uu.mul(ww) - uw.mul(uw);
    let scale = reciprocal(s, determinant.max(s.i(1)).to_f()) * s.f(LAST);
    let mut ends = of.ends;
    let has_two = s.i(0).lt(determinant);
    for c in 0..4 {
        let (ux, wx) = (ux[c].to_i(), wx[c].to_i());
        let a = endpoint(s, ww.mul(ux) - uw.mul(wx), determinant, scale);
        let b = endpoint(s, uu.mul(wx) - uw.mul(ux), determinant, scale);
        ends.a[c] = ends.a[c].or_if(has_two, a);
        ends.b[c] = ends.b[c].or_if(has_two, b);
    }
    ends
}

/// Returns 128 + 15·`numerator` / `determinant` as 8 bits, rounded to nearest, halves up. `scale` is about
/// 15/determinant.
#[inline(always)]
fn endpoint<S: Simd>(s: S, numerator: S::I, determinant: S::I, scale: S::F) -> S::F {
    let estimate = (numerator.to_f() * scale).max(s.f(-512.0)).min(s.f(512.0)).round();
    // Within one of ⌊(30·numerator + determinant) / 2·determinant⌋, unless it is far out. The remainder is
    // below 2²⁵, so the lowest 26 bits of its terms are enough.
    let twice = determinant + determinant;
    let (bits, sign) = (s.i((1 << 26) - 1), s.i(1 << 25));
    let taken = estimate.to_i().mul(twice) & bits;
    let rest = ((numerator.mul(s.i(30)) & bits) + determinant + s.i(1 << 26) - taken) & bits;
    let rest = rest - (rest & sign).shl::<1>();
    let low = rest.lt(s.i(0));
    let high = !rest.lt(twice);
    let corrected = estimate.add_if(low, s.f(-1.0)).add_if(high & !low, s.f(1.0));
    (corrected + s.f(CENTER)).max(s.f(0.0)).min(s.f(255.0))
}

/// Returns a block's four words: the mode, endpoints channel by channel, p-bits, indices.
#[inline(always)]
fn pack<S: Simd>(s: S, of: &Encoding<S>) -> [S::I; 4] {
    // The first index lacks its highest bit: if that is set, the endpoints change places.
    let exchanged = s.i(7).lt(of.indices[0] & s.i(15));
    let ends = of.ends.or_if(exchanged, &Ends { a: of.ends.b, b: of.ends.a });
    // 15 − index inverts all four bits.
    let [low, high] = each!(i in 2 => of.indices[i].or_if(exchanged, s.i(-1) - of.indices[i]));
    let a = each!(c in 4 => ends.a[c].to_i());
    let b = each!(c in 4 => ends.b[c].to_i());
    let [r0, g0, b0, a0] = each!(c in 4 => a[c].shr::<1>());
    let [r1, g1, b1, a1] = each!(c in 4 => b[c].shr::<1>());
    let one = s.i(1);
    [
        s.i(0x40) | r0.shl::<7>() | r1.shl::<14>() | g0.shl::<21>() | g1.shl::<28>(),
        g1.shr::<4>()
            | b0.shl::<3>()
            | b1.shl::<10>()
            | a0.shl::<17>()
            | a1.shl::<24>()
            | (a[0] & one).shl::<31>(),
        (b[0] & one) | (low & s.i(7)).shl::<1>() | (low & s.i(!15)),
        high,
    ]
}
