//! The eight values of a block, in integers.
//!
//! A *code* is an endpoint counted from the smallest one: 0 to 255, or 0 to 254 for signed blocks. Signed
//! values −1 to 1 represent 0 to 1, (x + 1)/2, as normal maps store them in 8 bits. Byte v is therefore
//! v · 254 / 255 codes.
//!
//! Values are counted in steps of a *grid*:
//!
//! | rule | step | value k of 0 to n between two codes | byte v |
//! |---|---|---|---|
//! | real | 1/35 code | `(35 / n) · ((n − k)·low + k·high)`, not rounded | 35·v, if signed 1778/51 · v |
//! | nearest | 1 code | `((n − k)·low + k·high + n / 2) / n`, rounded down | v, if signed the nearest code |
//! | down | 1 code | `((n − k)·low + k·high) / n`, rounded down | the same |
//!
//! Both 7 and 5, the numbers of steps between endpoints, divide 35. A signed source is between two steps of
//! the real grid: its position is rounded, and its *rest* is what remains, in 51sts of a step. A *source* is
//! the byte, or under an 8-bit rule for signed values the nearest code.
//!
//! References. Real: Direct3D 11 and the Khronos Data Format Specification interpolate with more than 8 bits,
//! as GPUs do. Nearest: bcdec 0.97 for BC4 and BC5. Down: texture2ddecoder's arithmetic.

use crate::RoundingRule;

/// Steps between the endpoints where `r0 > r1`.
pub(crate) const EIGHT_VALUES: i32 = 7;
/// Steps between the endpoints where `r0 <= r1`.
pub(crate) const SIX_VALUES: i32 = 5;

/// Steps of a level of 0 to 255 in which [`ValueRule::steps`] counts values.
pub(crate) const LEVEL_STEPS: i16 = 8;

/// Steps of the real grid in a code: a multiple of both numbers of steps.
const REAL_GRID: i32 = EIGHT_VALUES * SIX_VALUES;

/// Rounding of interpolated values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    /// None.
    Real,
    /// To the nearest code.
    Nearest,
    /// Down to a code.
    Down,
}

/// Rule by which endpoints become values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueRule {
    pub is_signed: bool,
    rounding: Rounding,
    /// True for the rule nvidia. The other fields are then the rule of the search that precedes `refit.rs`.
    pub is_nvidia: bool,
}

/// Rules as constants, for decoders.
pub(crate) const UNORM_REAL: ValueRule = ValueRule::unorm(RoundingRule::Real);
pub(crate) const UNORM_EXACT: ValueRule = ValueRule::unorm(RoundingRule::Exact);
pub(crate) const UNORM_TRUNC: ValueRule = ValueRule::unorm(RoundingRule::Trunc);
pub(crate) const SNORM_REAL: ValueRule = ValueRule::snorm(RoundingRule::Real);
pub(crate) const SNORM_EXACT: ValueRule = ValueRule::snorm(RoundingRule::Exact);

impl ValueRule {
    /// Returns BC4's and BC5's rule for unsigned endpoints.
    pub const fn unorm(rule: RoundingRule) -> Self {
        let rounding = match rule {
            RoundingRule::Exact => Rounding::Nearest,
            RoundingRule::Trunc => Rounding::Down,
            RoundingRule::Real | RoundingRule::Nvidia | RoundingRule::Amd | RoundingRule::Intel => {
                Rounding::Real
            }
        };
        Self { is_signed: false, rounding, is_nvidia: matches!(rule, RoundingRule::Nvidia) }
    }

    /// Returns BC4's and BC5's rule for signed endpoints, which are never truncated.
    pub const fn snorm(rule: RoundingRule) -> Self {
        let unorm = Self::unorm(rule);
        let rounding = match unorm.rounding {
            Rounding::Real => Rounding::Real,
            Rounding::Nearest | Rounding::Down => Rounding::Nearest,
        };
        Self { is_signed: true, rounding, ..unorm }
    }

    /// Returns the rule for BC3's alpha, which is always rounded to 8 bits, like BC3's colours.
    pub const fn alpha(rule: RoundingRule) -> Self {
        let is_down = matches!(rule, RoundingRule::Trunc);
        let rounding = if is_down { Rounding::Down } else { Rounding::Nearest };
        Self { rounding, ..Self::unorm(rule) }
    }

    /// Returns the largest code.
    pub const fn top(&self) -> i32 {
        if self.is_signed { 254 } else { 255 }
    }

    /// Returns the steps of the grid in a code.
    pub const fn grid(&self) -> i32 {
        if self.is_real() { REAL_GRID } else { 1 }
    }

    /// True if values are not rounded.
    pub const fn is_real(&self) -> bool {
        matches!(self.rounding, Rounding::Real)
    }

    /// True if sources may be between two steps of the grid.
    pub const fn has_rests(&self) -> bool {
        self.is_signed && self.is_real()
    }

    /// Returns the position of a source on the grid, and its rest in 51sts of a step, −25 to 25.
    pub const fn position(&self, source: i32) -> (i32, i32) {
        if self.has_rests() {
            // 35 · 254 / 255 = 1778 / 51.
            let position = (2 * 1778 * source + 51) / 102;
            (position, 1778 * source - 51 * position)
        } else {
            (source * self.grid(), 0)
        }
    }

    /// Returns the number that is added to a value before the division by the number of steps.
    pub const fn bias(&self, steps: i32) -> i32 {
        match self.rounding {
            Rounding::Nearest => steps / 2,
            Rounding::Real | Rounding::Down => 0,
        }
    }

    /// Returns value `k` of 0 to `steps` between two codes, in steps of the grid.
    pub const fn value(&self, steps: i32, low: i32, high: i32, k: i32) -> i32 {
        (self.grid() * ((steps - k) * low + k * high) + self.bias(steps)) / steps
    }

