//! Resampled images against a floating-point reference and another library.

use crate::{
    AlphaMode, ColorSpace, Image, ImageView, MipFilter, MipWrap, Task, TexelFormat, Threads,
    mips::{
        MipLevel, MipOptions, MipTexels, next_level, resize,
        tests::{eotf, inverse_eotf},
    },
};
use half::f16;
use std::f64::consts::PI;

const ALL_WRAPS: [MipWrap; 3] = [MipWrap::Clamp, MipWrap::Repeat, MipWrap::Mirror];

fn resized(image: &dyn Image, format: TexelFormat, size: [u32; 2], options: MipOptions) -> MipLevel {
    resize(image, format, size, options, &Task::new()).unwrap()
}

fn rgba8(level: &MipLevel) -> &[[u8; 4]] {
    let MipTexels::Rgba8(texels) = level.texels() else { panic!("not 8 bits") };
    texels
}

fn noise(count: u32, seed: u64) -> Vec<[u8; 4]> {
    let mut state = seed;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let [r, g, b, a, ..] = (state >> 16).to_le_bytes();
            [r, g / 8, b, if state >> 62 == 3 { 0 } else { a }]
        })
        .collect()
}

/// Returns the weight of a source texel for a target texel, from the filter's definition.
fn weight(filter: MipFilter, texel: i64, target: u32, sides: [u32; 2]) -> f64 {
    let ratio = f64::from(sides[0]) / f64::from(sides[1]);
    if sides[0] == sides[1] {
        return f64::from(u8::from(texel == i64::from(target)));
    }
    if filter == MipFilter::Box {
        let (start, end) = (f64::from(target) * ratio, f64::from(target + 1) * ratio);
        return (end.min(texel as f64 + 1.0) - start.max(texel as f64)).max(0.0);
    }
    let x = ((texel as f64 + 0.5) - (f64::from(target) + 0.5) * ratio).abs() / ratio.max(1.0);
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    let bessel = |x: f64| {
        (0..40)
            .map(|k| (x / 2.0).powi(k) / (1..=k).map(f64::from).product::<f64>())
            .map(|t| t * t)
            .sum::<f64>()
    };
    let cubic = |b: f64, c: f64| match x {
        _ if x < 1.0 => (12. - 9. * b - 6. * c) * x.powi(3) + (-18. + 12. * b + 6. * c) * x * x + 6. - 2. * b,
        _ if x < 2.0 => {
            (-b - 6. * c) * x.powi(3)
                + (6. * b + 30. * c) * x * x
                + (-12. * b - 48. * c) * x
                + 8. * b
                + 24. * c
        }
        _ => 0.0,
    };
    match filter {
        MipFilter::Box => unreachable!("above"),
        MipFilter::Triangle => (1.0 - x).max(0.0),
        MipFilter::Mitchell => cubic(1.0 / 3.0, 1.0 / 3.0),
        MipFilter::CatmullRom => cubic(0.0, 0.5),
        _ if x >= 3.0 => 0.0,
        MipFilter::Lanczos3 => sinc(x) * sinc(x / 3.0),
        MipFilter::Kaiser => sinc(x) * bessel(4.0 * (1.0 - x * x / 9.0).sqrt()) / bessel(4.0),
    }
}

/// Returns the source texels of a target texel with their weights, wrapped, not normalised.
fn taps(filter: MipFilter, wrap: MipWrap, target: u32, sides: [u32; 2]) -> Vec<(usize, f64)> {
    let side = i64::from(sides[0]);
    let reach = 4 * side + 16;
    (-reach..side + reach)
        .map(|texel| {
            let wrapped = match wrap {
                MipWrap::Clamp => texel.clamp(0, side - 1),
                MipWrap::Repeat => texel.rem_euclid(side),
                MipWrap::Mirror if texel.div_euclid(side) % 2 == 0 => texel.rem_euclid(side),
                MipWrap::Mirror => side - 1 - texel.rem_euclid(side),
            };
            (wrapped as usize, weight(filter, texel, target, sides))
        })
        .filter(|(_, weight)| *weight != 0.0)
        .collect()
}

