//! Types of channels, as numbers.

use half::f16;

/// A channel as a number in its own unit.
pub(crate) trait Channel: Copy {
    /// The number of the value 1: 255 for `u8`.
    const ONE: f64;
    /// The maximum: infinite for floats.
    const MAX: f64;

    /// Returns the number.
    fn value(self) -> f64;

    /// Returns the channel nearest to a number.
    fn of(value: f64) -> Self;
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
        Self::from_f64(value)
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
