//! Properties of BC1 blocks: other decoders decode them equally, a higher quality is never worse, and they
//! are optimal where the optimum is known.

use crate::common::{Fixture, Random, fixtures};
use brickwork_texture::{
    BlockFormat, CancelToken, Cancelled, ChannelWeights, CpuEncoder, EncodeError, EncodeOptions, ImageView,
    Progress, Quality, RoundingRule, Task,
    bc::bc1::{PaletteRule, decode_block},
};
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn encode(fixture: &Fixture, options: &EncodeOptions) -> Vec<u8> {
    let Fixture { width, height, .. } = *fixture;
    let image = ImageView::new(&fixture.texels, width, height).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
    CpuEncoder::new().encode_into(&image, BlockFormat::Bc1, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

fn decode(fixture: &Fixture, blocks: &[u8], decoder: RoundingRule) -> Vec<[u8; 4]> {
    let mut texels = vec![[0; 4]; fixture.texels.len()];
    crate::common::decode(BlockFormat::Bc1, blocks, fixture.width, fixture.height, decoder, &mut texels)
        .unwrap();
    texels
}

/// Returns the squared error over opaque texels, with the weights of the options.
fn error(fixture: &Fixture, options: &EncodeOptions) -> u64 {
    let decoded = decode(fixture, &encode(fixture, options), options.rounding_rule);
    let weights = options.weights.rgb();
    let opaque =
        |texel: &[u8; 4]| options.bc1.alpha_threshold == 0 || texel[3] >= options.bc1.alpha_threshold;
    fixture
        .texels
        .iter()
        .zip(&decoded)
        .filter(|(texel, _)| opaque(texel))
        .flat_map(|(texel, decoded)| {
            (0..3).map(move |c| u64::from(texel[c].abs_diff(decoded[c])).pow(2) * u64::from(weights[c]))
        })
        .sum()
}

/// Returns blocks of every kind: encoded ones, and random bytes.
fn blocks_to_decode() -> Vec<[u8; 8]> {
    let mut random = Random(7);
    let mut blocks: Vec<[u8; 8]> = (0..20_000).map(|_| random.next().to_le_bytes()).collect();
    for (high, low) in [(0xffff, 0), (5, 5), (0, 1), (0x0821, 0x0820)] {
        for [c0, c1] in [[high, low], [low, high]] {
            blocks.push((u64::from(c0 as u16) | (c1 as u64) << 16 | 0xe4e4_1b1b << 32).to_le_bytes());
        }
    }
    for fixture in fixtures(64, 64) {
        blocks.extend_from_slice(encode(&fixture, &EncodeOptions::default()).as_chunks().0);
    }
    blocks
}

#[test]
fn exact_is_what_bcdec_decodes() {
    let rule = PaletteRule::new(RoundingRule::Exact);
    for block in blocks_to_decode() {
        let mut theirs = [0u8; 64];
        bcdec_rs::bc1(&block, &mut theirs, 16);
        assert_eq!(decode_block(&block, &rule).as_flattened(), theirs, "{block:02x?}");
    }
}

#[test]
fn trunc_is_what_texture2ddecoder_decodes() {
    let rule = PaletteRule::new(RoundingRule::Trunc);
    for block in blocks_to_decode() {
        let mut theirs = [0u32; 16];
        texture2ddecoder::decode_bc1a_block(&block, &mut theirs);
        // texture2ddecoder packs blue, green, red and alpha, starting with the lowest byte.
        let theirs = theirs.map(|texel| {
            let [b, g, r, a] = texel.to_le_bytes();
            [r, g, b, a]
        });
        assert_eq!(decode_block(&block, &rule), theirs, "{block:02x?}");
    }
}

fn quality_never_falls(fixture: &Fixture, mut options: EncodeOptions) {
    let mut last = u64::MAX;
    for &quality in Quality::ALL {
        options.quality = quality;
        let error = error(fixture, &options);
        assert!(error <= last, "{} {quality:?}: {error} after {last} ({options:?})", fixture.name);
        last = error;
    }
}

#[test]
fn quality_never_falls_as_the_setting_rises() {
    for fixture in fixtures(65, 18) {
        for &decoder in RoundingRule::ALL {
            for weights in [ChannelWeights::UNIFORM, ChannelWeights::LUMA] {
                for (three_color, transparent_black) in [(true, false), (false, false), (true, true)] {
                    let mut options = EncodeOptions::default();
                    options.rounding_rule = decoder;
                    options.weights = weights;
                    options.bc1.three_color = three_color;
                    options.bc1.transparent_black = transparent_black;
                    quality_never_falls(&fixture, options);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Blocks around a colour, with spreads from almost none to the full range.
    #[test]
    fn quality_never_falls_on_random_images(
        (width, height) in (1u32..14, 1u32..14), seed in 1u64.., spread in 1u32..9, base in any::<[u8; 3]>(),
        alpha in any::<bool>(), decoder in 0..RoundingRule::ALL.len(),
    ) {
        let mut random = Random(seed);
        let mut texel = || {
            let [r, g, b] = base.map(|v| v.wrapping_add(random.byte() >> (8 - spread)));
            [r, g, b, if alpha { random.byte() } else { 255 }]
        };
        let texels = (0..width * height).map(|_| texel()).collect();
        let options = EncodeOptions::default().with(|o| o.rounding_rule = RoundingRule::ALL[decoder]);
        quality_never_falls(&Fixture { name: "random", width, height, texels }, options);
    }

    /// Alpha decodes to exactly what the threshold demands, and opaque images decode to opaque texels.
    #[test]
    fn alpha_is_what_the_threshold_says(
        seed in 1u64.., threshold in any::<u8>(), quality in 0usize..5, flat in any::<bool>(),
    ) {
        let mut random = Random(seed);
        let mut texel = || {
            let value = if flat { 77 } else { random.byte() };
            [value, value / 2, 255 - value, random.byte()]
        };
        let texels = (0..54).map(|_| texel()).collect();
        let fixture = Fixture { name: "random", width: 9, height: 6, texels };
        let mut options = EncodeOptions::default();
        options.bc1.alpha_threshold = threshold;
        options.quality = Quality::ALL[quality];
        let decoded = decode(&fixture, &encode(&fixture, &options), RoundingRule::Exact);
        for (texel, decoded) in fixture.texels.iter().zip(decoded) {
            prop_assert_eq!(decoded[3], if texel[3] < threshold { 0 } else { 255 });
        }
    }
}

#[test]
fn without_three_colours_no_block_asks_for_them() {
    for &quality in Quality::ALL {
        let mut options = EncodeOptions::default();
        options.bc1.three_color = false;
        options.bc1.alpha_threshold = 0;
        options.quality = quality;
        for fixture in fixtures(65, 18) {
            for block in encode(&fixture, &options).as_chunks::<8>().0 {
                let [c0, c1] = [0, 2].map(|at| u16::from_le_bytes([block[at], block[at + 1]]));
                let indices = u32::from_le_bytes([block[4], block[5], block[6], block[7]]);
                assert!(c0 > c1 || c0 == c1 && indices == 0, "{} {block:02x?}", fixture.name);
            }
        }
    }
}

#[test]
fn black_helps_dark_images_and_only_where_it_is_asked_for() {
    let dark = fixtures(64, 64).into_iter().find(|fixture| fixture.name == "dark").unwrap();
    for quality in [Quality::Fast, Quality::Normal, Quality::High, Quality::Best] {
        let mut options = EncodeOptions::default();
        options.quality = quality;
        let without = error(&dark, &options);
        assert!(
            decode(&dark, &encode(&dark, &options), RoundingRule::Exact).iter().all(|texel| texel[3] == 255)
        );
        options.bc1.transparent_black = true;
        let with = error(&dark, &options);
        assert!(with * 10 < without * 9, "{quality:?}: {with} with, {without} without");
    }
}

/// Tests blocks whose texels differ less than the endpoints' codes: they are never worse than one colour, the
/// mean.
#[test]
fn nearly_flat_blocks_are_no_worse_than_flat_ones() {
    let mut random = Random(5);
    for case in 0..400 {
        let base = [random.byte(), random.byte(), random.byte()].map(|v| v.min(249));
        let spread = 1 + random.byte() % 6;
        let (width, height) = [(4, 4), (3, 4), (4, 1)][case % 3];
        let mut texel = || [0, 1, 2, 3].map(|c| if c < 3 { base[c] + random.byte() % spread } else { 255 });
        let texels: Vec<_> = (0..width * height).map(|_| texel()).collect();
        let fixture = Fixture { name: "nearly flat", width, height, texels };
        let count = width * height;
        let sum = |c: usize| fixture.texels.iter().map(|texel| u32::from(texel[c])).sum::<u32>();
        let mean = [0, 1, 2].map(|c| ((2 * sum(c) + count) / (2 * count)) as u8);
        let flat = Fixture {
            name: "flat",
            width,
            height,
            texels: vec![[mean[0], mean[1], mean[2], 255]; count as usize],
        };
        for &quality in Quality::ALL {
            for &decoder in RoundingRule::ALL {
                let options = EncodeOptions::default().with(|o| {
                    o.quality = quality;
                    o.rounding_rule = decoder;
                });
                let decoded = decode(&flat, &encode(&flat, &options), decoder);
                let difference = |(texel, decoded): (&[u8; 4], &[u8; 4])| {
                    (0..3).map(|c| u64::from(texel[c].abs_diff(decoded[c])).pow(2)).sum::<u64>()
                };
                let as_flat: u64 = fixture.texels.iter().zip(&decoded).map(difference).sum();
                let found = error(&fixture, &options);
                assert!(found <= as_flat, "{quality:?} {decoder:?} {:?}: {found}", fixture.texels);
            }
        }
    }
}

/// Returns the lowest squared error of a block of two colours over all pairs of palette entries and all pairs
/// of codes.
fn least_error(colors: [[u8; 3]; 2], counts: [u32; 2], rule: &PaletteRule) -> u32 {
    let mut least = u32::MAX;
    for three in [false, true] {
        // The palettes of one channel at a time. All channels get the same code, so there is one palette per
        // pair of codes.
        let mut best = [[u32::MAX; 16]; 3];
        for (c, best) in best.iter_mut().enumerate() {
            let (shift, top) = [(11, 31), (5, 63), (0, 31)][c];
            for a in 0..=top {
                for b in 0..=top {
                    let [c0, c1] = [a, b].map(|code: u16| code << shift);
                    let palette = if (c0 > c1) != three {
                        rule.palette(c0, c1)
                    } else {
                        // The other order exchanges the entries and does not change the half.
                        let [p0, p1, p2, p3] = rule.palette(c1, c0);
                        if three { [p1, p0, p2, p3] } else { [p1, p0, p3, p2] }
                    };
                    let error = |i: usize, entry: usize| {
                        let entry = if c0 == c1 { 0 } else { entry };
                        counts[i] * u32::from(palette[entry][c].abs_diff(colors[i][c])).pow(2)
                    };
                    for (pair, best) in best.iter_mut().enumerate() {
                        *best = (*best).min(error(0, pair % 4) + error(1, pair / 4));
                    }
                }
            }
        }
        let entries = if three { 3 } else { 4 };
        for pair in (0..16).filter(|pair| pair % 4 < entries && pair / 4 < entries) {
            least = least.min((0..3).map(|c| best[c][pair]).sum());
        }
    }
    least
}

#[test]
fn two_colour_blocks_are_as_good_as_exhaustive_search() {
    let mut random = Random(99);
    for case in 0..60 {
        let decoder = RoundingRule::ALL[case % RoundingRule::ALL.len()];
        if decoder == RoundingRule::Nvidia {
            continue; // Its green half depends on the order of the endpoints.
        }
        let near = [7, 3, 0][case % 3];
        let first = [random.byte(), random.byte(), random.byte()];
        let other = first.map(|v| v.wrapping_add((random.byte() >> near).max(1)));
        let count = 1 + u32::from(random.byte()) % 15;
        let texel = |[r, g, b]: [u8; 3]| [r, g, b, 255];
        let texels = (0..16).map(|t| texel(if t < count { first } else { other })).collect();
        let fixture = Fixture { name: "two colours", width: 4, height: 4, texels };
        let mut options = EncodeOptions::default();
        options.rounding_rule = decoder;
        let least = least_error([first, other], [count, 16 - count], &PaletteRule::new(decoder));
        for quality in [Quality::Fast, Quality::Normal, Quality::High, Quality::Best] {
            options.quality = quality;
            let found = error(&fixture, &options);
            assert_eq!(found, u64::from(least), "{decoder:?} {quality:?} {first:?} × {count}, {other:?}");
        }
    }
}

#[test]
fn progress_is_told_and_cancelling_stops() {
    let texels = vec![[1u8, 2, 3, 4]; 64 * 64];
    let image = ImageView::new(&texels, 64, 64).unwrap();
    let mut blocks = vec![0; 16 * 16 * 8];
    let (calls, greatest) = (AtomicU64::new(0), AtomicU64::new(0));
    let callback = |Progress { done, total, .. }: Progress| {
        assert_eq!(total, 256);
        calls.fetch_add(1, Ordering::Relaxed);
        greatest.fetch_max(done, Ordering::Relaxed);
    };
    let options = EncodeOptions::default();
    let task = Task::new().with_progress(&callback);
    CpuEncoder::new().encode_into(&image, BlockFormat::Bc1, &options, &mut blocks, &task).unwrap();
    assert_eq!((calls.into_inner(), greatest.into_inner()), (16, 256));

    let token = CancelToken::new();
    let cancel = |_: Progress| token.cancel();
    let task = Task::new().with_progress(&cancel).with_cancel(&token);
    let result = CpuEncoder::new().encode_into(&image, BlockFormat::Bc1, &options, &mut blocks, &task);
    assert_eq!(result, Err(EncodeError::Cancelled(Cancelled)));
}

#[test]
fn wrong_lengths_are_errors() {
    let texels = [0u8; 16];
    let image = ImageView::new(&texels, 4, 4).unwrap();
    let options = EncodeOptions::default();
    assert_eq!(
        CpuEncoder::new().encode_into(&image, BlockFormat::Bc1, &options, &mut [0; 9], &Task::new()),
        Err(EncodeError::BlocksLength { needed: 8, given: 9 })
    );
}

/// Tests blocks whose optimum, by a search over all endpoints (`brickwork-bench ceiling`), cannot be reached
/// by steps from the best clusterings along the principal axis. In two of them, clusters must use other
/// indices; two need other axes.
#[test]
fn best_finds_optima_far_from_the_best_clusterings() {
    #[rustfmt::skip]
    const BLOCKS: [([[u8; 3]; 16], u64); 4] = [
        ([[141, 122, 96], [87, 71, 60], [75, 60, 51], [77, 63, 53], [130, 113, 89], [79, 64, 54],
          [72, 58, 50], [78, 63, 54], [143, 125, 97], [78, 63, 53], [74, 60, 51], [76, 61, 52],
          [129, 112, 88], [78, 64, 54], [77, 62, 53], [76, 61, 52]], 741),
        ([[101, 76, 64], [97, 74, 62], [79, 64, 54], [75, 61, 51], [97, 74, 62], [79, 64, 54],
          [75, 61, 51], [77, 63, 53], [79, 64, 54], [75, 61, 51], [77, 63, 53], [78, 64, 54],
          [75, 61, 51], [77, 63, 53], [77, 63, 53], [91, 70, 59]], 164),
        ([[128, 247, 36], [10, 227, 154], [194, 105, 16], [35, 182, 13], [10, 227, 154], [194, 105, 16],
          [63, 22, 230], [72, 12, 169], [194, 105, 16], [63, 22, 230], [128, 247, 36], [183, 108, 103],
          [237, 65, 82], [32, 98, 195], [138, 24, 69], [10, 227, 154]], 151_759),
        ([[231, 254, 176], [56, 26, 200], [185, 117, 136], [70, 68, 67], [224, 187, 132], [67, 141, 225],
          [44, 246, 10], [68, 154, 201], [123, 108, 80], [70, 84, 36], [18, 108, 60], [87, 24, 242],
          [86, 187, 215], [234, 236, 111], [92, 146, 34], [93, 234, 215]], 139_431),
    ];
    for (texels, least) in BLOCKS {
        let texels = texels.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
        let fixture = Fixture { name: "block", width: 4, height: 4, texels };
        let of = |quality| error(&fixture, &EncodeOptions::default().with(|o| o.quality = quality));
        assert_eq!(of(Quality::Best), least);
        assert!(of(Quality::High) > least);
    }
}
