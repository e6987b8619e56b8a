//! Pictures of another size.

use crate::{
    Task,
    mips::{self, MipError, MipOptions, MipTexels},
};
use brickwork_image::image_file::{Picture, Texels};

/// Returns a picture with this width and height. The type of the texels does not change. With
/// [`AlphaMode::Straight`](crate::AlphaMode::Straight), colours are weighted by alpha.
///
/// # Errors
/// [`MipError`] if a side is 0, the picture has too few texels, memory cannot be allocated, or the task
/// is cancelled.
pub fn resize(
    mut picture: Picture,
    size: [u32; 2],
    options: MipOptions,
    task: &Task<'_>,
) -> Result<Picture, MipError> {
    let channels = picture.texels.texel_type().channel_type();
    let level = mips::resize(&*picture.view()?, channels, size, options, task)?;
    let texels = match (level.into_texels(), &picture.texels) {
        (MipTexels::Rgba8(texels), Texels::Grey8(_)) => Texels::Grey8(map(&texels, |&[grey, ..]| grey)?),
        (MipTexels::Rgba8(texels), Texels::Rgb8(_)) => Texels::Rgb8(map(&texels, rgb)?),
        (MipTexels::Rgba8(texels), _) => Texels::Rgba8(texels),
        (MipTexels::Rgba16(texels), Texels::Grey16(_)) => Texels::Grey16(map(&texels, |&[grey, ..]| grey)?),
        (MipTexels::Rgba16(texels), Texels::Rgb16(_)) => Texels::Rgb16(map(&texels, rgb)?),
        (MipTexels::Rgba16(texels), _) => Texels::Rgba16(texels),
        (MipTexels::RgbaF16(texels), Texels::RgbF16(_)) => Texels::RgbF16(map(&texels, rgb)?),
        (MipTexels::RgbaF16(texels), _) => Texels::RgbaF16(texels),
        (MipTexels::RgbaF32(texels), Texels::RgbF32(_)) => Texels::RgbF32(map(&texels, rgb)?),
        (MipTexels::RgbaF32(texels), _) => Texels::RgbaF32(texels),
    };
    [picture.width, picture.height] = size;
    picture.is_opaque = texels.is_opaque();
    picture.texels = texels;
    Ok(picture)
}

fn rgb<T: Copy>(&[r, g, b, _]: &[T; 4]) -> [T; 3] {
    [r, g, b]
}

/// Returns each texel converted.
fn map<T, U>(texels: &[T], convert: impl Fn(&T) -> U) -> Result<Vec<U>, MipError> {
    let mut converted = Vec::new();
    let needed = (texels.len() * size_of::<U>()) as u64;
    converted.try_reserve_exact(texels.len()).map_err(|_| MipError::OutOfMemory { needed })?;
    converted.extend(texels.iter().map(convert));
    Ok(converted)
}
