//! DICOM segmentations of one bit (PS3.3, A.51), palettes (PS3.3, C.7.6.3.1.5) and YBR colours.

use crate::dicom_file::{element, start};
use brickwork_formats::{Note, OpenedVolume, VolumeOpenOptions, dicom};
use brickwork_volume::{Dims, Task, VoxelKind, VoxelType};
use std::{fs, io::Read as _};

fn us(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn sequence(group: u16, number: u16, items: &[Vec<u8>]) -> Vec<u8> {
    let items: Vec<u8> = items
        .iter()
        .flat_map(|item| [&[0xfe, 0xff, 0, 0xe0], &(item.len() as u32).to_le_bytes()[..], item].concat())
        .collect();
    element(group, number, b"SQ", &items)
}

/// Group 0028 of images of 5×3.
fn image(color: &[u8], bits: u16, frames: usize, more: &[u8]) -> Vec<u8> {
    let mut file = element(0x28, 2, b"US", &us(&[1]));
    file.extend(element(0x28, 4, b"CS", color));
    file.extend(element(0x28, 8, b"IS", frames.to_string().as_bytes()));
    file.extend(element(0x28, 0x10, b"US", &us(&[3])));
    file.extend(element(0x28, 0x11, b"US", &us(&[5])));
    file.extend(element(0x28, 0x100, b"US", &us(&[bits])));
    file.extend(element(0x28, 0x101, b"US", &us(&[bits])));
    file.extend(element(0x28, 0x102, b"US", &us(&[bits - 1])));
    file.extend(element(0x28, 0x103, b"US", &us(&[0])));
    file.extend(more);
    file
}

fn read(file: &[u8]) -> Result<(OpenedVolume, Vec<u8>), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.dcm");
    fs::write(&path, file).expect("a file");
    let opened = dicom::open(&path, &VolumeOpenOptions::default(), &Task::new());
    let mut volume = opened.map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok((volume, bytes))
}

/// The voxel of a frame's place: 1 in a few of them.
fn mask(frame: usize, place: usize) -> u8 {
    u8::from((place * 7 + frame * 3) % 5 < 2)
}

/// A segmentation with a frame for each segment and z, not compressed.
fn segmentation(kind: &[u8], frames: &[(u16, f64)]) -> Vec<u8> {
    let bits: Vec<u8> =
        (0..frames.len()).flat_map(|frame| (0..15).map(move |place| mask(frame, place))).collect();
    let mut bytes = in_bits(&bits);
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    segmentation_of("1.2.840.10008.1.2.1", kind, frames, &element(0x7fe0, 0x10, b"OB", &bytes))
}

/// The bits in bytes, the first in the lowest bit.
fn in_bits(bits: &[u8]) -> Vec<u8> {
    let byte = |bits: &[u8]| bits.iter().enumerate().fold(0, |byte, (i, bit)| byte | bit << i);
    bits.chunks(8).map(byte).collect()
}

/// The same with any element of the pixels.
fn segmentation_of(syntax: &str, kind: &[u8], frames: &[(u16, f64)], pixels: &[u8]) -> Vec<u8> {
    let names = [(1, &b"liver"[..]), (2, b"spleen")].map(|(number, name)| {
        [element(0x62, 4, b"US", &us(&[number])), element(0x62, 5, b"LO", name)].concat()
    });
    let plane = element(0x20, 0x37, b"DS", b"1\\0\\0\\0\\1\\0 ");
    let measures = [
        element(0x18, 0x50, b"DS", b"2 "),
        element(0x18, 0x88, b"DS", b"2       "),
        element(0x28, 0x30, b"DS", b"0.5\\0.5 "),
    ]
    .concat();
    let shared = [sequence(0x20, 0x9116, &[plane]), sequence(0x28, 0x9110, &[measures])].concat();
    let own: Vec<Vec<u8>> = frames
        .iter()
        .map(|(segment, z)| {
            let position = format!("1\\2\\{z}");
            let position = sequence(0x20, 0x9113, &[element(0x20, 0x32, b"DS", position.as_bytes())]);
            [position, sequence(0x62, 0xA, &[element(0x62, 0xB, b"US", &us(&[*segment]))])].concat()
        })
        .collect();
    [
        start(syntax, 1),
        element(8, 0x60, b"CS", b"SEG"),
        image(b"MONOCHROME2", 1, frames.len(), &[]),
        element(0x62, 1, b"CS", kind),
        sequence(0x62, 2, &names),
        element(0x62, 0xe, b"US", &us(&[200])),
        sequence(0x5200, 0x9229, &[shared]),
        sequence(0x5200, 0x9230, &own),
        pixels.to_vec(),
    ]
    .concat()
}

