//! Colours in real time. `colors.wgsl` takes the same steps.
//!
//! ```text
//! covariance → axis → range of the projections, less 1/16 at each end, as a first line
//!   → endpoints by least squares → places on their line → … once per level
//!   the best of these and of the codes around the mean
//! ```
//!
//! Numbers are integers below 2²⁴ in floats, or 32-bit integers, or such an integer times a constant, rounded
//! once. Errors are those of interpolants that are not rounded to 8 bits.

use super::sixteen::{Regression, digits, dot, places, range, sum};
use crate::{
    RealTime,
    bc::{
        batch::{BATCH, BatchTexels},
        block::bytes,
        numbers::reciprocal,
        order::power_scale,
    },
    simd::{Float, Int, Mask as _, Simd, each},
};

/// Largest code of each channel.
pub(crate) const TOPS: [f32; 3] = [31.0, 63.0, 31.0];
/// Codes per value, and values per code.
pub(crate) const CODES: [f32; 3] = [31.0 / 255.0, 63.0 / 255.0, 31.0 / 255.0];
pub(crate) const VALUES: [f32; 3] = [255.0 / 31.0, 255.0 / 63.0, 255.0 / 31.0];
/// Codes of the mean per sum of sixteen values.
pub(crate) const MEAN_CODES: [f32; 3] = [31.0 / 4080.0, 63.0 / 4080.0, 31.0 / 4080.0];
/// One half and a little more. No value of an endpoint or mean is that close to the next integer.
pub(crate) const HALF: f32 = 0.505;
/// A third and a little more. Products with multiples of three are not below an integer.
pub(crate) const THIRD: f32 = 0.33334;
/// Factor of the first line: places per 16th of the range, which has 14 parts.
pub(crate) const FIRST_SCALE: f32 = 1.0 / 14.0;
/// The first line starts one 16th from the end of the range: 15 parts of one end and 1 of the other.
pub(crate) const PARTS: f32 = 16.0;
/// Halves of the indices of blocks in which every texel has place 1.
pub(crate) const ONES: f32 = 21845.0;

/// Codes of two endpoints, and sums of texels' places times powers of four, eight texels each.
#[derive(Clone, Copy)]
struct Encoding<S: Simd> {
    a: [S::F; 3],
    b: [S::F; 3],
    halves: [S::F; 2],
    error: S::I,
}

/// Encodes [`BATCH`] blocks. Texels whose alpha is below the threshold become transparent.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd>(
    s: S,
    level: RealTime,
    alpha_threshold: u8,
    texels: &BatchTexels,
    blocks: &mut [[i32; BATCH]; 2],
) {
    for first in (0..BATCH).step_by(S::LANES) {
        let mut packed = each!(t in 16 => s.load_i(&texels[t][first..]));
        let mut transparent = s.i(0);
        if alpha_threshold > 0 {
            transparent = hide_transparent(s, alpha_threshold, &mut packed);
        }
        let has_transparent = !transparent.eq(s.i(0));
        let last = s.f(3.0).or_if(has_transparent, s.f(2.0));
        let best = best_encoding(s, level, &packed, last);
        let [ends, indices] = pack(s, &best, transparent, has_transparent);
        let is_clear = transparent.eq(s.i(-1));
        ends.or_if(is_clear, s.i(0)).store(&mut blocks[0][first..]);
        indices.store(&mut blocks[1][first..]);
    }
}

/// Returns a mask of the transparent texels, two bits each. In their place, it puts the texel before them
/// that is not transparent, or the first one.
#[inline(always)]
fn hide_transparent<S: Simd>(s: S, threshold: u8, packed: &mut [S::I; 16]) -> S::I {
    let threshold = s.i(threshold.into());
    let is_out = each!(t in 16 => packed[t].shr::<24>().lt(threshold));
    let mut any = s.none();
    let mut transparent = s.i(0);
    let mut kept = packed[0];
    for t in (0..16).rev() {
        any = any | is_out[t];
        transparent = transparent.or_if(is_out[t], transparent | s.i(3 << (2 * t)));
        kept = packed[t].or_if(is_out[t], kept);
    }
    if any.any() {
        for t in 0..16 {
            packed[t] = packed[t].or_if(is_out[t], kept);
            kept = packed[t];
        }
    }
    transparent
}

