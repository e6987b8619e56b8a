//! Results that surprised users: channels that are compared, and notes.

use super::*;
use crate::device::{DeviceChoice, Devices};
use brickwork_base::Task;
use brickwork_texture::{
    EncodeOptions, RoundingRule, Texture,
    bc::bc7::{Bc7Options, ModeSet},
    image_file::{AnyImage, ImageReadOptions, Picture, read},
};
use std::io::Cursor;

/// Returns a picture of 16×16 texels.
fn picture(texel: impl Fn(u8, u8) -> [u8; 4]) -> Picture {
    let mut file = b"P7\nWIDTH 16\nHEIGHT 16\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec();
    file.extend((0..16).flat_map(|y| (0..16).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)));
    read(Cursor::new(file), None, &ImageReadOptions::new(), &Task::new()).unwrap()
}

/// Encodes a picture from a file of this name.
pub(super) fn encoded(
    picture: &Picture,
    name: &str,
    options: &TextureOptions,
) -> Result<EncodedTexture, TextureJobError> {
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let (pictures, names) = (std::slice::from_ref(picture), [name.to_owned()]);
    encode_pictures(options, pictures, &names, &devices, 1 << 24, &Task::new())
}

fn texture(picture: &Picture, format: &str) -> Texture {
    encoded(
        picture,
        "a.png",
        &TextureOptions { format: format.parse().unwrap(), ..TextureOptions::default() },
    )
    .unwrap()
    .texture
}

