//! Properties of encoded BC6H blocks: a higher quality is never worse, every mode is used, one colour is
//! exact, special values have a place, and every instruction set and machine gives the same bytes.

use crate::{
    common::{Random, assert_same_blocks},
    twins::hash,
};
use brickwork_base::testing::skip;
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, ImageViewMut, Quality, RealTime, RoundingRule,
    SimdLevel, Task,
    bc::bc6h::{Bc6hMetric, Bc6hOptions, block_mode},
    decode_into,
    half::f16,
};
use std::collections::BTreeSet;

const FORMATS: [BlockFormat; 2] = [BlockFormat::Bc6hUfloat, BlockFormat::Bc6hSfloat];

/// An image of half floats.
pub struct Halves {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub texels: Vec<[f16; 3]>,
}

fn encoded(encoder: CpuEncoder, image: &Halves, format: BlockFormat, quality: Quality) -> Vec<u8> {
    encoded_with(encoder, image, format, EncodeOptions::default().with(|o| o.quality = quality))
}

pub fn in_real_time(level: RealTime) -> EncodeOptions {
    EncodeOptions::default().with(|o| o.real_time = Some(level))
}

/// Returns the options of every quality, then of every level of real time.
fn settings() -> Vec<EncodeOptions> {
    let qualities = Quality::ALL.iter().map(|&q| EncodeOptions::default().with(|o| o.quality = q));
    qualities.chain(RealTime::ALL.iter().map(|&level| in_real_time(level))).collect()
}

fn encoded_with(encoder: CpuEncoder, image: &Halves, format: BlockFormat, options: EncodeOptions) -> Vec<u8> {
    let view = ImageView::new(&image.texels, image.width, image.height).unwrap();
    let mut blocks = vec![0; format.image_bytes(image.width, image.height) as usize];
    encoder.encode_into(&view, format, &options, &mut blocks, &Task::new()).unwrap();
    blocks
}

fn decoded(image: &Halves, format: BlockFormat, blocks: &[u8]) -> Vec<[f16; 3]> {
    let mut texels = vec![[f16::ZERO; 4]; image.texels.len()];
    let mut view = ImageViewMut::new(&mut texels[..], image.width, image.height).unwrap();
    decode_into(format, blocks, RoundingRule::Exact, &mut view, &Task::new()).unwrap();
    texels.into_iter().map(|[r, g, b, _]| [r, g, b]).collect()
}

/// Returns the bit pattern as a number, negative if the half is.
fn pattern(half: f16) -> i64 {
    let magnitude = i64::from(half.to_bits() & 0x7fff);
    if half.is_sign_negative() { -magnitude } else { magnitude }
}

/// Returns what errors of a format are differences of: bit patterns, or log₂(1 + |x|) with the sign of x.
fn level(format: BlockFormat, half: f16) -> f64 {
    if format == BlockFormat::Bc6hUfloat {
        return pattern(half) as f64;
    }
    let level = (1.0 + half.to_f64().abs()).log2();
    if half.is_sign_negative() { -level } else { level }
}

/// Returns the squared error.
fn error(image: &Halves, format: BlockFormat, blocks: &[u8]) -> f64 {
    let decoded = decoded(image, format, blocks);
    let pairs = image.texels.as_flattened().iter().zip(decoded.as_flattened());
    pairs.map(|(&texel, &found)| (level(format, texel) - level(format, found)).powi(2)).sum()
}

