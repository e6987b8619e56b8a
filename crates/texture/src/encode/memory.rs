//! Memory requirement of encoding.

use super::coder::Coder;
use crate::{ChannelType, EncodeOptions, TextureDesc};

/// Returns the number of bytes that [`encode_texture`](crate::encode_texture) takes besides the images;
/// `u64::MAX` if it does not fit. These are all data and, if there are mip levels, two levels of a face in
/// RGBA, with as many bits per channel as the texture's format, and with 16 for BC4 and BC5.
/// [`EncodeOptions::keep_coverage`] needs a third level, and [`EncodeOptions::dither`] a copy of an image.
pub fn encode_memory_bytes(desc: &TextureDesc, options: &EncodeOptions) -> u64 {
    let texels = |level| {
        desc.mip_level_size(level).into_iter().fold(1u64, |texels, side| texels.saturating_mul(side.into()))
    };
    let mip_texels = match (desc.mip_levels, options.keep_coverage) {
        (0..=1, _) => 0,
        (_, None) => texels(1).saturating_add(texels(2)),
        (_, Some(_)) => texels(1).saturating_mul(2).saturating_add(texels(2)),
    };
    let coder = Coder::of(desc);
    let is_copied = coder.dithers(options);
    let copied_texels = if is_copied { u64::from(desc.width) * u64::from(desc.height) } else { 0 };
    let texels = mip_texels.saturating_add(copied_texels);
    let level_texel_bytes = u64::from(4 * coder.level_channels(ChannelType::U16).bytes());
    desc.data_bytes().saturating_add(texels.saturating_mul(level_texel_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockFormat;

    #[test]
    fn blocks_and_mip_levels_are_counted() {
        let encode_memory_bytes = |desc: &TextureDesc| encode_memory_bytes(desc, &EncodeOptions::default());
        let image = TextureDesc::new_2d(BlockFormat::Bc1, 16, 9);
        assert_eq!(encode_memory_bytes(&image), 4 * 3 * 8);
        assert_eq!(encode_memory_bytes(&image.with_mip_levels(2)), (12 + 2) * 8 + 4 * (8 * 4 + 4 * 2));
        let volume = TextureDesc::new_3d(BlockFormat::Bc1, 8, 8, 8).with_mip_levels(2);
        assert_eq!(encode_memory_bytes(&volume), (8 * 4 + 4) * 8 + 4 * (64 + 8));
        let huge = TextureDesc::new_2d(BlockFormat::Bc7, u32::MAX, u32::MAX).with_full_mips();
        assert_eq!(encode_memory_bytes(&huge), u64::MAX);
        let dither = EncodeOptions::default().with(|o| o.dither = true);
        assert_eq!(super::encode_memory_bytes(&image, &dither), 4 * 3 * 8 + 16 * 9 * 4);
        let halves = TextureDesc::new_2d(BlockFormat::Bc6hUfloat, 16, 9);
        assert_eq!(super::encode_memory_bytes(&halves, &dither), encode_memory_bytes(&halves));
        let plain = TextureDesc::new_2d(crate::PlainFormat::Rgba8Unorm, 16, 9);
        assert_eq!(super::encode_memory_bytes(&plain, &dither), 16 * 9 * 4);
        let singles = TextureDesc::new_2d(crate::PlainFormat::R32Float, 16, 9).with_mip_levels(2);
        assert_eq!(encode_memory_bytes(&singles), 4 * (16 * 9 + 8 * 4) + 16 * (8 * 4 + 4 * 2));
        let coverage = EncodeOptions::default().with(|o| o.keep_coverage = std::num::NonZeroU8::new(128));
        let mips = image.with_mip_levels(2);
        assert_eq!(super::encode_memory_bytes(&mips, &coverage), encode_memory_bytes(&mips) + 4 * 8 * 4);
    }
}
