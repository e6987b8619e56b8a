//! Device, times and error of a texture.

use super::{MeasureError, TextureJobError, TexturePlan, pictures::Pictures};
use crate::device::Device;
use brickwork_base::{Stage, Task};
use brickwork_texture::{
    CpuEncoder, Texture,
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
    /// Error of the texels that the alpha threshold leaves opaque, if it makes others transparent.
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
    let threshold = plan.alpha_threshold();
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
            Ok(Errors::Ldr(compare(0)?, threshold.map(compare).transpose()?))
        };
        match compare().map_err(|error| TextureJobError::Measure { input: name(), error })? {
            Errors::Hdr(errors) => measured.hdr_metrics = Some(hdr_together(measured.hdr_metrics, errors)),
            Errors::Ldr(all, visible) => {
                measured.metrics = Some(together(measured.metrics, all));
                if let Some(visible) = visible {
                    measured.visible_metrics = Some(together(measured.visible_metrics, visible));
                }
            }
        }
    }
    task.report(Stage::Comparing, image_count, image_count);
    measured.measure_time = start.elapsed();
    Ok(())
}

/// Returns the error of the texels of `a` and `b` together.
fn together(a: Option<Metrics>, b: Metrics) -> Metrics {
    let Some(a) = a.filter(|a| a.texel_count > 0) else { return b };
    if b.texel_count == 0 {
        return a;
    }
    let count = (a.texel_count + b.texel_count) as f64;
    let share = a.texel_count as f64 / count;
    let mean = |a: f64, b: f64| a * share + b * (1.0 - share);
    let mut both = a;
    both.texel_count += b.texel_count;
    both.mse = std::array::from_fn(|c| mean(a.mse[c], b.mse[c]));
    both.mse_luma = mean(a.mse_luma, b.mse_luma);
    both.max_error = std::array::from_fn(|c| a.max_error[c].max(b.max_error[c]));
    both.ssim = None;
    both
}

/// Returns the error of the texels of `a` and `b` together.
fn hdr_together(a: Option<HdrMetrics>, b: HdrMetrics) -> HdrMetrics {
    let Some(mut a) = a else { return b };
    let count = (a.texel_count + b.texel_count) as f64;
    let share = a.texel_count as f64 / count;
    let mean = |a: f64, b: f64| a * share + b * (1.0 - share);
    a.texel_count += b.texel_count;
    a.mse_bits = mean(a.mse_bits, b.mse_bits);
    a.max_steps = a.max_steps.max(b.max_steps);
    a.mse_log2 = mean(a.mse_log2, b.mse_log2);
    a.mse_exposures = mean(a.mse_exposures, b.mse_exposures);
    a.mse_reinhard = mean(a.mse_reinhard, b.mse_reinhard);
    a
}

/// Returns the name of the CPU's instruction set that the encoders use, such as `avx2`.
pub fn simd_name() -> String {
    format!("{:?}", CpuEncoder::new().simd_level()).to_lowercase()
}
