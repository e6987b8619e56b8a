//! Tests of image files in every format: good ones are read correctly, and bad ones are errors.

use brickwork_image::image_file::{
    FileFormat, ImageReadError, ImageReadOptions, ImageWriteError, Picture, PngTexels, Texels, write_png,
};
use brickwork_texture::{
    BlockFormat, ColorSpace, ErrorKind, RoundingRule, Task,
    pictures::{info_any, read, read_any},
};
use cpu_time::ThreadTime;
use image::{DynamicImage, ImageFormat};
use std::{
    io::{self, BufReader, Cursor, Read, Seek, SeekFrom},
    path::Path,
    time::Duration,
};

use crate::corpus::{self, corpus, file, patterned, png};

fn read_bytes(bytes: &[u8], extension: Option<&str>) -> Result<Picture, ImageReadError> {
    read(Cursor::new(bytes), extension, &ImageReadOptions::default(), &Task::new())
}

fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/image_file");
    std::fs::read(folder.join(name)).unwrap()
}

/// Returns the largest error of a colour channel.
fn max_error(a: &[[u8; 3]], b: &[[u8; 3]]) -> u8 {
    assert_eq!(a.len(), b.len());
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

/// Returns the texels of the fixtures before compression.
fn fixture_texels() -> Vec<[u8; 3]> {
    (0..130u32)
        .map(|i| (i % 13, i / 13))
        .map(|(x, y)| [x * 19, y * 25, x * y * 2 % 256].map(|v| v as u8))
        .collect()
}

fn rgb8(picture: &Picture) -> &[[u8; 3]] {
    let Texels::Rgb8(texels) = &picture.texels else { panic!("{picture:?}") };
    texels
}

#[test]
fn what_the_image_crate_writes_is_read_back() {
    let eight = [ImageFormat::Png, ImageFormat::Tiff, ImageFormat::Pnm];
    let lossless = |image: &DynamicImage, format| match image {
        DynamicImage::ImageRgb8(_) => true,
        DynamicImage::ImageLuma8(_) => format != ImageFormat::WebP && format != ImageFormat::Gif,
        DynamicImage::ImageRgba8(_) => !matches!(format, ImageFormat::Pnm),
        DynamicImage::ImageLumaA8(_) => matches!(format, ImageFormat::Png | ImageFormat::Tga),
        DynamicImage::ImageLuma16(_) | DynamicImage::ImageRgb16(_) => eight.contains(&format),
        DynamicImage::ImageRgba16(_) => matches!(format, ImageFormat::Png | ImageFormat::Tiff),
        DynamicImage::ImageLumaA16(_) => format == ImageFormat::Png,
        _ => false,
    };
    let formats = [
        (ImageFormat::Png, FileFormat::Png),
        (ImageFormat::Tga, FileFormat::Tga),
        (ImageFormat::Bmp, FileFormat::Bmp),
        (ImageFormat::Tiff, FileFormat::Tiff),
        (ImageFormat::WebP, FileFormat::Webp),
        (ImageFormat::Pnm, FileFormat::Pnm),
    ];
    let mut count = 0;
    for [width, height] in [[1, 1], [7, 5]] {
        for image in patterned(width, height) {
            for (format, expected_format) in formats {
                if !lossless(&image, format) {
                    continue;
                }
                let mut file = Cursor::new(Vec::new());
                image.write_to(&mut file, format).unwrap();
                let picture = read_bytes(file.get_ref(), None).unwrap();
                let expected = match &image {
                    DynamicImage::ImageLuma8(image) => Texels::Grey8(image.as_raw().clone()),
                    DynamicImage::ImageRgb8(image) => Texels::Rgb8(image.pixels().map(|p| p.0).collect()),
                    DynamicImage::ImageRgba8(image) => Texels::Rgba8(image.pixels().map(|p| p.0).collect()),
                    DynamicImage::ImageLuma16(image) => Texels::Grey16(image.as_raw().clone()),
                    DynamicImage::ImageRgb16(image) => Texels::Rgb16(image.pixels().map(|p| p.0).collect()),
                    DynamicImage::ImageLumaA8(_) => {
                        Texels::Rgba8(image.to_rgba8().pixels().map(|p| p.0).collect())
                    }
                    _ => Texels::Rgba16(image.to_rgba16().pixels().map(|p| p.0).collect()),
                };
                let what = format!("{format:?} {:?} {width}×{height}", image.color());
                assert_eq!(picture.file_format, Some(expected_format), "{what}");
                assert_eq!((picture.width, picture.height), (width, height), "{what}");
                // The BMP and TGA encoders may widen grey to colour.
                if matches!(format, ImageFormat::Bmp) && matches!(expected, Texels::Grey8(_)) {
                    let grey = image.to_rgb8();
                    assert!(grey.pixels().map(|p| p.0).eq(rgb8(&picture).iter().copied()), "{what}");
                } else {
                    assert_eq!(picture.texels, expected, "{what}");
                }
                assert_eq!(picture.has_alpha, image.color().has_alpha(), "{what}");
                assert_eq!(picture.is_opaque, !image.color().has_alpha(), "{what}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn lossy_files_are_near_their_originals() {
    let original = fixture_texels();
    for (name, tolerance) in [("progressive.jpg", 40), ("lossy.webp", 90), ("srgb-icc.jpg", 120)] {
        let picture = read_bytes(&fixture(name), None).unwrap();
        assert_eq!((picture.width, picture.height), (13, 10), "{name}");
        // Chroma is subsampled, and blue has a sharp edge.
        let greens = |texels: &[[u8; 3]]| texels.iter().map(|t| [t[1]; 3]).collect::<Vec<_>>();
        let error = max_error(&greens(rgb8(&picture)), &greens(&original));
        assert!(error < tolerance, "{name}: {error}");
    }
    let grey = read_bytes(&fixture("grey.jpg"), None).unwrap();
    assert!(matches!(grey.texels, Texels::Grey8(ref texels) if texels.len() == 130));
    assert_eq!(grey.color_space_reason, "JPEG without ICC profile: sRGB assumed");
    assert!(grey.is_color_space_assumed());
    let cmyk = read_bytes(&fixture("cmyk.jpg"), None).unwrap();
    assert!(max_error(rgb8(&cmyk), &[[255, 0, 0]; 64]) < 6, "{cmyk:?}");
    let alpha = read_bytes(&fixture("lossy-alpha.webp"), None).unwrap();
    let Texels::Rgba8(texels) = &alpha.texels else { panic!() };
    assert!(texels.iter().enumerate().all(|(i, texel)| usize::from(texel[3]) == i % 13 * 20));
    assert!(alpha.has_alpha && !alpha.is_opaque);
}

#[test]
fn other_encodings_are_exact() {
    let original = fixture_texels();
    for name in ["lzw.tif", "deflate.tif"] {
        assert_eq!(rgb8(&read_bytes(&fixture(name), None).unwrap()), original, "{name}");
    }
    assert!(max_error(rgb8(&read_bytes(&fixture("cmyk.tif"), None).unwrap()), &original) <= 1);
    let frame = read_bytes(&fixture("animated.webp"), None).unwrap();
    let Texels::Rgba8(texels) = frame.texels else { panic!() };
    assert!(texels.iter().zip(&original).all(|(a, b)| a[3] == 0 || a[..3] == b[..]));
    // All formats have the same 8 colours.
    let bmp = read_bytes(&fixture("palette.bmp"), None).unwrap();
    assert_eq!(rgb8(&read_bytes(&fixture("palette.tga"), None).unwrap()), rgb8(&bmp));
    assert_eq!(rgb8(&read_bytes(&fixture("palette.tif"), None).unwrap()), rgb8(&bmp));
    let gif = read_bytes(&fixture("animated.gif"), None).unwrap();
    let png = read_bytes(&fixture("palette.png"), None).unwrap();
    let (Texels::Rgba8(gif_texels), Texels::Rgba8(png_texels)) = (&gif.texels, &png.texels) else { panic!() };
    assert!(gif.is_opaque && !gif.has_alpha && png.has_alpha && !png.is_opaque);
    for ((gif, png), bmp) in gif_texels.iter().zip(png_texels).zip(rgb8(&bmp)) {
        assert_eq!((&gif[..3], &png[..3]), (&bmp[..], &bmp[..]));
        assert!(matches!(png[3], 0 | 128 | 255));
    }
}

#[test]
fn tiff_palettes_are_looked_up() {
    for bits in [1u16, 2, 4, 8, 16] {
        let map = corpus::color_map(bits);
        let entries = 1usize << bits;
        for [width, height] in [[1u32, 1], [7, 5], [61, 9]] {
            let indices: Vec<u16> =
                (0..width * height).map(|i| ((i * i + i * 7919) % entries as u32) as u16).collect();
            let color =
                |&i: &u16| [0, 1, 2].map(|channel| (map[channel * entries + usize::from(i)] >> 8) as u8);
            let expected: Vec<[u8; 3]> = indices.iter().map(color).collect();
            for compression in [1, 5, 8, 32773] {
                for (big_endian, big) in [(false, false), (true, false), (false, true), (true, true)] {
                    let what = format!("{bits} bits {width}×{height} {compression} {big_endian} {big}");
                    let size = [width, height];
                    let tiff = corpus::PaletteTiff {
                        big_endian,
                        big,
                        bits,
                        compression,
                        map: &map,
                        ..corpus::PaletteTiff::new(size, &indices)
                    };
                    let picture = read_bytes(&tiff.bytes(), None).unwrap_or_else(|e| panic!("{what}: {e}"));
                    assert_eq!([picture.width, picture.height], size, "{what}");
                    assert_eq!(rgb8(&picture), expected, "{what}");
                    assert!(picture.is_opaque && !picture.has_alpha, "{what}");
                    assert_eq!(picture.color_space_reason, "TIFF without ICC profile: sRGB assumed");
                    let turned = corpus::PaletteTiff { orientation: 6, ..tiff };
                    let turned = read_bytes(&turned.bytes(), None).unwrap();
                    assert_eq!([turned.height, turned.width], size, "{what}");
                    let bottom_left = expected[((height - 1) * width) as usize];
                    assert_eq!(rgb8(&turned)[0], bottom_left, "{what}");
                }
            }
        }
    }
}

/// Pillow writes the entries of a colour map times 256, and libtiff's tools times 257. Some old programs
/// write them unscaled.
#[test]
fn tiff_colour_maps_of_every_scale_give_the_same_bytes() {
    let colors: Vec<u16> = (0..768).map(|i| i * 7 % 256).collect();
    let indices: Vec<u16> = (0..256).collect();
    let expected: Vec<[u8; 3]> =
        (0..256).map(|i| [0, 1, 2].map(|channel| colors[channel * 256 + i] as u8)).collect();
    for factor in [1, 256, 257] {
        let map: Vec<u16> = colors.iter().map(|&value| value * factor).collect();
        let tiff = corpus::PaletteTiff { map: &map, ..corpus::PaletteTiff::new([256, 1], &indices) };
        assert_eq!(rgb8(&read_bytes(&tiff.bytes(), None).unwrap()), expected, "{factor}");
    }
    let bad = corpus::PaletteTiff { map: &[0; 767], ..corpus::PaletteTiff::new([1, 1], &[0]) };
    let error = read_bytes(&bad.bytes(), None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("colour map of 767 values where 768 are needed"), "{error}");
}

#[test]
fn exif_orientation_is_applied() {
    let plain = read_bytes(&fixture("turned.jpg"), None).unwrap();
    assert_eq!((plain.width, plain.height), (10, 13));
    // Turned clockwise. The first row is the left column read upwards, so green decreases and red is small.
    let row = &rgb8(&plain)[..10];
    assert!(row[0][1] > 190 && row[9][1] < 40 && row.iter().all(|t| t[0] < 60), "{row:?}");
}

#[test]
fn exif_orientation_of_webp_is_applied() {
    let still = file(ImageFormat::WebP);
    let chunk = |name: &[u8; 4], payload: &[u8]| {
        let padding = vec![0; payload.len() % 2];
        [&name[..], &(payload.len() as u32).to_le_bytes(), payload, &padding].concat()
    };
    // One entry: the orientation tag, a number of 16 bits, 6: to be turned clockwise.
    let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let body =
        [&b"WEBP"[..], &chunk(b"VP8X", &[8, 0, 0, 0, 6, 0, 0, 4, 0, 0]), &still[12..], &chunk(b"EXIF", exif)]
            .concat();
    let turned = [&b"RIFF"[..], &(body.len() as u32).to_le_bytes(), &body].concat();
    let (still, turned) = (read_bytes(&still, None).unwrap(), read_bytes(&turned, None).unwrap());
    assert_eq!((turned.width, turned.height), (5, 7));
    for (i, texel) in rgb8(&turned).iter().enumerate() {
        let (x, y) = (i % 5, i / 5);
        assert_eq!(*texel, rgb8(&still)[(4 - x) * 7 + y]);
    }
}

#[test]
fn colour_spaces_are_read_and_explained() {
    let space = |setup: fn(&mut ::png::Encoder<'_, &mut Vec<u8>>)| {
        let picture = read_bytes(&png(setup), None).unwrap();
        (picture.color_space, picture.color_space_reason)
    };
    assert_eq!(space(|_| ()), (ColorSpace::Srgb, "PNG without a colour chunk: sRGB assumed".into()));
    assert_eq!(
        space(|e| e.set_source_srgb(::png::SrgbRenderingIntent::Perceptual)),
        (ColorSpace::Srgb, "PNG sRGB chunk".into())
    );
    assert_eq!(
        space(|e| e.set_source_gamma(::png::ScaledFloat::from_scaled(100_000))),
        (ColorSpace::Linear, "PNG gAMA 1.0".into())
    );
    assert_eq!(
        space(|e| e.set_source_gamma(::png::ScaledFloat::from_scaled(45455))),
        (ColorSpace::Srgb, "PNG gAMA 0.45455".into())
    );
    assert_eq!(
        space(|e| e.set_source_gamma(::png::ScaledFloat::from_scaled(55555))),
        (ColorSpace::Srgb, "PNG gAMA 0.55555, converted to sRGB".into())
    );
    // cICP (primaries, transfer function, matrix, range) directly after IHDR takes precedence over gAMA.
    let mut file = png(|e| e.set_source_gamma(::png::ScaledFloat::from_scaled(45455)));
    file.splice(33..33, corpus::png_chunk(b"cICP", &[1, 8, 0, 1]));
    let picture = read_bytes(&file, None).unwrap();
    assert_eq!(picture.color_space_reason, "PNG cICP chunk: linear");
    assert_eq!(picture.color_space, ColorSpace::Linear);
    // Code points (file_colors.rs tests their numbers). Other primaries do not change grey.
    let stated = |code_points: [u8; 4]| {
        let mut file = png(|_| ());
        file.splice(33..33, corpus::png_chunk(b"cICP", &code_points));
        read_bytes(&file, None).unwrap()
    };
    let picture = stated([9, 13, 0, 0]);
    assert_eq!(picture.color_space_reason, "PNG cICP chunk: sRGB");
    assert_eq!(picture.notes, ["the narrow range of PNG cICP chunk is read as the full one"]);
    let picture = stated([1, 10, 0, 1]);
    assert_eq!(picture.color_space_reason, "PNG cICP chunk: transfer function 10 is taken for sRGB");
    assert!(picture.notes[0].contains("10, is not known"), "{:?}", picture.notes);
    let picture = stated([1, 4, 0, 1]);
    assert_eq!(picture.color_space_reason, "PNG cICP chunk: gamma 2.2, converted to sRGB");
    assert_eq!(picture.notes.len(), 1);
    let jpeg = read_bytes(&fixture("srgb-icc.jpg"), None).unwrap();
    assert_eq!(jpeg.color_space_reason, "JPEG ICC profile \"sRGB built-in\"");
}

/// Light is the number raised to 1/gAMA; it becomes a number of sRGB in 16 bits.
#[test]
fn a_png_s_gamma_is_converted_or_kept() {
    let file = png(|e| e.set_source_gamma(::png::ScaledFloat::from_scaled(55556)));
    let plain = read_bytes(&png(|_| ()), None).unwrap();
    let picture = read_bytes(&file, None).unwrap();
    assert_eq!(picture.notes, ["colours are converted from the tone curve of PNG gAMA 0.55556 to sRGB"]);
    // 7 of 255.
    let light = (7.0f64 / 255.0).powf(1.0 / 0.55556);
    let number = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    assert_eq!(picture.texels, Texels::Grey16(vec![(65535.0 * number).round() as u16; 16]));
    let kept = ImageReadOptions::default().with(|o| o.stored_colors = true);
    let picture = read(Cursor::new(&file), None, &kept, &Task::new()).unwrap();
    assert_eq!(picture.texels, plain.texels);
    assert_eq!(picture.notes, ["numbers keep the tone curve of PNG gAMA 0.55556, which is not that of sRGB"]);
}

#[test]
fn written_pngs_come_back() {
    let texels: Vec<[u8; 4]> = (0..35u8).map(|i| [i, 2 * i, 255 - i, 3 * i]).collect();
    let rgb: Vec<[u8; 3]> = texels.iter().map(|t| [t[0], t[1], t[2]]).collect();
    let grey: Vec<u8> = texels.iter().map(|t| t[0]).collect();
    let wide: Vec<[u16; 4]> = (0..35u16).map(|i| [i, 257 * i, 65_535 - i, 999 * i]).collect();
    for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
        let cases = [
            Texels::Rgba8(texels.clone()),
            Texels::Rgb8(rgb.clone()),
            Texels::Grey8(grey.clone()),
            Texels::Rgba16(wide.clone()),
            Texels::Rgb16(wide.iter().map(|t| [t[0], t[1], t[2]]).collect()),
            Texels::Grey16(wide.iter().map(|t| t[3]).collect()),
        ];
        for expected in cases {
            let mut file = Vec::new();
            write_png(&mut file, 5, 7, PngTexels::of(&expected).unwrap(), color_space, &Task::new()).unwrap();
            let picture = read_bytes(&file, Some("png")).unwrap();
            assert_eq!((picture.width, picture.height), (5, 7));
            assert!(!picture.is_color_space_assumed(), "{}", picture.color_space_reason);
            assert_eq!((picture.texels, picture.color_space), (expected, color_space));
        }
    }
    let bad =
        write_png(Vec::new(), 5, 6, PngTexels::Grey8(&grey), ColorSpace::Srgb, &Task::new()).unwrap_err();
    assert_eq!(bad.to_string(), "5×6 texels cannot be written from 35");
    assert!(matches!(
        write_png(io::sink(), 0, 0, PngTexels::Grey8(&[]), ColorSpace::Srgb, &Task::new()),
        Err(ImageWriteError::Size { .. })
    ));
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let full = write_png(Full, 5, 7, PngTexels::Grey8(&grey), ColorSpace::Srgb, &Task::new()).unwrap_err();
    assert!(matches!(full, ImageWriteError::Io(error) if error.kind() == io::ErrorKind::StorageFull));
}

#[test]
fn dds_is_read_whatever_its_format() {
    let original: Vec<[u8; 4]> = (0..64u8).map(|i| [i * 4, 255 - i, i, 255]).collect();
    for format in
        [dds::Format::R8G8B8A8_UNORM, dds::Format::BC1_UNORM, dds::Format::BC3_UNORM, dds::Format::BC7_UNORM]
    {
        let file = corpus::dds(8, 8, format, &original);
        let picture = read_bytes(&file, None).unwrap();
        assert_eq!((picture.width, picture.height, picture.file_format), (8, 8, Some(FileFormat::Dds)));
        let Texels::Rgba8(texels) = &picture.texels else { panic!("{picture:?}") };
        if format == dds::Format::R8G8B8A8_UNORM {
            assert_eq!(texels, &original);
        } else if format == dds::Format::BC1_UNORM {
            let mut decoded = vec![[0; 4]; 64];
            let blocks = &file[file.len() - 32..];
            crate::common::decode(BlockFormat::Bc1, blocks, 8, 8, RoundingRule::Exact, &mut decoded).unwrap();
            assert_eq!(texels, &decoded);
            assert!(picture.is_opaque && !picture.has_alpha);
        } else {
            assert!(texels.iter().zip(&original).all(|(a, b)| a[0].abs_diff(b[0]) < 40));
        }
    }
    let mut grey = corpus::dds(8, 8, dds::Format::R16_UNORM, &original);
    assert!(matches!(read_bytes(&grey, None).unwrap().texels, Texels::Grey16(_)));
    grey.pop();
    assert_eq!(read_bytes(&grey, None).unwrap_err().kind(), ErrorKind::Invalid);
}

/// RXGB stores red in the alpha of BC3, whose colours are never those of BC1's blocks with three colours.
#[test]
fn dds_with_red_in_alpha_is_read() {
    let mut file = corpus::dds(4, 4, dds::Format::BC3_UNORM_RXGB, &[[9; 4]; 16]);
    let block = file.len() - 16;
    // Alpha is 200. The colours are black and white; each texel has two thirds of the first.
    file[block..].copy_from_slice(&[200, 200, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 170, 170, 170, 170]);
    let picture = read_bytes(&file, None).unwrap();
    assert_eq!(picture.texels, Texels::Rgba8(vec![[200, 85, 85, 255]; 16]));
    assert!(picture.is_opaque && !picture.has_alpha);
    // Only normal maps are RXGB.
    assert_eq!(picture.color_space, ColorSpace::Linear);
    assert_eq!(picture.color_space_reason, "DDS four-CC RXGB of normal maps");
    assert_eq!(picture.notes, ["the header says RXGB, a normal map: red is in alpha"]);
}

#[test]
fn dds_of_other_numbers_is_read_as_8_or_16_bits() {
    use dds::Format as F;
    let original: Vec<[u8; 4]> = (0..64u8).map(|i| [i * 4, 255 - i, i, 255]).collect();
    for (format, most) in [
        (F::B8G8R8A8_UNORM, 0),
        (F::R16G16B16A16_UNORM, 0),
        (F::R16G16B16A16_FLOAT, 1),
        (F::R32G32B32A32_FLOAT, 0),
        (F::R8G8B8A8_SNORM, 1),
        (F::R10G10B10A2_UNORM, 1),
        (F::R11G11B10_FLOAT, 3),
        (F::R9G9B9E5_SHAREDEXP, 1),
        (F::B5G6R5_UNORM, 5),
        (F::Y410, 2),
    ] {
        let picture = read_bytes(&corpus::dds(8, 8, format, &original), None).unwrap();
        let view = picture.view().unwrap();
        let mut buffer = vec![[0; 4]; 8];
        for (y, expected) in original.chunks(8).enumerate() {
            let row = view.row_rgba8(y as u32, &mut buffer);
            let error =
                row.as_flattened().iter().zip(expected.as_flattened()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(error.unwrap() <= most, "{format:?}: {error:?}");
        }
    }
    // R8G8B8A8_UINT, R16G16_SINT, D16_UNORM.
    let file = corpus::dds(8, 8, F::BC7_UNORM, &original);
    assert_eq!(&file[84..88], b"DX10");
    for number in [30u32, 38, 55] {
        let error = read_bytes(&patched(&file, 128, &number.to_le_bytes()), None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{number}: {error}");
    }
}

#[test]
fn tga_texels_without_attribute_bits_are_opaque() {
    let file = |descriptor: u8| {
        let mut file = vec![0; 18];
        (file[2], file[12], file[14], file[16], file[17]) = (2, 1, 1, 32, descriptor);
        file.extend([3, 2, 1, 0]);
        file
    };
    let picture = read_bytes(&file(0x20), Some("tga")).unwrap();
    assert_eq!(picture.texels, Texels::Rgba8(vec![[1, 2, 3, 255]]));
    assert!(picture.is_opaque && !picture.has_alpha);
    let picture = read_bytes(&file(0x28), Some("tga")).unwrap();
    assert_eq!(picture.texels, Texels::Rgba8(vec![[1, 2, 3, 0]]));
    assert!(picture.has_alpha);
}

/// Returns a DDS file of 2×1 texels described by masks of red (or grey), green, blue and alpha.
fn masked_dds(flags: u32, bits: u32, masks: [u32; 4], texels: &[u8]) -> Vec<u8> {
    let mut file = vec![0; 128];
    let words = [(4, 124), (8, 0x1007), (12, 1), (16, 2), (76, 32), (80, flags), (88, bits), (108, 0x1000)];
    file[..4].copy_from_slice(b"DDS ");
    for (at, word) in words.into_iter().chain((92..).step_by(4).zip(masks)) {
        file[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
    }
    file.extend(texels);
    file
}

#[test]
fn dds_texels_described_by_masks_are_read_as_the_masks_say() {
    const ALPHA: u32 = 1;
    const RGB: u32 = 0x40;
    const GREY: u32 = 0x2_0000;
    let read = |flags, bits, masks, texels: &[u8]| read_bytes(&masked_dds(flags, bits, masks, texels), None);
    // A8L8: grey and alpha, not red and green.
    let picture = read(GREY | ALPHA, 16, [0xff, 0, 0, 0xff00], &[10, 200, 30, 40]).unwrap();
    assert_eq!(picture.texels, Texels::Rgba8(vec![[10, 10, 10, 200], [30, 30, 30, 40]]));
    assert!(picture.has_alpha);
    let picture = read(GREY | ALPHA, 8, [0xf, 0, 0, 0xf0], &[0x1f, 0xf0]).unwrap();
    assert_eq!(picture.texels, Texels::Rgba8(vec![[255, 255, 255, 17], [0, 0, 0, 255]]));
    // The second mask is Pillow's.
    for mask in [0xff, 0xff00_0000] {
        let picture = read(GREY, 8, [mask, mask & 0xff00_0000, 0, 0], &[7, 250]).unwrap();
        assert_eq!(picture.texels, Texels::Grey8(vec![7, 250]));
    }
    let picture = read(GREY, 16, [0xffff, 0, 0, 0], &[1, 2, 3, 4]).unwrap();
    assert_eq!(picture.texels, Texels::Grey16(vec![0x201, 0x403]));
    // A2R10G10B10 and A2B10G10R10, in which D3DX swaps red and blue: 1023, 512 and 0 of 1023, 2 of 3.
    let words = |word: u32| [word, 0].map(u32::to_le_bytes).concat();
    let expected = Texels::Rgba16(vec![[0, 32800, 65535, 43690], [0; 4]]);
    let (high, green, low) = (0x3ff << 20, 0x3ff << 10, 0x3ff);
    let bytes = words(2 << 30 | 1023 << 20 | 512 << 10);
    assert_eq!(read(RGB | ALPHA, 32, [high, green, low, 3 << 30], &bytes).unwrap().texels, expected);
    let bytes = words(2 << 30 | 512 << 10 | 1023);
    assert_eq!(read(RGB | ALPHA, 32, [low, green, high, 3 << 30], &bytes).unwrap().texels, expected);
    // Alpha that the flags do not mention is ignored.
    let picture = read(RGB, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], &[3, 2, 1, 0, 6, 5, 4, 9]).unwrap();
    assert_eq!(picture.texels, Texels::Rgb8(vec![[1, 2, 3], [4, 5, 6]]));
    let picture = read(RGB, 24, [0xff_0000, 0xff00, 0xff, 0], &[3, 2, 1, 6, 5, 4]).unwrap();
    assert_eq!(picture.texels, Texels::Rgb8(vec![[1, 2, 3], [4, 5, 6]]));
    let picture = read(RGB, 16, [0xf800, 0x7e0, 0x1f, 0], &[0xff, 0xff, 0, 0x80]).unwrap();
    assert_eq!(picture.texels, Texels::Rgb8(vec![[255, 255, 255], [132, 0, 0]]));
    let picture = read(RGB | ALPHA, 16, [0x7c00, 0x3e0, 0x1f, 0x8000], &[0, 0x80, 0x1f, 0]).unwrap();
    assert_eq!(picture.texels, Texels::Rgba8(vec![[0, 0, 0, 255], [0, 0, 255, 0]]));
    // Invalid masks are reported. Data that are too short are reported, too.
    const BUMP_LUMINANCE: u32 = 0x4_0000;
    for (flags, bits, masks) in [
        (RGB, 32, [0xff00ff, 0, 0, 0]),
        (RGB, 16, [0xff_0000, 0xff00, 0xff, 0]),
        (RGB, 12, [0xf, 0, 0, 0]),
        (RGB, 32, [0; 4]),
        // L6V5U5.
        (BUMP_LUMINANCE, 16, [0x1f, 0x3e0, 0xfc00, 0]),
    ] {
        let file = masked_dds(flags, bits, masks, &[0; 8]);
        let options = ImageReadOptions::default();
        let of_picture = read_bytes(&file, None).unwrap_err();
        let of_any = read_any(Cursor::new(&file), None, &options, &Task::new()).unwrap_err();
        let of_info = info_any(Cursor::new(&file), None, &options, &Task::new()).unwrap_err();
        for error in [of_picture, of_any, of_info] {
            assert_eq!(error.kind(), ErrorKind::Unsupported);
            let error = error.to_string();
            let names = [format!("{bits} bits"), format!("{:08x}", masks[0])];
            assert!(names.iter().all(|name| error.contains(name)), "{error}");
        }
    }
    let error = read(RGB, 24, [0xff_0000, 0xff00, 0xff, 0], &[3, 2, 1, 6, 5]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
}

#[test]
fn the_first_bytes_decide_and_the_extension_only_helps_tga() {
    let png = file(ImageFormat::Png);
    assert_eq!(read_bytes(&png, Some("jpg")).unwrap().file_format, Some(FileFormat::Png));
    let error = read_bytes(&[0, 1, 2, 3, 4], Some("doc")).unwrap_err();
    assert_eq!(error.to_string(), "not an image in a known format: it starts with 00 01 02 03");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let error = read_bytes(&[0, 1, 2, 3, 4], Some("png")).unwrap_err();
    assert_eq!(error.to_string(), "not a PNG file: it starts with 00 01 02 03");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    // A descriptor that no program writes. Only the extension identifies the format.
    let mut tga = file(ImageFormat::Tga);
    assert_eq!(read_bytes(&tga, None).unwrap().file_format, Some(FileFormat::Tga));
    tga[17] |= 0xc0;
    assert!(matches!(read_bytes(&tga, None), Err(ImageReadError::Unknown { .. })));
    assert_eq!(read_bytes(&tga, Some("TGA")).unwrap().file_format, Some(FileFormat::Tga));
    assert!(matches!(read_bytes(&[], Some("tga")), Err(ImageReadError::Empty)));
}

#[test]
fn a_failing_reader_is_an_io_error() {
    struct Failing(Cursor<Vec<u8>>);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.position() >= 40 {
                return Err(io::Error::other("the cable\nis out"));
            }
            let most = buffer.len().min(8);
            self.0.read(&mut buffer[..most])
        }
    }
    impl Seek for Failing {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    for (name, bytes) in corpus().into_iter().filter(|(_, bytes)| bytes.len() > 60) {
        let reader = BufReader::with_capacity(8, Failing(Cursor::new(bytes)));
        let error = read(reader, None, &ImageReadOptions::default(), &Task::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{name}: {error}");
        assert_eq!(error.to_string(), "the cable is out");
    }
}

#[test]
fn a_panic_on_the_way_is_caught() {
    struct Panicking(Cursor<Vec<u8>>);
    impl Read for Panicking {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(self.0.position() < 40, "as a decoder might (this message is expected)");
            let most = buffer.len().min(8);
            self.0.read(&mut buffer[..most])
        }
    }
    impl Seek for Panicking {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let reader = BufReader::with_capacity(8, Panicking(Cursor::new(file(ImageFormat::Png))));
    let error = read(reader, None, &ImageReadOptions::default(), &Task::new()).unwrap_err();
    assert_eq!(error.to_string(), "PNG: the decoder panicked; please report this bug, with the file");
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn sizes_of_nothing_and_of_everything_fail_at_once() {
    for side in [0u32, 1 << 15, 0xffff, 1 << 30, (1 << 31) - 1, 1 << 31, u32::MAX] {
        for (name, bytes) in corpus::with_sides(side) {
            // Processor time of this thread, because other tests share the processors.
            let start = ThreadTime::now();
            let error = read_bytes(&bytes, None).map(|p| (p.width, p.height)).unwrap_err();
            assert!(
                start.elapsed() < Duration::from_secs(2),
                "{name} {side}: {error} in {:?}",
                start.elapsed()
            );
            assert!(
                matches!(error.kind(), ErrorKind::Invalid | ErrorKind::Limit | ErrorKind::Unsupported),
                "{name} {side}: {error}"
            );
            if side == 0 {
                assert_ne!(error.kind(), ErrorKind::Limit, "{name}: {error}");
            }
        }
    }
    let mut options = ImageReadOptions::default();
    options.max_memory = 1 << 20;
    let error = read(Cursor::new(b"P6 1024 1024 255 "), None, &options, &Task::new()).unwrap_err();
    assert_eq!(error.to_string(), "needs 3.1 MiB of memory, above the limit of 1 MiB");
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn files_cut_short_are_errors_or_whole() {
    let mut options = ImageReadOptions::default();
    options.max_memory = 64 << 20;
    for (name, bytes) in corpus() {
        let whole = read_bytes(&bytes, None).unwrap();
        let mut errors = 0;
        for length in 0..bytes.len() {
            match read(Cursor::new(&bytes[..length]), None, &options, &Task::new()) {
                // Some formats end in bytes without texels, so the last prefixes may be complete.
                Ok(picture) => {
                    assert_eq!((picture.width, picture.height), (whole.width, whole.height), "{name}")
                }
                Err(error) => {
                    check_message(&name, &error);
                    errors += 1;
                }
            }
        }
        if whole.file_format == Some(FileFormat::Jpeg) {
            // The decoder itself would invent grey texels. Only the last marker may be missing.
            assert_eq!(errors, bytes.len() - 2, "{name}");
            for length in [bytes.len() - 2, bytes.len() - 1] {
                let picture = read_bytes(&bytes[..length], None).unwrap();
                assert_eq!(picture.texels, whole.texels, "{name}");
                assert_eq!(picture.notes.len(), whole.notes.len() + 1, "{name}");
            }
        }
        assert!(errors * 10 >= bytes.len() * 5, "{name}: {errors} errors of {} prefixes", bytes.len());
    }
}

#[test]
fn flipped_bits_never_do_harm() {
    let mut options = ImageReadOptions::default();
    options.max_memory = 16 << 20;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let (mut panics, mut slowest) = (Vec::new(), Duration::ZERO);
    for (name, bytes) in corpus() {
        for _ in 0..1500 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bit = (state >> 33) as usize % (bytes.len() * 8);
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let start = ThreadTime::now();
            match read(Cursor::new(&bad), None, &options, &Task::new()) {
                Ok(picture) => {
                    let count = u64::from(picture.width) * u64::from(picture.height);
                    assert_eq!(picture.texels.texel_count() as u64, count, "{name} bit {bit}");
                }
                Err(ImageReadError::Panicked { .. }) => panics.push((name.clone(), bit)),
                Err(error) => check_message(&name, &error),
            }
            slowest = slowest.max(start.elapsed());
        }
    }
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    assert_eq!(panics, [], "decoders panicked");
}

fn check_message(name: &str, error: &ImageReadError) {
    let message = error.to_string();
    assert!(!message.chars().any(char::is_control) && !message.is_empty(), "{name}: {message:?}");
    assert_ne!(error.kind(), ErrorKind::Io, "{name}: {message}");
    // Names of Rust types, and words that introduce the reason.
    for words in [
        "ChunkType",
        "Unknown(",
        "Format error",
        "The decoder",
        "The encoder",
        "I/O error",
        "fill whole buffer",
    ] {
        assert!(!message.contains(words), "{name}: {message}");
    }
}

/// Returns `bytes` with `with` in place of the bytes at `at`.
fn patched(bytes: &[u8], at: usize, with: &[u8]) -> Vec<u8> {
    let mut patched = bytes.to_vec();
    patched[at..at + with.len()].copy_from_slice(with);
    patched
}

/// Returns a TIFF of one texel with the given bits per channel and sample format.
fn tiff_of(bits: &[u16], sample_format: u16) -> Vec<u8> {
    let channels = bits.len() as u16;
    let photometric = if channels < 3 { 1 } else { 2 };
    let data = 8 + 2 + 12 * 11 + 4;
    let one = |tag: u16, value: u32| [tag, 4, 1, 0, value as u16, (value >> 16) as u16];
    let formats = vec![sample_format; bits.len()];
    // Two values of 16 bits fit into the field. More values are stored at `at`.
    let per_channel = |tag: u16, values: &[u16], at: u32| match *values {
        [a] => [tag, 3, 1, 0, a, 0],
        [a, b] => [tag, 3, 2, 0, a, b],
        _ => [tag, 3, channels, 0, at as u16, (at >> 16) as u16],
    };
    let strip_at = data + 4 * u32::from(channels);
    let strip_bytes = bits.iter().map(|bits| u32::from(*bits) / 8).sum();
    let entries = [
        one(256, 1),
        one(257, 1),
        per_channel(258, bits, data),
        one(259, 1),
        one(262, photometric),
        one(273, strip_at),
        one(277, channels.into()),
        one(278, 1),
        one(279, strip_bytes),
        one(284, 1),
        per_channel(339, &formats, data + 2 * u32::from(channels)),
    ];
    let mut file = b"II*\0\x08\0\0\0\x0b\0".to_vec();
    file.extend(entries.as_flattened().iter().flat_map(|word| word.to_le_bytes()));
    file.extend([0; 4]);
    file.extend(bits.iter().chain(&formats).flat_map(|word| word.to_le_bytes()));
    file.resize(file.len() + strip_bytes as usize, 7);
    file
}

#[test]
fn other_formats_are_named_whatever_the_extension_is() {
    let box_of = |brands: &str| [&[0, 0, 0, 8 + brands.len() as u8][..], b"ftyp", brands.as_bytes()].concat();
    let [avif, heic, other, video] =
        ["avif\0\0\0\0mif1", "heic\0\0\0\0mif1heic", "mif1\0\0\0\0mif1avif", "isom\0\0\0\0isommp42"]
            .map(box_of);
    let jxl = [&[0, 0, 0, 12][..], b"JXL \r\n\x87\n"].concat();
    let jp2 = [&[0, 0, 0, 12][..], b"jP  \r\n\x87\n"].concat();
    let cases: &[(&[u8], &str)] = &[
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
            "A pointer of Git LFS",
        ),
        (&avif, "AVIF"),
        (&other, "AVIF"),
        (&heic, "HEIC"),
        (&video, "A video or another file"),
        (&jxl, "JPEG XL"),
        (&[0xff, 0x0a, 0, 0], "JPEG XL"),
        (&jp2, "JPEG 2000"),
        (&[0xff, 0x4f, 0xff, 0x51], "JPEG 2000"),
        (b"PF\n2 2\n-1.0\n", "PFM"),
        (b"Pf\n2 2\n-1.0\n", "PFM"),
        (b"VTF\0\x07\0\0\0", "VTF"),
        (b"BLP2\x01\0\0\0", "BLP"),
        (b"\xabKTX 11\xbb\r\n\x1a\n", "KTX of version 1"),
        (b"8BPS\0\x01", "Photoshop's format"),
    ];
    for (start, name) in cases {
        // Formats are named before a file of its length could be another one.
        let file = [start, &[0; 40][..]].concat();
        for (extension, file) in
            [(None, &file[..]), (Some("png"), &file), (Some("tga"), &file), (None, start)]
        {
            let error = read_bytes(file, extension).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{name}");
            let text = error.to_string();
            assert!(text.starts_with(name) && text.contains(" is not supported: "), "{text}");
        }
    }
}

#[test]
fn tiff_texels_that_are_not_read_are_named() {
    let refused = |bits: &[u16], format| match read_bytes(&tiff_of(bits, format), None) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{bits:?}");
            error.to_string()
        }
        Ok(picture) => panic!("{bits:?} {format}: {picture:?}"),
    };
    for bits in [&[8][..], &[16], &[8; 3], &[16; 3], &[8; 4]] {
        read_bytes(&tiff_of(bits, 1), None).unwrap_or_else(|error| panic!("{bits:?}: {error}"));
    }
    let cases = [
        (&[64; 3][..], 3, "TIFF: texels of 64-bit floating-point numbers are not supported"),
        (&[16; 4], 2, "TIFF: texels of 16-bit signed integers are not supported"),
        (&[32; 3], 1, "TIFF: texels of 32-bit integers are not supported"),
        (&[32; 1], 6, "TIFF: texels of 32-bit complex numbers are not supported"),
        (&[8; 2], 1, "TIFF: 2 channels are not supported"),
        (&[8; 7], 1, "TIFF: 7 channels are not supported"),
    ];
    for (bits, format, message) in cases {
        assert_eq!(refused(bits, format), message);
    }
}

#[test]
fn reasons_are_plain_words() {
    use ErrorKind::{Invalid, Unsupported};
    let (png, bmp, gif) = (file(ImageFormat::Png), file(ImageFormat::Bmp), file(ImageFormat::Gif));
    let dds = corpus::dds(8, 8, dds::Format::BC1_UNORM, &[[1, 2, 3, 255]; 64]);
    // The size of the first frame, within the picture's size.
    let frame = gif.windows(5).position(|bytes| bytes == [0x2c, 0, 0, 0, 0]).unwrap();
    let tiff = |entry: usize, value: u16| {
        let tiff = corpus::PaletteTiff::new([1, 1], &[0]).bytes();
        let directory = u32::from_le_bytes(*tiff[4..].first_chunk().unwrap()) as usize;
        patched(&tiff, directory + 2 + 12 * entry + 8, &value.to_le_bytes())
    };
    let cases = [
        (
            "check sum",
            None,
            patched(&png, png.len() - 16, &[!png[png.len() - 16]]),
            Invalid,
            ": the check sum of the IDAT chunk is wrong",
        ),
        (
            "text",
            Some("tga"),
            b"A text, which is no picture at all.".to_vec(),
            Invalid,
            "TGA: not a TGA file",
        ),
        ("compression", None, tiff(3, 34712), Unsupported, "TIFF: compression method 34712 is unsupported"),
        ("interpretation", None, tiff(4, 999), Unsupported, "TIFF: unknown photometric interpretation"),
        ("indices", None, tiff(2, 3), Unsupported, "TIFF: palette indices of 3 bits are not supported"),
        ("DDS", None, dds[..50].to_vec(), Invalid, "DDS, at about byte 50: the file ends too early"),
        ("GIF", None, gif[..10].to_vec(), Invalid, "GIF, at about byte 10: the file ends too early"),
        ("frame", None, patched(&gif, frame + 5, &[0, 0, 5, 0]), Invalid, ": the first frame has no texels"),
        ("BMP", None, patched(&bmp, 18, &[0; 8]), Invalid, ": the image has no texels: 0×0"),
        ("BMP width", None, patched(&bmp, 18, &[0; 4]), Invalid, ": the image has no texels: 0×5"),
        (
            "PNM",
            None,
            b"P6 4294967295 4294967295 255 abc".to_vec(),
            Invalid,
            ": image dimensions (4294967295x4294967295) are too large",
        ),
    ];
    for (name, extension, bytes, kind, end) in cases {
        let error = read_bytes(&bytes, extension).map(|p| (p.width, p.height)).expect_err(name);
        assert!(error.to_string().ends_with(end), "{name}: {error}");
        assert_eq!(error.kind(), kind, "{name}: {error}");
        check_message(name, &error);
    }
}

/// Tests that the repository's test images are read as intended.
#[test]
fn real_pictures_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data");
    for (name, size) in [("kodak/kodim01.png", Some([768, 512])), ("textures/leather-normal.png", None)] {
        let file = BufReader::new(std::fs::File::open(folder.join(name)).unwrap());
        let picture = read(file, Some("png"), &ImageReadOptions::default(), &Task::new()).unwrap();
        assert!(size.is_none_or(|size| size == [picture.width, picture.height]));
        assert!(picture.is_opaque);
    }
}

/// Some writers of BMP state that the texels begin at the palette.
#[test]
fn texels_of_bmp_begin_after_the_palette() {
    let (width, height) = (6, 4);
    let grey = image::GrayImage::from_fn(width, height, |x, y| image::Luma([(40 * x + 9 * y) as u8]));
    let mut file = Cursor::new(Vec::new());
    grey.write_to(&mut file, ImageFormat::Bmp).unwrap();
    let sound = file.into_inner();
    let header = sound[10..18].to_vec();
    let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let mut wrong = sound.clone();
    wrong[10..14].copy_from_slice(&(14 + size).to_le_bytes());
    let [expected, picture] = [&sound, &wrong].map(|file| read_bytes(file, None).unwrap());
    assert_eq!((picture.texels, expected.notes.len()), (expected.texels, 0));
    let note = format!(
        "by the header, the texels begin at the palette; they are read from byte {}",
        14 + size + 1024
    );
    assert_eq!(picture.notes, [note]);
    // A cut last row is not read as if it were whole.
    assert!(read_bytes(&wrong[..wrong.len() - 8], None).is_err());
}

/// The orientation in XMP counts if there is no Exif.
#[test]
fn xmp_turns_png() {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, 3, 2);
    encoder.set_color(::png::ColorType::Grayscale);
    let xmp = "<x:xmpmeta><rdf:Description tiff:Orientation=\"8\"/></x:xmpmeta>".to_owned();
    encoder.add_itxt_chunk("XML:com.adobe.xmp".to_owned(), xmp).unwrap();
    encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 4, 5, 6]).unwrap();
    let picture = read_bytes(&file, None).unwrap();
    assert_eq!((picture.width, picture.height), (2, 3));
    assert_eq!(picture.texels, Texels::Grey8(vec![3, 6, 2, 5, 1, 4]));
}

/// ImageMagick writes Exif into text chunks, as hexadecimal digits. Some programs add the prefix of JPEG.
#[test]
fn raw_profiles_turn_png() {
    let exif = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    for (keyword, prefix, is_packed) in [
        ("Raw profile type exif", &b""[..], false),
        ("Raw profile type APP1", b"Exif\0\0", false),
        ("Raw profile type exif", b"Exif\0\0", true),
    ] {
        let bytes = [prefix, exif].concat();
        let mut profile = format!("\nexif\n{:8}\n", bytes.len());
        for line in bytes.chunks(36) {
            profile.extend(line.iter().map(|byte| format!("{byte:02x}")).chain(["\n".to_owned()]));
        }
        let mut file = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut file, 3, 2);
        encoder.set_color(::png::ColorType::Grayscale);
        if is_packed {
            encoder.add_ztxt_chunk(keyword.to_owned(), profile).unwrap();
        } else {
            encoder.add_text_chunk(keyword.to_owned(), profile).unwrap();
        }
        encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 4, 5, 6]).unwrap();
        let picture = read_bytes(&file, None).unwrap();
        assert_eq!((picture.width, picture.height), (2, 3), "{keyword} {is_packed}");
        assert_eq!(picture.texels, Texels::Grey8(vec![4, 1, 5, 2, 6, 3]));
    }
}
