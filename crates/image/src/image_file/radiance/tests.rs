use super::super::{FileFormat, ImageReadError, ImageReadOptions, Picture, Texels, read};
use crate::Task;
use half::f16;
use std::io::Cursor;

fn picture(head: &str, data: &[u8]) -> Result<Picture, ImageReadError> {
    let file = [head.as_bytes(), data].concat();
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new())
}

/// Red of each texel.
fn reds(picture: &Picture) -> Vec<f32> {
    let Texels::RgbF16(texels) = &picture.texels else { panic!("not RGB in half floats") };
    texels.iter().map(|texel| texel[0].to_f32()).collect()
}

/// Texels whose red is 1, 2, 3, …: an exponent of 136 makes them the mantissa.
fn counted(count: u8) -> Vec<u8> {
    (1..=count).flat_map(|i| [i, 0, 0, 136]).collect()
}

#[test]
fn axes_turn_the_picture() {
    let of = |resolution: &str| {
        let picture = picture(&format!("#?RADIANCE\n\n{resolution}\n"), &counted(6)).unwrap();
        (picture.width, picture.height, reds(&picture).iter().map(|&v| v as u8).collect::<Vec<_>>())
    };
    assert_eq!(of("-Y 2 +X 3"), (3, 2, vec![1, 2, 3, 4, 5, 6]));
    assert_eq!(of("-Y 2 -X 3"), (3, 2, vec![3, 2, 1, 6, 5, 4]));
    assert_eq!(of("+Y 2 +X 3"), (3, 2, vec![4, 5, 6, 1, 2, 3]));
    assert_eq!(of("+Y 2 -X 3"), (3, 2, vec![6, 5, 4, 3, 2, 1]));
    // Two columns of three texels: from the left and the top first.
    assert_eq!(of("+X 2 -Y 3"), (2, 3, vec![1, 4, 2, 5, 3, 6]));
    assert_eq!(of("+X 2 +Y 3"), (2, 3, vec![3, 6, 2, 5, 1, 4]));
    assert_eq!(of("-X 2 -Y 3"), (2, 3, vec![4, 1, 5, 2, 6, 3]));
    assert_eq!(of("-X 2 +Y 3"), (2, 3, vec![6, 3, 5, 2, 4, 1]));
}

#[test]
fn headers_state_format_exposure_and_primaries() {
    let head = "#?RGBE\n# a comment\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\nEXPOSURE= 0.25\n\n-Y 1 +X 2\n";
    let found = picture(head, &counted(2)).unwrap();
    assert_eq!((found.file_format, reds(&found)), (Some(FileFormat::Hdr), vec![2.0, 4.0]));
    assert_eq!(found.notes, ["numbers are divided by the stated exposure of 0.5"]);
    let head = "#?RADIANCE\r\nFORMAT=32-bit_rle_xyze\r\n\r\n-Y 1 +X 1\r\n";
    // D65 is white in Rec. 709.
    let found = picture(head, &[122, 128, 139, 129]).unwrap();
    let Texels::RgbF16(texels) = &found.texels else { panic!() };
    assert!(texels[0].iter().all(|v| (v.to_f32() - 1.0).abs() < 0.02), "{texels:?}");
    assert_eq!(found.notes, ["colours are converted from XYZ to Rec. 709"]);
    let head = "#?RADIANCE\nPRIMARIES=.64 .33 .30 .60 .15 .06 .3127 .329\n\n-Y 1 +X 1\n";
    assert!(picture(head, &[1, 1, 2, 136]).unwrap().notes.is_empty());
}

