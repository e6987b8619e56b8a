//! Colour fields of the headers of BMP (versions 4 and 5).

use brickwork_image::{
    ColorSpace, ErrorKind, Task,
    image_file::{ImageReadOptions, Picture, Texels, read},
};
use std::io::Cursor;

const SRGB: u32 = u32::from_be_bytes(*b"sRGB");
const WINDOWS: u32 = u32::from_be_bytes(*b"Win ");
const LINKED: u32 = u32::from_be_bytes(*b"LINK");
const EMBEDDED: u32 = u32::from_be_bytes(*b"MBED");

/// XYZ of red, green and blue of Rec. 709, and of Adobe RGB (1998).
const REC709: [[f64; 3]; 3] = [[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]];
const ADOBE: [[f64; 3]; 3] =
    [[0.57667, 0.29734, 0.02703], [0.18556, 0.62736, 0.07069], [0.18823, 0.07529, 0.99134]];
const NONE: [[f64; 3]; 3] = [[0.0; 3]; 3];

/// Returns a BMP of one texel, (200, 100, 50), of this colour space: with end points in units of 2⁻³⁰, gammas
/// in units of 2⁻¹⁶, and, in version 5, the position and size of the profile, which follows the texel.
fn bmp(space: u32, points: [[f64; 3]; 3], gammas: [f64; 3], profile: Option<([u32; 2], &[u8])>) -> Vec<u8> {
    let header_bytes = if profile.is_some() { 124u32 } else { 108 };
    let mut header = header_bytes.to_le_bytes().to_vec();
    header.extend([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0]);
    header.resize(56, 0);
    header.extend(space.to_le_bytes());
    header.extend(points.as_flattened().iter().flat_map(|v| ((v * 2f64.powi(30)) as i32).to_le_bytes()));
    header.extend(gammas.iter().flat_map(|v| ((v * 65536.0).round() as u32).to_le_bytes()));
    if let Some((place, _)) = profile {
        header.extend([4u32, place[0], place[1], 0].into_iter().flat_map(u32::to_le_bytes));
    }
    let texels = 14 + header_bytes;
    let mut file = b"BM".to_vec();
    file.extend([texels + 4, 0, texels].into_iter().flat_map(u32::to_le_bytes));
    file.extend(header);
    file.extend([50, 100, 200, 0]);
    file.extend(profile.map_or(&[][..], |(_, bytes)| bytes));
    file
}

/// Position of a profile after the texel, from the start of the header.
const AFTER_TEXEL: u32 = 124 + 4;

