//! Colours that files state: converted to sRGB or to linear light in Rec. 709, or kept.

use brickwork_image::{
    ChannelType, ColorSpace, ErrorKind, Task,
    image_file::{FileFormat, ImageReadOptions, Picture, Texels, read},
};
use std::{io::Cursor, path::Path};

/// Returns a PNG of one row of RGB texels, with this chunk before the texels.
fn png(texels: &[[u16; 3]], bits: png::BitDepth, chunk: (&[u8; 4], &[u8])) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, texels.len() as u32, 1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(bits);
    let mut writer = encoder.write_header().unwrap();
    let words = texels.as_flattened();
    let bytes: Vec<u8> = match bits {
        png::BitDepth::Sixteen => words.iter().flat_map(|word| word.to_be_bytes()).collect(),
        _ => words.iter().map(|&word| word as u8).collect(),
    };
    writer.write_image_data(&bytes).unwrap();
    writer.finish().unwrap();
    file.splice(33..33, png_chunk(chunk.0, chunk.1));
    file
}

fn read_with(file: &[u8], options: ImageReadOptions) -> Picture {
    read(Cursor::new(file), None, &options, &Task::new()).unwrap()
}

fn picture(file: &[u8]) -> Picture {
    read_with(file, ImageReadOptions::default())
}

/// An orange of Display P3, white, and a green that sRGB does not have.
const P3: [[u16; 3]; 3] = [[200, 100, 50], [255, 255, 255], [0, 255, 0]];
/// sRGB's numbers of these colours in 255ths, by the matrices of CSS Color 4.
const P3_IN_SRGB: [[f64; 3]; 3] = [[214.90, 92.61, 30.95], [255.0, 255.0, 255.0], [0.0, 255.0, 0.0]];

#[track_caller]
fn is_p3_in_srgb(picture: &Picture) {
    let Texels::Rgb16(texels) = &picture.texels else { panic!("{picture:?}") };
    for (found, expected) in texels.as_flattened().iter().zip(P3_IN_SRGB.as_flattened()) {
        assert!((f64::from(*found) / 257.0 - expected).abs() < 0.05, "{texels:?}");
    }
}

#[test]
fn display_p3_in_a_png_becomes_srgb() {
    let file = png(&P3, png::BitDepth::Eight, (b"cICP", &[12, 13, 0, 1]));
    let found = picture(&file);
    is_p3_in_srgb(&found);
    assert_eq!(found.color_space, ColorSpace::Srgb);
    assert_eq!(found.color_space_reason, "PNG cICP chunk (Display P3), converted to sRGB");
    let notes = [
        "colours are converted from the primaries of PNG cICP chunk (Display P3) to sRGB",
        "33.33 % of texels have colours outside of sRGB, and are clipped",
    ];
    assert_eq!(found.notes, notes);
    assert_eq!((found.stored_channel_type, found.is_hdr_signal), (ChannelType::U8, false));

    let kept = read_with(&file, ImageReadOptions::default().with(|o| o.stored_colors = true));
    assert_eq!(kept.texels, Texels::Rgb8(P3.map(|texel| texel.map(|v| v as u8)).to_vec()));
    let note = "numbers keep the primaries of PNG cICP chunk (Display P3), which are not those of sRGB";
    assert_eq!(kept.notes, [note]);

    let wide = P3.map(|texel| texel.map(|v| v * 257));
    let wide = picture(&png(&wide, png::BitDepth::Sixteen, (b"cICP", &[12, 13, 0, 1])));
    is_p3_in_srgb(&wide);
    assert_eq!(wide.stored_channel_type, ChannelType::U16);
}

/// PNG has RGB only, and a range of 0 or 1.
#[test]
fn a_cicp_chunk_that_png_does_not_allow_is_left_out() {
    for numbers in [[12, 13, 1, 1], [12, 13, 0, 2], [12, 13, 9, 255]] {
        let found = picture(&png(&P3, png::BitDepth::Eight, (b"cICP", &numbers)));
        assert_eq!(found.texels, Texels::Rgb8(P3.map(|texel| texel.map(|v| v as u8)).to_vec()));
        let note =
            "the cICP chunk has matrix coefficients or a range that PNG does not allow; it is not applied";
        assert_eq!(found.notes, [note], "{numbers:?}");
    }
}

