//! Decoding of one image of a texture.

use super::{CLAMPED, TextureDecodeOptions, as_displayed, png_image::PngImage};
use crate::texture::TextureJobError;
use brickwork_base::Task;
use brickwork_texture::{
    BlockFormat, ColorSpace, ImageIndex, RoundingRule,
    image_file::{AnyImage, ImageWriteError, PngTexels, write_png},
};
use std::io::Write;

/// One image of a texture, decoded for a PNG file. It has 8 bits per channel, is grey for BC4, and has alpha
/// if any texel is not opaque. Texels that are not block-compressed keep their channels and their 8 or 16
/// bits.
#[derive(Clone, Debug)]
pub struct DecodedPicture {
    image: PngImage,
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
    pub(super) notes: Vec<String>,
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
        // Plain texels are read as a picture, which is only the first image.
        AnyImage::Picture(_) if options.index() != ImageIndex::default() => {
            return Err(TextureJobError::FirstImageOnly { input: input() });
        }
        AnyImage::Picture(picture) => {
            let data_bytes = picture.texels.byte_count() as u64;
            let image = PngImage::Plain(picture.texels);
            return Ok(DecodedPicture {
                width: picture.width,
                height: picture.height,
                format: image.format_name(),
                color_space: picture.color_space,
                mip_levels: 1,
                data_bytes,
                has_blocks: false,
                rounding_rule: RoundingRule::Exact,
                part: picture.part,
                notes: picture.notes,
                image,
            });
        }
    };
    let decode = as_displayed(options.rounding_rule(), max_memory);
    let decoded = texture
        .decode(options.index(), &decode, task)
        .map_err(|error| TextureJobError::Decode { input: input(), error })?;
    let (desc, mut notes) = (*texture.desc(), texture.notes().to_vec());
    if matches!(desc.format, BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat) {
        notes.push(CLAMPED.to_owned());
    }
    // The blocks of a 16K texture are no longer needed.
    drop(texture);
    let (width, height) = (decoded.width(), decoded.height());
    let texels = decoded.into_texels().into_rgba8().unwrap_or_default();
    Ok(DecodedPicture {
        image: PngImage::of_blocks(texels, &desc),
        width,
        height,
        format: desc.format.name(),
        color_space: desc.color_space,
        mip_levels: desc.mip_levels,
        data_bytes: desc.data_bytes(),
        has_blocks: true,
        rounding_rule: options.rounding_rule().for_format(desc.format),
        part: None,
        notes,
    })
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

    /// Returns the texels.
    pub fn texels(&self) -> PngTexels<'_> {
        self.image.texels()
    }

    /// True if the picture has alpha.
    pub fn has_alpha(&self) -> bool {
        self.image.has_alpha()
    }

    /// Writes the picture as a PNG file, which states `color_space` if there is one. The task reports the
    /// bytes of texels written.
    ///
    /// # Errors
    /// [`ImageWriteError`] if the system cannot write, or the task is cancelled.
    pub fn write_png(
        &self,
        writer: impl Write,
        color_space: Option<ColorSpace>,
        task: &Task<'_>,
    ) -> Result<(), ImageWriteError> {
        write_png(writer, self.width, self.height, self.texels(), color_space, task)
    }
}
