//! TIFF stacks whose pages are not simply grey slices: palettes, thumbnails, one directory for all images,
//! tifffile's shapes, few bits, halves. Files in `test-data/trouble` were constructed after public bug
//! reports.

use brickwork_formats::{OpenedVolume, VolumeOpenOptions, open, tiff_stack};
use brickwork_volume::{Dims, Task, VoxelType};
use std::{
    io::{Cursor, Read as _},
    path::{Path, PathBuf},
};
use tiff::{
    encoder::{TiffEncoder, colortype::Gray8},
    tags::Tag,
};

fn trouble(name: &str) -> PathBuf {
    let folders = ["test-data/trouble", "../../test-data/trouble"];
    let paths = folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name));
    paths.into_iter().find(|path| path.exists()).expect("a file of the tests")
}

/// The volume and its voxels, or the text of the error.
fn read(path: &Path) -> Result<(OpenedVolume, Vec<u8>), String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let mut volume = open(path, &VolumeOpenOptions::default(), &Task::new()).map_err(|error| text(&error))?;
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).map_err(|error| text(&error))?;
    Ok((volume, bytes))
}

fn notes(volume: &OpenedVolume) -> Vec<String> {
    volume.notes.iter().map(ToString::to_string).collect()
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|word| u16::from_ne_bytes(*word)).collect()
}

/// The number in a place of the volumes in `test-data/trouble`.
fn number(place: usize) -> u16 {
    (place * 37 % 60_000) as u16
}

const DIMS: Dims = Dims::new(37, 26, 5);

#[test]
fn one_directory_may_describe_all_images() {
    let (volume, bytes) = read(&trouble("r12_imagej_one_ifd.tif")).expect("five images");
    assert_eq!((volume.header.dims, volume.header.spacing.z), (DIMS, 0.0025));
    assert!(words(&bytes) == (0..37 * 26 * 5).map(number).collect::<Vec<_>>());
    assert_eq!(notes(&volume), [""; 0]);
    // Less than all images.
    let file = std::fs::read(trouble("r12_imagej_one_ifd.tif")).expect("a file");
    let folder = tempfile::tempdir().expect("a folder");
    let cut = folder.path().join("cut.tif");
    std::fs::write(&cut, &file[..file.len() - 700]).expect("a file");
    let error = read(&cut).expect_err("four images and a part");
    assert!(error.contains("a stack of 5 images in 1 pages"), "{error}");
}

#[test]
fn thumbnails_are_no_slices() {
    let (volume, bytes) = read(&trouble("r12_tiff_thumbnails.tif")).expect("five images");
    assert_eq!(volume.header.dims, DIMS);
    assert!(words(&bytes) == (0..37 * 26 * 5).map(number).collect::<Vec<_>>());
    assert_eq!(notes(&volume), ["left out: 5 thumbnails among the pages"]);
}

#[test]
fn indices_of_a_palette_are_kept() {
    let (volume, bytes) = read(&trouble("r12_tiff_palette_stack.tif")).expect("five images");
    assert_eq!((volume.header.dims, volume.header.voxel_type), (DIMS, VoxelType::U8));
    assert!(bytes == (0..37 * 26 * 5).map(|place| number(place) as u8).collect::<Vec<_>>());
    assert!(matches!(&notes(&volume)[..], [note] if note.contains("indices of a palette")));
    let metadata: serde_json::Value = serde_json::from_str(&volume.header.metadata).expect("JSON");
    let palette = metadata["tiff"]["palette"].as_array().expect("colours");
    assert_eq!(
        (palette.len(), palette[0].as_str(), palette[1].as_str()),
        (256, Some("0050a0"), Some("0050a0"))
    );
}

