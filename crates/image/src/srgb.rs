//! sRGB's transfer function (IEC 61966-2-1) and powers, in doubles.
//!
//! Only the four basic operations are used, which round alike everywhere. The system's powers do not. The
//! results are therefore the same on every machine.

use std::f64::consts::{LN_2, SQRT_2};

/// Returns the light of an sRGB number. Negative numbers have negative light. The power is x^2.4 =
/// x²·(x²)^(1/5), so that tables can be constants.
pub const fn light(number: f64) -> f64 {
    if number <= 0.04045 {
        return number / 12.92;
    }
    let base = (number + 0.055) / 1.055;
    let square = base * base;
    if square == f64::INFINITY {
        return square;
    }
    // Newton's method from above, where it decreases monotonically. Each step of the search doubles the root.
    let mut root = 1.0;
    while root * root * root * root * root < square {
        root *= 2.0;
    }
    let mut step = 0;
    while step < 40 {
        root -= (root - square / (root * root * root * root)) / 5.0;
        step += 1;
    }
    square * root
}

/// Returns the sRGB number of light: the inverse of [`light`].
pub fn number(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * power(light, 1.0 / 2.4) - 0.055 }
}

/// Returns `base` raised to a power above 0, or 2 to any power. A `base` below 0 counts as 0; infinity and
/// NaN stay. The relative error is below 10⁻¹³ for a normal `base` and exponents up to 10, and 0 for a `base`
/// of 0 or 1 and for 2 to a whole power.
pub fn power(base: f64, exponent: f64) -> f64 {
    if base <= 0.0 {
        0.0
    } else if base.is_finite() {
        exponential(exponent * logarithm(base))
    } else {
        base
    }
}

/// Returns the natural logarithm of a normal number, by the series of the area hyperbolic tangent.
fn logarithm(number: f64) -> f64 {
    let (bits, one) = (number.to_bits(), 1.0f64.to_bits());
    let mut exponent = (bits >> 52) as i32 - 1023;
    // From 1 to 2, then from √½ to √2.
    let mut fraction = f64::from_bits(bits & ((1 << 52) - 1) | one);
    if fraction > SQRT_2 {
        fraction /= 2.0;
        exponent += 1;
    }
    let s = (fraction - 1.0) / (fraction + 1.0);
    let square = s * s;
    // |s| is below 0.172: the twelfth term is below 10⁻¹⁹.
    let mut sum = 0.0;
    for k in (0..12).rev() {
        sum = sum * square + 1.0 / f64::from(2 * k + 1);
    }
    f64::from(exponent) * LN_2 + 2.0 * s * sum
}

/// Returns e raised to a power, by its series; 0 below the range of normal numbers, and infinity above it.
fn exponential(power: f64) -> f64 {
    let scale = (power / LN_2).round();
    if scale < -1022.0 {
        return 0.0;
    }
    if scale > 1023.0 {
        return f64::INFINITY;
    }
    let rest = power - scale * LN_2;
    // |rest| is below 0.35: the term after the last one is below 10⁻¹⁸.
    let mut sum = 1.0;
    for k in (1..16).rev() {
        sum = 1.0 + rest / f64::from(k) * sum;
    }
    sum * f64::from_bits(((1023 + scale as i64) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_that_of_the_definition() {
        for i in -100..4000 {
            // Up to a million.
            let number = f64::from(i) / 255.0 * if i > 2000 { 64_000.0 } else { 1.0 };
            let expected =
                if number <= 0.04045 { number / 12.92 } else { ((number + 0.055) / 1.055).powf(2.4) };
            assert!((light(number) - expected).abs() <= 1e-13 * expected.abs(), "{number}");
        }
        assert_eq!([light(0.0), light(1.0), light(f64::INFINITY)], [0.0, 1.0, f64::INFINITY]);
        assert!(light(f64::NAN).is_nan());
    }

    #[test]
    fn powers_are_those_of_the_system() {
        for i in 1..4000 {
            let base = f64::from(i) / 700.0;
            for exponent in [2.4, 1.0 / 2.4, 0.1, 10.0, 1.0] {
                let (found, expected) = (power(base, exponent), base.powf(exponent));
                assert!((found / expected - 1.0).abs() < 1e-13, "{base} {exponent}: {found} {expected}");
            }
        }
        assert_eq!([power(0.0, 2.2), power(1.0, 2.2), power(1.0, 0.1)], [0.0, 1.0, 1.0]);
        assert_eq!([power(-1.0, 2.4), power(f64::INFINITY, 0.1)], [0.0, f64::INFINITY]);
        assert!(power(f64::NAN, 2.4).is_nan());
        for stops in -200..200 {
            assert_eq!(power(2.0, f64::from(stops)), f64::from(stops).exp2(), "{stops}");
        }
        assert_eq!([exponential(-1e4), exponential(1e4)], [0.0, f64::INFINITY]);
    }
}
