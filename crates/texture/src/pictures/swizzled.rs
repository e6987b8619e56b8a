//! Channels of pictures in the order that a swizzle states.

use crate::display::swizzle;
use crate::{ChannelType, Swizzle, SwizzleSource};
use brickwork_image::Channel;
use brickwork_image::image_file::{
    Texels,
    decoder::{Budget, Failure, zeroed},
};
use half::f16;

/// Returns the texels to display. Channels that a picture lacks are 0, and a missing alpha is 1.
///
/// # Errors
/// [`Failure`] if the memory limit is exceeded.
pub(super) fn swizzled(
    texels: Texels,
    by: Swizzle,
    has_alpha: bool,
    budget: &Budget<'_>,
) -> Result<Texels, Failure> {
    if by == Swizzle::IDENTITY {
        return Ok(texels);
    }
    let texel_count = texels.texel_count() as u64;
    // Copies of four channels and of fewer.
    let copy_bytes = if texels.texel_type().channel_type() == ChannelType::F32 { 32 } else { 16 };
    budget.check((texels.byte_count() as u64).saturating_add(texel_count * copy_bytes))?;
    let [red, green, blue, alpha] = by.0;
    let is_opaque = alpha == SwizzleSource::One || alpha == SwizzleSource::Alpha && !has_alpha;
    let is_grey = is_opaque && red == green && green == blue;
    let channels = texels.texel_type().channel_count();
    Ok(match texels.texel_type().channel_type() {
        ChannelType::U8 => bytes(rgba(&texels, channels, u8::MAX, by)?, is_opaque, is_grey),
        ChannelType::U16 => words(rgba(&texels, channels, u16::MAX, by)?, is_opaque, is_grey),
        ChannelType::F16 => halves(rgba(&texels, channels, f16::ONE, by)?, is_opaque),
        ChannelType::F32 => singles(rgba(&texels, channels, 1.0, by)?, is_opaque),
    })
}

fn rgba<C: Channel + bytemuck::Pod>(
    stored: &Texels,
    channels: u32,
    one: C,
    by: Swizzle,
) -> Result<Vec<[C; 4]>, Failure> {
    let count = stored.texel_count();
    let out_of_memory = || Failure::OutOfMemory((count * size_of::<[C; 4]>()) as u64);
    let mut texels = zeroed::<[C; 4]>(count).ok_or_else(out_of_memory)?;
    let stored: &[C] = bytemuck::cast_slice(stored.bytes());
    for (target, stored) in texels.iter_mut().zip(stored.chunks_exact(channels as usize)) {
        target[3] = one;
        target[..stored.len()].copy_from_slice(stored);
    }
    swizzle(&mut texels, by);
    Ok(texels)
}

fn bytes(texels: Vec<[u8; 4]>, is_opaque: bool, is_grey: bool) -> Texels {
    match (is_opaque, is_grey) {
        (_, true) => Texels::Grey8(texels.iter().map(|texel| texel[0]).collect()),
        (true, _) => Texels::Rgb8(texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect()),
        _ => Texels::Rgba8(texels),
    }
}

fn words(texels: Vec<[u16; 4]>, is_opaque: bool, is_grey: bool) -> Texels {
    match (is_opaque, is_grey) {
        (_, true) => Texels::Grey16(texels.iter().map(|texel| texel[0]).collect()),
        (true, _) => Texels::Rgb16(texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect()),
        _ => Texels::Rgba16(texels),
    }
}

fn halves(texels: Vec<[f16; 4]>, is_opaque: bool) -> Texels {
    if is_opaque {
        return Texels::RgbF16(texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect());
    }
    Texels::RgbaF16(texels)
}

fn singles(texels: Vec<[f32; 4]>, is_opaque: bool) -> Texels {
    if is_opaque {
        return Texels::RgbF32(texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect());
    }
    Texels::RgbaF32(texels)
}
