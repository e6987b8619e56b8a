//! Errors of comparisons.

use crate::{Cancelled, DecodeError, ErrorKind, Image};

/// Reason why two images were not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricsError {
    /// The images differ in size.
    #[error("the images differ in size: {}×{} and {}×{}", a[0], a[1], b[0], b[1])]
    Size {
        /// Width and height of the first in texels.
        a: [u32; 2],
        /// Width and height of the second in texels.
        b: [u32; 2],
    },
    /// The blocks cannot be decoded.
    #[error(transparent)]
    Decode(DecodeError),
    /// The caller cancelled the [`Task`](crate::Task).
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<DecodeError> for MetricsError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            error => Self::Decode(error),
        }
    }
}

impl MetricsError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Size { .. } => ErrorKind::Argument,
            Self::Decode(error) => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}

/// Refuses images that differ in size.
pub(super) fn check_sizes(a: &dyn Image, b: &dyn Image) -> Result<(), MetricsError> {
    let (a, b) = (a.size(), b.size());
    if a == b { Ok(()) } else { Err(MetricsError::Size { a, b }) }
}
