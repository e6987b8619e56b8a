//! Floats in 9 to 11 bits without a sign: RGB9E5 and R11G11B10.
//!
//! RGB9E5: numbers are clamped to 0..=65408, NaN counts as 0, and mantissas are rounded to nearest, halves
//! up.
//!
//! R11G11B10: five bits of exponent, biased by 15, and six or five bits of mantissa. Numbers are rounded to
//! nearest, ties to even. Negative numbers and −∞ become 0. Finite numbers above the maximum (65024, for blue
//! 64512) become the maximum. +∞ and NaN stay.
//!
//! Sources: *Khronos Data Format Specification* 1.3, "Unsigned 11-bit floating-point numbers", "Unsigned
//! 10-bit floating-point numbers", and the shared exponent format; *Vulkan Specification* 1.3, "Conversion
//! Formulas".

use half::f16;

/// Bits of a mantissa of RGB9E5.
const MANTISSA_BITS: i32 = 9;
/// Bias of the exponent.
const BIAS: i32 = 15;
/// Largest number of RGB9E5.
const MAX_RGB9E5: f32 = 65408.0;

/// Returns the word of RGB9E5: red in the lowest bits, the exponent in the highest.
pub(super) fn rgb9e5([r, g, b]: [f32; 3]) -> u32 {
    // The comparison is false for NaN.
    let colors = [r, g, b].map(|color| if color > 0.0 { color.min(MAX_RGB9E5) } else { 0.0 });
    let largest = colors.into_iter().fold(0.0, f32::max);
    let exponent = floor_log2(largest).max(-BIAS - 1) + 1 + BIAS;
    let exponent = exponent + i32::from(mantissa(largest, exponent) == 1 << MANTISSA_BITS);
    let [r, g, b] = colors.map(|color| mantissa(color, exponent));
    r | g << 9 | b << 18 | (exponent as u32) << 27
}

/// Returns floor(color / 2^(exponent − 24) + 1/2). Doubles hold the sum exactly where it decides: near a
/// half, a single has at most 24 bits after the point.
fn mantissa(color: f32, exponent: i32) -> u32 {
    let power = BIAS + MANTISSA_BITS - exponent;
    let scale = f64::from_bits(((1023 + power) as u64) << 52);
    (f64::from(color) * scale + 0.5) as u32
}

/// Returns the exponent of a number ≥ 0; −127 for 0 and numbers below 2⁻¹²⁶.
fn floor_log2(number: f32) -> i32 {
    (number.to_bits() >> 23) as i32 - 127
}

/// Returns the three numbers of a word of RGB9E5.
pub(super) fn of_rgb9e5(word: u32) -> [f16; 3] {
    // A mantissa of 9 bits times 2⁻²⁴ to 2⁷ is a half float.
    let power = (word >> 27) as i32 - BIAS - MANTISSA_BITS;
    let scale = f32::from_bits(((127 + power) as u32) << 23);
    [0, 9, 18].map(|shift| f16::from_f32((word >> shift & 0x1ff) as f32 * scale))
}

/// Returns the word of R11G11B10: red in the lowest bits.
pub(super) fn rg11b10([r, g, b]: [f32; 3]) -> u32 {
    unsigned_float(r, 6) | unsigned_float(g, 6) << 11 | unsigned_float(b, 5) << 22
}

/// Returns a float without a sign: five bits of exponent and `mantissa_bits` of mantissa.
fn unsigned_float(number: f32, mantissa_bits: u32) -> u32 {
    let infinity = 31 << mantissa_bits;
    if number.is_nan() {
        return infinity | 1 << (mantissa_bits - 1);
    }
    if number.is_sign_negative() {
        return 0;
    }
    if number.is_infinite() {
        return infinity;
    }
    // Singles below 2⁻¹²⁶ have no leading one, but become 0 with or without it.
    let exponent = floor_log2(number);
    let significand = 1 << 23 | number.to_bits() & 0x7f_ffff;
    let below = (-14 - exponent).max(0) as u32;
    // The leading one adds 1 to the exponent, and a carry of the rounding another.
    let base = ((exponent + 14).max(0) as u32) << mantissa_bits;
    (base + shifted(significand, 23 - mantissa_bits + below)).min(infinity - 1)
}

