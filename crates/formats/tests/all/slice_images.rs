//! Folders of slices in PNG with few bits or a palette, in BMP, and in JPEG.

use brickwork_formats::{VolumeOpenOptions, open};
use brickwork_volume::{Dims, Task, VoxelType};
use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

/// Voxels, channels, notes, and the palette.
#[derive(Debug, PartialEq)]
struct Slices {
    dims: Dims,
    channels: usize,
    voxels: Vec<u8>,
    notes: Vec<String>,
    palette: serde_json::Value,
}

fn read(folder: &Path) -> Result<Slices, String> {
    let opened = open(folder, &VolumeOpenOptions::default(), &Task::new());
    let mut volume = opened.map_err(|error| error.to_string())?;
    assert_eq!(volume.header.voxel_type, VoxelType::U8);
    let mut voxels = Vec::new();
    volume.voxels.read_to_end(&mut voxels).map_err(|error| error.to_string())?;
    let metadata: serde_json::Value = serde_json::from_str(&volume.header.metadata).unwrap_or_default();
    Ok(Slices {
        dims: volume.header.dims,
        channels: volume.header.channels,
        voxels,
        notes: volume.notes.iter().map(ToString::to_string).collect(),
        palette: metadata["images"]["palette"].clone(),
    })
}

/// The slices of a folder of these files.
fn slices(files: &[(&str, Vec<u8>)]) -> Result<Slices, String> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    read(folder.path())
}

/// A PNG of 5×2 with packed rows.
fn png(depth: png::BitDepth, palette: Option<&[u8]>, rows: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 5, 2);
    encoder.set_depth(depth);
    encoder.set_color(png::ColorType::Grayscale);
    if let Some(palette) = palette {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(palette.to_vec());
    }
    encoder.write_header().expect("memory").write_image_data(rows).expect("memory");
    bytes
}

#[test]
fn few_bits_and_indices_of_a_palette_become_bytes() {
    let rows = [0b1011_1000, 0b0100_0000];
    let bits = vec![1, 0, 1, 1, 1, 0, 1, 0, 0, 0];
    let grey = slices(&[("a.png", png(png::BitDepth::One, None, &rows))]).expect("a slice");
    assert_eq!((grey.dims, &grey.voxels, grey.notes.len()), (Dims::new(5, 2, 1), &bits, 0));
    let colors = [0, 0, 0, 255, 128, 0];
    let mask = png(png::BitDepth::One, Some(&colors), &rows);
    let indexed = slices(&[("a.png", mask.clone()), ("b.png", mask.clone())]).expect("two slices");
    assert_eq!((indexed.channels, indexed.voxels), (1, bits.repeat(2)));
    assert_eq!(indexed.palette, serde_json::json!(["000000", "ff8000"]));
    assert!(indexed.notes[0].contains("indices of a palette"), "{:?}", indexed.notes);
    let whole = png(png::BitDepth::Eight, Some(&colors), &[0, 1, 1, 0, 1, 1, 1, 0, 0, 1]);
    assert_eq!(slices(&[("a.png", whole)]).expect("a slice").voxels, [0, 1, 1, 0, 1, 1, 1, 0, 0, 1]);
    // Indices of different palettes mean different colours.
    let other = png(png::BitDepth::One, Some(&[0, 0, 0, 255, 128, 1]), &rows);
    let error = slices(&[("a.png", mask), ("b.png", other)]).expect_err("two palettes");
    assert!(error.contains("different palettes: a.png and b.png"), "{error}");
}

/// A BMP of 3×2, whose rows start with the lowest unless the height is negative.
fn bmp(height: i32, bits: u16, compression: u32, between: &[u8], rows: &[u8]) -> Vec<u8> {
    let start = 14 + 40 + between.len() as u32;
    let mut file = b"BM\0\0\0\0\0\0\0\0".to_vec();
    file.extend([start, 40, 3, height as u32].map(u32::to_le_bytes).concat());
    file.extend([1, bits].map(u16::to_le_bytes).concat());
    file.extend([compression, 0, 0, 0, 0, 0].map(u32::to_le_bytes).concat());
    file.extend(between);
    file.extend(rows);
    file
}

