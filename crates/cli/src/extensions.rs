//! Extensions of files for which folders are searched.

use crate::batch::files_in_folders;
use brickwork_base::{Cancelled, Task};
use brickwork_image::image_file::FileFormat;
use brickwork_texture::container::ContainerFormat;
use std::path::PathBuf;

/// Extensions of images that are recognised and not read.
const UNREAD_EXTENSIONS: [&str; 22] = [
    "pic", "psd", "psb", "jxl", "avif", "heic", "heif", "jp2", "j2k", "jpx", "svg", "qoi", "xcf", "kra",
    "ktx", "basis", "pkm", "pvr", "dng", "pfm", "ico", "pcx",
];

/// Returns the extensions of images that are read, without those of textures.
pub fn image_extensions() -> Vec<&'static str> {
    let images = FileFormat::ALL.iter().filter(|format| !is_container(**format));
    images.flat_map(|format| format.extensions()).copied().collect()
}

/// Returns the extensions of textures.
pub fn texture_extensions() -> Vec<&'static str> {
    let textures = FileFormat::ALL.iter().filter(|format| is_container(**format));
    textures.flat_map(|format| format.extensions()).copied().collect()
}

/// Returns the images in the folders among `paths` that [`find`](crate::batch::find) leaves out because no
/// reader knows their format, for a note to the user. The task reports no progress.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn unread_images(paths: &[PathBuf], recursive: bool, task: &Task<'_>) -> Result<Vec<PathBuf>, Cancelled> {
    files_in_folders(paths, &UNREAD_EXTENSIONS, recursive, task)
}

fn is_container(format: FileFormat) -> bool {
    format.extensions().iter().any(|extension| ContainerFormat::of_extension(extension).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_extension_is_in_one_list() {
        let (images, textures) = (image_extensions(), texture_extensions());
        assert_eq!(textures, ["dds", "ktx2", "astc"]);
        for extension in ["png", "apng", "jpe", "jfif", "targa", "dib", "pam", "tiff"] {
            assert!(images.contains(&extension), "{extension}");
        }
        for extension in UNREAD_EXTENSIONS {
            assert_eq!(FileFormat::of_extension(extension), None);
        }
        assert!(textures.iter().all(|extension| !images.contains(extension)));
    }
}
