//! Small files based on public bug reports of other tools, each with the required result.

use brickwork_image::image_file::{DdsTenBitMasks, ImageReadError, ImageReadOptions, Picture, Texels};
use brickwork_texture::{
    AlphaMode, ChannelType, DecodeOptions, ErrorKind, ImageIndex, Task, Texture,
    container::{self, TextureReadOptions},
    half::f16,
    pictures::read,
};
use std::{io::Cursor, path::PathBuf};

fn bytes(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../test-data/trouble", name].iter().collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn try_picture(name: &str) -> Result<Picture, ImageReadError> {
    read(Cursor::new(bytes(name)), None, &ImageReadOptions::default(), &Task::new())
}

fn picture(name: &str) -> Picture {
    try_picture(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn texture(name: &str) -> Texture {
    let texture = Texture::read(Cursor::new(bytes(name)), &TextureReadOptions::default(), &Task::new());
    texture.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the texels to display of a texture's first image.
fn shown(texture: &Texture) -> Vec<[u8; 4]> {
    let options = DecodeOptions::default().with(|o| {
        o.display = true;
        o.channel_type = Some(ChannelType::U8);
    });
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
    let stored = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
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
    let options = ImageReadOptions::default().with(|o| o.stored_alpha = true);
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
    let decoded = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new()).unwrap();
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
    let (ktx2, options) = (container::ContainerFormat::Ktx2, container::TextureWriteOptions::default());
    up.write(&mut file, ktx2, &options, &Task::new()).unwrap();
    assert_eq!(Texture::read(Cursor::new(file), &TextureReadOptions::default(), &Task::new()).unwrap(), up);
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
    let options = ImageReadOptions::default().with(|o| o.dds_ten_bit_masks = DdsTenBitMasks::Stated);
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
            container::info(Cursor::new(bytes(name)), &TextureReadOptions::default(), &Task::new()).unwrap();
        assert_eq!((info.desc, info.notes), (*desc, vec![note.to_owned()]));
        let picture = picture(name);
        assert_eq!(rgba(&picture), shown(&texture), "{name}");
        // A picture does not count what the file lacks.
        assert_eq!((picture.part.as_deref(), &picture.notes[..]), (part, &notes[..]), "{name}");
    }
    let sound = bytes("w12_dds_dxt4.dds");
    let read =
        |file: &[u8]| Texture::read(Cursor::new(file), &TextureReadOptions::default(), &Task::new()).unwrap();
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
    let options = ImageReadOptions::default();
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
    let tiles = picture("../../crates/formats/test-data/trouble/f03_lzw_tiles.tif");
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
            && let Ok(picture) = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new())
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
        let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new());
        assert_eq!(picture.expect("a picture").notes, [""; 0], "{place}");
    }
}

/// Returns the texel at these positions.
fn texel(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    rgba(picture)[(y * picture.width + x) as usize]
}

fn is_near(texel: [u8; 4], expected: [u8; 4], tolerance: u8) -> bool {
    texel.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= tolerance)
}

#[test]
fn the_orientation_of_exif_may_be_another_integer() {
    let jpeg = picture("t01_exif_long.jpg");
    assert_eq!((jpeg.width, jpeg.height), (24, 16));
    assert!(is_near(texel(&jpeg, 20, 4), [230, 30, 20, 255], 6), "{:?}", texel(&jpeg, 20, 4));
    let png = picture("t01_exif_slong.png");
    assert_eq!(texel(&png, 0, 0), [20, 60, 200, 255]);
    assert_eq!(texel(&png, 0, 23), [230, 30, 20, 255]);
    // TIFF has the same tag. Types: SHORT, SSHORT, LONG, SLONG.
    for kind in [3, 8, 4, 9] {
        let tags: &[(u16, u16)] = &[(258, 8), (262, 1), (274, 3)];
        let mut file = tiff(&[([2, 1], tags, &[1, 2])]);
        let entry = (0..file.len() - 2).find(|&at| file[at..].starts_with(&[18, 1, 3, 0])).unwrap();
        file[entry + 2] = kind;
        let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
        assert_eq!(picture.texels, Texels::Grey8(vec![2, 1]), "{kind}");
    }
}

#[test]
fn jfif_is_ycbcr_whatever_adobe_states() {
    let name = "t02_jfif_adobe0.jpg";
    let expected = [([4, 4], [200, 100, 50, 255]), ([20, 20], [40, 160, 220, 255])];
    for ([x, y], expected) in expected {
        let found = texel(&picture(name), x, y);
        assert!(is_near(found, expected, 2), "{found:?}");
    }
    // Without JFIF, the transform counts. Transforms without a meaning are YCbCr.
    let file = bytes(name);
    let at = |part: &[u8]| file.windows(part.len()).position(|window| window == part).unwrap();
    let (jfif, adobe) = (at(b"JFIF"), at(b"Adobe"));
    for (transform, is_jfif, is_ycbcr) in
        [(0, false, false), (1, false, true), (2, false, true), (7, false, true), (7, true, true)]
    {
        let mut file = file.clone();
        file[adobe + 11] = transform;
        if !is_jfif {
            file[jfif] = b'X';
        }
        let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
        let found = texel(&picture, 4, 4);
        assert_eq!(is_near(found, expected[0].1, 2), is_ycbcr, "{transform} {is_jfif}: {found:?}");
    }
}

