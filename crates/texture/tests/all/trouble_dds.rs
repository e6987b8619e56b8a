//! DDS files whose header says more than the format: normals, colours by GIMP, linear numbers.

use brickwork_image::image_file::{ImageReadOptions, Picture, Texels};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, Encoder, ErrorKind, ImageView, Task, Texture, TextureDesc,
    container::{ContainerFormat, DdsHeader, TextureReadOptions, TextureWriteOptions},
    encode_texture,
    pictures::{AnyImage, read, read_any},
};
use std::{io::Cursor, path::PathBuf};

const X_IN_ALPHA: &str = "the header says normal map: x is in alpha, y in green";

fn bytes(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../test-data/trouble", name].iter().collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn picture(file: &[u8]) -> Picture {
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

fn texture(file: &[u8]) -> Texture {
    Texture::read(Cursor::new(file), &TextureReadOptions::default(), &Task::new()).unwrap()
}

fn rgba(picture: &Picture) -> &[[u8; 4]] {
    let Texels::Rgba8(texels) = &picture.texels else { panic!("{picture:?}") };
    texels
}

fn is_near(found: &[u8], expected: &[u8], tolerance: u8) -> bool {
    found.iter().zip(expected).all(|(found, expected)| found.abs_diff(*expected) <= tolerance)
}

#[test]
fn a_flag_of_normals_in_bc3_moves_x_from_alpha() {
    let file = bytes("t13_dxt5nm_flag.dds");
    let from_file = picture(&file);
    assert_eq!(from_file.color_space, ColorSpace::Linear);
    assert!(from_file.is_opaque && !from_file.has_alpha);
    assert_eq!(from_file.notes, [X_IN_ALPHA]);
    let texel = rgba(&from_file)[20 * 32 + 20];
    assert!(is_near(&texel, &[176, 69], 10), "{texel:?}");
    let length = texel[..3].iter().map(|v| (f32::from(*v) / 127.5 - 1.0).powi(2)).sum::<f32>().sqrt();
    assert!((length - 1.0).abs() < 0.02 && texel[2] > 127, "{texel:?}");

    // Textures keep the blocks, and state it by the swizzle, which DDS writes as the flag.
    let texture = texture(&file);
    assert_eq!(
        (texture.desc().swizzle.letters(), texture.notes()),
        ("ag11".to_owned(), &[X_IN_ALPHA.to_owned()][..])
    );
    for header in [DdsHeader::Legacy, DdsHeader::Dx10] {
        let mut written = Vec::new();
        let options = TextureWriteOptions::default().with(|o| o.dds_header = header);
        texture.write(&mut written, ContainerFormat::Dds, &options, &Task::new()).unwrap();
        assert_eq!(self::texture(&written).desc(), texture.desc(), "{header:?}");
        assert_eq!(rgba(&picture(&written)), rgba(&from_file), "{header:?}");
    }
    // The flag alone makes other texels linear.
    let mut other = file.clone();
    other[84..88].copy_from_slice(b"DXT3");
    let other = picture(&other);
    assert_eq!((other.color_space, other.notes.len()), (ColorSpace::Linear, 0));
    let mut plain = file;
    plain[83] = 0;
    assert!(picture(&plain).has_alpha && picture(&plain).color_space == ColorSpace::Srgb);
}

/// Letters in place of the bits per texel, or of the format.
#[test]
fn letters_state_the_order_of_channels_in_bc3() {
    // One block of (255, 101, 0) with alpha 200.
    let mut file = bytes("t13_dxt5nm_flag.dds")[..128].to_vec();
    for (at, number) in [(12, 4u32), (16, 4), (20, 16), (28, 1), (80, 4)] {
        file[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    let color = 31u16 << 11 | 25 << 5;
    file.extend([200, 200, 0, 0, 0, 0, 0, 0]);
    file.extend([color.to_le_bytes(), color.to_le_bytes(), [0; 2], [0; 2]].concat());
    let with = |at: usize, letters: &[u8; 4]| {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(letters);
        file
    };
    for (letters, expected) in [
        (b"xGBR", [200, 101, 0, 255]),
        (b"RxBG", [255, 200, 0, 255]),
        (b"RBxG", [255, 200, 101, 255]),
        (b"xRBG", [101, 200, 0, 255]),
        (b"RGxB", [255, 101, 200, 255]),
    ] {
        let name = str::from_utf8(letters).unwrap();
        for file in [with(88, letters), with(84, letters)] {
            let found = picture(&file);
            assert_eq!(rgba(&found)[0], expected, "{name}");
            assert!(found.is_opaque && !found.has_alpha);
            assert_eq!(found.notes, [format!("the header says {name}: its channels are put in order")]);
            let note = format!("the header says {name}, another order of channels; blocks are as stored");
            let texture = texture(&file);
            assert_eq!((texture.notes(), texture.desc().format), (&[note][..], BlockFormat::Bc3.into()));
        }
    }
    for letters in [b"xGxR", b"A2D5"] {
        for file in [with(88, letters), with(84, letters)] {
            let found = picture(&file);
            assert_eq!(
                (rgba(&found)[0][..2].to_vec(), found.color_space),
                (vec![200, 101], ColorSpace::Linear)
            );
            assert_eq!(found.notes, [X_IN_ALPHA]);
            assert_eq!(texture(&file).desc().swizzle.letters(), "ag11");
        }
    }
    assert_eq!(rgba(&picture(&file))[0], [255, 101, 0, 200]);
}

#[test]
fn colors_by_gimp_are_converted() {
    let file = bytes("t14_gimp_ycocg.dds");
    let picture = picture(&file);
    assert!(rgba(&picture).iter().all(|texel| is_near(texel, &[200, 150, 100, 255], 6)), "{picture:?}");
    assert_eq!(picture.notes, ["the header says YCoCg, by GIMP: converted to colours"]);
    assert!(picture.is_opaque && picture.color_space == ColorSpace::Srgb);
    // No texture of its blocks would show these colours.
    let read = Texture::read(Cursor::new(&file), &TextureReadOptions::default(), &Task::new());
    let error = read.unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().contains("YCoCg")),
        (ErrorKind::Unsupported, true),
        "{error}"
    );
    let any = read_any(Cursor::new(&file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
    assert!(matches!(any, AnyImage::Picture(_)));
    // The stored texels are (178, 128, 255) with alpha 150: divided by 255 / 150, or with a scale of 32.9.
    for (four_cc, expected) in [(b"AEXP", [105, 75, 150, 255]), (b"YCG2", [152, 150, 148, 255])] {
        let mut file = file.clone();
        file[44..48].copy_from_slice(four_cc);
        let picture = self::picture(&file);
        assert!(rgba(&picture).iter().all(|texel| is_near(texel, &expected, 4)), "{picture:?}");
    }
    // Other writers use the field for other data.
    let mut other = file;
    other[32] = b'X';
    assert!(rgba(&self::picture(&other)).iter().all(|texel| is_near(texel, &[178, 128, 255, 150], 6)));
}

#[test]
fn formats_without_an_srgb_form_are_linear() {
    let is_linear = |file: &[u8]| picture(file).color_space == ColorSpace::Linear;
    assert!(is_linear(&bytes("t15_ati2_normals.dds")));
    let texels = [[10u8, 200, 30, 255]; 64];
    let image = ImageView::new(&texels, 8, 8).unwrap();
    for (format, expected) in [
        (BlockFormat::Bc4Unorm, true),
        (BlockFormat::Bc4Snorm, true),
        (BlockFormat::Bc5Unorm, true),
        (BlockFormat::Bc5Snorm, true),
        (BlockFormat::Bc1, false),
        (BlockFormat::Bc3, false),
    ] {
        let desc = TextureDesc::of_image(&image, format);
        let options = EncodeOptions::default();
        let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new()).unwrap();
        let mut file = Vec::new();
        let options = TextureWriteOptions::default().with(|o| o.dds_header = DdsHeader::Legacy);
        texture.write(&mut file, ContainerFormat::Dds, &options, &Task::new()).unwrap();
        assert_eq!(is_linear(&file), expected, "{format}");
    }
    for (flags, masks, expected) in [
        (0x40, [32, 0xffff, 0xffff_0000, 0, 0], true),
        (0x2_0000, [16, 0xffff, 0, 0, 0], true),
        (0x40, [16, 0xff, 0xff00, 0, 0], true),
        (0x8_0000, [16, 0xff, 0xff00, 0, 0], true),
        (0x2_0000, [8, 0xff, 0, 0, 0], false),
        (0x40, [16, 0xf800, 0x7e0, 0x1f, 0], false),
        (0x41, [32, 0xff_0000, 0xff00, 0xff, 0xff00_0000], false),
    ] {
        assert_eq!(is_linear(&masked(flags, masks)), expected, "{flags:#x} {masks:x?}");
    }
}

/// Returns a DDS of 2×2 texels with these masks.
fn masked(flags: u32, masks: [u32; 5]) -> Vec<u8> {
    let mut words = [0u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    (words[1], words[2], words[3], words[4]) = (124, 0x1007, 2, 2);
    (words[19], words[20]) = (32, flags);
    words[22..27].copy_from_slice(&masks);
    words[27] = 0x1000;
    let head = words.into_iter().flat_map(u32::to_le_bytes);
    head.chain(vec![100; 4 * masks[0] as usize / 8]).collect()
}
