//! Results that surprised users: notes.

use super::*;
use crate::device::{DeviceChoice, Devices};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadOptions, Picture};
use brickwork_texture::{EncodeOptions, bc::bc7::ModeSet, pictures::read};
use std::io::Cursor;

/// Returns a picture of 16×16 texels.
fn picture(texel: impl Fn(u8, u8) -> [u8; 4]) -> Picture {
    let mut file = b"P7\nWIDTH 16\nHEIGHT 16\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec();
    file.extend((0..16).flat_map(|y| (0..16).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)));
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
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
    let black = "a.png: BC1 stores transparent texels as black, which darkens filtered edges; bc7, or \
                 astc-4x4 for phones, keeps colours there (--dilate)";
    assert_eq!(notes(&holes, "bc1", one), [black]);
    let coverage = "a.png: the share of visible texels may change from mip level to mip level";
    assert_eq!(notes(&holes, "bc1", MipLevels::Full), [black, coverage]);
    assert_eq!(notes(&holes, "bc3", MipLevels::Full), [coverage]);
    let opaque = picture(|x, y| [16 * x, 16 * y, 0, 255]);
    assert!(notes(&opaque, "bc1", MipLevels::Full).is_empty());
    let covered = |format: &str, reference| {
        let encode = EncodeOptions::default().with(|o| o.keep_coverage = std::num::NonZeroU8::new(reference));
        let options = TextureOptions { mip_levels: MipLevels::Full, encode, ..TextureOptions::default() };
        let options = TextureOptions { format: format.parse().unwrap(), ..options };
        let notes = encoded(&holes, "a.png", &options).unwrap().notes;
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(covered("bc1", 128) == [black] && covered("bc3", 77).is_empty());
    let other =
        "a.png: coverage is kept for an alpha test at 77, but BC1 makes texels below alpha 128 transparent";
    assert_eq!(covered("bc1", 77), [black, other]);
}

#[test]
fn mode_7_alone_is_refused_for_opaque_pictures() {
    let options = |modes: &[u8]| {
        let encode = EncodeOptions::default().with(|o| o.bc7.modes = ModeSet::new(modes).unwrap());
        TextureOptions { format: "bc7".parse().unwrap(), encode, ..TextureOptions::default() }
    };
    let opaque = picture(|x, y| [16 * x, 16 * y, 0, 255]);
    let error = encoded(&opaque, "a.png", &options(&[7])).unwrap_err().to_string();
    assert_eq!(error, "a.png: mode 7 alone makes opaque texels transparent; add mode 0, 1, 2, 3 or 6");
    assert!(encoded(&opaque, "a.png", &options(&[6, 7])).is_ok());
    let soft = picture(|x, _| [200, 30, 60, 16 * x]);
    assert!(encoded(&soft, "a.png", &options(&[7])).is_ok());
}
