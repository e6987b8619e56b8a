//! The four colours of a block, with each decoder's rounding.
//!
//! Every known decoder fits one form. An endpoint value is a function of its 5- or 6-bit code alone. An
//! interpolant is `(k0·A + k1·B + bias) / divisor`, rounded down. A and B are the codes, or the codes widened
//! to 8 bits by repeating their upper bits. The form is linear, so SIMD lanes and the GPU evaluate it with
//! the same few multiplications.
//!
//! Sources. Exact: the fractions of the Direct3D 10 functional specification, rounded to nearest as in bcdec
//! 0.97. NVIDIA: NVTT's and rgbcx's published models of the hardware. AMD: rgbcx's model, from read-backs of
//! a Radeon RX 580. Intel: F. Giesen, "GPU BCn decoding" (2021), 8-bit weights `round(256·k/3)` with a
//! rounding bias of 128, checked there on Haswell. Trunc: Pillow's and texture2ddecoder's arithmetic.

use crate::RoundingRule;
use crate::bc::block::CENTER;

/// Interpolant of two endpoints of one channel: `(k0·A + k1·B + bias) / divisor`, rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interpolant {
    pub k0: u16,
    pub k1: u16,
    pub bias: u16,
    /// Addition to the bias where B < A: NVIDIA's green divides a signed difference, which truncates to zero.
    pub falling_bias: u16,
    pub divisor: u16,
    /// 2³² / divisor, rounded up. Multiplying by it divides sums below 2²² exactly, and faster.
    reciprocal: u64,
}

impl Interpolant {
    const fn new(k0: u16, k1: u16, bias: u16, divisor: u16) -> Self {
        let reciprocal = (1u64 << 32).div_ceil(divisor as u64);
        Self { k0, k1, bias, falling_bias: 0, divisor, reciprocal }
    }

    /// Returns the bias for floating-point operands and a centred value. The half keeps the quotient away
    /// from integers. A single rounding of the product with [`lane_scale`](Self::lane_scale) cannot carry it
    /// across one: `lanes_agree_with_the_integer_rule` tries all endpoints.
    pub fn lane_bias(&self) -> f32 {
        f32::from(self.bias) + 0.5 - CENTER * f32::from(self.divisor)
    }

    /// Returns the factor of the sum, in floats.
    pub fn lane_scale(&self) -> f32 {
        1.0 / f32::from(self.divisor)
    }

    #[inline(always)]
    fn value(&self, a: u8, b: u8) -> u8 {
        let bias = self.bias + if b < a { self.falling_bias } else { 0 };
        // Multiplied out: if the rule is a constant, so are the products in brackets.
        let first = u64::from(a) * (u64::from(self.k0) * self.reciprocal);
        let second = u64::from(b) * (u64::from(self.k1) * self.reciprocal);
        ((first + second + u64::from(bias) * self.reciprocal) >> 32) as u8
    }
}

/// Channel of a [`PaletteRule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChannelRule {
    /// Number of bits in an endpoint code: 5 or 6.
    pub bits: u8,
    /// True if interpolants take the codes widened to 8 bits rather than the codes themselves.
    pub widened: bool,
    /// Endpoint as an interpolant with only one operand: `endpoint.value(A, 0)`.
    pub endpoint: Interpolant,
    /// Interpolant (2·c0 + c1)/3.
    pub third: Interpolant,
    /// Interpolant (c0 + c1)/2.
    pub half: Interpolant,
}

