//! Images of textures in plain formats as pictures.

use brickwork_base::Task;
use brickwork_image::image_file::Texels;
use brickwork_texture::{
    ChannelType, DecodeError, DecodeOptions, DecodedTexels, ImageIndex, PlainFormat, Swizzle, Texture,
};
use brickwork_toolkit::texture::channel_type;

/// One image of a texture in a plain format, as displayed.
pub struct PlainImage {
    pub width: u32,
    pub height: u32,
    /// Texels with the channels that the format stores: red as grey, red and green as RGB without blue.
    pub texels: Texels,
}

impl PlainImage {
    /// Decodes one image. `format` is that of the texture. The task reports the texels.
    ///
    /// # Errors
    /// [`DecodeError`] if the image does not exist, more than `max_memory` bytes are needed, or the task is
    /// cancelled.
    pub fn of(
        texture: &Texture,
        format: PlainFormat,
        index: ImageIndex,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, DecodeError> {
        let desc = texture.desc();
        let [width, height, _] = desc.mip_level_size(index.mip_level);
        let channels = channel_type(format);
        // The result is a second copy of the texels.
        let texel_bytes = if channels == ChannelType::F32 { 16 } else { 8 };
        let copy_bytes = u64::from(width) * u64::from(height) * texel_bytes;
        let options = DecodeOptions::default().with(|o| {
            o.max_memory = max_memory.saturating_sub(copy_bytes);
            o.channel_type = Some(channels);
            o.display = true;
        });
        let decoded = texture.decode(index, &options, task)?;
        let channel_count = if desc.swizzle == Swizzle::IDENTITY { format.channels().len() } else { 4 };
        let texels = match decoded.into_texels() {
            DecodedTexels::Rgba16(texels) => match channel_count {
                1 => Texels::Grey16(texels.iter().map(|texel| texel[0]).collect()),
                2 | 3 => Texels::Rgb16(texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect()),
                _ => Texels::Rgba16(texels),
            },
            DecodedTexels::RgbaF16(texels) => floats(texels, channel_count, Texels::RgbF16, Texels::RgbaF16),
            DecodedTexels::RgbaF32(texels) => floats(texels, channel_count, Texels::RgbF32, Texels::RgbaF32),
            texels => {
                let texels = texels.into_rgba8().unwrap_or_default();
                match channel_count {
                    1 => Texels::Grey8(texels.iter().map(|texel| texel[0]).collect()),
                    2 | 3 => Texels::Rgb8(texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect()),
                    _ => Texels::Rgba8(texels),
                }
            }
        };
        Ok(Self { width, height, texels })
    }
}

/// Returns floats with the stored channels, by the constructor of texels without or with alpha.
fn floats<C: Copy>(
    texels: Vec<[C; 4]>,
    channel_count: usize,
    rgb: fn(Vec<[C; 3]>) -> Texels,
    rgba: fn(Vec<[C; 4]>) -> Texels,
) -> Texels {
    match channel_count {
        1 => rgb(texels.iter().map(|texel| [texel[0]; 3]).collect()),
        2 | 3 => rgb(texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect()),
        _ => rgba(texels),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::{ImageView, TextureDesc, encode_plain, half::f16};

    /// Returns the texels of a 2×1 image in a format.
    fn texels(format: PlainFormat, texels: &[[f32; 4]; 2]) -> Texels {
        let desc = TextureDesc::new_2d(format, 2, 1);
        let mut data = vec![0; desc.data_bytes() as usize];
        encode_plain(&ImageView::new(texels, 2, 1).unwrap(), format, &mut data, &Task::new()).unwrap();
        let texture = Texture::new(desc, data).unwrap();
        let image = PlainImage::of(&texture, format, ImageIndex::default(), 1 << 20, &Task::new()).unwrap();
        assert!(PlainImage::of(&texture, format, ImageIndex::default(), 16, &Task::new()).is_err());
        image.texels
    }

    #[test]
    fn stored_channels_and_bits_are_kept() {
        let source = [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]];
        let of = |format| texels(format, &source);
        assert_eq!(of(PlainFormat::R8Unorm), Texels::Grey8(vec![255, 0]));
        assert_eq!(of(PlainFormat::R8Snorm), Texels::Grey8(vec![255, 0]));
        assert_eq!(of(PlainFormat::Rg8Unorm), Texels::Rgb8(vec![[255, 0, 0], [0, 255, 0]]));
        assert_eq!(of(PlainFormat::Bgra8Unorm), Texels::Rgba8(vec![[255, 0, 255, 0], [0, 255, 255, 255]]));
        assert_eq!(of(PlainFormat::R16Snorm), Texels::Grey16(vec![65535, 0]));
        let [zero, one] = [f16::ZERO, f16::ONE];
        assert_eq!(of(PlainFormat::R16Float), Texels::RgbF16(vec![[one; 3], [zero; 3]]));
        assert_eq!(of(PlainFormat::Rgb9e5), Texels::RgbF16(vec![[one, zero, one], [zero, one, one]]));
        assert_eq!(of(PlainFormat::Rgba32Float), Texels::RgbaF32(source.to_vec()));
        let wide = [[1e6, 1e-10, 0.0, 1.0], [f32::INFINITY, 1.0 / 3.0, 0.0, 1.0]];
        let of = |format| texels(format, &wide);
        assert_eq!(of(PlainFormat::R32Float), Texels::RgbF32(vec![[1e6; 3], [f32::INFINITY; 3]]));
        let two = vec![[1e6, 1e-10, 0.0], [f32::INFINITY, 1.0 / 3.0, 0.0]];
        assert_eq!(of(PlainFormat::Rg32Float), Texels::RgbF32(two));
    }
}
