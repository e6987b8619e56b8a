//! Unsigned and signed blocks, and the errors that their encoders measure.

/// Sign of a format's halves, and the kind of their errors.
pub(super) trait Kind: 'static {
    /// True if halves have a sign.
    const SIGNED: bool;
    /// True if errors are those of log₂(1 + |x|), with the sign of x, not those of bit patterns.
    const LOG: bool;
    /// Factor from an interpolated value to the magnitude of a half's bit pattern, which is rounded to zero.
    const FINISH: f32;
    /// Inverse of `FINISH`.
    const WIDEN: f32;
    /// Largest interpolated value.
    const TOP: f32;
}

/// Halves of 0 to 65504, with errors of bit patterns.
pub(super) struct Unsigned;

/// Halves of −65504 to 65504, with logarithmic errors: those of bit patterns spend codes on the signs of tiny
/// numbers.
pub(super) struct Signed;

impl Kind for Unsigned {
    const SIGNED: bool = false;
    const LOG: bool = false;
    const FINISH: f32 = 31.0 / 64.0;
    const WIDEN: f32 = 64.0 / 31.0;
    const TOP: f32 = 65535.0;
}

impl Kind for Signed {
    const SIGNED: bool = true;
    const LOG: bool = true;
    const FINISH: f32 = 31.0 / 32.0;
    const WIDEN: f32 = 32.0 / 31.0;
    const TOP: f32 = 32767.0;
}
