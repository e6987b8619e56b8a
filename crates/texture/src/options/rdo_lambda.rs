//! Option of rate–distortion optimisation.

use crate::ErrorKind;
use std::{fmt, str::FromStr};

/// λ of rate–distortion optimisation: the squared error that one bit saved by a later compressor may cost.
///
/// The unit is squared error on the 0..255 scale per bit. Errors are summed over a block's texels and over
/// red, green and blue, with [`ChannelWeights`](crate::ChannelWeights). Equal weights count 1 each, as do the
/// channels of BC4 and BC5. Signed values −1 to 1 count as 0 to 255. With 0, the optimisation is off. The
/// value is stored in 256ths.
///
/// ```
/// use brickwork_texture::{EncodeOptions, RdoLambda};
///
/// let options = EncodeOptions::default().with(|o| o.rdo = RdoLambda::new(1.5).unwrap());
/// assert_eq!(options.rdo.get(), 1.5);
/// assert!(RdoLambda::new(f32::NAN).is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RdoLambda(u32);

impl RdoLambda {
    /// λ with which blocks stay as encoded.
    pub const OFF: Self = Self(0);
    /// Largest λ.
    pub const MAX: f32 = 100.0;

    /// Returns λ rounded to the nearest 256th, or `None` if it is negative, above [`MAX`](Self::MAX) or not a
    /// number.
    pub fn new(lambda: f32) -> Option<Self> {
        // A value above 0 does not become 0.
        let is_on = u32::from(lambda > 0.0);
        (0.0..=Self::MAX).contains(&lambda).then(|| Self(((lambda * 256.0).round() as u32).max(is_on)))
    }

    /// Returns λ.
    pub fn get(self) -> f32 {
        self.0 as f32 / 256.0
    }

    /// True if blocks stay as encoded.
    pub const fn is_off(self) -> bool {
        self.0 == 0
    }

    /// Returns λ in 256ths, for errors whose weights of red, green and blue have this sum.
    pub(crate) fn scaled(self, weight_sum: i32) -> i64 {
        i64::from(self.0) * i64::from(weight_sum) / 3
    }
}

/// Error of text that is not a λ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number from 0 to {}", RdoLambda::MAX)]
#[non_exhaustive]
pub struct RdoLambdaError;

impl RdoLambdaError {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

impl FromStr for RdoLambda {
    type Err = RdoLambdaError;

    fn from_str(text: &str) -> Result<Self, RdoLambdaError> {
        text.trim().parse().ok().and_then(Self::new).ok_or(RdoLambdaError)
    }
}

impl fmt::Display for RdoLambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambda_is_a_number_in_its_range() {
        for text in ["-1", "-0.001", "nan", "inf", "100.1", "", "1,5"] {
            assert_eq!(text.parse::<RdoLambda>(), Err(RdoLambdaError), "{text}");
        }
        assert_eq!("0".parse(), Ok(RdoLambda::OFF));
        assert_eq!("-0".parse(), Ok(RdoLambda::OFF));
        assert!(!"0.0001".parse::<RdoLambda>().unwrap().is_off());
        assert_eq!(" 2.25 ".parse::<RdoLambda>().unwrap().to_string(), "2.25");
        assert_eq!(RdoLambda::new(100.0).unwrap().get(), RdoLambda::MAX);
    }
}
