//! Types of channels, as numbers.

use crate::srgb;
use half::f16;
use std::sync::LazyLock;

/// Light of the 8-bit sRGB numbers.
static LIGHTS: LazyLock<[f64; 256]> =
    LazyLock::new(|| std::array::from_fn(|number| srgb::light(number as f64 / 255.0)));

/// Light of the borders between 8-bit sRGB numbers, ½ to 254½.
static BORDERS: LazyLock<[f64; 255]> =
    LazyLock::new(|| std::array::from_fn(|number| srgb::light((2 * number + 1) as f64 / 510.0)));

/// A channel as a number in its own unit.
pub trait Channel: Copy {
    /// The number of the value 1: 255 for `u8`.
    const ONE: f64;
    /// The maximum: infinite for floats.
    const MAX: f64;

    /// Returns the number.
    fn value(self) -> f64;

    /// Returns the channel nearest to a number.
    fn of(value: f64) -> Self;

    /// Returns the light of an sRGB number, which is 1 for [`ONE`](Self::ONE).
    fn light(self) -> f64 {
        srgb::light(self.value() / Self::ONE)
    }

    /// Returns the channel nearest to the sRGB number of light. For integers, light is at most 1.
    fn of_light(light: f64) -> Self {
        Self::of(Self::ONE * srgb::number(light))
    }
}

impl Channel for u8 {
    const ONE: f64 = 255.0;
    const MAX: f64 = 255.0;

    fn value(self) -> f64 {
        self.into()
    }

    fn of(value: f64) -> Self {
        value.round() as Self
    }

    fn light(self) -> f64 {
        LIGHTS[usize::from(self)]
    }

    fn of_light(light: f64) -> Self {
        BORDERS.partition_point(|&border| border <= light) as Self
    }
}

impl Channel for u16 {
    const ONE: f64 = 65535.0;
    const MAX: f64 = 65535.0;

    fn value(self) -> f64 {
        self.into()
    }

    fn of(value: f64) -> Self {
        value.round() as Self
    }
}

impl Channel for f16 {
    const ONE: f64 = 1.0;
    const MAX: f64 = f64::INFINITY;

    fn value(self) -> f64 {
        self.into()
    }

    fn of(value: f64) -> Self {
        // `f16::from_f64` rounds once or twice, depending on the processor.
        Self::from_f32(value as f32)
    }
}

impl Channel for f32 {
    const ONE: f64 = 1.0;
    const MAX: f64 = f64::INFINITY;

    fn value(self) -> f64 {
        self.into()
    }

    fn of(value: f64) -> Self {
        value as Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Light of all quotients of two numbers is rounded as by the formulas.
    #[test]
    fn the_tables_are_the_formulas() {
        for number in 0..=u8::MAX {
            assert_eq!(number.light(), srgb::light(f64::from(number) / 255.0));
            for alpha in 1..=u8::MAX {
                let alpha = f64::from(alpha);
                for light in [number.light() * (alpha / 255.0), (number.light() * 255.0 / alpha).min(1.0)] {
                    let expected = u8::of(255.0 * srgb::number(light));
                    assert_eq!(u8::of_light(light), expected, "{number} {alpha}");
                }
            }
        }
    }
}
