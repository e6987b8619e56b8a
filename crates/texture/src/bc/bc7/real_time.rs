//! Real-time encoding: mode 6, at level 2 also mode 1.
//!
//! ```text
//! covariance → axis → range of the projections
//!   level 1: the ends of the range, on the line through the mean
//!   level 2: also places between the ends, less 1/64 of the range → endpoints by least squares
//!            others: the same once more, from the indices
//!            opaque blocks: two subsets (real_time_two.rs), if their error is smaller
//!   level 3: one regression more; another partition
//! ```
//!
//! Numbers are integers below 2²⁴ in floats, or 32-bit integers. Estimates are corrected or rounded once.
//! `real_time.wgsl` takes the same steps.

use super::{
    moments::{Moments, projections},
    real_time_two::{self, TwoSubsets},
};
use crate::{
    RealTime,
    bc::{
        batch::{BATCH, BatchTexels, BatchWords},
        block::bytes,
        numbers::reciprocal,
        real_time::sixteen::{Regression, dot, range},
    },
    simd::{Float, Int, Mask as _, Simd, each},
};

/// The highest index.
const LAST: f32 = 15.0;
/// Places per part of the range, and place at which the first line starts: 1 of 64 parts is left out at each
/// end.
pub(super) const FIRST_SCALE: f32 = LAST * 64.0 / 62.0;
pub(super) const FIRST_PLACE: f32 = LAST / 62.0;

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
        let unpacked = each!(t in 16 => bytes(s, packed[t]));
        let x = each!(c in 4 => each!(t in 16 => unpacked[t][c]));
        let moments = Moments::new(s, s.f(16.0), &x);
        let axis = moments.axis(s);
        let projections = projections(s, &x, &axis);
        let ends_of_range = range(&projections);
        let [least_alpha, greatest_alpha] = range(&x[3]);
        let has_opaque = s.f(254.0).lt(greatest_alpha);
        let block = Texels { packed, has_opaque, visible: s.load_i(&visible[first..]) };
        let is_level_1 = level == RealTime::Level1;
        let [a, b] = moments.points(s, &axis, ends_of_range);
        let mut best = encoding(s, &block, &Ends { a, b }, !is_level_1);
        if is_level_1 {
            store(pack(s, &best), first, words);
            continue;
        }
        let is_opaque = s.f(254.0).lt(least_alpha);
        let mut last = encoding(s, &block, &fitted(s, &x, &moments.sums, &projections, ends_of_range), true);
        best.take_where(last.error.lt(best.error), &last);
        if (!is_opaque).any() {
            for _ in 0..rounds(level) {
                last = encoding(s, &block, &refitted(s, &x, &moments.sums, &last), true);
                best.take_where(!is_opaque & last.error.lt(best.error), &last);
            }
        }
        let mut packed = pack(s, &best);
        if is_opaque.any() {
            let [r, g, b, _] = x;
            let keys = real_time_two::keys(s, &projections, dot(&axis, &moments.sums));
            for &keys in &keys[..rounds(level)] {
                let (x, visible) = (&[r, g, b], block.visible);
                let (words, error) = s.call(TwoSubsets { x, moments: &moments, keys, visible });
                let better = is_opaque & error.lt(best.error);
                best.error = best.error.or_if(better, error);
                packed = each!(i in 4 => packed[i].or_if(better, words[i]));
            }
        }
        store(packed, first, words);
    }
}

/// Returns the number of partitions of opaque blocks that a level tries, and of further regressions of the
/// others.
pub(super) fn rounds(level: RealTime) -> usize {
    level as usize
}

/// Stores words from lane `first` on.
#[inline(always)]
fn store<I: Int>(packed: [I; 4], first: usize, words: &mut BatchWords) {
    for (word, words) in packed.into_iter().zip(words) {
        word.store(&mut words[first..]);
    }
}

impl<S: Simd> Encoding<S> {
    /// Takes another encoding where the mask is true.
    #[inline(always)]
    fn take_where(&mut self, mask: S::M, other: &Self) {
        self.ends = self.ends.or_if(mask, &other.ends);
        self.indices = each!(i in 2 => self.indices[i].or_if(mask, other.indices[i]));
        self.error = self.error.or_if(mask, other.error);
    }
}

/// Returns the endpoints that best fit places on the line between the ends of the projections, less 1/64 at
/// each end.
#[inline(always)]
fn fitted<S: Simd>(
    s: S,
    x: &[[S::F; 16]; 4],
    sums: &[S::F; 4],
    projections: &[S::F; 16],
    [low, high]: [S::F; 2],
) -> Ends<S> {
    let scale = reciprocal(s, (high - low).max(s.f(1.0))) * s.f(FIRST_SCALE);
    let mut at = *projections;
    for at in &mut at {
        let place = (*at - low) * scale;
        *at = (place - s.f(FIRST_PLACE)).max(s.f(0.0)).min(s.f(LAST)).round();
    }
    solved(s, x, sums, &at)
}

/// Returns the endpoints that best fit an encoding's indices.
#[inline(always)]
fn refitted<S: Simd>(s: S, x: &[[S::F; 16]; 4], sums: &[S::F; 4], of: &Encoding<S>) -> Ends<S> {
    let at = each!(t in 16 => {
        let index = of.indices[t / 8].shr_by(s.i(4 * (t as i32 % 8)));
        (index & s.i(15)).to_f()
    });
    solved(s, x, sums, &at)
}

/// Returns the endpoints that best fit places, in 8 bits.
#[inline(always)]
fn solved<S: Simd>(s: S, x: &[[S::F; 16]; 4], sums: &[S::F; 4], at: &[S::F; 16]) -> Ends<S> {
    let regression = Regression::new(s, at);
    let inverse = reciprocal(s, regression.determinant.max(s.f(1.0)));
    let mut ends: Ends<S> = Ends { a: [s.f(0.0); 4], b: [s.f(0.0); 4] };
    for c in 0..4 {
        let [of_a, of_b] = regression.ends(s, s.f(LAST), sums[c], dot(at, &x[c]));
        ends.a[c] = (of_a * inverse).max(s.f(0.0)).min(s.f(255.0)).round();
        ends.b[c] = (of_b * inverse).max(s.f(0.0)).min(s.f(255.0)).round();
    }
    // If all places are equal, so are the endpoints.
    let is_flat = !s.f(0.0).lt(regression.determinant);
    for c in 0..4 {
        ends.a[c] = ends.a[c].or_if(is_flat, x[c][0]);
        ends.b[c] = ends.b[c].or_if(is_flat, x[c][0]);
    }
    ends
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
    let inverse = reciprocal(s, dot(&step, &step).max(s.f(1.0))) * s.f(LAST);
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
