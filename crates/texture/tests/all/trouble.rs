//! Small files based on public bug reports of other tools, each with the required result.

use brickwork_texture::{
    AlphaMode, ChannelType, DecodeOptions, ImageIndex, Task, Texture,
    container::{self, TextureReadOptions},
    half::f16,
    image_file::{DdsTenBitMasks, ImageReadError, ImageReadOptions, Picture, Texels, read},
};
use std::{io::Cursor, path::PathBuf};

fn bytes(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../test-data/trouble", name].iter().collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn try_picture(name: &str) -> Result<Picture, ImageReadError> {
    read(Cursor::new(bytes(name)), None, &ImageReadOptions::new(), &Task::new())
}

fn picture(name: &str) -> Picture {
    try_picture(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn texture(name: &str) -> Texture {
    let texture = Texture::read(Cursor::new(bytes(name)), &TextureReadOptions::new(), &Task::new());
    texture.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the texels to display of a texture's first image.
fn shown(texture: &Texture) -> Vec<[u8; 4]> {
    let options = DecodeOptions::new().with_display(true).with_channel_type(ChannelType::U8);
    let image = texture.decode(ImageIndex::default(), &options, &Task::new()).unwrap();
    image.into_texels().into_rgba8().unwrap()
}

fn rgba(picture: &Picture) -> Vec<[u8; 4]> {
    match &picture.texels {
        Texels::Grey8(texels) => texels.iter().map(|&v| [v, v, v, 255]).collect(),
        Texels::Rgb8(texels) => texels.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
        Texels::Rgba8(texels) => texels.clone(),
        other => panic!("{} bytes", other.byte_count()),
    }
}

#[test]
fn premultiplied_textures_become_straight() {
    let name = "w12_dds_dxt4.dds";
    let (texture, picture) = (texture(name), picture(name));
    assert_eq!(texture.desc().alpha_mode, AlphaMode::Premultiplied);
    assert_eq!(shown(&texture), rgba(&picture));
    assert!(picture.is_premultiplied);
    let stored = texture.decode(ImageIndex::default(), &DecodeOptions::new(), &Task::new()).unwrap();
    let stored = stored.into_texels().into_rgba8().unwrap();
    let mut changed = 0;
    for (stored, shown) in stored.iter().zip(rgba(&picture)) {
        let straight = |c: usize| (f64::from(stored[c]) * 255.0 / f64::from(stored[3])).round().min(255.0);
        if stored[3] != 0 {
            let expected = [0, 1, 2].map(|c| straight(c) as u8);
            assert_eq!([shown[0], shown[1], shown[2]], expected, "{stored:?}");
            changed += usize::from(expected != stored[..3]);
        }
    }
    assert!(changed > 0);
}

#[test]
fn plain_texels_of_a_premultiplied_dds_become_straight() {
    let name = "w12_dds_dx10_rgba8_premultiplied.dds";
    let (picture, file) = (picture(name), bytes(name));
    assert!(picture.is_premultiplied);
    for (stored, shown) in file[148..].as_chunks::<4>().0.iter().zip(rgba(&picture)) {
        assert_eq!(stored[3], shown[3]);
        if stored[3] > 0 {
            let expected = (f64::from(stored[0]) * 255.0 / f64::from(stored[3])).round().min(255.0);
            assert_eq!(f64::from(shown[0]), expected, "{stored:?}");
        }
    }
}

#[test]
fn stored_colours_are_kept_on_request() {
    let options = ImageReadOptions::new().with_stored_alpha(true);
    let stored = |name: &str| read(Cursor::new(bytes(name)), None, &options, &Task::new()).unwrap();
    for name in ["w12_dds_dxt4.dds", "w12_dds_dx10_rgba8_premultiplied.dds", "w11_tiff_associated_alpha.tif"]
    {
        let [divided, stored] = [picture(name), stored(name)];
        assert!(divided.is_premultiplied && divided.is_divided, "{name}");
        assert!(stored.is_premultiplied && !stored.is_divided, "{name}");
        let mut changed = 0;
        for (stored, divided) in rgba(&stored).into_iter().zip(rgba(&divided)) {
            assert_eq!(stored[3], divided[3], "{name}");
            let product = |color: u8| f64::from(color) * f64::from(stored[3]) / 255.0;
            // Colours that exceed alpha are clamped when they are divided.
            if stored[3] > 0 && stored[..3].iter().all(|&color| color <= stored[3]) {
                let is_near = |c: usize| (product(divided[c]) - f64::from(stored[c])).abs() <= 0.51;
                assert!((0..3).all(is_near), "{name}: {stored:?} {divided:?}");
            }
            changed += usize::from(stored != divided);
        }
        assert!(changed > 0, "{name}");
    }
    let texture = texture("w12_dds_dxt4.dds");
    let decoded = texture.decode(ImageIndex::default(), &DecodeOptions::new(), &Task::new()).unwrap();
    assert_eq!(decoded.into_texels().into_rgba8().unwrap(), rgba(&stored("w12_dds_dxt4.dds")));
    let file = bytes("w12_dds_dx10_rgba8_premultiplied.dds");
    assert_eq!(file[148..].as_chunks::<4>().0, rgba(&stored("w12_dds_dx10_rgba8_premultiplied.dds")));
    // Straight alpha stays as it is.
    let straight = "w11_tiff_expected_straight.tif";
    assert_eq!(stored(straight), picture(straight));
}

#[test]
fn blocks_and_images_are_turned_alike() {
    let (up, down) = (
        texture("w13_ktx2_bc7_orientation_ru.ktx2"),
        texture("w13_ktx2_bc7_orientation_rd_same_blocks.ktx2"),
    );
    assert_eq!(up.data(), down.data());
    let (up_texels, down_texels) = (shown(&up), shown(&down));
    let rows: Vec<_> = down_texels.chunks(12).rev().flatten().copied().collect();
    assert_eq!(up_texels, rows);
    assert_ne!(up_texels, down_texels);
    assert_eq!(rgba(&picture("w13_ktx2_bc7_orientation_ru.ktx2")), up_texels);
    // The orientation is written to the new file.
    let mut file = Vec::new();
    let (ktx2, options) = (container::ContainerFormat::Ktx2, container::TextureWriteOptions::new());
    up.write(&mut file, ktx2, &options, &Task::new()).unwrap();
    assert_eq!(Texture::read(Cursor::new(file), &TextureReadOptions::new(), &Task::new()).unwrap(), up);
    let dds = up.write(Vec::new(), container::ContainerFormat::Dds, &options, &Task::new());
    assert_eq!(dds.unwrap_err().to_string(), "an orientation in DDS is not supported");
}

#[test]
fn a_swizzle_makes_grey_with_alpha() {
    let name = "w14_ktx2_rg8_swizzle_rrrg.ktx2";
    let (picture, file) = (picture(name), bytes(name));
    let stored = file[file.len() - 2 * 12 * 8..].as_chunks::<2>().0;
    assert!(picture.has_alpha);
    assert_eq!(rgba(&picture), stored.iter().map(|&[v, a]| [v, v, v, a]).collect::<Vec<_>>());
}

#[test]
fn exif_of_webp_may_start_as_in_jpeg() {
    let picture = picture("w15_webp_exif_prefix_orientation6.webp");
    assert_eq!((picture.width, picture.height), (20, 30));
}

#[test]
fn rows_of_dds_may_be_padded() {
    let (padded, tight) =
        (picture("w16_dds_rgb24_w11_pitch36.dds"), picture("w16_dds_rgb24_w11_tight_expected.dds"));
    assert_eq!(padded.texels, tight.texels);
}

#[test]
fn luminance_with_the_flag_of_rgb_is_grey() {
    let name = "w17_dds_l8_luminance_and_rgb_flags.dds";
    let Texels::Grey8(texels) = picture(name).texels else { panic!("not grey") };
    assert_eq!(texels, bytes(name)[128..]);
}

#[test]
fn masks_of_ten_bits_are_swapped_unless_asked_for() {
    let name = "w18_dds_a2b10g10r10_d3dx_masks.dds";
    assert!(matches!(picture(name).texels, Texels::Rgba16(texels) if texels == [[65535, 0, 0, 65535]; 16]));
    let options = ImageReadOptions::new().with_dds_ten_bit_masks(DdsTenBitMasks::Stated);
    let stated = read(Cursor::new(bytes(name)), None, &options, &Task::new()).unwrap();
    assert!(matches!(stated.texels, Texels::Rgba16(texels) if texels == [[0, 0, 65535, 65535]; 16]));
}

#[test]
fn wrong_headers_of_dds_are_read_with_a_note() {
    for (name, part, note) in [
        (
            "r16_dds_cube_arraysize6.dds",
            Some("the first of 6 faces"),
            "the array size 6 counts faces, not cubes",
        ),
        ("r16_dds_mips_missing.dds", None, "the header promises 4 mip levels, the file has 1"),
        ("r16_dds_resource_dimension_0.dds", None, "the resource dimension is 0; the texture is read as 2D"),
    ] {
        let texture = texture(name);
        let desc = texture.desc();
        let notes = [note.to_owned()];
        assert_eq!((desc.layers, desc.mip_levels, texture.notes()), (1, 1, &notes[..]));
        let info =
            container::info(Cursor::new(bytes(name)), &TextureReadOptions::new(), &Task::new()).unwrap();
        assert_eq!((info.desc, info.notes), (*desc, vec![note.to_owned()]));
        let picture = picture(name);
        assert_eq!(rgba(&picture), shown(&texture), "{name}");
        // A picture does not count what the file lacks.
        assert_eq!((picture.part.as_deref(), &picture.notes[..]), (part, &notes[..]), "{name}");
    }
    let sound = bytes("w12_dds_dxt4.dds");
    let read =
        |file: &[u8]| Texture::read(Cursor::new(file), &TextureReadOptions::new(), &Task::new()).unwrap();
    // Sizes, and the flag of the four-CC.
    for (at, value) in [(4, 24), (76, 24), (76, 0), (80, 0)] {
        let mut file = sound.clone();
        file[at] = value;
        let texture = read(&file);
        assert_eq!((texture.data(), texture.notes().len()), (read(&sound).data(), 1), "{at}");
    }
    let mut file = bytes("r16_dds_resource_dimension_0.dds");
    file[80] = 0;
    assert_eq!(read(&file).notes()[0], "the flag of the four-CC is missing");
}

/// Width and height, tags other than the size, strip.
type TiffDirectory<'a> = ([u16; 2], &'a [(u16, u16)], &'a [u8]);

/// Returns a TIFF of one strip per directory.
fn tiff(directories: &[TiffDirectory<'_>]) -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    for (i, &([width, height], tags, strip)) in directories.iter().enumerate() {
        let strip_at = (file.len() + 2 + 12 * (tags.len() + 5) + 4) as u16;
        let usual = [(256, width), (257, height), (273, strip_at), (278, height), (279, strip.len() as u16)];
        let mut entries: Vec<(u16, u16)> = usual.into_iter().chain(tags.iter().copied()).collect();
        entries.sort_unstable();
        file.extend((entries.len() as u16).to_le_bytes());
        for (tag, value) in entries {
            file.extend([tag, 3, 1, 0, value, 0].into_iter().flat_map(u16::to_le_bytes));
        }
        let next = if i + 1 < directories.len() { u32::from(strip_at) + strip.len() as u32 } else { 0 };
        file.extend(next.to_le_bytes());
        file.extend(strip);
    }
    file
}

fn tiff_texels(directories: &[TiffDirectory<'_>]) -> Texels {
    let options = ImageReadOptions::new();
    read(Cursor::new(tiff(directories)), None, &options, &Task::new()).unwrap().texels
}

#[test]
fn tiff_grey_of_any_depth_is_read() {
    let grey =
        |bits, photometric, strip: &[u8]| tiff_texels(&[([3, 2], &[(258, bits), (262, photometric)], strip)]);
    assert_eq!(grey(1, 1, &[0b1010_0000, 0b0110_0000]), Texels::Grey8(vec![255, 0, 255, 0, 255, 255]));
    assert_eq!(grey(1, 0, &[0b1010_0000, 0b0110_0000]), Texels::Grey8(vec![0, 255, 0, 255, 0, 0]));
    assert_eq!(grey(2, 1, &[0b0001_1000, 0b1100_0000]), Texels::Grey8(vec![0, 85, 170, 255, 0, 0]));
    assert_eq!(grey(4, 0, &[0x0f, 0x10, 0x20, 0x30]), Texels::Grey8(vec![255, 0, 238, 221, 255, 204]));
    let twelve = [0x00, 0x0f, 0xff, 0x80, 0x00, 0x10, 0x01, 0x00, 0x20, 0x00];
    let scaled = |v: u32| ((v * 65535 + 2047) / 4095) as u16;
    assert_eq!(
        grey(12, 1, &twelve),
        Texels::Grey16([0, 0xfff, 0x800, 0x100, 0x100, 0x200].map(scaled).to_vec())
    );
}

#[test]
fn tiff_floats_and_grey_with_alpha_are_read() {
    let halves: Vec<u8> = [0x0000u16, 0x3800, 0x3c00, 0x4000, 0xbc00, 0x3400].map(u16::to_le_bytes).concat();
    let texels = tiff_texels(&[([3, 2], &[(258, 16), (262, 1), (339, 3)], &halves)]);
    let grey = |values: &[f32]| Texels::RgbF16(values.iter().map(|&v| [f16::from_f32(v); 3]).collect());
    assert_eq!(texels, grey(&[0.0, 0.5, 1.0, 2.0, -1.0, 0.25]));
    let floats: Vec<u8> = [0.0f32, 0.5, 2.0].map(f32::to_le_bytes).concat();
    let texels = tiff_texels(&[([3, 1], &[(258, 32), (262, 1), (339, 3)], &floats)]);
    assert_eq!(texels, grey(&[0.0, 0.5, 2.0]));
    let tags: &[(u16, u16)] = &[(258, 8), (262, 1), (277, 2), (338, 2)];
    let texels = tiff_texels(&[([2, 1], tags, &[10, 200, 30, 40])]);
    assert_eq!(texels, Texels::Rgba8(vec![[10, 10, 10, 200], [30, 30, 30, 40]]));
}

#[test]
fn tiff_thumbnails_before_the_picture_are_skipped() {
    let thumbnail: (_, &[(u16, u16)], &[u8]) = ([1, 1], &[(254, 1), (258, 8), (262, 1)], &[7]);
    let full: (_, &[(u16, u16)], &[u8]) = ([2, 1], &[(258, 8), (262, 1)], &[1, 2]);
    assert_eq!(tiff_texels(&[thumbnail, full]), Texels::Grey8(vec![1, 2]));
    assert_eq!(tiff_texels(&[thumbnail]), Texels::Grey8(vec![7]));
    let Texels::Grey16(texels) = picture("r12_tiff_thumbnails.tif").texels else { panic!("not grey") };
    assert_eq!(texels.len(), 37 * 26);
}

#[test]
fn tiff_bits_may_be_reversed() {
    let [expected, reversed] =
        ["w10_tiff_fillorder1_8bit_expected.tif", "w10_tiff_fillorder2_8bit.tif"].map(picture);
    assert_eq!(reversed.texels, expected.texels);
    let palette = |order, strip| tiff_texels(&[([2, 1], &[(258, 4), (262, 1), (266, order)], strip)]);
    assert_eq!(palette(2, &[0xf8]), palette(1, &[0x1f]));
}

#[test]
fn tiff_tiles_of_lzw_are_read_at_once() {
    let tiles = picture("../../crates/volume/test-data/trouble/f03_lzw_tiles.tif");
    assert_eq!(tiles.texels, Texels::Grey8(vec![7; 4096]));
}

#[test]
fn tiff_associated_alpha_becomes_straight() {
    let expected = picture("w11_tiff_expected_straight.tif");
    let straight = picture("w11_tiff_associated_alpha.tif");
    assert!(straight.is_premultiplied && !expected.is_premultiplied);
    for (expected, straight) in rgba(&expected).into_iter().zip(rgba(&straight)) {
        assert_eq!(expected[3], straight[3]);
        for c in 0..3 {
            // The file contains products without their fractions.
            let error = f64::from(expected[c].abs_diff(straight[c])) * f64::from(straight[3]) / 255.0;
            assert!(error <= 1.5, "{expected:?} {straight:?}");
        }
    }
}

#[test]
fn tiff_tiles_of_planes_are_read() {
    let picture = picture("p01_tiff_tiled_planar_panics.tif");
    let file = bytes("p01_tiff_tiled_planar_panics.tif");
    assert_eq!((picture.width, picture.height), (50, 40));
    // Texel (49, 39) is in the last tile of each plane, 3 · 3 + 3 of 4 × 3 tiles of 16 × 16.
    let tiles = tile_offsets(&file);
    let at = |plane: usize| file[tiles[plane * 12 + 11] + 7 * 16 + 1];
    assert_eq!(rgba(&picture)[39 * 50 + 49], [at(0), at(1), at(2), 255]);
    let at = |plane: usize| file[tiles[plane * 12 + 5] + 3 * 16 + 2];
    assert_eq!(rgba(&picture)[19 * 50 + 18], [at(0), at(1), at(2), 255]);
}

/// Returns the values of `TileOffsets` in a little-endian file.
fn tile_offsets(file: &[u8]) -> Vec<usize> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let short = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
    let directory = word(4);
    let entry = (0..short(directory)).map(|i| directory + 2 + 12 * i).find(|&at| short(at) == 324).unwrap();
    (0..word(entry + 4)).map(|i| word(word(entry + 8) + 4 * i)).collect()
}

#[test]
fn tiff_grey_of_four_bits_and_ycbcr_are_read() {
    let Texels::Grey8(texels) = picture("r11_tiff_grey_4bit.tif").texels else { panic!("not grey") };
    assert!(texels.iter().all(|texel| texel % 17 == 0) && texels.iter().any(|&texel| texel > 127));
    let picture = picture("r11_tiff_ycbcr_jpeg.tif");
    let texels = rgba(&picture);
    // Means of 8×8 texels in libjpeg's result.
    for ([left, top], expected) in [
        ([0, 0], [123.6, 131.8, 132.6]),
        ([16, 16], [116.1, 125.8, 123.1]),
        ([40, 24], [114.1, 135.4, 134.4]),
    ] {
        let rows = texels.chunks(50).skip(top).take(8);
        let square: Vec<_> = rows.flat_map(|row| &row[left..left + 8]).collect();
        for (c, expected) in expected.into_iter().enumerate() {
            let mean = square.iter().map(|texel| f64::from(texel[c])).sum::<f64>() / 64.0;
            assert!((mean - expected).abs() < 4.0, "{left} {top} {c}: {mean}");
        }
    }
}

#[test]
fn jpeg_tiles_may_be_larger_than_the_image() {
    // 40×20 texels in a tile of 64×64.
    let picture = picture("r11_tiff_tile_larger_than_image.tif");
    assert_eq!((picture.width, picture.height), (40, 20));
    for (i, texel) in rgba(&picture).into_iter().enumerate() {
        let [x, y] = [i % 40, i / 40].map(|place| place as i32);
        for (c, expected) in [6 * x, 12 * y, 4 * (x + y)].into_iter().enumerate() {
            assert!((i32::from(texel[c]) - expected).abs() <= 12, "{x} {y} {c}: {texel:?}");
        }
    }
}

#[test]
fn damaged_data_of_jpeg_are_noted() {
    assert_eq!(picture("w19_jpeg_sound.jpg").notes, [""; 0]);
    let sound: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/data/image_file"].iter().collect();
    let mut count = 0;
    for entry in std::fs::read_dir(sound).unwrap() {
        let path = entry.unwrap().path();
        let file = std::fs::read(&path).unwrap();
        if file.starts_with(&[0xff, 0xd8])
            && let Ok(picture) = read(Cursor::new(file), None, &ImageReadOptions::new(), &Task::new())
        {
            let notes: Vec<_> = picture.notes.iter().filter(|note| !note.starts_with("CMYK")).collect();
            assert_eq!(notes, [""; 0], "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 3, "{count}");
    let notes = picture("w19_jpeg_zeroed_run.jpg").notes;
    assert!(notes.len() == 1 && notes[0].starts_with("the data are damaged at about byte "), "{notes:?}");
}

#[test]
fn markers_of_a_sound_jpeg_may_be_anywhere() {
    let sound = bytes("w19_jpeg_sound.jpg");
    let end = sound.len() - 2;
    // Data are read in pieces of 64 KiB, starting at byte 2. A boundary may divide the last marker.
    for place in 65_536..65_540 {
        let mut file = sound[..2].to_vec();
        file.extend([0xff, 0xfe]);
        file.extend(((place - end - 2) as u16).to_be_bytes());
        file.resize(2 + place - end, 0);
        file.extend(&sound[2..]);
        let picture = read(Cursor::new(file), None, &ImageReadOptions::new(), &Task::new());
        assert_eq!(picture.expect("a picture").notes, [""; 0], "{place}");
    }
}
