//! Tests of the blocks of BC1 to BC5 in real time.

use crate::common::{self, Fixture, Random, fixtures};
use brickwork_texture::{BlockFormat, CpuEncoder, EncodeOptions, ImageView, RealTime, RoundingRule, Task};

fn decoded(fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) -> Vec<[u8; 4]> {
    let &Fixture { width, height, ref texels, .. } = fixture;
    let image = ImageView::new(texels, width, height).unwrap();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    CpuEncoder::new().encode_into(&image, format, options, &mut blocks, &Task::new()).unwrap();
    let mut decoded = vec![[0; 4]; texels.len()];
    common::decode(format, &blocks, width, height, RoundingRule::Exact, &mut decoded).unwrap();
    decoded
}

fn in_real_time(level: RealTime) -> EncodeOptions {
    EncodeOptions::default().with(|o| o.real_time = Some(level))
}

fn squares(a: &[u8], b: &[u8]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum()
}

fn error(fixture: &Fixture, decoded: &[[u8; 4]], channels: std::ops::Range<usize>) -> u64 {
    let pairs = fixture.texels.iter().zip(decoded);
    pairs.map(|(a, b)| squares(&a[channels.clone()], &b[channels.clone()])).sum()
}

fn opaque(name: &'static str, side: u32, mut texel: impl FnMut(u32, u32) -> [u8; 3]) -> Fixture {
    let texels = (0..side * side).map(|i| {
        let [r, g, b] = texel(i % side, i / side);
        [r, g, b, 255]
    });
    Fixture { name, width: side, height: side, texels: texels.collect() }
}

/// Returns images of several classes.
fn classes() -> Vec<Fixture> {
    let mut random = Random(5);
    let palette: Vec<[u8; 3]> = (0..16).map(|_| [random.byte(), random.byte(), random.byte()]).collect();
    let mut all = fixtures(65, 18);
    for fixture in &mut all {
        fixture.texels.iter_mut().for_each(|texel| texel[3] = 255);
    }
    all.push(opaque("slow gradient", 64, |x, y| [100 + (x / 4) as u8, 90 + (y / 8) as u8, 120]));
    all.push(opaque("edges", 64, |x, y| if (x * 7 + y * 3) % 29 < 11 { [255; 3] } else { [20, 0, 40] }));
    all.push(opaque("sixteen colours", 64, |x, y| {
        palette[((x / 5 * 7 + y / 3 * 5 + x * y / 9) % 16) as usize]
    }));
    all.push(opaque("dither", 64, |x, y| {
        [x, y, 128 - (x + y) / 2].map(|v| if v * 4 > (x * 5 + y * 11) % 16 * 16 { 192 } else { 64 })
    }));
    all
}

/// Returns the decoded colours of a block by a plain encoder: corners of the bounding box, along the diagonal
/// of the channels' signs.
fn plain(texels: &[[u8; 4]; 16]) -> [[u8; 4]; 16] {
    let channel = |c: usize| texels.map(|texel| i32::from(texel[c]));
    let low = [0, 1, 2].map(|c| channel(c).into_iter().min().unwrap());
    let high = [0, 1, 2].map(|c| channel(c).into_iter().max().unwrap());
    let widest = (0..3).max_by_key(|&c| high[c] - low[c]).unwrap();
    let apart = |c: usize| channel(c).map(|v| 2 * v - low[c] - high[c]);
    let falls = [0, 1, 2].map(|c| apart(c).iter().zip(apart(widest)).map(|(a, b)| a * b).sum::<i32>() < 0);
    let tops = [31.0, 63.0, 31.0];
    let code = |c: usize, v: i32| (f64::from(v) * tops[c] / 255.0).round();
    let colors: Vec<[u8; 4]> = (0..4)
        .map(|k| {
            let [r, g, b] = [0, 1, 2].map(|c| {
                let (a, b) = if falls[c] { (high[c], low[c]) } else { (low[c], high[c]) };
                let mixed = (f64::from(3 - k) * code(c, a) + f64::from(k) * code(c, b)) / 3.0;
                (mixed * 255.0 / tops[c]).round() as u8
            });
            [r, g, b, 255]
        })
        .collect();
    texels.map(|texel| *colors.iter().min_by_key(|color| squares(&color[..3], &texel[..3])).unwrap())
}

#[test]
fn bc1_is_better_than_a_bounding_box() {
    for fixture in classes() {
        let Fixture { name, width, height, ref texels } = fixture;
        let mut of_plain = 0;
        for (x, y) in (0..height.div_ceil(4)).flat_map(|y| (0..width.div_ceil(4)).map(move |x| (x, y))) {
            let at = |t: u32| [4 * x + t % 4, 4 * y + t / 4];
            let texel = |t: usize| {
                let [x, y] = at(t as u32);
                texels[(y.min(height - 1) * width + x.min(width - 1)) as usize]
            };
            let block = std::array::from_fn(texel);
            for (t, (a, b)) in block.iter().zip(plain(&block)).enumerate() {
                let [x, y] = at(t as u32);
                if x < width && y < height {
                    of_plain += squares(&a[..3], &b[..3]);
                }
            }
        }
        let mut last = of_plain;
        for &level in RealTime::ALL {
            let found = error(&fixture, &decoded(&fixture, BlockFormat::Bc1, &in_real_time(level)), 0..3);
            assert!(found <= last, "{name} {level:?}: {found} after {last}");
            last = found;
        }
    }
}

