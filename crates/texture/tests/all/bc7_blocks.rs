//! Properties of BC7 blocks: a higher quality is never worse, they are exact where they can be, opaque texels
//! stay opaque, and only allowed modes are used.

use crate::common::{Fixture, Random, fixtures};
use brickwork_texture::{
    BlockFormat, ChannelWeights, CpuEncoder, EncodeOptions, ImageView, Quality, RealTime, RoundingRule, Task,
    bc::bc7::ModeSet,
};

fn encoded(fixture: &Fixture, options: &EncodeOptions) -> Vec<u8> {
    let Fixture { width, height, texels, .. } = fixture;
    let image = ImageView::new(texels, *width, *height).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc7.image_bytes(*width, *height) as usize];
    CpuEncoder::new().encode_into(&image, BlockFormat::Bc7, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

fn decoded(fixture: &Fixture, options: &EncodeOptions) -> Vec<[u8; 4]> {
    let blocks = encoded(fixture, options);
    let mut decoded = vec![[0; 4]; fixture.texels.len()];
    crate::common::decode(
        BlockFormat::Bc7,
        &blocks,
        fixture.width,
        fixture.height,
        RoundingRule::Exact,
        &mut decoded,
    )
    .unwrap();
    decoded
}

/// Returns the squared error of each channel.
fn errors(fixture: &Fixture, options: &EncodeOptions) -> [u64; 4] {
    let mut errors = [0; 4];
    for (texel, decoded) in fixture.texels.iter().zip(decoded(fixture, options)) {
        for c in 0..4 {
            errors[c] += u64::from(texel[c].abs_diff(decoded[c])).pow(2);
        }
    }
    errors
}

fn in_real_time(level: RealTime) -> EncodeOptions {
    EncodeOptions::default().with(|o| o.real_time = Some(level))
}

fn error(fixture: &Fixture, options: &EncodeOptions) -> u64 {
    errors(fixture, options).iter().sum()
}

#[test]
fn quality_of_bc7_never_falls_as_the_setting_rises() {
    let mut random = Random(77);
    let mut images = Vec::new();
    for (width, height) in [(65, 18), (3, 2), (1, 1)] {
        images.extend(fixtures(width, height));
    }
    // Single blocks of every contrast, so that gains in others cannot hide a loss in one.
    for case in 0..400 {
        let base =
            [random.byte(), random.byte(), random.byte(), if case % 3 == 0 { random.byte() } else { 255 }];
        let contrast = 1 + u16::from(random.byte());
        let texel = |random: &mut Random| {
            let mut texel = base.map(|v| (u16::from(v) + u16::from(random.byte()) % contrast).min(255) as u8);
            if base[3] == 255 {
                texel[3] = 255;
            }
            texel
        };
        let texels = (0..16).map(|_| texel(&mut random)).collect();
        images.push(Fixture { name: "block", width: 4, height: 4, texels });
    }
    for fixture in &images {
        let mut last = u64::MAX;
        for &level in RealTime::ALL {
            let found = error(fixture, &in_real_time(level));
            assert!(found <= last, "{} {level:?}: {found} after {last}", fixture.name);
            last = found;
        }
        last = u64::MAX;
        for &quality in Quality::ALL {
            let found = error(fixture, &EncodeOptions::default().with(|o| o.quality = quality));
            assert!(found <= last, "{} {quality:?}: {found} after {last}", fixture.name);
            last = found;
        }
    }
}

/// Checked at every quality, both for blocks that are opaque and for blocks that are not.
#[test]
fn opaque_texels_stay_opaque() {
    let mut random = Random(6);
    let mut images = fixtures(65, 18);
    images.extend(fixtures(5, 7));
    let texels = (0..64 * 64)
        .map(|_| {
            let alpha = [255, 255, 254, 250, random.byte()][usize::from(random.byte()) % 5];
            [random.byte(), random.byte(), random.byte(), alpha]
        })
        .collect();
    images.push(Fixture { name: "nearly opaque", width: 64, height: 64, texels });
    let mut all: Vec<_> = RealTime::ALL.iter().map(|&level| in_real_time(level)).collect();
    for modes in [ModeSet::ALL, ModeSet::new(&[1, 5, 7]).unwrap(), ModeSet::new(&[4]).unwrap()] {
        let options = EncodeOptions::default().with(|o| o.bc7.modes = modes);
        all.extend(Quality::ALL.iter().map(|&quality| options.with(|o| o.quality = quality)));
    }
    for options in all {
        for fixture in &images {
            for (texel, decoded) in fixture.texels.iter().zip(decoded(fixture, &options)) {
                let what = format!("{} {options:?}: {decoded:?}", fixture.name);
                assert!(texel[3] < 255 || decoded[3] == 255, "{what}");
            }
        }
    }
}

#[test]
fn one_colour_is_exact() {
    let mut random = Random(9);
    for case in 0..300 {
        let alpha = if case % 2 == 0 { 255 } else { random.byte() };
        let texel = [random.byte(), random.byte(), random.byte(), alpha];
        let fixture = Fixture { name: "one", width: 3, height: 4, texels: vec![texel; 12] };
        for &quality in Quality::ALL {
            assert_eq!(
                error(&fixture, &EncodeOptions::default().with(|o| o.quality = quality)),
                0,
                "{texel:?}"
            );
        }
    }
}

/// A limit for level 1 that detects mistakes: for a line through the block, indices follow the line.
#[test]
fn a_ramp_is_close_in_real_time() {
    for (a, b) in [([0, 0, 0, 255], [255, 255, 255, 255]), ([255, 0, 128, 0], [0, 255, 127, 255])] {
        let mix = |t: i32, c: usize| ((a[c] * (15 - t) + b[c] * t + 7) / 15) as u8;
        let texels = (0..16).map(|t| [0, 1, 2, 3].map(|c| mix(t, c))).collect();
        let fixture = Fixture { name: "ramp", width: 4, height: 4, texels };
        for &level in RealTime::ALL {
            let found = error(&fixture, &in_real_time(level));
            assert!(found <= 16 * 4 * 4, "{level:?} {a:?} {b:?}: {found}");
        }
    }
}

/// Two ramps of different hue, in the upper and the lower half of the block.
#[test]
fn two_ramps_have_two_subsets_in_real_time() {
    let texels = (0..16u8)
        .map(|t| if t < 8 { [30 * t, 0, 8 * t, 255] } else { [0, 255, 255 - 30 * (t - 8), 255] })
        .collect();
    let fixture = Fixture { name: "two ramps", width: 4, height: 4, texels };
    let in_one = error(&fixture, &in_real_time(RealTime::Level1));
    for level in [RealTime::Level2, RealTime::Level3] {
        let block = encoded(&fixture, &in_real_time(level));
        assert_eq!(brickwork_texture::bc::bc7::block_mode(block[..].try_into().unwrap()), Some(1));
        // Half a step of a ramp is at most 15 in one channel and 4 in another.
        let found = error(&fixture, &in_real_time(level));
        assert!(found <= 16 * (4 * 4 + 4 * 4) && 50 * found < in_one, "{level:?}: {found}, {in_one}");
    }
}

/// Black and white in any pattern are exact, even at quality ultrafast.
#[test]
fn black_and_white_is_exact() {
    let mut random = Random(4);
    let texels =
        (0..64 * 64).map(|_| if random.byte() & 1 == 0 { [0, 0, 0, 255] } else { [255; 4] }).collect();
    let fixture = Fixture { name: "black and white", width: 64, height: 64, texels };
    for &quality in Quality::ALL {
        assert_eq!(
            error(&fixture, &EncodeOptions::default().with(|o| o.quality = quality)),
            0,
            "{quality:?}"
        );
    }
}

#[test]
fn only_the_modes_allowed_are_used() {
    let mut seen = [0; 8];
    for list in ["0,1,2,3,4,5,6,7", "4", "5", "6", "7", "0,6", "1,7", "2,5", "3,4", "1,3,6"] {
        let modes: ModeSet = list.parse().unwrap();
        let options = EncodeOptions::default().with(|o| o.bc7.modes = modes);
        for fixture in fixtures(33, 34) {
            for quality in [Quality::Ultrafast, Quality::Normal, Quality::Best] {
                let blocks = encoded(&fixture, &options.with(|o| o.quality = quality));
                for block in blocks.as_chunks::<16>().0 {
                    let mode = block[0].trailing_zeros() as u8;
                    assert!(modes.contains(mode), "{} {quality:?}: {mode} of {list}", fixture.name);
                    seen[usize::from(mode)] += 1;
                }
                let all = error(&fixture, &EncodeOptions::default().with(|o| o.quality = quality));
                if quality == Quality::Best {
                    assert!(
                        all <= error(&fixture, &options.with(|o| o.quality = quality)),
                        "{} {list}",
                        fixture.name
                    );
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn weights_shift_the_error() {
    let fixture = &fixtures(64, 64)[0];
    let uniform = EncodeOptions::default();
    let green = uniform.with(|o| o.weights = ChannelWeights::new(1, 20, 1).unwrap());
    let [uniform, green] = [errors(fixture, &uniform), errors(fixture, &green)];
    assert!(2 * green[1] < uniform[1] && green[0] > uniform[0], "{green:?} for {uniform:?}");
}

/// Texels of a block outside the image do not affect those inside.
#[test]
fn texels_outside_the_image_do_not_count() {
    for quality in [Quality::Ultrafast, Quality::Fast, Quality::Best] {
        let options = EncodeOptions::default().with(|o| o.quality = quality);
        let mut random = Random(3);
        let texels = (0..6 * 5).map(|_| [random.byte(), random.byte(), random.byte(), 255]).collect();
        let image = Fixture { name: "6×5", width: 6, height: 5, texels };
        let part = |x: usize, y: usize, width: usize, height: usize| {
            let rows = image.texels.chunks(6).skip(y).take(height);
            let texels = rows.flat_map(|row| &row[x..x + width]).copied().collect();
            Fixture { name: "part", width: width as u32, height: height as u32, texels }
        };
        let parts = [part(0, 0, 4, 4), part(4, 0, 2, 4), part(0, 4, 4, 1), part(4, 4, 2, 1)];
        let sum: u64 = parts.iter().map(|part| error(part, &options)).sum();
        assert_eq!(error(&image, &options), sum);
        // One and two texels are nearly exact, although a whole block of such texels would not be.
        assert!(error(&parts[3], &options) <= 8, "{quality:?}");
    }
}
