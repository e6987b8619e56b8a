//! Descriptions of texture and image files.

use crate::report::{FileInfoReport, ImageInfoReport, ModeCounts, TextureHeaderReport, TextureInfoReport};
use brickwork_base::Task;
use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::pictures::AnyInfo;
use brickwork_toolkit::{
    batch::Input,
    texture::{TextureJobError, info_or_header},
};

/// Describes an input: a texture by its header, a picture by its texels, and a KTX2 file whose texels are not
/// read, such as one of Basis Universal, by its header, too. `modes` is added to the report of a texture. The
/// task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn describe(
    input: &Input,
    modes: Option<ModeCounts>,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<FileInfoReport, TextureJobError> {
    let (info, file_bytes) = info_or_header(input, options, task)?;
    let name = input.name();
    let info = match info {
        Ok(info) => info,
        Err(header) => {
            let report = TextureHeaderReport::new(name, file_bytes, header);
            return Ok(FileInfoReport::Header(Box::new(report)));
        }
    };
    Ok(match info {
        AnyInfo::Texture(info) => {
            FileInfoReport::Texture(Box::new(TextureInfoReport::new(name, file_bytes, info, modes)))
        }
        AnyInfo::Picture(picture) => FileInfoReport::Image(ImageInfoReport::new(name, file_bytes, &picture)),
    })
}
