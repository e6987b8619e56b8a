//! TIFF tags that change what channels and colours mean.

use brickwork_image::{
    Task,
    image_file::{ImageReadOptions, Picture, Texels, read},
};
use std::io::Cursor;

/// Number of the type of a field.
const SHORT: u16 = 3;
const RATIONAL: u16 = 5;

/// A field: tag, type, values.
type Field<'a> = (u16, u16, &'a [u32]);

/// Returns a little-endian TIFF of 2×1 texels in 8 bits.
fn tiff(photometric: u32, channels: u32, more: &[Field<'_>], strips: &[&[u8]]) -> Vec<u8> {
    let bits = vec![8; channels as usize];
    let lengths: Vec<u32> = strips.iter().map(|strip| strip.len() as u32).collect();
    let mut fields = vec![
        (256, SHORT, vec![2]),
        (257, SHORT, vec![1]),
        (258, SHORT, bits),
        (262, SHORT, vec![photometric]),
        (273, SHORT, vec![0; strips.len()]),
        (277, SHORT, vec![channels]),
        (278, SHORT, vec![1]),
        (279, SHORT, lengths),
    ];
    fields.extend(more.iter().map(|&(tag, kind, values)| (tag, kind, values.to_vec())));
    fields.sort_unstable();
    let value_bytes = |kind: u16| if kind == SHORT { 2 } else { 8 };
    let mut after = 8 + 2 + 12 * fields.len() + 4;
    let mut at =
        after + fields.iter().map(|(_, kind, values)| value_bytes(*kind) * values.len()).sum::<usize>();
    for (place, strip) in fields.iter_mut().find(|field| field.0 == 273).unwrap().2.iter_mut().zip(strips) {
        (*place, at) = (at as u32, at + strip.len());
    }
    // Rational numbers are in thousandths.
    let bytes_of = |kind: u16, values: &[u32]| -> Vec<u8> {
        match kind {
            SHORT => values.iter().flat_map(|&value| (value as u16).to_le_bytes()).collect(),
            _ => values
                .iter()
                .flat_map(|value| [value.to_le_bytes(), 1000u32.to_le_bytes()].concat())
                .collect(),
        }
    };
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend((fields.len() as u16).to_le_bytes());
    let mut values_after: Vec<u8> = Vec::new();
    for (tag, kind, values) in &fields {
        let bytes = bytes_of(*kind, values);
        file.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        file.extend((values.len() as u32).to_le_bytes());
        let mut value = if bytes.len() > 4 { (after as u32).to_le_bytes().to_vec() } else { bytes.clone() };
        value.resize(4, 0);
        file.extend(value);
        values_after.extend(&bytes);
        after += bytes.len();
    }
    file.extend([0; 4]);
    file.extend(values_after);
    strips.iter().for_each(|strip| file.extend(*strip));
    file
}

fn picture(file: &[u8]) -> Result<Picture, String> {
    let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new());
    picture.map_err(|error| error.to_string())
}

