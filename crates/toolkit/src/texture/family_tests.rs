//! Formats of a family, and the options, images and containers that it refuses.

use super::{surprise_tests::encoded, *};
use brickwork_base::{ErrorKind, Task};
use brickwork_image::image_file::{ImageReadOptions, Picture, PictureUse, write_exr};
use brickwork_texture::{
    AstcFootprint,
    BlockFormat::{Astc, EacR11Unorm, EacRg11Unorm, Etc2Rgb, Etc2RgbA1, Etc2Rgba},
    ColorSpace::{Linear, Srgb},
    EncodeOptions, RdoLambda,
    container::ContainerFormat,
    half::f16,
    pictures::read,
};
use std::{io::Cursor, path::Path};

const ASTC: brickwork_texture::BlockFormat = Astc(AstcFootprint::B4x4);

fn auto(family: FormatFamily) -> TextureOptions {
    TextureOptions { format: FormatChoice::AUTO, family: Some(family), ..TextureOptions::default() }
}

/// Returns a picture of 16×16 texels.
fn picture(texel: impl Fn(u8, u8) -> [u8; 4]) -> Picture {
    let mut file = b"P7\nWIDTH 16\nHEIGHT 16\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec();
    file.extend((0..16).flat_map(|y| (0..16).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)));
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

