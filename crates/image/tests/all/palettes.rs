//! Palettes and transparency of PNG.

use brickwork_image::{
    Task,
    image_file::{ImageReadError, ImageReadOptions, Picture, Texels, read},
};
use std::io::Cursor;

const PALETTE: [u8; 9] = [10, 20, 30, 40, 50, 60, 70, 80, 90];

fn picture(file: &[u8]) -> Result<Picture, ImageReadError> {
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new())
}

/// Returns a PNG of 3×2 texels, with these bytes of rows, and a tRNS chunk.
fn file(color: png::ColorType, bits: png::BitDepth, rows: &[u8], alphas: Option<&[u8]>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 3, 2);
    encoder.set_color(color);
    encoder.set_depth(bits);
    if color == png::ColorType::Indexed {
        encoder.set_palette(PALETTE.as_slice());
    }
    if let Some(alphas) = alphas {
        encoder.set_trns(alphas.to_vec());
    }
    encoder.write_header().unwrap().write_image_data(rows).unwrap();
    file
}

fn indexed(bits: png::BitDepth, rows: &[u8], alphas: Option<&[u8]>) -> Picture {
    picture(&file(png::ColorType::Indexed, bits, rows, alphas)).unwrap()
}

#[test]
fn indices_of_every_depth_have_the_colours_of_the_palette() {
    let [a, b, c] = [[10, 20, 30], [40, 50, 60], [70, 80, 90]];
    // Rows of indices 0 1 0, 1 0 1 and 0 1 2, 2 1 0: the first index has the highest bits of a byte.
    let one = indexed(png::BitDepth::One, &[0b0100_0000, 0b1010_0000], None);
    assert_eq!(one.texels, Texels::Rgb8(vec![a, b, a, b, a, b]));
    for (bits, rows) in [
        (png::BitDepth::Two, &[0b0001_1000, 0b1001_0000][..]),
        (png::BitDepth::Four, &[0x01, 0x20, 0x21, 0x00]),
        (png::BitDepth::Eight, &[0, 1, 2, 2, 1, 0]),
    ] {
        let found = indexed(bits, rows, None);
        assert_eq!(found.texels, Texels::Rgb8(vec![a, b, c, c, b, a]), "{bits:?}");
        assert_eq!(found.notes, [""; 0], "{bits:?}");
        // Colours without an alpha are opaque.
        let found = indexed(bits, rows, Some(&[7, 8]));
        let [a, b, c] = [[10, 20, 30, 7], [40, 50, 60, 8], [70, 80, 90, 255]];
        assert_eq!(found.texels, Texels::Rgba8(vec![a, b, c, c, b, a]), "{bits:?}");
        assert_eq!(found.notes, [""; 0], "{bits:?}");
    }
}

#[test]
fn indices_beyond_the_palette_are_black_and_counted() {
    let found = indexed(png::BitDepth::Eight, &[0, 1, 2, 3, 200, 0], None);
    let [a, b, c, black] = [[10, 20, 30], [40, 50, 60], [70, 80, 90], [0; 3]];
    assert_eq!(found.texels, Texels::Rgb8(vec![a, b, c, black, black, a]));
    assert_eq!(
        found.notes,
        ["2 texels have indices beyond the palette of 3 colours (up to 200); they are black"]
    );
    let found = indexed(png::BitDepth::Two, &[0b1100_0000, 0], Some(&[9]));
    let a = [10, 20, 30, 9];
    assert_eq!(found.texels, Texels::Rgba8(vec![[0, 0, 0, 255], a, a, a, a, a]));
    assert_eq!(found.notes, ["1 texel has an index beyond the palette of 3 colours (up to 3); it is black"]);
}

#[test]
fn a_transparency_of_the_wrong_length_is_not_applied_and_noted() {
    let [grey, rgb] = [png::ColorType::Grayscale, png::ColorType::Rgb];
    let rgb_rows: Vec<u8> = (1..=18).collect();
    let cases: [(_, &[u8], &[u8], _); 6] = [
        (
            png::ColorType::Indexed,
            &[0, 1, 2, 2, 1, 0],
            &[1, 2, 3, 4],
            "has 4 alphas for a palette of 3 colours",
        ),
        (grey, &[1, 2, 3, 4, 5, 6], &[0, 2, 0], "has a length of 3, and grey needs 2 bytes"),
        (grey, &[1, 2, 3, 4, 5, 6], &[2], "has a length of 1, and grey needs 2 bytes"),
        (rgb, &rgb_rows, &[0, 1, 0, 2, 0, 3, 0], "has a length of 7, and RGB needs 6 bytes"),
        (rgb, &rgb_rows, &[0, 1], "has a length of 2, and RGB needs 6 bytes"),
        (png::ColorType::GrayscaleAlpha, &rgb_rows[..12], &[0, 1], "is in a file with an alpha channel"),
    ];
    for (color, rows, alphas, fault) in cases {
        let without = picture(&file(color, png::BitDepth::Eight, rows, None)).unwrap();
        let found = picture(&file(color, png::BitDepth::Eight, rows, Some(alphas))).unwrap();
        assert_eq!(found.texels, without.texels, "{fault}");
        assert_eq!(found.notes, [format!("the tRNS chunk {fault}; it is not applied")]);
    }
    // A colour of the right length is transparent.
    let found = picture(&file(grey, png::BitDepth::Eight, &[1, 2, 3, 4, 5, 6], Some(&[0, 2]))).unwrap();
    let Texels::Rgba8(texels) = found.texels else { panic!("{:?}", found.texels) };
    let alphas: Vec<_> = texels.iter().map(|texel| texel[3]).collect();
    assert_eq!(alphas, [255, 0, 255, 255, 255, 255]);
    assert_eq!(found.notes, [""; 0]);
}

#[test]
fn a_damaged_transparency_and_one_before_the_palette_are_noted() {
    let good = file(png::ColorType::Indexed, png::BitDepth::Eight, &[0, 1, 2, 2, 1, 0], Some(&[1, 2]));
    let at = |name: &[u8; 4]| good.windows(4).position(|found| found == name).unwrap() - 4;
    let mut damaged = good.clone();
    damaged[at(b"tRNS") + 8] ^= 1;
    let found = picture(&damaged).unwrap();
    assert_eq!(found.notes, ["the tRNS chunk is damaged; it is not applied"]);
    assert!(!found.has_alpha);
    let (palette, transparency, texels) = (at(b"PLTE"), at(b"tRNS"), at(b"IDAT"));
    assert!(palette < transparency && transparency < texels);
    let [palette, transparency] = [&good[palette..transparency], &good[transparency..texels]];
    let moved = [&good[..at(b"PLTE")], transparency, palette, &good[texels..]].concat();
    let found = picture(&moved).unwrap();
    assert_eq!(found.notes, ["the tRNS chunk precedes the palette; it is not applied"]);
    let end = good.len() - 12;
    let moved = [&good[..at(b"tRNS")], &good[texels..end], transparency, &good[end..]].concat();
    assert_eq!(picture(&moved).unwrap().notes, ["the tRNS chunk follows the texels; it is not applied"]);
    let without = [&good[..at(b"PLTE")], &good[texels..]].concat();
    let error = picture(&without).unwrap_err().to_string();
    assert!(error.contains("a palette without a colour map"), "{error}");
}