/// Returns the resized image from the definition. Transparent texels are `None`.
fn reference(texels: &[[u8; 4]], from: [u32; 2], to: [u32; 2], options: MipOptions) -> Vec<Option<[f64; 4]>> {
    type Transfer = fn(f64) -> f64;
    let (to_light, from_light): (Transfer, Transfer) = match options.color_space {
        ColorSpace::Srgb => (eotf, inverse_eotf),
        ColorSpace::Linear => (|v| v, |v| v),
    };
    let by_alpha = options.alpha_mode == AlphaMode::Straight;
    let mut level = Vec::new();
    for (y, x) in (0..to[1]).flat_map(|y| (0..to[0]).map(move |x| (y, x))) {
        let rows = taps(options.filter, options.wrap[1], y, [from[1], to[1]]);
        let columns = taps(options.filter, options.wrap[0], x, [from[0], to[0]]);
        let (mut sum, mut weights) = ([0.0; 4], 0.0);
        for &(row, row_weight) in &rows {
            for &(column, column_weight) in &columns {
                let texel = texels[row * from[0] as usize + column].map(|v| f64::from(v) / 255.0);
                let weight = row_weight * column_weight;
                weights += weight;
                sum[3] += weight * texel[3];
                let weight = if by_alpha { weight * texel[3] } else { weight };
                (0..3).for_each(|c| sum[c] += weight * to_light(texel[c]));
            }
        }
        let alpha = sum[3] / weights;
        let divisor = if by_alpha { sum[3] } else { weights };
        let color = |c: usize| from_light((sum[c] / divisor).clamp(0.0, 1.0)) * 255.0;
        let is_visible = !by_alpha || alpha > 0.51 / 255.0;
        level.push(is_visible.then(|| [color(0), color(1), color(2), alpha.clamp(0.0, 1.0) * 255.0]));
    }
    level
}

#[test]
fn images_are_within_one_of_the_reference() {
    let sizes =
        [([5, 7], [2, 3]), ([16, 12], [8, 6]), ([9, 4], [20, 4]), ([13, 1], [6, 1]), ([3, 17], [11, 5])];
    for (i, (from, to)) in sizes.into_iter().enumerate() {
        let texels = noise(from[0] * from[1], i as u64 + 1);
        let image = ImageView::new(&texels, from[0], from[1]).unwrap();
        for &filter in MipFilter::ALL {
            for (k, color_space) in [ColorSpace::Srgb, ColorSpace::Linear].into_iter().enumerate() {
                for alpha_mode in [AlphaMode::Opaque, AlphaMode::Straight, AlphaMode::Premultiplied] {
                    let wrap = [ALL_WRAPS[(i + k) % 3], ALL_WRAPS[(i + 2 * k + 1) % 3]];
                    let options = MipOptions::new(color_space, alpha_mode).with(|o| {
                        o.filter = filter;
                        o.wrap = wrap;
                    });
                    let level = resized(&image, TexelFormat::Rgba8, to, options);
                    let expected = reference(&texels, from, to, options);
                    assert_eq!(level.size(), to);
                    for (texel, expected) in rgba8(&level).iter().zip(&expected) {
                        let Some(expected) = expected else {
                            assert!(texel[3] <= 1, "{texel:?}");
                            continue;
                        };
                        for c in 0..4 {
                            let error = (f64::from(texel[c]) - expected[c]).abs();
                            assert!(error < 0.56, "{from:?} {to:?} {options:?}: {texel:?} {expected:?}");
                        }
                    }
                }
            }
        }
    }
}

