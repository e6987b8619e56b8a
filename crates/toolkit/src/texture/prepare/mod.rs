//! Changes of pictures before they are encoded: heights to normals, their size, the direction of y.

mod normals;
mod options;
mod size;

pub(super) use normals::z8;
pub use options::NormalOptions;

pub use size::{PictureSize, PowerOfTwo, SizeRules};

use super::{TextureJobError, TextureOptions};
use brickwork_base::Task;
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, MipFilter,
    image_file::{Picture, PictureUse},
    mips::MipOptions,
};

/// Returns a picture with the size that the options state. Normal maps are made or changed as they state.
/// `name` is the input's name, for errors. The task reports no progress.
///
/// # Errors
/// [`TextureJobError`] if more than `max_memory` bytes are needed, or the task is cancelled.
pub(super) fn prepare(
    picture: Picture,
    name: &str,
    options: &TextureOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Picture, TextureJobError> {
    let mut picture = resized(picture, name, options, max_memory, task)?;
    if options.usage() != PictureUse::Normals {
        return Ok(picture);
    }
    if let Some(scale) = options.normals().height_scale() {
        picture = normals::from_height(picture, scale, options.encode_options().mip_wrap(), task)?;
    }
    normals::restore_z(&mut picture);
    if options.normals().flip_y() {
        normals::flip_y(&mut picture);
    }
    Ok(picture)
}

/// Returns a picture with the size that the options state.
fn resized(
    picture: Picture,
    name: &str,
    options: &TextureOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Picture, TextureJobError> {
    let size = options.size_rules().of([picture.width, picture.height]);
    if size == [picture.width, picture.height] {
        return Ok(picture);
    }
    // Resampled texels have four channels, and are then reduced to those of the picture.
    let source_bytes = picture.texels.byte_count() as u64;
    let texel_bytes = source_bytes / (picture.texels.texel_count() as u64).max(1) + 8;
    let needed = u64::from(size[0]).saturating_mul(size[1].into()).saturating_mul(texel_bytes);
    let needed = needed.saturating_add(source_bytes);
    if needed > max_memory {
        return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
    }
    let encode = options.encode_options();
    let mips = MipOptions::new(color_space(&picture, options), AlphaMode::Straight)
        .with_filter(encode.mip_filter().unwrap_or(MipFilter::Kaiser))
        .with_wrap(encode.mip_wrap());
    let resized = picture.resized(size, mips, &task.without_progress());
    resized.map_err(|error| TextureJobError::Resize { input: name.to_owned(), error })
}

/// Returns the colour space in which a picture is resized: that of the texture, as far as it is known before
/// the format.
fn color_space(picture: &Picture, options: &TextureOptions) -> ColorSpace {
    let is_data = matches!(options.usage(), PictureUse::Normals | PictureUse::OneChannel | PictureUse::Data);
    let has_srgb = options.format().format().is_none_or(BlockFormat::has_srgb);
    match options.stated_color_space() {
        _ if is_data || !has_srgb => ColorSpace::Linear,
        Some(stated) => stated,
        None => picture.color_space,
    }
}
