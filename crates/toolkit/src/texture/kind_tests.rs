//! The choices for ten kinds of textures, made here.

use super::{surprise_tests::encoded, *};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadOptions, Picture};
use brickwork_texture::{
    AstcFootprint,
    BlockFormat::{
        self, Astc, Bc1, Bc4Unorm, Bc5Unorm, Bc7, EacR11Unorm, EacRg11Unorm, Etc2Rgb, Etc2RgbA1, Etc2Rgba,
    },
    ColorSpace::{self, Linear, Srgb},
    container::DdsHeader,
    pictures::read,
};
use std::io::Cursor;

const SIDE: i32 = 64;

/// Returns a picture of 64×64 texels of 1, 3 or 4 channels, read from PAM.
fn picture<const CHANNELS: usize>(texel: impl Fn(i32, i32) -> [i32; CHANNELS]) -> Picture {
    let name = ["GRAYSCALE", "", "RGB", "RGB_ALPHA"][CHANNELS - 1];
    let size = format!("WIDTH {SIDE}\nHEIGHT {SIDE}\nDEPTH {CHANNELS}\nMAXVAL 255\n");
    let mut file = format!("P7\n{size}TUPLTYPE {name}\nENDHDR\n").into_bytes();
    let texels = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y));
    file.extend(texels.map(|value| value.clamp(0, 255) as u8));
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

/// Returns noise from -`size` to `size`.
fn noise(x: i32, y: i32, size: i32) -> i32 {
    let hash = (x * 7919 + y * 104_729).wrapping_mul(-1_640_531_527) >> 8;
    hash.rem_euclid(2 * size + 1) - size
}

/// Returns a normal of waves, scaled by `length`.
fn normal(x: i32, y: i32, length: f32) -> [i32; 3] {
    let [x, y] = [(x as f32 / 5.0).sin() * 0.5, (y as f32 / 7.0).cos() * 0.5];
    let z = (1.0 - x * x - y * y).sqrt();
    [x, y, z].map(|v| (v * length * 127.5 + 127.5).round() as i32)
}

/// Returns noise in brightness around brown.
fn photo(x: i32, y: i32) -> [i32; 3] {
    [150, 110, 80].map(|v| v + x / 2 - y / 2 + noise(x, y, 20))
}

fn roughness(x: i32, y: i32) -> i32 {
    120 + noise(x / 2, y / 2, 60)
}

