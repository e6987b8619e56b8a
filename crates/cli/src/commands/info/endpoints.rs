//! The image of the endpoints of blocks.

use crate::{
    failure::Failure,
    input::Input,
    output::{self, Existing, Output},
};
use brickwork_texture::{
    ColorSpace, Task,
    image_file::{PngTexels, write_png},
};
use brickwork_toolkit::texture::BlockEndpoints;
use std::path::Path;

/// Writes the image of the endpoints of the texture in `input`, and returns a line that names it.
///
/// # Errors
/// [`Failure`] with the name of the input or output.
pub fn write(input: &Input, path: &Path, existing: Existing, max_memory: u64) -> Result<String, Failure> {
    if *input == Input::Stdin {
        return Err(Failure::usage("--endpoints-image needs a file, not standard input"));
    }
    let Some(endpoints) = BlockEndpoints::read(input, max_memory, &Task::new())? else {
        let failure = Failure::usage("--endpoints-image is for block-compressed textures");
        return Err(failure.of(input.name()));
    };
    let output = Output::of(path);
    output.check(existing, input.id().as_slice())?;
    let picture = endpoints.picture(&input.name(), &Task::new())?;
    output::write(&output, existing, |writer| {
        let (width, height, texels) = (picture.width, picture.height, PngTexels::Rgb8(&picture.texels));
        Ok(write_png(writer, width, height, texels, ColorSpace::Srgb, &Task::new())?)
    })?;
    Ok(format!("{}: the first left, the second right in each block", path.display()))
}
