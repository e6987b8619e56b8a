//! Results that surprised users: channels that are compared.

use super::*;
use crate::commands::decode::{TextureDecodeOptions, decode_image};
use brickwork_image::image_file::{ImageReadOptions, Picture};
use brickwork_texture::{
    EncodeOptions, RealTime, Texture,
    pictures::{AnyImage, read},
};
use brickwork_toolkit::{
    device::{DeviceChoice, Devices},
    texture::{EncodedTexture, TextureOptions, encode_pictures},
};
use std::{io::Cursor, sync::Arc};

/// Returns a picture of 16×16 texels.
fn picture(texel: impl Fn(u8, u8) -> [u8; 4]) -> Picture {
    let mut file = b"P7\nWIDTH 16\nHEIGHT 16\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec();
    file.extend((0..16).flat_map(|y| (0..16).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)));
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

/// Encodes a picture.
fn encoded(picture: &Picture, options: &TextureOptions) -> EncodedTexture {
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let (pictures, names) = (std::slice::from_ref(picture), ["a.png".to_owned()]);
    encode_pictures(options, pictures, &names, &devices, 1 << 24, &Task::new()).unwrap()
}

fn texture(picture: &Picture, format: &str) -> Texture {
    let mut options = TextureOptions::default();
    options.format = format.parse().unwrap();
    encoded(picture, &options).texture
}

#[test]
fn blocks_in_real_time_name_their_decoder() {
    let source = picture(|x, y| [16 * x, 200 - 4 * y, 255, 255]);
    for (format, decoder, other) in [
        ("bc1", RoundingRule::Trunc, Some("exact")),
        ("bc3", RoundingRule::Amd, Some("exact")),
        ("bc4", RoundingRule::Exact, Some("real")),
        ("bc1", RoundingRule::Exact, None),
        ("bc4", RoundingRule::Amd, None),
        ("bc7", RoundingRule::Trunc, None),
    ] {
        let mut options = TextureOptions::default();
        options.format = format.parse().unwrap();
        options.encode.rounding_rule = decoder;
        options.encode.real_time = Some(RealTime::Level1);
        let notes: Vec<_> = encoded(&source, &options).notes.iter().map(ToString::to_string).collect();
        let found = notes.iter().find(|note| note.contains("is encoded for the"));
        let expected = other.map(|other| {
            let decoder = decoder.name();
            format!("{format} is encoded for the {other} decoder, and measured with the {decoder} decoder")
        });
        assert_eq!(found, expected.as_ref(), "{notes:?}");
    }
}

#[test]
fn values_of_nvidia_are_measured_and_named() {
    let source = picture(|x, y| [16 * x, 200 - 4 * y, 255, 17 * y]);
    let encode = EncodeOptions::default().with(|o| o.rounding_rule = RoundingRule::Nvidia);
    let bc3 = "bc3 is encoded for the exact decoder, and measured with the nvidia decoder";
    let bc4 = "bc4 is encoded for the real decoder, and measured with the nvidia decoder";
    for (format, note, real_time) in [
        ("bc3", Some(bc3), true),
        ("bc4", Some(bc4), true),
        ("bc5s", None, true),
        ("bc2", None, true),
        ("bc3", None, false),
        ("bc4", None, false),
        ("bc5s", None, false),
    ] {
        let mut options = TextureOptions::default();
        options.format = format.parse().unwrap();
        options.encode = encode.with(|o| o.real_time = real_time.then_some(RealTime::Level3));
        let encoded = encoded(&source, &options);
        let notes: Vec<_> = encoded.notes.iter().map(ToString::to_string).collect();
        let is_noted = |found: &String| found.contains("measured with the nvidia decoder");
        assert_eq!(notes.iter().any(is_noted), real_time, "{notes:?}");
        assert!(note.is_none_or(|note| notes.iter().any(|found| found == note)), "{notes:?}");
        let texture = Arc::new(encoded.texture);
        let measured = |rule: RoundingRule| {
            let (options, task) =
                (CompareOptions { rounding_rule: Some(rule), ..CompareOptions::default() }, Task::new());
            let a = CompareInput::of_picture("a.png".to_owned(), source.clone());
            let b = CompareInput::of_texture("b".into(), texture.clone(), &options, 1 << 20).unwrap();
            let comparison = compare_images([a, b], &options, &task).unwrap();
            let metrics = comparison.metrics();
            (comparison.report(&[]).decoder, metrics.mse, metrics.psnr_rgb())
        };
        let [nvidia, real, exact] =
            [RoundingRule::Nvidia, RoundingRule::Real, RoundingRule::Exact].map(measured);
        assert_eq!(nvidia.0, "nvidia", "{format}");
        assert!(nvidia.1 != real.1 && nvidia.1 != exact.1 && nvidia.2 > 30.0, "{format}: {nvidia:?}");
    }
}