/// Returns images of every kind of content. Values of unsigned formats are not negative.
pub fn images(width: u32, height: u32, is_signed: bool) -> Vec<Halves> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let sign = |bits: u16, random: &mut Random| {
        let bits = bits.min(0x7bff);
        f16::from_bits(if is_signed && random.byte() & 1 != 0 { bits | 0x8000 } else { bits })
    };
    let mut make = |name, texel: &mut dyn FnMut(u32, u32, &mut Random) -> [f16; 3]| {
        let mut texels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                texels.push(texel(x, y, &mut random));
            }
        }
        Halves { name, width, height, texels }
    };
    vec![
        make("noise", &mut |_, _, random| [(); 3].map(|()| sign(random.next() as u16 & 0x7fff, random))),
        make("gradient", &mut |x, y, _| {
            [x * 3 + 1, y * 5, x + y].map(|v| f16::from_f32(v as f32 / if is_signed { -7.0 } else { 7.0 }))
        }),
        make("soft noise", &mut |x, y, random| {
            let base = [0x3400 + 16 * x as u16, 0x3a00 + 8 * y as u16, 0x3000];
            base.map(|v| f16::from_bits(v.min(0x7000) + u16::from(random.byte() & 31)))
        }),
        make("one colour a block", &mut |x, y, _| {
            [x / 4 * 371, y / 4 * 911, 20_000].map(|v| f16::from_bits(v as u16 % 0x7c00))
        }),
        make("two colours", &mut |_, _, random| match random.byte() & 1 {
            0 => [0x5640, 0x1200, 0x0003].map(f16::from_bits),
            _ => [0x0040, 0x3c00, 0x7bff].map(f16::from_bits),
        }),
        make("tiny", &mut |_, _, random| [(); 3].map(|()| sign(random.next() as u16 & 7, random))),
        make("sun", &mut |x, y, random| {
            let value = if (x + y) % 23 == 0 { 60_000.0 } else { 0.25 + f32::from(random.byte()) / 2048.0 };
            [value, value * 0.8, value * 0.5].map(f16::from_f32)
        }),
    ]
}

/// Returns single blocks of every contrast, so that gains in others cannot hide a loss in one.
pub fn blocks(count: usize, is_signed: bool) -> Vec<Halves> {
    let mut random = Random(77);
    let make = |case| {
        let base = [(); 3].map(|()| random.next() % 31_744);
        let contrast = 1 + ((random.next() % 31_744) >> (random.next() % 14));
        // Two colours with noise around them, as at an edge.
        let other = base.map(|v| v + ((random.next() % 31_744) >> (random.next() % 14)));
        let texels = (0..16).map(|_| {
            let center = if random.byte() & 1 == 0 { base } else { other };
            center.map(|v| {
                let bits = (v + random.next() % contrast).min(0x7bff) as u16;
                // Some blocks are negative, in some every fourth number is.
                let is_negative = case % 4 == 1 || case % 4 == 0 && random.byte() & 3 == 0;
                f16::from_bits(if is_signed && is_negative { bits | 0x8000 } else { bits })
            })
        });
        Halves { name: "block", width: 4, height: 4, texels: texels.collect() }
    };
    (0..count).map(make).collect()
}

#[test]
fn quality_of_bc6h_never_falls_as_the_setting_rises() {
    for format in FORMATS {
        let is_signed = format == BlockFormat::Bc6hSfloat;
        let mut all = blocks(300, is_signed);
        for (width, height) in [(33, 9), (5, 7), (1, 1)] {
            all.extend(images(width, height, is_signed));
        }
        for image in &all {
            let mut last = f64::INFINITY;
            for options in settings() {
                if options.real_time == Some(RealTime::Level1) {
                    last = f64::INFINITY;
                }
                let blocks = encoded_with(CpuEncoder::new(), image, format, options);
                let found = error(image, format, &blocks);
                // The encoder's logarithm is off by at most 2·10⁻⁶.
                let rounding = if is_signed { 1e-3 * found + 1e-9 } else { 0.0 };
                assert!(
                    found <= last + rounding,
                    "{format} {} {options:?}: {found} after {last}",
                    image.name
                );
                last = found;
            }
        }
    }
}

#[test]
fn every_mode_of_bc6h_is_used() {
    for format in FORMATS {
        let mut modes = BTreeSet::new();
        for image in blocks(2000, format == BlockFormat::Bc6hSfloat) {
            let blocks = encoded(CpuEncoder::new(), &image, format, Quality::Normal);
            modes.extend(blocks.as_chunks().0.iter().map(block_mode));
        }
        assert_eq!(modes, (1..=14).map(Some).collect(), "{format}");
    }
}

