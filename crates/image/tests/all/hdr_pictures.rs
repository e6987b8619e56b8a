//! EXR files of others (test-data/hdr), and light in all other files: nothing is clamped.

use brickwork_base::testing;
use brickwork_image::{
    ColorSpace, ErrorKind, Task,
    half::f16,
    image_file::{FileFormat, ImageReadError, ImageReadOptions, Picture, Texels, read},
};
use std::{io::Cursor, path::Path};

fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../test-data/hdr/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn read_bytes(bytes: &[u8]) -> Result<Picture, ImageReadError> {
    read(Cursor::new(bytes), None, &ImageReadOptions::default(), &Task::new())
}

/// Red, green and blue of every texel.
fn colors(picture: &Picture) -> Vec<[f16; 3]> {
    match &picture.texels {
        Texels::RgbF16(texels) => texels.clone(),
        Texels::RgbaF16(texels) => texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect(),
        other => panic!("not half floats: {other:?}"),
    }
}

#[test]
fn exr_files_of_others_are_read_or_refused_by_name() {
    for (name, size, part, notes) in [
        ("AllHalfValues.exr", [256, 256], None, &[][..]),
        ("BrightRingsNanInf.exr", [40, 40], None, &[]),
        ("Cannon.exr", [24, 24], None, &[]),
        ("Carrots.exr", [24, 24], None, &["colours are converted from ACES AP0 to Rec. 709"]),
        ("GrayRampsHorizontal.exr", [800, 800], None, &[]),
        (
            "WideFloatRange.exr",
            [500, 500],
            None,
            &["channel G is read as grey", "109252 numbers are beyond half floats and became ±65504"],
        ),
        ("XYZ.exr", [24, 24], None, &["colours are converted from XYZ to Rec. 709"]),
        (
            "composited.exr",
            [32, 22],
            None,
            &["the data window has 30×20 texels from 1, 1 on; the display window is read"],
        ),
        (
            "cube_mips.exr",
            [16, 96],
            Some("the first of 7 mip levels"),
            &["the cube map is read as one picture of six faces, one above another"],
        ),
        ("lobby_dwa.exr", [512, 256], None, &[]),
        (
            "t08.exr",
            [501, 401],
            None,
            &["the data window has 400×300 texels from 30, 40 on; the display window is read"],
        ),
    ] {
        let picture = read_bytes(&bytes_of(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!([picture.width, picture.height], size, "{name}");
        assert_eq!((picture.part.as_deref(), &picture.notes[..]), (part, &notes.map_owned()[..]), "{name}");
        assert_eq!((picture.file_format, picture.color_space), (Some(FileFormat::Exr), ColorSpace::Linear));
        assert_eq!(picture.overflow_count, if name == "WideFloatRange.exr" { 109_252 } else { 0 });
    }
    let error = read_bytes(&bytes_of("Rec709_YC.exr")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let expected = "EXR: subsampled channels are not supported: BY (2×2), RY (2×2)";
    assert_eq!(error.to_string(), expected);
}

trait MapOwned {
    fn map_owned(&self) -> Vec<String>;
}

impl MapOwned for [&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|text| (*text).to_owned()).collect()
    }
}

#[test]
fn every_half_float_of_an_exr_file_is_kept() {
    let mut seen = vec![false; 1 << 16];
    for color in colors(&read_bytes(&bytes_of("AllHalfValues.exr")).unwrap()) {
        seen[usize::from(color[0].to_bits())] = true;
    }
    // The file has one NaN for all.
    let missing = (0..=u16::MAX).filter(|&bits| !seen[usize::from(bits)] && !f16::from_bits(bits).is_nan());
    assert_eq!(missing.count(), 0);
    // The largest level of a file with mip levels: x, y and 10 times the level.
    let cube = colors(&read_bytes(&bytes_of("cube_mips.exr")).unwrap());
    for (i, color) in cube.into_iter().enumerate() {
        assert_eq!(color.map(f16::to_f32), [(i % 16) as f32, (i / 16) as f32, 0.0]);
    }
}

/// OpenEXR's own library reads the same texels.
#[test]
fn openexr_reads_the_same_texels() {
    let Some(python) = testing::python("OpenEXR, numpy") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exr_peer.py");
    for name in [
        "AllHalfValues",
        "BrightRingsNanInf",
        "Cannon",
        "GrayRampsHorizontal",
        "WideFloatRange",
        "composited",
        "cube_mips",
        "t08",
    ] {
        let picture = read_bytes(&bytes_of(&format!("{name}.exr"))).unwrap();
        let halves = colors(&picture).into_iter().flatten().flat_map(f16::to_le_bytes).collect::<Vec<_>>();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.halves"));
        std::fs::write(&path, halves).unwrap();
        let file = format!("{}/../../test-data/hdr/{name}.exr", env!("CARGO_MANIFEST_DIR"));
        let output = python(&[script, &file, path.to_str().unwrap()]);
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
    }
}

#[test]
fn damaged_exr_files_are_errors_without_panics() {
    let whole = bytes_of("cube_mips.exr");
    // The smaller levels are at the end, and are not needed.
    for length in (0..400).chain((400..10_000).step_by(97)) {
        assert!(read_bytes(&whole[..length]).is_err(), "{length}");
    }
    // A byte of the header or the tables is changed: anything but a panic.
    let options = ImageReadOptions::default().with(|o| o.max_memory = 16 << 20);
    for name in ["cube_mips.exr", "XYZ.exr", "Carrots.exr"] {
        let whole = bytes_of(name);
        for place in (0..700).step_by(3) {
            for value in [0, 0xff] {
                let mut file = whole.clone();
                file[place] = value;
                if let Err(error) = read(Cursor::new(&file), None, &options, &Task::new()) {
                    let panicked = matches!(error, ImageReadError::Panicked { .. });
                    assert!(!panicked, "{name}, byte {place} = {value}: {error}");
                }
            }
        }
    }
    // 2^30 × 2^30 texels in a few bytes.
    let mut bomb = bytes_of("XYZ.exr");
    let window = bomb.windows(10).position(|bytes| bytes == b"dataWindow").unwrap() + 10 + 1 + 6 + 4;
    bomb[window + 8..window + 16].copy_from_slice(&[0xff, 0xff, 0xff, 0x3f, 0xff, 0xff, 0xff, 0x3f]);
    assert_eq!(read_bytes(&bomb).unwrap_err().kind(), ErrorKind::Invalid);
    let window = bomb.windows(13).position(|bytes| bytes == b"displayWindow").unwrap() + 13 + 1 + 6 + 4;
    let mut bomb = bytes_of("XYZ.exr");
    bomb[window + 8..window + 16].copy_from_slice(&[0xff, 0xff, 0xff, 0x3f, 0xff, 0xff, 0xff, 0x3f]);
    assert_eq!(read_bytes(&bomb).unwrap_err().kind(), ErrorKind::Invalid);
    let options = ImageReadOptions::default().with(|o| o.max_memory = 1 << 20);
    let error = read(Cursor::new(bytes_of("t08.exr")), None, &options, &Task::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn floats_of_tiff_files_are_not_clamped() {
    let light = [[-2.5, 0.25, 300.0], [1e9, 0.0, -1e9]];
    let mut file = Cursor::new(Vec::new());
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).unwrap();
    encoder.write_image::<tiff::encoder::colortype::RGB32Float>(2, 1, light.as_flattened()).unwrap();
    let picture = read_bytes(&file.into_inner()).unwrap();
    let found: Vec<[f32; 3]> = colors(&picture).iter().map(|color| color.map(f16::to_f32)).collect();
    assert_eq!(found, [light[0], [65504.0, 0.0, -65504.0]]);
    assert_eq!(picture.notes, ["2 numbers are beyond half floats and became ±65504"]);
    assert_eq!(picture.overflow_count, 2);
}

/// Numbers that half floats round, clamp or lose.
const SINGLES: [f32; 6] = [1.0 / 3.0, 1e-10, 123_456.79, -3e38, f32::INFINITY, 1e9];

fn read_singles(bytes: &[u8]) -> Picture {
    let options = ImageReadOptions::default().with(|o| o.single_floats = true);
    let picture = read(Cursor::new(bytes), None, &options, &Task::new()).unwrap();
    assert!(picture.notes.is_empty() && picture.overflow_count == 0, "{:?}", picture.notes);
    picture
}

/// Tests that readers keep every bit on request, and count 4 bytes for each channel.
#[test]
fn single_floats_are_kept_on_request() {
    let rgb = SINGLES.as_chunks::<3>().0.to_vec();
    let grey = SINGLES.map(|number| [number; 3]).to_vec();
    let tiff = |colors: bool| {
        let mut file = Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).unwrap();
        match colors {
            true => encoder.write_image::<tiff::encoder::colortype::RGB32Float>(2, 1, &SINGLES).unwrap(),
            false => encoder.write_image::<tiff::encoder::colortype::Gray32Float>(6, 1, &SINGLES).unwrap(),
        }
        file.into_inner()
    };
    assert_eq!(read_singles(&tiff(true)).texels, Texels::RgbF32(rgb));
    assert_eq!(read_singles(&tiff(false)).texels, Texels::RgbF32(grey));
    // Half floats stay half floats.
    assert!(matches!(read_singles(&bytes_of("AllHalfValues.exr")).texels, Texels::RgbF16(_)));
    let options = ImageReadOptions::default().with(|o| o.single_floats = true);
    let wide = read(Cursor::new(bytes_of("WideFloatRange.exr")), None, &options, &Task::new()).unwrap();
    assert_eq!((&wide.notes[..], wide.overflow_count), (&["channel G is read as grey".to_owned()][..], 0));
    // Half floats of 500×500 texels fit into the limit, single floats do not.
    let read_within = |options: ImageReadOptions| {
        let options = options.with(|o| o.max_memory = 500 * 500 * 10);
        read(Cursor::new(bytes_of("WideFloatRange.exr")), None, &options, &Task::new())
    };
    assert!(read_within(ImageReadOptions::default()).is_ok());
    assert_eq!(read_within(options).unwrap_err().kind(), ErrorKind::Limit);
}