impl ChannelRule {
    const fn new(rounding: RoundingRule, bits: u8) -> Self {
        let top = (1u16 << bits) - 1;
        // p·m/q rounded to nearest is (2·p·m + q) / 2q; see `exact_is_the_nearest_fraction`.
        match rounding {
            RoundingRule::Real | RoundingRule::Exact => Self {
                bits,
                widened: false,
                endpoint: Interpolant::new(510, 0, top, 2 * top),
                third: Interpolant::new(340, 170, top, 2 * top),
                half: Interpolant::new(255, 255, top, 2 * top),
            },
            RoundingRule::Trunc => Self {
                bits,
                widened: true,
                endpoint: Interpolant::new(1, 0, 0, 1),
                third: Interpolant::new(2, 1, 0, 3),
                half: Interpolant::new(1, 1, 0, 2),
            },
            RoundingRule::Nvidia if bits == 5 => Self {
                bits,
                widened: false,
                endpoint: Interpolant::new(66, 0, 0, 8),
                third: Interpolant::new(44, 22, 0, 8),
                half: Interpolant::new(33, 33, 0, 8),
            },
            // (256·A + d/4 + 128 + 80·d) / 256 with d = B − A, and 128·d for the half. All numbers here are
            // times four.
            RoundingRule::Nvidia => Self {
                bits,
                widened: true,
                endpoint: Interpolant::new(1, 0, 0, 1),
                third: Interpolant { falling_bias: 3, ..Interpolant::new(703, 321, 512, 1024) },
                half: Interpolant { falling_bias: 3, ..Interpolant::new(511, 513, 512, 1024) },
            },
            RoundingRule::Amd => Self {
                bits,
                widened: true,
                endpoint: Interpolant::new(1, 0, 0, 1),
                third: Interpolant::new(43, 21, 32, 64),
                half: Interpolant::new(1, 1, 1, 2),
            },
            RoundingRule::Intel => Self {
                bits,
                widened: true,
                endpoint: Interpolant::new(1, 0, 0, 1),
                third: Interpolant::new(171, 85, 128, 256),
                half: Interpolant::new(1, 1, 1, 2),
            },
        }
    }

    /// Returns the largest code: 31 or 63.
    pub fn top(&self) -> u8 {
        (1 << self.bits) - 1
    }

    /// Returns the factor from code to operand; the product is rounded down. For 5 bits, 8¼ is 8 + ¼: the
    /// code and its upper three bits. For 6 bits, it is the same principle.
    pub fn widening(&self) -> f32 {
        match (self.widened, self.bits) {
            (false, _) => 1.0,
            (true, 5) => 8.25,
            (true, _) => 4.0625,
        }
    }

    /// Returns the operand of interpolants for the endpoint code `code`.
    #[inline(always)]
    pub fn operand(&self, code: u8) -> u8 {
        match (self.widened, self.bits) {
            (false, _) => code,
            (true, 5) => code << 3 | code >> 2,
            (true, _) => code << 2 | code >> 4,
        }
    }

    /// Returns the 8-bit value of the endpoint code `code`.
    pub fn endpoint_value(&self, code: u8) -> u8 {
        self.endpoint.value(self.operand(code), 0)
    }

    /// Returns the 8-bit value (2·c0 + c1)/3 of two endpoint codes.
    pub fn third_value(&self, code0: u8, code1: u8) -> u8 {
        self.third.value(self.operand(code0), self.operand(code1))
    }

    /// Returns the 8-bit value (c0 + c1)/2 of two endpoint codes.
    pub fn half_value(&self, code0: u8, code1: u8) -> u8 {
        self.half.value(self.operand(code0), self.operand(code1))
    }
}

/// Conversion from a block's two endpoints to its four colours under a [`RoundingRule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaletteRule {
    pub(crate) channels: [ChannelRule; 3],
}

impl PaletteRule {
    /// Returns the palette rule of the rounding rule `rounding`.
    pub const fn new(rounding: RoundingRule) -> Self {
        let (five, six) = (ChannelRule::new(rounding, 5), ChannelRule::new(rounding, 6));
        Self { channels: [five, six, five] }
    }

    /// Returns the colours of indices 0 to 3 for the 5-6-5 endpoints `c0` and `c1`, as 8-bit RGBA. With `c0
    /// <= c1`, index 3 is transparent black.
    #[inline]
    pub fn palette(&self, c0: u16, c1: u16) -> [[u8; 4]; 4] {
        self.colors(c0, c1, c0 > c1)
    }