/// Tests that real time has those modes of one subset that have room, and from level 2 on those of two, but
/// not the modes 3 to 5, which would be of little use.
#[test]
fn modes_of_bc6h_in_real_time() {
    for format in FORMATS {
        for &level in RealTime::ALL {
            let mut modes = BTreeSet::new();
            let mut images = blocks(2000, format == BlockFormat::Bc6hSfloat);
            // Only texels of almost one colour have room in mode 14.
            let mut texels = vec![[f16::ONE; 3]; 16];
            texels[5] = [f16::from_bits(0x3c01); 3];
            images.push(Halves { name: "almost one colour", width: 4, height: 4, texels });
            for image in images {
                let blocks = encoded_with(CpuEncoder::new(), &image, format, in_real_time(level));
                modes.extend(blocks.as_chunks().0.iter().filter_map(block_mode));
            }
            let two = if level == RealTime::Level1 { &[][..] } else { &[1, 2, 6, 7, 8, 9, 10] };
            assert_eq!(modes, two.iter().copied().chain(11..=14).collect(), "{format} {level:?}");
        }
    }
}

/// Tests that two gradients side by side have two subsets, and are then close.
#[test]
fn two_gradients_have_two_subsets_in_real_time() {
    // Each side has its own line, along other channels.
    let texel = |i: usize| {
        let (x, y) = (i % 4, i / 4);
        let side: [usize; 3] = if x < 2 { [0x3000, 0x3100, 0x3000] } else { [0x3010, 0x3000, 0x3180] };
        let slope = if x < 2 { [100, 0, 0] } else { [0, 100, 100] };
        [0, 1, 2].map(|c| f16::from_bits((side[c] + slope[c] * y) as u16))
    };
    let image = Halves { name: "sides", width: 4, height: 4, texels: (0..16).map(texel).collect() };
    for format in FORMATS {
        let found = RealTime::ALL.iter().map(|&level| {
            let blocks = encoded_with(CpuEncoder::new(), &image, format, in_real_time(level));
            let decoded = decoded(&image, format, &blocks);
            let pairs = image.texels.as_flattened().iter().zip(decoded.as_flattened().to_vec());
            let error: i64 = pairs.map(|(&a, b)| (pattern(a) - pattern(b)).pow(2)).sum();
            (block_mode(blocks.first_chunk().unwrap()).unwrap(), error)
        });
        let [(of_one, error), (_, of_two), (mode, of_three)] =
            <[_; 3]>::try_from(found.collect::<Vec<_>>()).unwrap();
        assert!(of_one > 10 && error > 50_000, "{format}: mode {of_one}, {error}");
        assert!(
            mode <= 10 && of_two < error / 10 && of_three <= of_two,
            "{format}: mode {mode}, {of_two}, {of_three}"
        );
    }
}

#[test]
fn blocks_of_one_half_are_exact() {
    for format in FORMATS {
        // A row of blocks, the last of them 3×2 texels large.
        let negative = if format == BlockFormat::Bc6hSfloat { 0x8000 } else { 0 };
        let colors: Vec<_> = (0..=0x7bff).step_by(59).collect();
        let width = 4 * colors.len() as u32 - 1;
        let texel = |x: u32| {
            let bits = colors[x as usize / 4];
            [bits, 0x7bff - bits, (bits / 2) | negative].map(f16::from_bits)
        };
        let texels = (0..2 * width).map(|i| texel(i % width)).collect();
        let image = Halves { name: "one colour per block", width, height: 2, texels };
        for options in settings() {
            let blocks = encoded_with(CpuEncoder::new(), &image, format, options);
            let found = decoded(&image, format, &blocks);
            for (i, (found, given)) in found.iter().zip(&image.texels).enumerate() {
                assert_eq!(found, given, "{format} {options:?} at {}", i as u32 % width);
            }
        }
    }
}

/// Tests that NaN becomes 0, infinities the largest finite half, and negative halves 0 if there is no sign.
#[test]
fn special_values_of_bc6h_become_finite() {
    let (inf, nan, max) = (f16::INFINITY, f16::NAN, f16::MAX);
    for (given, unsigned, signed) in [
        (inf, max, max),
        (-inf, f16::ZERO, f16::MIN),
        (nan, f16::ZERO, f16::ZERO),
        (-nan, f16::ZERO, f16::ZERO),
        (f16::MIN, f16::ZERO, f16::MIN),
        (f16::from_f32(-1.5), f16::ZERO, f16::from_f32(-1.5)),
        (f16::NEG_ZERO, f16::ZERO, f16::ZERO),
    ] {
        for (format, expected) in FORMATS.into_iter().zip([unsigned, signed]) {
            let image = Halves { name: "special", width: 4, height: 4, texels: vec![[given; 3]; 16] };
            for options in settings() {
                let blocks = encoded_with(CpuEncoder::new(), &image, format, options);
                let found = decoded(&image, format, &blocks);
                assert_eq!(found, vec![[expected; 3]; 16], "{format} {options:?} {given}");
            }
        }
    }
}

