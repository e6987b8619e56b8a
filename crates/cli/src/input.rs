//! Images that are read from files and standard input.

use crate::{extensions::unread_images, failure::Failure, report};
use brickwork_texture::Task;
use std::path::PathBuf;

pub use crate::batch::FileId;
pub use crate::extensions::{image_extensions, texture_extensions};
pub use brickwork_toolkit::batch::Input;

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
