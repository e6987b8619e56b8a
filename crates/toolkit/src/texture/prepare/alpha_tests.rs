//! Tests of the colours of transparent texels, and of notes about alpha.

use super::{
    tests::{LIMIT, encoded, picture},
    *,
};
use crate::texture::{EncodedTexture, FormatChoice, FormatFamily, OptionsError, TextureNote};
use brickwork_image::image_file::Texels;
use brickwork_texture::{DecodeOptions, EncodeOptions, ImageIndex, Texture};

const LEAF: [u8; 3] = [60, 149, 30];

/// A green leaf on white, the lower half of whose right edge is antialiased.
fn leaf() -> Picture {
    picture(|x, y| match (x, y) {
        (..8, _) => [LEAF[0], LEAF[1], LEAF[2], 255],
        (8, 9..) => [LEAF[0], LEAF[1], LEAF[2], 128],
        _ => [255, 255, 255, 0],
    })
}

/// Returns the mean of the colours halfway between visible texels and transparent ones beside them, which is
/// where an alpha test at ½ draws the edge, of a texture of 16×16 texels.
fn edge_color(texture: &Texture) -> [u32; 3] {
    let level = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
    let texels = level.into_texels().into_rgba8().unwrap();
    let pairs = texels.windows(2).enumerate().filter(|(i, pair)| i % 16 < 15 && pair[0][3] > pair[1][3]);
    let pairs: Vec<_> = pairs.map(|(_, pair)| [pair[0], pair[1]]).filter(|pair| pair[1][3] == 0).collect();
    let count = pairs.len() as u32;
    [0, 1, 2].map(|c| {
        let sum: u32 = pairs.iter().map(|[a, b]| (u32::from(a[c]) + u32::from(b[c])) / 2).sum();
        sum / count
    })
}

#[test]
fn edges_of_cut_outs_have_their_colour() {
    let of = |format: &str, dilate| {
        let options = TextureOptions { format: format.parse().unwrap(), ..TextureOptions::default() };
        encoded(&[leaf()], &TextureOptions { dilate, ..options }, LIMIT).unwrap()
    };
    let notes = |encoded: &EncodedTexture| encoded.notes.iter().map(ToString::to_string).collect::<Vec<_>>();
    // Half of the leaf, and half of white.
    assert_eq!(edge_color(&of("rgba8", None).texture), [157, 202, 142]);
    assert_eq!(edge_color(&of("rgba8", Some(true)).texture), LEAF.map(u32::from));
    assert!(notes(&of("rgba8", Some(true))).is_empty());
    let auto = of("auto", None);
    assert_eq!(auto.plan.desc.format, BlockFormat::Bc7);
    let near = edge_color(&auto.texture).into_iter().zip(LEAF).all(|(a, b)| a.abs_diff(b.into()) <= 1);
    assert!(near, "{:?}", edge_color(&auto.texture));
    let note = "a.png: 121 transparent texels got the colours of the nearest other texels";
    assert_eq!(notes(&auto), [note]);
    let kept = of("auto", Some(false));
    assert!(edge_color(&kept.texture)[0] > 150 && notes(&kept).is_empty());
    // The error is that of the blocks.
    let psnr = |encoded: &EncodedTexture| encoded.measured.metrics.unwrap().psnr_rgb();
    assert!(psnr(&auto) > 45.0, "{}", psnr(&auto));
}

#[test]
fn only_cut_outs_are_dilated_without_a_request() {
    let dilated = |picture: Picture, options: TextureOptions| {
        let (_, facts, _) = prepare(picture, "a.png", &options, LIMIT, &Task::new()).unwrap();
        facts.changes.dilated > 0
    };
    let auto = || TextureOptions { format: FormatChoice::AUTO, ..TextureOptions::default() };
    assert!(dilated(leaf(), auto()));
    let smoke = || picture(|x, y| [x as u8, 99, 99, (x * y) as u8]);
    assert!(!dilated(smoke(), auto()));
    assert!(dilated(smoke(), TextureOptions { dilate: Some(true), ..auto() }));
    assert!(!dilated(leaf(), TextureOptions { premultiply: true, ..auto() }));
    assert!(!dilated(leaf(), TextureOptions { usage: PictureUse::Data, ..auto() }));
    let data = EncodeOptions::default().with(|o| o.alpha_is_data = true);
    assert!(!dilated(leaf(), TextureOptions { encode: data, ..auto() }));
    assert!(!dilated(leaf(), TextureOptions { format: "bc7".parse().unwrap(), ..auto() }));
    // BC1 stores no colours of transparent texels; ASTC does.
    let sharp = || picture(|x, _| if x < 8 { [60, 149, 30, 255] } else { [255, 255, 255, 0] });
    assert!(!dilated(sharp(), auto()));
    assert!(dilated(sharp(), TextureOptions { family: Some(FormatFamily::Astc), ..auto() }));
}

#[test]
fn tiles_are_dilated_across_their_edges() {
    let tile = || picture(|x, _| [10 * x as u8, 0, 0, if x == 2 || x == 10 { 255 } else { 0 }]);
    let reds = |wrap| {
        let encode = EncodeOptions::default().with(|o| o.mip_wrap = [wrap; 2]);
        let options = TextureOptions { dilate: Some(true), encode, ..TextureOptions::default() };
        let options = TextureOptions { format: "rgba8".parse().unwrap(), ..options };
        options.check_filter().unwrap();
        let (picture, _, _) = prepare(tile(), "a.png", &options, LIMIT, &Task::new()).unwrap();
        let Texels::Rgba8(texels) = picture.texels else { panic!("8 bits") };
        [0, 1, 7, 8, 14, 15].map(|x| texels[16 * 5 + x][0])
    };
    assert_eq!(reds(MipWrap::Clamp), [20, 20, 100, 100, 100, 100]);
    assert_eq!(reds(MipWrap::Mirror), reds(MipWrap::Clamp));
    // 14 is as near to 10 as to 18, which is 2 of the next tile.
    assert_eq!(reds(MipWrap::Repeat), [20, 20, 100, 100, 100, 20]);
}

#[test]
fn a_refusal_needs_nothing() {
    let refusal =
        TextureOptions { dilate: Some(false), usage: PictureUse::Data, ..TextureOptions::default() };
    assert_eq!(refusal.check(), Ok(()));
    let of = |dilate, format: &str| {
        TextureOptions { dilate: Some(dilate), format: format.parse().unwrap(), ..TextureOptions::default() }
            .check()
    };
    assert_eq!((of(false, "bc4"), of(true, "bc7")), (Ok(()), Ok(())));
    let format = BlockFormat::Bc4Unorm.into();
    assert_eq!(of(true, "bc4"), Err(OptionsError::Ignored { option: "dilate", format }));
}

#[test]
fn premultiplied_srgb_is_noted() {
    let is_noted = |format: &str, color_space| {
        let options = TextureOptions { premultiply: true, color_space, ..TextureOptions::default() };
        let options = TextureOptions { format: format.parse().unwrap(), ..options };
        let notes = encoded(&[leaf()], &options, LIMIT).unwrap().notes;
        notes.iter().any(|note| matches!(note, TextureNote::PremultipliedSrgb { .. }))
    };
    assert!(is_noted("bc7", None));
    assert!(!is_noted("bc7", Some(ColorSpace::Linear)) && !is_noted("rgba8", None));
}