/// Returns the best encoding whose places on the line are 0 to `last`.
#[inline(always)]
fn best_encoding<S: Simd>(s: S, level: RealTime, packed: &[S::I; 16], last: S::F) -> Encoding<S> {
    let texels = each!(t in 16 => bytes(s, packed[t]));
    let x = each!(c in 3 => each!(t in 16 => texels[t][c]));
    let sums = each!(c in 3 => sum(&x[c]));
    let squares = each!(c in 3 => dot(&x[c], &x[c]));
    let axis = axis(s, &x, &sums, &squares);
    let mut best = around_mean(s, &sums, &squares, last);

    let projections = along(s, &x, &axis, s.f(0.0));
    let [low, high] = range(&projections);
    let scale = reciprocal(s, (high - low).max(s.f(1.0))) * (last * s.f(FIRST_SCALE));
    let start = s.f(0.0) - low.mul_add(s.f(PARTS - 1.0), high);
    let offsets = each!(t in 16 => projections[t].mul_add(s.f(PARTS), start));
    let mut at = places(s, &offsets, scale, last);

    for _ in 0..=level as usize {
        let regression = Regression::new(s, &at);
        let inverse = reciprocal(s, regression.determinant.max(s.f(1.0)));
        let (mut a, mut b) = ([s.f(0.0); 3], [s.f(0.0); 3]);
        for c in 0..3 {
            let [of_a, of_b] = regression.ends(s, last, sums[c], dot(&at, &x[c]));
            let (scale, top) = (inverse * s.f(CODES[c]), s.f(TOPS[c]));
            a[c] = (of_a * scale).max(s.f(0.0)).min(top).round();
            b[c] = (of_b * scale).max(s.f(0.0)).min(top).round();
        }
        let values = each!(c in 3 => a[c].mul_add(s.f(VALUES[c]), s.f(HALF)).floor());
        let step = each!(c in 3 => b[c].mul_add(s.f(VALUES[c]), s.f(HALF)).floor() - values[c]);
        let length = dot(&step, &step);
        let offsets = along(s, &x, &step, s.f(0.0) - dot(&values, &step));
        at = places(s, &offsets, reciprocal(s, length.max(s.f(1.0))) * last, last);

        // last² times the error: Σ (last·(x − a) − place·step)².
        let mut from_a = s.f(0.0);
        for c in 0..3 {
            from_a = from_a + squares[c] + values[c] * (values[c] * s.f(16.0) - (sums[c] + sums[c]));
        }
        let last = last.to_i();
        let of_places = dot(&at, &offsets).to_i().shl::<1>();
        let of_length = length.to_i().mul(dot(&at, &at).to_i());
        let error = (from_a.to_i().mul(last) - of_places).mul(last) + of_length;
        let better = s.f(0.0).lt(regression.determinant) & error.lt(best.error);
        best.a = each!(c in 3 => best.a[c].or_if(better, a[c]));
        best.b = each!(c in 3 => best.b[c].or_if(better, b[c]));
        let halves = digits(s, &at, 4.0);
        best.halves = each!(i in 2 => best.halves[i].or_if(better, halves[i]));
        best.error = best.error.or_if(better, error);
    }
    best
}