fn picture(file: &[u8]) -> Picture {
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

fn bytes(picture: &Picture) -> [u8; 3] {
    match &picture.texels {
        Texels::Rgb8(texels) => texels[0],
        Texels::Rgb16(texels) => texels[0].map(|word| (f64::from(word) / 257.0).round() as u8),
        other => panic!("{other:?}"),
    }
}

#[test]
fn named_colour_spaces_are_srgb() {
    for (space, reason) in [(SRGB, "BMP LCS_sRGB"), (WINDOWS, "BMP LCS_WINDOWS_COLOR_SPACE")] {
        let found = picture(&bmp(space, ADOBE, [1.0; 3], None));
        assert_eq!((found.color_space, found.color_space_reason.as_str()), (ColorSpace::Srgb, reason));
        assert!(found.notes.is_empty() && !found.is_color_space_assumed());
        assert_eq!(bytes(&found), [200, 100, 50]);
    }
    for (space, notes) in [
        (LINKED, &["the ICC profile that the BMP file links is not read; sRGB is assumed"][..]),
        (77, &["the colour space of the BMP header, 0x0000004d, is not known; sRGB is assumed"]),
        (0, &[]),
        (1, &[]),
    ] {
        let found = picture(&bmp(space, NONE, [0.0; 3], None));
        assert_eq!(found.notes, notes, "{space}");
        assert!(found.is_color_space_assumed() && found.color_space == ColorSpace::Srgb);
    }
}

#[test]
fn calibrated_colours_count() {
    let linear = picture(&bmp(0, REC709, [1.0; 3], None));
    assert_eq!((linear.color_space, bytes(&linear)), (ColorSpace::Linear, [200, 100, 50]));
    assert!(linear.notes.is_empty() && linear.color_space_reason == "BMP gamma 1.00");
    // About 2.2 is sRGB by custom.
    let srgb = picture(&bmp(0, REC709, [2.2; 3], None));
    assert_eq!((srgb.color_space, bytes(&srgb)), (ColorSpace::Srgb, [200, 100, 50]));
    assert!(srgb.notes.is_empty() && !srgb.is_color_space_assumed());
    // With other primaries it is a power. End points may be chromaticities, whose sum is 1.
    let chromaticities = [[0.64, 0.33, 0.03], [0.21, 0.71, 0.08], [0.15, 0.06, 0.79]];
    for points in [ADOBE, chromaticities] {
        let adobe = picture(&bmp(0, points, [2.2; 3], None));
        assert_eq!((adobe.color_space, bytes(&adobe)), (ColorSpace::Srgb, [227, 100, 42]));
        let source = "BMP gamma 2.20 and BMP end points (Adobe RGB)";
        let note = format!("colours are converted from the tone curve and primaries of {source} to sRGB");
        assert_eq!(adobe.notes, [note]);
    }
    let channels = picture(&bmp(0, NONE, [1.8, 2.2, 2.2], None));
    assert_eq!(
        channels.notes,
        ["colours are converted from the tone curve of BMP gamma 1.80, 2.20, 2.20 to sRGB"]
    );
    let points = picture(&bmp(0, ADOBE, [0.0; 3], None));
    assert_eq!(
        points.notes,
        ["colours are converted from the primaries of BMP end points (Adobe RGB) to sRGB"]
    );
    for gammas in [[0.45455; 3], [2.2, 0.0, 2.2], [50.0; 3]] {
        let found = picture(&bmp(0, REC709, gammas, None));
        assert_eq!((bytes(&found), found.notes.len()), ([200, 100, 50], 1), "{gammas:?}");
        assert!(found.notes[0].ends_with("is impossible; sRGB is assumed"), "{found:?}");
    }
}

#[test]
fn embedded_profiles_count() {
    // One tag of code points: Display P3 with the tone curve of sRGB.
    let mut profile = vec![0; 156];
    profile[..4].copy_from_slice(&156u32.to_be_bytes());
    profile[36..40].copy_from_slice(b"acsp");
    profile[128..144].copy_from_slice(b"\0\0\0\x01cicp\0\0\0\x90\0\0\0\x0c");
    profile[144..156].copy_from_slice(b"cicp\0\0\0\0\x0c\x0d\0\x01");
    let place = [AFTER_TEXEL, 156];
    let found = picture(&bmp(EMBEDDED, NONE, [0.0; 3], Some((place, &profile))));
    assert_eq!(bytes(&found), [215, 93, 31]);
    assert!(found.color_space_reason.ends_with("(Display P3), converted to sRGB"), "{found:?}");
    // The profile does not count for another colour space.
    assert_eq!(bytes(&picture(&bmp(SRGB, NONE, [0.0; 3], Some((place, &profile))))), [200, 100, 50]);
    // Outside of the file, empty, or in a header without the fields.
    let damaged = "the ICC profile of the BMP file is damaged; it is not applied";
    for place in [[AFTER_TEXEL, 157], [u32::MAX, 156], [AFTER_TEXEL, u32::MAX], [AFTER_TEXEL, 0], [0, 0]] {
        let found = picture(&bmp(EMBEDDED, NONE, [0.0; 3], Some((place, &profile))));
        assert_eq!((bytes(&found), found.notes), ([200, 100, 50], vec![damaged.to_owned()]), "{place:?}");
    }
    assert_eq!(picture(&bmp(EMBEDDED, NONE, [0.0; 3], None)).notes, [damaged]);
    // A profile counts for the limit of memory.
    let large = vec![0; 4 << 20];
    let file = bmp(EMBEDDED, NONE, [0.0; 3], Some(([AFTER_TEXEL, 4 << 20], &large)));
    let options = ImageReadOptions::default().with(|o| o.max_memory = 3 << 20);
    let refused = read(Cursor::new(&file), None, &options, &Task::new()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Limit);
}

/// Run-length encoding may skip texels: to a place, to the next row, and to the end.
#[test]
fn skipped_texels_have_the_first_colour_of_the_palette() {
    let of = |compression: u8, bits: u8, data: &[u8]| {
        let mut file = vec![0; 54];
        file[..2].copy_from_slice(b"BM");
        (file[10], file[14], file[18], file[22], file[26]) = (62, 40, 4, 3, 1);
        (file[28], file[30], file[46]) = (bits, compression, 2);
        file.extend([30, 20, 10, 0, 3, 2, 1, 0]);
        file.extend(data);
        let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
        let Texels::Rgb8(texels) = picture.texels else { panic!("{:?}", picture.texels) };
        texels
    };
    let ([a, b], o) = ([[10, 20, 30], [1, 2, 3]], 0);
    let expected = [a, a, a, a, a, a, b, b, b, b, a, a];
    // Two texels; the next row, two to the right, two texels; the end.
    assert_eq!(of(1, 8, &[2, 1, 0, 0, 0, 2, 2, 0, 2, 1, 0, 1]), expected);
    assert_eq!(of(2, 4, &[2, 0x11, 0, 0, 0, 2, 2, 0, 2, 0x11, 0, 1]), expected);
    // Indices in place of runs.
    let row = [0, 4, 1, 1, 0, 1, 0, 0];
    assert_eq!(
        of(1, 8, &[&row[..], &row, &[0, 3, 1, 1, 1, o, 0, 1]].concat()),
        [b, b, b, a, b, b, a, b, b, b, a, b]
    );
}

/// The oldest header has 12 bytes, and one texel with its padding 4.
#[test]
fn the_smallest_file_is_read() {
    let mut file = vec![0; 30];
    file[..2].copy_from_slice(b"BM");
    (file[2], file[10], file[14]) = (30, 26, 12);
    (file[18], file[20], file[22], file[24]) = (1, 1, 1, 24);
    file[26..29].copy_from_slice(&[3, 2, 1]);
    let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
    assert_eq!(picture.texels, Texels::Rgb8(vec![[1, 2, 3]]));
}
