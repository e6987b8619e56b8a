//! Orientation and colours in the metadata of files.

use brickwork_image::{
    Task,
    image_file::{ImageReadOptions, Picture, Texels, read},
};
use image::{
    ExtendedColorType,
    codecs::{jpeg::JpegEncoder, webp::WebPEncoder},
};
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};

/// Exif data that turn a picture to the right.
const EXIF: &[u8] = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
/// XMP that turns a picture to the left.
const XMP: &str = "<x:xmpmeta><rdf:Description tiff:Orientation=\"8\"/></x:xmpmeta>";

fn picture(file: &[u8]) -> Picture {
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

/// Returns a PNG of 3×2 texels.
fn png_of(add: impl FnOnce(&mut png::Encoder<'_, &mut Vec<u8>>)) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    add(&mut encoder);
    encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 4, 5, 6]).unwrap();
    file
}

/// Moves the chunks before the texels to the end, where many programs write them.
fn with_chunks_at_end(file: &[u8]) -> Vec<u8> {
    let texels = file.windows(4).position(|name| name == b"IDAT").unwrap() - 4;
    let end = file.len() - 12;
    [&file[..33], &file[texels..end], &file[33..texels], &file[end..]].concat()
}

#[test]
fn metadata_turn_a_png_before_and_after_its_texels() {
    let digits: String = EXIF.iter().map(|byte| format!("{byte:02x}")).collect();
    let profile = format!("\nexif\n{:8}\n{digits}\n", EXIF.len());
    let profile = || ("Raw profile type exif".to_owned(), profile.clone());
    let xmp = || ("XML:com.adobe.xmp".to_owned(), XMP.to_owned());
    let exif = png_of(|_| {});
    let mut exif_chunk = (EXIF.len() as u32).to_be_bytes().to_vec();
    exif_chunk.extend(b"eXIf");
    exif_chunk.extend(EXIF);
    exif_chunk.extend([0xd6, 0x67, 0x4b, 0x69]);
    let exif = [&exif[..33], &exif_chunk, &exif[33..]].concat();
    let [right, left] = [vec![4, 1, 5, 2, 6, 3], vec![3, 6, 2, 5, 1, 4]];
    for (name, file, expected) in [
        ("Exif", exif, &right),
        ("text", png_of(|to| to.add_text_chunk(profile().0, profile().1).unwrap()), &right),
        ("packed text", png_of(|to| to.add_ztxt_chunk(profile().0, profile().1).unwrap()), &right),
        ("XMP", png_of(|to| to.add_itxt_chunk(xmp().0, xmp().1).unwrap()), &left),
        (
            "both",
            png_of(|to| {
                to.add_itxt_chunk(xmp().0, xmp().1).unwrap();
                to.add_text_chunk(profile().0, profile().1).unwrap();
            }),
            &right,
        ),
    ] {
        for file in [&file, &with_chunks_at_end(&file)] {
            let found = picture(file);
            assert_eq!([found.width, found.height], [2, 3], "{name}");
            assert_eq!(found.texels, Texels::Grey8(expected.clone()), "{name}");
        }
        // A damaged or cut chunk is ignored.
        let mut damaged = with_chunks_at_end(&file);
        let length = damaged.len();
        damaged[length - 13] ^= 1;
        assert!(name == "both" || picture(&damaged).width == 3, "{name}");
    }
}

fn jpeg_of(size: [u32; 2], texels: &[[u8; 3]], segment: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut file, 100);
    encoder.encode(texels.as_flattened(), size[0], size[1], ExtendedColorType::Rgb8).unwrap();
    let length = (segment.len() as u16 + 2).to_be_bytes();
    file.splice(2..2, [&[0xff, 0xe1], &length[..], segment].concat());
    file
}

#[test]
fn xmp_turns_jpeg_and_webp() {
    // The right half is white.
    let texels: Vec<_> = (0..16 * 8).map(|i| [if i % 16 < 8 { 0u8 } else { 255 }; 3]).collect();
    let jpeg = jpeg_of([16, 8], &texels, &[b"http://ns.adobe.com/xap/1.0/\0", XMP.as_bytes()].concat());
    let mut still = Vec::new();
    WebPEncoder::new_lossless(&mut still)
        .encode(texels.as_flattened(), 16, 8, ExtendedColorType::Rgb8)
        .unwrap();
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let mut chunk = [&kind[..], &(data.len() as u32).to_le_bytes(), data].concat();
        chunk.resize(chunk.len().next_multiple_of(2), 0);
        chunk
    };
    let parts = [
        &b"WEBP"[..],
        &chunk(b"VP8X", &[4, 0, 0, 0, 15, 0, 0, 7, 0, 0]),
        &still[12..],
        &chunk(b"XMP ", XMP.as_bytes()),
    ];
    for file in [jpeg, chunk(b"RIFF", &parts.concat())] {
        let found = picture(&file);
        assert_eq!([found.width, found.height], [8, 16]);
        let Texels::Rgb8(texels) = &found.texels else { panic!("{found:?}") };
        assert!(texels[..8].iter().all(|texel| texel[0] > 250), "the top is white: {texels:?}");
        assert!(texels[15 * 8..].iter().all(|texel| texel[0] < 5));
    }
}

