//! Device, times and error of a texture.

use super::{MeasureError, TextureJobError, TexturePlan, pictures::Pictures};
use crate::device::Device;
use brickwork_base::{Cancelled, Stage, Task};
use brickwork_texture::{
    AlphaMode, CpuEncoder, Image, Texture,
    metrics::{self, HdrMetrics, HdrRange, Metrics},
};
use std::time::{Duration, Instant};

/// Device, times and error of a texture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measured {
    /// The device that encoded.
    pub device: Device,
    /// Time of encoding all mip levels and of computing those that are not among the inputs.
    pub encode_time: Duration,
    /// Time of measuring the error.
    pub measure_time: Duration,
    /// Error of mip level 0; none if it is not measured.
    pub metrics: Option<Metrics>,
    /// Error of the texels whose colours count ([`PsnrScope`](super::PsnrScope)), if alpha has one bit or
    /// hides the colours of others.
    pub visible_metrics: Option<Metrics>,
    /// Error of mip level 0 in half floats, instead of `metrics`, for formats of floats.
    pub hdr_metrics: Option<HdrMetrics>,
}

impl Measured {
    pub(super) fn new(device: Device, encode_time: Duration) -> Self {
        Self {
            device,
            encode_time,
            measure_time: Duration::ZERO,
            metrics: None,
            visible_metrics: None,
            hdr_metrics: None,
        }
    }

    /// True if the texture by this plan has every texel of its pictures, as they were prepared. False if that
    /// was not measured: formats of fewer than three channels drop some, and errors of most blocks are those
    /// of 8 bits.
    pub fn is_equal(&self, plan: &TexturePlan) -> bool {
        let TexturePlan { desc, options, is_alpha_dropped, has_8_bits, .. } = plan;
        let format = desc.format;
        let is_exact = *has_8_bits || format.plain().is_some() || options.rounding_rule.is_unrounded(format);
        let is_same = |all: &Metrics| {
            let is_opaque = desc.alpha_mode == AlphaMode::Opaque;
            all.psnr_colors(format).is_infinite() && (is_opaque || all.psnr_channel(3).is_infinite())
        };
        let stores_colors = format.channels().len() >= 3;
        stores_colors && is_exact && !is_alpha_dropped && self.metrics.as_ref().is_some_and(is_same)
    }
}

/// Errors of one image.
enum Errors {
    /// Those of all texels and of the visible ones.
    Ldr(Metrics, Option<Metrics>),
    Hdr(HdrMetrics),
}

/// Measures the error of all images of mip level 0. `name` is the name of the first input.
pub(super) fn measure(
    measured: &mut Measured,
    texture: &Texture,
    plan: &TexturePlan,
    pictures: &Pictures<'_>,
    name: &dyn Fn() -> String,
    task: &Task<'_>,
) -> Result<(), TextureJobError> {
    let (start, images) = (Instant::now(), task.without_progress());
    let (desc, rule) = (&plan.desc, plan.options.rounding_rule);
    let [_, _, depth] = desc.mip_level_size(0);
    let slice_bytes = desc.format.image_bytes(desc.width, desc.height) as usize;
    let per_face = pictures.count() / (desc.layers * desc.faces()) as usize;
    let scope = plan.psnr_scope();
    let image_count = u64::from(desc.layers) * u64::from(desc.faces()) * u64::from(depth);
    for index in 0..image_count as u32 {
        task.report(Stage::Comparing, index.into(), image_count);
        let (face, slice) = (index / depth, index % depth);
        let image = pictures.image(face as usize * per_face + slice as usize, task)?;
        let compare = || -> Result<_, MeasureError> {
            let blocks = texture.image(face / desc.faces(), face % desc.faces(), 0)?;
            let blocks = &blocks[slice as usize * slice_bytes..][..slice_bytes];
            if desc.format.is_float() {
                let is_unsigned = desc.format.is_unsigned_float();
                let range = if is_unsigned { HdrRange::Unsigned } else { HdrRange::Signed };
                let errors = metrics::compare_hdr_blocks(&*image, desc.format, blocks, range, &images)?;
                return Ok(Errors::Hdr(errors));
            }
            let compare = |least_alpha| {
                let (format, color_space) = (desc.format, desc.color_space);
                metrics::compare_visible_blocks(
                    &*image,
                    format,
                    color_space,
                    blocks,
                    rule,
                    least_alpha,
                    &images,
                )
            };
            let all = compare(0)?;
            let counted = match scope.least_alpha() {
                0 => scope.is_punched().then_some(all),
                least if scope.is_punched() || has_alpha_below(&*image, least, task)? => {
                    Some(compare(least)?)
                }
                _ => Some(all),
            };
            Ok(Errors::Ldr(all, counted))
        };
        match compare().map_err(|error| TextureJobError::Measure { input: name(), error })? {
            Errors::Hdr(errors) => {
                let sum = measured.hdr_metrics.map_or(errors, |sum| sum.joined(&errors));
                measured.hdr_metrics = Some(sum);
            }
            Errors::Ldr(all, counted) => {
                measured.metrics = Some(measured.metrics.map_or(all, |sum| sum.joined(&all)));
                let sum = measured.visible_metrics;
                measured.visible_metrics = counted.map(|more| sum.map_or(more, |sum| sum.joined(&more)));
            }
        }
    }
    let all_count = measured.metrics.map_or(0, |all| all.texel_count);
    let is_part = |counted: &Metrics| (1..all_count).contains(&counted.texel_count);
    measured.visible_metrics =
        measured.visible_metrics.filter(|counted| scope.is_punched() || is_part(counted));
    task.report(Stage::Comparing, image_count, image_count);
    measured.measure_time = start.elapsed();
    Ok(())
}

/// True if a texel has less alpha.
fn has_alpha_below(image: &dyn Image, least_alpha: u8, task: &Task<'_>) -> Result<bool, Cancelled> {
    let [width, height] = image.size();
    let mut row = vec![[0; 4]; width as usize];
    for y in 0..height {
        task.check()?;
        if image.row_rgba8(y, &mut row).iter().any(|texel| texel[3] < least_alpha) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the name of the CPU's instruction set that the encoders use, such as `avx2`.
pub fn simd_name() -> String {
    format!("{:?}", CpuEncoder::new().simd_level()).to_lowercase()
}
