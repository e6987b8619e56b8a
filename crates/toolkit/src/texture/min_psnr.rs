//! Formats and qualities that are tried until a texture has a PSNR.

use super::{
    TextureJobError, TextureOptions, TexturePlan,
    rdo_search::{Attempt, psnr_of},
};
use brickwork_texture::{BlockFormat, Quality, TextureFormat, container::DdsHeader, mips::MipOptions};

/// Encodes by a plan, or by the first of its closer variants that reaches [`TextureOptions::min_psnr`]. The
/// plan becomes the one that was used. `encode` encodes by a plan, and measures the error. `name` is the name
/// of the first input.
///
/// # Errors
/// The error of `encode`, or [`TextureJobError::BelowMinPsnr`] if no variant reaches it.
pub(super) fn encode_closely(
    min: f64,
    options: &TextureOptions,
    plan: &mut TexturePlan,
    name: &str,
    mut encode: impl FnMut(&TexturePlan) -> Result<Attempt, TextureJobError>,
) -> Result<Attempt, TextureJobError> {
    let first = encode(plan)?;
    let first_psnr = psnr_of(&first.texture, &first.measured);
    if first_psnr >= min {
        return Ok(first);
    }
    drop(first);
    let mut best = first_psnr;
    for closer in closer_plans(options, plan) {
        let attempt = encode(&closer)?;
        let psnr = psnr_of(&attempt.texture, &attempt.measured);
        if psnr >= min {
            let format = plan.desc.format;
            let reason =
                format!("{format} has {first_psnr:.1} dB in {} quality", plan.options.quality.name());
            let before = plan.format_reason.take();
            *plan = closer;
            plan.format_reason = Some(before.map_or(reason.clone(), |before| format!("{before}; {reason}")));
            return Ok(attempt);
        }
        best = best.max(psnr);
    }
    Err(TextureJobError::BelowMinPsnr { input: name.to_owned(), psnr: best, min })
}

/// Returns plans with less error: BC7 in place of BC1 if the format was not stated, then higher qualities.
fn closer_plans(options: &TextureOptions, plan: &TexturePlan) -> Vec<TexturePlan> {
    let mut plans = Vec::new();
    let mut last = plan.clone();
    let is_open = options.format.format().is_none() && options.dds_header != DdsHeader::Legacy;
    if is_open && plan.desc.format == BlockFormat::Bc1 {
        last.desc.format = TextureFormat::Block(BlockFormat::Bc7);
        last.mips = plan.mips.map(|_| MipOptions::of_texture(&last.desc, &last.options));
        plans.push(last.clone());
    }
    if last.desc.format.block().is_some() && last.options.real_time.is_none() {
        for quality in [Quality::High, Quality::Best].into_iter().filter(|&q| q > plan.options.quality) {
            last.options.quality = quality;
            plans.push(last.clone());
        }
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        device::{DeviceChoice, Devices},
        texture::{EncodedTexture, FormatChoice, encode_pictures},
    };
    use brickwork_base::Task;
    use brickwork_image::image_file::{ImageReadOptions, Picture};
    use brickwork_texture::pictures::read;
    use std::{io::Cursor, slice};

    /// A smooth picture with a little noise.
    fn picture() -> Picture {
        let mut file = b"P6 96 64 255\n".to_vec();
        let noise = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 29;
        file.extend((0..96 * 64).flat_map(|i| {
            let (x, y) = (i % 96, i / 96);
            [x * 2 + 20, y * 3 + 30, x + y + 40].map(|value| (value + noise(x, y)) as u8)
        }));
        read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
    }

    fn encoded(format: &str, min_psnr: Option<f64>) -> Result<EncodedTexture, TextureJobError> {
        let devices = Devices::open(DeviceChoice::Cpu).unwrap();
        let format: FormatChoice = format.parse().unwrap();
        let options = TextureOptions { format, min_psnr, ..TextureOptions::default() };
        let names = ["a_albedo.png".to_owned()];
        encode_pictures(&options, slice::from_ref(&picture()), &names, &devices, 1 << 28, &Task::new())
    }

    #[test]
    fn the_next_format_or_quality_is_tried() {
        let plain = encoded("auto", None).unwrap();
        let bc1 = encoded("bc1", None).unwrap().psnr();
        let bc7 = encoded("bc7", None).unwrap().psnr();
        assert!(bc1 + 1.0 < bc7, "{bc1} {bc7}");
        assert_eq!(plain.plan.desc.format, BlockFormat::Bc1, "{:?}", plain.plan.format_reason);
        let same = encoded("auto", Some(bc1 - 0.1)).unwrap();
        assert_eq!(same.texture.data(), plain.texture.data());
        let closer = encoded("auto", Some(bc1 + 0.5)).unwrap();
        assert_eq!(closer.plan.desc.format, BlockFormat::Bc7);
        assert_eq!(closer.texture.data(), encoded("bc7", None).unwrap().texture.data());
        let reason = closer.plan.format_reason.unwrap();
        assert!(reason.contains(&format!("bc1 has {bc1:.1} dB in normal quality")), "{reason}");
        // A stated format stays.
        let error = encoded("bc1", Some(bc7)).unwrap_err();
        let TextureJobError::BelowMinPsnr { psnr, min, .. } = error else { panic!("{error}") };
        assert!(psnr >= bc1 && psnr < min && min == bc7);
        let best = encoded("bc7", Some(bc7 + 0.01)).map(|encoded| encoded.plan.options.quality);
        assert!(best.is_ok_and(|quality| quality > Quality::Normal));
        assert!(encoded("bc7", Some(90.0)).is_err());
    }
}