#[test]
fn bmp_is_read_from_its_lowest_row() {
    let ramp: Vec<u8> = (0..=255).flat_map(|grey| [grey, grey, grey, 0]).collect();
    let grey = slices(&[("a.bmp", bmp(2, 8, 0, &ramp, &[4, 5, 6, 0, 1, 2, 3, 0]))]).expect("grey");
    assert_eq!((grey.dims, grey.channels), (Dims::new(3, 2, 1), 1));
    assert_eq!((grey.voxels, grey.notes.len()), (vec![1, 2, 3, 4, 5, 6], 0));
    let down = slices(&[("a.bmp", bmp(-2, 8, 0, &ramp, &[4, 5, 6, 0, 1, 2, 3, 0]))]).expect("grey");
    assert_eq!(down.voxels, [4, 5, 6, 1, 2, 3]);
    let blue = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0], [10, 11, 12, 13, 14, 15, 16, 17, 18, 0, 0, 0]].concat();
    let color = slices(&[("a.bmp", bmp(-2, 24, 0, &[], &blue))]).expect("colour");
    assert_eq!(
        (color.channels, &color.voxels[..6], &color.voxels[15..]),
        (3, &[3, 2, 1, 6, 5, 4][..], &[18, 17, 16][..])
    );
    let entries: Vec<u8> = (0..16).flat_map(|i| [i, 2 * i, 3 * i, 0]).collect();
    let indexed = slices(&[("a.bmp", bmp(2, 4, 0, &entries, &[0x12, 0x30, 0, 0, 0xab, 0xc0, 0, 0]))]);
    let indexed = indexed.expect("indices");
    assert_eq!((indexed.voxels, &indexed.palette[1]), (vec![10, 11, 12, 1, 2, 3], &"030201".into()));
    let masks = [0xff_0000u32, 0xff00, 0xff].map(u32::to_le_bytes).concat();
    let masked = slices(&[("a.bmp", bmp(-2, 32, 3, &masks, &[7; 24]))]).expect("masks");
    assert_eq!(masked.channels, 3);
    // A header of 56 bytes has a mask of alpha.
    let masks = [0xff_0000u32, 0xff00, 0xff, 0xff00_0000].map(u32::to_le_bytes).concat();
    let texels: Vec<u8> = (1..=24).collect();
    let mut file = bmp(-2, 32, 3, &masks, &texels);
    file[14] = 56;
    let with_alpha = slices(&[("a.bmp", file)]).expect("alpha");
    assert_eq!((with_alpha.channels, &with_alpha.voxels[..8]), (4, &[3, 2, 1, 4, 7, 6, 5, 8][..]));
    let error = slices(&[("a.bmp", bmp(2, 8, 1, &ramp, &[0; 8]))]).expect_err("run lengths");
    assert!(error.contains("a.bmp: a BMP of compression 1"), "{error}");
    let whole = bmp(2, 8, 0, &ramp, &[4, 5, 6, 0, 1, 2, 3, 0]);
    for length in 0..whole.len() {
        assert!(slices(&[("a.bmp", whole[..length].to_vec())]).is_err(), "cut at {length}");
    }
}

fn trouble(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/trouble").join(name)
}

