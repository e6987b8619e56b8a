//! Coding of a part's endpoints and indices.
//!
//! A *part* shares two endpoints: some texels of a block and some of their channels. A mode without subsets
//! has one part, or two where alpha has separate indices.

use crate::simd::{Float, Simd};

/// Lowest bits that all channels of an endpoint share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PBits {
    None,
    /// One for each endpoint.
    Own,
    /// One for both endpoints.
    Shared,
    /// One for each endpoint, both set: alpha, which is not in the part, is then 255.
    Set,
}

/// Coding of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coding {
    /// Number of bits of an endpoint's channel, without the p-bit.
    pub bits: u32,
    pub p_bits: PBits,
    pub index_bits: u32,
}

impl Coding {
    pub const fn new(bits: u32, p_bits: PBits, index_bits: u32) -> Self {
        Self { bits, p_bits, index_bits }
    }

    /// Returns the number of bits of an endpoint's channel.
    pub const fn precision(self) -> u32 {
        match self.p_bits {
            PBits::None => self.bits,
            PBits::Own | PBits::Shared | PBits::Set => self.bits + 1,
        }
    }

    /// Returns the highest index.
    pub const fn last_index(self) -> u32 {
        (1 << self.index_bits) - 1
    }
}

/// Unit of endpoints that are not quantized: one part in this number.
pub(crate) const FINENESS: f32 = 16.0;

/// Rounder for floats between −2²² and 2²²: adding and then subtracting it rounds to nearest, halves to even.
/// On GPUs, `round` does the same.
pub(crate) const ROUNDER: f32 = 12_582_912.0;

/// Coding in the form that lanes need.
#[derive(Clone, Copy)]
pub(crate) struct CodingLanes<S: Simd> {
    pub p_bits: PBits,
    /// Factor from multiples of 1/[`FINENESS`] to codes, p-bits excluded.
    scale: S::F,
    greatest: S::F,
    /// Value of one unit of a code without its p-bit.
    step: S::F,
    /// The highest code.
    pub last_code: S::F,
    /// Factors from a code to 8 bits: code·`widen` + ⌊code·`repeat`⌋.
    widen: S::F,
    repeat: S::F,
    pub last_index: S::F,
    /// Factor from an index to its weight in 64ths, rounded to nearest.
    pub weight: S::F,
}

/// Returns the factor from multiples of 1/[`FINENESS`] to codes without their p-bit. It is slightly larger
/// than exact. No endpoint is then so near the midpoint of two codes that the rounding of products matters.
const fn scale(coding: Coding) -> f32 {
    let codes = (1u32 << coding.precision()) - 1;
    let step = if matches!(coding.p_bits, PBits::None) { 1 } else { 2 };
    (codes as f64 / (255.0 * FINENESS as f64 * step as f64) * (1.0 + 1.0 / 65536.0 / 4.0)) as f32
}

impl<S: Simd> CodingLanes<S> {
    #[inline(always)]
    pub fn new(s: S, coding: Coding) -> Self {
        let precision = coding.precision();
        Self {
            p_bits: coding.p_bits,
            scale: s.f(scale(coding)),
            greatest: s.f(((1 << coding.bits) - 1) as f32),
            step: s.f(if coding.p_bits == PBits::None { 1.0 } else { 2.0 }),
            last_code: s.f(((1 << precision) - 1) as f32),
            widen: s.f((1 << (8 - precision)) as f32),
            repeat: s.f(256.0 / (1u32 << (2 * precision)) as f32),
            last_index: s.f(coding.last_index() as f32),
            weight: s.f(64.0 / coding.last_index() as f32),
        }
    }

    /// Returns all numbers, in the order of `struct Coding` in part.wgsl.
    #[cfg(feature = "gpu")]
    pub fn numbers(&self) -> [S::F; 8] {
        let Self { scale, greatest, step, last_code, widen, repeat, last_index, weight, .. } = *self;
        [scale, greatest, step, last_code, widen, repeat, last_index, weight]
    }

    /// Returns the code nearest to `value` that has the p-bit `p` (0 or 1; 0 if there is none). `value` is in
    /// multiples of 1/[`FINENESS`].
    #[inline(always)]
    pub fn code(&self, s: S, value: S::F, p: S::F) -> S::F {
        let upper = value.mul_add(self.scale, p * s.f(-0.5)).round();
        upper.max(s.f(0.0)).min(self.greatest).mul_add(self.step, p)
    }

    /// Returns a code as 8 bits.
    #[inline(always)]
    pub fn widened(&self, code: S::F) -> S::F {
        code.mul_add(self.widen, (code * self.repeat).floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    /// Checks that codes are the nearest, and the same if products are rounded before they are added.
    #[test]
    fn codes_do_not_depend_on_how_sums_are_rounded() {
        for bits in 4..=8 {
            for p_bits in [PBits::None, PBits::Own] {
                let coding = Coding::new(bits, p_bits, 2);
                if coding.precision() > 8 {
                    continue;
                }
                let lanes = CodingLanes::new(Scalar, coding);
                let codes: &[f32] = if p_bits == PBits::None { &[0.0] } else { &[0.0, 1.0] };
                for value in 0..=4080u16 {
                    for &p in codes {
                        let value = f32::from(value);
                        let fused = value.mul_add(scale(coding), p * -0.5).round_ties_even();
                        let separate = (value * scale(coding) + p * -0.5).round_ties_even();
                        assert_eq!(fused, separate, "{coding:?} {value} {p}");
                        let code = lanes.code(Scalar, value, p);
                        let step = if p_bits == PBits::None { 1.0 } else { 2.0 };
                        let last = ((1 << coding.precision()) - 1) as f32;
                        let distance = |code: f32| (code * 255.0 / last - value / 16.0).abs();
                        for other in [code - step, code + step] {
                            let is_code = (0.0..=last).contains(&other);
                            assert!(
                                !is_code || distance(code) < distance(other) + 0.001,
                                "{coding:?} {value}"
                            );
                        }
                    }
                }
            }
        }
    }
}