/// The same primaries in cHRM, without a statement about the tone curve.
#[test]
fn chromaticities_of_a_png_count() {
    // White, red, green, blue.
    let points = [31_270u32, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000];
    let found = picture(&png(&P3, png::BitDepth::Eight, (b"cHRM", &points.map(u32::to_be_bytes).concat())));
    is_p3_in_srgb(&found);
    assert!(found.is_color_space_assumed());
    assert_eq!(found.color_space_reason, "PNG cHRM (Display P3), converted to sRGB");
    let line = [31_270u32, 32_900, 64_000, 33_000, 39_500, 19_500, 15_000, 6_000];
    let found = picture(&png(&P3, png::BitDepth::Eight, (b"cHRM", &line.map(u32::to_be_bytes).concat())));
    assert!(matches!(found.texels, Texels::Rgb8(_)));
    assert_eq!(found.notes, ["the primaries of PNG cHRM are impossible; Rec. 709 is assumed"]);
}

/// About 1/2.2 is sRGB by custom. With other primaries it is a power: that of the ICC profile of Adobe RGB.
#[test]
fn gamma_of_a_png_with_other_primaries_is_a_power() {
    let texels = [[10; 3], [200, 100, 50]];
    let with = |gamma: u32, points: [u32; 8]| {
        let chromaticities = points.map(u32::to_be_bytes).concat();
        let mut file = png(&texels, png::BitDepth::Eight, (b"cHRM", &chromaticities));
        file.splice(33..33, png_chunk(b"gAMA", &gamma.to_be_bytes()));
        picture(&file)
    };
    let adobe = [31_270u32, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000];
    for gamma in [45_455, 45_470, 45_471] {
        let found = with(gamma, adobe);
        let Texels::Rgb16(words) = &found.texels else { panic!("{found:?}") };
        let bytes = words.as_flattened().iter().map(|&word| (f64::from(word) / 257.0).round() as u8);
        assert_eq!(bytes.collect::<Vec<_>>(), [3, 3, 3, 227, 100, 42], "{gamma}");
        let source = format!("PNG gAMA 0.{gamma} and PNG cHRM (Adobe RGB)");
        let note = format!("colours are converted from the tone curve and primaries of {source} to sRGB");
        assert_eq!(found.notes[0], note);
    }
    // The primaries of sRGB, and points that are no primaries.
    let srgb = [31_270u32, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
    let line = [31_270u32, 32_900, 64_000, 33_000, 39_500, 19_500, 15_000, 6_000];
    for (points, notes) in [(srgb, 0), (line, 1)] {
        let found = with(45_455, points);
        assert_eq!((found.color_space, found.notes.len()), (ColorSpace::Srgb, notes));
        assert_eq!(found.texels, Texels::Rgb8(texels.map(|texel| texel.map(|v| v as u8)).to_vec()));
        assert_eq!(found.color_space_reason, "PNG gAMA 0.45455");
    }
}

#[test]
fn an_impossible_gamma_of_a_png_is_noted() {
    let found = picture(&png(&P3, png::BitDepth::Eight, (b"gAMA", &3u32.to_be_bytes())));
    assert_eq!(found.notes, ["PNG gAMA 0.00003 is impossible; sRGB is assumed"]);
    assert!(found.is_color_space_assumed());
}

/// Rec. 2020 and PQ: diffuse white, 1,000 cd/m², red of diffuse white, black.
#[test]
fn pq_in_a_png_becomes_light() {
    let [white, bright] = [0.580_688, 0.751_827].map(|number: f64| (number * 65535.0).round() as u16);
    let texels = [[white; 3], [bright; 3], [white, 0, 0], [0; 3]];
    let file = png(&texels, png::BitDepth::Sixteen, (b"cICP", &[9, 16, 0, 1]));
    let found = picture(&file);
    assert_eq!((found.color_space, found.is_hdr_signal), (ColorSpace::Linear, true));
    assert_eq!(found.color_space_reason, "PNG cICP chunk: PQ (Rec. 2020), converted to linear Rec. 709");
    let Texels::RgbF16(light) = &found.texels else { panic!("{found:?}") };
    let expected = [[1.0f32; 3], [1000.0 / 203.0; 3], [1.6605, -0.1246, -0.0182], [0.0; 3]];
    for (found, expected) in light.as_flattened().iter().zip(expected.as_flattened()) {
        assert!((found.to_f32() - expected).abs() < 4e-3, "{found}, not {expected}");
    }
    let singles = read_with(&file, ImageReadOptions::default().with(|o| o.single_floats = true));
    assert!(matches!(singles.texels, Texels::RgbF32(_)));
    let kept = read_with(&file, ImageReadOptions::default().with(|o| o.stored_colors = true));
    assert!(kept.texels == Texels::Rgb16(texels.to_vec()) && !kept.is_hdr_signal);
}

#[test]
fn rec_709_and_hlg_are_converted() {
    let grey = |transfer: u8, number: u16| {
        let file = png(&[[number; 3]], png::BitDepth::Sixteen, (b"cICP", &[1, transfer, 0, 1]));
        picture(&file)
    };
    let hlg = grey(18, (0.75f64 * 65535.0).round() as u16);
    let Texels::RgbF16(light) = &hlg.texels else { panic!("{hlg:?}") };
    assert!(light[0].iter().all(|light| (light.to_f32() - 1.0).abs() < 5e-3), "{light:?}");
    // Light of 0.18 is 0.409 in Rec. 709, and 0.4613 in sRGB.
    let number = 1.099 * 0.18f64.powf(0.45) - 0.099;
    let rec709 = grey(1, (number * 65535.0).round() as u16);
    let Texels::Rgb16(texels) = &rec709.texels else { panic!("{rec709:?}") };
    let expected = 1.055 * 0.18f64.powf(1.0 / 2.4) - 0.055;
    assert!((f64::from(texels[0][0]) / 65535.0 - expected).abs() < 1e-4, "{texels:?}");
}

/// A profile takes memory beside the texels, however small the file is.
#[test]
fn profiles_count_for_the_limit_of_memory() {
    let mut info = png::Info::with_size(1, 1);
    info.icc_profile = Some(vec![0; 4 << 20].into());
    let mut file = Vec::new();
    let mut writer = png::Encoder::with_info(&mut file, info).unwrap().write_header().unwrap();
    writer.write_image_data(&[7]).unwrap();
    writer.finish().unwrap();
    let read = |limit| {
        let options = ImageReadOptions::default().with(|o| o.max_memory = limit);
        read(Cursor::new(&file), None, &options, &Task::new()).map_err(|error| error.kind())
    };
    assert_eq!(read(5 << 20).map(drop), Err(ErrorKind::Limit));
    assert_eq!(
        read(8 << 20).unwrap().notes,
        ["the ICC profile of the PNG file is damaged; it is not applied"]
    );
}

/// Profiles of TIFF count, also in a picture that is smaller than its profile.
#[test]
fn profiles_of_small_tiff_files_count() {
    // A header, one tag of code points (Display P3), and unused bytes.
    let mut profile = vec![0; 3000];
    profile[..4].copy_from_slice(&3000u32.to_be_bytes());
    profile[36..40].copy_from_slice(b"acsp");
    profile[128..144].copy_from_slice(b"\0\0\0\x01cicp\0\0\0\x90\0\0\0\x0c");
    profile[144..156].copy_from_slice(b"cicp\0\0\0\0\x0c\x0d\0\x01");
    let with = |profile: &[u8]| {
        let mut file = Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).unwrap();
        let mut image = encoder.new_image::<tiff::encoder::colortype::RGB8>(3, 1).unwrap();
        image.encoder().write_tag(tiff::tags::Tag::IccProfile, profile).unwrap();
        image.write_data(&P3.as_flattened().iter().map(|&v| v as u8).collect::<Vec<_>>()).unwrap();
        picture(&file.into_inner())
    };
    let found = with(&profile);
    is_p3_in_srgb(&found);
    assert!(found.color_space_reason.ends_with("(Display P3), converted to sRGB"), "{found:?}");
    assert_eq!(with(&[7; 9]).notes, ["the ICC profile of the TIFF file is damaged; it is not applied"]);
}

/// Damaged profiles and CMYK are noted, not ignored.
#[test]
fn profiles_that_cannot_be_applied_are_noted() {
    let damaged = picture(&png(&P3, png::BitDepth::Eight, (b"iCCP", b"x\0\0no deflate stream")));
    assert_eq!(damaged.notes, ["the ICC profile of the PNG file is damaged; it is not applied"]);
    assert!(damaged.is_color_space_assumed());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../texture/tests/data/image_file");
    for (name, format) in [("cmyk.jpg", FileFormat::Jpeg), ("cmyk.tif", FileFormat::Tiff)] {
        let found = picture(&std::fs::read(folder.join(name)).unwrap());
        assert_eq!(found.file_format, Some(format));
        assert!(found.notes.iter().any(|note| note.starts_with("CMYK is converted to RGB")), "{name}");
    }
}

/// Returns a PNG chunk with its length and checksum.
fn png_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [&kind[..], data].concat();
    let crc = !body.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    });
    [&(data.len() as u32).to_be_bytes()[..], &body, &crc.to_be_bytes()].concat()
}
