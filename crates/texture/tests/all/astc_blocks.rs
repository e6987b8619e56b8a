//! Properties of ASTC blocks: channels count by their weights; in real time level 2 is never worse than level
//! 1, blocks are legal, blocks of one colour are exact, and opaque texels stay opaque.

use crate::common::{Fixture, fixtures};
use brickwork_texture::{
    AstcFootprint, BlockFormat, ChannelWeights, CpuEncoder, EncodeOptions, ImageView, ImageViewMut, Quality,
    RealTime, RoundingRule, Task, decode_into,
};

const FORMAT: BlockFormat = BlockFormat::Astc(AstcFootprint::B4x4);

/// Returns the texels after encoding, and checks the blocks.
fn decoded(fixture: &Fixture, options: &EncodeOptions) -> Vec<[u8; 4]> {
    let Fixture { width, height, texels, .. } = fixture;
    let image = ImageView::new(texels, *width, *height).unwrap();
    let mut blocks = vec![0; FORMAT.image_bytes(*width, *height) as usize];
    CpuEncoder::new().encode_into(&image, FORMAT, options, &mut blocks, &Task::new()).unwrap();
    let mut decoded = vec![[0; 4]; texels.len()];
    let mut view = ImageViewMut::new(&mut decoded[..], *width, *height).unwrap();
    decode_into(FORMAT, &blocks, RoundingRule::Real, &mut view, &Task::new()).unwrap();
    // Illegal blocks are magenta.
    for (decoded, texel) in decoded.iter().zip(texels) {
        let is_magenta = *decoded == [255, 0, 255, 255];
        assert!(
            !is_magenta || texel[0] > 200 && texel[1] < 50 && texel[2] > 200,
            "{}: {texel:?}",
            fixture.name
        );
    }
    decoded
}

fn error(fixture: &Fixture, decoded: &[[u8; 4]]) -> u64 {
    let pairs = fixture.texels.as_flattened().iter().zip(decoded.as_flattened());
    pairs.map(|(&a, &b)| u64::from(a.abs_diff(b)).pow(2)).sum()
}

#[test]
fn level_2_of_astc_is_never_worse_and_opaque_texels_stay_opaque() {
    for (width, height) in [(5, 7), (33, 9), (257, 129)] {
        for fixture in fixtures(width, height) {
            let [first, second] = [RealTime::Level1, RealTime::Level2].map(|level| {
                decoded(&fixture, &EncodeOptions::default().with(|o| o.real_time = Some(level)))
            });
            assert!(error(&fixture, &second) <= error(&fixture, &first), "{}", fixture.name);
            for decoded in [&first, &second] {
                for (texel, decoded) in fixture.texels.iter().zip(decoded) {
                    assert!(texel[3] < 255 || decoded[3] == 255, "{} {texel:?} {decoded:?}", fixture.name);
                }
            }
            if fixture.name == "one colour a block" {
                assert_eq!(first, fixture.texels);
            }
        }
    }
}

/// Returns the squared errors of the channels.
fn errors(fixture: &Fixture, options: &EncodeOptions) -> [u64; 4] {
    let decoded = decoded(fixture, options);
    let pairs = || fixture.texels.iter().zip(&decoded);
    std::array::from_fn(|c| pairs().map(|(a, b)| u64::from(a[c].abs_diff(b[c])).pow(2)).sum())
}

#[test]
fn channels_of_astc_count_by_their_weights() {
    for fixture in fixtures(64, 64) {
        let mut before = u64::MAX;
        for &quality in &Quality::ALL[..4] {
            let uniform = EncodeOptions::default().with(|o| o.quality = quality);
            let weighted = uniform.with(|o| o.weights = ChannelWeights::new(2, 20, 5).unwrap());
            // Alpha has the mean of the weights.
            let sum = |errors: [u64; 4]| -> u64 {
                [2, 20, 5, 9].iter().zip(errors).map(|(weight, error)| weight * error).sum()
            };
            let [uniform, found] = [uniform, weighted].map(|options| errors(&fixture, &options));
            let [plain, error] = [uniform, found].map(sum);
            assert!(error <= before, "{} {quality:?}: {error}, {before} before", fixture.name);
            // (The candidates are estimated without weights.)
            assert!(error <= plain + plain / 64, "{} {quality:?}: {error}, {plain} without", fixture.name);
            let is_noisy = fixture.name == "noise";
            assert!(!is_noisy || 3 * found[1] < 2 * uniform[1], "{quality:?}: {found:?} for {uniform:?}");
            before = error;
        }
    }
}