#[test]
fn masks_of_one_bit_become_bytes() {
    let (volume, bytes) =
        read(&segmentation(b"BINARY", &[(1, 0.0), (1, 2.0), (1, 4.0)])).expect("three slices");
    let header = &volume.header;
    assert_eq!((header.dims, header.frames, header.voxel_type), (Dims::new(5, 3, 3), 1, VoxelType::U8));
    assert_eq!((header.kind, header.spacing.z), (VoxelKind::Labels, 2.0));
    let want: Vec<u8> = (0..3).flat_map(|frame| (0..15).map(move |place| mask(frame, place))).collect();
    assert_eq!(bytes, want);
    let short = segmentation(b"BINARY", &[(1, 0.0), (1, 2.0), (1, 4.0), (1, 6.0)]);
    assert!(read(&short[..short.len() - 2]).is_err());
    let probabilities = read(&segmentation(b"FRACTIONAL", &[(1, 0.0)])).expect("a slice").0;
    assert_eq!(probabilities.header.kind, VoxelKind::Intensity);
    // The greatest number is 1.
    let line = probabilities.header.rescaling().and_then(|rescaling| rescaling.uniform());
    assert_eq!(line.map(|line| (line.slope, line.intercept)), Some((0.005, 0.0)));
    assert!(probabilities.header.metadata.contains("\"MaximumFractionalValue\":200"));
    assert!(header.rescaling().is_none());
}

/// The present slices alone do not tell how many are left out between them.
#[test]
fn empty_slices_are_added_at_the_stated_distance() {
    for (places, depth, spacing) in [
        (&[0.0, 4.0, 8.0][..], 5, 2.0),
        (&[2.0, 6.0], 3, 2.0),
        (&[0.0, 2.0, 8.0], 5, 2.0),
        // The stated distance does not fit.
        (&[0.0, 3.0, 6.0], 3, 3.0),
    ] {
        let frames: Vec<(u16, f64)> = places.iter().map(|&z| (1, z)).collect();
        for kind in [&b"BINARY"[..], b"LABELMAP"] {
            let (volume, bytes) = read(&segmentation(kind, &frames)).expect("a segment");
            let header = &volume.header;
            assert_eq!((header.dims.z, header.spacing.z, header.frames), (depth, spacing, 1), "{places:?}");
            for (z, slice) in bytes.chunks(15).enumerate() {
                let at = places[0] + spacing * z as f64;
                let frame = places.iter().position(|&place| place == at);
                let want: Vec<u8> = (0..15).map(|i| frame.map_or(0, |frame| mask(frame, i))).collect();
                assert_eq!(slice, want, "{places:?}, slice {z}");
            }
        }
    }
}

/// A distance that divides any other would be the stated one, and no slice would be added.
#[test]
fn a_tiny_stated_distance_does_not_count() {
    let mut file = segmentation(b"BINARY", &[(1, 0.0), (1, 2.0), (1, 8.0)]);
    let field = element(0x18, 0x88, b"DS", b"2       ");
    let at = file.windows(field.len()).position(|bytes| bytes == field).expect("the distance");
    for distance in [b"1e-300  ", b"1e-9    "] {
        file[at + field.len() - 8..at + field.len()].copy_from_slice(distance);
        let header = read(&file).expect("a segment").0.header;
        assert_eq!((header.dims.z, header.spacing.z), (5, 2.0));
    }
}

/// Pixels in fragments of one RLE segment, one for each frame.
fn rle(frames: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let item = |kind: u8, bytes: &[u8]| {
        [&[0xfe, 0xff, kind, 0xe0], &(bytes.len() as u32).to_le_bytes()[..], bytes].concat()
    };
    let fragment = |frame: Vec<u8>| {
        let mut fragment = [1u32, 64].map(u32::to_le_bytes).concat();
        fragment.resize(64, 0);
        // One literal run.
        fragment.push(frame.len() as u8 - 1);
        fragment.extend(frame);
        fragment.resize(fragment.len().next_multiple_of(2), 0);
        item(0, &fragment)
    };
    let fragments: Vec<u8> = frames.flat_map(fragment).collect();
    let start = [0xe0, 0x7f, 0x10, 0, b'O', b'B', 0, 0, 0xff, 0xff, 0xff, 0xff];
    [&start[..], &item(0, &[]), &fragments, &item(0xdd, &[])].concat()
}