fn light() -> Picture {
    let texels: Vec<_> = (0..256).map(|i| [i as f32 / 16.0, 2.0, 9.0, 1.0].map(f16::from_f32)).collect();
    let mut exr = Vec::new();
    write_exr(&mut exr, 16, 16, &texels, &Task::new()).unwrap();
    read(Cursor::new(exr), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

#[test]
fn alpha_and_channels_decide_in_etc2() {
    let format = |picture: &Picture, options: &TextureOptions| {
        encoded(picture, "a.png", options).unwrap().plan.desc.format.block().unwrap()
    };
    let etc2 = auto(FormatFamily::Etc2);
    let holes = picture(|x, y| [30 + x, 200, 60 + y, if (x + y) % 3 == 0 { 255 } else { 0 }]);
    assert_eq!(format(&holes, &etc2), Etc2RgbA1);
    // Transparent texels have no colours.
    let data = TextureOptions { usage: PictureUse::Data, color_space: Some(Linear), ..etc2.clone() };
    assert_eq!(format(&holes, &data), Etc2Rgba);
    let encode = EncodeOptions::default().with(|o| o.alpha_is_data = true);
    assert_eq!(format(&holes, &TextureOptions { encode, ..etc2.clone() }), Etc2Rgba);
    let one = TextureOptions { usage: PictureUse::OneChannel, ..etc2.clone() };
    let normals = TextureOptions { usage: PictureUse::Normals, ..etc2 };
    let facing = picture(|x, y| [120 + x, 120 + y, 254, 255]);
    assert_eq!([&one, &normals].map(|options| format(&facing, options)), [EacR11Unorm, EacRg11Unorm]);
    // Two channels do not store normals that face away.
    let away = picture(|x, y| [120 + x, 120 + y, if y < 8 { 254 } else { 1 }, 255]);
    assert_eq!(format(&away, &normals), Etc2Rgb);
}

#[test]
fn astc_has_the_colour_spaces_of_one_channel_and_of_normals() {
    let astc = auto(FormatFamily::Astc);
    let found = |picture: &Picture, options: &TextureOptions| {
        let EncodedTexture { plan, notes, .. } = encoded(picture, "a.png", options).unwrap();
        assert_eq!(plan.desc.format, ASTC);
        let notes: Vec<_> = notes.iter().map(ToString::to_string).collect();
        (plan.desc.color_space, plan.color_space_reason, plan.options.normals, notes)
    };
    let grey = picture(|x, _| [10 * x, 10 * x, 10 * x, 255]);
    let note = "a.png: grey of unknown use is encoded as linear data, not as colours".to_owned();
    assert_eq!(found(&grey, &astc), (Linear, ColorSpaceReason::Texels, false, vec![note]));
    let one = TextureOptions { usage: PictureUse::OneChannel, ..astc.clone() };
    assert_eq!(found(&grey, &one), (Linear, ColorSpaceReason::Chosen, false, vec![]));
    let srgb = TextureOptions { color_space: Some(Srgb), ..astc.clone() };
    assert_eq!(found(&grey, &srgb), (Srgb, ColorSpaceReason::Chosen, false, vec![]));
    let normals = TextureOptions { usage: PictureUse::Normals, ..astc };
    let facing = picture(|x, y| [120 + x, 120 + y, 254, 255]);
    assert_eq!(found(&facing, &normals), (Linear, ColorSpaceReason::Normals, true, vec![]));
}

#[test]
fn hdr_is_refused_and_plain_formats_are_not() {
    for family in [FormatFamily::Astc, FormatFamily::Etc2] {
        let error = encoded(&light(), "sky.exr", &auto(family)).unwrap_err();
        let text = format!(
            "sky.exr: is HDR, which no format of the family {family} stores; bc6h and plain formats such as \
             rgb9e5 do"
        );
        assert_eq!((error.to_string(), error.kind()), (text, ErrorKind::Unsupported));
        let plain = TextureOptions { format: "rgb9e5".parse().unwrap(), ..auto(family) };
        assert!(encoded(&light(), "sky.exr", &plain).is_ok());
    }
    assert!(encoded(&light(), "sky.exr", &auto(FormatFamily::Bc)).is_ok());
}

#[test]
fn options_and_formats_of_other_families_are_refused_before_pictures_are_read() {
    let error = |options: TextureOptions| options.check().unwrap_err().to_string();
    let rdo = |family| TextureOptions {
        encode: EncodeOptions::default().with(|o| o.rdo = RdoLambda::new(2.0).unwrap()),
        ..auto(family)
    };
    assert!(rdo(FormatFamily::Bc).check().is_ok());
    assert_eq!(
        error(rdo(FormatFamily::Etc2)),
        "rdo is for bc1, bc3, bc4, bc4s, bc5, bc5s, bc7, none of which is of the family etc2"
    );
    let stated =
        |format: &str| TextureOptions { format: format.parse().unwrap(), ..auto(FormatFamily::Astc) };
    assert!(stated("astc").check().is_ok() && stated("rgba8").check().is_ok());
    assert_eq!(error(stated("etc2")), "etc2 is of the family etc2, not astc");
    // Without a family, every format may be stated.
    assert!(TextureOptions { family: None, ..stated("etc2") }.check().is_ok());
    let premultiplied = TextureOptions { premultiply: true, ..auto(FormatFamily::Etc2) };
    assert!(premultiplied.check().is_ok());
}

#[test]
fn containers_have_the_family() {
    use ContainerFormat::{Dds, Ktx2};
    let [bc, astc, etc2] = [FormatFamily::Bc, FormatFamily::Astc, FormatFamily::Etc2].map(auto);
    assert_eq!([&bc, &astc, &etc2].map(TextureOptions::default_container), [Dds, Ktx2, Ktx2]);
    let of = |options: &TextureOptions, name| options.container_of(Some(Path::new(name)));
    assert!(of(&astc, "a.astc").is_ok() && of(&etc2, "a.ktx2").is_ok() && of(&bc, "a.dds").is_ok());
    let refused = |options, name| of(options, name).unwrap_err().to_string();
    assert_eq!(refused(&astc, "a.dds"), "DDS has no formats of the family astc; write KTX2 or .astc");
    assert_eq!(refused(&etc2, "a.dds"), "DDS has no formats of the family etc2; write KTX2");
    assert_eq!(refused(&bc, "a.astc"), ".astc has no formats of the family bc; write DDS or KTX2");
    let plain = TextureOptions { format: "rgba8".parse().unwrap(), ..astc };
    assert!(of(&plain, "a.dds").is_ok());
}
