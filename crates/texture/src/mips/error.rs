//! Errors of mip levels.

use crate::{Cancelled, ErrorKind, ImageError};

/// Reason why a mip level was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MipError {
    /// The image has too many texels for 64-bit sums.
    #[error("mip levels are made of images of at most 2⁴⁰ texels, not {}×{}×{}", size[0], size[1], size[2])]
    TooManyTexels {
        /// Width, height and depth of the image in texels.
        size: [u32; 3],
    },
    /// A side of the requested size is 0.
    #[error("an image of {}×{} texels has no texels", size[0], size[1])]
    Empty {
        /// Requested width and height in texels.
        size: [u32; 2],
    },
    /// The image has too few texels.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The mip level does not fit in memory.
    #[error("the mip level needs {needed} bytes of memory, which the system does not have")]
    OutOfMemory {
        /// Bytes needed.
        needed: u64,
    },
    /// The caller cancelled the [`Task`](crate::Task).
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl MipError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::TooManyTexels { .. } | Self::Empty { .. } | Self::Image(_) => ErrorKind::Argument,
            Self::OutOfMemory { .. } => ErrorKind::Limit,
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}
