//! Tests of KTX2 files as pictures: texels, colour space and orientation of good files, and errors for bad
//! ones.

use brickwork_image::image_file::{
    ColorSpaceOrigin, FileFormat, ImageReadError, ImageReadOptions, Picture, Texels,
};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, ErrorKind, PlainFormat, Task, Texture, TextureDesc, TextureKind,
    container::{self, ContainerFormat, DdsHeader, TextureReadOptions, TextureWriteOptions},
    half::f16,
    pictures::read,
};
use std::io::{Cursor, Write};

use crate::common::Random;
use crate::corpus::Ktx2;

const R8_UNORM: u32 = 9;
const R8G8B8A8_UNORM: u32 = 37;
const BC1_RGB_UNORM: u32 = 131;
const BC7_UNORM: u32 = 145;
/// Offsets of fields from the start of the file.
mod offset {
    pub const VK_FORMAT: usize = 12;
    pub const WIDTH: usize = 20;
    pub const HEIGHT: usize = 24;
    pub const DEPTH: usize = 28;
    pub const LAYERS: usize = 32;
    pub const FACES: usize = 36;
    pub const LEVELS: usize = 40;
    pub const SUPERCOMPRESSION: usize = 44;
    pub const DESCRIPTOR: usize = 48;
    pub const DESCRIPTOR_BYTES: usize = 52;
    pub const KEY_VALUES: usize = 56;
    pub const KEY_VALUE_BYTES: usize = 60;
    pub const LEVEL_0: usize = 80;
    pub const LEVEL_0_BYTES: usize = 88;
    pub const LEVEL_0_UNCOMPRESSED_BYTES: usize = 96;
}

fn read_with(file: &[u8], max_memory: u64) -> Result<Picture, ImageReadError> {
    let mut options = ImageReadOptions::default();
    options.max_memory = max_memory;
    read(Cursor::new(file), Some("ktx2"), &options, &Task::new())
}

fn read_bytes(file: &[u8]) -> Result<Picture, ImageReadError> {
    read_with(file, ImageReadOptions::default().max_memory)
}

fn write(texture: &Texture, format: ContainerFormat, zstd: Option<i32>) -> Vec<u8> {
    let mut options = TextureWriteOptions::default();
    options.dds_header = DdsHeader::Dx10;
    options.zstd = zstd;
    let mut file = Vec::new();
    texture.write(&mut file, format, &options, &Task::new()).unwrap();
    file
}

