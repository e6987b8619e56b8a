//! Ordered dithering of colours to the values of endpoints: 5-6-5 bits for BC1 to BC3, else 8 bits.
//!
//! A colour between two values of its channel becomes one of them, so that the mean of an area is the colour.
//! A *threshold* for each texel decides, and is the same for all channels. In a smooth block, the texels then
//! have at most four colours, as many as a block of BC1. Error diffusion would give up to eight. It also
//! depends on the order of the texels.
//!
//! The thresholds are those of an additive recurrence with the plastic number ρ = 1.3247…: the fraction of
//! x/ρ + y/ρ², as a triangle wave (M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences",
//! 2018). Neighbours differ strongly, as in blue noise, and there is no table. All numbers are integers, and
//! each texel depends on its position only.

use crate::{
    BlockFormat, ChannelType, EncodeError, Image, Task,
    mips::{MipLevel, MipTexels},
};
use brickwork_base::parallel;

/// 2³² / ρ and 2³² / ρ², rounded.
const STEPS: [u32; 2] = [0xc13f_a9a9, 0x91e1_0da5];

/// Returns the image as 8-bit RGBA, with dithered colours and rounded alpha. Colours that are values of
/// endpoints do not change.
///
/// # Errors
/// [`EncodeError`] if memory cannot be allocated, or the task is cancelled.
pub(super) fn dithered(
    image: &dyn Image,
    format: BlockFormat,
    task: &Task<'_>,
) -> Result<MipLevel, EncodeError> {
    let size @ [width, _] = image.size();
    let mut level = MipLevel::new(size, ChannelType::U8)?;
    let MipTexels::Rgba8(texels) = level.texels_mut() else { unreachable!("the level has 8 bits") };
    let neighbours = max_codes(format).map(neighbours);
    let fill = |(y, row): (usize, &mut [[u8; 4]])| -> Result<(), EncodeError> {
        task.check()?;
        let mut buffer = vec![[0u16; 4]; row.len()];
        let source = image.row_rgba16(y as u32, &mut buffer);
        for (x, (texel, source)) in row.iter_mut().zip(source).enumerate() {
            let threshold = threshold(x as u32, y as u32);
            for c in 0..3 {
                texel[c] = rounded(source[c], &neighbours[c], threshold);
            }
            texel[3] = ((u32::from(source[3]) + 128) / 257) as u8;
        }
        Ok(())
    };
    parallel::try_for_each(task, texels.chunks_exact_mut(width as usize).enumerate(), fill)?;
    Ok(level)
}

/// True if dithering can change an image. It does not change 8-bit integers if endpoints have 8 bits.
pub(super) fn can_change(image: &dyn Image, format: BlockFormat) -> bool {
    max_codes(format) != [255; 3] || image.texel_type().channel_type() != ChannelType::U8
}

/// Returns the largest code of red, green and blue in an endpoint. Formats with finer endpoints have 255.
fn max_codes(format: BlockFormat) -> [u32; 3] {
    match format {
        BlockFormat::Bc1 | BlockFormat::Bc2 | BlockFormat::Bc3 => [31, 63, 31],
        BlockFormat::Bc4Unorm
        | BlockFormat::Bc4Snorm
        | BlockFormat::Bc5Unorm
        | BlockFormat::Bc5Snorm
        | BlockFormat::Bc6hUfloat
        | BlockFormat::Bc6hSfloat
        | BlockFormat::Bc7
        | BlockFormat::Etc2Rgb
        | BlockFormat::Etc2RgbA1
        | BlockFormat::Etc2Rgba
        | BlockFormat::EacR11Unorm
        | BlockFormat::EacR11Snorm
        | BlockFormat::EacRg11Unorm
        | BlockFormat::EacRg11Snorm
        | BlockFormat::Astc(_) => [255; 3],
    }
}

