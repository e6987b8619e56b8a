//! Sixteen numbers in each lane, one for each texel of a block. Twin of `sixteen.wgsl`.

use crate::simd::{Float, Simd, each};

/// Returns the sum.
#[inline(always)]
pub(crate) fn sum<F: Float>(x: &[F; 16]) -> F {
    let mut sum = x[0];
    for &x in &x[1..] {
        sum = sum + x;
    }
    sum
}

/// Returns the sum of products, which must be exact.
#[inline(always)]
pub(crate) fn products<F: Float>(x: &[F; 16], y: &[F; 16]) -> F {
    let mut sum = x[0] * y[0];
    for t in 1..16 {
        sum = x[t].mul_add(y[t], sum);
    }
    sum
}

/// Returns the smallest and the largest number.
#[inline(always)]
pub(crate) fn range<F: Float>(x: &[F; 16]) -> [F; 2] {
    let (mut least, mut greatest) = (x[0], x[0]);
    for &x in &x[1..] {
        least = least.min(x);
        greatest = greatest.max(x);
    }
    [least, greatest]
}

/// Returns the places on a line, 0 to `last`, of texels at these offsets from its start.
#[inline(always)]
pub(crate) fn places<S: Simd>(s: S, offsets: &[S::F; 16], scale: S::F, last: S::F) -> [S::F; 16] {
    each!(t in 16 => (offsets[t] * scale).max(s.f(0.0)).min(last).round())
}

/// Returns two numbers, of the first and of the last eight places, with digits to the base `base`. The first
/// place is the lowest digit.
#[inline(always)]
pub(crate) fn digits<S: Simd>(s: S, places: &[S::F; 16], base: f32) -> [S::F; 2] {
    let mut halves = [places[7], places[15]];
    for t in (0..7).rev() {
        halves = [halves[0].mul_add(s.f(base), places[t]), halves[1].mul_add(s.f(base), places[t + 8])];
    }
    halves
}
