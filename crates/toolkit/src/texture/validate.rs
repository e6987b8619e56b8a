//! Checks of texture files against the specifications of their containers.

use super::TextureJobError;
use crate::batch::Input;
use brickwork_base::Task;
use brickwork_image::image_file::ImageReadError;
use brickwork_texture::container::{self, ContainerError, ContainerFormat, TextureReadOptions, Validation};

/// Checks a DDS or KTX2 file. If its first bytes are unknown, the extension determines the container. The
/// task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input: it cannot be read, is neither DDS nor KTX2, or needs more than
/// `max_memory` bytes. Violations are no errors.
pub fn validate_file(input: &Input, max_memory: u64, task: &Task<'_>) -> Result<Validation, TextureJobError> {
    let stream = input.open(max_memory, task)?;
    let claimed = input.extension().and_then(ContainerFormat::of_extension);
    let options = TextureReadOptions::new().with_max_memory(max_memory);
    container::validate(stream, claimed, &options, task).map_err(|error| match error {
        ContainerError::UnknownContainer { .. } => TextureJobError::NotATexture { input: input.name() },
        error => TextureJobError::Read { input: input.name(), error: ImageReadError::from(error) },
    })
}
