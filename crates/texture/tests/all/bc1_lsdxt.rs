//! Properties of LSDxt: its search finds the result of exhaustive search, a higher quality is never worse,
//! transparent texels stay transparent, and the bytes are the same on every instruction set.

use crate::common::{self, Fixture, Random, assert_same_blocks, fixtures, option_sets};
use brickwork_base::testing::skip;
use brickwork_texture::bc::bc1::Method;
use brickwork_texture::{
    BlockFormat, ChannelWeights, CpuEncoder, EncodeOptions, ImageView, Quality, RoundingRule, SimdLevel,
    Task,
    bc::bc1::{PaletteRule, decode_block, encode_block},
};

fn options(quality: Quality) -> EncodeOptions {
    let mut options = EncodeOptions::default();
    options.quality = quality;
    options.bc1.method = Method::Lsdxt;
    options
}

fn encode(encoder: CpuEncoder, fixture: &Fixture, options: &EncodeOptions) -> Vec<u8> {
    let Fixture { width, height, .. } = *fixture;
    let image = ImageView::new(&fixture.texels, width, height).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
    encoder.encode_into(&image, BlockFormat::Bc1, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

/// Returns the weighted squared error of a block over texels with alpha.
fn error(block: &[u8; 8], texels: &[[u8; 4]; 16], options: &EncodeOptions) -> u32 {
    let decoded = decode_block(block, &PaletteRule::new(options.rounding_rule));
    let weights = options.weights.rgb();
    let mut error = 0;
    for (texel, decoded) in
        texels.iter().zip(&decoded).filter(|(texel, _)| texel[3] >= options.bc1.alpha_threshold)
    {
        for c in 0..3 {
            error += u32::from(texel[c].abs_diff(decoded[c])).pow(2) * u32::from(weights[c]);
        }
    }
    error
}

/// Returns random blocks: colours around two ends, some scattered at random.
fn random_blocks(count: usize) -> Vec<[[u8; 4]; 16]> {
    let mut random = Random(0x1234_5678_9abc_def1);
    (0..count)
        .map(|block| {
            let ends = [0, 1].map(|_| [random.byte(), random.byte(), random.byte()].map(i32::from));
            let noise = [4, 24, 200][block % 3];
            std::array::from_fn(|_| {
                let share = i32::from(random.byte());
                let mut texel = [255; 4];
                for c in 0..3 {
                    let value = (ends[0][c] * share + ends[1][c] * (255 - share)) / 255;
                    texel[c] = (value + i32::from(random.byte()) % noise - noise / 2).clamp(0, 255) as u8;
                }
                texel
            })
        })
        .collect()
}

/// Returns the codes of each channel of a packed endpoint.
fn codes(packed: u16) -> [i32; 3] {
    [packed >> 11, packed >> 5 & 63, packed & 31].map(i32::from)
}

/// Returns the lowest error of all endpoints within `radius` of the codes of `center`. Each texel uses the
/// nearest colour of its decoded palette, without tables, bounds or lanes. Blocks with transparent texels
/// have three colours.
fn least_around(center: [u16; 2], radius: i32, texels: &[[u8; 4]; 16], options: &EncodeOptions) -> u32 {
    let rule = PaletteRule::new(options.rounding_rule);
    let weights = options.weights.rgb().map(u32::from);
    let side = 2 * radius + 1;
    let centers = center.map(codes);
    let opaque: Vec<_> = texels.iter().filter(|texel| texel[3] >= options.bc1.alpha_threshold).collect();
    let three = opaque.len() < 16;
    let mut least = u32::MAX;
    for number in 0..side.pow(6) {
        let mut rest = number;
        let mut packed = [0u16; 2];
        for end in 0..2 {
            let mut near = [0; 3];
            for c in 0..3 {
                near[c] = (centers[end][c] + rest % side - radius).clamp(0, [31, 63, 31][c]);
                rest /= side;
            }
            packed[end] = (near[0] << 11 | near[1] << 5 | near[2]) as u16;
        }
        let [high, low] = [packed[0].max(packed[1]), packed[0].min(packed[1])];
        let [c0, c1] = if three { [low, high] } else { [high, low] };
        let palette = rule.palette(c0, c1);
        // With c0 <= c1, index 3 is transparent. With equal endpoints, all colours are equal.
        let entry_count = if c0 <= c1 { 3 } else { 4 };
        let mut error = 0;
        for texel in &opaque {
            let distance = |entry: &[u8; 4]| {
                (0..3).map(|c| u32::from(entry[c].abs_diff(texel[c])).pow(2) * weights[c]).sum::<u32>()
            };
            error += palette[..entry_count].iter().map(distance).min().unwrap();
        }
        least = least.min(error);
    }
    least
}

fn ends(block: &[u8; 8]) -> [u16; 2] {
    [u16::from_le_bytes([block[0], block[1]]), u16::from_le_bytes([block[2], block[3]])]
}

/// The search starts where the same number of corrections without a search ends. A few blocks for which the
/// four corrections of quality fast suffice are compared with the plain loop.
#[test]
fn the_search_finds_what_trying_everything_finds() {
    // Opaque and with transparent texels.
    let mut tried = [0; 2];
    for (decoder, weights) in [
        (RoundingRule::Exact, ChannelWeights::UNIFORM),
        (RoundingRule::Amd, ChannelWeights::LUMA),
        (RoundingRule::Trunc, ChannelWeights::new(1, 254, 1).unwrap()),
    ] {
        for (number, mut texels) in random_blocks(48).into_iter().enumerate() {
            if number % 4 == 3 {
                texels[number % 16][3] = 0;
                texels[7][3] = 0;
            }
            let with = |quality| {
                let mut options = options(quality);
                options.rounding_rule = decoder;
                options.weights = weights;
                options
            };
            // Ultrafast and fast have the same result if the first correction did not help.
            let [first, center] =
                [Quality::Ultrafast, Quality::Fast].map(|q| encode_block(&texels, &with(q)));
            if first != center {
                continue;
            }
            tried[usize::from(number % 4 == 3)] += 1;
            for (quality, radius) in [(Quality::Normal, 1), (Quality::High, 2)] {
                let options = with(quality);
                let found = error(&encode_block(&texels, &options), &texels, &options);
                let least = least_around(ends(&center), radius, &texels, &options);
                assert_eq!(found, least, "{quality:?} {decoder:?} {texels:?}");
            }
        }
    }
    assert!(tried[0] >= 10 && tried[1] >= 4, "{tried:?}");
}

/// Tests all 531,441 candidates of the best quality for one block.
#[test]
fn the_widest_search_finds_what_trying_everything_finds() {
    let with = options;
    let texels = random_blocks(60)
        .into_iter()
        .find(|texels| {
            let [first, center] = [Quality::Ultrafast, Quality::Fast].map(|q| encode_block(texels, &with(q)));
            let wide = [Quality::High, Quality::Best]
                .map(|q| error(&encode_block(texels, &with(q)), texels, &with(q)));
            first == center && wide[1] < wide[0]
        })
        .unwrap();
    let center = encode_block(&texels, &with(Quality::Fast));
    let options = with(Quality::Best);
    let found = error(&encode_block(&texels, &options), &texels, &options);
    assert_eq!(found, least_around(ends(&center), 4, &texels, &options));
}

#[test]
fn quality_never_falls_as_the_setting_rises() {
    for decoder in [RoundingRule::Exact, RoundingRule::Trunc, RoundingRule::Amd, RoundingRule::Intel] {
        for weights in [ChannelWeights::UNIFORM, ChannelWeights::LUMA] {
            for texels in random_blocks(24) {
                let mut last = u32::MAX;
                for &quality in Quality::ALL {
                    let mut options = options(quality);
                    options.rounding_rule = decoder;
                    options.weights = weights;
                    let error = error(&encode_block(&texels, &options), &texels, &options);
                    assert!(error <= last, "{quality:?} {decoder:?}: {error} after {last}, {texels:?}");
                    last = error;
                }
            }
        }
    }
}

#[test]
fn transparent_texels_stay_transparent_and_others_opaque() {
    for quality in [Quality::Ultrafast, Quality::Fast, Quality::Normal, Quality::High] {
        for fixture in fixtures(33, 9) {
            let options = options(quality);
            let blocks = encode(CpuEncoder::new(), &fixture, &options);
            let rule = PaletteRule::new(options.rounding_rule);
            for (index, block) in blocks.as_chunks::<8>().0.iter().enumerate() {
                let decoded = decode_block(block, &rule);
                for t in 0..16 {
                    let (x, y) = (index as u32 % 9 * 4 + t % 4, index as u32 / 9 * 4 + t / 4);
                    if x < 33 && y < 9 {
                        let alpha = fixture.texels[(y * 33 + x) as usize][3];
                        let expected = if alpha < options.bc1.alpha_threshold { 0 } else { 255 };
                        assert_eq!(decoded[t as usize][3], expected, "{} {quality:?} {x} {y}", fixture.name);
                    }
                }
            }
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bytes() {
    for &quality in Quality::ALL {
        let sizes = match quality {
            Quality::Ultrafast | Quality::Fast => &common::SIZES[..],
            Quality::Normal => &common::SIZES[..5],
            Quality::High => &common::SIZES[..4],
            // The scalar twin takes a tenth of a second per block.
            Quality::Best => &common::SIZES[..3],
            _ => unreachable!("a kind that the tests do not know"),
        };
        for &(width, height) in sizes {
            for fixture in fixtures(width, height) {
                for mut options in option_sets(quality) {
                    options.bc1.method = Method::Lsdxt;
                    let scalar = CpuEncoder::new().with_simd_level(SimdLevel::Scalar).unwrap();
                    let expected = encode(scalar, &fixture, &options);
                    for &level in SimdLevel::ALL {
                        let Some(encoder) = CpuEncoder::new().with_simd_level(level) else {
                            skip(format_args!("a CPU without {}", level.name()));
                            continue;
                        };
                        let what =
                            format!("{} {width}×{height}, {}, {options:?}", fixture.name, level.name());
                        assert_same_blocks(&expected, &encode(encoder, &fixture, &options), &what);
                    }
                }
            }
        }
    }
}
