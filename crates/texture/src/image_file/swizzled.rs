//! Channels of pictures in the order that a swizzle states.

use super::{
    Texels,
    budget::{Budget, zeroed},
    failure::Failure,
};
use crate::display::swizzle;
use crate::{ChannelType, Swizzle, SwizzleSource};
use brickwork_image::Channel;
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
    Ok(match texels {
        Texels::Grey8(texels) => bytes(rgba(&texels, |&r| [r, 0, 0, 255], by)?, is_opaque, is_grey),
        Texels::Rgb8(texels) => bytes(rgba(&texels, |&[r, g, b]| [r, g, b, 255], by)?, is_opaque, is_grey),
        Texels::Rgba8(texels) => bytes(rgba(&texels, |&texel| texel, by)?, is_opaque, is_grey),
        Texels::Grey16(texels) => words(rgba(&texels, |&r| [r, 0, 0, u16::MAX], by)?, is_opaque, is_grey),
        Texels::Rgb16(texels) => {
            words(rgba(&texels, |&[r, g, b]| [r, g, b, u16::MAX], by)?, is_opaque, is_grey)
        }
        Texels::Rgba16(texels) => words(rgba(&texels, |&texel| texel, by)?, is_opaque, is_grey),
        Texels::RgbF16(texels) => halves(rgba(&texels, |&[r, g, b]| [r, g, b, f16::ONE], by)?, is_opaque),
        Texels::RgbaF16(texels) => halves(rgba(&texels, |&texel| texel, by)?, is_opaque),
        Texels::RgbF32(texels) => singles(rgba(&texels, |&[r, g, b]| [r, g, b, 1.0], by)?, is_opaque),
        Texels::RgbaF32(texels) => singles(rgba(&texels, |&texel| texel, by)?, is_opaque),
    })
}

fn rgba<T, C: Channel + bytemuck::Pod>(
    stored: &[T],
    texel: impl Fn(&T) -> [C; 4],
    by: Swizzle,
) -> Result<Vec<[C; 4]>, Failure> {
    let out_of_memory = || Failure::OutOfMemory((stored.len() * size_of::<[C; 4]>()) as u64);
    let mut texels = zeroed::<[C; 4]>(stored.len()).ok_or_else(out_of_memory)?;
    for (target, stored) in texels.iter_mut().zip(stored) {
        *target = texel(stored);
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