#[test]
fn channels_that_are_not_stored_are_not_compared() {
    let source = picture(|x, y| [16 * x, 200 - 4 * y, 255, 128]);
    let (options, task) = (CompareOptions::default(), Task::new());
    for (format, note) in [
        ("bc4", "b.dds: only red is stored and compared (real decoder)"),
        ("bc5", "b.dds: only red and green are stored and compared (real decoder)"),
    ] {
        let texture = texture(&source, format);
        let a = CompareInput::of_picture("a.png".to_owned(), source.clone());
        let b = CompareInput::of_texture("b.dds".to_owned(), Arc::new(texture.clone()), &options, 1 << 20)
            .unwrap();
        assert_eq!(b.notes().iter().map(ToString::to_string).collect::<Vec<_>>(), [note]);
        let comparison = compare_images([a, b.clone()], &options, &task).unwrap();
        let metrics = comparison.metrics();
        assert!(metrics.psnr_rgb() > 35.0, "{format}: {metrics:?}");
        let stored = if format == "bc4" { metrics.mse[0] } else { (metrics.mse[0] + metrics.mse[1]) / 2.0 };
        assert!((metrics.mse_rgb() - stored).abs() < 1e-9 && metrics.mse[3] == 0.0, "{metrics:?}");
        // All texels are visible, then none.
        let visible = |least_alpha| {
            let options =
                CompareOptions { visible: true, alpha_threshold: Some(least_alpha), ..options.clone() };
            let a = CompareInput::of_picture("a.png".to_owned(), source.clone());
            let comparison = compare_images([a, b.clone()], &options, &task).unwrap();
            *comparison.visible_metrics().unwrap()
        };
        assert_eq!(visible(128).mse[..3], metrics.mse[..3]);
        assert_eq!(visible(129).texel_count, 0);
        let difference = comparison.difference(1, &task).unwrap();
        assert!(difference.iter().all(|texel| texel[2] < 20), "{format}");

        // The PNG from decoding equals the texture.
        let decode = TextureDecodeOptions::default();
        let image = AnyImage::Texture(texture.clone());
        let decoded = decode_image(image, "b.dds", &decode, 1 << 20, &task).unwrap();
        let mut png = Vec::new();
        decoded.write(&mut png, None, &task).unwrap();
        let png = read(Cursor::new(png), None, &ImageReadOptions::default(), &task).unwrap();
        let png = CompareInput::of_picture("b.png".to_owned(), png);
        let comparison = compare_images([png, b], &options, &task).unwrap();
        assert_eq!(comparison.violations(true, &[]), []);
    }
}

/// Blue, which BC5 has not, counts in no PSNR, also not in that of the texels that are not transparent.
#[test]
fn visible_colors_of_two_channels_have_no_blue() {
    let source = picture(|x, _| [16 * x, 108, 255, if x < 8 { 0 } else { 255 }]);
    // Red and green differ by 4 and 8 where texels are visible.
    let other = picture(|x, _| if x < 8 { [255, 0, 0, 255] } else { [16 * x + 4, 100, 0, 255] });
    let task = Task::new();
    for visible in [false, true] {
        let options = CompareOptions { visible, ..CompareOptions::default() };
        let input = |name: &str, picture: &Picture, format: &str| {
            let texture = Arc::new(texture(picture, format));
            CompareInput::of_texture(name.to_owned(), texture, &options, 1 << 20).unwrap()
        };
        let (a, b) = (input("a", &source, "rgba8"), input("b", &other, "rg8"));
        let comparison = compare_images([a, b], &options, &task).unwrap();
        // (4² + 8²) / 2
        let expected = 10.0 * (255.0f64 * 255.0 / 40.0).log10();
        let found = comparison.psnr().decibels;
        assert!((found - expected).abs() < 0.01, "{visible}: {found} {expected}");
    }
}
