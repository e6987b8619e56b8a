//! BC4 and BC5 of images with 16 bits per channel: errors are those of all 16 bits.

use crate::common::Random;
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, Encoder, Image, ImageView, ImageViewMut, Quality, RdoLambda,
    RoundingRule, Task, TextureDesc, decode_into, encode_texture,
};
use std::num::NonZeroUsize;

const FORMATS: [BlockFormat; 4] =
    [BlockFormat::Bc4Unorm, BlockFormat::Bc4Snorm, BlockFormat::Bc5Unorm, BlockFormat::Bc5Snorm];

/// Red and green of 16 bits: hills whose blocks have a few levels, steep ones, noise, and both ends.
fn images(width: u32, height: u32) -> Vec<(&'static str, Vec<[u16; 3]>)> {
    let mut random = Random(16);
    let mut of = |value: &mut dyn FnMut(f64, f64, &mut Random) -> f64| {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (f64::from(x), f64::from(y))));
        let number = |value: f64| (value.clamp(0.0, 1.0) * 65535.0).round() as u16;
        let texel = |(x, y)| [number(value(x, y, &mut random)), number(value(y, x, &mut random)), 0];
        places.map(texel).collect::<Vec<_>>()
    };
    let mut hills = |x: f64, y: f64, _: &mut Random| 0.5 + 0.4 * (x / 97.0).sin() * (y / 61.0).cos();
    let mut steep = |x: f64, y: f64, _: &mut Random| 0.5 + 0.6 * (x / 3.0).sin() * (y / 5.0).cos();
    let mut noise = |_: f64, _: f64, random: &mut Random| f64::from(random.byte()) / 255.0;
    let mut flat = |x: f64, y: f64, _: &mut Random| ((x / 4.0).floor() + 17.0 * (y / 4.0).floor()) / 1009.0;
    vec![
        ("hills", of(&mut hills)),
        ("steep", of(&mut steep)),
        ("noise", of(&mut noise)),
        ("flat", of(&mut flat)),
    ]
}