#[test]
fn values_of_nvidia_are_measured_and_named() {
    let source = picture(|x, y| [16 * x, 200 - 4 * y, 255, 17 * y]);
    let encode = EncodeOptions::new().with_rounding_rule(RoundingRule::Nvidia);
    let alpha = "the alpha of BC3 is encoded for the exact decoder, and measured with the nvidia decoder";
    let bc4 = "bc4 is encoded for the real decoder, and measured with the nvidia decoder";
    for (format, note) in [("bc3", Some(alpha)), ("bc4", Some(bc4)), ("bc5s", None), ("bc2", None)] {
        let options = TextureOptions { format: format.parse().unwrap(), encode, ..TextureOptions::default() };
        let encoded = encoded(&source, "a.png", &options).unwrap();
        let notes: Vec<_> = encoded.notes.iter().map(ToString::to_string).collect();
        let is_noted = |found: &String| found.contains("measured with the nvidia decoder");
        assert_eq!(notes.iter().any(is_noted), format != "bc2", "{notes:?}");
        assert!(note.is_none_or(|note| notes.iter().any(|found| found == note)), "{notes:?}");
        let measured = |rule: RoundingRule| {
            let (options, task) = (CompareOptions::new().with_rounding_rule(rule), Task::new());
            let a = CompareInput::of_picture("a.png".to_owned(), source.clone());
            let b = CompareInput::of_texture("b".into(), &encoded.texture, &options, 1 << 20, &task).unwrap();
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
    let (options, task) = (CompareOptions::new(), Task::new());
    for (format, note) in [
        ("bc4", "b.dds: only red is stored and compared (real decoder)"),
        ("bc5", "b.dds: only red and green are stored and compared (real decoder)"),
    ] {
        let texture = texture(&source, format);
        let a = CompareInput::of_picture("a.png".to_owned(), source.clone());
        let b = CompareInput::of_texture("b.dds".to_owned(), &texture, &options, 1 << 20, &task).unwrap();
        assert_eq!(b.notes().iter().map(ToString::to_string).collect::<Vec<_>>(), [note]);
        let comparison = compare_images([a, b.clone()], &options, &task).unwrap();
        let metrics = comparison.metrics();
        assert!(metrics.psnr_rgb() > 35.0, "{format}: {metrics:?}");
        let stored = if format == "bc4" { metrics.mse[0] } else { (metrics.mse[0] + metrics.mse[1]) / 2.0 };
        assert!((metrics.mse_rgb() - stored).abs() < 1e-9 && metrics.mse[3] == 0.0, "{metrics:?}");
        // All texels are visible, then none.
        let visible = |least_alpha| {
            let options = options.with_visible(true).with_alpha_threshold(least_alpha);
            let a = CompareInput::of_picture("a.png".to_owned(), source.clone());
            let comparison = compare_images([a, b.clone()], &options, &task).unwrap();
            *comparison.visible_metrics().unwrap()
        };
        assert_eq!(visible(128).mse[..3], metrics.mse[..3]);
        assert_eq!(visible(129).texel_count, 0);
        let difference = comparison.difference(1, &task).unwrap();
        assert!(difference.iter().all(|texel| texel[2] < 20), "{format}");

        // The PNG from decoding equals the texture.
        let decode = TextureDecodeOptions::new();
        let image = AnyImage::Texture(texture.clone());
        let decoded = decode_image(image, "b.dds", &decode, 1 << 20, &task).unwrap();
        let mut png = Vec::new();
        decoded.write(&mut png, None, &task).unwrap();
        let png = read(Cursor::new(png), None, &ImageReadOptions::new(), &task).unwrap();
        let png = CompareInput::of_picture("b.png".to_owned(), png);
        let comparison = compare_images([png, b], &options, &task).unwrap();
        assert_eq!(comparison.violations(true, &[]), []);
    }
}

#[test]
fn soft_alpha_and_holes_are_noted() {
    let notes = |picture: &Picture, format: &str, mip_levels| {
        let options =
            TextureOptions { format: format.parse().unwrap(), mip_levels, ..TextureOptions::default() };
        let notes = encoded(picture, "a.png", &options).unwrap().notes;
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let one = MipLevels::AtMost(1);
    let soft = picture(|x, _| [200, 30, 60, 16 * x]);
    assert_eq!(
        notes(&soft, "bc1", one),
        ["a.png: alpha has values between opaque and transparent, which BC1 cannot store"]
    );
    assert!(notes(&soft, "bc7", one).is_empty() && notes(&soft, "bc3", MipLevels::Full).is_empty());
    let holes = picture(|x, y| [30, 200, 60, if (x + y) % 3 == 0 { 255 } else { 0 }]);
    assert!(notes(&holes, "bc1", one).is_empty());
    for format in ["bc1", "bc3"] {
        let coverage = "a.png: the share of visible texels may change from mip level to mip level";
        assert_eq!(notes(&holes, format, MipLevels::Full), [coverage]);
    }
    let opaque = picture(|x, y| [16 * x, 16 * y, 0, 255]);
    assert!(notes(&opaque, "bc1", MipLevels::Full).is_empty());
    let covered = |format: &str, reference| {
        let encode = EncodeOptions::new().with_keep_coverage(std::num::NonZeroU8::new(reference));
        let options = TextureOptions { mip_levels: MipLevels::Full, encode, ..TextureOptions::default() };
        let options = TextureOptions { format: format.parse().unwrap(), ..options };
        let notes = encoded(&holes, "a.png", &options).unwrap().notes;
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(covered("bc1", 128).is_empty() && covered("bc3", 77).is_empty());
    let other =
        "a.png: coverage is kept for an alpha test at 77, but BC1 makes texels below alpha 128 transparent";
    assert_eq!(covered("bc1", 77), [other]);
}

#[test]
fn mode_7_alone_is_refused_for_opaque_pictures() {
    let options = |modes: &[u8]| {
        let bc7 = Bc7Options::new().with_modes(ModeSet::new(modes).unwrap());
        let encode = EncodeOptions::new().with_bc7(bc7);
        TextureOptions { format: "bc7".parse().unwrap(), encode, ..TextureOptions::default() }
    };
    let opaque = picture(|x, y| [16 * x, 16 * y, 0, 255]);
    let error = encoded(&opaque, "a.png", &options(&[7])).unwrap_err().to_string();
    assert_eq!(error, "a.png: mode 7 alone makes opaque texels transparent; add mode 0, 1, 2, 3 or 6");
    assert!(encoded(&opaque, "a.png", &options(&[6, 7])).is_ok());
    let soft = picture(|x, _| [200, 30, 60, 16 * x]);
    assert!(encoded(&soft, "a.png", &options(&[7])).is_ok());
}
