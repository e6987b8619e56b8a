//! Images that are read from files and standard input.

use crate::{failure::Failure, report};
use brickwork_texture::Task;
use brickwork_toolkit::texture::unread_images;
use std::path::PathBuf;

pub use brickwork_toolkit::{
    batch::{FileId, Input},
    texture::{image_extensions, texture_extensions},
};

/// Names the images in folders that are left out because their format is not read.
///
/// # Errors
/// [`Failure`] if the search is cancelled.
pub fn note_unread_images(paths: &[PathBuf], recursive: bool) -> Result<(), Failure> {
    for path in unread_images(paths, recursive, &Task::new())? {
        report::note(&format!("{}: images of this format are not read", path.display()));
    }
    Ok(())
}
