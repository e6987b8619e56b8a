//! Decoding of one image of a texture.

use super::{TextureDecodeOptions, as_displayed, png_image::PngImage};
use crate::{commands::decode::plain::PlainImage, half_floats::half};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageWriteError, Picture, PngTexels, Texels, write_exr, write_png};
use brickwork_texture::{
    ColorSpace, DecodeError, DecodedTexels, ImageIndex, PlainFormat, RoundingRule, Texture, half::f16,
    mips::restored_z, pictures::AnyImage,
};
use brickwork_toolkit::texture::TextureJobError;
use std::io::Write;

/// One image of a texture, decoded for a PNG or EXR file. It has 8 bits per channel, is grey for BC4, and has
/// alpha if any texel is not opaque. Texels that are not block-compressed keep their channels and their 8 or
/// 16 bits. Half floats and single floats are kept for EXR, and become 8-bit sRGB by the tone map for PNG.
#[derive(Clone, Debug)]
pub struct DecodedPicture {
    pub(super) image: PngImage,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Block format, or format of the texels.
    pub(super) format: &'static str,
    pub(super) color_space: ColorSpace,
    pub(super) mip_levels: u32,
    /// Bytes of the blocks of all images, or of the texels.
    pub(super) data_bytes: u64,
    pub(super) has_blocks: bool,
    /// Rule by which values were rounded.
    pub(super) rounding_rule: RoundingRule,
    pub(super) part: Option<String>,
    pub notes: Vec<String>,
}

