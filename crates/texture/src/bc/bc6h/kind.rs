//! Unsigned and signed blocks, and the errors that their encoders measure.

/// Sign of a format's halves, and the kind of their errors.
pub(super) trait Kind: 'static {
    /// True if halves have a sign.
    const SIGNED: bool;
    /// True if errors are those of log₂(1 + |x|), with the sign of x, not those of bit patterns.
    const LOG: bool;
    /// Factor from an interpolated value to the magnitude of a half's bit pattern, which is rounded to zero.
    const FINISH: f32 = if Self::SIGNED { 31.0 / 32.0 } else { 31.0 / 64.0 };
    /// Inverse of `FINISH`.
    const WIDEN: f32 = if Self::SIGNED { 32.0 / 31.0 } else { 64.0 / 31.0 };
    /// Largest interpolated value.
    const TOP: f32 = if Self::SIGNED { 32767.0 } else { 65535.0 };
}

/// Halves with or without a sign, with errors of bit patterns or logarithmic ones.
pub(super) struct Halves<const SIGNED: bool, const LOG: bool>;

impl<const SIGNED: bool, const LOG: bool> Kind for Halves<SIGNED, LOG> {
    const SIGNED: bool = SIGNED;
    const LOG: bool = LOG;
}

/// Halves of 0 to 65504, with errors of bit patterns.
pub(super) type Unsigned = Halves<false, false>;

/// Halves of 0 to 65504, with logarithmic errors.
pub(super) type UnsignedLog = Halves<false, true>;

/// Halves of −65504 to 65504, with errors of bit patterns.
pub(super) type SignedPattern = Halves<true, false>;

/// Halves of −65504 to 65504, with logarithmic errors: those of bit patterns spend codes on the signs of tiny
/// numbers.
pub(super) type Signed = Halves<true, true>;