/// Tests that texels past the edge have no error: the visible ones can be exact.
#[test]
fn padding_of_bc6h_costs_nothing() {
    // Two texels are exact with two subsets or as the ends of a line, for any values of the others.
    let texels = [[0x3c00, 0x1000, 0x7000], [0x3c01, 0x1001, 0x7001]];
    let texels = texels.map(|texel| texel.map(f16::from_bits)).to_vec();
    let image = Halves { name: "edge", width: 1, height: 2, texels };
    for options in settings() {
        let blocks = encoded_with(CpuEncoder::new(), &image, BlockFormat::Bc6hUfloat, options);
        assert_eq!(error(&image, BlockFormat::Bc6hUfloat, &blocks), 0.0, "{options:?}");
    }
}

#[test]
fn every_instruction_set_gives_the_same_blocks_of_bc6h() {
    for format in FORMATS {
        let is_signed = format == BlockFormat::Bc6hSfloat;
        for options in settings() {
            for (width, height) in [(1, 1), (5, 7), (33, 9), (129, 17)] {
                // The scalar twin is slow at high quality, and larger sizes add no code path.
                let greatest = match options.quality {
                    Quality::Best => 5,
                    Quality::High => 33,
                    _ => u32::MAX,
                };
                if width > greatest {
                    continue;
                }
                for image in images(width, height, is_signed) {
                    let scalar = CpuEncoder::new().with_simd_level(SimdLevel::Scalar).unwrap();
                    let expected = encoded_with(scalar, &image, format, options);
                    for &level in SimdLevel::ALL {
                        let Some(encoder) = CpuEncoder::new().with_simd_level(level) else {
                            skip(format_args!("a CPU without {}", level.name()));
                            continue;
                        };
                        let found = encoded_with(encoder, &image, format, options);
                        let what =
                            format!("{format} {} {width}×{height} {options:?} {}", image.name, level.name());
                        assert_same_blocks(&expected, &found, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_blocks_by_either_metric() {
    for (format, metric) in FORMATS.into_iter().zip([Bc6hMetric::Log, Bc6hMetric::Pattern]) {
        for &quality in Quality::ALL {
            let options = EncodeOptions::default().with(|o| {
                o.quality = quality;
                o.bc6h.metric = Some(metric);
            });
            let (width, height) = match options.quality {
                Quality::High => continue,
                Quality::Best => (5, 7),
                _ => (33, 9),
            };
            for image in images(width, height, format == BlockFormat::Bc6hSfloat) {
                let scalar = CpuEncoder::new().with_simd_level(SimdLevel::Scalar).unwrap();
                let expected = encoded_with(scalar, &image, format, options);
                for encoder in SimdLevel::ALL.iter().filter_map(|&l| CpuEncoder::new().with_simd_level(l)) {
                    let found = encoded_with(encoder, &image, format, options);
                    assert_same_blocks(&expected, &found, &format!("{format} {} {options:?}", image.name));
                }
            }
        }
    }
}

/// Tests that blocks are those of other machines. test-data/bc6h-golden.txt contains a hash of each image.
/// `UPDATE=1` rewrites the file.
#[test]
fn blocks_of_bc6h_are_the_golden_ones_on_every_machine() {
    let mut found = String::new();
    for format in FORMATS {
        for options in settings() {
            for (width, height) in [(5, 7), (33, 9)] {
                if options.quality >= Quality::High && width > 5 {
                    continue;
                }
                for image in images(width, height, format == BlockFormat::Bc6hSfloat) {
                    let hash = hash(&encoded_with(CpuEncoder::new(), &image, format, options));
                    let setting = match options.real_time {
                        Some(level) => format!("real-time-{}", level.name()),
                        None => options.quality.name().to_owned(),
                    };
                    found += &format!("{format} {setting} {width}x{height} {} {hash:016x}\n", image.name);
                }
            }
        }
    }
    let name = "test-data/bc6h-golden.txt";
    let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    for (golden, found) in golden.lines().zip(found.lines()) {
        assert_eq!(golden, found, "{name}; UPDATE=1 rewrites it");
    }
    assert_eq!(golden.lines().count(), found.lines().count());
}

/// Blocks by a metric have the smaller error by that metric.
#[test]
fn metrics_of_bc6h_minimise_their_own_error() {
    for (format, is_signed) in FORMATS.into_iter().zip([false, true]) {
        for image in
            images(36, 20, is_signed).iter().filter(|image| ["gradient", "sun"].contains(&image.name))
        {
            let errors = Bc6hMetric::ALL.iter().map(|&metric| {
                let options = EncodeOptions::default().with(|o| o.bc6h.metric = Some(metric));
                let view = ImageView::new(&image.texels, image.width, image.height).unwrap();
                let mut blocks = vec![0; format.image_bytes(image.width, image.height) as usize];
                CpuEncoder::new().encode_into(&view, format, &options, &mut blocks, &Task::new()).unwrap();
                if options.bc6h.metric_of(is_signed) == Bc6hOptions::default().metric_of(is_signed) {
                    assert_eq!(blocks, encoded(CpuEncoder::new(), image, format, Quality::Normal));
                }
                // Errors by bit patterns, and by logarithms.
                FORMATS.map(|kind| {
                    let pairs = image
                        .texels
                        .as_flattened()
                        .iter()
                        .zip(decoded(image, format, &blocks).as_flattened().to_vec());
                    pairs.map(|(&a, b)| (level(kind, a) - level(kind, b)).powi(2)).sum::<f64>()
                })
            });
            let [pattern, log] = <[_; 2]>::try_from(errors.collect::<Vec<_>>()).unwrap();
            assert!(pattern[0] < log[0], "{format} {}: {} and {}", image.name, pattern[0], log[0]);
            assert!(log[1] < pattern[1], "{format} {}: {} and {}", image.name, log[1], pattern[1]);
        }
    }
}

#[test]
fn signed_blocks_stay_near_the_range_of_their_texels() {
    let mut random = Random(29);
    let mut noise = |scale: f32| {
        let sum: f32 = (0..8).map(|_| f32::from(random.byte()) - 127.5).sum();
        f16::from_f32(sum / 208.0 * scale)
    };
    // Noise around 0, from subnormal halves to large ones: no block has a line through its texels.
    for scale in [1e-6, 0.01, 1.0, 100.0, 5000.0] {
        let texels: Vec<_> = (0..32 * 32).map(|_| [noise(scale), noise(scale), noise(scale)]).collect();
        let image = Halves { name: "noise", width: 32, height: 32, texels };
        let of = |texels: &[[f16; 3]], x: usize, y: usize| {
            let halves = (0..16).flat_map(|t| texels[(4 * y + t / 4) * 32 + 4 * x + t % 4]);
            halves.map(|half| half.to_f64().abs()).fold(0.0, f64::max)
        };
        for options in settings() {
            let blocks = encoded_with(CpuEncoder::new(), &image, BlockFormat::Bc6hSfloat, options);
            let found = decoded(&image, BlockFormat::Bc6hSfloat, &blocks);
            for at in 0..64 {
                let [largest, most] = [&image.texels, &found].map(|texels| of(texels, at % 8, at / 8));
                assert!(most <= 2.0 * largest, "{scale} {options:?}: block {at}: {most} of {largest}");
            }
            let pairs = image.texels.as_flattened().iter().zip(found.as_flattened());
            let [error, spread] = pairs.fold([0.0; 2], |[error, spread], (texel, found)| {
                let (texel, found) = (texel.to_f64(), found.to_f64());
                [error + (texel - found).powi(2), spread + texel.powi(2)]
            });
            // The fast ones fit a line by logarithms only.
            let is_quick = options.quality <= Quality::Fast || options.real_time.is_some();
            let most = if is_quick { 2.0 } else { 1.0 };
            assert!(error < most * spread, "{scale} {options:?}: errors of {error}, texels of {spread}");
        }
    }
}
