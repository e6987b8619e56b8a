//! The colour space of a texture.

use super::{ColorSpaceReason, OptionsError, PictureFacts, TextureOptions, format::ChosenFormat};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{BlockFormat, ColorSpace};

/// Returns the colour space of a texture of `pictures`, and its source.
///
/// # Errors
/// [`OptionsError::ColorSpaces`] if the options do not state it and the pictures differ,
/// [`OptionsError::NotLinear`] if they are sRGB colours and the format stores floats.
pub(super) fn choose(
    options: &TextureOptions,
    chosen: &ChosenFormat,
    pictures: &[PictureFacts],
) -> Result<(ColorSpace, ColorSpaceReason), OptionsError> {
    let format = chosen.format;
    // Plain floats may be data.
    let is_light = format.is_float() && (format.block().is_some() || options.usage != PictureUse::Data);
    let is_srgb = |picture: &PictureFacts| picture.color_space == ColorSpace::Srgb;
    if is_light && options.color_space.is_none() && pictures.iter().any(is_srgb) {
        return Err(OptionsError::NotLinear { format });
    }
    if !format.has_srgb() {
        return Ok((ColorSpace::Linear, ColorSpaceReason::NoVariant(format)));
    }
    if options.usage == PictureUse::Normals {
        return Ok((ColorSpace::Linear, ColorSpaceReason::Normals));
    }
    if let Some(color_space) = options.color_space {
        return Ok((color_space, ColorSpaceReason::Chosen));
    }
    if let Some(color_space) = options.format.color_space() {
        return Ok((color_space, ColorSpaceReason::FormatName));
    }
    if options.usage == PictureUse::Data {
        return Ok((ColorSpace::Linear, ColorSpaceReason::Chosen));
    }
    // One channel and normals are linear in every family, as in BC4 and BC5.
    if let Some(BlockFormat::Bc4Unorm | BlockFormat::Bc5Unorm) = chosen.suggested {
        let is_stated = options.usage == PictureUse::OneChannel;
        let reason = if is_stated { ColorSpaceReason::Chosen } else { ColorSpaceReason::Texels };
        return Ok((ColorSpace::Linear, reason));
    }
    let first = pictures.first().ok_or(OptionsError::NoPicture)?;
    if pictures.iter().any(|picture| picture.color_space != first.color_space) {
        return Err(OptionsError::ColorSpaces);
    }
    Ok((first.color_space, ColorSpaceReason::File(first.color_space_reason.clone())))
}