/// Some programs write colour maps of 8 bits.
#[test]
fn colour_maps_may_have_8_bits() {
    let path = trouble("r12_tiff_palette_stack.tif");
    let colors = |path: &Path| {
        let metadata: serde_json::Value =
            serde_json::from_str(&read(path).expect("five images").0.header.metadata).expect("JSON");
        metadata["tiff"]["palette"].clone()
    };
    let mut file = std::fs::read(&path).expect("a file");
    // The field has 768 numbers of 16 bits, at an offset.
    let field = [0x40, 1, 3, 0, 0, 3, 0, 0];
    let fields = file.windows(12).filter(|bytes| bytes.starts_with(&field));
    let offset = |bytes: &[u8]| u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
    let mut offsets: Vec<usize> = fields.map(offset).collect();
    offsets.sort_unstable();
    offsets.dedup();
    assert!(!offsets.is_empty());
    for offset in offsets {
        for part in file[offset..offset + 2 * 768].as_chunks_mut::<2>().0 {
            *part = [part[1], 0];
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let narrow = folder.path().join("a.tif");
    std::fs::write(&narrow, file).expect("a file");
    assert_eq!(colors(&narrow), colors(&path));
}

#[test]
fn tifffile_states_channels_slices_and_frames() {
    let (volume, bytes) = read(&trouble("w23_tifffile_shaped_TZCYX.tif")).expect("thirty images");
    let header = &volume.header;
    assert_eq!((header.dims, header.channels, header.frames), (DIMS, 2, 3));
    let voxel = |frame: usize, place: usize, channel: usize| {
        number(place) + 1000 * frame as u16 + 100 * channel as u16
    };
    let voxels = (0..3).flat_map(|t| (0..37 * 26 * 5).flat_map(move |i| [voxel(t, i, 0), voxel(t, i, 1)]));
    assert!(words(&bytes) == voxels.collect::<Vec<_>>());
}

/// A file of `count` pages of 2×1, which contain their number. The first is described.
fn stack(description: &str, count: u8) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).expect("memory");
    for page in 0..count {
        let mut image = encoder.new_image::<Gray8>(2, 1).expect("memory");
        if page == 0 {
            image.encoder().write_tag(Tag::ImageDescription, description).expect("memory");
        }
        image.write_data(&[page, page]).expect("memory");
    }
    bytes.into_inner()
}

