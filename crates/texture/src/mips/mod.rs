//! Mip levels, and images of any size.
//!
//! The box filter uses integers only, except for single floats (`singles.rs`). A table converts 8-bit sRGB
//! values to 16-bit linear light, sums are exact, and a search in a table converts back. The tables are
//! computed at compile time with only the four basic operations, which round alike everywhere. 16-bit values
//! and half floats are fixed-point numbers with weights in 2048ths. A mip level therefore has the same bytes
//! on every machine and for any number of threads.
//!
//! The depth of a 3D texture's level is also halved, by the same rule (`slices.rs`).
//!
//! All other filters, and all other sizes, are sums of floats in a fixed order (`resample/`).
//!
//! Minima and maxima take the place of a filter, without conversions (`extremes.rs`).
//!
//! [`roughened`] adds the spread of normals to a level of a roughness map (`roughness.rs`). [`restored_z`]
//! completes normals of which only x and y are stored, [`normalized`] scales others (`normals.rs`).

mod coverage;
mod eight_bits;
mod error;
mod extremes;
mod level;
mod normals;
mod options;
mod resample;
mod roughness;
mod singles;
mod slices;
mod taps;
#[cfg(feature = "gpu")]
pub(crate) mod transfer;
pub(crate) mod wide;

pub(crate) use coverage::Coverage;
#[cfg(all(test, feature = "gpu"))]
pub(crate) use eight_bits::mean;
pub use error::MipError;
pub(crate) use level::halved;
pub use level::{MipLevel, MipTexels};
pub(crate) use normals::renormalize;
pub use normals::{normalized, restored_z};
pub use options::MipOptions;
#[cfg(feature = "gpu")]
pub(crate) use resample::{Axes, Axis, visible};
pub use roughness::roughened;
pub(crate) use slices::{Covered, SliceHalver};
#[cfg(all(test, feature = "gpu"))]
pub(crate) use taps::Taps;

use crate::{Cancelled, ChannelType, Image, Stage, Task};
use brickwork_base::parallel;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns the next smaller mip level of `image`, in RGBA with channels of this type: a [`ChannelType`], or
/// that of a [`TexelFormat`](crate::TexelFormat). Each side is halved and rounded down, but is at least 1.
/// Results are rounded to nearest. With floats, infinities count as the largest finite number, and NaN counts
/// as 0. For a 1×1 image, the result is the same image.
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
    channels: impl Into<ChannelType>,
    options: MipOptions,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    next_slice(&Covered::image(image), channels.into(), options, task)
}

/// Returns `image` with this width and height, in RGBA with channels of this type: a [`ChannelType`], or that
/// of a [`TexelFormat`](crate::TexelFormat).
///
/// Each side may shrink or grow, by any ratio. A side that keeps its length is not filtered. Texels are
/// filtered in linear light if the colour space is sRGB, including those of 16 bits.
///
/// ```
/// use brickwork_texture::{
///     AlphaMode, ColorSpace, ImageView, MipFilter, Task, TexelFormat,
///     mips::{MipOptions, MipTexels, resize},
/// };
///
/// let ramp: Vec<u8> = (0..60).map(|i| 4 * (i % 12)).collect();
/// let mut options = MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque);
/// options.filter = MipFilter::CatmullRom;
/// let small = resize(&ImageView::new(&ramp, 12, 5)?, TexelFormat::Rgba8, [4, 5], options, &Task::new())?;
/// let MipTexels::Rgba8(texels) = small.texels() else { panic!("8 bits") };
/// assert_eq!(texels[1], [16, 16, 16, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MipError`] if a side of `size` is 0, memory cannot be allocated, or the task is cancelled.
pub fn resize(
    image: &dyn Image,
    channels: impl Into<ChannelType>,
    size: [u32; 2],
    options: MipOptions,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    if size.contains(&0) {
        return Err(MipError::Empty { size });
    }
    match options.extreme {
        Some(extreme) => extremes::resize(image, channels.into(), size, extreme, task),
        None => resample::resample(image, channels.into(), size, options, task),
    }
}

/// Returns one slice of the next mip level.
pub(crate) fn next_slice(
    covered: &Covered<'_>,
    channels: ChannelType,
    options: MipOptions,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    if let Some(extreme) = options.extreme {
        return extremes::next_slice(covered, channels, extreme, task);
    }
    let [width, height] = covered.size();
    let is_weighted = options.weighs_by_alpha(channels, covered.has_alpha());
    if let Some(image) = covered.single()
        && let Some(options) = options.for_sums_of_floats(channels, image.has_alpha())
    {
        return resample::resample(image, channels, [width, height].map(halved), options, task);
    }
    let mut level = MipLevel::after([width, height, covered.depth], channels)?;
    let size = [level.width(), level.height()];
    match level.texels_mut() {
        MipTexels::Rgba8(texels) => {
            let fill = |y, row: &mut _| eight_bits::filter_row(covered, options, y, row);
            each_row(texels, size, task, fill)?;
        }
        MipTexels::Rgba16(texels) => {
            let fill = |y, row: &mut _| wide::filter_row_16(covered, y, is_weighted, row);
            each_row(texels, size, task, fill)?;
        }
        MipTexels::RgbaF16(texels) => {
            let fill = |y, row: &mut _| wide::filter_row_f16(covered, y, is_weighted, row);
            each_row(texels, size, task, fill)?;
        }
        MipTexels::RgbaF32(texels) => {
            let fill = |y, row: &mut _| singles::filter_row(covered, y, is_weighted, row);
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
