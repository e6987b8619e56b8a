//! The eight values of a block, in integers.
//!
//! A *code* is an endpoint or value counted from the smallest one: 0 to 255, or 0 to 254 for signed blocks.
//! With n steps between the endpoints, value k is `((n − k)·low + k·high + bias) / n`, rounded down to a
//! whole code. Signed values −1 to 1 represent 0 to 1, (x + 1)/2, as normal maps store them in 8 bits.
//!
//! Sources. Exact: the Direct3D 10 functional specification; its fractions are rounded to nearest here, as
//! bcdec 0.97 rounds BC4 and BC5. Trunc: texture2ddecoder's arithmetic. GPUs interpolate these formats with
//! more than 8 bits, so hardware decoders are assumed to be exact.

use crate::RoundingRule;

/// Steps between the endpoints where `r0 > r1`.
pub(crate) const EIGHT_VALUES: i32 = 7;
/// Steps between the endpoints where `r0 <= r1`.
pub(crate) const SIX_VALUES: i32 = 5;

/// Rule by which endpoints become values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueRule {
    pub is_signed: bool,
    is_truncated: bool,
}

impl ValueRule {
    /// Rule for signed endpoints, independent of the rounding rule.
    pub const SNORM: Self = Self { is_signed: true, is_truncated: false };

    /// Returns the rule for unsigned endpoints under the rounding rule `rounding`.
    pub const fn unorm(rounding: RoundingRule) -> Self {
        Self { is_signed: false, is_truncated: matches!(rounding, RoundingRule::Trunc) }
    }

    /// Returns the largest code.
    pub const fn top(&self) -> i32 {
        if self.is_signed { 254 } else { 255 }
    }

    /// Returns the number that is added to a value before the division by the number of steps.
    pub const fn bias(&self, steps: i32) -> i32 {
        if self.is_truncated { 0 } else { steps / 2 }
    }

    /// Returns value `k` of 0 to `steps` between two codes.
    pub const fn value(&self, steps: i32, low: i32, high: i32, k: i32) -> i32 {
        ((steps - k) * low + k * high + self.bias(steps)) / steps
    }

    /// Returns the code of an endpoint as stored in a block.
    pub fn code(&self, stored: u8) -> i32 {
        if self.is_signed { i32::from(stored as i8).max(-127) + 127 } else { i32::from(stored) }
    }

    /// Returns the 8-bit value of a code. 127 of 254, which is 0, becomes 128.
    #[inline(always)]
    fn byte(&self, code: u16) -> u8 {
        if self.is_signed { ((code * 255 + 127) / 254) as u8 } else { code as u8 }
    }

    /// Returns the 8-bit values of indices 0 to 7. The code avoids branches, which would be mispredicted. It
    /// uses 16 bits, so that all eight are computed at once.
    #[inline(always)]
    pub fn palette(&self, r0: u8, r1: u8) -> [u8; 8] {
        let (a, b) = (self.code(r0), self.code(r1));
        let is_eight = a > b;
        let (steps, last) = if is_eight { (EIGHT_VALUES, [5, 6]) } else { (SIX_VALUES, [0, 0]) };
        // 2¹⁶ / steps, rounded up: exact for sums below 2¹¹.
        let reciprocal = if is_eight { 9363 } else { 13108 };
        let start = (steps * a + self.bias(steps)) as u16;
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
    fn signed_bytes_are_those_of_normal_maps() {
        let rule = ValueRule::SNORM;
        assert_eq!([0x81, 0x80, 0, 127].map(|stored| rule.byte(rule.code(stored) as u16)), [0, 0, 128, 255]);
        // −128 and −127 are the same endpoint, so neither is greater.
        assert_eq!(rule.palette(0x81, 0x80)[7], 255);
    }
}
