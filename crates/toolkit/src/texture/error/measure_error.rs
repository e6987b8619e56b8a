//! Errors of measurements.

use brickwork_base::{Cancelled, ErrorKind};
use brickwork_texture::{ImageError, NoSuchImage, metrics::MetricsError};

/// The reason why the error of blocks was not measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// The blocks cannot be decoded.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// A picture has too few texels.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The texture has fewer images than the plan.
    #[error(transparent)]
    Index(#[from] NoSuchImage),
    /// The textures have different numbers of images, and both have several.
    #[error("there are {} and {} images to compare", counts[0], counts[1])]
    ImageCounts {
        /// Number of images of each.
        counts: [u32; 2],
    },
    /// The task was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl MeasureError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Metrics(error) => error.kind(),
            Self::Image(_) | Self::Index(_) | Self::ImageCounts { .. } => ErrorKind::Argument,
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}
