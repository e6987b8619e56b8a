//! Endpoints, and the line between them.

use super::coding::{CodingLanes, ROUNDER};
use crate::{
    bc::numbers::reciprocal,
    simd::{Float, Simd},
};

/// Codes of two endpoints.
#[derive(Clone, Copy)]
pub(crate) struct Ends<S: Simd, const CHANNELS: usize> {
    pub a: [S::F; CHANNELS],
    pub b: [S::F; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Ends<S, CHANNELS> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(mut self, mask: S::M, other: &Self) -> Self {
        for c in 0..CHANNELS {
            self.a[c] = self.a[c].or_if(mask, other.a[c]);
            self.b[c] = self.b[c].or_if(mask, other.b[c]);
        }
        self
    }
}

/// A line of 8-bit values between two endpoints.
pub(crate) struct Line<S: Simd, const CHANNELS: usize> {
    /// Difference of the endpoints, weighted.
    step: [S::F; CHANNELS],
    base: S::F,
    inverse: S::F,
    slope: [S::F; CHANNELS],
    start: [S::F; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Line<S, CHANNELS> {
    /// Returns the line between `ends`. `weights` apply to the distances in each channel; without them, all
    /// are 1.
    #[inline(always)]
    pub fn new(
        s: S,
        coding: &CodingLanes<S>,
        weights: Option<&[S::F; CHANNELS]>,
        ends: &Ends<S, CHANNELS>,
    ) -> Self {
        let zero = s.f(0.0);
        let mut line = Self {
            step: [zero; CHANNELS],
            base: zero,
            inverse: zero,
            slope: [zero; CHANNELS],
            start: [zero; CHANNELS],
        };
        let mut length = s.f(0.0);
        for c in 0..CHANNELS {
            let (a, b) = (coding.widened(ends.a[c]), coding.widened(ends.b[c]));
            let step = b - a;
            line.step[c] = weights.map_or(step, |weights| step * weights[c]);
            length = step.mul_add(line.step[c], length);
            line.base = (zero - a).mul_add(line.step[c], line.base);
            // The interpolant is a + (step·weight + 32) / 64, rounded down. As `step` and weight are
            // integers, adding 2⁻¹⁴ per weight only decides ties.
            line.slope[c] = step.mul_add(s.f(1.0 / 64.0), s.f(1.0 / 16384.0));
            line.start[c] = a + s.f(ROUNDER);
        }
        line.inverse = reciprocal(s, length.max(s.f(1.0))) * coding.last_index;
        line
    }

    /// Returns the index whose point of the line is nearest to a texel, up to rounding.
    #[inline(always)]
    pub fn index(&self, s: S, coding: &CodingLanes<S>, x: &[S::F; CHANNELS]) -> S::F {
        let mut along = self.base;
        for c in 0..CHANNELS {
            along = x[c].mul_add(self.step[c], along);
        }
        let place = (along * self.inverse).max(s.f(0.0)).min(coding.last_index);
        (place + s.f(ROUNDER)) - s.f(ROUNDER)
    }

    /// Returns the weight of an index in 64ths.
    #[inline(always)]
    pub fn weight(&self, s: S, coding: &CodingLanes<S>, index: S::F) -> S::F {
        index.mul_add(coding.weight, s.f(ROUNDER)) - s.f(ROUNDER)
    }

    /// Returns the difference between the decoded value of a weight and a texel's.
    #[inline(always)]
    pub fn difference(&self, s: S, c: usize, weight: S::F, x: S::F) -> S::F {
        (weight.mul_add(self.slope[c], self.start[c]) - s.f(ROUNDER)) - x
    }
}
