//! Properties of ASTC blocks in real time: level 2 is never worse than level 1, blocks are legal, blocks of
//! one colour are exact, and opaque texels stay opaque.

use crate::common::{Fixture, fixtures};
use brickwork_texture::{
    AstcFootprint, BlockFormat, CpuEncoder, EncodeOptions, ImageView, ImageViewMut, RealTime, RoundingRule,
    Task, decode_into,
};

const FORMAT: BlockFormat = BlockFormat::Astc(AstcFootprint::B4x4);

/// Returns the texels after encoding, and checks the blocks.
fn decoded(fixture: &Fixture, level: RealTime) -> Vec<[u8; 4]> {
    let Fixture { width, height, texels, .. } = fixture;
    let image = ImageView::new(texels, *width, *height).unwrap();
    let mut blocks = vec![0; FORMAT.image_bytes(*width, *height) as usize];
    let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
    CpuEncoder::new().encode_into(&image, FORMAT, &options, &mut blocks, &Task::new()).unwrap();
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
            let [first, second] = [RealTime::Level1, RealTime::Level2].map(|level| decoded(&fixture, level));
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