#[test]
fn grey_jpeg_may_have_a_segment_of_adobe() {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/data/image_file/grey.jpg"].iter().collect();
    let file = std::fs::read(path).unwrap();
    let of = |file: &[u8]| read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
    for transform in 0..4 {
        let segment = [0xff, 0xee, 0, 14, b'A', b'd', b'o', b'b', b'e', 0, 100, 0, 0, 0, 0, transform];
        let marked = [&file[..2], &segment, &file[2..]].concat();
        assert_eq!(of(&marked).texels, of(&file).texels, "{transform}");
    }
}

#[test]
fn unread_processes_of_jpeg_are_named() {
    let error = try_picture("t03_lossless.jpg").unwrap_err();
    assert_eq!(
        (error.kind(), &*error.to_string()),
        (ErrorKind::Unsupported, "JPEG: lossless JPEG is not supported")
    );
    let sound = bytes("w19_jpeg_sound.jpg");
    let frame = sound.windows(3).position(|bytes| bytes == [0xff, 0xc0, 0]).unwrap();
    for (offset, byte, name) in [
        (1, 0xc5, "hierarchical JPEG"),
        (1, 0xc9, "JPEG with arithmetic coding"),
        (1, 0xf7, "JPEG-LS"),
        (4, 12, "JPEG of 12 bits per sample"),
    ] {
        let mut file = sound.clone();
        file[frame + offset] = byte;
        let error = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap_err();
        let expected = (ErrorKind::Unsupported, format!("JPEG: {name} is not supported"));
        assert_eq!((error.kind(), error.to_string()), expected);
    }
}

#[test]
fn alpha_of_tga_has_the_meaning_that_the_file_states() {
    let premultiplied = picture("t04_tga_premultiplied.tga");
    assert!(premultiplied.is_premultiplied && premultiplied.is_divided);
    for (i, found) in rgba(&premultiplied).into_iter().enumerate() {
        let alpha = match i as u32 % premultiplied.width {
            0..4 => 255,
            4..6 => 128,
            _ => 64,
        };
        assert!(found[3] == alpha && is_near(found, [200, 100, 50, alpha], 2), "{found:?}");
    }
    let undefined = picture("t05_tga_alpha_undefined.tga");
    assert!(rgba(&undefined).iter().all(|texel| *texel == [200, 100, 50, 255]) && !undefined.has_alpha);
    assert_eq!(undefined.notes, ["the extension area states that alpha is undefined; it is not read"]);
    let bit = picture("t06_tga16_alpha.tga");
    for (i, found) in rgba(&bit).into_iter().enumerate() {
        assert_eq!(found[3], if (i as u32 % bit.width) < 4 { 255 } else { 0 }, "{i}");
    }
    let palette = rgba(&picture("t07_tga_palette_attr8.tga"));
    let expected = [[200, 100, 50, 255], [40, 160, 220, 255], [10, 20, 30, 255], [250, 250, 0, 255]];
    assert_eq!(palette[..4], expected);
    assert!(palette.iter().all(|texel| texel[3] == 255));
}

#[test]
fn the_part_and_layer_with_the_picture_is_read_from_exr() {
    for (name, note) in [
        ("t08_exr_depth_part_first.exr", "the part "),
        ("t09_exr_xyz.exr", "a vector is read as red, green and blue: X, Y, Z"),
        ("t10_exr_blender_ao_first.exr", "the layer "),
        ("t11_exr_lowercase.exr", ""),
    ] {
        let picture = picture(name);
        let expected = [0.125, 0.25, 0.5];
        let is_expected = match &picture.texels {
            Texels::RgbF16(texels) => texels.iter().all(|texel| texel.map(f16::to_f64) == expected),
            Texels::RgbaF16(texels) => texels.iter().all(|texel| texel.map(f16::to_f64)[..3] == expected),
            _ => false,
        };
        assert!(is_expected, "{name}: {picture:?}");
        let has_note = picture.notes.iter().any(|found| found.starts_with(note));
        assert_eq!(has_note, !note.is_empty(), "{name}: {:?}", picture.notes);
    }
}