/// Returns, for each 8-bit value, the largest value of a code that is not above it, and the next one. The
/// value of code i is 255·i / `max_code`, rounded to nearest.
fn neighbours(max_code: u32) -> [[u8; 2]; 256] {
    let value = |code: u32| ((2 * 255 * code + max_code) / (2 * max_code)) as u8;
    let mut pairs = [[u8::MAX; 2]; 256];
    for code in 0..max_code {
        let [lower, upper] = [value(code), value(code + 1)];
        pairs[lower as usize..upper as usize].fill([lower, upper]);
    }
    pairs
}

/// Returns one of the two neighbours of a 16-bit value. The upper one is returned for a share of the
/// thresholds that is the value's distance from the lower one.
fn rounded(value: u16, neighbours: &[[u8; 2]; 256], threshold: u8) -> u8 {
    let [lower, upper] = neighbours[usize::from(value / 257)];
    let above = u32::from(value) - 257 * u32::from(lower);
    let step = 257 * u32::from(upper - lower);
    if 512 * above > (2 * u32::from(threshold) + 1) * step { upper } else { lower }
}

/// Returns the threshold of a texel. All numbers from 0 to 255 are equally frequent.
fn threshold(x: u32, y: u32) -> u8 {
    let place = x.wrapping_mul(STEPS[0]).wrapping_add(y.wrapping_mul(STEPS[1]));
    let fraction = (place >> 24) as u8;
    if fraction < 128 { 2 * fraction } else { 2 * (u8::MAX - fraction) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        EncodeOptions, Encoder, ImageIndex, ImageView, Quality, TextureDesc, Threads, encode_texture,
        mips::{MipOptions, next_level},
    };

    #[test]
    fn only_images_that_can_change_are_copied() {
        let (bytes, words) = ([[1u8, 2, 3]], [[1u16, 2, 3]]);
        let bytes = ImageView::new(&bytes, 1, 1).unwrap();
        let words = ImageView::new(&words, 1, 1).unwrap();
        for (format, changes) in [
            (BlockFormat::Bc1, [true, true]),
            (BlockFormat::Bc3, [true, true]),
            (BlockFormat::Bc4Unorm, [false, true]),
            (BlockFormat::Bc5Unorm, [false, true]),
            (BlockFormat::Bc7, [false, true]),
        ] {
            assert_eq!([can_change(&bytes, format), can_change(&words, format)], changes, "{format}");
        }
    }

    fn texels(level: &MipLevel) -> &[[u8; 4]] {
        let MipTexels::Rgba8(texels) = level.texels() else { panic!("8 bits") };
        texels
    }

    /// The definition in floating point and with a search.
    fn slow(value: u16, max_code: u32, x: u32, y: u32) -> u8 {
        let values: Vec<f64> =
            (0..=max_code).map(|code| (f64::from(code) * 255.0 / f64::from(max_code)).round()).collect();
        let value = f64::from(value) / 257.0;
        let lower = values.iter().copied().filter(|&v| v <= value).fold(0.0, f64::max);
        let upper = values.iter().copied().filter(|&v| v > value).fold(255.0, f64::min);
        let place = (u64::from(x) * 3_242_174_889 + u64::from(y) * 2_447_445_413) % (1 << 32);
        let wave = place >> 24;
        let threshold = if wave < 128 { 2 * wave } else { 511 - 2 * wave };
        let is_upper = upper > lower && (value - lower) / (upper - lower) > (threshold as f64 + 0.5) / 256.0;
        if is_upper { upper as u8 } else { lower as u8 }
    }

    #[test]
    fn colours_are_those_of_the_definition() {
        let source: Vec<[u16; 4]> =
            (0..90 * 70u32).map(|i| [3, 5, 7, 11].map(|k| ((i * 7919 * k) >> 3) as u16)).collect();
        let image = ImageView::new(&source, 90, 70).unwrap();
        for (format, max_codes) in [(BlockFormat::Bc1, [31, 63, 31]), (BlockFormat::Bc7, [255; 3])] {
            let level = dithered(&image, format, &Task::new()).unwrap();
            for (i, (texel, source)) in texels(&level).iter().zip(&source).enumerate() {
                let [x, y] = [i % 90, i / 90].map(|v| v as u32);
                let colors = [0, 1, 2].map(|c| slow(source[c], max_codes[c], x, y));
                assert_eq!(texel[..3], colors, "{format} {x} {y}: {source:?}");
                assert_eq!(texel[3], (f64::from(source[3]) / 257.0).round() as u8);
            }
            let one = Task::new().with_threads(Threads::Calling);
            assert_eq!(level, dithered(&image, format, &one).unwrap());
        }
    }

    #[test]
    fn means_stay_and_values_of_endpoints_too() {
        for value in (0..=65535u16).step_by(997) {
            let source = vec![[value; 3]; 64 * 64];
            let image = ImageView::new(&source, 64, 64).unwrap();
            for (format, limit) in [(BlockFormat::Bc3, 0.1), (BlockFormat::Bc5Unorm, 0.02)] {
                let level = dithered(&image, format, &Task::new()).unwrap();
                for c in 0..3 {
                    let sum: u32 = texels(&level).iter().map(|texel| u32::from(texel[c])).sum();
                    let mean = f64::from(sum) / 4096.0;
                    assert!((mean - f64::from(value) / 257.0).abs() < limit, "{format} {value}: {mean}");
                }
            }
        }
        let exact: Vec<[u8; 4]> = (0..=31u32)
            .map(|i| [(i * 255 + 15) / 31, (2 * i * 255 + 31) / 63, (i * 255 + 15) / 31, i].map(|v| v as u8))
            .collect();
        let image = ImageView::new(&exact, 8, 4).unwrap();
        assert_eq!(texels(&dithered(&image, BlockFormat::Bc1, &Task::new()).unwrap()), exact);
        let any: Vec<[u8; 4]> = (0..=255).map(|i: u8| [i, i ^ 85, 255 - i, i]).collect();
        let image = ImageView::new(&any, 16, 16).unwrap();
        assert_eq!(texels(&dithered(&image, BlockFormat::Bc7, &Task::new()).unwrap()), any);
    }

    /// A block has 16 of the 256 thresholds, which cover their range.
    #[test]
    fn thresholds_of_each_block_are_spread() {
        for (left, top) in [(0, 0), (4, 0), (0, 4), (400, 1236), (65532, 8)] {
            let mut found: Vec<u8> = (0..16).map(|i| threshold(left + i % 4, top + i / 4)).collect();
            found.sort();
            let gaps = found.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.max() < Some(52) && found[0] < 48 && found[15] > 208, "{found:?}");
        }
    }

    #[test]
    fn mip_levels_are_dithered_after_they_are_made() {
        let source: Vec<[u8; 4]> =
            (0..32 * 32u32).map(|i| [60 + (i % 32), 90 + i / 64, 120, 255].map(|v| v as u8)).collect();
        let image = ImageView::new(&source, 32, 32).unwrap();
        let desc = TextureDesc::of_image(&image, BlockFormat::Bc1).with_full_mips();
        let plain = EncodeOptions::default().with(|o| o.quality = Quality::Fast);
        let encode = |image: &dyn Image, desc: &TextureDesc, options: &EncodeOptions| {
            encode_texture(&Encoder::default(), image, desc, options, &Task::new()).unwrap()
        };
        let texture = encode(&image, &desc, &plain.with(|o| o.dither = true));
        assert_ne!(texture, encode(&image, &desc, &plain));
        let options = MipOptions::of_texture(&desc, &plain);
        let second = next_level(&image, ChannelType::U8, options, &Task::new()).unwrap();
        for (mip_level, image) in [(0, &image as &dyn Image), (1, &second as &dyn Image)] {
            let dithered = dithered(image, BlockFormat::Bc1, &Task::new()).unwrap();
            let [width, height] = image.size();
            let one = TextureDesc::new_2d(BlockFormat::Bc1, width, height);
            let expected = encode(&dithered, &one.with_alpha_mode(desc.alpha_mode), &plain);
            let index = ImageIndex { mip_level, ..ImageIndex::default() };
            assert_eq!(texture.image(index.layer, index.face, index.mip_level).unwrap(), expected.data());
        }
    }
}