/// Returns `number` below 2²⁴, divided by 2^`shift` and rounded to nearest, ties to even.
fn shifted(number: u32, shift: u32) -> u32 {
    if shift > 25 {
        return 0;
    }
    let (quotient, rest, half) = (number >> shift, number & ((1 << shift) - 1), 1 << (shift - 1));
    quotient + u32::from(rest > half || rest == half && quotient & 1 == 1)
}

/// Returns the three numbers of a word of R11G11B10. Half floats have the same exponents.
pub(super) fn of_rg11b10(word: u32) -> [f16; 3] {
    let half = |shift: u32, bits: u32| {
        let number = word >> shift & ((1 << bits) - 1);
        f16::from_bits((number << (15 - bits)) as u16)
    };
    [half(0, 11), half(11, 11), half(22, 10)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every half float, and singles of every exponent, near and at ties of short mantissas.
    fn numbers() -> Vec<f32> {
        let halves = (0..=u16::MAX).map(|bits| f16::from_bits(bits).to_f32());
        let mantissas = (0..64u32).flat_map(|m| [m << 17, (m << 17) + 1, (m << 17 | 0x1_ffff), m << 11]);
        let mantissas: Vec<_> = mantissas.collect();
        let singles = (0..512u32).flat_map(|head| {
            mantissas.iter().map(move |mantissa| f32::from_bits(head << 23 | mantissa & 0x7f_ffff))
        });
        halves.chain(singles).collect()
    }

    /// Returns the value of a small float, from the definition.
    fn value(bits: u32, mantissa_bits: i32) -> f64 {
        let (exponent, mantissa) = (bits >> mantissa_bits, f64::from(bits & ((1 << mantissa_bits) - 1)));
        let fraction = mantissa / 2f64.powi(mantissa_bits);
        match exponent {
            0 => fraction * 2f64.powi(-14),
            31 if mantissa == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1.0 + fraction) * 2f64.powi(exponent as i32 - 15),
        }
    }

    /// Rounds by a comparison with all finite values.
    fn nearest(number: f32, finite: &[f64]) -> u32 {
        // The distances of much larger numbers are equal in an f64.
        let number = f64::from(number).min(1e6);
        let error = |bits: usize| ((finite[bits] - number).abs(), bits % 2);
        let nearer = |best: usize, bits: usize| if error(bits) < error(best) { bits } else { best };
        (1..finite.len()).fold(0, nearer) as u32
    }

    #[test]
    fn small_floats_are_the_nearest_of_all() {
        for mantissa_bits in [6, 5] {
            let infinity = 31u32 << mantissa_bits;
            let finite: Vec<_> = (0..infinity).map(|bits| value(bits, mantissa_bits)).collect();
            for (index, number) in numbers().into_iter().enumerate() {
                let found = unsigned_float(number, mantissa_bits as u32);
                if number.is_nan() {
                    assert_eq!(found, infinity | 1 << (mantissa_bits - 1), "{number:e}");
                } else if number == f32::INFINITY {
                    assert_eq!(found, infinity);
                } else if number <= 0.0 {
                    assert_eq!(found, 0, "{number:e}");
                } else if index % 5 == 0 {
                    assert_eq!(found, nearest(number, &finite), "{number:e}, {mantissa_bits} bits");
                } else {
                    // The neighbours are not nearer.
                    let error = |bits: u32| (finite[bits as usize] - f64::from(number)).abs();
                    let others = [found.saturating_sub(1), (found + 1).min(infinity - 1)];
                    assert!(others.iter().all(|&other| error(found) <= error(other)), "{number:e}");
                }
            }
        }
        let word = |number: f32| rg11b10([number; 3]);
        assert_eq!(word(1.0), 0x3c0 | 0x3c0 << 11 | 0x1e0 << 22);
        assert_eq!(of_rg11b10(word(1e9)), [65024.0, 65024.0, 64512.0].map(f16::from_f32));
        assert_eq!(word(f32::INFINITY), 0x7c0 | 0x7c0 << 11 | 0x3e0 << 22);
        assert_eq!((word(-1.0), word(f32::NEG_INFINITY), word(-0.0)), (0, 0, 0));
        assert!(of_rg11b10(word(f32::NAN)).iter().all(|number| number.is_nan()));
    }

    #[test]
    fn words_of_small_floats_lead_back() {
        for bits in 0..1 << 11 {
            let word = bits | bits << 11 | (bits >> 1) << 22;
            let numbers = of_rg11b10(word);
            assert!(numbers[0].is_nan() || numbers[0].to_f64() == value(bits, 6), "{bits:x}");
            assert!(numbers[2].is_nan() || numbers[2].to_f64() == value(bits >> 1, 5), "{bits:x}");
            let is_nan = numbers.iter().any(|number| number.is_nan());
            assert!(is_nan || rg11b10(numbers.map(f16::to_f32)) == word, "{bits:x}");
        }
    }

    /// Returns the word by the formulas of the specification, in doubles.
    fn slow_rgb9e5(colors: [f32; 3]) -> u32 {
        let (bias, bits, max) = (15.0, 9.0, 65408.0f64);
        let clamped = colors.map(|color| {
            let color = f64::from(color);
            if color.is_nan() { 0.0 } else { color.min(max).max(0.0) }
        });
        let largest = clamped.into_iter().fold(0.0, f64::max);
        // A search of the exponent, which no logarithm rounds.
        let mut log = -16i32;
        while 2f64.powi(log + 1) <= largest {
            log += 1;
        }
        let mut exponent = f64::from(log) + 1.0 + bias;
        let scaled = |color: f64, exponent: f64| {
            let quotient = color / 2f64.powf(exponent - bias - bits);
            let whole = quotient.floor();
            if quotient - whole >= 0.5 { whole + 1.0 } else { whole }
        };
        if scaled(largest, exponent) == 512.0 {
            exponent += 1.0;
        }
        let [r, g, b] = clamped.map(|color| scaled(color, exponent) as u32);
        r | g << 9 | b << 18 | (exponent as u32) << 27
    }

    #[test]
    fn shared_exponents_follow_the_specification() {
        let numbers = numbers();
        for (index, &number) in numbers.iter().enumerate() {
            let others = [numbers[index * 7919 % numbers.len()], numbers[index * 104_729 % numbers.len()]];
            for colors in [
                [number; 3],
                [number, 0.0, 1.0],
                [number, others[0], others[1]],
                [number, number / 2.0, number / 511.0],
            ] {
                let word = rgb9e5(colors);
                assert_eq!(word, slow_rgb9e5(colors), "{colors:?}");
                let back = of_rgb9e5(word).map(f16::to_f32);
                assert_eq!(of_rgb9e5(rgb9e5(back)).map(f16::to_f32), back, "{colors:?}");
            }
        }
        let back = |color| of_rgb9e5(rgb9e5([color; 3]))[0].to_f32();
        assert_eq!([1.0, 0.5, 65408.0].map(back), [1.0, 0.5, 65408.0]);
        assert_eq!([65504.0, f32::INFINITY].map(back), [65408.0; 2]);
        assert_eq!([-1.0, f32::NAN, f32::NEG_INFINITY].map(back), [0.0; 3]);
        // The smallest number, and half of it, which is rounded up.
        let smallest = 2f32.powi(-24);
        assert_eq!([smallest, smallest / 2.0, smallest / 4.0].map(back), [smallest, smallest, 0.0]);
    }

    #[test]
    fn every_mantissa_and_exponent_is_a_half_float() {
        for exponent in 0..32u32 {
            for mantissa in 0..512u32 {
                let exact = f64::from(mantissa) * 2f64.powi(exponent as i32 - 24);
                assert_eq!(of_rgb9e5(mantissa << 9 | exponent << 27)[1].to_f64(), exact);
            }
        }
    }
}
