//! Mip levels.
//!
//! Filtering uses integers only. A table converts 8-bit sRGB values to 16-bit linear light, sums are exact,
//! and a search in a table converts back. The tables are computed at compile time with only the four basic
//! operations, which round alike everywhere. 16-bit values and half floats are fixed-point numbers with
//! weights in 2048ths. A mip level therefore has the same bytes on every machine and for any number of
//! threads.
//!
//! The depth of a 3D texture's level is also halved, by the same rule (`slices.rs`).

mod eight_bits;
mod error;
mod level;
mod slices;
mod taps;
pub(crate) mod transfer;
pub(crate) mod wide;

#[cfg(all(test, feature = "gpu"))]
pub(crate) use eight_bits::mean;
pub use error::MipError;
pub(crate) use level::halved;
pub use level::{MipLevel, MipTexels};
pub(crate) use slices::{Covered, SliceHalver};
#[cfg(all(test, feature = "gpu"))]
pub(crate) use taps::Taps;

use crate::{
    AlphaMode, Cancelled, ColorSpace, EncodeOptions, Image, MipFilter, Stage, Task, TexelFormat, TextureDesc,
    parallel,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Options of a mip level: the properties of the image, besides its texels, on which the level depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MipOptions {
    /// Colour space of the texels. If it is sRGB, red, green and blue of 8-bit texels are averaged in linear
    /// light. Alpha, 16-bit texels and half floats are always linear.
    pub color_space: ColorSpace,
    /// Alpha mode of the texels. If it is [`AlphaMode::Straight`], the colours of 8-bit texels are weighted
    /// by alpha, so that transparent texels do not bleed into others. If all covered texels are fully
    /// transparent, all colours count equally. Otherwise (opaque, premultiplied, 16 bits, half floats), each
    /// channel is averaged independently.
    pub alpha_mode: AlphaMode,
    /// Filter, which selects the texels and their weights. Default: [`MipFilter::Box`].
    pub filter: MipFilter,
}

impl MipOptions {
    /// Returns options with the default filter.
    pub const fn new(color_space: ColorSpace, alpha_mode: AlphaMode) -> Self {
        Self { color_space, alpha_mode, filter: MipFilter::Box }
    }

    /// Returns the options for the mip levels of a texture, with the given filter.
    pub(crate) const fn of(desc: &TextureDesc, options: &EncodeOptions) -> Self {
        Self { color_space: desc.color_space, alpha_mode: desc.alpha_mode, filter: options.mip_filter }
    }
}

/// Returns the next smaller mip level of `image`, as texels of `format`. Each side is halved and rounded
/// down, but is at least 1. Results are rounded to nearest. With half floats, infinities count as the largest
/// finite number, and NaN counts as 0. For a 1×1 image, the result is the same image.
///
/// ```
/// use brickwork_texture::{
///     AlphaMode, ColorSpace, ImageView, Task, TexelFormat,
///     mips::{MipOptions, MipTexels, next_level},
/// };
///
/// let checker = [[0u8, 0, 0], [255, 255, 255], [255, 255, 255], [0, 0, 0]];
/// let image = ImageView::new(&checker, 2, 2)?;
/// let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Opaque);
/// let level = next_level(&image, TexelFormat::Rgba8, options, &Task::new())?;
/// // Half the light, not half the number.
/// assert_eq!(level.texels(), &MipTexels::Rgba8(vec![[188, 188, 188, 255]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MipError`] if the image has more than 2⁴⁰ texels, memory cannot be allocated, or the task is cancelled.
pub fn next_level(
    image: &dyn Image,
    format: TexelFormat,
    options: MipOptions,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    next_slice(&Covered::image(image), format, options, task)
}

/// Returns one slice of the next mip level.
pub(crate) fn next_slice(
    covered: &Covered<'_>,
    format: TexelFormat,
    options: MipOptions,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    let [width, height] = covered.size();
    let mut level = MipLevel::after([width, height, covered.depth], format)?;
    let size = [level.width(), level.height()];
    match level.texels_mut() {
        MipTexels::Rgba8(texels) => {
            let fill = |y, row: &mut _| eight_bits::filter_row(covered, options, y, row);
            each_row(texels, size, task, fill)?;
        }
        MipTexels::Rgba16(texels) => {
            let fill = |y, row: &mut _| wide::filter_row_16(covered, y, row);
            each_row(texels, size, task, fill)?;
        }
        MipTexels::RgbaF16(texels) => {
            let fill = |y, row: &mut _| wide::filter_row_f16(covered, y, row);
            each_row(texels, size, task, fill)?;
        }
    }
    Ok(level)
}

/// Calls `fill(y, row)` for each row of texels.
fn each_row<T: Send>(
    texels: &mut [T],
    [width, height]: [u32; 2],
    task: &Task<'_>,
    fill: impl Fn(u32, &mut [T]) + Sync + Send,
) -> Result<(), Cancelled> {
    let done = AtomicU64::new(0);
    let fill = |(y, row): (usize, &mut [T])| {
        task.check()?;
        fill(y as u32, row);
        task.report(Stage::Preparing, done.fetch_add(1, Ordering::Relaxed) + 1, height.into());
        Ok(())
    };
    let width = width as usize;
    parallel::try_for_each(task, texels.chunks_exact_mut(width).enumerate(), fill)
}

#[cfg(test)]
mod tests;