/// Decodes one image of a texture, upright and with straight alpha. `name` is the input's name, for errors.
/// The task reports the blocks.
///
/// # Errors
/// [`TextureJobError`] if the image does not exist, more than `max_memory` bytes are needed, or the task is
/// cancelled.
pub fn decode_image(
    image: AnyImage,
    name: &str,
    options: &TextureDecodeOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<DecodedPicture, TextureJobError> {
    let input = || name.to_owned();
    let texture = match image {
        AnyImage::Texture(texture) => texture,
        // Texels in other formats are read as a picture, which is only the first image.
        AnyImage::Picture(_) if options.index != ImageIndex::default() => {
            return Err(TextureJobError::FirstImageOnly { input: input() });
        }
        AnyImage::Picture(picture) => return of_picture(picture, name, options, max_memory),
    };
    let desc = *texture.desc();
    let is_normals = desc.format.block().is_some_and(|format| format.channels() == "RG");
    if options.restored_z && !is_normals {
        return Err(TextureJobError::NotNormals { input: input(), format: desc.format.name() });
    }
    if let Some(format) = desc.format.plain() {
        return of_plain(&texture, format, name, options, max_memory, task);
    }
    if options.half_floats && !desc.format.is_float() {
        return Err(TextureJobError::NotHalfFloats { input: input(), format: desc.format.name() });
    }
    let [width, height, _] = desc.mip_level_size(options.index.mip_level);
    // The tone map needs a second copy, of 8 bits.
    let mapped_bytes = if desc.format.is_float() { 4 * u64::from(width) * u64::from(height) } else { 0 };
    let max_memory = max_memory.saturating_sub(mapped_bytes);
    let decode = as_displayed(desc.format, options.rounding_rule, max_memory);
    let decoded = texture
        .decode(options.index, &decode, task)
        .map_err(|error| TextureJobError::Decode { input: input(), error })?;
    let mut notes = texture.notes().to_vec();
    // The blocks of a 16K texture are no longer needed.
    drop(texture);
    let (width, height) = (decoded.width(), decoded.height());
    let image = match decoded.into_texels() {
        DecodedTexels::RgbaF16(texels) if options.half_floats => PngImage::Halves(texels),
        DecodedTexels::RgbaF16(texels) => {
            notes.push(tone_map_note("half", options));
            PngImage::mapped(&texels, |&texel| texel, &options.tone_map)
        }
        texels => {
            let mut texels = texels.into_rgba8().unwrap_or_default();
            if options.restored_z {
                texels.iter_mut().for_each(|[x, y, z, _]| *z = restored_z(*x, *y));
            }
            PngImage::of_blocks(texels, &desc)
        }
    };
    Ok(DecodedPicture {
        image,
        width,
        height,
        format: desc.format.name(),
        color_space: desc.color_space,
        mip_levels: desc.mip_levels,
        data_bytes: desc.data_bytes(),
        has_blocks: true,
        rounding_rule: options.rounding_rule.for_format(desc.format),
        part: None,
        notes,
    })
}

/// Decodes one image of a texture in a plain format.
fn of_plain(
    texture: &Texture,
    format: PlainFormat,
    name: &str,
    options: &TextureDecodeOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<DecodedPicture, TextureJobError> {
    let desc = texture.desc();
    let image = PlainImage::of(texture, format, options.index, max_memory, task)
        .map_err(|error| TextureJobError::Decode { input: name.to_owned(), error })?;
    let PlainImage { width, height, texels } = image;
    let mut notes = texture.notes().to_vec();
    let max_memory = max_memory.saturating_sub(desc.data_bytes());
    let image = of_texels(texels, format.name(), &mut notes, name, options, max_memory)?;
    Ok(DecodedPicture {
        image,
        width,
        height,
        format: format.name(),
        color_space: desc.color_space,
        mip_levels: desc.mip_levels,
        data_bytes: desc.data_bytes(),
        has_blocks: false,
        rounding_rule: RoundingRule::Exact,
        part: None,
        notes,
    })
}

/// Returns a picture of texels in another format.
fn of_picture(
    picture: Picture,
    name: &str,
    options: &TextureDecodeOptions,
    max_memory: u64,
) -> Result<DecodedPicture, TextureJobError> {
    let data_bytes = picture.texels.byte_count() as u64;
    let format = PngImage::plain_name(&picture.texels);
    let mut notes = picture.notes;
    let image = of_texels(picture.texels, format, &mut notes, name, options, max_memory)?;
    Ok(DecodedPicture {
        width: picture.width,
        height: picture.height,
        format,
        color_space: picture.color_space,
        mip_levels: 1,
        data_bytes,
        has_blocks: false,
        rounding_rule: RoundingRule::Exact,
        part: picture.part,
        notes,
        image,
    })
}

/// Returns texels in the form of a PNG or EXR file, and adds notes. `format` is their name.
fn of_texels(
    texels: Texels,
    format: &'static str,
    notes: &mut Vec<String>,
    name: &str,
    options: &TextureDecodeOptions,
    max_memory: u64,
) -> Result<PngImage, TextureJobError> {
    let copied_bytes = 4 * texels.texel_type().channel_type().bytes();
    let needed = texels.byte_count() as u64 + texels.texel_count() as u64 * u64::from(copied_bytes);
    if texels.is_float() && needed > max_memory {
        let error = DecodeError::TooLarge { needed, limit: max_memory };
        return Err(TextureJobError::Decode { input: name.to_owned(), error });
    }
    let opaque = |&[r, g, b]: &[f16; 3]| [r, g, b, f16::ONE];
    if options.half_floats && !texels.is_opaque() {
        notes.push("alpha is left out: EXR files are written as RGB".to_owned());
    }
    Ok(match texels {
        Texels::RgbF16(texels) if options.half_floats => {
            PngImage::Halves(texels.iter().map(opaque).collect())
        }
        Texels::RgbaF16(texels) if options.half_floats => PngImage::Halves(texels),
        Texels::RgbF32(texels) if options.half_floats => {
            PngImage::Singles(texels.iter().map(|&[r, g, b]| [r, g, b, 1.0]).collect())
        }
        Texels::RgbaF32(texels) if options.half_floats => PngImage::Singles(texels),
        Texels::RgbF16(texels) => {
            notes.push(tone_map_note("half", options));
            PngImage::mapped(&texels, opaque, &options.tone_map)
        }
        Texels::RgbaF16(texels) => {
            notes.push(tone_map_note("half", options));
            PngImage::mapped(&texels, |&texel| texel, &options.tone_map)
        }
        Texels::RgbF32(texels) => {
            notes.push(tone_map_note("single", options));
            PngImage::mapped(&texels, |texel| opaque(&texel.map(half)), &options.tone_map)
        }
        Texels::RgbaF32(texels) => {
            notes.push(tone_map_note("single", options));
            PngImage::mapped(&texels, |texel| texel.map(half), &options.tone_map)
        }
        _ if options.half_floats => {
            return Err(TextureJobError::NotHalfFloats { input: name.to_owned(), format });
        }
        texels => PngImage::Plain(texels),
    })
}

/// Returns the note about the tone map of `half` or `single` floats.
fn tone_map_note(precision: &str, options: &TextureDecodeOptions) -> String {
    let (curve, exposure) = (options.tone_map.curve, options.tone_map.exposure);
    format!("{precision} floats are shown by the tone map {curve}, exposure {exposure} stops")
}

impl DecodedPicture {
    /// Returns the width in texels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in texels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the colour space that the file states, else linear.
    pub const fn color_space(&self) -> ColorSpace {
        self.color_space
    }

    /// Returns the texels; `None` if they are half floats or single floats.
    pub fn texels(&self) -> Option<PngTexels<'_>> {
        self.image.texels()
    }

    /// True if the picture has alpha.
    pub fn has_alpha(&self) -> bool {
        self.image.has_alpha()
    }

    /// Writes the picture as an EXR file if its texels are floats, else as a PNG file, which states
    /// `color_space` if there is one, and sRGB after a tone map. The task reports the bytes of texels or the
    /// rows written.
    ///
    /// # Errors
    /// [`ImageWriteError`] if the system cannot write, or the task is cancelled.
    pub fn write(
        &self,
        writer: impl Write,
        color_space: Option<ColorSpace>,
        task: &Task<'_>,
    ) -> Result<(), ImageWriteError> {
        match &self.image {
            PngImage::Halves(texels) => write_exr(writer, self.width, self.height, texels, task),
            PngImage::Singles(texels) => write_exr(writer, self.width, self.height, texels, task),
            PngImage::Mapped(..) | PngImage::Blocks(..) | PngImage::Plain(_) => {
                let is_mapped = matches!(self.image, PngImage::Mapped(..));
                let color_space = if is_mapped { Some(ColorSpace::Srgb) } else { color_space };
                let texels = self.image.texels().expect("8 or 16 bits");
                write_png(writer, self.width, self.height, texels, color_space, task)
            }
        }
    }
}
