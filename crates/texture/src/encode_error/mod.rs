//! Errors of encoders.

#[cfg(feature = "gpu")]
mod record_fault;

#[cfg(feature = "gpu")]
pub use record_fault::{RecordFault, RecordPart};

use crate::{Cancelled, ErrorKind, ImageError, ImageIndex, TextureError, mips::MipError};
use brickwork_base::ByteCount;
use std::{error::Error, fmt, sync::Arc};

/// The reason why an image was not encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The slice for the blocks or plain texels does not have the length that the image needs.
    #[error("the image needs {needed} bytes, the slice has {given}")]
    BlocksLength {
        /// Bytes needed.
        needed: u64,
        /// Bytes given.
        given: usize,
    },
    /// The format is only decoded: an ASTC footprint other than 4×4.
    #[error("{format} is only decoded, not encoded; encode astc-4x4")]
    NoEncoder {
        /// Short name of the format.
        format: &'static str,
    },
    /// The build lacks the feature that adds the format's encoder.
    #[error("this build does not encode {format}: brickwork-texture lacks the feature {feature}")]
    Build {
        /// Short name of the format.
        format: &'static str,
        /// Name of the feature.
        feature: &'static str,
    },
    /// The GPU has no kernels of the format for these options: ETC2, EAC and ASTC have kernels of real
    /// time only. Calls that return all blocks at once encode it on the CPU.
    #[cfg(feature = "gpu")]
    #[error(
        "GPUs do not encode {format} with these options yet; use a call that waits for all blocks, which the \
         CPU encodes"
    )]
    NoKernels {
        /// Short name of the format.
        format: &'static str,
    },
    /// The kernels of BC6H minimise the format's default metric only.
    #[error("GPUs encode BC6H with the format's default metric only; encode it on the CPU")]
    NoMetricKernels,
    /// The requested shape is impossible.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// An image does not have the size that the texture requires.
    #[error(
        "{index} of the texture is {}×{}, the image given {}×{}",
        texture[0], texture[1], image[0], image[1]
    )]
    Size {
        /// Position of the image in the texture.
        index: ImageIndex,
        /// Width and height that the texture requires.
        texture: [u32; 2],
        /// Width and height of the image.
        image: [u32; 2],
    },
    /// The number of images is not the number that the texture needs.
    #[error("the texture is made of {needed} images, {given} are given")]
    SurfaceCount {
        /// Number of images needed; `u64::MAX` if the number does not fit.
        needed: u64,
        /// Number of images given.
        given: usize,
    },
    /// The caller could not load an image.
    #[error("{index}: {error}")]
    Surface {
        /// Position of the image in the texture.
        index: ImageIndex,
        /// The caller's error.
        #[source]
        error: SurfaceError,
    },
    /// There is not enough memory for the texture.
    #[error("the texture needs {} of memory, which the system does not have", ByteCount(*needed))]
    OutOfMemory {
        /// Bytes needed.
        needed: u64,
    },
    /// Only 2D textures and arrays of them can be written on the GPU.
    #[error("a texture that a GPU writes is a 2D texture, not {0}")]
    Shape(&'static str),
    /// [`EncodeOptions::rdo`](crate::EncodeOptions::rdo) requires a call that returns all blocks at once.
    #[error("rate–distortion optimisation is for calls that wait for all blocks of an image")]
    Rdo,
    /// [`EncodeOptions::weigh_by_alpha`](crate::EncodeOptions::weigh_by_alpha) requires a call that returns
    /// all blocks at once.
    #[error("weighing by alpha is for calls that wait for all blocks of an image")]
    ByAlpha,
    /// [`EncodeOptions::rdo`](crate::EncodeOptions::rdo) does not weigh errors by alpha.
    #[error("rate–distortion optimisation and weighing by alpha exclude each other")]
    ByAlphaWithRdo,
    /// [`EncodeOptions::rdo`](crate::EncodeOptions::rdo) and
    /// [`EncodeOptions::weigh_by_alpha`](crate::EncodeOptions::weigh_by_alpha) require the feature
    /// `second-pass`.
    #[error("this build has no rate–distortion optimisation and no weighing by alpha (feature second-pass)")]
    NoSecondPass,
    /// Normals are not colours: their numbers are linear.
    #[error("a normal map is linear, not sRGB; choose the linear colour space")]
    SrgbNormals,
    /// A GPU's encoder makes no mip levels of minima or maxima.
    #[cfg(feature = "gpu")]
    #[error("a GPU makes no mip levels of minima or maxima")]
    MipExtreme,
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
    /// A recording does not fit its source or target. Nothing was recorded.
    #[cfg(feature = "gpu")]
    #[error("{part}: {fault}")]
    Record {
        /// The part of the recording.
        part: RecordPart,
        /// The fault.
        fault: RecordFault,
    },
    /// The requested threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// Requested number of threads.
        threads: usize,
        /// Message of the system.
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
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::BlocksLength { .. }
            | Self::Texture(_)
            | Self::Size { .. }
            | Self::SurfaceCount { .. }
            | Self::Shape(_)
            | Self::SrgbNormals
            | Self::Rdo
            | Self::ByAlpha
            | Self::ByAlphaWithRdo => ErrorKind::Argument,
            Self::NoMetricKernels | Self::NoSecondPass | Self::NoEncoder { .. } | Self::Build { .. } => {
                ErrorKind::Unsupported
            }
            #[cfg(feature = "gpu")]
            Self::NoKernels { .. } | Self::MipExtreme => ErrorKind::Unsupported,
            Self::Mips(error) => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
            #[cfg(feature = "gpu")]
            Self::Gpu(error) => error.kind(),
            #[cfg(feature = "gpu")]
            Self::Record { .. } => ErrorKind::Argument,
            Self::Surface { error, .. } => error.kind(),
            Self::OutOfMemory { .. } | Self::Threads { .. } => ErrorKind::Limit,
        }
    }
}

/// The reason why an image of [`Surfaces::each`](crate::Surfaces::each) was not loaded.
#[derive(Clone, Debug)]
pub struct SurfaceError {
    kind: ErrorKind,
    error: Arc<dyn Error + Send + Sync>,
}

impl SurfaceError {
    /// Returns an error of this kind from any error.
    pub fn new(kind: ErrorKind, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind, error: error.into().into() }
    }

    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the error given to [`new`](Self::new), which may be downcast.
    pub fn get_ref(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.error
    }
}

impl From<ImageError> for SurfaceError {
    fn from(error: ImageError) -> Self {
        Self::new(error.kind(), error)
    }
}

impl fmt::Display for SurfaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for SurfaceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// An error equals only itself and its clones.
impl PartialEq for SurfaceError {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && Arc::ptr_eq(&self.error, &other.error)
    }
}

impl Eq for SurfaceError {}