#[test]
fn jpeg_is_read_and_damage_is_an_error() {
    let sound = fs::read(trouble("w19_jpeg_sound.jpg")).expect("a file");
    let read = slices(&[("a1.jpg", sound.clone()), ("a2.jpg", sound.clone())]).expect("two slices");
    assert_eq!((read.dims, read.channels), (Dims::new(300, 200, 2), 3));
    assert!(read.notes[0].contains("JPEG slices are lossy"), "{:?}", read.notes);
    // As Pillow reads it.
    let mean = read.voxels.iter().map(|&v| f64::from(v)).sum::<f64>() / read.voxels.len() as f64;
    assert!((mean - 108.38).abs() < 0.5, "{mean}");
    for length in (0..sound.len()).step_by(97) {
        assert!(slices(&[("a.jpg", sound[..length].to_vec())]).is_err(), "cut at {length}");
    }
    // Grey of 16 · x + y, by Pillow.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("test-data/grey.jpg");
    let grey = slices(&[("a.jpg", fs::read(file).expect("a file"))]).expect("a slice");
    assert_eq!((grey.dims, grey.channels, grey.voxels.len()), (Dims::new(16, 8, 1), 1, 128));
    for (i, &voxel) in grey.voxels.iter().enumerate() {
        assert!(usize::from(voxel).abs_diff(16 * (i % 16) + i / 16) <= 2, "{i}: {voxel}");
    }
    // Previews beside DICOM files are no slices.
    let dicom = Path::new(env!("CARGO_MANIFEST_DIR")).join("test-data/trouble/w27_monochrome1");
    let mut files = vec![("preview.jpg", sound)];
    for name in ["000.dcm", "001.dcm"] {
        files.push((name, fs::read(dicom.join(name)).expect("a file")));
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in &files {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    if cfg!(feature = "dicom") {
        let volume = open(folder.path(), &VolumeOpenOptions::default(), &Task::new()).expect("two slices");
        assert_eq!(volume.header.dims, Dims::new(7, 6, 2));
    }
}

/// Adds Exif of an orientation behind the first marker.
fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let tiff =
        [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[orientation, 0, 0, 0, 0, 0, 0]].concat();
    let length = (2 + 6 + tiff.len()) as u16;
    [&jpeg[..2], &[0xff, 0xe1], &length.to_be_bytes(), b"Exif\0\0", &tiff, &jpeg[2..]].concat()
}

#[test]
fn exif_orientations_are_noted() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("test-data/grey.jpg");
    let grey = fs::read(file).expect("a file");
    let plain = slices(&[("a1.jpg", with_exif(&grey, 1)), ("a2.jpg", grey.clone())]).expect("two slices");
    assert_eq!(plain.notes.len(), 1, "{:?}", plain.notes);
    let turned =
        slices(&[("a1.jpg", with_exif(&grey, 6)), ("a2.jpg", with_exif(&grey, 6))]).expect("two slices");
    assert_eq!((turned.dims, &turned.voxels), (plain.dims, &plain.voxels));
    let want = "Orientation of Exif is 6: the voxels are as stored, not turned";
    assert!(turned.notes.iter().any(|note| note == want), "{:?}", turned.notes);
    // Only the second is turned.
    let mixed = slices(&[("a1.jpg", grey.clone()), ("a2.jpg", with_exif(&grey, 6))]).expect("two slices");
    assert!(mixed.notes.iter().any(|note| note.starts_with("a2.jpg states")), "{:?}", mixed.notes);
}

#[test]
fn bmp_of_16_bits_becomes_bytes() {
    let row = |texels: [u16; 3]| [texels.map(u16::to_le_bytes).as_flattened(), &[0, 0]].concat();
    let rows = [row([0x7c00, 0x03e0, 0x001f]), row([0xffff, 0x0000, 0x4210])].concat();
    let usual = slices(&[("a.bmp", bmp(-2, 16, 0, &[], &rows))]).expect("colour");
    let want = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 132, 132, 132];
    assert_eq!((usual.channels, &usual.voxels[..]), (3, &want[..]));
    let masks = |masks: [u32; 3]| masks.map(u32::to_le_bytes).concat();
    let rows = [row([0xf800, 0x07e0, 0x001f]), row([0xffff, 0x0000, 0x8410])].concat();
    let six = slices(&[("a.bmp", bmp(-2, 16, 3, &masks([0xf800, 0x7e0, 0x1f]), &rows))]).expect("colour");
    let want = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 132, 130, 132];
    assert_eq!((six.channels, &six.voxels[..]), (3, &want[..]));
    // Five bits of red, green and blue, and one of alpha.
    let masks_with_alpha = [0x7c00u32, 0x3e0, 0x1f, 0x8000].map(u32::to_le_bytes).concat();
    let rows = [row([0xfc00, 0x7c00, 0x801f]), row([0; 3])].concat();
    let mut file = bmp(-2, 16, 3, &masks_with_alpha, &rows);
    file[14] = 56;
    let with_alpha = slices(&[("a.bmp", file)]).expect("alpha");
    let want = [255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 255, 255];
    assert_eq!((with_alpha.channels, &with_alpha.voxels[..12]), (4, &want[..]));
    for wrong in [[0xf800, 0x7e0, 0], [0xf800, 0x5e0, 0x1f], [0xf_8000, 0x7e0, 0x1f]] {
        let error = slices(&[("a.bmp", bmp(-2, 16, 3, &masks(wrong), &rows))]).expect_err("no mask");
        assert!(error.contains("a.bmp: a BMP of compression 3"), "{error}");
    }
}
