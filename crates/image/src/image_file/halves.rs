//! Numbers as half floats, or as single floats if these are to be kept.

use crate::Channel;
use half::f16;

/// Channel of a picture of floats.
pub trait Float: Channel + bytemuck::Pod + PartialOrd {
    /// Returns a half float, without loss.
    fn of_half(half: f16) -> Self;

    /// Returns a single float, which half floats round. `halves` counts the number if it is too large.
    fn of_single(value: f32, halves: &mut Halves) -> Self;

    /// Returns the nearest float to a double. `halves` counts the number if it is too large for a half float;
    /// a number that is too large for a single float becomes infinite.
    fn of_double(value: f64, halves: &mut Halves) -> Self;
}

impl Float for f16 {
    fn of_half(half: f16) -> Self {
        half
    }
    fn of_single(value: f32, halves: &mut Halves) -> Self {
        halves.half(value)
    }
    fn of_double(value: f64, halves: &mut Halves) -> Self {
        halves.half_of_f64(value)
    }
}

impl Float for f32 {
    fn of_half(half: f16) -> Self {
        half.to_f32()
    }
    fn of_single(value: f32, _: &mut Halves) -> Self {
        value
    }
    fn of_double(value: f64, _: &mut Halves) -> Self {
        value as Self
    }
}

/// Conversion of singles to half floats. It counts the numbers that half floats cannot store.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Halves {
    /// Number of finite numbers that were too large.
    pub overflow_count: u64,
}

impl Halves {
    /// Returns the nearest half float. Finite numbers beyond ±65504 become ±65504; infinities and NaN are
    /// kept.
    #[inline]
    pub fn half(&mut self, value: f32) -> f16 {
        self.checked(f16::from_f32(value), value.is_finite())
    }

    /// Returns the half float of a double, by the same rules, rounded to a single and then to a half float.
    /// `f16::from_f64` rounds once or twice, depending on the processor.
    pub fn half_of_f64(&mut self, value: f64) -> f16 {
        self.checked(f16::from_f32(value as f32), value.is_finite())
    }

    /// Returns `half`, which was made from a number that is or is not finite.
    #[inline]
    fn checked(&mut self, half: f16, is_finite: bool) -> f16 {
        if half.is_infinite() && is_finite {
            self.overflow_count += 1;
            return f16::MAX.copysign(half);
        }
        half
    }

    /// Returns a note about the numbers that were too large, if there are any.
    pub fn notes(&self) -> Vec<String> {
        let numbers = match self.overflow_count {
            0 => return Vec::new(),
            1 => "1 number is".to_owned(),
            count => format!("{count} numbers are"),
        };
        vec![format!("{numbers} beyond half floats and became ±65504")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_half_floats_are_counted() {
        let mut halves = Halves::default();
        let mut half = |value| halves.half(value);
        assert_eq!([half(1.0), half(-65519.0), half(65520.0)], [f16::ONE, f16::MIN, f16::MAX]);
        assert_eq!([half(f32::INFINITY), half(-1.7e38)], [f16::INFINITY, f16::MIN]);
        assert!(half(f32::NAN).is_nan());
        assert_eq!(halves.half_of_f64(-65520.0), f16::MIN);
        assert_eq!(halves.half_of_f64(f64::INFINITY), f16::INFINITY);
        // Just above the middle of 1 and the next half float: a tie as a single.
        assert_eq!(halves.half_of_f64(1.0 + 2f64.powi(-11) + 2f64.powi(-40)), f16::ONE);
        assert_eq!(halves.notes(), ["3 numbers are beyond half floats and became ±65504"]);
    }
}