/// Returns the row of the covariance matrix with the greatest variance, after one step of the power method.
#[inline(always)]
fn axis<S: Simd>(s: S, x: &[[S::F; 16]; 3], sums: &[S::F; 3], squares: &[S::F; 3]) -> [S::F; 3] {
    let variances = each!(c in 3 => squares[c] * s.f(16.0) - sums[c] * sums[c]);
    let mixed = each!(c in 3 => dot(&x[c], &x[(c + 1) % 3]) * s.f(16.0) - sums[c] * sums[(c + 1) % 3]);
    let [red, green, blue] = variances;
    let of_red = green.lt(red);
    let of_two = red.max(green);
    let of_blue = of_two.lt(blue);
    // No covariance is greater than the greatest variance.
    let scale = power_scale(s, of_two.max(blue).max(s.f(1.0)), 10);
    let [red_green, green_blue, blue_red] = each!(c in 3 => (mixed[c] * scale).round());
    let [red, green, blue] = each!(c in 3 => (variances[c] * scale).round());
    let rows = [[red, red_green, blue_red], [red_green, green, green_blue], [blue_red, green_blue, blue]];
    let row = each!(c in 3 => rows[1][c].or_if(of_red, rows[0][c]).or_if(of_blue, rows[2][c]));
    let turned = each!(c in 3 => dot(&rows[c], &row));
    let mut greatest = s.f(1.0);
    for value in turned {
        greatest = greatest.max(value).max(s.f(0.0) - value);
    }
    let scale = power_scale(s, greatest, 8);
    each!(c in 3 => (turned[c] * scale).round())
}

/// Returns the encoding in which every texel has place 1, near the mean.
#[inline(always)]
fn around_mean<S: Simd>(s: S, sums: &[S::F; 3], squares: &[S::F; 3], last: S::F) -> Encoding<S> {
    let one = s.f(1.0);
    let is_four = s.f(2.5).lt(last);
    let part = s.f(0.5).or_if(is_four, s.f(1.0 / 3.0));
    let mut error = s.f(0.0);
    let (mut a, mut b) = ([error; 3], [error; 3]);
    for c in 0..3 {
        // a·(last − 1) + b, which is last times the code of the mean.
        let codes = (sums[c] * (last * s.f(MEAN_CODES[c]))).round();
        let third = ((codes + one) * s.f(THIRD)).floor();
        a[c] = (codes * s.f(0.5)).floor().or_if(is_four, third);
        b[c] = codes - a[c] * (last - one);
        let value = (codes * (part * s.f(VALUES[c])) + s.f(HALF)).floor();
        error = error + squares[c] + value * (value * s.f(16.0) - (sums[c] + sums[c]));
    }
    let last = last.to_i();
    Encoding { a, b, halves: [s.f(ONES); 2], error: error.to_i().mul(last).mul(last) }
}

/// Returns the texels' products with a direction, plus `start`.
#[inline(always)]
fn along<S: Simd>(_: S, x: &[[S::F; 16]; 3], direction: &[S::F; 3], start: S::F) -> [S::F; 16] {
    let [red, green, blue] = *direction;
    each!(t in 16 => x[0][t].mul_add(red, x[1][t].mul_add(green, x[2][t].mul_add(blue, start))))
}

/// Returns the codes of an endpoint as stored in a block.
#[inline(always)]
fn packed_codes<S: Simd>(s: S, end: &[S::F; 3]) -> S::I {
    end[0].mul_add(s.f(2048.0), end[1].mul_add(s.f(32.0), end[2])).to_i()
}

/// Returns a block's endpoints and indices.
#[inline(always)]
fn pack<S: Simd>(s: S, best: &Encoding<S>, transparent: S::I, has_transparent: S::M) -> [S::I; 2] {
    let (a, b) = (packed_codes(s, &best.a), packed_codes(s, &best.b));
    let places = best.halves[0].to_i() | best.halves[1].to_i().shl::<16>();
    let odd = s.i(0x5555_5555);
    // Four colours need c0 > c1, three c0 <= c1.
    let is_swapped = a.lt(b) & !has_transparent | b.lt(a) & has_transparent;
    let (low, high) = (places & odd, places.shr::<1>() & odd);
    let (both, either) = (low & high, low | high);
    // Place k of four becomes 3 − k, of three 2 − k.
    let low = low.or_if(is_swapped & !has_transparent, odd - low);
    let other_high = (odd - high).or_if(has_transparent, odd - either);
    let high = high.or_if(is_swapped, other_high);
    // Places 0 to 3 are indices 0, 2, 3, 1. Of three, 0 to 2 are indices 0, 2, 1.
    let differ = (either - both).or_if(has_transparent, low);
    let indices = (high | differ.shl::<1>()).or_if(a.eq(b), s.i(0)) | transparent;
    let ends = (a | b.shl::<16>()).or_if(is_swapped, b | a.shl::<16>());
    [ends, indices]
}
