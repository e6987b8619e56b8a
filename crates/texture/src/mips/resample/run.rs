//! Resampling of an image, in bands of rows.

use super::{
    Lights,
    axes::Axes,
    source::{self, Conversion},
    strip::{Buffers, Job, Strip},
};
use crate::{
    ChannelType, ColorSpace, Image, Stage, Task,
    block_row::Form,
    mips::{MipError, MipLevel, MipOptions, MipTexels},
};
use brickwork_base::parallel;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum number of rows of a band. Each band computes some rows of its neighbours again.
const BAND_ROWS: u32 = 64;

/// Returns `image` with another size, in RGBA with channels of this type.
pub(crate) fn resample(
    image: &dyn Image,
    channels: ChannelType,
    size: [u32; 2],
    options: MipOptions,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    let mut level = MipLevel::new(size, channels)?;
    let Axes { filter, covered } = Axes::new(image.size(), size, options, image.has_alpha())?;
    let job = Job { image, axes: filter, covered, task };
    let is_srgb = options.color_space == ColorSpace::Srgb;
    match level.texels_mut() {
        MipTexels::Rgba8(texels) if is_srgb => fill(&job, size, texels, &source::srgb8()),
        MipTexels::Rgba8(texels) => fill(&job, size, texels, &source::unorm8()),
        MipTexels::Rgba16(texels) if is_srgb => fill(&job, size, texels, &source::srgb16()),
        MipTexels::Rgba16(texels) => fill(&job, size, texels, &source::unorm16()),
        MipTexels::RgbaF16(texels) => fill(&job, size, texels, &source::halves()),
        MipTexels::RgbaF32(texels) => fill(&job, size, texels, &source::singles()),
    }?;
    Ok(level)
}

/// Fills the texels of the target.
fn fill<T: Form + Send>(
    job: &Job<'_>,
    [width, height]: [u32; 2],
    texels: &mut [T],
    conversion: &Conversion<impl Fn(&T) -> Lights + Sync, impl Fn(Lights) -> T + Sync>,
) -> Result<(), MipError> {
    let band_rows = height.div_ceil(8).clamp(1, BAND_ROWS);
    let done = AtomicU64::new(0);
    let fill_band = |buffers: &mut Buffers<T>, (band, texels): (usize, &mut [T])| {
        let first_row = band as u32 * band_rows;
        for first_column in (0..width).step_by(Strip::<T>::width(job) as usize) {
            let mut strip = Strip::new(job, first_column, width, buffers)?;
            for (y, row) in (first_row..).zip(texels.chunks_exact_mut(width as usize)) {
                strip.fill_row(y, conversion, row)?;
            }
        }
        let rows = (texels.len() / width as usize) as u64;
        job.task.report(Stage::Preparing, done.fetch_add(rows, Ordering::Relaxed) + rows, height.into());
        Ok(())
    };
    let bands = texels.chunks_mut(width as usize * band_rows as usize).enumerate();
    parallel::try_for_each_with(job.task, bands, Buffers::default, fill_band)
}