#[test]
fn numbers_keep_their_range() {
    let data = [[255, 1, 0, 152], [128, 0, 0, 90], [9, 9, 9, 0]].concat();
    let found = picture("#?RADIANCE\n\n-Y 1 +X 3\n", &data).unwrap();
    let Texels::RgbF16(texels) = &found.texels else { panic!() };
    // 255 · 2^16, and 1 · 2^16.
    assert_eq!(texels[0], [f16::MAX, f16::MAX, f16::ZERO]);
    assert_eq!(texels[1..], [[f16::ZERO; 3]; 2]);
    assert_eq!(found.notes, ["2 numbers are beyond half floats and became ±65504"]);
    let file = [&b"#?RADIANCE\n\n-Y 1 +X 3\n"[..], &data].concat();
    let kept = |max_memory| {
        let options = ImageReadOptions::default().with(|o| {
            o.single_floats = true;
            o.max_memory = max_memory;
        });
        read(Cursor::new(&file), None, &options, &Task::new())
    };
    // Three texels of 12 bytes, and a scanline.
    let found = kept(3 * 12 + 3 * 4).unwrap();
    let Texels::RgbF32(texels) = &found.texels else { panic!() };
    assert_eq!(texels[..], [[255.0 * 65_536.0, 65_536.0, 0.0], [128.0 / 2f32.powi(46), 0.0, 0.0], [0.0; 3]]);
    assert!(found.notes.is_empty() && found.overflow_count == 0);
    assert_eq!(kept(3 * 12 + 3 * 4 - 1).unwrap_err().kind(), crate::ErrorKind::Limit);
}

#[test]
fn runs_of_both_encodings_are_read() {
    let head = "#?RADIANCE\n\n-Y 1 +X 10\n";
    // Red: 3 literal, a run of 7. Green, blue: runs. Exponent: a run.
    let new = [2, 2, 0, 10, 3, 1, 2, 3, 128 + 7, 9, 128 + 10, 0, 128 + 10, 0, 128 + 10, 136];
    let expected = [1.0, 2.0, 3.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0];
    assert_eq!(reds(&picture(head, &new).unwrap()), expected);
    // A texel, nine more of it: 1 and 8 in two runs would be 1 + 8·256.
    let old = [7, 0, 0, 136, 1, 1, 1, 9];
    assert_eq!(reds(&picture(head, &old).unwrap()), [7.0; 10]);
    let head = "#?RADIANCE\n\n-Y 1 +X 600\n";
    let old = [7, 0, 0, 136, 1, 1, 1, 0x57, 1, 1, 1, 2];
    assert_eq!(reds(&picture(head, &old).unwrap()), [7.0; 600]);
}

#[test]
fn wrong_files_are_refused() {
    let message = |head: &str, data: &[u8]| picture(head, data).unwrap_err().to_string();
    let head = "#?RADIANCE\n\n-Y 1 +X 10\n";
    for (data, words) in [
        (&[2, 2, 0, 11][..], "scanline 0 of 1: it has 10 texels but states 11"),
        (&[2, 2, 0, 10, 128 + 11, 0], "a run of 11 texels at texel 0"),
        (&[2, 2, 0, 10, 0], "a run of 0 texels"),
        (&[2, 2, 0, 10, 3, 1, 2], "ends too early"),
        (&[1, 1, 1, 5], "it starts with a run"),
        (&[7, 0, 0, 136, 1, 1, 1, 10], "a run of 10 texels at texel 1 is too long"),
        (&[7, 0, 0, 136], "ends too early"),
    ] {
        let message = message(head, data);
        assert!(message.contains(words), "{message}");
    }
    for (head, words) in [
        ("#?RADIANCE\n\n-Y 1 +Y 1\n", "the resolution line is"),
        ("#?RADIANCE\n\n-Y 0 +X 1\n", "the resolution line is"),
        ("#?RADIANCE\nEXPOSURE=0\n\n-Y 1 +X 1\n", "EXPOSURE is 0"),
        ("#?RADIANCE\nFORMAT=float\n\n-Y 1 +X 1\n", "the format float is not supported"),
        ("#?RADIANCE\nFORMAT=32-bit_rle_rgbe", "ends in the header"),
        ("#?RADIANCE\n\n-Y 2000000000 +X 4\n", "above the limit"),
        ("#?RADIANCE\n\n-Y 20000 +X 20000\n", "too few for 20000×20000 texels"),
    ] {
        let message = message(head, &[0; 4]);
        assert!(message.contains(words), "{message}");
    }
}
