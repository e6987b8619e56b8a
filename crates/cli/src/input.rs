//! Images that are read from files and standard input.

use crate::failure::Failure;
use brickwork_base::Task;
use brickwork_texture::image_file::{AnyImage, AnyInfo};
use brickwork_toolkit::texture;
pub use brickwork_toolkit::{
    batch::{FileId, Input},
    texture::{IMAGE_EXTENSIONS, TEXTURE_EXTENSIONS},
};

/// Reads a picture or a texture, whichever `input` holds.
///
/// # Errors
/// [`Failure`], named.
pub fn read_any(input: &Input, max_memory: u64) -> Result<AnyImage, Failure> {
    Ok(texture::read_any(input, max_memory, &Task::new())?)
}

/// What `input` says, picture or texture, and its length in bytes.
///
/// # Errors
/// [`Failure`], named.
pub fn info_any(input: &Input, max_memory: u64) -> Result<(AnyInfo, u64), Failure> {
    Ok(texture::info_any(input, max_memory, &Task::new())?)
}
