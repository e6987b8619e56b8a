//! The image of the endpoints of blocks.

use crate::{
    batch::FileId,
    commands::info::BlockEndpoints,
    failure::Failure,
    input::Input,
    output::{self, Existing, Output},
};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, Task, Texture};
use std::{path::Path, sync::Arc};

/// Writes the image of the endpoints of the texture, which was read from `input`. Returns a line that names
/// the image.
///
/// # Errors
/// [`Failure`] with the name of the input or output.
pub fn write(
    input: &Input,
    texture: Option<Arc<Texture>>,
    path: &Path,
    existing: Existing,
) -> Result<String, Failure> {
    let Some(endpoints) = texture.and_then(BlockEndpoints::of_texture) else {
        let failure = Failure::usage("--endpoints-image is for block-compressed textures");
        return Err(failure.of(input.name()));
    };
    let output = Output::of(path);
    output.check(existing, FileId::of_input(input).as_slice())?;
    let picture = endpoints.picture(&input.name(), &Task::new())?;
    output::write(&output, existing, |writer| {
        let (width, height, texels) = (picture.width, picture.height, PngTexels::Rgb8(&picture.texels));
        Ok(write_png(writer, width, height, texels, ColorSpace::Srgb, &Task::new())?)
    })?;
    Ok(format!("{}: the first left, the second right in each block", path.display()))
}
