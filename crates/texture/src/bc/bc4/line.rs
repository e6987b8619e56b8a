//! Lines, in lanes: the values between two endpoints as equally spaced points.
//!
//! Positions are counted in steps of the grid (`palette.rs`). Value k is `base + k·step`, rounded to nearest.
//!
//! **8-bit rules.** `base` is shifted so that the result equals that of the integer rule, for both rounding
//! modes. The error of a texel at v is then `v − base − k·step`, rounded. Rounding is monotone, so the k
//! nearest on the line is also nearest after rounding. The shift keeps every texel at least 1/28 away from
//! the points where an error rounds differently, and from the midpoints between values.
//!
//! **Real rule.** `base`, `step`, positions and errors are integers below 2²⁴. Midpoints between values are
//! multiples of half a step of the grid. A tie goes up: unsigned texels are compared ¼ of a step higher.
//! Signed texels are at `position + (2·rest + 1) / 128`, an exact float, which is at least 1/128 away from
//! every midpoint, on the texel's side of it. The place of a texel on a line of span s codes is therefore at
//! least 1/(128·5·s) = 1.5·10⁻³/s from a tie. The relative error of `rate` is at most 3·2⁻²⁴, that of each
//! product and sum 2⁻²⁴. Places are at most 8 and `start` at most 7·255/s, which makes at most 5.4·10⁻⁴/s.
//! Errors of signed texels are within 51/128 of an integer, and are rounded to it.
//!
//! Floating-point errors do not reach these distances. Fused and separate multiply-adds therefore agree.

use super::palette::ValueRule;
use crate::simd::{Float, Simd};

/// Returns `base` of a line whose lower code is 0, for errors.
pub(crate) fn offset(rule: &ValueRule, steps: i32) -> f32 {
    if rule.is_real() { 0.0 } else { (rule.bias(steps) as f32 + 0.25) / steps as f32 - 0.5 }
}

/// [`ValueRule`] for one number of steps, in lanes.
#[derive(Clone, Copy)]
pub(crate) struct RuleLanes<S: Simd> {
    /// Steps of the grid in a texel's unit, and in a code.
    texel_grid: S::F,
    code_grid: S::F,
    /// `base` if the lower code is 0.
    offset: S::F,
    /// Units of texels in a code, and position of the lower code in these units if it is 0, for places.
    place_grid: S::F,
    place_offset: S::F,
    /// The number of steps, and of steps in a texel's unit for a span of one code.
    pub steps: S::F,
    rate: S::F,
    /// The negative step of a span of one code.
    minus_step: S::F,
    /// Largest code.
    pub top: S::F,
    /// Factor from the sources of least squares to codes.
    pub source_scale: S::F,
}

impl<S: Simd> RuleLanes<S> {
    #[inline(always)]
    pub fn new(s: S, rule: &ValueRule, steps: i32) -> Self {
        let grid = rule.grid() as f32;
        // Texels of rules with rests are loaded as positions, others as codes.
        let place_grid = if rule.has_rests() { grid } else { 1.0 };
        let place_offset = match (rule.is_real(), rule.has_rests()) {
            (true, true) => 0.0,
            (true, false) => -0.25 / grid,
            (false, _) => offset(rule, steps),
        };
        Self {
            texel_grid: s.f(grid / place_grid),
            code_grid: s.f(grid),
            offset: s.f(offset(rule, steps)),
            place_grid: s.f(place_grid),
            place_offset: s.f(place_offset),
            steps: s.f(steps as f32),
            rate: s.f(steps as f32 / place_grid),
            minus_step: s.f(-grid / steps as f32),
            top: s.f(rule.top() as f32),
            source_scale: s.f(source_scale(rule)),
        }
    }

