//! Tests of vectors that are not of length 1.

use super::{
    tests::{LIMIT, encoded, picture},
    *,
};
use crate::texture::{EncodedTexture, FormatChoice, MipLevels, NormalOptions};
use brickwork_texture::{DecodeOptions, ImageIndex};

fn options(normalize: Option<bool>) -> TextureOptions {
    let normals = NormalOptions { normalize, ..NormalOptions::default() };
    let options = TextureOptions { usage: PictureUse::Normals, normals, ..TextureOptions::default() };
    TextureOptions { format: "rgba8".parse().unwrap(), mip_levels: MipLevels::Full, ..options }
}

/// Returns the first texel of each mip level.
fn first_texels(encoded: &EncodedTexture) -> Vec<[u8; 4]> {
    let texel = |mip_level| {
        let index = ImageIndex { mip_level, ..ImageIndex::default() };
        let level = encoded.texture.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
        level.into_texels().into_rgba8().unwrap()[0]
    };
    (0..5).map(texel).collect()
}

/// Returns the slope along x that a shader finds, which computes z from x and y.
fn slope([x, y, ..]: [u8; 4]) -> f64 {
    let [x, y] = [x, y].map(|value| f64::from(value) / 127.5 - 1.0);
    x / (1.0 - x * x - y * y).sqrt()
}

fn notes(encoded: &EncodedTexture) -> Vec<String> {
    encoded.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn slopes_are_equal_at_all_levels() {
    // A slope of ½: (1, 0, 2) / √5, times 0.8 or 0.79. With equal blue, z would follow from x and y.
    let channel = |v: f64, length: f64| ((length * v / 5.0f64.sqrt() + 1.0) * 127.5).round() as u8;
    let short = || {
        picture(|x, _| {
            let length = if x < 8 { 0.8 } else { 0.79 };
            [channel(1.0, length), channel(0.0, length), channel(2.0, length), 255]
        })
    };
    let slopes = |normalize| {
        let encoded = encoded(&[short()], &options(normalize), LIMIT).unwrap();
        (first_texels(&encoded).into_iter().map(slope).collect::<Vec<_>>(), notes(&encoded))
    };
    for normalize in [None, Some(true)] {
        let (slopes, notes) = slopes(normalize);
        assert!(slopes.iter().all(|slope| (slope - 0.5).abs() < 0.01), "{slopes:?}");
        assert_eq!(notes, ["a.png: 100.0 % of the normals were scaled to length 1"]);
    }
    let (slopes, notes) = slopes(Some(false));
    let x = 0.8 / 5.0f64.sqrt();
    let stored = x / (1.0 - x * x).sqrt();
    assert!(slopes.iter().all(|slope| (slope - stored).abs() < 0.01) && notes.is_empty(), "{slopes:?}");
}

#[test]
fn a_map_of_length_1_is_kept() {
    let turned = |x: u32| {
        let angle = f64::from(x) / 20.0;
        [angle.sin(), 0.0, angle.cos()].map(|v| ((v + 1.0) * 127.5).round() as u8)
    };
    let map = || {
        picture(|x, _| {
            let [r, g, b] = turned(x);
            [r, g, b, 255]
        })
    };
    for normalize in [None, Some(true), Some(false)] {
        let (prepared, facts, _) = prepare(map(), "a.png", &options(normalize), LIMIT, &Task::new()).unwrap();
        assert_eq!((prepared.texels, facts.changes), (map().texels, Changes::default()));
    }
}

#[test]
fn a_black_background_is_flat() {
    let map = || picture(|x, _| if x < 8 { [0, 0, 0, 255] } else { [218, 128, 218, 255] });
    let found = encoded(&[map()], &options(None), LIMIT).unwrap();
    assert_eq!(first_texels(&found)[..2], [[128, 128, 255, 255]; 2], "{:?}", first_texels(&found));
    assert_eq!(notes(&found), ["a.png: 50.0 % of the normals were scaled to length 1"]);
}

/// A mask in blue is no z.
#[test]
fn maps_without_z_have_means() {
    let map = || picture(|x, _| if x % 2 == 0 { [40, 128, 0, 255] } else { [80, 128, 9, 255] });
    let with_filter = |normalize| {
        let encode = options(None).encode.with(|o| o.mip_filter = Some(MipFilter::Box));
        TextureOptions { encode, ..options(normalize) }
    };
    let xs = |normalize| {
        let found = encoded(&[map()], &with_filter(normalize), LIMIT).unwrap();
        first_texels(&found).into_iter().map(|texel| texel[0]).collect::<Vec<_>>()
    };
    assert_eq!(xs(None), [40, 60, 60, 60, 60]);
    assert_ne!(xs(Some(true)), xs(None));
}

#[test]
fn x_and_y_are_inverted() {
    let map = || picture(|_, _| [218, 128, 217, 255]);
    let first = |flip_x, flip_y| {
        let normals = NormalOptions { flip_x, flip_y, ..NormalOptions::default() };
        let options = TextureOptions { normals, ..options(None) };
        first_texels(&encoded(&[map()], &options, LIMIT).unwrap())[0]
    };
    assert_eq!(first(true, false), [37, 128, 217, 255]);
    assert_eq!(first(false, true), [218, 127, 217, 255]);
    assert_eq!(first(true, true), [37, 127, 217, 255]);
}

#[test]
fn only_requests_state_normals() {
    let usage = |normals| {
        let options = TextureOptions { normals, format: FormatChoice::AUTO, ..TextureOptions::default() };
        options.with_derived_use().usage
    };
    let new = NormalOptions::default;
    assert_eq!(usage(NormalOptions { normalize: Some(true), ..new() }), PictureUse::Normals);
    assert_eq!(usage(NormalOptions { flip_x: true, ..new() }), PictureUse::Normals);
    assert_eq!(usage(NormalOptions { normalize: Some(false), ..new() }), PictureUse::Unknown);
}
