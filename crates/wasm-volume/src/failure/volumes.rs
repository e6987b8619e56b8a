//! Errors of volumes.

use super::Failure;
#[cfg(not(feature = "full"))]
use super::Status;
#[cfg(feature = "full")]
use brickwork_formats::OpenError;
use brickwork_toolkit::volume::VolumeError;
use brickwork_volume::{Cancelled, ErrorKind, VolumeReadError, export::StreamError, render::RenderError};

impl From<VolumeError> for Failure {
    fn from(error: VolumeError) -> Self {
        match error {
            VolumeError::Read(error) => error.into(),
            VolumeError::Shape(error) => error.into(),
            VolumeError::Render(error) => error.into(),
            VolumeError::Cancelled(error) => error.into(),
            #[cfg(feature = "full")]
            error => Self::of(error.kind(), error.to_string()),
            // The small module reads no other formats and draws no slices in true proportions, so it has no
            // texts of these errors.
            #[cfg(not(feature = "full"))]
            _ => Self { status: Status::Internal, text: "an error without a text in this module".to_owned() },
        }
    }
}

impl From<VolumeReadError> for Failure {
    fn from(error: VolumeReadError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<StreamError> for Failure {
    fn from(error: StreamError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

#[cfg(feature = "full")]
impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<Cancelled> for Failure {
    fn from(error: Cancelled) -> Self {
        Self::of(ErrorKind::Cancelled, error.to_string())
    }
}
