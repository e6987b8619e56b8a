//! Errors of cutting the faces of a cube.

use super::CubeLayout;
use crate::{Cancelled, ErrorKind};

/// The reason why a picture has no faces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CubeError {
    /// The size is that of no layout.
    #[error(
        "{width}×{height} is neither a cross (4:3, 3:4), a strip (6:1, 1:6) nor a panorama (2:1) of whole \
         faces"
    )]
    Size {
        /// Width of the picture in texels.
        width: u32,
        /// Height of the picture in texels.
        height: u32,
    },
    /// Only the faces of a panorama can have another size.
    #[error(
        "the faces of a {layout} of this size have {side}×{side} texels; only those of a panorama are resized"
    )]
    FaceSize {
        /// Layout of the picture.
        layout: CubeLayout,
        /// Side of its faces in texels.
        side: u32,
    },
    /// The picture has fewer texels than its size states.
    #[error("the picture has {given} texels, its size needs {needed}")]
    TexelCount {
        /// Number of texels needed.
        needed: u64,
        /// Number of texels given.
        given: usize,
    },
    /// There is not enough memory for a face.
    #[error("a face needs {needed} bytes of memory, which the system does not have")]
    OutOfMemory {
        /// Bytes needed; `u64::MAX` if the number does not fit.
        needed: u64,
    },
    /// The caller cancelled the task.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl CubeError {
    /// Returns the kind: the picture is invalid, the size of faces does not fit, there is no memory, or the
    /// task was cancelled.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Size { .. } | Self::TexelCount { .. } => ErrorKind::Invalid,
            Self::FaceSize { .. } => ErrorKind::Argument,
            Self::OutOfMemory { .. } => ErrorKind::Limit,
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}
