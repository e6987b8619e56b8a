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

/// Returns the sum of products, of sixteen texels or of channels, which must be exact.
#[inline(always)]
pub(crate) fn dot<F: Float, const COUNT: usize>(x: &[F; COUNT], y: &[F; COUNT]) -> F {
    let mut sum = x[0] * y[0];
    for i in 1..COUNT {
        sum = x[i].mul_add(y[i], sum);
    }
    sum
}

/// Regression of values on places, of sixteen texels.
pub(crate) struct Regression<S: Simd> {
    weight: S::F,
    square: S::F,
    /// 0 if all places are equal.
    pub determinant: S::F,
}

impl<S: Simd> Regression<S> {
    /// Returns the regression on these places.
    #[inline(always)]
    pub fn new(s: S, at: &[S::F; 16]) -> Self {
        let (weight, square) = (sum(at), dot(at, at));
        let determinant = square.mul_add(s.f(16.0), s.f(0.0) - weight * weight);
        Self { weight, square, determinant }
    }

    /// Returns the values of the line at the places 0 and `last`, multiplied by the determinant. `total` is
    /// the sum of the texels' values, `weighted` that of the products with their places. All products and
    /// results must be exact.
    #[inline(always)]
    pub fn ends(&self, s: S, last: S::F, total: S::F, weighted: S::F) -> [S::F; 2] {
        let of_a = self.square * total - self.weight * weighted;
        let of_b = last.mul_add(weighted * s.f(16.0) - self.weight * total, of_a);
        [of_a, of_b]
    }
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