/// The colour space 2, and an unknown one with the rules R03.
#[test]
fn adobe_rgb_in_the_exif_data_of_a_jpeg_is_converted() {
    let entry = |tag: u16, kind: u16, value: [u8; 4]| {
        let count = if kind == 2 { 4u32 } else { 1 };
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value].concat()
    };
    let exif = |space: u16, index: &[u8; 4]| {
        let [high, low] = space.to_be_bytes();
        let directory =
            |entries: &[Vec<u8>]| [&[0, entries.len() as u8], &*entries.concat(), &[0; 4]].concat();
        [
            b"Exif\0\0MM\0*\0\0\0\x08".to_vec(),
            directory(&[entry(0x8769, 4, 26u32.to_be_bytes())]),
            directory(&[entry(0xa001, 3, [high, low, 0, 0]), entry(0xa005, 4, 56u32.to_be_bytes())]),
            directory(&[entry(1, 2, *index)]),
        ]
        .concat()
    };
    let texels = [[200u8, 100, 50]; 256];
    for (space, index) in [(2, b"R98\0"), (0xffff, b"R03\0")] {
        let found = picture(&jpeg_of([16, 16], &texels, &exif(space, index)));
        let source = "JPEG Exif colour space (Adobe RGB)";
        let note = format!("colours are converted from the tone curve and primaries of {source} to sRGB");
        assert_eq!(found.notes, [note]);
        let Texels::Rgb16(texels) = &found.texels else { panic!("{found:?}") };
        for (value, expected) in texels[0].into_iter().zip([227.0, 100.0, 42.0]) {
            assert!((f64::from(value) / 257.0 - expected).abs() < 2.5, "{space}: {:?}", texels[0]);
        }
    }
    for (space, index) in [(1, b"R98\0"), (0xffff, b"R98\0")] {
        let found = picture(&jpeg_of([16, 16], &texels, &exif(space, index)));
        assert!(matches!(found.texels, Texels::Rgb8(_)) && found.notes.is_empty(), "{found:?}");
    }
}

/// A file that counts the bytes read from it.
struct Counted<'a>(Cursor<&'a [u8]>, &'a mut u64);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        *self.1 += count as u64;
        Ok(count)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

/// Returns a TIFF of many pages of one texel.
fn many_pages(count: u32) -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    for page in 1..=count {
        let start = file.len() as u32;
        file.extend(8u16.to_le_bytes());
        for (tag, value) in
            [(256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, start), (278, 1), (279, 1)]
        {
            file.extend([tag, 4].map(u16::to_le_bytes).as_flattened());
            file.extend([1, value].map(u32::to_le_bytes).as_flattened());
        }
        let next = if page < count { start + 2 + 8 * 12 + 4 } else { 0 };
        file.extend(next.to_le_bytes());
    }
    file
}

/// Each chunk is examined, but a buffer of the file contains many.
#[test]
fn small_chunks_are_not_read_again_and_again() {
    let png = png_of(|_| ());
    let chunk = [0, 0, 0, 0, b'p', b'r', b'V', b't', 0xa6, 0x87, 0x8c, 0x49];
    let jpeg = jpeg_of([8, 8], &[[9; 3]; 64], &[]);
    for file in [
        [&png[..33], &chunk.repeat(20_000), &png[33..]].concat(),
        [&b"RIFF\xff\xff\xff\xffWEBPVP8L"[..], &[0; 200_000]].concat(),
        [&jpeg[..2], &[0xff, 0xe4, 0, 2].repeat(50_000), &jpeg[2..]].concat(),
        many_pages(2000),
    ] {
        let mut count = 0;
        let reader = BufReader::new(Counted(Cursor::new(&file), &mut count));
        drop(read(reader, None, &ImageReadOptions::default(), &Task::new()));
        assert!(count < 8 * file.len() as u64, "{count} bytes of {}", file.len());
    }
}
