//! The colour space of a texture.

use super::{OptionsError, PictureFacts, TextureOptions};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{ColorSpace, TextureFormat};
use std::fmt;

/// Source of a texture's colour space.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColorSpaceReason {
    /// The format has no sRGB variant.
    NoVariant(TextureFormat),
    /// [`TextureOptions::color_space`], or [`PictureUse::Data`], which is linear.
    Chosen,
    /// The pictures are normals, which are linear.
    Normals,
    /// The name of the format.
    FormatName,
    /// The names of the files state that the pictures are data.
    FileName,
    /// The texels look like data.
    Texels,
    /// The file of the first picture. The text is a short description of the source.
    File(String),
}

impl fmt::Display for ColorSpaceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVariant(format) => write!(f, "{format} has no sRGB variant"),
            Self::Chosen => f.write_str("chosen"),
            Self::Normals => f.write_str("normals"),
            Self::FormatName => f.write_str("the format's name"),
            Self::FileName => f.write_str("the file's name"),
            Self::Texels => f.write_str("the texels look like data"),
            Self::File(reason) => f.write_str(reason),
        }
    }
}

/// Returns the colour space of a texture of `pictures`, and its source.
///
/// # Errors
/// [`OptionsError::ColorSpaces`] if the options do not state it and the pictures differ,
/// [`OptionsError::NotLinear`] if they are sRGB colours and the format stores floats.
pub(super) fn choose(
    options: &TextureOptions,
    format: TextureFormat,
    pictures: &[PictureFacts],
) -> Result<(ColorSpace, ColorSpaceReason), OptionsError> {
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
    let first = pictures.first().ok_or(OptionsError::NoPicture)?;
    if pictures.iter().any(|picture| picture.color_space != first.color_space) {
        return Err(OptionsError::ColorSpaces);
    }
    Ok((first.color_space, ColorSpaceReason::File(first.color_space_reason.clone())))
}
