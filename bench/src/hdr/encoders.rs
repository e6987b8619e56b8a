//! The encoders of BC6H, each behind a closure. Those that take three channels get them converted beforehand.

use super::Picture;
use crate::peers::{Encode, package};
use anyhow::Result;
use block_compression::{BC6HSettings, CompressionVariant, encode::compress_rgba16};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, Quality, RealTime, Task, half::f16,
};
use ctt_compressonator::bc6h as compressonator;
use intel_tex_2::{RgbaSurface, bc6h as intel};
use std::num::NonZeroUsize;

/// Quality of Compressonator that ctt's preset basic sets.
const COMPRESSONATOR_QUALITY: f32 = 0.05;

/// An encoder with its settings.
pub struct Encoder<'a> {
    pub name: String,
    /// True for Brickwork's own encoder.
    pub is_own: bool,
    pub encode: Encode<'a>,
}

impl<'a> Encoder<'a> {
    fn peer(name: String, encode: impl Fn(usize, &mut [u8]) -> Result<()> + 'a) -> Self {
        Self { name, is_own: false, encode: Box::new(encode) }
    }
}

/// Returns every encoder, in the order of the tables. Only Brickwork, Compressonator and nvtt encode signed
/// blocks.
pub fn all(pictures: &[Picture], is_signed: bool) -> Result<Vec<Encoder<'_>>> {
    let mut all = Vec::new();
    for &level in RealTime::ALL {
        let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
        all.push(brickwork(pictures, is_signed, format!("real time {}", level.name()), options));
    }
    for &quality in Quality::ALL {
        let options = EncodeOptions::default().with(|o| o.quality = quality);
        all.push(brickwork(pictures, is_signed, quality.name().to_owned(), options));
    }
    if !is_signed {
        all.extend(intel_tex(pictures));
        all.extend(block_compression(pictures));
    }
    all.push(compressonator(pictures, is_signed)?);
    #[cfg(nvtt)]
    all.push(nvtt(pictures, is_signed));
    Ok(all)
}

fn brickwork(pictures: &[Picture], is_signed: bool, name: String, options: EncodeOptions) -> Encoder<'_> {
    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
    let format = if is_signed { BlockFormat::Bc6hSfloat } else { BlockFormat::Bc6hUfloat };
    let encode = move |index: usize, blocks: &mut [u8]| {
        let Picture { width, height, texels, .. } = &pictures[index];
        let image = ImageView::new(texels, *width, *height)?;
        Ok(encoder.encode_into(&image, format, &options, blocks, &Task::new())?)
    };
    Encoder { name: format!("Brickwork {name}"), is_own: true, encode: Box::new(encode) }
}

fn intel_tex(pictures: &[Picture]) -> impl Iterator<Item = Encoder<'_>> {
    let settings = [
        ("veryfast", intel::very_fast_settings()),
        ("fast", intel::fast_settings()),
        ("basic", intel::basic_settings()),
        ("slow", intel::slow_settings()),
        ("veryslow", intel::very_slow_settings()),
    ];
    settings.into_iter().map(move |(setting, settings)| {
        Encoder::peer(format!("{} {setting}", package("intel_tex_2")), move |index, blocks| {
            let Picture { width, height, texels, .. } = &pictures[index];
            let data = bytemuck::cast_slice(texels.as_flattened());
            let surface = RgbaSurface { data, width: *width, height: *height, stride: 8 * width };
            intel::compress_blocks_into(&settings, &surface, blocks);
            Ok(())
        })
    })
}

fn block_compression(pictures: &[Picture]) -> impl Iterator<Item = Encoder<'_>> {
    let settings = [
        ("very fast", BC6HSettings::very_fast()),
        ("fast", BC6HSettings::fast()),
        ("basic", BC6HSettings::basic()),
    ];
    settings.into_iter().map(move |(setting, settings)| {
        Encoder::peer(format!("{} (CPU) {setting}", package("block_compression")), move |index, blocks| {
            let Picture { width, height, texels, .. } = &pictures[index];
            let variant = CompressionVariant::BC6H(settings);
            compress_rgba16(variant, texels.as_flattened(), blocks, *width, *height, 4 * width);
            Ok(())
        })
    })
}

fn compressonator(pictures: &[Picture], is_signed: bool) -> Result<Encoder<'_>> {
    let mut options = compressonator::Options::new()?;
    options.set_quality(COMPRESSONATOR_QUALITY)?;
    options.set_signed(is_signed)?;
    let rgb = |picture: &Picture| -> Vec<u16> {
        picture.texels.iter().flat_map(|texel| [0, 1, 2].map(|c: usize| f16::to_bits(texel[c]))).collect()
    };
    let rgb: Vec<_> = pictures.iter().map(rgb).collect();
    let name = format!("{} quality {COMPRESSONATOR_QUALITY}", package("ctt-compressonator"));
    Ok(Encoder::peer(name, move |index, blocks| {
        let Picture { width, height, .. } = pictures[index];
        Ok(compressonator::compress_blocks_into(&rgb[index], width, height, &options, blocks)?)
    }))
}

#[cfg(nvtt)]
fn nvtt(pictures: &[Picture], is_signed: bool) -> Encoder<'_> {
    use crate::peers::nvtt::{NAME, encode};
    Encoder::peer(NAME.to_owned(), move |index, blocks| {
        let Picture { width, height, texels, .. } = &pictures[index];
        encode(texels, *width, *height, is_signed, blocks)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoders_are_named_with_the_version_that_is_linked() {
        for encoder in all(&[], false).unwrap() {
            assert!(!encoder.name.contains("unknown"), "{}", encoder.name);
        }
    }
}