/// The error of each channel is the smallest of any two codes and any place between them.
#[test]
fn one_colour_is_optimal() {
    let mut random = Random(7);
    let least = |top: i32, value: u8| {
        let sums = (0..=3 * top).map(|sum| (f64::from(sum) * 85.0 / f64::from(top)).round());
        sums.map(|found| (found - f64::from(value)).abs() as u64).min().unwrap().pow(2)
    };
    for _ in 0..500 {
        let rgb = [random.byte(), random.byte(), random.byte()];
        let fixture = opaque("one colour", 4, |_, _| rgb);
        let expected = 16 * (least(31, rgb[0]) + least(63, rgb[1]) + least(31, rgb[2]));
        for &level in RealTime::ALL {
            for format in [BlockFormat::Bc1, BlockFormat::Bc2, BlockFormat::Bc3] {
                let found = error(&fixture, &decoded(&fixture, format, &in_real_time(level)), 0..4);
                assert_eq!(found, expected, "{format} {level:?} {rgb:?}");
            }
        }
    }
}

#[test]
fn texels_of_bc1_are_transparent_below_the_threshold() {
    let mut images = fixtures(65, 18);
    images.extend(fixtures(3, 2));
    for fixture in images {
        for alpha_threshold in [0, 1, 128, 255] {
            for &level in RealTime::ALL {
                let options = in_real_time(level).with(|o| o.bc1.alpha_threshold = alpha_threshold);
                let decoded = decoded(&fixture, BlockFormat::Bc1, &options);
                for (texel, found) in fixture.texels.iter().zip(decoded) {
                    let expected = if texel[3] < alpha_threshold { 0 } else { 255 };
                    assert_eq!(found[3], expected, "{} {options:?}", fixture.name);
                }
            }
        }
    }
}

/// A ramp between two colours in three steps has no error beside that of its endpoints' codes.
#[test]
fn a_ramp_with_transparent_texels_is_close() {
    let colors = [[0, 0, 0, 255], [132, 130, 132, 255], [255, 255, 255, 255], [9, 90, 200, 0]];
    let texels = (0..16).map(|t| colors[t * 7 % 4]).collect();
    let fixture = Fixture { name: "ramp", width: 4, height: 4, texels };
    for &level in RealTime::ALL {
        let decoded = decoded(&fixture, BlockFormat::Bc1, &in_real_time(level));
        for (texel, found) in fixture.texels.iter().zip(decoded) {
            assert!(
                texel[3] == 0 || squares(&texel[..3], &found[..3]) <= 75,
                "{level:?}: {texel:?}, {found:?}"
            );
        }
    }
}

#[test]
fn alpha_of_bc3_keeps_its_ends() {
    for fixture in fixtures(65, 18) {
        for &level in RealTime::ALL {
            let decoded = decoded(&fixture, BlockFormat::Bc3, &in_real_time(level));
            for (texel, found) in fixture.texels.iter().zip(decoded) {
                let is_end = texel[3] == 0 || texel[3] == 255;
                assert!(!is_end || found[3] == texel[3], "{} {level:?}: {texel:?}, {found:?}", fixture.name);
            }
        }
    }
}

/// Each value of BC2's alpha is the nearest 15th.
#[test]
fn alpha_of_bc2_is_the_nearest_15th() {
    let texels: Vec<_> = (0..=255).map(|alpha| [0, 0, 0, alpha]).collect();
    let fixture = Fixture { name: "alphas", width: 16, height: 16, texels };
    let decoded = decoded(&fixture, BlockFormat::Bc2, &in_real_time(RealTime::Level1));
    for (texel, found) in fixture.texels.iter().zip(decoded) {
        assert_eq!(f64::from(found[3]), (f64::from(texel[3]) / 17.0).round() * 17.0);
    }
}

#[test]
fn one_value_is_as_near_as_a_code() {
    for value in 0..=255 {
        let texels = vec![[value, 255 - value, 0, value]; 12];
        let fixture = Fixture { name: "one value", width: 3, height: 4, texels };
        for &level in RealTime::ALL {
            let options = in_real_time(level);
            for (format, channels) in [
                (BlockFormat::Bc3, 3..4),
                (BlockFormat::Bc4Unorm, 0..1),
                (BlockFormat::Bc5Unorm, 0..2),
                (BlockFormat::Bc4Snorm, 0..1),
                (BlockFormat::Bc5Snorm, 0..2),
            ] {
                let is_signed = matches!(format, BlockFormat::Bc4Snorm | BlockFormat::Bc5Snorm);
                // A signed code is within half a code, 255/508, of the value. In 8 bits that is one at most.
                let most = if is_signed { 12 * channels.len() as u64 } else { 0 };
                let found = error(&fixture, &decoded(&fixture, format, &options), channels);
                assert!(found <= most, "{format} {level:?} {value}: {found}");
            }
        }
    }
}

#[test]
fn a_higher_level_of_one_channel_is_never_worse() {
    for fixture in classes() {
        for (format, channels) in [(BlockFormat::Bc4Unorm, 0..1), (BlockFormat::Bc5Unorm, 0..2)] {
            let mut last = u64::MAX;
            for &level in RealTime::ALL {
                let decoded = decoded(&fixture, format, &in_real_time(level));
                let found = error(&fixture, &decoded, channels.clone());
                assert!(found <= last, "{format} {} {level:?}: {found} after {last}", fixture.name);
                last = found;
            }
        }
    }
}
