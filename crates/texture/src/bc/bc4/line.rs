//! Lines, in lanes: the values between two endpoints as equally spaced points.
//!
//! Value k is `base + k·step`, rounded to nearest. `base` is shifted so that the result equals that of the
//! integer rule in `palette.rs`, for both of its rounding modes. The error of a texel v is then `v − base −
//! k·step`, rounded. Rounding is monotone, so the k nearest on the line is also nearest after rounding.
//!
//! The shift keeps every texel at least 1/28 away from the points where an error rounds differently, and from
//! the midpoints between values. Floating-point errors are far smaller. Fused and separate multiply-adds
//! therefore agree.

use super::palette::ValueRule;
use crate::simd::{Float, Simd};

/// Returns `base` of a line whose lower code is 0.
pub(crate) fn offset(rule: &ValueRule, steps: i32) -> f32 {
    (rule.bias(steps) as f32 + 0.25) / steps as f32 - 0.5
}

/// [`ValueRule`] for one number of steps, in lanes.
#[derive(Clone, Copy)]
pub(crate) struct RuleLanes<S: Simd> {
    /// `base` minus the lower code.
    offset: S::F,
    /// The number of steps, and its negative inverse.
    pub steps: S::F,
    minus_step: S::F,
    /// Largest code.
    pub top: S::F,
}

impl<S: Simd> RuleLanes<S> {
    #[inline(always)]
    pub fn new(s: S, rule: &ValueRule, steps: i32) -> Self {
        Self {
            offset: s.f(offset(rule, steps)),
            steps: s.f(steps as f32),
            minus_step: s.f(-1.0 / steps as f32),
            top: s.f(rule.top() as f32),
        }
    }

    /// Returns the line between two codes, `low <= high`.
    #[inline(always)]
    pub fn line(&self, s: S, low: S::F, high: S::F) -> Line<S> {
        let span = high - low;
        let base = low + self.offset;
        let rate = (s.f(1.0) / span).or_if(span.lt(s.f(1.0)), s.f(0.0)) * self.steps;
        Line {
            base,
            minus_step: span * self.minus_step,
            rate,
            start: s.f(0.0) - base * rate,
            last: self.steps,
        }
    }
}

/// The values between two endpoints in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Line<S: Simd> {
    base: S::F,
    minus_step: S::F,
    /// Steps per code.
    rate: S::F,
    /// Place of code 0 on the line, in steps.
    start: S::F,
    last: S::F,
}

impl<S: Simd> Line<S> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(&self, mask: S::M, other: &Self) -> Self {
        Self {
            base: self.base.or_if(mask, other.base),
            minus_step: self.minus_step.or_if(mask, other.minus_step),
            rate: self.rate.or_if(mask, other.rate),
            start: self.start.or_if(mask, other.start),
            last: self.last.or_if(mask, other.last),
        }
    }

    /// Returns the index of the value nearest to the code `v`.
    #[inline(always)]
    pub fn nearest(&self, s: S, v: S::F) -> S::F {
        v.mul_add(self.rate, self.start).round().max(s.f(0.0)).min(self.last)
    }

    /// Returns `v` minus value `k`, rounded as the decoder rounds it.
    #[inline(always)]
    pub fn error(&self, v: S::F, k: S::F) -> S::F {
        k.mul_add(self.minus_step, v - self.base).round()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RoundingRule,
        bc::bc4::palette::{EIGHT_VALUES, SIX_VALUES},
        simd::Scalar,
    };

    /// Checks every span of endpoints and every value. The error is that of the integer rule, and the
    /// smallest.
    #[test]
    fn lines_agree_with_the_integer_rule() {
        for rule in [ValueRule::unorm(RoundingRule::Exact), ValueRule::unorm(RoundingRule::Trunc)] {
            for steps in [EIGHT_VALUES, SIX_VALUES] {
                let lanes = RuleLanes::new(Scalar, &rule, steps);
                for low in 0..256 {
                    // Every span, each with a fifth of the lower codes.
                    for high in (low..256).filter(|high| (high * 7 + low) % 5 == 0) {
                        let line = lanes.line(Scalar, low as f32, high as f32);
                        let values: Vec<i32> = (0..=steps).map(|k| rule.value(steps, low, high, k)).collect();
                        for v in 0..256 {
                            let k = line.nearest(Scalar, v as f32);
                            let error = line.error(v as f32, k) as i32;
                            assert_eq!(error, v - values[k as usize], "{rule:?} {low} {high} {v}");
                            let least = values.iter().map(|value| (v - value).abs()).min().unwrap();
                            assert_eq!(error.abs(), least, "{rule:?} {steps} {low} {high} {v}: {k}");
                        }
                    }
                }
            }
        }
    }
}
