//! Tests of pictures that are changed before they are encoded.

use super::*;
use crate::{
    device::{DeviceChoice, Devices},
    texture::{
        EncodedTexture, FormatChoice, MipLevels, NormalOptions, OptionsError, PictureSize, SizeRules,
        TextureLayout, TextureNote, encode_pictures,
    },
};
use brickwork_image::image_file::{ImageReadOptions, Texels};
use brickwork_texture::{
    DecodeOptions, EncodeOptions, ImageIndex, Swizzle, Texture, container::ContainerFormat, half::f16,
    pictures::read,
};
use std::{io::Cursor, num::NonZeroU8, path::Path};

pub const LIMIT: u64 = 1 << 28;

/// Returns a picture of 16×16 texels.
pub fn picture(texel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    let mut file = b"P7\nWIDTH 16\nHEIGHT 16\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec();
    file.extend((0..256).flat_map(|i| texel(i % 16, i / 16)));
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

/// Returns a picture of half floats: a bright texel at (8, 8) of a dark picture.
fn sun() -> Picture {
    let mut texels = vec![[f16::from_f32(0.5); 3]; 256];
    texels[8 * 16 + 8] = [f16::from_f32(1000.0); 3];
    let mut picture = picture(|_, _| [0, 0, 0, 255]);
    picture.texels = Texels::RgbF16(texels);
    picture.color_space = ColorSpace::Linear;
    picture
}

fn halving(format: &str) -> TextureOptions {
    let rules = SizeRules { size: Some(PictureSize::Percent(50.0)), ..SizeRules::default() };
    TextureOptions {
        format: format.parse().unwrap(),
        size_rules: rules,
        metrics: false,
        ..TextureOptions::default()
    }
}

fn prepared(picture: Picture, options: &TextureOptions) -> Picture {
    let (picture, facts, _) = prepare(picture, "a.png", options, LIMIT, &Task::new()).unwrap();
    assert_eq!(([facts.width, facts.height], facts.resized_from), ([8, 8], Some([16, 16])));
    picture
}

pub fn encoded(
    pictures: &[Picture],
    options: &TextureOptions,
    limit: u64,
) -> Result<EncodedTexture, TextureJobError> {
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let names = vec!["a.png".to_owned(); pictures.len()];
    encode_pictures(options, pictures, &names, &devices, limit, &Task::new())
}

#[test]
fn bright_texels_leave_no_rings() {
    let Texels::RgbF16(texels) = prepared(sun(), &halving("bc6h")).texels else { panic!("half floats") };
    assert_eq!(texels.iter().map(|texel| texel[0].to_f32()).reduce(f32::min), Some(0.5));
}

#[test]
fn bright_texels_are_clamped_before_they_spread() {
    let options = TextureOptions { max_value: Some(f16::ONE), ..halving("bc6h") };
    let Texels::RgbF16(texels) = prepared(sun(), &options).texels else { panic!("half floats") };
    assert_eq!(texels[4 * 8 + 4][0].to_f32(), (1.0 + 3.0 * 0.5) / 4.0);
    assert_eq!(encoded(&[sun()], &options, LIMIT).unwrap().plan.special_values.above_max, 3);
}

#[test]
fn colours_count_alike_if_the_texture_has_no_alpha() {
    let stripes = || picture(|_, y| if y % 2 == 0 { [255, 0, 0, 255] } else { [0, 255, 0, 0] });
    let green = |options: &TextureOptions| {
        let encode = options.encode.with(|o| o.mip_filter = Some(MipFilter::Box));
        let prepared = prepared(stripes(), &TextureOptions { encode, ..options.clone() });
        let Texels::Rgba8(texels) = prepared.texels else { panic!("8 bits") };
        texels[0][1]
    };
    let opaque = EncodeOptions::default().with(|o| o.bc1.alpha_threshold = 0);
    assert_eq!(green(&halving("bc1")), 0);
    assert_eq!(green(&halving("bc7")), 0);
    assert_eq!(green(&TextureOptions { encode: opaque, ..halving("bc1") }), 188);
    assert_eq!(green(&halving("bc4")), 128);
    assert_eq!(green(&TextureOptions { usage: PictureUse::Normals, ..halving("bc7") }), 128);
}

/// Half of the texels have red, and the others alpha and blue.
#[test]
fn alpha_of_data_does_not_weigh_the_other_channels() {
    let mask = || picture(|x, y| if (x + y) % 2 == 0 { [255, 0, 0, 0] } else { [0, 0, 255, 255] });
    let second_level = |format, usage, filter| {
        let encode = EncodeOptions::default().with(|o| {
            o.mip_filter = Some(filter);
            o.keep_coverage = NonZeroU8::new(200);
        });
        let options = TextureOptions { usage, encode, ..TextureOptions::default() };
        let options = TextureOptions { format, mip_levels: MipLevels::Full, ..options };
        let EncodedTexture { texture, plan, .. } = encoded(&[mask()], &options, LIMIT).unwrap();
        let index = ImageIndex { mip_level: 1, ..ImageIndex::default() };
        let level = texture.decode(index, &DecodeOptions::default(), &Task::new()).unwrap();
        (plan.desc.format.block().unwrap(), level.into_texels().into_rgba8().unwrap()[8 * 3 + 3])
    };
    for filter in [MipFilter::Box, MipFilter::Kaiser] {
        // BC1 would lose red.
        for format in [FormatChoice::AUTO, FormatChoice::of(BlockFormat::Bc7)] {
            let (format, texel) = second_level(format, PictureUse::Data, filter);
            assert_eq!(format, BlockFormat::Bc7);
            let is_near = |(a, b): (u8, u8)| a.abs_diff(b) <= 2;
            assert!(texel.into_iter().zip([128, 0, 128, 128]).all(is_near), "{texel:?}");
        }
        let (format, texel) = second_level(FormatChoice::AUTO, PictureUse::Color, filter);
        assert_eq!((format, texel[0]), (BlockFormat::Bc1, 0));
    }
}

#[test]
fn formats_are_those_of_the_original() {
    // The mean of opaque and transparent texels is soft alpha.
    let cut_out = picture(|x, y| [9, (x * 16) as u8, (y * 16) as u8, if (x + y) % 3 == 0 { 0 } else { 255 }]);
    let texture = encoded(&[cut_out], &halving("auto"), LIMIT).unwrap();
    assert_eq!(texture.plan.desc.format, BlockFormat::Bc1, "{:?}", texture.plan.format_reason);
}

#[test]
fn all_prepared_pictures_count() {
    let options = halving("bc1");
    let pictures = [picture(|x, y| [x as u8, y as u8, 0, 255]), picture(|x, y| [y as u8, x as u8, 0, 255])];
    let facts = PictureFacts::of(&pictures[0], &options, &Task::new()).unwrap();
    let one = Preparation::of(&pictures[0], &facts, &options).memory_bytes();
    encoded(&pictures[..1], &options, one * 3 / 2).unwrap();
    let error = encoded(&pictures, &options, one * 3 / 2).unwrap_err();
    assert!(matches!(error, TextureJobError::Memory { needed, .. } if needed == 2 * one), "{error:?}");
    encoded(&pictures, &options, one * 2).unwrap();
}

#[test]
fn coverage_is_kept_of_alpha_alone() {
    let kept = |alpha: u8, levels| {
        let encode = EncodeOptions::default().with(|o| o.keep_coverage = NonZeroU8::new(128));
        let options = TextureOptions { encode, mip_levels: levels, ..TextureOptions::default() };
        let picture = picture(|x, _| [0, 0, 0, if x == 5 { alpha } else { 255 }]);
        encoded(&[picture], &options, LIMIT).unwrap().plan.options.keep_coverage.is_some()
    };
    assert!(kept(0, MipLevels::Full));
    assert!(!kept(255, MipLevels::Full) && !kept(0, MipLevels::AtMost(1)));
}

fn swizzle(letters: &str) -> Swizzle {
    Swizzle::parse(letters).unwrap()
}

#[test]
fn swizzles_come_before_all_other_changes() {
    // Alpha in stripes, colours that alpha would hide, and a format for grey.
    let stripes = || picture(|x, y| [9, x as u8, 99, if y % 2 == 0 { 255 } else { 0 }]);
    let auto = TextureOptions { swizzle: swizzle("aaa1"), ..halving("auto") };
    let encode = EncodeOptions::default().with(|o| o.mip_filter = Some(MipFilter::Box));
    let Texels::Rgb8(texels) = prepared(stripes(), &TextureOptions { encode, ..auto.clone() }).texels else {
        panic!("red, green and blue of 8 bits")
    };
    assert!(texels.iter().all(|texel| *texel == [128; 3]), "{texels:?}");
    let encoded = encoded(&[stripes()], &auto, LIMIT).unwrap();
    assert_eq!(encoded.plan.desc.format, BlockFormat::Bc4Unorm, "{:?}", encoded.plan.format_reason);
    // Heights from alpha are those of the same picture in grey.
    let slope = picture(|x, y| [y as u8, 200, 0, (x * 16) as u8]);
    let grey = picture(|x, _| {
        let grey = (x * 16) as u8;
        [grey, grey, grey, 255]
    });
    let normals = NormalOptions { height_scale: Some(8.0), flip_y: true, ..NormalOptions::default() };
    let options = TextureOptions { usage: PictureUse::Normals, normals, ..TextureOptions::default() };
    let options = TextureOptions { format: "bc5".parse().unwrap(), ..options };
    let of = |picture, letters| {
        let options = TextureOptions { swizzle: swizzle(letters), ..options.clone() };
        prepare(picture, "a.png", &options, LIMIT, &Task::new()).unwrap().0.texels
    };
    assert_eq!(of(slope, "a00r"), of(grey, "rgba"));
    // Colours are clamped where the swizzle puts them.
    let options = TextureOptions {
        format: "bc6h".parse().unwrap(),
        swizzle: swizzle("0g01"),
        ..TextureOptions::default()
    };
    let options = TextureOptions { max_value: Some(f16::ONE), ..options };
    let (sun, facts, _) = prepare(sun(), "a.exr", &options, LIMIT, &Task::new()).unwrap();
    let Texels::RgbF16(texels) = sun.texels else { panic!("half floats") };
    assert_eq!(
        (texels[8 * 16 + 8], texels[0]),
        ([0.0, 1.0, 0.0].map(f16::from_f32), [0.0, 0.5, 0.0].map(f16::from_f32))
    );
    assert_eq!(facts.special_values.above_max, 1);
}

#[test]
fn swizzled_pictures_in_memory_are_copies() {
    let source = picture(|x, y| [x as u8, y as u8, 9, 255]);
    let options = TextureOptions {
        format: "bc7".parse().unwrap(),
        swizzle: swizzle("bgra"),
        ..TextureOptions::default()
    };
    let swapped = picture(|x, y| [9, y as u8, x as u8, 255]);
    let plain = TextureOptions { swizzle: Swizzle::IDENTITY, ..options.clone() };
    let [of_swizzle, of_swapped] = [(&source, &options), (&swapped, &plain)]
        .map(|(picture, options)| encoded(slice::from_ref(picture), options, LIMIT).unwrap().texture);
    assert_eq!(of_swizzle.data(), of_swapped.data());
    // The picture, its copy, and the copy without alpha.
    let options = TextureOptions { swizzle: swizzle("bgr1"), ..options };
    let error = encoded(&[source], &options, 2 * 1024 + 767).unwrap_err();
    assert!(matches!(error, TextureJobError::Memory { .. }), "{error:?}");
}

/// Files of data are read as stored. A picture in memory may be divided already.
#[test]
fn data_that_were_divided_by_alpha_are_noted() {
    let notes = |usage, is_divided| {
        let mut picture = picture(|x, y| [x as u8, y as u8, 9, 77]);
        picture.is_divided = is_divided;
        let options = TextureOptions { format: "bc7".parse().unwrap(), usage, ..TextureOptions::default() };
        let notes = encoded(&[picture], &options, LIMIT).unwrap().notes;
        notes.iter().any(|note| matches!(note, TextureNote::DividedData { .. }))
    };
    assert!(notes(PictureUse::Data, true));
    assert!(!notes(PictureUse::Data, false) && !notes(PictureUse::Color, true));
}

/// Returns the rows of each mip level in reverse order.
fn turned(texture: &Texture, row_bytes: impl Fn(u32) -> usize) -> Vec<u8> {
    let level = |level| -> Vec<u8> {
        let texels = texture.image(0, 0, level).unwrap();
        texels.chunks(row_bytes(level)).rev().flatten().copied().collect()
    };
    (0..texture.desc().mip_levels).flat_map(level).collect()
}

#[test]
fn rows_are_flipped_after_all_other_changes() {
    let source = || picture(|x, y| [x as u8 * 9, y as u8 * 3, (x * y) as u8, 255]);
    let plain = TextureOptions { mip_levels: MipLevels::Full, metrics: true, ..halving("rgba8") };
    let heights = NormalOptions { height_scale: Some(8.0), ..NormalOptions::default() };
    let normals = TextureOptions { usage: PictureUse::Normals, normals: heights, ..plain.clone() };
    let rough = TextureOptions { usage: PictureUse::Data, roughness_from_normals: true, ..plain.clone() };
    for (options, sources) in [(plain.clone(), 1), (normals, 1), (rough, 2)] {
        let sources: Vec<_> = (0..sources).map(|_| source()).collect();
        let flipped = TextureOptions { flip_y: true, ..options.clone() };
        let [upright, flipped] =
            [&options, &flipped].map(|options| encoded(&sources, options, LIMIT).unwrap());
        assert_eq!(flipped.texture.data(), turned(&upright.texture, |level| 4 * (8 >> level)), "{options:?}");
        assert_eq!(flipped.measured.metrics, upright.measured.metrics);
        let up = [&upright, &flipped].map(|encoded| encoded.texture.desc().orientation.up);
        assert_eq!(up, [false, true]);
    }
    let cube = TextureOptions { flip_y: true, layout: TextureLayout::Faces, ..TextureOptions::default() };
    assert_eq!(cube.check(), Err(OptionsError::FlippedCube { option: "flip-y" }));
    let file = |name| TextureOptions { flip_y: true, ..plain.clone() }.container_of(Some(Path::new(name)));
    assert_eq!(file("a.ktx2"), Ok(ContainerFormat::Ktx2));
    assert_eq!(file("a.dds").unwrap_err().to_string(), "flip-y is for ktx2, but a.dds would be dds");
}

#[test]
fn pictures_are_mirrored() {
    let source = |x: u32, y: u32| [x as u8 * 9, y as u8 * 3, (x * y) as u8, 255];
    let plain = TextureOptions { format: "rgba8".parse().unwrap(), ..TextureOptions::default() };
    for flip in [[true, false], [false, true], [true; 2]] {
        let at = |side: bool, i: u32| if side { 15 - i } else { i };
        let mirrored = picture(|x, y| source(at(flip[0], x), at(flip[1], y)));
        let of = |picture: Picture, flip, flip_y| {
            let options = TextureOptions { flip, flip_y, ..plain.clone() };
            encoded(&[picture], &options, LIMIT).unwrap().texture.into_data()
        };
        assert_eq!(of(picture(source), flip, false), of(mirrored, [false; 2], false), "{flip:?}");
        // Upside down twice.
        assert_eq!(of(picture(source), [flip[0], true], true), of(picture(source), [flip[0], false], false));
    }
}
