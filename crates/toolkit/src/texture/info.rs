//! Descriptions of texture and image files.

use super::{TextureJobError, info_any};
use crate::{
    batch::Input,
    report::{FileInfoReport, ImageInfoReport, ModeCounts, TextureInfoReport},
};
use brickwork_base::Task;
use brickwork_texture::image_file::{AnyInfo, ImageReadOptions};

/// Describes an input: a texture by its header, a picture by its texels. `modes` is added to the report of a
/// texture. The task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn describe(
    input: &Input,
    modes: Option<ModeCounts>,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<FileInfoReport, TextureJobError> {
    let (info, file_bytes) = info_any(input, options, task)?;
    let name = input.name();
    Ok(match info {
        AnyInfo::Texture(info) => {
            FileInfoReport::Texture(Box::new(TextureInfoReport::new(name, file_bytes, info, modes)))
        }
        AnyInfo::Picture(picture) => FileInfoReport::Image(ImageInfoReport::new(name, file_bytes, &picture)),
    })
}
