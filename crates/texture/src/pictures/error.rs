//! Errors of textures as those of image files, and the reverse.

use crate::{SurfaceError, container::ContainerError};
use brickwork_image::image_file::ImageReadError;

impl From<ContainerError> for ImageReadError {
    fn from(error: ContainerError) -> Self {
        Self::Other { kind: error.kind(), error: Box::new(error) }
    }
}

impl From<ImageReadError> for SurfaceError {
    fn from(error: ImageReadError) -> Self {
        Self::new(error.kind(), error)
    }
}
