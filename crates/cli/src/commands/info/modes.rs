//! Modes of BC6H and BC7 blocks in words, and the image of them.

use crate::{
    batch::FileId,
    commands::info::BlockModes,
    failure::Failure,
    input::Input,
    output::{self, Existing, Output},
    report::ModeCounts,
};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, Task, Texture};
use std::{path::Path, sync::Arc};

/// Arguments about modes.
pub struct Wanted<'a> {
    /// Path of the image.
    pub image: Option<&'a Path>,
    pub existing: Existing,
}

/// Counts the modes of the texture, which was read from `input`, and writes the image if requested. Also
/// returns the line that names the image and the meaning of its colours. The counts are `None` if the file is
/// neither BC6H nor BC7.
///
/// # Errors
/// [`Failure`] with the name of the input or output.
pub fn count(
    input: &Input,
    texture: Option<Arc<Texture>>,
    wanted: &Wanted<'_>,
) -> Result<(Option<ModeCounts>, Option<String>), Failure> {
    let modes = texture.and_then(BlockModes::of_texture);
    let counts = modes.as_ref().map(|modes| modes.counts(&Task::new())).transpose()?;
    let Some(path) = wanted.image else { return Ok((counts, None)) };
    let Some(modes) = modes else {
        return Err(Failure::usage("--modes-image is for textures in BC6H and BC7").of(input.name()));
    };
    let output = Output::of(path);
    output.check(wanted.existing, FileId::of_input(input).as_slice())?;
    let picture = modes.picture(&input.name(), &Task::new())?;
    output::write(&output, wanted.existing, |writer| {
        let (width, height, texels) = (picture.width, picture.height, PngTexels::Rgb8(&picture.texels));
        Ok(write_png(writer, width, height, texels, ColorSpace::Srgb, &Task::new())?)
    })?;
    Ok((counts, Some(format!("{}: {}", path.display(), legend(&modes)))))
}

/// Returns `0: 2.5 %, 1: 61.0 %, …`, without modes that do not occur.
pub fn text(counts: &ModeCounts) -> String {
    let total: u64 = counts.modes.iter().sum::<u64>() + counts.none;
    let share = |count: u64| 100.0 * count as f64 / total as f64;
    let modes = (counts.first..).zip(&counts.modes).filter(|(_, count)| **count > 0);
    let mut parts: Vec<_> = modes.map(|(mode, count)| format!("{mode}: {:.1} %", share(*count))).collect();
    if counts.none > 0 {
        parts.push(format!("none: {:.1} %", share(counts.none)));
    }
    parts.join(", ")
}

/// Returns the meaning of the colours of `--modes-image`.
fn legend(modes: &BlockModes) -> String {
    let (colors, first) = modes.colors();
    let colors: Vec<_> = (first..).zip(colors).map(|(mode, (name, _))| format!("{mode} {name}")).collect();
    colors.join(", ")
}