    /// Returns the code of an endpoint as stored in a block.
    pub fn code(&self, stored: u8) -> i32 {
        if self.is_signed { i32::from(stored as i8).max(-127) + 127 } else { i32::from(stored) }
    }

    /// Returns an endpoint of this code as stored in a block.
    pub fn stored(&self, code: i32) -> u8 {
        (if self.is_signed { code - 127 } else { code }) as u8
    }

    /// Returns the 8-bit value of a code. 127 of 254, which is 0, becomes 128.
    #[inline(always)]
    fn byte(&self, code: u16) -> u8 {
        if self.is_signed { ((code * 255 + 127) / 254) as u8 } else { code as u8 }
    }

    /// Returns the values of indices 0 to 7, rounded to 8 bits. The code avoids branches, which would be
    /// mispredicted. It uses 16 bits, so that all eight are computed at once.
    #[inline(always)]
    pub fn palette(&self, r0: u8, r1: u8) -> [u8; 8] {
        if self.has_rests() {
            // 255 / (35 · 254) = 51 / 1778. The values are rounded once.
            return self.positions(r0, r1).map(|position| ((51 * position + 889) / 1778) as u8);
        }
        let (a, b) = (self.code(r0), self.code(r1));
        let is_eight = a > b;
        let (steps, last) = if is_eight { (EIGHT_VALUES, [5, 6]) } else { (SIX_VALUES, [0, 0]) };
        // 2¹⁶ / steps, rounded up: exact for sums below 2¹¹.
        let reciprocal = if is_eight { 9363 } else { 13108 };
        // The nearest byte to a real value is its nearest code.
        let bias = if self.is_real() { steps / 2 } else { self.bias(steps) };
        let start = (steps * a + bias) as u16;
        let step = (b - a) as u16;
        let mut codes = [0, steps as u16, 1, 2, 3, 4, last[0], last[1]];
        for code in &mut codes {
            // `value` of that place between a and b.
            let sum = code.wrapping_mul(step).wrapping_add(start);
            *code = ((u32::from(sum) * reciprocal) >> 16) as u16;
        }
        let mut values = codes.map(|code| self.byte(code));
        if !is_eight {
            (values[6], values[7]) = (0, 255);
        }
        values
    }

    /// Returns the values of indices 0 to 7, from 0 to 1. Each is rounded once, to a float.
    #[inline(always)]
    pub fn floats(&self, r0: u8, r1: u8) -> [f32; 8] {
        let top = (self.grid() * self.top()) as f32;
        self.positions(r0, r1).map(|position| position as f32 / top)
    }

    /// Returns the values of indices 0 to 7 on the 0..255 scale, in steps of 1 / [`LEVEL_STEPS`]. Each is
    /// rounded once.
    pub fn steps(&self, r0: u8, r1: u8) -> [i16; 8] {
        let top = self.grid() * self.top();
        let scale = 255 * i32::from(LEVEL_STEPS);
        self.positions(r0, r1).map(|position| ((2 * scale * position + top) / (2 * top)) as i16)
    }

    /// Returns the values of indices 0 to 7 in steps of the grid.
    #[inline(always)]
    pub fn positions(&self, r0: u8, r1: u8) -> [i32; 8] {
        let (a, b) = (self.code(r0), self.code(r1));
        if a > b {
            [0, 7, 1, 2, 3, 4, 5, 6].map(|k| self.value(EIGHT_VALUES, a, b, k))
        } else {
            let [v0, v1, v2, v3, v4, v5] = [0, 5, 1, 2, 3, 4].map(|k| self.value(SIX_VALUES, a, b, k));
            [v0, v1, v2, v3, v4, v5, 0, self.grid() * self.top()]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_values_are_the_nearest_to_the_fractions() {
        let rule = ValueRule::unorm(RoundingRule::Exact);
        for steps in [EIGHT_VALUES, SIX_VALUES] {
            for low in 0..=255 {
                for high in 0..=255 {
                    for k in 0..=steps {
                        let fraction = f64::from(low) + f64::from((high - low) * k) / f64::from(steps);
                        assert_eq!(rule.value(steps, low, high, k), fraction.round() as i32);
                    }
                }
            }
        }
        assert_eq!(ValueRule::unorm(RoundingRule::Trunc).value(7, 0, 255, 6), 218);
        assert_eq!(rule.value(7, 0, 255, 6), 219);
    }

    #[test]
    fn steps_are_the_nearest_to_the_values() {
        for rule in [UNORM_REAL, SNORM_REAL] {
            for r0 in 0..=255 {
                for r1 in [0, 1, 77, 127, 128, 129, 200, 255] {
                    for (steps, value) in rule.steps(r0, r1).into_iter().zip(rule.floats(r0, r1)) {
                        let exact = value * 255.0 * f32::from(LEVEL_STEPS);
                        assert!((f32::from(steps) - exact).abs() < 0.501, "{rule:?} {r0} {r1}");
                    }
                }
            }
        }
    }

    #[test]
    fn codes_of_stored_endpoints_are_the_same_again() {
        for rule in [UNORM_REAL, SNORM_REAL] {
            for code in 0..=rule.top() {
                assert_eq!(rule.code(rule.stored(code)), code);
            }
        }
    }

    #[test]
    fn signed_bytes_are_those_of_normal_maps() {
        let rule = ValueRule::snorm(RoundingRule::Exact);
        assert_eq!([0x81, 0x80, 0, 127].map(|stored| rule.byte(rule.code(stored) as u16)), [0, 0, 128, 255]);
        // −128 and −127 are the same endpoint, so neither is greater.
        assert_eq!(rule.palette(0x81, 0x80)[7], 255);
    }
}
