//! Trial of compression: mip level 0, encoded in memory and measured.

use super::{error::AuditError, subject::Context};
use crate::report::AuditTrial;
use brickwork_base::Task;
use brickwork_image::image_file::Picture;
use brickwork_toolkit::texture::TextureTrial;

/// A picture that was encoded.
pub(super) struct Trial {
    /// The loss in dB; infinite if no texel changes.
    pub psnr: f64,
    pub report: AuditTrial,
}

/// Encodes a picture, or a sample of it, and measures the loss.
///
/// # Errors
/// [`AuditError`] as of `encode`.
pub(super) fn run(
    trial: &TextureTrial,
    (picture, sampled): (&Picture, bool),
    context: &Context<'_>,
    task: &Task<'_>,
) -> Result<Trial, AuditError> {
    let encoded = trial.encode(picture, context.devices, context.max_memory, task)?;
    let (measure, psnr) = match &encoded.measured.hdr_metrics {
        Some(metrics) => ("mpsnr", metrics.multi_exposure_psnr()),
        None => ("psnr", encoded.psnr()),
    };
    let report = AuditTrial {
        format: encoded.plan.desc.format.name(),
        quality: encoded.plan.options.quality.name(),
        measure,
        psnr: psnr.is_finite().then_some(psnr),
        texel_count: picture.texels.texel_count() as u64,
        sampled,
    };
    Ok(Trial { psnr, report })
}