/// DICOM's CP 2301: eight voxels share a byte, and each frame starts at a byte. vtk-dicom writes bytes.
#[test]
fn masks_may_be_packed_as_rle() {
    let frames = [(1, 0.0), (1, 2.0), (1, 4.0)];
    let mask_of = |frame: usize| (0..15).map(|place| mask(frame, place)).collect::<Vec<u8>>();
    let want: Vec<u8> = (0..3).flat_map(mask_of).collect();
    let read_frames = |syntax, packed: &dyn Fn(usize) -> Vec<u8>| {
        read(&segmentation_of(syntax, b"BINARY", &frames, &rle((0..3).map(packed))))
    };
    let rle_syntax = "1.2.840.10008.1.2.5";
    let (volume, bytes) = read_frames(rle_syntax, &|frame| in_bits(&mask_of(frame))).expect("bits");
    assert_eq!((volume.header.dims, volume.header.kind), (Dims::new(5, 3, 3), VoxelKind::Labels));
    assert_eq!(bytes, want);
    assert_eq!(read_frames(rle_syntax, &mask_of).expect("bytes").1, want);
    let white = |frame| mask_of(frame).iter().map(|voxel| voxel * 255).collect();
    assert_eq!(read_frames(rle_syntax, &white).expect("bytes of 255").1, want);
    let error =
        read_frames(rle_syntax, &|frame| in_bits(&mask_of(frame)[..8])).expect_err("half of the bits");
    assert!(error.contains("an RLE segment, unpacked, has 1 bytes, expected 2"), "{error}");
    let error = read_frames("1.2.840.10008.1.2.4.70", &mask_of).expect_err("JPEG of one bit");
    assert!(error.contains("a voxel of 1 bits"), "{error}");
}

/// Programs leave out slices without a voxel of the segment.
#[test]
fn each_segment_is_a_frame_with_all_slices() {
    let frames = [(1, 0.0), (1, 2.0), (2, 2.0), (2, 8.0)];
    let (volume, bytes) = read(&segmentation(b"BINARY", &frames)).expect("two segments");
    let header = &volume.header;
    assert_eq!((header.dims, header.frames, header.spacing.z), (Dims::new(5, 3, 5), 2, 2.0));
    assert_eq!(header.origin, [1.0, 2.0, 0.0]);
    // Frames of the file in the slices of each segment.
    let places = [[Some(0), Some(1), None, None, None], [None, Some(2), None, None, Some(3)]];
    let voxel = |frame: Option<usize>, place| frame.map_or(0, |frame| mask(frame, place));
    let slices = places.as_flattened().iter();
    let want: Vec<u8> = slices.flat_map(|&frame| (0..15).map(move |place| voxel(frame, place))).collect();
    assert_eq!(bytes, want);
    let metadata: serde_json::Value = serde_json::from_str(&header.metadata).expect("JSON");
    let segments = serde_json::json!([
        { "layer": 0, "value": 1, "name": "liver" },
        { "layer": 1, "value": 1, "name": "spleen" },
    ]);
    assert_eq!(metadata["dicom"]["segments"], segments);
    let notes: Vec<String> = volume.notes.iter().map(ToString::to_string).collect();
    assert!(notes[0].contains("differ in ReferencedSegmentNumber: they are 2 frames"), "{notes:?}");
}

/// A file of indices 0 to 14 in a palette of eight colours from number 2 on.
fn palette(bits: u16, tables: [&[u8]; 3]) -> Vec<u8> {
    palette_in([0x1201, 0x1202, 0x1203], bits, tables)
}

/// The same with the tables in these elements.
fn palette_in(elements: [u16; 3], bits: u16, tables: [&[u8]; 3]) -> Vec<u8> {
    let mut more = Vec::new();
    for number in [0x1101, 0x1102, 0x1103] {
        more.extend(element(0x28, number, b"US", &us(&[8, 2, bits])));
    }
    for (number, table) in elements.into_iter().zip(tables) {
        more.extend(element(0x28, number, b"OW", table));
    }
    [
        start("1.2.840.10008.1.2.1", 1),
        element(8, 0x60, b"CS", b"US"),
        image(b"PALETTE COLOR", 8, 1, &more),
        element(0x7fe0, 0x10, b"OB", &(0..16).collect::<Vec<u8>>()),
    ]
    .concat()
}

