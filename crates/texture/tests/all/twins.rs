//! Tests that bytes are the same on every instruction set, for every thread count and texel type.

use crate::common::{self, assert_same_blocks};
use brickwork_base::testing::skip;
use brickwork_texture::{
    AstcFootprint, BlockFormat, ChannelWeights, CpuEncoder, EncodeOptions, Image, ImageView, Quality,
    RealTime, RoundingRule, SimdLevel, Task,
    bc::bc7::{Bc7Options, ModeSet},
};
use std::num::NonZeroUsize;

fn encode(encoder: CpuEncoder, image: &dyn Image, format: BlockFormat, options: &EncodeOptions) -> Vec<u8> {
    let [width, height] = image.size();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    encoder.encode_into(image, format, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

/// Formats whose encoders are twins. Together, they use every code path.
const FORMATS: [BlockFormat; 12] = [
    BlockFormat::Bc1,
    BlockFormat::Bc2,
    BlockFormat::Bc3,
    BlockFormat::Bc4Snorm,
    BlockFormat::Bc5Unorm,
    BlockFormat::Bc5Snorm,
    BlockFormat::Bc7,
    BlockFormat::Etc2RgbA1,
    BlockFormat::Etc2Rgba,
    BlockFormat::EacR11Unorm,
    BlockFormat::EacRg11Snorm,
    BlockFormat::Astc(AstcFootprint::B4x4),
];

/// Returns every combination of options that uses different code paths.
fn option_sets(format: BlockFormat, quality: Quality) -> Vec<EncodeOptions> {
    let options = EncodeOptions::default().with(|o| o.quality = quality);
    let mut sets = option_sets_of_qualities(format, options);
    // Levels of real time do not depend on the quality.
    if quality == Quality::Ultrafast && format.has_real_time() {
        sets.extend(RealTime::ALL.iter().map(|&level| options.with(|o| o.real_time = Some(level))));
        if format == BlockFormat::Bc1 {
            sets.push(options.with(|o| {
                o.real_time = Some(RealTime::Level2);
                o.bc1.alpha_threshold = 0;
            }));
        }
    }
    if has_nvidia_values(format) {
        sets.push(options.with(|o| o.rounding_rule = RoundingRule::Nvidia));
    }
    sets
}

/// True for blocks of one channel, and BC3.
fn has_nvidia_values(format: BlockFormat) -> bool {
    use BlockFormat::{Bc3, Bc4Snorm, Bc4Unorm, Bc5Snorm, Bc5Unorm};
    matches!(format, Bc3 | Bc4Unorm | Bc4Snorm | Bc5Unorm | Bc5Snorm)
}

fn option_sets_of_qualities(format: BlockFormat, options: EncodeOptions) -> Vec<EncodeOptions> {
    if format == BlockFormat::Bc1 {
        return common::option_sets(options.quality);
    }
    if format == BlockFormat::Bc7 {
        let without_single_colors =
            Bc7Options::default().with(|o| o.modes = ModeSet::new(&[0, 1, 2, 3, 4, 6, 7]).unwrap());
        return vec![
            options,
            options.with(|o| {
                o.weights = ChannelWeights::LUMA;
                o.bc7 = without_single_colors;
            }),
        ];
    }
    if format.is_mobile() {
        let by_luma = matches!(format, BlockFormat::Etc2RgbA1 | BlockFormat::Etc2Rgba | BlockFormat::Astc(_));
        let by_luma = by_luma.then(|| options.with(|o| o.weights = ChannelWeights::LUMA));
        return [options].into_iter().chain(by_luma).collect();
    }
    let mut sets = vec![options, options.with(|o| o.rounding_rule = RoundingRule::Trunc)];
    if RoundingRule::Real.for_format(format) == RoundingRule::Real {
        sets.push(options.with(|o| o.rounding_rule = RoundingRule::Exact));
    }
    sets
}

fn every_instruction_set_gives_the_same_bytes(format: BlockFormat) {
    let one = NonZeroUsize::MIN;
    for &quality in Quality::ALL {
        for (width, height) in common::SIZES {
            // The scalar twin is slow at high quality, and larger sizes add no code path.
            if quality >= Quality::High && width > 33 {
                continue;
            }
            for fixture in common::fixtures(width, height) {
                let image = ImageView::new(&fixture.texels, width, height).unwrap();
                for options in option_sets(format, quality) {
                    let scalar = CpuEncoder::new().with_simd_level(SimdLevel::Scalar).unwrap();
                    let expected = encode(scalar.with_threads(one), &image, format, &options);
                    for &level in SimdLevel::ALL {
                        let Some(encoder) = CpuEncoder::new().with_simd_level(level) else {
                            skip(format_args!("a CPU without {}", level.name()));
                            continue;
                        };
                        let found = encode(encoder.with_threads(one), &image, format, &options);
                        let what = format!(
                            "{format} {} {width}×{height}, {}, {options:?}",
                            fixture.name,
                            level.name()
                        );
                        assert_same_blocks(&expected, &found, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_blocks_of_bc1() {
    every_instruction_set_gives_the_same_bytes(BlockFormat::Bc1);
}

#[test]
fn every_instruction_set_gives_the_same_blocks_of_the_other_formats() {
    for format in &FORMATS[1..] {
        every_instruction_set_gives_the_same_bytes(*format);
    }
}

/// The same of images with 16 bits per channel, for the formats that keep them.
#[test]
fn every_instruction_set_gives_the_same_blocks_of_16_bits() {
    let formats = FORMATS.into_iter().filter(|&format| EncodeOptions::default().keeps_16_bits(format));
    assert_eq!(formats.clone().count(), 5);
    for (format, &quality) in
        formats.flat_map(|format| Quality::ALL.iter().map(move |quality| (format, quality)))
    {
        for (width, height) in [(5, 7), (33, 9)] {
            for fixture in common::fixtures(width, height) {
                let mut random = common::Random(16);
                let mut wide = |v: u8| u16::from(v) << 8 | u16::from(random.byte());
                let texels: Vec<[u16; 4]> = fixture.texels.iter().map(|texel| texel.map(&mut wide)).collect();
                let image = ImageView::new(&texels, width, height).unwrap();
                let nvidia = has_nvidia_values(format).then_some(RoundingRule::Nvidia);
                for rule in [RoundingRule::Real].into_iter().chain(nvidia) {
                    let options = EncodeOptions::default().with(|o| {
                        o.quality = quality;
                        o.rounding_rule = rule;
                    });
                    let scalar = CpuEncoder::new().with_simd_level(SimdLevel::Scalar).unwrap();
                    let expected = encode(scalar, &image, format, &options);
                    for level in
                        SimdLevel::ALL.iter().filter_map(|&level| CpuEncoder::new().with_simd_level(level))
                    {
                        let name = level.simd_level().name();
                        let what = format!(
                            "{format} {quality:?} {rule:?} {} {width}×{height}, {name}",
                            fixture.name
                        );
                        assert_same_blocks(&expected, &encode(level, &image, format, &options), &what);
                    }
                }
            }
        }
    }
}

#[test]
fn every_thread_count_gives_the_same_bytes() {
    for format in FORMATS {
        for quality in [Quality::Ultrafast, Quality::Normal] {
            for fixture in common::fixtures(257, 129) {
                let image = ImageView::new(&fixture.texels, 257, 129).unwrap();
                let options = EncodeOptions::default().with(|o| o.quality = quality);
                let expected = encode(CpuEncoder::new(), &image, format, &options);
                for threads in [1, 2, 3, 7] {
                    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::new(threads).unwrap());
                    let found = encode(encoder, &image, format, &options);
                    let what = format!("{format} {} {threads} threads", fixture.name);
                    assert_same_blocks(&expected, &found, &what);
                }
            }
        }
    }
}

#[test]
fn texel_types_and_strides_give_the_same_bytes() {
    let options = EncodeOptions::default();
    for fixture in common::fixtures(33, 9).into_iter().take(7) {
        let (width, height) = (fixture.width, fixture.height);
        let image = ImageView::new(&fixture.texels, width, height).unwrap();
        let expected = encode(CpuEncoder::new(), &image, BlockFormat::Bc1, &options);
        let rgb: Vec<[u8; 3]> = fixture.texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        let wide: Vec<[u16; 4]> = fixture.texels.iter().map(|t| t.map(|v| u16::from(v) * 257)).collect();
        let float: Vec<[f32; 3]> = rgb.iter().map(|t| t.map(|v| f32::from(v) / 255.0)).collect();
        let mut padded = Vec::new();
        for row in fixture.texels.chunks(width as usize) {
            padded.extend_from_slice(row);
            padded.extend([[9, 8, 7, 6]; 5]);
        }
        let check = |found: Vec<u8>, what| assert_same_blocks(&expected, &found, what);
        check(
            encode(
                CpuEncoder::new(),
                &ImageView::new(&rgb, width, height).unwrap(),
                BlockFormat::Bc1,
                &options,
            ),
            "RGB",
        );
        check(
            encode(
                CpuEncoder::new(),
                &ImageView::new(&wide, width, height).unwrap(),
                BlockFormat::Bc1,
                &options,
            ),
            "16 bits",
        );
        check(
            encode(
                CpuEncoder::new(),
                &ImageView::new(&float, width, height).unwrap(),
                BlockFormat::Bc1,
                &options,
            ),
            "float",
        );
        let strided = ImageView::with_stride(&padded, width, height, width as usize + 5).unwrap();
        check(encode(CpuEncoder::new(), &strided, BlockFormat::Bc1, &options), "stride");
    }
}

/// Returns the 64-bit FNV-1a hash: long enough to notice a change, short enough to review.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Tests that the blocks of every fixture, quality and set of options are those of other machines. They are
/// encoded with the best instruction set of this CPU. test-data/FORMAT-golden.txt contains a hash of each.
/// `UPDATE=1` rewrites the file. `BRICKWORK_EMULATED` leaves out the largest images, which take an emulated
/// CPU minutes.
#[test]
fn blocks_are_the_golden_ones_on_every_machine() {
    let is_emulated = std::env::var_os("BRICKWORK_EMULATED").is_some();
    for format in FORMATS {
        let mut found = String::new();
        for &quality in Quality::ALL {
            for (width, height) in [(5, 7), (33, 9), (257, 129)] {
                // These take minutes if AArch64 is emulated.
                let greatest = match (format, quality) {
                    (BlockFormat::Bc7 | BlockFormat::Astc(_), Quality::Best) => 5,
                    (BlockFormat::Bc7 | BlockFormat::Astc(_), _) => 33,
                    (_, Quality::High | Quality::Best) => 33,
                    _ => u32::MAX,
                };
                if width > greatest || is_emulated && width > 33 {
                    continue;
                }
                for fixture in common::fixtures(width, height) {
                    let image = ImageView::new(&fixture.texels, width, height).unwrap();
                    for (set, options) in option_sets(format, quality).iter().enumerate() {
                        let hash = hash(&encode(CpuEncoder::new(), &image, format, options));
                        let quality = quality.name();
                        found += &format!("{quality} {width}x{height} {} {set} {hash:016x}\n", fixture.name);
                    }
                }
            }
        }
        let name = format!("test-data/{format}-golden.txt");
        let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE").is_some() && !is_emulated {
            std::fs::write(&path, &found).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap();
        let is_left_out = |line: &&str| is_emulated && line.contains(" 257x129 ");
        let golden: Vec<_> = golden.lines().filter(|line| !is_left_out(line)).collect();
        for (golden, found) in golden.iter().zip(found.lines()) {
            assert_eq!(*golden, found, "{name}; UPDATE=1 rewrites it");
        }
        assert_eq!(golden.len(), found.lines().count());
    }
}
