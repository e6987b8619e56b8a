//! Errors of encoders.

use crate::{BlockFormat, Cancelled, ErrorKind, TextureError, mips::MipError};

/// The reason why an image was not encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The slice for the blocks does not have the length that the image needs.
    #[error("the image needs {needed} bytes of blocks, the slice has {given}")]
    BlocksLength {
        /// Bytes needed.
        needed: u64,
        /// Bytes given.
        given: usize,
    },
    /// There is no encoder for the format yet.
    #[error("there is no encoder for {0} yet")]
    Unsupported(BlockFormat),
    /// The shape asked for is impossible.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// The image and the texture differ in size.
    #[error("the texture is {}×{}, the image {}×{}", texture[0], texture[1], image[0], image[1])]
    Size {
        /// Width and height that the texture should have.
        texture: [u32; 2],
        /// Width and height of the image.
        image: [u32; 2],
    },
    /// Only textures of one 2D image and its mip levels are made from one image.
    #[error("one image makes a 2D texture of one layer, not {0}")]
    Shape(&'static str),
    /// [`EncodeOptions::rdo`](crate::EncodeOptions::rdo) is for calls that return all blocks at once.
    #[error("rate–distortion optimisation is for calls that wait for all blocks of an image")]
    Rdo,
    /// [`EncodeOptions::weigh_by_alpha`](crate::EncodeOptions::weigh_by_alpha) is for calls that return all
    /// blocks at once.
    #[error("weighing by alpha is for calls that wait for all blocks of an image")]
    ByAlpha,
    /// [`EncodeOptions::rdo`](crate::EncodeOptions::rdo) does not weigh errors by alpha.
    #[error("rate–distortion optimisation and weighing by alpha exclude each other")]
    ByAlphaWithRdo,
    /// The mip levels cannot be made.
    #[error(transparent)]
    Mips(MipError),
    /// The caller cancelled the [`Task`](crate::Task).
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The GPU failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] brickwork_gpu::GpuError),
    /// The threads asked for could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

impl From<MipError> for EncodeError {
    fn from(error: MipError) -> Self {
        match error {
            MipError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            error => Self::Mips(error),
        }
    }
}

impl EncodeError {
    /// Who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::BlocksLength { .. }
            | Self::Texture(_)
            | Self::Size { .. }
            | Self::Shape(_)
            | Self::Rdo
            | Self::ByAlpha
            | Self::ByAlphaWithRdo => ErrorKind::Argument,
            Self::Unsupported(_) => ErrorKind::Unsupported,
            Self::Mips(error) => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
            #[cfg(feature = "gpu")]
            Self::Gpu(error) => error.kind(),
            Self::Threads { .. } => ErrorKind::Limit,
        }
    }
}