fn encoded(encoder: &Encoder, image: &dyn Image, format: BlockFormat, options: &EncodeOptions) -> Vec<u8> {
    let [width, height] = image.size();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    encoder.encode_into(image, format, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

fn with_quality(quality: Quality) -> EncodeOptions {
    EncodeOptions::default().with(|o| o.quality = quality)
}

/// Root of the mean squared difference between the channels of a format and 16-bit texels, of 255.
fn rms(texels: &[[u16; 3]], [width, height]: [u32; 2], format: BlockFormat, blocks: &[u8]) -> f64 {
    let mut found = vec![[0f32; 4]; texels.len()];
    let mut view = ImageViewMut::new(&mut found[..], width, height).unwrap();
    decode_into(format, blocks, RoundingRule::Real, &mut view, &Task::new()).unwrap();
    let channels = if matches!(format, BlockFormat::Bc4Unorm | BlockFormat::Bc4Snorm) { 1 } else { 2 };
    let pairs = texels.iter().zip(&found).flat_map(|(texel, found)| texel.iter().zip(found).take(channels));
    let squares = pairs.map(|(&word, &value)| (f64::from(word) / 257.0 - f64::from(value) * 255.0).powi(2));
    (squares.sum::<f64>() / (channels * texels.len()) as f64).sqrt()
}

/// Returns the squared error of each channel of each block as an NVIDIA GPU decodes it. Values and sources
/// are whole units: 65535ths, or 65534 · 255ths of signed formats, to which their sources are rounded.
fn nvidia_errors(
    texels: &[[u16; 3]],
    [width, height]: [u32; 2],
    format: BlockFormat,
    blocks: &[u8],
) -> Vec<u64> {
    let mut found = vec![[0f32; 4]; texels.len()];
    let mut view = ImageViewMut::new(&mut found[..], width, height).unwrap();
    decode_into(format, blocks, RoundingRule::Nvidia, &mut view, &Task::new()).unwrap();
    let is_signed = matches!(format, BlockFormat::Bc4Snorm | BlockFormat::Bc5Snorm);
    let channels = if matches!(format, BlockFormat::Bc4Unorm | BlockFormat::Bc4Snorm) { 1 } else { 2 };
    let columns = width.div_ceil(4) as usize;
    let mut errors = vec![0; channels * columns * height.div_ceil(4) as usize];
    for (i, (texel, found)) in texels.iter().zip(&found).enumerate() {
        let (x, y) = (i % width as usize, i / width as usize);
        for c in 0..channels {
            let (word, value) = (f64::from(texel[c]), f64::from(found[c]));
            let difference = if is_signed {
                (value * 65534.0).round() * 255.0 - (word * 65534.0 / 257.0).round()
            } else {
                (value * 65535.0).round() - word
            };
            errors[channels * (y / 4 * columns + x / 4) + c] += (difference.abs() as u64).pow(2);
        }
    }
    errors
}

#[test]
fn no_block_for_nvidia_has_a_larger_error_than_one_for_exact_fractions() {
    let [width, height] = [61, 34];
    for (name, texels) in images(width, height) {
        let image = ImageView::new(&texels, width, height).unwrap();
        for (format, &quality) in
            FORMATS.into_iter().flat_map(|format| Quality::ALL.iter().map(move |quality| (format, quality)))
        {
            let [nvidia, real] = [RoundingRule::Nvidia, RoundingRule::Real].map(|rule| {
                let options = with_quality(quality).with(|o| o.rounding_rule = rule);
                let blocks = encoded(&Encoder::default(), &image, format, &options);
                nvidia_errors(&texels, [width, height], format, &blocks)
            });
            // Quality best starts from blocks of 8 bits, which depend on the rule.
            if quality < Quality::Best {
                for (block, (nvidia, real)) in nvidia.iter().zip(&real).enumerate() {
                    assert!(nvidia <= real, "{name} {format} {quality:?} {block}: {nvidia}, {real}");
                }
            }
            let [nvidia, real] = [nvidia, real].map(|errors| errors.into_iter().sum::<u64>());
            let is_refitted = quality >= Quality::Normal && name != "flat";
            assert!(nvidia <= real && (!is_refitted || nvidia < real), "{name} {format} {quality:?}");
        }
    }
}

#[test]
fn errors_fall_below_those_of_8_bits() {
    let [width, height] = [61, 34];
    for (name, texels) in images(width, height) {
        let bytes: Vec<[u8; 3]> =
            texels.iter().map(|texel| texel.map(|word| ((u32::from(word) + 128) / 257) as u8)).collect();
        let deep = ImageView::new(&texels, width, height).unwrap();
        let shallow = ImageView::new(&bytes, width, height).unwrap();
        for format in FORMATS {
            let mut last = f64::INFINITY;
            for &quality in Quality::ALL {
                let options = with_quality(quality);
                let of = |image| {
                    rms(
                        &texels,
                        [width, height],
                        format,
                        &encoded(&Encoder::default(), image, format, &options),
                    )
                };
                let (found, rounded) = (of(&deep), of(&shallow));
                assert!(found <= rounded + 1e-9, "{name} {format} {quality:?}: {found}, 8 bits {rounded}");
                assert!(found <= last + 1e-9, "{name} {format} {quality:?}: {found} after {last}");
                last = found;
            }
            let most = match name {
                "flat" => 0.06,
                "hills" => 0.15,
                _ => continue,
            };
            assert!(last < most, "{name} {format}: {last}");
        }
    }
}

/// No endpoints are closer than those of quality best, or hardly.
#[test]
fn best_is_nearly_the_optimum() {
    let texels: Vec<_> = images(16, 4).into_iter().flat_map(|(_, texels)| texels).collect();
    let (mut best, mut least) = (0.0, 0.0);
    for column in 0..texels.len() / 16 {
        let values: Vec<f64> = (0..16)
            .map(|t| f64::from(texels[column / 4 * 64 + t / 4 * 16 + column % 4 * 4 + t % 4][0]))
            .collect();
        let block: Vec<[u16; 3]> = values.iter().map(|&value| [value as u16, 0, 0]).collect();
        let image = ImageView::new(&block, 4, 4).unwrap();
        let blocks =
            encoded(&Encoder::default(), &image, BlockFormat::Bc4Unorm, &with_quality(Quality::Best));
        best += rms(&block, [4, 4], BlockFormat::Bc4Unorm, &blocks).powi(2);
        let mut optimum = f64::INFINITY;
        for a in 0..=255 {
            for b in 0..=255 {
                let steps = if a > b { 7 } else { 5 };
                let value = |k: i32| 257.0 * f64::from((steps - k) * a + k * b) / f64::from(steps);
                let mut palette: Vec<f64> = (0..=steps).map(value).collect();
                palette.extend(if a > b { [].as_slice() } else { &[0.0, 65535.0] });
                let nearest = |v: &f64| palette.iter().map(|p| (p - v).powi(2)).fold(f64::INFINITY, f64::min);
                optimum = values.iter().map(nearest).sum::<f64>().min(optimum);
            }
        }
        least += optimum / 16.0 / (257.0 * 257.0);
    }
    // Decoded values are single floats.
    assert!(best >= (1.0 - 1e-6) * least && best <= 1.0001 * least, "{best}, optimum {least}");
}

#[test]
fn every_thread_count_gives_the_same_blocks_of_16_bits() {
    for (name, texels) in images(70, 19) {
        let image = ImageView::new(&texels, 70, 19).unwrap();
        let of = |threads| {
            let encoder = CpuEncoder::new().with_threads(NonZeroUsize::new(threads).unwrap());
            encoded(&encoder.into(), &image, BlockFormat::Bc5Snorm, &with_quality(Quality::Normal))
        };
        assert!(of(1) == of(3), "{name}");
    }
}

#[cfg(feature = "gpu")]
#[test]
fn gpus_give_the_same_blocks_and_mip_levels_of_16_bits() {
    let Some(gpu) = crate::common::gpu_encoder() else { return };
    for (name, texels) in images(45, 30) {
        let image = ImageView::new(&texels, 45, 30).unwrap();
        for format in FORMATS {
            let what = format!("{name} {format}");
            let options = with_quality(Quality::Normal);
            let desc = TextureDesc::of_image(&image, format).with_full_mips();
            let of =
                |encoder: &Encoder| encode_texture(encoder, &image, &desc, &options, &Task::new()).unwrap();
            let [cpu, gpu] =
                [Encoder::default(), gpu.clone().into()].map(|encoder| of(&encoder).data().to_vec());
            crate::common::assert_same_blocks(&cpu, &gpu, &what);
        }
    }
}

#[test]
fn mip_levels_are_made_of_16_bits() {
    // Half of a difference of 8-bit values: the mean of each four texels is between two of them.
    let texels: Vec<u16> = (0..64).map(|t| (100 + t / 8 % 2) * 257).collect();
    let image = ImageView::new(&texels, 8, 8).unwrap();
    let desc = TextureDesc::of_image(&image, BlockFormat::Bc4Unorm).with_mip_levels(2);
    let texture =
        encode_texture(&Encoder::default(), &image, &desc, &with_quality(Quality::Best), &Task::new());
    let level = texture.unwrap().data()[4 * 8..].to_vec();
    let mean = [[100 * 257 + 128, 0, 0]; 16];
    assert!(rms(&mean, [4, 4], BlockFormat::Bc4Unorm, &level) < 0.1);
}

#[test]
fn values_of_8_bits_and_rdo_count_8_bits() {
    let (_, texels) = images(32, 32).remove(0);
    let bytes: Vec<[u8; 3]> =
        texels.iter().map(|texel| texel.map(|word| ((u32::from(word) + 128) / 257) as u8)).collect();
    let deep = ImageView::new(&texels, 32, 32).unwrap();
    let shallow = ImageView::new(&bytes, 32, 32).unwrap();
    let exact = EncodeOptions::default().with(|o| o.rounding_rule = RoundingRule::Exact);
    let rdo = EncodeOptions::default().with(|o| o.rdo = "2".parse::<RdoLambda>().unwrap());
    let format = BlockFormat::Bc4Unorm;
    for (options, is_kept) in [(exact, false), (rdo, false), (EncodeOptions::default(), true)] {
        assert_eq!(options.keeps_16_bits(format), is_kept);
        let [a, b] = [&deep as &dyn Image, &shallow]
            .map(|image| encoded(&Encoder::default(), image, format, &options));
        assert_eq!(a != b, is_kept, "{options:?}");
    }
    assert!(!EncodeOptions::default().keeps_16_bits(BlockFormat::Bc7));
}