#[test]
fn negative_chromaticities_of_png_are_signed() {
    let picture = picture("t16_chrm_aces.png");
    let Texels::Rgb16(texels) = &picture.texels else { panic!("{picture:?}") };
    let found = |y: u32| texels[(y * picture.width) as usize].map(|word| f64::from(word) / 257.0);
    for (y, expected) in [(0, [150.0, 97.0, 49.0]), (7, [0.0, 106.0, 122.0])] {
        let is_near = found(y).iter().zip(expected).all(|(a, b): (&f64, f64)| (a - b).abs() <= 1.0);
        assert!(is_near, "{y}: {:?}", found(y));
    }
    assert!(picture.notes[0].contains("ACES AP0"), "{:?}", picture.notes);
}

#[test]
fn tiff_grey_beside_other_channels_is_read() {
    let grey = picture("t21_grey_extra0.tif");
    let Texels::Grey8(texels) = &grey.texels else { panic!("{grey:?}") };
    assert_eq!(texels[..3], [127, 169, 206]);
    assert_eq!(grey.notes, ["a channel that is neither colour nor alpha is left out"]);
    // Bits, photometric interpretation, channels, kind of the first extra channel.
    let of = |tags: [u16; 4], strip: &[u8]| {
        let [bits, photometric, channels, extra] = tags;
        let tags = [(258, bits), (262, photometric), (277, channels), (338, extra)];
        tiff_texels(&[([2, 1], &tags, strip)])
    };
    assert_eq!(of([8, 1, 2, 0], &[10, 200, 30, 40]), Texels::Grey8(vec![10, 30]));
    assert_eq!(of([8, 0, 2, 0], &[10, 200, 30, 40]), Texels::Grey8(vec![245, 225]));
    assert_eq!(of([8, 1, 3, 0], &[10, 1, 2, 30, 3, 4]), Texels::Grey8(vec![10, 30]));
    assert_eq!(of([4, 1, 2, 0], &[0x19, 0x28]), Texels::Grey8(vec![17, 34]));
    let deep = of([16, 1, 2, 0], &[1, 0, 9, 9, 2, 0, 9, 9]);
    assert_eq!(deep, Texels::Grey16(vec![1, 2]));
    assert_eq!(
        of([8, 1, 3, 2], &[10, 200, 9, 30, 40, 9]),
        Texels::Rgba8(vec![[10, 10, 10, 200], [30, 30, 30, 40]])
    );
    // Alpha beside grey whose 0 is white.
    assert_eq!(
        of([8, 0, 2, 2], &[10, 200, 30, 40]),
        Texels::Rgba8(vec![[245, 245, 245, 200], [225, 225, 225, 40]])
    );
}

#[test]
fn jpeg_may_lack_its_last_marker_but_no_texel() {
    let name = "t22_no_eoi.jpg";
    let picture = picture(name);
    assert_eq!(picture.notes, ["the marker at the end of the file is missing; no texel is"]);
    let file = bytes(name);
    let of = |file: &[u8]| read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new());
    let whole = of(&[&file[..], &[0xff, 0xd9]].concat()).unwrap();
    assert_eq!((&whole.texels, whole.notes.len()), (&picture.texels, 0));
    assert!(rgba(&picture).iter().any(|&texel| is_near(texel, [200, 100, 50, 255], 2)));
    assert!(rgba(&picture).iter().any(|&texel| is_near(texel, [40, 160, 220, 255], 2)));
    // Half of the marker.
    assert_eq!(of(&[&file[..], &[0xff]].concat()).unwrap().texels, picture.texels);
    for missing in 2..20 {
        let error = of(&file[..file.len() - missing]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{missing}");
    }
    // A progressive file lacks texels if it lacks a scan.
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests/data/image_file/progressive.jpg"].iter().collect();
    let file = std::fs::read(path).unwrap();
    assert!(file.ends_with(&[0xff, 0xd9]));
    let cut = of(&file[..file.len() - 2]).unwrap();
    assert_eq!((&cut.texels, cut.notes.len()), (&of(&file).unwrap().texels, 1));
    let last_scan = file.windows(2).rposition(|bytes| bytes == [0xff, 0xda]).unwrap();
    assert!(of(&file[..last_scan]).is_err());
}

#[test]
fn png_may_lack_its_last_chunk_but_no_texel() {
    for name in ["t01_exif_slong.png", "t16_chrm_aces.png", "w21_normal_map.png"] {
        let file = bytes(name);
        let of = |file: &[u8]| read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new());
        let whole = of(&file).unwrap();
        for missing in 5..=16 {
            let picture =
                of(&file[..file.len() - missing]).unwrap_or_else(|error| panic!("{missing}: {error}"));
            assert_eq!(picture.texels, whole.texels, "{missing}");
            let note = "the chunk at the end of the file is missing; no texel is";
            assert!(picture.notes.iter().any(|found| found == note), "{missing}: {:?}", picture.notes);
        }
        let error = of(&file[..file.len() - 17]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        // The check sum of the data is wrong.
        let mut damaged = file[..file.len() - 12].to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(of(&damaged).is_err());
    }
}