    /// Returns the palette in the mode given by `four_color`. The code avoids branches, which would be
    /// mispredicted.
    #[inline(always)]
    pub(crate) fn colors(&self, c0: u16, c1: u16, four_color: bool) -> [[u8; 4]; 4] {
        let mut palette = [[255; 4]; 4];
        let mut half = [255; 4];
        let (codes0, codes1) = (unpack_565(c0), unpack_565(c1));
        for (c, rule) in self.channels.iter().enumerate() {
            let (a, b) = (rule.operand(codes0[c]), rule.operand(codes1[c]));
            palette[0][c] = rule.endpoint.value(a, 0);
            palette[1][c] = rule.endpoint.value(b, 0);
            palette[2][c] = rule.third.value(a, b);
            palette[3][c] = rule.third.value(b, a);
            half[c] = rule.half.value(a, b);
        }
        if !four_color {
            (palette[2], palette[3]) = (half, [0; 4]);
        }
        palette
    }
}

/// Returns the 5-, 6- and 5-bit codes of a packed endpoint.
#[inline(always)]
pub(crate) fn unpack_565(packed: u16) -> [u8; 3] {
    [(packed >> 11) as u8, (packed >> 5 & 63) as u8, (packed & 31) as u8]
}

/// Returns the packed endpoint of 5-, 6- and 5-bit codes.
pub(crate) fn pack_565(codes: [u8; 3]) -> u16 {
    u16::from(codes[0]) << 11 | u16::from(codes[1]) << 5 | u16::from(codes[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `numerator / denominator · 255`, rounded to nearest, halves up, in 64-bit integers.
    fn nearest(numerator: u64, denominator: u64) -> u8 {
        ((2 * 255 * numerator + denominator) / (2 * denominator)) as u8
    }

    #[test]
    fn exact_is_the_nearest_fraction() {
        for bits in [5, 6] {
            let rule = ChannelRule::new(RoundingRule::Exact, bits);
            let top = (1u64 << bits) - 1;
            for a in 0..=top {
                assert_eq!(rule.endpoint_value(a as u8), nearest(a, top));
                for b in 0..=top {
                    assert_eq!(rule.third_value(a as u8, b as u8), nearest(2 * a + b, 3 * top), "{a} {b}");
                    assert_eq!(rule.half_value(a as u8, b as u8), nearest(a + b, 2 * top), "{a} {b}");
                }
            }
        }
        assert_eq!(ChannelRule::new(RoundingRule::Exact, 5).endpoint_value(3), 25);
        assert_eq!(ChannelRule::new(RoundingRule::Trunc, 5).endpoint_value(3), 24);
    }

    #[test]
    fn nvidia_green_is_the_published_signed_formula() {
        let rule = ChannelRule::new(RoundingRule::Nvidia, 6);
        for a in 0..64u8 {
            for b in 0..64u8 {
                let (wide_a, wide_b) = (i32::from(rule.operand(a)), i32::from(rule.operand(b)));
                let d = wide_b - wide_a;
                let third = (256 * wide_a + d / 4 + 128 + 80 * d) / 256;
                let half = (256 * wide_a + d / 4 + 128 + 128 * d) / 256;
                assert_eq!(i32::from(rule.third_value(a, b)), third, "{a} {b}");
                assert_eq!(i32::from(rule.half_value(a, b)), half, "{a} {b}");
            }
        }
    }

    #[test]
    fn equal_endpoints_interpolate_to_themselves() {
        for &rounding in RoundingRule::ALL {
            for bits in [5, 6] {
                let rule = ChannelRule::new(rounding, bits);
                for a in 0..1 << bits {
                    assert_eq!(rule.third_value(a, a), rule.endpoint_value(a), "{rounding:?} {a}");
                    assert_eq!(rule.half_value(a, a), rule.endpoint_value(a), "{rounding:?} {a}");
                }
            }
        }
    }
}