/// Compares with fast_image_resize, which takes 8-bit texels as numbers, rounds between the two passes and
/// leaves out the weights of texels past an edge. Edges are therefore not compared, nor values that could
/// overshoot the 8 bits.
#[test]
fn filters_are_those_of_fast_image_resize() {
    use fast_image_resize::{
        self as peer,
        images::{TypedImage, TypedImageRef},
        pixels::U8x4,
    };
    let [width, height] = [120u32, 96];
    let texels: Vec<[u8; 4]> =
        noise(width * height, 9).into_iter().map(|texel| texel.map(|value| 80 + value / 3)).collect();
    let image = ImageView::new(&texels, width, height).unwrap();
    let pairs = [
        (MipFilter::Box, peer::FilterType::Box),
        (MipFilter::Triangle, peer::FilterType::Bilinear),
        (MipFilter::Mitchell, peer::FilterType::Mitchell),
        (MipFilter::CatmullRom, peer::FilterType::CatmullRom),
        (MipFilter::Lanczos3, peer::FilterType::Lanczos3),
    ];
    for (filter, of_peer) in pairs {
        // Box: whole ratios alone, because the peer's weights are 0 or 1.
        let count = if filter == MipFilter::Box { 2 } else { 4 };
        for to in [[60, 48], [40, 32], [77, 31], [200, 100]].into_iter().take(count) {
            let options = MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque).with(|o| o.filter = filter);
            let level = resized(&image, TexelFormat::Rgba8, to, options);
            // Typed, because the other call would compile the peer for each of its pixels, for minutes.
            let source = TypedImageRef::<U8x4>::from_buffer(width, height, texels.as_flattened()).unwrap();
            let mut target = TypedImage::<U8x4>::new(to[0], to[1]);
            let options =
                peer::ResizeOptions::new().resize_alg(peer::ResizeAlg::Convolution(of_peer)).use_alpha(false);
            peer::Resizer::new().resize_typed(&source, &mut target, &options).unwrap();
            let margin = [0, 1].map(|a| 4 * to[a].div_ceil([width, height][a]));
            let (found, expected) = (rgba8(&level), target.pixels());
            let inside = (0..found.len() as u32).filter(|i| {
                let at = [i % to[0], i / to[0]];
                (0..2).all(|a| (margin[a]..to[a] - margin[a]).contains(&at[a]))
            });
            let pairs = inside.flat_map(|i| found[i as usize].into_iter().zip(expected[i as usize].0));
            let errors: Vec<u64> = pairs.map(|(a, b)| u64::from(a.abs_diff(b))).collect();
            let mse = errors.iter().map(|error| error * error).sum::<u64>() as f64 / errors.len() as f64;
            let psnr = 10.0 * (255.0 * 255.0 / mse.max(1e-9)).log10();
            let most = errors.iter().max().unwrap();
            assert!(*most <= 1 && psnr > 50.0, "{filter:?} {to:?}: {psnr:.1} dB, at most {most}");
        }
    }
}

#[test]
fn one_colour_stays_itself() {
    for value in 0..=255u8 {
        let texels = [[value, 255 - value, value, value.max(1)]; 7 * 5];
        let image = ImageView::new(&texels, 7, 5).unwrap();
        for &filter in MipFilter::ALL {
            for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
                let options = MipOptions::new(color_space, AlphaMode::Straight).with(|o| o.filter = filter);
                let level = resized(&image, TexelFormat::Rgba8, [3, 11], options);
                assert!(rgba8(&level).iter().all(|texel| *texel == texels[0]), "{filter:?} {value}");
            }
        }
    }
    let values = [[0u16, 1, 40_000, 65_535]; 35];
    let image = ImageView::new(&values, 7, 5).unwrap();
    for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
        let options =
            MipOptions::new(color_space, AlphaMode::Straight).with(|o| o.filter = MipFilter::Kaiser);
        let level = resized(&image, TexelFormat::Rgba16, [3, 11], options);
        assert_eq!(level.texels(), &MipTexels::Rgba16(vec![values[0]; 33]));
    }
    let halves = [[0.0, 0.1, 1.5, 60_000.0].map(f16::from_f32); 35];
    let image = ImageView::new(&halves, 7, 5).unwrap();
    let options =
        MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque).with(|o| o.filter = MipFilter::Kaiser);
    let level = resized(&image, TexelFormat::RgbaF16, [3, 11], options);
    assert_eq!(level.texels(), &MipTexels::RgbaF16(vec![halves[0]; 33]));
}

#[test]
fn transparent_colours_do_not_bleed_and_do_not_become_black() {
    // Red islands in transparent green; a transparent blue region far from them.
    let texel = |x: u32, y: u32| match (x, y) {
        _ if x >= 32 => [0, 0, 200, 0],
        _ if (x / 5 + y / 4).is_multiple_of(2) => [255, 0, 0, 255],
        _ => [0, 255, 0, 0],
    };
    let texels: Vec<[u8; 4]> = (0..64 * 16).map(|i| texel(i % 64, i / 64)).collect();
    let image = ImageView::new(&texels, 64, 16).unwrap();
    for &filter in MipFilter::ALL {
        let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| o.filter = filter);
        let level = resized(&image, TexelFormat::Rgba8, [32, 8], options);
        for (i, texel) in rgba8(&level).iter().enumerate() {
            match texel[3] {
                0 if i % 32 >= 20 => assert_eq!(*texel, [0, 0, 200, 0], "{filter:?}"),
                0 => assert!(texel[..3].iter().any(|&color| color >= 200), "{filter:?} {texel:?}"),
                _ => assert_eq!(texel[..3], [255, 0, 0], "{filter:?}"),
            }
        }
    }
}

