//! Properties of blocks of BC2 to BC5: a higher quality is never worse, they are exact where they can be, and
//! alpha does not change. (A unit test beside the search covers that the best quality is optimal.)

use crate::common::{Fixture, Random, fixtures};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, ImageViewMut, Quality, RoundingRule, Task, decode_into,
};

const FORMATS: [BlockFormat; 6] = [
    BlockFormat::Bc2,
    BlockFormat::Bc3,
    BlockFormat::Bc4Unorm,
    BlockFormat::Bc4Snorm,
    BlockFormat::Bc5Unorm,
    BlockFormat::Bc5Snorm,
];

/// Returns the blocks of an image.
fn encode(fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) -> Vec<u8> {
    let Fixture { width, height, texels, .. } = fixture;
    let image = ImageView::new(texels, *width, *height).unwrap();
    let mut blocks = vec![0; format.image_bytes(*width, *height) as usize];
    CpuEncoder::new().encode_into(&image, format, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

/// The texels that an image decodes to after encoding.
fn decoded(fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) -> Vec<[u8; 4]> {
    let blocks = encode(fixture, format, options);
    let mut decoded = vec![[0; 4]; fixture.texels.len()];
    let rule = options.rounding_rule;
    crate::common::decode(format, &blocks, fixture.width, fixture.height, rule, &mut decoded).unwrap();
    decoded
}

/// Returns the squared error of each channel that the format stores, in 8-bit values; signed ones in 254
/// steps from −1 to 1.
fn rounded_errors(fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) -> [u64; 4] {
    let is_signed = matches!(format, BlockFormat::Bc4Snorm | BlockFormat::Bc5Snorm);
    let code = |v: u8| if is_signed { (f64::from(v) * 254.0 / 255.0).round() as i32 } else { v.into() };
    let mut errors = [0; 4];
    for (texel, decoded) in fixture.texels.iter().zip(decoded(fixture, format, options)) {
        for c in 0..format.channels().len() {
            errors[c] += u64::from(code(texel[c]).abs_diff(code(decoded[c]))).pow(2);
        }
    }
    errors
}

/// Returns the squared error of each channel of BC4 or BC5 in values that are not rounded: multiples of 1 /
/// (35·top) in the block, and of 1/255 in the image. The unit is 1 / (35·254·255).
fn real_errors(fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) -> [u64; 4] {
    let top = if matches!(format, BlockFormat::Bc4Snorm | BlockFormat::Bc5Snorm) { 254 } else { 255 };
    let blocks = encode(fixture, format, options);
    let mut decoded = vec![[0.0f32; 4]; fixture.texels.len()];
    let mut image = ImageViewMut::new(&mut decoded[..], fixture.width, fixture.height).unwrap();
    decode_into(format, &blocks, RoundingRule::Real, &mut image, &Task::new()).unwrap();
    let mut errors = [0; 4];
    for (texel, decoded) in fixture.texels.iter().zip(decoded) {
        for c in 0..format.channels().len() {
            let value = (f64::from(decoded[c]) * 35.0 * f64::from(top)).round() as i64;
            let error = i64::from(texel[c]) * 35 * 254 - value * (254 * 255 / i64::from(top));
            errors[c] += error.pow(2) as u64;
        }
    }
    errors
}

/// Returns the squared error of each channel, under the rule that the format has.
fn errors(fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) -> [u64; 4] {
    match options.rounding_rule.for_format(format) {
        RoundingRule::Real => real_errors(fixture, format, options),
        _ => rounded_errors(fixture, format, options),
    }
}

/// Checks colour and alpha separately.
fn quality_never_falls(fixture: &Fixture) {
    for format in FORMATS {
        for decoder in [RoundingRule::Real, RoundingRule::Exact, RoundingRule::Trunc] {
            let mut last = [u64::MAX; 2];
            for &quality in Quality::ALL {
                let options = EncodeOptions::default().with(|o| {
                    o.quality = quality;
                    o.rounding_rule = decoder;
                });
                let [r, g, b, a] = errors(fixture, format, &options);
                let found = [r + g + b, a];
                let what = format!("{} {format} {quality:?} {decoder:?}", fixture.name);
                assert!(found[0] <= last[0] && found[1] <= last[1], "{what}: {found:?} after {last:?}");
                last = found;
            }
        }
    }
}

#[test]
fn quality_of_bc2_to_bc5_never_falls_as_the_setting_rises() {
    for (width, height) in [(65, 18), (3, 2), (1, 1)] {
        for fixture in fixtures(width, height) {
            quality_never_falls(&fixture);
        }
    }
}

/// Opaque images keep alpha 255 at every quality. Any alpha is within half a step of BC2's values.
#[test]
fn alpha_stays_what_it_was() {
    for &quality in Quality::ALL {
        let options = EncodeOptions::default().with(|o| o.quality = quality);
        for fixture in fixtures(65, 18) {
            let is_opaque = fixture.texels.iter().all(|texel| texel[3] == 255);
            for format in [BlockFormat::Bc2, BlockFormat::Bc3] {
                let decoded = decoded(&fixture, format, &options);
                if is_opaque {
                    assert!(decoded.iter().all(|texel| texel[3] == 255), "{} {format}", fixture.name);
                }
                if format == BlockFormat::Bc2 {
                    let pairs = fixture.texels.iter().zip(&decoded);
                    assert!(pairs.clone().all(|(a, b)| a[3].abs_diff(b[3]) <= 8), "{}", fixture.name);
                }
            }
        }
    }
}

/// One value, two values, or the ends and one value between are exact, even at quality fast.
#[test]
fn few_values_are_exact() {
    let mut random = Random(5);
    for case in 0..300 {
        let [a, b] = [random.byte(), random.byte()];
        let values = [vec![a], vec![a, b], vec![0, 255], vec![0, a, 255]][case % 4].clone();
        let texels = (0..16).map(|_| [values[usize::from(random.byte()) % values.len()]; 4]).collect();
        let fixture = Fixture { name: "few", width: 4, height: 4, texels };
        let options = EncodeOptions::default().with(|o| o.quality = Quality::Fast);
        for format in [BlockFormat::Bc4Unorm, BlockFormat::Bc5Unorm] {
            assert_eq!(errors(&fixture, format, &options), [0; 4], "{format} {values:?}");
        }
        let options = options.with(|o| o.rounding_rule = RoundingRule::Exact);
        for format in [BlockFormat::Bc4Unorm, BlockFormat::Bc4Snorm, BlockFormat::Bc5Unorm] {
            assert_eq!(errors(&fixture, format, &options), [0; 4], "{format} {values:?}");
        }
    }
}

/// Texels of a block outside the image do not affect those inside.
#[test]
fn texels_outside_the_image_do_not_count() {
    // Two texels are visible. Both are exact, although the eight values could not represent more.
    for quality in [Quality::Fast, Quality::Best] {
        let options = EncodeOptions::default().with(|o| o.quality = quality);
        let fixture = Fixture { name: "edge", width: 2, height: 1, texels: vec![[3; 4], [201; 4]] };
        assert_eq!(errors(&fixture, BlockFormat::Bc5Unorm, &options), [0; 4]);
        // The same, next to a whole block of noise.
        let mut random = Random(3);
        let texels = (0..6 * 5).map(|_| [random.byte(); 4]).collect();
        let image = Fixture { name: "6×5", width: 6, height: 5, texels };
        let part = |x: usize, y: usize, width: usize, height: usize| {
            let rows = image.texels.chunks(6).skip(y).take(height);
            let texels = rows.flat_map(|row| &row[x..x + width]).copied().collect();
            Fixture { name: "part", width: width as u32, height: height as u32, texels }
        };
        let parts = [part(0, 0, 4, 4), part(4, 0, 2, 4), part(0, 4, 4, 1), part(4, 4, 2, 1)];
        let sum: u64 = parts.iter().map(|part| errors(part, BlockFormat::Bc4Unorm, &options)[0]).sum();
        assert_eq!(errors(&image, BlockFormat::Bc4Unorm, &options)[0], sum);
    }
}
