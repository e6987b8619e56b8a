//! Trial of compression: mip level 0, encoded in memory and measured.

use super::{error::AuditError, file::Context};
use crate::{
    report::AuditTrial,
    texture::{PictureFacts, encode::encode_planned, hint::Hinted, pictures::Pictures, rdo_target::psnr_of},
};
use brickwork_base::Task;
use brickwork_image::image_file::Picture;
use std::{borrow::Cow, slice};

/// A picture that was encoded.
pub(super) struct Trial {
    /// The loss in dB; infinite if no texel changes.
    pub psnr: f64,
    pub report: AuditTrial,
}

/// Encodes a picture, or a sample of it, and measures the loss. `facts` are those of the whole picture, with
/// the size of the sample.
///
/// # Errors
/// [`AuditError`] as of `encode`.
pub(super) fn run(
    hinted: &Hinted,
    (picture, sampled): (&Picture, bool),
    facts: &PictureFacts,
    names: &[String],
    context: &Context<'_>,
    task: &Task<'_>,
) -> Result<Trial, AuditError> {
    let pictures = Pictures::InMemory { pictures: vec![Cow::Borrowed(picture)], max_value: None };
    let (facts, devices, max_memory) = (slice::from_ref(facts), context.devices, context.max_memory);
    let encoded = encode_planned(hinted, &pictures, facts, names, devices, max_memory, task)?;
    let (measure, psnr) = match &encoded.measured.hdr_metrics {
        Some(metrics) => ("mpsnr", metrics.multi_exposure_psnr()),
        None => ("psnr", psnr_of(&encoded.texture, &encoded.measured)),
    };
    let report = AuditTrial {
        format: encoded.plan.desc.format.name(),
        quality: encoded.plan.options.quality().name(),
        measure,
        psnr: psnr.is_finite().then_some(psnr),
        texel_count: picture.texels.texel_count() as u64,
        sampled,
    };
    Ok(Trial { psnr, report })
}
