//! The values between two endpoints as points of a line, in lanes.
//!
//! Value k is `base + k·step`, rounded to nearest: `base` is shifted so that this gives what the integer rule
//! of `palette.rs` gives, whichever way that rounds. The error of a texel v is then `v − base − k·step`,
//! rounded. Rounding is monotone, so the k that is nearest on the line is also nearest after rounding.
//!
//! The shift keeps every texel at least 1/28 from where an error rounds differently, and from the middle
//! between two values. Floats err far less, so fused and separate multiply-adds agree.

use super::palette::ValueRule;
use crate::simd::{Float, Simd};

/// `base` of a line whose lower code is 0.
pub(crate) fn offset(rule: &ValueRule, steps: i32) -> f32 {
    (rule.bias(steps) as f32 + 0.25) / steps as f32 - 0.5
}

/// A [`ValueRule`] for one number of steps, in lanes.
#[derive(Clone, Copy)]
pub(crate) struct RuleLanes<S: Simd> {
    /// `base`, less the lower code.
    offset: S::F,
    /// The number of steps, and its negative inverse.
    pub steps: S::F,
    minus_step: S::F,
    /// The greatest code.
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

    /// The line between two codes, `low <= high`.
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
    /// The place of code 0 on the line, in steps.
    start: S::F,
    last: S::F,
}

impl<S: Simd> Line<S> {
    /// `other` where the mask is true, else `self`.
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

    /// Which value is nearest to the code `v`.
    #[inline(always)]
    pub fn nearest(&self, s: S, v: S::F) -> S::F {
        v.mul_add(self.rate, self.start).round().max(s.f(0.0)).min(self.last)
    }

    /// `v` less value `k`, as the decoder rounds that.
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

    /// Every span of endpoints and every value: the error is that of the integer rule, and the least.
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
