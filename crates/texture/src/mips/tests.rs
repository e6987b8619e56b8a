//! Mip levels against a floating-point reference.

use super::*;
use crate::{AlphaMode, ColorSpace, ImageView, TexelFormat};

pub(super) fn eotf(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

pub(super) fn inverse_eotf(light: f64) -> f64 {
    if light <= 0.0031308 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

fn level_after(image: &dyn Image, format: TexelFormat, options: MipOptions) -> MipLevel {
    next_level(image, format, options, &Task::new()).unwrap()
}

fn texels_of(level: &MipLevel) -> &[[u8; 4]] {
    let MipTexels::Rgba8(texels) = level.texels() else { panic!("not 8 bits") };
    texels
}

fn rgba8(image: &dyn Image, options: MipOptions) -> Vec<[u8; 4]> {
    texels_of(&level_after(image, TexelFormat::Rgba8, options)).to_vec()
}

/// Returns the mip level directly from the definition: every source texel counts by the area that it shares
/// with the target.
fn reference(
    texels: &[[u8; 4]],
    [width, height, depth]: [u32; 3],
    color_space: ColorSpace,
    alpha_mode: AlphaMode,
) -> Vec<[f64; 4]> {
    type Transfer = fn(f64) -> f64;
    let (to_light, from_light): (Transfer, Transfer) = match color_space {
        ColorSpace::Srgb => (eotf, inverse_eotf),
        ColorSpace::Linear => (|v| v, |v| v),
    };
    let overlap = |target: u32, target_side: u32, source: u32, side: u32| {
        let scale = f64::from(side) / f64::from(target_side);
        let (start, end) = (f64::from(target) * scale, f64::from(target + 1) * scale);
        (end.min(f64::from(source + 1)) - start.max(f64::from(source))).max(0.0)
    };
    let [across, down, deep] = [width, height, depth].map(|side| (side / 2).max(1));
    let mut level = Vec::new();
    for z in 0..deep {
        for (y, x) in (0..down).flat_map(|y| (0..across).map(move |x| (y, x))) {
            let (mut area, mut alpha) = (0.0, 0.0);
            let (mut plain, mut covered) = ([0.0; 3], [0.0; 3]);
            for (i, texel) in texels.iter().enumerate() {
                let (sx, sy) = (i as u32 % width, i as u32 / width % height);
                let sz = i as u32 / width / height;
                let share = overlap(x, across, sx, width)
                    * overlap(y, down, sy, height)
                    * overlap(z, deep, sz, depth);
                let a = f64::from(texel[3]) / 255.0;
                area += share;
                alpha += share * a;
                for c in 0..3 {
                    let light = to_light(f64::from(texel[c]) / 255.0);
                    plain[c] += share * light;
                    covered[c] += share * a * light;
                }
            }
            let (sums, divisor) = if alpha_mode == AlphaMode::Straight && alpha > 1e-9 {
                (covered, alpha)
            } else {
                (plain, area)
            };
            let [r, g, b] = sums.map(|sum| from_light(sum / divisor) * 255.0);
            level.push([r, g, b, alpha / area * 255.0]);
        }
    }
    level
}

/// Returns the next mip level, slice by slice.
fn slices_after<T: crate::Texel>(
    texels: &[T],
    [width, height, depth]: [u32; 3],
    channels: impl Into<ChannelType>,
    options: MipOptions,
) -> Vec<MipLevel> {
    let channels = channels.into();
    let mut halver = SliceHalver::new(depth);
    let mut level = Vec::new();
    for slice in texels.chunks((width * height) as usize) {
        let halve = |covered: Covered<'_>| next_slice(&covered, channels, options, &Task::new());
        level.extend(halver.add(Box::new(ImageView::new(slice, width, height).unwrap()), halve).unwrap());
    }
    level
}

fn noise(width: u32, height: u32) -> Vec<[u8; 4]> {
    let mut state = u64::from(width) << 32 | u64::from(height) | 1;
    (0..width * height)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let [r, g, b, a, ..] = (state >> 16).to_le_bytes();
            // Many dark, bright, transparent and opaque texels.
            let shift = state >> 62;
            [r >> (shift * 2), g, b, if shift == 3 { 0 } else { a | (255 * (shift & 1) as u8) }]
        })
        .collect()
}