/// Colours of texels whose alpha rounds to 0 show beside visible ones, by bilinear sampling.
#[test]
fn nearly_transparent_texels_keep_the_colour_of_what_is_visible() {
    let texel = |i: u32| {
        if i.is_multiple_of(2) && (i / 32).is_multiple_of(2) { [255, 0, 0, 1] } else { [0, 255, 0, 0] }
    };
    let texels: Vec<[u8; 4]> = (0..32 * 16).map(texel).collect();
    let image = ImageView::new(&texels, 32, 16).unwrap();
    for &filter in MipFilter::ALL {
        let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| o.filter = filter);
        let level = resized(&image, TexelFormat::Rgba8, [16, 8], options);
        assert!(rgba8(&level).iter().all(|texel| *texel == [255, 0, 0, 0]), "{filter:?}");
    }
}

/// A texel of 1000 or 2000 rows adds each row at once. Columns are always added so.
#[test]
fn many_rows_have_the_sums_of_many_columns() {
    let texels = noise(5 * 2000, 3);
    let turned: Vec<[u8; 4]> = (0..10_000).map(|i| texels[i % 2000 * 5 + i / 2000]).collect();
    let (image, turned) =
        (ImageView::new(&texels, 5, 2000).unwrap(), ImageView::new(&turned, 2000, 5).unwrap());
    for &filter in MipFilter::ALL {
        let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| o.filter = filter);
        let tall = resized(&image, TexelFormat::Rgba8, [5, 2], options);
        let wide = resized(&turned, TexelFormat::Rgba8, [2, 5], options);
        for i in 0..10 {
            assert_eq!(rgba8(&tall)[i], rgba8(&wide)[i % 5 * 2 + i / 5], "{filter:?}");
        }
    }
}

#[test]
fn small_alpha_of_half_floats_stays() {
    let texels = [[3.0, 0.5, 0.25, 1e-4].map(f16::from_f32); 16];
    let image = ImageView::new(&texels, 4, 4).unwrap();
    let options = MipOptions::new(ColorSpace::Linear, AlphaMode::Straight);
    let level = resized(&image, TexelFormat::RgbaF16, [2, 2], options);
    assert_eq!(level.texels(), &MipTexels::RgbaF16(vec![texels[0]; 4]));
}

#[test]
fn tiles_stay_tiles() {
    // A texture of period 16 continues at each edge: shifted by half of it, all levels are shifted, too.
    let texels = noise(16 * 16, 77);
    let shifted: Vec<[u8; 4]> =
        (0..256).map(|i| texels[((i / 16 + 8) % 16 * 16 + (i + 8) % 16) as usize]).collect();
    let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| {
        o.filter = MipFilter::Kaiser;
        o.wrap = [MipWrap::Repeat; 2];
    });
    let [level, of_shifted] = [&texels, &shifted].map(|texels| {
        next_level(&ImageView::new(texels, 16, 16).unwrap(), TexelFormat::Rgba8, options, &Task::new())
            .unwrap()
    });
    for i in 0..64usize {
        let (x, y) = (i % 8, i / 8);
        assert_eq!(rgba8(&of_shifted)[i], rgba8(&level)[(y + 4) % 8 * 8 + (x + 4) % 8]);
    }
}

/// Compares the FNV-1a hash of resized images, so that a machine with different rounding is noticed.
#[test]
fn bytes_are_the_same_everywhere() {
    let texels = noise(331 * 207, 5);
    let image = ImageView::new(&texels, 331, 207).unwrap();
    let one = Task::new().with_threads(Threads::Calling);
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &filter in MipFilter::ALL {
        for format in TexelFormat::ALL {
            let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| o.filter = filter);
            let level = resized(&image, *format, [165, 300], options);
            assert_eq!(level, resize(&image, *format, [165, 300], options, &one).unwrap());
            let bytes: &[u8] = match level.texels() {
                MipTexels::Rgba8(texels) => texels.as_flattened(),
                MipTexels::Rgba16(texels) => bytemuck::cast_slice(texels),
                MipTexels::RgbaF16(texels) => bytemuck::cast_slice(texels),
                MipTexels::RgbaF32(_) => unreachable!("no texel format has single floats"),
            };
            for &byte in bytes {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    assert_eq!(hash, 8_581_449_917_852_168_648);
}