#[test]
fn ten_kinds_of_textures_get_their_formats() {
    let outlines = picture(|x, y| match ((x / 3 + y / 5) % 3, x / 16 % 2) {
        (0, _) => [20, 15, 30],
        (1, 0) => [230, 60, 40],
        (1, _) => [40, 190, 70],
        (_, 0) => [60, 90, 230],
        _ => [240, 220, 60],
    });
    let photograph = picture(photo);
    let exact = picture(|x, y| normal(x, y, 1.0));
    let averaged = picture(|x, y| normal(x, y, if (x + 3 * y) % 4 == 0 { 0.8 } else { 1.0 }));
    let packed = picture(|x, y| {
        [255 - (x - y).abs(), roughness(x, y), if (x / 9 + y / 9) % 2 == 0 { 255 } else { 0 }]
    });
    let grey_as_rgb = picture(|x, y| [roughness(x, y); 3]);
    let with_alpha = |alpha: &dyn Fn(i32) -> i32| {
        picture(|x, y| {
            let [r, g, b] = photo(x, y);
            [r, g, b, alpha(x)]
        })
    };
    let cut_out = with_alpha(&|x| if x % 7 < 3 { 0 } else { 255 });
    let soft = with_alpha(&|x| 4 * x);
    let height = picture(|x, y| [2 * x + y + noise(x, y, 3)]);
    let sky = picture(|x, y| [120 + y / 2, 170 + y / 2, 235 + noise(x, y, 4)]);
    let cases: &[(&str, &Picture, BlockFormat, ColorSpace, &str)] = &[
        ("photo.png", &photograph, Bc1, Srgb, "every texel is opaque"),
        ("hero.png", &outlines, Bc7, Srgb, "blocks have several hues"),
        ("leaf.png", &cut_out, Bc1, Srgb, "every texel is opaque or transparent"),
        ("smoke.png", &soft, Bc7, Srgb, "alpha has values between opaque and transparent"),
        ("rock.png", &exact, Bc5Unorm, Linear, "a normal map: 100.0 % of texels have length 1"),
        ("wall.png", &averaged, Bc5Unorm, Linear, "a normal map: 75.0 % of texels have length 1"),
        ("terrain.png", &height, Bc4Unorm, Linear, "the file is grey"),
        ("stone.png", &grey_as_rgb, Bc4Unorm, Linear, "red, green and blue are equal"),
        ("sky.png", &sky, Bc1, Srgb, "every texel is opaque"),
        ("rock_ORM.png", &packed, Bc7, Linear, "channels are unrelated; the file's name says data"),
        // Names count more than texels.
        ("photo_n.png", &photograph, Bc5Unorm, Linear, "the file's name says normals"),
        ("dust_mask.png", &photograph, Bc1, Linear, "every texel is opaque; the file's name says data"),
        ("rock_rough.png", &grey_as_rgb, Bc4Unorm, Linear, "blue are equal; the file's name says data"),
        ("rock_mask.png", &exact, Bc7, Linear, "channels are unrelated; the file's name says data"),
        ("ash_albedo.png", &grey_as_rgb, Bc1, Srgb, "every texel is opaque; the file's name says colours"),
    ];
    let auto = TextureOptions { format: FormatChoice::AUTO, ..TextureOptions::default() };
    for &(name, picture, format, color_space, reason) in cases {
        let plan = encoded(picture, name, &auto).unwrap().plan;
        let found = (plan.desc.format.block().unwrap(), plan.desc.color_space);
        assert_eq!(found, (format, color_space), "{name}: {plan:?}");
        let found = plan.format_reason.unwrap();
        assert!(found.ends_with(reason), "{name}: {found}");
        let named = plan.color_space_reason == ColorSpaceReason::FileName;
        assert_eq!(named, color_space == Linear && format.has_srgb(), "{name}");
        // Other families have the same colour space.
        let etc2 = match (name, format) {
            (_, Bc4Unorm) => EacR11Unorm,
            (_, Bc5Unorm) => EacRg11Unorm,
            ("leaf.png", _) => Etc2RgbA1,
            ("smoke.png", _) => Etc2Rgba,
            _ => Etc2Rgb,
        };
        for (family, format) in [(FormatFamily::Etc2, etc2), (FormatFamily::Astc, Astc(AstcFootprint::B4x4))]
        {
            let options = TextureOptions { family: Some(family), ..auto.clone() };
            let plan = encoded(picture, name, &options).unwrap().plan;
            let found = (plan.desc.format.block().unwrap(), plan.desc.color_space);
            assert_eq!(found, (format, color_space), "{name}: {plan:?}");
            // Hues and relations matter to BC alone.
            let reason = reason.replace("have several hues", "every texel is opaque");
            let reason = reason.replace("channels are unrelated", "every texel is opaque");
            let reason = reason.replace("blocks every", "every");
            assert!(plan.format_reason.unwrap().ends_with(&reason), "{name}: {reason}");
        }
    }
    let legacy =
        encoded(&outlines, "hero.png", &TextureOptions { dds_header: DdsHeader::Legacy, ..auto.clone() })
            .unwrap();
    assert_eq!(legacy.plan.desc.format, Bc1);
}

#[test]
fn options_count_more_than_names() {
    let auto = TextureOptions { format: FormatChoice::AUTO, ..TextureOptions::default() };
    let photograph = picture(photo);
    let srgb =
        encoded(&photograph, "rock_orm.png", &TextureOptions { color_space: Some(Srgb), ..auto.clone() })
            .unwrap();
    assert_eq!((srgb.plan.desc.format.block(), srgb.plan.desc.color_space), (Some(Bc1), Srgb));
    assert!(srgb.notes.is_empty() && srgb.plan.color_space_reason == ColorSpaceReason::Chosen);
    // A chosen format stays, with a note.
    let notes = |name: &str, options: &TextureOptions| {
        let notes = encoded(&photograph, name, options).unwrap().notes;
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let bc7 = TextureOptions { format: FormatChoice::of(Bc7), ..TextureOptions::default() };
    let note = "rock_orm.png: the file's name says data, but the picture is encoded as sRGB colours";
    assert_eq!(notes("rock_orm.png", &bc7), [note]);
    assert!(notes("rock_albedo.png", &bc7).is_empty());
    assert!(notes("rock_orm.png", &TextureOptions { color_space: Some(Linear), ..bc7 }).is_empty());
}
