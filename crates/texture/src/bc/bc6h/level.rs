//! Logarithmic levels of halves: log₂(1 + |x|), with the sign of x.

use crate::simd::{Float, Int, Simd};

/// Levels of 1; about the number of bit patterns that double a value.
pub(super) const SCALE: f32 = 1024.0;

/// log₂(1 + z) / z for z of 0 to 1, by least squares at Chebyshev nodes. The logarithm is off by at most
/// 2·10⁻⁶.
pub(super) const COEFFICIENTS: [f32; 7] =
    [1.442_693_2, -0.721_162_74, 0.477_705_93, -0.339_247_8, 0.215_588_54, -0.096_066_26, 0.020_490_348];

/// The first bit pattern that is not subnormal.
pub(super) const NORMAL: f32 = 1024.0;

/// Distance of subnormal halves.
pub(super) const SUBNORMAL_STEP: f32 = 1.0 / 16_777_216.0;

/// Exponent field of a single that is 1.
const ONE: i32 = 127 << 23;

/// Returns the number of a half's magnitude.
#[inline(always)]
fn number<S: Simd>(s: S, magnitude: S::F) -> S::F {
    let normal = (magnitude.to_i().shl::<13>() + s.i(112 << 23)).float_of_bits();
    normal.or_if(magnitude.lt(s.f(NORMAL)), magnitude * s.f(SUBNORMAL_STEP))
}

/// Returns the level of a half. Each product and sum is rounded in turn.
#[inline(always)]
pub(super) fn level<S: Simd>(s: S, half: S::F) -> S::F {
    let zero = s.f(0.0);
    let more = (s.f(1.0) + number(s, half.max(zero - half))).bits();
    let exponent = (more.shr::<23>() - s.i(127)).to_f();
    let z = ((more & s.i((1 << 23) - 1)) | s.i(ONE)).float_of_bits() - s.f(1.0);
    let [rest @ .., last] = COEFFICIENTS;
    let mut sum = s.f(last);
    for coefficient in rest.into_iter().rev() {
        sum = sum * z + s.f(coefficient);
    }
    let level = (exponent + sum * z) * s.f(SCALE);
    level.or_if(half.lt(zero), zero - level)
}

/// Returns the square of the change of the level from one bit pattern to the next, 0 to 2.
#[inline(always)]
pub(super) fn squared_slope<S: Simd>(s: S, half: S::F) -> S::F {
    let zero = s.f(0.0);
    let magnitude = half.max(zero - half);
    let number = number(s, magnitude);
    let step = (number.bits() & s.i(0x7f80_0000)).float_of_bits() * s.f(1.0 / 1024.0);
    let step = step.or_if(magnitude.lt(s.f(NORMAL)), s.f(SUBNORMAL_STEP));
    let slope = step / (s.f(1.0) + number) * s.f(SCALE * std::f32::consts::LOG2_E);
    slope * slope
}
