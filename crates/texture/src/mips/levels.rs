//! An image and its mip levels, encoded one after the other.

use super::{MipLevel, MipOptions};
use crate::{EncodeError, EncodeOptions, Encoder, ImageView, Progress, Texel};

/// Encodes `image` and its mip levels, `levels` of them with the image itself, to `blocks`: level by level from the
/// largest, which is the order of [`Texture::data`](crate::Texture::data) in each face. Every level is half the one
/// above ([`next_level`](super::next_level)); levels after one of 1×1 are that again. The encoder's device makes the
/// levels too, with the same bytes on every device.
///
/// `progress` counts the blocks of all levels. Beside the blocks, two levels are in memory at a time, as 8-bit RGBA.
///
/// ```
/// use brickwork_texture::{
///     BlockFormat, ColorSpace, CpuEncoder, EncodeOptions, ImageView, Progress, Texture, TextureDesc,
///     mips::{MipOptions, encode_levels},
/// };
///
/// let texels: Vec<[u8; 3]> = (0..20 * 12).map(|i| [i as u8, 80, (i / 20) as u8]).collect();
/// let image = ImageView::new(&texels, 20, 12)?;
/// let desc = TextureDesc::of_image(&image, BlockFormat::Bc1).with_full_mips().with_color_space(ColorSpace::Srgb);
/// let mut blocks = vec![0; desc.data_bytes() as usize];
/// let mips = MipOptions::new(desc.color_space, desc.alpha_mode);
/// let (encoder, options) = (CpuEncoder::new(), EncodeOptions::default());
/// encode_levels(&encoder, &image, &options, mips, desc.mip_levels, &mut blocks, &Progress::none())?;
/// Texture::new(desc, blocks)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EncodeError`], also where `blocks` has another length than all levels need; `blocks` is then unspecified.
///
/// # Panics
/// If there is more than one level and the image has more than 2⁴⁰ texels.
pub fn encode_levels<T: Texel>(
    encoder: &(impl Encoder<T> + Encoder<[u8; 4]> + ?Sized),
    image: &ImageView<'_, T>,
    options: &EncodeOptions,
    mips: MipOptions,
    levels: u32,
    blocks: &mut [u8],
    progress: &Progress<'_>,
) -> Result<(), EncodeError> {
    let level_bytes = |level: u32| {
        let [width, height] = [image.width(), image.height()].map(|side| side_of_level(side, level));
        options.format.image_bytes(width, height)
    };
    let needed = (0..levels).fold(0u64, |sum, level| sum.saturating_add(level_bytes(level)));
    if needed != blocks.len() as u64 {
        return Err(EncodeError::BlocksLength { needed, given: blocks.len() });
    }
    let block_bytes = options.format.block_bytes() as u64;
    let mut rest = blocks;
    let mut above: Option<MipLevel> = None;
    for level in 0..levels {
        let done_before = (needed - rest.len() as u64) / block_bytes;
        let (blocks, after) = std::mem::take(&mut rest).split_at_mut(level_bytes(level) as usize);
        rest = after;
        let callback = |done: u64, _: u64| progress.tell(done_before + done, needed / block_bytes);
        let progress = progress.with_callback(&callback);
        let is_last = level + 1 == levels;
        above = match &above {
            None => encode_level(encoder, image, options, mips, is_last, blocks, &progress)?,
            Some(above) => encode_level(encoder, &above.view(), options, mips, is_last, blocks, &progress)?,
        };
    }
    Ok(())
}

/// Encodes one level and gives the next, unless it is the last.
fn encode_level<T: Texel>(
    encoder: &(impl Encoder<T> + ?Sized),
    image: &ImageView<'_, T>,
    options: &EncodeOptions,
    mips: MipOptions,
    is_last: bool,
    blocks: &mut [u8],
    progress: &Progress<'_>,
) -> Result<Option<MipLevel>, EncodeError> {
    if is_last {
        encoder.encode_with(image, options, blocks, progress).map(|()| None)
    } else {
        encoder.encode_with_next_level(image, options, mips, blocks, progress).map(Some)
    }
}

fn side_of_level(side: u32, level: u32) -> u32 {
    side.checked_shr(level).unwrap_or(0).max(1)
}