#[test]
fn alpha_need_not_be_the_first_extra_sample() {
    let texels = [77, 50, 25, 9, 128, 1, 2, 3, 4, 255];
    let planes = [0, 1, 2, 3, 4].map(|c| [texels[c], texels[5 + c]]);
    let planes = planes.each_ref().map(|plane| &plane[..]);
    for (planar, strips) in [(1, vec![&texels[..]]), (2, planes.to_vec())] {
        let of = |kinds: &[u32]| {
            let file = tiff(2, 5, &[(284, SHORT, &[planar]), (338, SHORT, kinds)], &strips);
            let found = picture(&file).unwrap();
            (found.texels, found.notes.join(";"))
        };
        let note = "a channel that is neither colour nor alpha is left out";
        assert_eq!(of(&[0, 2]), (Texels::Rgba8(vec![[77, 50, 25, 128], [1, 2, 3, 255]]), note.to_owned()));
        // Colours are divided by alpha.
        assert_eq!(of(&[0, 1]).0, Texels::Rgba8(vec![[153, 100, 50, 128], [1, 2, 3, 255]]));
        assert_eq!(of(&[2, 0]).0, Texels::Rgba8(vec![[77, 50, 25, 9], [1, 2, 3, 4]]));
        assert_eq!(of(&[2, 2]).0, Texels::Rgba8(vec![[77, 50, 25, 9], [1, 2, 3, 4]]));
        let note = "2 channels that are neither colour nor alpha are left out";
        assert_eq!(of(&[0, 0]), (Texels::Rgb8(vec![[77, 50, 25], [1, 2, 3]]), note.to_owned()));
    }
    // Alpha after the last channel.
    for (planar, strips) in [(1, vec![&texels[..]]), (2, planes.to_vec())] {
        let fields: [Field<'_>; 2] = [(284, SHORT, &[planar]), (338, SHORT, &[0, 0, 2])];
        let error = picture(&tiff(2, 5, &fields, &strips)).unwrap_err();
        assert!(error.to_string().contains("5 channels"), "{error}");
    }
    // Three extra samples do not fit into their field.
    let file = tiff(1, 4, &[(338, SHORT, &[0, 0, 2])], &[&[7, 50, 25, 128, 1, 2, 3, 255]]);
    assert_eq!(picture(&file).unwrap().texels, Texels::Rgba8(vec![[7, 7, 7, 128], [1, 1, 1, 255]]));
}

/// The expected numbers are those of the formulas of TIFF 6.0, sections 20 and 21.
#[test]
fn ranges_and_coefficients_of_ycbcr_are_applied() {
    let studio: &[u32] = &[16_000, 235_000, 128_000, 240_000, 128_000, 240_000];
    let full: &[u32] = &[0, 255_000, 128_000, 255_000, 128_000, 255_000];
    let rec709: &[u32] = &[213, 715, 72];
    let of = |more: &[Field<'_>]| {
        let mut fields: Vec<Field<'_>> = vec![(530, SHORT, &[1, 1])];
        fields.extend(more);
        let found = picture(&tiff(6, 3, &fields, &[&[235, 128, 128, 81, 90, 240]])).unwrap();
        let Texels::Rgb8(texels) = found.texels else { panic!() };
        ([texels[0], texels[1]], found.notes.join(";"))
    };
    let plain = ([[235, 235, 235], [238, 14, 14]], String::new());
    assert_eq!(of(&[]), plain);
    assert_eq!(of(&[(532, RATIONAL, full)]), plain);
    assert_eq!(of(&[(532, RATIONAL, studio)]).0, [[255, 255, 255], [254, 0, 0]]);
    // Red is 81 + (2 − 2 · 0.213) · 112.
    assert_eq!(of(&[(529, RATIONAL, rec709)]).0[1], [255, 36, 10]);
    let (texels, note) = of(&[(532, RATIONAL, &[16_000, 16_000, 128_000, 240_000, 128_000, 240_000])]);
    assert_eq!(texels, plain.0);
    assert_eq!(note, "the coefficients or references of YCbCr are impossible; those of JPEG are assumed");
}

#[test]
fn chromaticities_of_a_tiff_count() {
    let texels: &[&[u8]] = &[&[200, 100, 50, 255, 255, 255]];
    let p3: &[u32] = &[680, 320, 265, 690, 150, 60];
    let found = picture(&tiff(2, 3, &[(318, RATIONAL, &[313, 329]), (319, RATIONAL, p3)], texels)).unwrap();
    let Texels::Rgb16(words) = &found.texels else { panic!("{found:?}") };
    // As in CSS Color 4.
    for (word, expected) in words[0].into_iter().zip([214.9, 92.61, 30.95]) {
        assert!((f64::from(word) / 257.0 - expected).abs() < 0.3, "{words:?}");
    }
    let note = "colours are converted from the primaries of TIFF PrimaryChromaticities (Display P3) to sRGB";
    assert_eq!(found.notes, [note]);
    let rec709 = [640, 330, 300, 600, 150, 60];
    let found = picture(&tiff(2, 3, &[(319, RATIONAL, &rec709)], texels)).unwrap();
    assert!(matches!(found.texels, Texels::Rgb8(_)) && found.notes.is_empty());
    // A table of light for each number.
    let found = picture(&tiff(2, 3, &[(301, SHORT, &[0; 256])], texels)).unwrap();
    assert_eq!(found.notes, ["the TransferFunction of the TIFF file is not applied"]);
}

#[test]
fn inks_that_are_not_cmyk_are_refused() {
    let texels: &[&[u8]] = &[&[30, 120, 200, 20, 30, 120, 200, 20]];
    assert!(picture(&tiff(5, 4, &[(332, SHORT, &[1])], texels)).is_ok());
    let error = picture(&tiff(5, 4, &[(332, SHORT, &[2])], texels)).unwrap_err();
    assert!(error.ends_with("inks other than cyan, magenta, yellow and black are not supported"), "{error}");
}

#[test]
fn thumbnails_and_other_ranges_of_inks_are_noted() {
    let of = |photometric: u32, channels: u32, more: &[Field<'_>]| {
        let texels = vec![10; 2 * channels as usize];
        picture(&tiff(photometric, channels, more, &[&texels])).unwrap().notes
    };
    let none: [&str; 0] = [];
    assert_eq!(of(2, 3, &[(254, SHORT, &[0])]), none);
    let note = "the picture is a smaller version of another, which is not read (NewSubfileType)";
    assert_eq!(of(2, 3, &[(254, SHORT, &[1])]), [note]);
    let cmyk =
        "CMYK is converted to RGB by a simple formula, without an ICC profile: colours are approximate";
    assert_eq!(of(5, 4, &[(336, SHORT, &[0, 255])]), [cmyk]);
    assert_eq!(of(5, 4, &[(336, SHORT, &[255, 0])]), [cmyk, "the DotRange of the inks is not applied"]);
    // It has no meaning for other colours.
    assert_eq!(of(2, 3, &[(336, SHORT, &[255, 0])]), none);
}