    /// Returns the line between two codes, `low <= high`.
    #[inline(always)]
    pub fn line(&self, s: S, low: S::F, high: S::F) -> Line<S> {
        let (span, zero) = (high - low, s.f(0.0));
        let rate = (s.f(1.0) / span).or_if(span.lt(s.f(1.0)), zero) * self.rate;
        Line {
            texel_grid: self.texel_grid,
            minus_base: zero - (low * self.code_grid + self.offset),
            minus_step: span * self.minus_step,
            rate,
            start: zero - (low * self.place_grid + self.place_offset) * rate,
            last: self.steps,
        }
    }
}

/// Returns the factor from sources to codes.
pub(crate) fn source_scale(rule: &ValueRule) -> f32 {
    if rule.has_rests() { 254.0 / 255.0 } else { 1.0 }
}

/// The values between two endpoints in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Line<S: Simd> {
    /// Steps of the grid in a texel's unit.
    texel_grid: S::F,
    minus_base: S::F,
    minus_step: S::F,
    /// Steps of the line per unit of texels.
    rate: S::F,
    /// Place of 0 on the line, in steps.
    start: S::F,
    last: S::F,
}

impl<S: Simd> Line<S> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(&self, mask: S::M, other: &Self) -> Self {
        Self {
            texel_grid: self.texel_grid,
            minus_base: self.minus_base.or_if(mask, other.minus_base),
            minus_step: self.minus_step.or_if(mask, other.minus_step),
            rate: self.rate.or_if(mask, other.rate),
            start: self.start.or_if(mask, other.start),
            last: self.last.or_if(mask, other.last),
        }
    }

    /// Returns the index of the value nearest to the texel `v`.
    #[inline(always)]
    pub fn nearest(&self, s: S, v: S::F) -> S::F {
        v.mul_add(self.rate, self.start).round().max(s.f(0.0)).min(self.last)
    }

    /// Returns the texel `v` minus value `k`, in steps of the grid.
    #[inline(always)]
    pub fn error(&self, v: S::F, k: S::F) -> S::F {
        k.mul_add(self.minus_step, v.mul_add(self.texel_grid, self.minus_base)).round()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bc::{
            batch::BATCH,
            bc4::{
                fit,
                palette::{EIGHT_VALUES, SIX_VALUES, SNORM_REAL, UNORM_EXACT, UNORM_REAL, UNORM_TRUNC},
            },
        },
        simd::{Int as _, Scalar},
    };

    /// Checks every span of endpoints and every texel. The error is that of the integer rule, and the
    /// smallest.
    fn check<S: Simd>(s: S, rule: &ValueRule, steps: i32) {
        let lanes = RuleLanes::new(s, rule, steps);
        let texels: Vec<_> = (0..=255).map(|texel| fit::unit(s, rule, s.f(texel as f32))).collect();
        let number = |lane: S::F| {
            let mut numbers = [0; BATCH];
            lane.to_i().store(&mut numbers);
            numbers[0]
        };
        for low in 0..=rule.top() {
            // Every span, each with a fifth of the lower codes.
            for high in (low..=rule.top()).filter(|high| (high * 7 + low) % 5 == 0) {
                let line = lanes.line(s, s.f(low as f32), s.f(high as f32));
                let values: Vec<i32> = (0..=steps).map(|k| rule.value(steps, low, high, k)).collect();
                for (texel, &v) in texels.iter().enumerate() {
                    let (position, rest) = rule.position(texel as i32);
                    let k = line.nearest(s, v);
                    let error = number(line.error(v, k));
                    assert_eq!(error, position - values[number(k) as usize], "{rule:?} {low} {high} {texel}");
                    let distance = |value: &i32| (51 * (position - value) + rest).abs();
                    let least = values.iter().map(distance).min();
                    assert_eq!(Some((51 * error + rest).abs()), least, "{rule:?} {low} {high} {texel}");
                }
            }
        }
    }

    #[test]
    fn lines_agree_with_the_integer_rule() {
        for rule in [UNORM_REAL, SNORM_REAL, UNORM_EXACT, UNORM_TRUNC] {
            for steps in [EIGHT_VALUES, SIX_VALUES] {
                check(Scalar, &rule, steps);
            }
        }
    }
}