/// Returns every block format of DDS × shape × colour space of the format × alpha mode, filled with noise.
fn textures() -> Vec<Texture> {
    let shapes: [fn(BlockFormat) -> TextureDesc; 4] = [
        |format| TextureDesc::new_2d(format, 13, 6),
        |format| TextureDesc::new_2d(format, 12, 9).with_layers(3).with_mip_levels(4),
        |format| TextureDesc::new_cube(format, 6).with_layers(2).with_mip_levels(2),
        |format| TextureDesc::new_3d(format, 5, 4, 3).with_mip_levels(3),
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut textures = Vec::new();
    for &format in BlockFormat::ALL.iter().filter(|format| !format.is_mobile()) {
        for shape in shapes {
            let srgb = format.has_srgb().then_some(ColorSpace::Srgb);
            for color_space in [ColorSpace::Linear].into_iter().chain(srgb) {
                for alpha_mode in [AlphaMode::Opaque, AlphaMode::Straight, AlphaMode::Premultiplied] {
                    let desc = shape(format).with_color_space(color_space).with_alpha_mode(alpha_mode);
                    let data = (0..desc.data_bytes()).map(|_| random.byte()).collect();
                    textures.push(Texture::new(desc, data).unwrap());
                }
            }
        }
    }
    textures
}

#[test]
fn blocks_are_read_as_from_dds() {
    let mut transparent_count = 0;
    for texture in textures() {
        let TextureDesc { format, kind, color_space, alpha_mode, .. } = *texture.desc();
        let mut expected = read_bytes(&write(&texture, ContainerFormat::Dds, None)).unwrap();
        expected.file_format = Some(FileFormat::Ktx2);
        (expected.color_space, expected.color_space_origin) = (color_space, ColorSpaceOrigin::Stated);
        // This is written as BC1_RGB, which has no alpha.
        if format == BlockFormat::Bc1 && alpha_mode == AlphaMode::Opaque {
            let Texels::Rgba8(texels) = &mut expected.texels else { panic!() };
            transparent_count += texels.iter().filter(|texel| texel[3] == 0).count();
            texels.iter_mut().for_each(|texel| texel[3] = 255);
            (expected.has_alpha, expected.is_opaque) = (false, true);
        }
        for zstd in [None, Some(3)] {
            let picture = read_bytes(&write(&texture, ContainerFormat::Ktx2, zstd)).unwrap();
            expected.color_space_reason = picture.color_space_reason.clone();
            assert_eq!(picture, expected, "{format} {kind:?} {color_space:?} {alpha_mode:?} {zstd:?}");
            let said = picture.color_space_reason;
            assert!(said.starts_with("KTX2 format VK_FORMAT_BC"), "{said}");
            let ending = if color_space == ColorSpace::Srgb { " with sRGB" } else { " is linear" };
            assert!(said.ends_with(ending), "{said}");
        }
    }
    assert!(transparent_count > 0);
}

/// Reads 3×1 texels, uncompressed and compressed.
fn plain(format: u32, transfer: u8, level: &[u8]) -> Picture {
    let levels: &[&[u8]] = &[level];
    let ktx2 = Ktx2 { levels, descriptor: [1, 1, transfer, 0], ..Ktx2::new(format, 3, 1) };
    let picture = read_bytes(&ktx2.bytes()).unwrap();
    assert_eq!(read_bytes(&Ktx2 { zstd: Some(1), ..ktx2 }.bytes()).unwrap(), picture);
    assert_eq!((picture.width, picture.height, picture.file_format), (3, 1, Some(FileFormat::Ktx2)));
    picture
}

/// Formats by their numbers in the Vulkan specification.
#[test]
fn plain_texels_are_read() {
    let bytes: Vec<u8> = (1..=12).collect();
    let red_green = Texels::Rgb8(vec![[1, 2, 0], [3, 4, 0], [5, 6, 0]]);
    let rgb = Texels::Rgb8(vec![[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
    let bgr = Texels::Rgb8(vec![[3, 2, 1], [6, 5, 4], [9, 8, 7]]);
    let rgba = Texels::Rgba8(vec![[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]);
    let bgra = Texels::Rgba8(vec![[3, 2, 1, 4], [7, 6, 5, 8], [11, 10, 9, 12]]);
    for (unorm, srgb, channels, expected) in [
        (9, 15, 1, Texels::Grey8(vec![1, 2, 3])),
        (16, 22, 2, red_green),
        (23, 29, 3, rgb),
        (30, 36, 3, bgr),
        (37, 43, 4, rgba),
        (44, 50, 4, bgra),
    ] {
        // The format decides, not the descriptor.
        for (format, transfer, color_space) in
            [(unorm, 1, ColorSpace::Linear), (unorm, 2, ColorSpace::Linear), (srgb, 2, ColorSpace::Srgb)]
        {
            let picture = plain(format, transfer, &bytes[..3 * channels]);
            assert_eq!(picture.texels, expected, "{format}");
            assert_eq!((picture.has_alpha, picture.is_opaque), (channels == 4, channels < 4), "{format}");
            assert_eq!(picture.color_space, color_space, "{format}");
        }
    }
    let said = |format, transfer| plain(format, transfer, &bytes).color_space_reason;
    assert_eq!(said(37, 1), "KTX2 format VK_FORMAT_R8G8B8A8_UNORM is linear");
    assert_eq!(said(43, 2), "KTX2 format VK_FORMAT_R8G8B8A8_SRGB with sRGB");

    let wide: Vec<u16> = (1..=12).map(|value| value * 1000).collect();
    for (format, channels, expected) in [
        (70, 1, Texels::Grey16(vec![1000, 2000, 3000])),
        (77, 2, Texels::Rgb16(vec![[1000, 2000, 0], [3000, 4000, 0], [5000, 6000, 0]])),
        (84, 3, Texels::Rgb16(vec![[1000, 2000, 3000], [4000, 5000, 6000], [7000, 8000, 9000]])),
        (91, 4, Texels::Rgba16(wide.as_chunks::<4>().0.to_vec())),
    ] {
        let level: Vec<u8> = wide[..3 * channels].iter().flat_map(|value| value.to_le_bytes()).collect();
        let picture = plain(format, 1, &level);
        assert_eq!((picture.texels, picture.has_alpha), (expected, channels == 4), "{format}");
        assert_eq!(picture.color_space, ColorSpace::Linear);
        // No name of these formats states sRGB, so the descriptor does.
        let picture = plain(format, 2, &level);
        assert_eq!(picture.color_space, ColorSpace::Srgb);
        assert!(picture.color_space_reason.ends_with("_UNORM with sRGB"), "{picture:?}");
    }
}

/// Floats become half floats, which are not clamped.
#[test]
fn floats_become_half_floats() {
    let half: Vec<u8> = [0x3800u16, 0x4200, 0xbc00].iter().flat_map(|v| v.to_le_bytes()).collect();
    let single: Vec<u8> = [0.5f32, 3.0, -1.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let [middle, three, below, zero] = [0.5, 3.0, -1.0, 0.0].map(f16::from_f32);
    for (formats, bytes) in [([76, 83, 90, 97], half), ([100, 103, 106, 109], single)] {
        for (channels, format) in (1..).zip(formats) {
            // Every texel has its number in all channels.
            let level: Vec<u8> =
                bytes.chunks_exact(bytes.len() / 3).flat_map(|v| v.repeat(channels)).collect();
            let expected = match channels {
                2 => Texels::RgbF16([middle, three, below].map(|v| [v, v, zero]).to_vec()),
                1 | 3 => Texels::RgbF16([middle, three, below].map(|v| [v; 3]).to_vec()),
                _ => Texels::RgbaF16([middle, three, below].map(|v| [v; 4]).to_vec()),
            };
            let picture = plain(format, 1, &level);
            assert_eq!((picture.texels, picture.has_alpha), (expected, channels == 4), "{format}");
        }
    }
    // B10G11R11: 2, 1, 0.5; E5B9G9R9: 16, 8, 1/16.
    for (format, word, expected) in [
        (122, 0x400u32 | 0x3c0 << 11 | 0x1c0 << 22, [2.0, 1.0, 0.5]),
        (123, 256 | 128 << 9 | 1 << 18 | 20 << 27, [16.0, 8.0, 0.0625]),
    ] {
        let picture = plain(format, 1, &word.to_le_bytes().repeat(3));
        assert_eq!(picture.texels, Texels::RgbF16(vec![expected.map(f16::from_f32); 3]), "{format}");
    }
}

/// Single floats keep their bits on request, also when they are inflated, swizzled and turned.
#[test]
fn single_floats_are_kept_on_request() {
    let numbers = [1.0f32 / 3.0, 1e-10, 123_456.79, -3e38];
    let level: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let options = ImageReadOptions::default().with(|o| o.single_floats = true);
    let texels = |format, width, keys: &[(&str, &[u8])]| {
        let file = Ktx2 { levels: &[&level[..]], keys, ..Ktx2::new(format, width, 1) }.bytes();
        read(Cursor::new(file), None, &options, &Task::new()).unwrap().texels
    };
    let [a, b, c, d] = numbers;
    assert_eq!(texels(100, 4, &[]), Texels::RgbF32(numbers.map(|number| [number; 3]).to_vec()));
    assert_eq!(texels(103, 2, &[]), Texels::RgbF32(vec![[a, b, 0.0], [c, d, 0.0]]));
    assert_eq!(texels(109, 1, &[]), Texels::RgbaF32(vec![numbers]));
    assert_eq!(texels(109, 1, &[("KTXswizzle", b"bar1\0")]), Texels::RgbF32(vec![[c, d, a]]));
    let moved = numbers.map(|number| [0.0, 1.0, number, number]).to_vec();
    assert_eq!(texels(100, 4, &[("KTXswizzle", b"01rr\0")]), Texels::RgbaF32(moved));
    assert_eq!(
        texels(103, 2, &[("KTXorientation", b"ld\0")]),
        Texels::RgbF32(vec![[c, d, 0.0], [a, b, 0.0]])
    );
    let desc = TextureDesc::new_2d(PlainFormat::Rgba32Float, 1, 1);
    let file = write(&Texture::new(desc, level.clone()).unwrap(), ContainerFormat::Ktx2, Some(3));
    let picture = read(Cursor::new(file), None, &options, &Task::new()).unwrap();
    assert_eq!(picture.texels, Texels::RgbaF32(vec![numbers]));
}

#[test]
fn the_key_for_orientation_is_obeyed() {
    let texels = |keys: &[(&str, &[u8])]| {
        let levels: &[&[u8]] = &[&[1, 2, 3, 4, 5, 6]];
        let Texels::Grey8(texels) =
            read_bytes(&Ktx2 { levels, keys, ..Ktx2::new(R8_UNORM, 3, 2) }.bytes()).unwrap().texels
        else {
            panic!()
        };
        texels
    };
    let upright = [1, 2, 3, 4, 5, 6];
    assert_eq!(texels(&[]), upright);
    for (value, expected) in [
        (&b"rd\0"[..], upright),
        (b"rdi\0", upright),
        (b"ru\0", [4, 5, 6, 1, 2, 3]),
        (b"ru", [4, 5, 6, 1, 2, 3]),
        (b"ruo\0", [4, 5, 6, 1, 2, 3]),
        (b"ld\0", [3, 2, 1, 6, 5, 4]),
        (b"lu\0", [6, 5, 4, 3, 2, 1]),
        (b"", upright),
        (b"S=r,T=u\0", upright),
    ] {
        assert_eq!(texels(&[("KTXorientation", value)]), expected, "{value:?}");
        let others: &[(&str, &[u8])] = &[("A", b"ru"), ("KTXorientation", value), ("KTXwriter", b"x\0")];
        assert_eq!(texels(others), expected, "{value:?}");
    }
    // Blocks are turned, too: one block of BC1, red in its upper half and blue in its lower half.
    let block: &[u8] = &[0x00, 0xf8, 0x1f, 0x00, 0x00, 0x00, 0x55, 0x55];
    let ktx2 =
        Ktx2 { levels: &[block], keys: &[("KTXorientation", b"ru\0")], ..Ktx2::new(BC1_RGB_UNORM, 4, 4) };
    let Texels::Rgba8(texels) = read_bytes(&ktx2.bytes()).unwrap().texels else { panic!() };
    assert_eq!((texels[0], texels[15]), ([0, 0, 255, 255], [255, 0, 0, 255]));
}

/// Other mip levels may contain anything, because they are not read.
#[test]
fn only_the_first_image_is_read() {
    let images: Vec<u8> = (0..24).collect();
    let small: &[u8] = &[77; 6];
    for (size, layers, faces) in [([2, 2, 0], 6, 1), ([2, 2, 0], 0, 6), ([2, 2, 6], 0, 1)] {
        for zstd in [None, Some(5)] {
            let levels: &[&[u8]] = &[&images, small];
            let ktx2 = Ktx2 { size, layers, faces, zstd, levels, ..Ktx2::new(R8_UNORM, 2, 2) };
            let mut file = ktx2.bytes();
            assert_eq!(read_bytes(&file).unwrap().texels, Texels::Grey8(vec![0, 1, 2, 3]));
            let level_1 = u64::from_le_bytes(*file[offset::LEVEL_0 + 24..].first_chunk().unwrap()) as usize;
            file[level_1] ^= 0xff;
            assert_eq!(read_bytes(&file).unwrap().texels, Texels::Grey8(vec![0, 1, 2, 3]));
        }
    }
}

/// Returns `file` with a changed 32-bit field.
fn with(file: &[u8], field: usize, value: u32) -> Vec<u8> {
    let mut file = file.to_vec();
    file[field..field + 4].copy_from_slice(&value.to_le_bytes());
    file
}

#[track_caller]
fn fails(file: &[u8], kind: ErrorKind, message: &str) {
    let error = read_bytes(file).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
}

#[test]
fn what_is_not_supported_is_named() {
    let file = Ktx2 { levels: &[&[0; 16]], ..Ktx2::new(R8G8B8A8_UNORM, 2, 2) }.bytes();
    let unsupported = |file: &[u8], message: &str| fails(file, ErrorKind::Unsupported, message);
    let scheme = |number| with(&file, offset::SUPERCOMPRESSION, number);
    unsupported(&scheme(1), "KTX2: supercompression BasisLZ is not supported");
    unsupported(&scheme(3), "KTX2: supercompression ZLIB is not supported");
    unsupported(&scheme(9), "KTX2: supercompression 9 is not supported");
    for (model, name) in [(166, "UASTC"), (163, "ETC1S"), (0, "unspecified"), (200, "200")] {
        let levels: &[&[u8]] = &[&[0; 16]];
        let file = Ktx2 { levels, descriptor: [model, 1, 2, 0], ..Ktx2::new(0, 4, 4) }.bytes();
        let message = format!("KTX2: VK_FORMAT_UNDEFINED (colour model {name}) is not supported");
        unsupported(&file, &message);
    }
    let format = |number| with(&file, offset::VK_FORMAT, number);
    unsupported(&format(41), "KTX2: VK_FORMAT_R8G8B8A8_UINT is not supported");
    unsupported(&format(1_000_066_000), "KTX2: VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK is not supported");
    unsupported(&format(12345), "KTX2: VkFormat 12345 is not supported");
    unsupported(&with(&file, offset::HEIGHT, 0), "KTX2: a 1D texture (height 0) is not supported");
    let volumes = with(&with(&file, offset::DEPTH, 1), offset::LAYERS, 2);
    unsupported(&volumes, "KTX2: an array of 3D textures is not supported");
}

#[test]
fn keys_that_a_file_may_not_have_are_noted() {
    let zeros: &[u8] = &[0; 12];
    let keys: &[(&str, &[u8])] = &[
        ("KTXanimData", zeros),
        ("KTXglFormat", zeros),
        ("KTXmapRange", zeros),
        ("KTXo", b"rd\0"),
        ("KTXorientation", b"du\0"),
        ("KTXswizzle", b"rgbx\0"),
        ("ktx", b""),
        ("material", b"oak\0"),
    ];
    let file = Ktx2 { levels: &[&[9]], keys, ..Ktx2::new(R8_UNORM, 1, 1) }.bytes();
    let texture = Texture::read(Cursor::new(&file), &TextureReadOptions::default(), &Task::new()).unwrap();
    let kept: Vec<_> = texture.key_values().iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(kept, ["KTXanimData", "material"]);
    let unused = [
        r#"the KTX2 key "KTXorientation" is "du", which is not allowed; it counts as absent"#,
        r#"the KTX2 key "KTXswizzle" is "rgbx", which is not allowed; it counts as absent"#,
    ];
    let names = r#""KTXglFormat", "KTXmapRange", "KTXo", "ktx""#;
    let left_out = format!("KTX2 keys that no file of this format may have are ignored: {names}");
    assert_eq!(texture.notes(), [unused[0], unused[1], &left_out]);
    let info = container::info(Cursor::new(&file), &TextureReadOptions::default(), &Task::new()).unwrap();
    assert_eq!(info.notes, texture.notes());
    let picture = read(Cursor::new(&file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
    assert_eq!(picture.notes, unused);
}

#[test]
fn headers_of_formats_that_are_not_read_are_known() {
    let levels: &[&[u8]] = &[&[0; 64], &[0; 16]];
    let keys: &[(&str, &[u8])] = &[("KTXwriter", b"basisu\0"), ("bytes", &[0, 1])];
    let of = |format, descriptor| Ktx2 { levels, keys, descriptor, ..Ktx2::new(format, 8, 8) }.bytes();
    let header = |file: &[u8]| container::ktx2_header(Cursor::new(file));
    let found = header(&of(0, [166, 1, 2, 1])).unwrap();
    assert_eq!(
        (found.format_name.as_str(), found.size, found.mip_levels),
        ("Basis Universal UASTC", [8, 8, 1], 2)
    );
    assert_eq!((found.kind, found.layers, found.data_bytes), (TextureKind::D2, 1, 80));
    assert_eq!((found.color_space, found.is_premultiplied), (ColorSpace::Srgb, true));
    let pairs = [("KTXwriter", "basisu"), ("bytes", "2 bytes")];
    assert_eq!(found.key_values, pairs.map(|(key, value)| (key.to_owned(), value.to_owned())));
    let etc1s = with(&of(0, [163, 1, 1, 0]), offset::SUPERCOMPRESSION, 1);
    let found = header(&etc1s).unwrap();
    assert_eq!(found.format_name, "Basis Universal ETC1S");
    assert_eq!(found.supercompression.as_deref(), Some("BasisLZ"));
    assert_eq!(header(&of(157, [162, 1, 2, 0])).unwrap().format_name, "VK_FORMAT_ASTC_4x4_UNORM_BLOCK");
    assert_eq!(header(&of(0, [200, 1, 2, 0])).unwrap().format_name, "colour model 200");
    for length in 0..etc1s.len() {
        assert!(header(&etc1s[..length]).is_err(), "{length}");
    }
    assert_eq!(header(b"DDS ").unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let levels: &[&[u8]] = &[&[0; 16]];
    let keys: &[(&str, &[u8])] = &[("KTXorientation", b"rd\0")];
    let file = Ktx2 { levels, keys, ..Ktx2::new(R8G8B8A8_UNORM, 2, 2) }.bytes();
    read_bytes(&file).unwrap();
    let uncompressed = "the uncompressed length of a mip level is not what the shape needs (found 16)";
    let (all, length) = (u32::MAX, file.len() as u32);
    let pair = 80 + 24 + 28;
    for (field, value, at, reason) in [
        (offset::WIDTH, 0, 20, "the width is 0 (found 0)"),
        (offset::WIDTH, 3, 96, uncompressed),
        (offset::WIDTH, all, 96, uncompressed),
        (offset::HEIGHT, all, 96, uncompressed),
        (offset::DEPTH, all, 96, uncompressed),
        (offset::LAYERS, all, 96, uncompressed),
        (offset::FACES, 0, 36, "the face count is neither 1 nor 6 (found 0)"),
        (offset::FACES, 6, 96, uncompressed),
        (offset::LEVEL_0_BYTES, 17, 88, "the length of a mip level is not what the shape needs (found 17)"),
        (offset::LEVEL_0, 1 << 20, 1 << 20, "the file ends too early: 16 bytes are needed, 0 are there"),
        (
            offset::LEVEL_0,
            length - 15,
            length - 15,
            "the file ends too early: 16 bytes are needed, 15 are there",
        ),
        (offset::DESCRIPTOR, all, all, "the file ends too early: 28 bytes are needed, 0 are there"),
        (offset::DESCRIPTOR_BYTES, all, 52, "the data format descriptor is above 64 KiB (found 4294967295)"),
        (offset::DESCRIPTOR_BYTES, 4, 52, "the data format descriptor has no basic block (found 4)"),
        (offset::KEY_VALUES, all, all, "the file ends too early: 24 bytes are needed, 0 are there"),
        (offset::KEY_VALUE_BYTES, all, 60, "the key/value data is above 16 MiB (found 4294967295)"),
        (pair, 99, pair as u32, "a key/value pair is longer than the data (found 99)"),
        (pair, 3, pair as u32, "a key has no end (found 3)"),
    ] {
        let message = format!("KTX2, at about byte {at}: {reason}");
        fails(&with(&file, field, value), ErrorKind::Invalid, &message);
    }
    let error = read_bytes(&with(&file, offset::LEVELS, 30)).unwrap_err().to_string();
    assert!(error.ends_with(": 30 mip levels, but 2×2×1 has at most 2"), "{error}");
    let oblong = with(&with(&file, offset::FACES, 6), offset::WIDTH, 4);
    let error = read_bytes(&oblong).unwrap_err().to_string();
    assert!(error.ends_with(": the faces of a cube are not square"), "{error}");

    // Sizes and lengths that agree with each other, in a file of 180 bytes.
    let mut huge = with(&with(&file, offset::WIDTH, 1 << 31), offset::HEIGHT, 1 << 30);
    huge[offset::LEVEL_0_BYTES..][..8].copy_from_slice(&(1u64 << 63).to_le_bytes());
    huge[offset::LEVEL_0_UNCOMPRESSED_BYTES..][..8].copy_from_slice(&(1u64 << 63).to_le_bytes());
    let error = read_bytes(&huge).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    assert!(error.to_string().contains("9223372036854775808 bytes are needed, 16 are there"), "{error}");
}

/// Returns a file with `stream` in place of its compressed mip level.
fn with_stream(file: &[u8], stream: &[u8]) -> Vec<u8> {
    let at = u64::from_le_bytes(*file[offset::LEVEL_0..].first_chunk().unwrap()) as usize;
    let mut file = [&file[..at], stream].concat();
    file[offset::LEVEL_0_BYTES..][..8].copy_from_slice(&(stream.len() as u64).to_le_bytes());
    file
}

#[test]
fn bad_zstandard_data_is_an_error() {
    let texels: Vec<u8> = (0..64).collect();
    let levels: &[&[u8]] = &[&texels];
    // `most` is the size of 32768×32768 such texels in bytes.
    for (format, width, height, most) in
        [(R8G8B8A8_UNORM, 4, 4, 1u64 << 32), (BC1_RGB_UNORM, 14, 7, 1 << 29), (BC7_UNORM, 5, 7, 1 << 30)]
    {
        let file = Ktx2 { levels, zstd: Some(3), ..Ktx2::new(format, width, height) }.bytes();
        let plain = Ktx2 { levels, ..Ktx2::new(format, width, height) }.bytes();
        assert_eq!(read_bytes(&file).unwrap(), read_bytes(&plain).unwrap());
        let at = u64::from_le_bytes(*file[offset::LEVEL_0..].first_chunk().unwrap());
        let whole = &file[at as usize..];
        let packed = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
        for (stream, what) in [
            (vec![1; 30], "is damaged or ends early"),
            (whole[..whole.len() - 1].to_vec(), "is damaged or ends early"),
            (packed(&texels[..63]), "is damaged or ends early"),
            (packed(&[]), "is damaged or ends early"),
            (packed(&[&texels[..], &[0]].concat()), "holds more"),
            ([whole, &packed(&[0])].concat(), "holds more"),
            ([whole, &[1; 8]].concat(), "is damaged at its end"),
        ] {
            let message = format!(
                "KTX2, at about byte {at}: the Zstandard data of mip level 0 {what} \
                 (the shape needs 64 bytes)"
            );
            fails(&with_stream(&file, &stream), ErrorKind::Invalid, &message);
        }
        // A few bytes that claim a huge image.
        let mut bomb = with(&with(&file, offset::WIDTH, 1 << 15), offset::HEIGHT, 1 << 15);
        bomb[offset::LEVEL_0_UNCOMPRESSED_BYTES..][..8].copy_from_slice(&most.to_le_bytes());
        let error = read_bytes(&bomb).unwrap_err().to_string();
        assert!(
            error.starts_with("KTX2, at about byte 88: so few bytes cannot hold the mip level"),
            "{error}"
        );
    }
}

#[test]
fn memory_is_limited() {
    let texels = vec![9; 512 * 512 * 4];
    for zstd in [None, Some(3)] {
        let file = Ktx2 { levels: &[&texels], zstd, ..Ktx2::new(R8G8B8A8_UNORM, 512, 512) }.bytes();
        assert_eq!(read_with(&file, 1 << 20).unwrap_err().kind(), ErrorKind::Limit);
        read_with(&file, 4 << 20).unwrap();
    }
    // The stream's window counts, too, not only its output.
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_contentsize(false).unwrap();
    encoder.window_log(25).unwrap();
    encoder.write_all(&[5; 64]).unwrap();
    let stream = encoder.finish().unwrap();
    let file = Ktx2 { levels: &[&[5; 64]], zstd: Some(3), ..Ktx2::new(R8G8B8A8_UNORM, 4, 4) }.bytes();
    let file = with_stream(&file, &stream);
    assert_eq!(read_with(&file, 64 << 20).unwrap().texels, Texels::Rgba8(vec![[5; 4]; 16]));
    let error = read_with(&file, 16 << 20).unwrap_err();
    assert_eq!(error.to_string(), "needs more memory than the limit of 16 MiB");
    // Keys that take more than the whole limit.
    let value = vec![b'x'; 1 << 20];
    let keys: &[(&str, &[u8])] = &[("KTXwriter", &value)];
    let file = Ktx2 { levels: &[&[5; 64]], keys, ..Ktx2::new(R8G8B8A8_UNORM, 4, 4) }.bytes();
    assert_eq!(read_with(&file, 1 << 20).unwrap_err().kind(), ErrorKind::Limit);
    read_with(&file, 2 << 20).unwrap();
}

/// Returns small files with every part that a file may have.
fn small_files() -> Vec<Vec<u8>> {
    let keys: &[(&str, &[u8])] = &[("KTXorientation", b"lu\0"), ("KTXwriter", b"a test\0")];
    let texels: Vec<u8> = (0..48).collect();
    let mut files = Vec::new();
    for zstd in [None, Some(3)] {
        let two_levels: &[&[u8]] = &[&texels, &[1; 8]];
        files.push(Ktx2 { keys, zstd, levels: two_levels, ..Ktx2::new(R8G8B8A8_UNORM, 4, 3) }.bytes());
        let levels: &[&[u8]] = &[&texels];
        files.push(Ktx2 { keys, zstd, levels, faces: 6, ..Ktx2::new(BC1_RGB_UNORM, 3, 3) }.bytes());
        files.push(Ktx2 { keys, zstd, levels, layers: 3, ..Ktx2::new(BC7_UNORM, 4, 4) }.bytes());
        files.push(Ktx2 { keys, zstd, levels, size: [2, 1, 4], ..Ktx2::new(84, 0, 0) }.bytes());
    }
    files
}

#[test]
fn every_truncation_is_an_error() {
    for file in small_files() {
        read_bytes(&file).unwrap();
        for length in 0..file.len() {
            let error = read_bytes(&file[..length]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{length} of {}: {error}", file.len());
            assert!(!matches!(error, ImageReadError::Panicked { .. }), "{length} of {}", file.len());
        }
    }
}

#[test]
fn every_flipped_bit_is_read_or_an_error() {
    let mut errors = 0;
    for mut file in small_files() {
        for bit in 0..file.len() * 8 {
            file[bit / 8] ^= 1 << (bit % 8);
            match read_with(&file, 1 << 20) {
                Ok(picture) => {
                    let count = u64::from(picture.width) * u64::from(picture.height);
                    assert_eq!(picture.texels.texel_count() as u64, count, "bit {bit}");
                }
                Err(error) => {
                    assert!(!matches!(error, ImageReadError::Panicked { .. }), "bit {bit}");
                    assert_ne!(error.kind(), ErrorKind::Io, "bit {bit}: {error}");
                    errors += 1;
                }
            }
            file[bit / 8] ^= 1 << (bit % 8);
        }
    }
    assert!(errors > 1000, "{errors}");
}

/// Rec. 2020 and PQ in KTX2 are not converted.
#[test]
fn colours_of_a_ktx2_file_are_noted() {
    let levels: &[&[u8]] = &[&[9; 4]];
    let with = |colors: [u8; 2]| {
        let file = Ktx2 { levels, descriptor: [1, colors[0], colors[1], 0], ..Ktx2::new(37, 1, 1) };
        read_bytes(&file.bytes()).unwrap().notes
    };
    let notes = [
        "the primaries of the KTX2 file, 4, are not converted; Rec. 709 is assumed",
        "the transfer function of the KTX2 file, 10, is not applied",
    ];
    assert_eq!(with([4, 10]), notes);
    assert!([[0, 0], [1, 1], [1, 2]].into_iter().all(|colors| with(colors).is_empty()));
}
