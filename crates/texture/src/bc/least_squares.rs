//! Endpoints by linear regression: the part that does not depend on how a format rounds.
//!
//! With the indices fixed, channels are independent. Of n texels, nᵢ have index i, which gives the first
//! endpoint the weight wᵢ, in `parts` of the whole; Sᵢ is the sum of one channel over them. With W = Σ nᵢ·wᵢ,
//! Q = Σ nᵢ·wᵢ², S = Σ Sᵢ, X = Σ wᵢ·Sᵢ and D = n·Q − W², least squares gives
//!
//! ```text
//! a = ((Q − parts·W)·S + (parts·n − W)·X) / D        b = (Q·S − W·X) / D
//! ```
//!
//! Numerators and D are integers; the caller ensures that they are below 2²⁴.

use crate::simd::{Float, Simd};

/// What the indices alone determine.
#[derive(Clone, Copy)]
pub(crate) struct Moments<S: Simd> {
    parts: S::F,
    count: S::F,
    weight: S::F,
    square: S::F,
    /// D; 0 where all texels have one index.
    pub determinant: S::F,
}

impl<S: Simd> Moments<S> {
    /// For `counts[i]` texels with the weight `weights[i]`; indices past the weights are ignored.
    #[inline(always)]
    pub fn new<const WEIGHTS: usize>(s: S, parts: f32, weights: [f32; WEIGHTS], counts: &[S::F]) -> Self {
        let zero = s.f(0.0);
        let (mut count, mut weight, mut square) = (zero, zero, zero);
        for i in 0..WEIGHTS {
            count = count + counts[i];
            weight = counts[i].mul_add(s.f(weights[i]), weight);
            square = counts[i].mul_add(s.f(weights[i] * weights[i]), square);
        }
        let determinant = count.mul_add(square, zero - weight * weight);
        Self { parts: s.f(parts), count, weight, square, determinant }
    }

    /// D times both endpoints of a channel whose sums by index are `sums`, plus `offset`.
    #[inline(always)]
    pub fn endpoints<const WEIGHTS: usize>(
        &self,
        s: S,
        weights: [f32; WEIGHTS],
        sums: &[S::F],
        offset: S::F,
    ) -> (S::F, S::F) {
        let (mut sum, mut weighted) = (s.f(0.0), s.f(0.0));
        for i in 0..WEIGHTS {
            sum = sum + sums[i];
            weighted = sums[i].mul_add(s.f(weights[i]), weighted);
        }
        let Self { parts, count, weight, square, .. } = *self;
        let a = (square - parts * weight).mul_add(sum, (parts * count - weight).mul_add(weighted, offset));
        let b = square.mul_add(sum, offset - weight * weighted);
        (a, b)
    }
}