#[test]
fn palettes_become_colours() {
    let red: Vec<u8> = (0..8).map(|i| 10 + i).collect();
    let (green, blue) = ([7; 8], [0, 50, 100, 150, 200, 210, 220, 230]);
    let index = |place: usize| place.clamp(2, 9) - 2;
    let (volume, bytes) = read(&palette(8, [&red, &green, &blue])).expect("colours");
    assert_eq!((volume.header.channels, volume.header.voxel_type), (3, VoxelType::U8));
    let want: Vec<u8> = (0..15).flat_map(|place| [red[index(place)], 7, blue[index(place)]]).collect();
    assert_eq!(bytes, want);
    let wide = |table: &[u8]| -> Vec<u8> { table.iter().flat_map(|&part| [part, part]).collect() };
    let tables = [wide(&red), wide(&green), wide(&blue)];
    let (volume, bytes) = read(&palette(16, tables.each_ref().map(Vec::as_slice))).expect("colours");
    assert_eq!((volume.header.channels, volume.header.voxel_type), (3, VoxelType::U16));
    assert_eq!(bytes, wide(&want));
    let error = read(&palette(16, [&red, &green, &blue])).expect_err("half of a table");
    assert!(error.contains("RedPaletteColorLookupTableData has 8 bytes, expected 16"), "{error}");
}

#[test]
fn palettes_in_segments_become_colours() {
    // A number and a ramp; eight numbers; two numbers and three copies of them.
    let red = [0, 1, 10, 1, 7, 17];
    let green = [0, 8, 7, 7, 7, 7, 7, 7, 7, 7];
    let blue = [0, 2, 5, 9, 2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0];
    let segmented = [0x1221, 0x1222, 0x1223];
    let (volume, bytes) = read(&palette_in(segmented, 8, [&red, &green, &blue])).expect("colours");
    assert_eq!((volume.header.channels, volume.header.voxel_type), (3, VoxelType::U8));
    let index = |place: usize| place.clamp(2, 9) - 2;
    let color = |place: usize| [10 + index(place) as u8, 7, if index(place) % 2 == 0 { 5 } else { 9 }];
    assert_eq!(bytes, (0..15).flat_map(color).collect::<Vec<u8>>());
    let error =
        read(&palette_in(segmented, 8, [&red[..4], &green, &blue])).expect_err("a ramp without an end");
    assert!(error.contains("SegmentedRedPaletteColorLookupTableData"), "{error}");
}

/// A colour image of 4×2 voxels.
fn ybr(color: &[u8], planar: u16, voxels: &[u8]) -> Vec<u8> {
    let mut file = element(0x28, 2, b"US", &us(&[3]));
    file.extend(element(0x28, 4, b"CS", color));
    file.extend(element(0x28, 6, b"US", &us(&[planar])));
    for (number, value) in [(0x10, 2), (0x11, 4), (0x100, 8), (0x101, 8), (0x102, 7), (0x103, 0)] {
        file.extend(element(0x28, number, b"US", &us(&[value])));
    }
    let start = start("1.2.840.10008.1.2.1", 1);
    [start, element(8, 0x60, b"CS", b"US"), file, element(0x7fe0, 0x10, b"OB", voxels)].concat()
}

#[test]
fn ybr_becomes_rgb() {
    // Grey 50, grey 60, and red.
    let [dark, light, red] = [[50, 128, 128], [60, 128, 128], [76, 85, 255]];
    let want = [[50; 3], [60; 3], [254, 0, 0]];
    let whole = [dark, light, red, red, red, red, light, dark];
    let want: Vec<u8> = [0, 1, 2, 2, 2, 2, 1, 0].map(|i| want[i]).concat();
    let (volume, bytes) = read(&ybr(b"YBR_FULL", 0, whole.as_flattened())).expect("colours");
    assert_eq!((volume.header.dims, volume.header.channels), (Dims::new(4, 2, 1), 3));
    assert_eq!((bytes, volume.notes.contains(&Note::FromYbr)), (want.clone(), true));
    let planes: Vec<u8> = (0..3).flat_map(|channel| whole.map(|voxel| voxel[channel])).collect();
    assert_eq!(read(&ybr(b"YBR_FULL", 1, &planes)).expect("colours").1, want);
    let pairs = [[50, 60, 128, 128], [76, 76, 85, 255], [76, 76, 85, 255], [60, 50, 128, 128]];
    assert_eq!(read(&ybr(b"YBR_FULL_422", 0, pairs.as_flattened())).expect("colours").1, want);
    for (color, planar) in [(&b"YBR_FULL_422"[..], 1), (b"YBR_PARTIAL_420", 0), (b"HSV", 0)] {
        let error = read(&ybr(color, planar, whole.as_flattened())).expect_err("other colours");
        assert!(error.contains("the colour type"), "{error}");
    }
}
