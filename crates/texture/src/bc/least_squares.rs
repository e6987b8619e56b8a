//! Endpoints by linear regression, independent of the formats' rounding.
//!
//! If the indices are fixed, channels are independent. Let nᵢ of the n texels have index i, which gives the
//! first endpoint the weight wᵢ, in `parts` of the whole. Sᵢ is the sum of one channel over them. With W = Σ
//! nᵢ·wᵢ, Q = Σ nᵢ·wᵢ², S = Σ Sᵢ, X = Σ wᵢ·Sᵢ and D = n·Q − W², least squares gives
//!
//! ```text
//! a = ((Q − parts·W)·S + (parts·n − W)·X) / D        b = (Q·S − W·X) / D
//! ```
//!
//! Numerators and D are integers; the caller ensures that they are below 2²⁴.

use crate::simd::{Float, Simd};

/// Sums that depend only on the indices.
#[derive(Clone, Copy)]
pub(crate) struct Moments<S: Simd> {
    parts: S::F,
    count: S::F,
    weight: S::F,
    square: S::F,
    /// D; 0 if all texels have one index.
    pub determinant: S::F,
}

impl<S: Simd> Moments<S> {
    /// Returns the sums for `counts[i]` texels with the weight `weights[i]`. Indices past the weights are
    /// ignored.
    #[inline(always)]
    pub fn new<const WEIGHTS: usize>(s: S, parts: f32, weights: [f32; WEIGHTS], counts: &[S::F]) -> Self {
        let count = sum(s, [1.0; WEIGHTS], counts);
        let weight = sum(s, weights, counts);
        let mut squares = weights;
        for square in &mut squares {
            *square *= *square;
        }
        let square = sum(s, squares, counts);
        let determinant = count.mul_add(square, s.f(0.0) - weight * weight);
        Self { parts: s.f(parts), count, weight, square, determinant }
    }

    /// Returns both endpoints of a channel, multiplied by D, plus `offset`. `sums` are the channel's sums by
    /// index.
    #[inline(always)]
    pub fn endpoints<const WEIGHTS: usize>(
        &self,
        s: S,
        weights: [f32; WEIGHTS],
        sums: &[S::F],
        offset: S::F,
    ) -> (S::F, S::F) {
        let (whole, weighted) = (sum(s, [1.0; WEIGHTS], sums), sum(s, weights, sums));
        let Self { parts, count, weight, square, .. } = *self;
        let a = (square - parts * weight).mul_add(whole, (parts * count - weight).mul_add(weighted, offset));
        let b = square.mul_add(whole, offset - weight * weighted);
        (a, b)
    }
}

/// Returns Σ weight·value. Weights of 0 and 1, which formats have, cost nothing.
#[inline(always)]
fn sum<S: Simd, const WEIGHTS: usize>(s: S, weights: [f32; WEIGHTS], values: &[S::F]) -> S::F {
    // The compiler removes the addition of −0, but not that of 0.
    let mut sum = s.f(-0.0);
    for i in 0..WEIGHTS {
        if weights[i] == 1.0 {
            sum = sum + values[i];
        } else if weights[i] != 0.0 {
            sum = values[i].mul_add(s.f(weights[i]), sum);
        }
    }
    sum
}