#[test]
fn levels_are_within_one_of_the_reference() {
    let sides = [1, 2, 3, 4, 5, 7, 8, 13];
    let images = sides.into_iter().flat_map(|width| sides.map(|height| [width, height, 1]));
    let volumes = [[4, 4, 2], [5, 3, 3], [1, 1, 9], [3, 8, 4], [2, 1, 7], [7, 5, 5]];
    for size @ [width, height, depth] in images.chain(volumes) {
        let texels = noise(width, height * depth);
        for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
            for alpha_mode in [AlphaMode::Opaque, AlphaMode::Straight, AlphaMode::Premultiplied] {
                let options = MipOptions::new(color_space, alpha_mode);
                let level = slices_after(&texels, size, TexelFormat::Rgba8, options);
                let level = level.iter().flat_map(texels_of).copied().collect::<Vec<_>>();
                let expected = reference(&texels, size, color_space, alpha_mode);
                assert_eq!(level.len(), expected.len());
                for (texel, expected) in level.iter().zip(&expected) {
                    for c in 0..4 {
                        let error = (f64::from(texel[c]) - expected[c]).abs();
                        assert!(
                            error < 0.55,
                            "{size:?} {color_space:?} {alpha_mode:?}: {texel:?} {expected:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Tests that 16-bit texels and floats of a 3D texture are also means.
#[test]
fn wide_slices_are_weighted_by_the_depth_they_share() {
    let options = MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque);
    let of_depth = |values: [u16; 5]| values.map(|value| [value; 4]);
    let level = slices_after(&of_depth([0, 50, 100, 150, 200]), [1, 1, 5], TexelFormat::Rgba16, options);
    let found: Vec<_> = level.iter().map(MipLevel::texels).cloned().collect();
    assert_eq!(found, [40, 160].map(|value| MipTexels::Rgba16(vec![[value; 4]])));
    let halves = [-60000.0, 60000.0, 0.5, 1.0].map(|value| [half::f16::from_f32(value); 4]);
    let level = slices_after(&halves, [1, 1, 4], TexelFormat::RgbaF16, options);
    let found: Vec<_> = level.iter().map(MipLevel::texels).cloned().collect();
    assert_eq!(found, [0.0, 0.75].map(|value| MipTexels::RgbaF16(vec![[half::f16::from_f32(value); 4]])));
    let singles = [0.0, 1e6, 2e6, 3e6, 4e6].map(|value| [value; 4]);
    let level = slices_after::<[f32; 4]>(&singles, [1, 1, 5], ChannelType::F32, options);
    let found: Vec<_> = level.iter().map(MipLevel::texels).cloned().collect();
    assert_eq!(found, [8e5, 3.2e6].map(|value| MipTexels::RgbaF32(vec![[value; 4]])));
}

#[test]
fn one_colour_stays_itself() {
    for value in 0..=255u8 {
        let texels = [[value, 255 - value, value, value.max(1)]; 15];
        let image = ImageView::new(&texels, 5, 3).unwrap();
        for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
            let level = rgba8(&image, MipOptions::new(color_space, AlphaMode::Straight));
            assert_eq!(level, [texels[0]; 2]);
        }
    }
}

#[test]
fn transparent_colours_do_not_bleed() {
    let texels = [[255u8, 0, 0, 255], [0, 255, 0, 0], [255, 0, 0, 255], [0, 255, 0, 0]];
    let image = ImageView::new(&texels, 2, 2).unwrap();
    let level = rgba8(&image, MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight));
    assert_eq!(level, [[255, 0, 0, 128]]);
}

#[test]
fn a_chain_ends_at_one_texel_and_stays_there() {
    let texels = vec![0x8000u16; 6 * 3];
    let image = ImageView::new(&texels, 6, 3).unwrap();
    let mut level =
        level_after(&image, TexelFormat::Rgba8, MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque));
    assert_eq!((level.width(), level.height()), (3, 1));
    for _ in 0..2 {
        level =
            level_after(&level, TexelFormat::Rgba8, MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque));
        assert_eq!((level.width(), level.height()), (1, 1));
    }
    assert_eq!(texels_of(&level), [[128, 128, 128, 255]]);
}

/// Compares the FNV-1a hash of a mip level's bytes, so that a machine with different rounding is noticed.
#[test]
fn bytes_are_the_same_everywhere() {
    let texels = noise(61, 45);
    let image = ImageView::new(&texels, 61, 45).unwrap();
    let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight);
    let level = level_after(&image, TexelFormat::Rgba8, options);
    let one = Task::new().with_threads(crate::Threads::Calling);
    assert_eq!(level, next_level(&image, TexelFormat::Rgba8, options, &one).unwrap());
    let hash = texels_of(&level)
        .iter()
        .flatten()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    assert_eq!(hash, 18_327_212_297_463_123_600);
}

#[test]
fn images_that_are_too_large_are_refused() {
    let error = MipLevel::after([1 << 20, (1 << 20) + 1, 1], ChannelType::U8).unwrap_err();
    assert_eq!(
        error.to_string(),
        "mip levels are made of images of at most 2⁴⁰ texels, not 1048576×1048577×1"
    );
    assert_eq!(error.kind(), crate::ErrorKind::Argument);
}