#[test]
fn axes_of_a_shape_have_any_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    let read = |text: &str, count| {
        std::fs::write(&path, stack(text, count)).expect("a file");
        read(&path)
    };
    let shape = |volume: &OpenedVolume| {
        let header = &volume.header;
        [header.channels, header.dims.z, header.frames]
    };
    let (volume, bytes) = read(r#"{"shape": [2, 3, 1, 2], "axes": "CZYX"}"#, 6).expect("six pages");
    assert_eq!((shape(&volume), &bytes[..8]), ([2, 3, 1], &[0, 3, 0, 3, 1, 4, 1, 4][..]));
    let (volume, bytes) = read(r#"{"shape": [2, 1, 2, 1, 2], "axes": "ZQTYX"}"#, 4).expect("four pages");
    assert_eq!((shape(&volume), &bytes[..]), ([1, 2, 2], &[0, 0, 2, 2, 1, 1, 3, 3][..]));
    // Without names of the axes.
    let (volume, _) = read(r#"{"shape": [2, 3, 1, 2]}"#, 6).expect("six pages");
    assert_eq!(shape(&volume), [1, 6, 1]);
    assert!(notes(&volume)[0].contains("[2,3,1,2] are not named"), "{:?}", notes(&volume));
    let (volume, _) = read(r#"{"shape": [1, 2]}"#, 6).expect("a series of each page");
    assert_eq!((shape(&volume), volume.notes.len()), ([1, 6, 1], 0));
    let text = r#"{"shape": [6, 1, 2], "axes": "ZYX", "unit": "um", "spacing": 2.5}"#;
    let (volume, _) = read(text, 6).expect("six pages");
    assert_eq!(volume.header.spacing.z, 0.0025);
    for (text, want) in [
        (r#"{"shape": [3, 1, 2], "axes": "ZYX"}"#, "the shape [3,1,2] by its text"),
        (r#"{"shape": [6, 1, 7], "axes": "ZYX"}"#, "the shape [6,1,7] by its text"),
        (r#"{"shape": [6, 1, 2], "axes": "QYX"}"#, "the axes \"Q\""),
        (r#"{"shape": [2, 3, 1, 2], "axes": "ZZYX"}"#, "the axes \"ZZ\""),
    ] {
        let error = read(text, 6).expect_err(text);
        assert!(error.contains(want), "{error}");
    }
    let vast = format!(r#"{{"shape": [{}, 1, 2], "axes": "ZYX"}}"#, u64::MAX / 4);
    assert!(read(&vast, 1).is_err_and(|error| error.contains("images in 1 pages")));
}

/// A little-endian file of one page, whose rows follow its directory.
fn page(size: [u16; 2], bits: u16, fields: &[(u16, u16)], data: &[u8]) -> Vec<u8> {
    let mut entries = vec![(256, size[0]), (257, size[1]), (258, bits), (259, 1), (262, 1)];
    entries.extend([(277, 1), (278, size[1])]);
    for &(tag, value) in fields {
        entries.retain(|entry| entry.0 != tag);
        entries.push((tag, value));
    }
    let start = 8 + 2 + 12 * (entries.len() + 2) + 4;
    entries.extend([(273, start as u16), (279, data.len() as u16)]);
    entries.sort_unstable();
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend((entries.len() as u16).to_le_bytes());
    for (tag, value) in entries {
        file.extend(
            [tag.to_le_bytes(), 3u16.to_le_bytes(), [1, 0], [0, 0], value.to_le_bytes(), [0, 0]].concat(),
        );
    }
    file.extend([0; 4]);
    file.extend(data);
    file
}

#[test]
fn masks_and_orientations_are_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    let noted = |name: &str, file: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, file).expect("a file");
        let (volume, bytes) = read(&path).expect("a page");
        (notes(&volume), bytes)
    };
    for value in [0, 1, 9] {
        assert!(noted("a.tif", &page([2, 1], 8, &[(274, value)], &[1, 2])).0.is_empty(), "{value}");
    }
    for value in 2..=8 {
        let want = format!("Orientation is {value}: the voxels are as stored, not turned");
        assert_eq!(noted("a.tif", &page([2, 1], 8, &[(274, value)], &[1, 2])), (vec![want], vec![1, 2]));
    }
    // Two pages, of which the second is a mask, or a thumbnail, or both.
    for (subfile, what) in [(4, "masks"), (1, "thumbnails"), (5, "masks")] {
        let mut file = page([2, 1], 8, &[], &[1, 2]);
        let mut second = page([2, 1], 8, &[(254, subfile), (274, 3)], &[3, 4]);
        // The second directory has the voxels of the first.
        let (end, at) = (8 + 2 + 12 * 9, file.len() as u32);
        file[end..end + 4].copy_from_slice(&at.to_le_bytes());
        file.extend(second.drain(8..));
        let want = format!("left out: 1 {what} among the pages");
        assert_eq!(noted("b.tif", &file), (vec![want], vec![1, 2]), "{subfile}");
    }
}

#[test]
fn few_bits_halves_and_reversed_bits_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    let read = |file: Vec<u8>| {
        std::fs::write(&path, file).expect("a file");
        read(&path).map(|(volume, bytes)| (volume.header.voxel_type, bytes, volume.notes.len()))
    };
    let bits = page([10, 2], 1, &[], &[0b1010_0000, 0b0100_0000, 0b0000_0001, 0b1000_0000]);
    let want = vec![1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0];
    assert_eq!(read(bits), Ok((VoxelType::U8, want, 0)));
    // Stored numbers stay where 0 is white, with a note.
    assert_eq!(read(page([3, 1], 8, &[(262, 0)], &[0, 7, 255])), Ok((VoxelType::U8, vec![0, 7, 255], 1)));
    let halves = page([2, 1], 16, &[(339, 3)], &[0x00, 0x3c, 0x00, 0xc0]);
    let want = [0x3c00u16, 0xc000].map(u16::to_ne_bytes).concat();
    assert_eq!(read(halves), Ok((VoxelType::F16, want, 0)));
    assert_eq!(read(page([2, 1], 8, &[(266, 2)], &[0x80, 0x03])), Ok((VoxelType::U8, vec![1, 0xc0], 0)));
    // PackBits: one byte that follows twice. Its bits are reversed before it is unpacked.
    let packed = [0xffu8, 0x05].map(u8::reverse_bits);
    let read_packed = read(page([2, 1], 8, &[(266, 2), (259, 32773)], &packed));
    assert_eq!(read_packed, Ok((VoxelType::U8, vec![5, 5], 0)));
    let four = trouble("r11_tiff_grey_4bit.tif");
    let volume = tiff_stack::open(&four, &Task::new()).expect("grey");
    assert_eq!((volume.header.dims, volume.header.voxel_type), (Dims::new(16, 16, 1), VoxelType::U8));
    let bytes = self::read(&four).expect("grey").1;
    assert!(bytes == (0..256).map(|i| i as u8 % 16).collect::<Vec<_>>());
    let [reversed, plain] = ["fillorder2_8bit", "fillorder1_8bit_expected"]
        .map(|name| self::read(&trouble(&format!("w10_tiff_{name}.tif"))).expect("grey").1);
    assert!(reversed == plain);
}

/// Grey of 9 to 15 bits is packed within a row.
#[test]
fn grey_of_twelve_bits_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    let read = |file: Vec<u8>| {
        std::fs::write(&path, file).expect("a file");
        read(&path).map(|(volume, bytes)| (volume.header.dims, words(&bytes)))
    };
    let rows = [0xab, 0xc1, 0x23, 0xff, 0xf0, 0x00, 0x18, 0x00, 0x7f, 0xf0];
    let want = vec![0xabc, 0x123, 0xfff, 1, 0x800, 0x7ff];
    let dims = Dims::new(3, 2, 1);
    assert_eq!(read(page([3, 2], 12, &[], &rows)), Ok((dims, want.clone())));
    // Where 0 is white, and where the lowest bit of a byte is the first.
    assert_eq!(read(page([3, 2], 12, &[(262, 0)], &rows)), Ok((dims, want.clone())));
    assert_eq!(read(page([3, 2], 12, &[(266, 2)], &rows.map(u8::reverse_bits))), Ok((dims, want)));
    let tens = page([3, 1], 10, &[], &[0b1100_0000, 0b0100_0000, 0b0010_1111, 0b1111_1100]);
    assert_eq!(read(tens), Ok((Dims::new(3, 1, 1), vec![0x301, 2, 0x3ff])));
    // A predictor, signed numbers, and a row whose bytes the field of the width cannot count.
    for fields in [(317, 2), (339, 2), (256, 60_000)] {
        assert!(read(page([3, 2], 12, &[fields], &rows)).is_err(), "{fields:?}");
    }
}

/// A file in which a field has several values, which follow all other bytes if they do not fit.
fn with_values(mut file: Vec<u8>, tag: u16, values: &[u16]) -> Vec<u8> {
    let [low, high] = tag.to_le_bytes();
    let field = file.windows(4).position(|bytes| bytes == [low, high, 3, 0]).expect("the field");
    let end = file.len() as u32;
    file[field + 4] = values.len() as u8;
    let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    if values.len() <= 4 {
        file[field + 8..][..values.len()].copy_from_slice(&values);
    } else {
        file[field + 8..][..4].copy_from_slice(&end.to_le_bytes());
        file.extend(values);
    }
    file
}

/// Channels of fewer than 8 and of 9 to 15 bits are packed within a row, side by side or in planes.
#[test]
fn channels_of_twelve_bits_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    let read = |file: Vec<u8>| {
        std::fs::write(&path, file).expect("a file");
        read(&path).map(|(volume, bytes)| (volume.header.dims, volume.header.channels, bytes))
    };
    // Two rows of one voxel of three numbers.
    let rows = [0xab, 0xc1, 0x23, 0xff, 0xf0, 0x00, 0x18, 0x00, 0x7f, 0xf0];
    let words: Vec<u8> = [0xabcu16, 0x123, 0xfff, 1, 0x800, 0x7ff].map(u16::to_ne_bytes).concat();
    let want = Ok((Dims::new(1, 2, 1), 3, words));
    let page_of = |size, depths: &[u16], fields: &[(u16, u16)], data: &[u8]| {
        let fields = [fields, &[(277, depths.len() as u16)]].concat();
        with_values(page(size, depths[0], &fields, data), 258, depths)
    };
    assert_eq!(read(page_of([1, 2], &[12; 3], &[(262, 2)], &rows)), want);
    // One depth for all channels, and channels without a colour.
    assert_eq!(read(page([1, 2], 12, &[(262, 2), (277, 3)], &rows)), want);
    assert_eq!(read(page_of([1, 2], &[12; 3], &[], &rows)), want);
    // Three planes of two rows each.
    let planes = [0xab, 0xc0, 0x00, 0x10, 0x12, 0x30, 0x80, 0x00, 0xff, 0xf0, 0x7f, 0xf0];
    let planes = page_of([1, 2], &[12; 3], &[(262, 2), (284, 2)], &planes);
    let start =
        planes.windows(4).position(|bytes| bytes == [0xab, 0xc0, 0x00, 0x10]).expect("the planes") as u16;
    let planes = with_values(with_values(planes, 273, &[start, start + 4, start + 8]), 279, &[4; 3]);
    assert_eq!(read(planes), want);
    let fours = page_of([2, 1], &[4; 4], &[(262, 2), (338, 2)], &[0x12, 0x34, 0xab, 0xcd]);
    assert_eq!(read(fours), Ok((Dims::new(2, 1, 1), 4, vec![1, 2, 3, 4, 10, 11, 12, 13])));
    let fives = page([3, 1], 5, &[], &[0b1010_1000, 0b0111_1110]);
    assert_eq!(read(fives), Ok((Dims::new(3, 1, 1), 1, vec![21, 1, 31])));
    for (fields, depths) in [
        (&[(262, 2), (317, 2)][..], &[12; 3][..]),
        (&[(262, 2), (339, 2)], &[12; 3]),
        (&[(262, 2)], &[12, 10, 12]),
        (&[(262, 2), (338, 0)], &[12; 4]),
        (&[(262, 5)], &[12; 4]),
    ] {
        assert!(read(page_of([1, 2], depths, fields, &rows)).is_err(), "{fields:?}");
    }
}

/// The last read of the tile skips the two voxels that are outside. At the end of the data, weezl 0.1 reports
/// no progress for such a read.
#[test]
fn tiles_of_lzw_may_end_outside_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    let number = |x: usize, y: usize| (x * 7 + y * 31) as u8;
    // Codes of 9 bits for single bytes. A clear code before each row keeps them at 9 bits.
    let row = |y| [256].into_iter().chain((0..16).map(move |x| u16::from(number(x, y))));
    let codes: Vec<u16> = (0..16).flat_map(row).chain([257]).collect();
    let mut data = vec![0u8; (codes.len() * 9).div_ceil(8)];
    for i in 0..codes.len() * 9 {
        data[i / 8] |= ((codes[i / 9] >> (8 - i % 9) & 1) as u8) << (7 - i % 8);
    }
    let mut file = page([14, 16], 8, &[(259, 5), (322, 16), (323, 16)], &data);
    // The position and the length of the strip become those of the tile.
    for (strip, tile) in [(273u16, 324u16), (279, 325)] {
        let ([low, high], tile) = (strip.to_le_bytes(), tile.to_le_bytes());
        let field = file.windows(4).position(|bytes| bytes == [low, high, 3, 0]).expect("the field");
        file[field..field + 2].copy_from_slice(&tile);
    }
    std::fs::write(&path, file).expect("a file");
    let (volume, bytes) = read(&path).expect("a page");
    assert_eq!(volume.header.dims, Dims::new(14, 16, 1));
    assert!(bytes == (0..14 * 16).map(|i| number(i % 14, i / 14)).collect::<Vec<_>>());
}

#[test]
fn jpeg_tiles_may_be_larger_than_the_page() {
    // 40×20 voxels in a tile of 64×64.
    let (volume, bytes) = read(&trouble("r11_tiff_tile_larger_than_image.tif")).expect("a page");
    assert_eq!((volume.header.dims.x, volume.header.dims.y, volume.header.channels), (40, 20, 3));
    for (i, voxel) in bytes.chunks_exact(3).enumerate() {
        let [x, y] = [i % 40, i / 40].map(|place| place as i32);
        for (c, expected) in [6 * x, 12 * y, 4 * (x + y)].into_iter().enumerate() {
            assert!((i32::from(voxel[c]) - expected).abs() <= 12, "{x} {y} {c}: {voxel:?}");
        }
    }
}

#[test]
fn ycbcr_becomes_rgb() {
    let (volume, bytes) = read(&trouble("r11_tiff_ycbcr_jpeg.tif")).expect("colours");
    let header = &volume.header;
    assert_eq!((header.channels, header.voxel_type, header.dims.x), (3, VoxelType::U8, 50));
    assert_eq!(notes(&volume), ["colours are stored as YCbCr and converted to RGB"]);
    // Means of 8×8 voxels in libjpeg's result.
    for ([left, top], expected) in [([0, 0], [123.6, 131.8, 132.6]), ([40, 24], [114.1, 135.4, 134.4])] {
        for (channel, expected) in expected.into_iter().enumerate() {
            let at = |i: usize| 3 * (left + i % 8 + header.dims.x * (top + i / 8)) + channel;
            let mean = (0..64).map(|i| f64::from(bytes[at(i)])).sum::<f64>() / 64.0;
            assert!((mean - expected).abs() < 4.0, "{left} {top} {channel}: {mean}");
        }
    }
}
