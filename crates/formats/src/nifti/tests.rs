use super::*;
use crate::{FormatError, FormatHeader, StorageOrder, VoxelLocation, header::format_header::tests::posed};
use brickwork_volume::{BwvOptions, ByteOrder, Dims, Header, Spacing, Task, encode_stream};

fn sample(dims: Dims) -> Header {
    posed(VoxelType::I16, dims)
}

fn written(header: &Header) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_header(header, &mut bytes).expect("memory");
    bytes
}

fn read(bytes: &[u8]) -> Result<FormatHeader, FormatError> {
    read_header(&mut &*bytes, "pair.img")
}

/// Returns the same header as big-endian: every number is reversed.
fn big_endian(little: &[u8]) -> Vec<u8> {
    let wide = little[0] != 92;
    let mut bytes = little.to_vec();
    // Sizes of the fields from the start, as (count, bytes each); 1 is text.
    let fields: &[(usize, usize)] = if wide {
        &[
            (1, 4),
            (8, 1),
            (2, 2),
            (8, 8),
            (3, 8),
            (8, 8),
            (1, 8),
            (6, 8),
            (2, 8),
            (104, 1),
            (2, 4),
            (18, 8),
            (4, 4),
            (16, 1),
        ]
    } else {
        &[
            (1, 4),
            (28, 1),
            (1, 4),
            (1, 2),
            (2, 1),
            (8, 2),
            (3, 4),
            (4, 2),
            (11, 4),
            (1, 2),
            (2, 1),
            (4, 4),
            (2, 4),
        ]
    };
    let mut at = 0;
    for &(count, width) in fields {
        for _ in 0..count {
            bytes[at..at + width].reverse();
            at += width;
        }
    }
    if !wide {
        assert_eq!(at, 148);
        for (start, end, width) in [(252, 256, 2), (256, 328, 4)] {
            for at in (start..end).step_by(width) {
                bytes[at..at + width].reverse();
            }
        }
    }
    bytes
}

#[test]
fn what_is_written_is_read() {
    // A side of 40,000 requires NIfTI-2.
    for (dims, bytes) in [(Dims::new(3, 4, 5), 352), (Dims::new(3, 40_000, 5), 544)] {
        let header = sample(dims);
        let mut file = written(&header);
        assert_eq!(file.len(), bytes);
        file.extend_from_slice(b"voxels");
        let mut rest = file.as_slice();
        let source = read_header(&mut rest, "").expect("our own header");
        assert_eq!(rest, b"voxels");
        assert_eq!((source.order, &source.voxels), (ByteOrder::Little, &VoxelLocation::Attached));
        assert_eq!(source.header.clone().with(|header| header.metadata = String::new()), header);
        // The file is written again unchanged.
        assert_eq!(written(&source.header), file[..bytes]);
        let turned = read(&big_endian(&file)).expect("the same, turned");
        assert_eq!((turned.order, turned.header), (ByteOrder::Big, source.header));
    }
}

#[test]
fn frames_and_colours_are_written_and_read() {
    for voxel_type in VoxelType::ALL.iter().copied().filter(|&t| t != VoxelType::F16) {
        for channels in [1, 2, 3, 4, 60] {
            for (frames, frame_spacing) in [(1, 0.0), (1, 0.5), (7, 0.25), (7, 0.0), (40_000, 1.5)] {
                let header = sample(Dims::new(3, 4, 5)).with(|header| {
                    header.voxel_type = voxel_type;
                    header.channels = channels;
                    header.frames = frames;
                    header.frame_spacing = frame_spacing;
                });
                let is_vector = channels > 1 && (voxel_type != VoxelType::U8 || ![3, 4].contains(&channels));
                let source = read(&written(&header)).expect("our own header");
                assert_eq!(source.storage_order == StorageOrder::ChannelsLast, is_vector);
                let mut want = header;
                if is_vector && frames == 1 {
                    // The axis of time is there only because the vector's axis comes after it.
                    want.frame_spacing = 0.0;
                }
                assert_eq!(source.header.with(|header| header.metadata = String::new()), want);
            }
        }
    }
    let none = sample(Dims::new(3, 4, 5)).with(|header| header.frames = 0);
    assert!(write_header(&none, &mut Vec::new()).is_err());
}

/// Colours are not vectors: SimpleITK 2.5 crashes on a file that states both.
#[test]
fn the_intent_of_vectors_is_not_kept_of_colours() {
    let intent = |channels, kept: i64| {
        let metadata = serde_json::json!({ "nifti": { "intent_code": kept } }).to_string();
        let header = sample(Dims::new(3, 4, 5)).with(|header| {
            header.channels = channels;
            header.voxel_type = VoxelType::U8;
            header.metadata = metadata;
        });
        i16::from_le_bytes([written(&header)[68], written(&header)[69]])
    };
    assert_eq!([intent(3, 1007), intent(2, 1007), intent(3, 1002), intent(2, 1006)], [0, 1007, 1002, 1006]);
}

#[test]
fn times_become_seconds_and_what_they_were() {
    for (units, stored, seconds, is_noted) in [
        (2 | 8, 0.5, 0.5, false),
        (2 | 8, 1.0, 1.0, false),
        (2 | 16, 500.0, 0.5, false),
        (2 | 24, 500.0, 0.0005, false),
        (2, 0.5, 0.5, true),
        (2, 1.0, 0.0, false),
        (2 | 32, 7.5, 0.0, false),
    ] {
        let mut file = written(&sample(Dims::new(3, 4, 5)).with(|header| {
            header.frames = 6;
            header.frame_spacing = 9.0;
        }));
        file[123] = units;
        file[92..96].copy_from_slice(&f32::to_le_bytes(stored));
        let found = read(&file).expect("sound");
        let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
        let note = "pixdim[4] has no unit (xyzt_units): its number is taken as seconds";
        assert_eq!(notes, if is_noted { vec![note] } else { Vec::new() }, "{units}");
        let header = found.header;
        assert_eq!((header.frames, header.frame_spacing), (6, seconds), "{units}");
        let again = written(&header);
        // Without a unit, times are in seconds.
        let units = if is_noted { 2 | 8 } else { units };
        assert_eq!((again[123], &again[92..96]), (units, &file[92..96]), "{units}");
        assert_eq!(read(&again).expect("our own").header.frame_spacing, seconds);
    }
}

#[test]
fn the_world_is_turned() {
    // Along x of the file: one step to the right is one step less to the left.
    let mut header = Header::new(VoxelType::U8, Dims::new(2, 2, 2));
    header.origin = [10.0, 20.0, 30.0];
    let file = written(&header);
    let float = |at: usize| f32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    let rows: Vec<f32> = (0..12).map(|i| float(280 + 4 * i)).collect();
    assert_eq!(rows, [-1.0, 0.0, 0.0, -10.0, 0.0, -1.0, 0.0, -20.0, 0.0, 0.0, 1.0, 30.0]);
}

/// `pixdim[0]`, "qfac", is the sign of the third direction of a qform.
#[test]
fn the_sign_of_z_is_taken_from_the_first_pixdim() {
    let mut file = written(&sample(Dims::new(3, 4, 5)));
    (file[252], file[254]) = (1, 0);
    let set = |file: &mut Vec<u8>, at: usize, value: f32| {
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    // A quarter turn about z: (a, b, c, d) = (√½, 0, 0, √½).
    for (at, value) in [(256, 0.0), (260, 0.0), (264, 0.5f32.sqrt())] {
        set(&mut file, at, value);
    }
    for (sign, z) in [(1.0, 1.0), (-1.0, -1.0), (0.0, 1.0)] {
        set(&mut file, 76, sign);
        let header = read(&file).expect("a qform").header;
        let expected = [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, z];
        for (found, expected) in header.orientation.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{sign}: {:?}", header.orientation);
        }
    }
}

#[test]
fn metadata_is_kept_and_written_again() {
    let mut header = sample(Dims::new(3, 4, 5));
    header.metadata = serde_json::json!({ "nifti": {
        "scl_slope": 0.1, "scl_inter": -1024.0, "cal_max": 255.0, "xyzt_units": 3,
        "qform_code": 0, "sform_code": 4,
        "intent_code": 1002, "intent_name": "Label", "descrip": "täg".repeat(40),
    } })
    .to_string();
    let source = read(&written(&header)).expect("our own header");
    assert_eq!(source.header.spacing, header.spacing);
    let metadata: serde_json::Value = serde_json::from_str(&source.header.metadata).expect("JSON");
    let kept = &metadata["nifti"];
    let number = |name: &str| kept[name].as_f64();
    assert_eq!((number("scl_slope"), number("scl_inter")), (Some(0.1), Some(-1024.0)));
    assert_eq!((number("xyzt_units"), number("sform_code")), (Some(3.0), Some(4.0)));
    assert_eq!((number("intent_code"), kept["intent_name"].as_str()), (Some(1002.0), Some("Label")));
    // The text is cut to at most 79 bytes, at the end of a letter.
    assert_eq!(kept["descrip"].as_str().map(str::len), Some(79));
    for metadata in
        ["", "{}", "[]", "{\"nifti\": 5}", "{\"nifti\": {\"xyzt_units\": \"mm\", \"intent_code\": 1e9}}"]
    {
        let header = sample(Dims::new(3, 4, 5)).with(|header| header.metadata = metadata.to_owned());
        assert_eq!(read(&written(&header)).expect(metadata).header.origin, header.origin);
    }
}

#[test]
fn headers_that_make_no_sense_are_refused() {
    let good = written(&sample(Dims::new(3, 4, 5)));
    let float = |value: f32| value.to_le_bytes().to_vec();
    let code = |value: i16| value.to_le_bytes().to_vec();
    for (at, bytes, reason) in [
        (0, vec![0; 4], "not a NIfTI file"),
        (344, b"n+3\0".to_vec(), "not a NIfTI file"),
        (40, code(0), "dim[0] is 0, which is not allowed"),
        (40, code(8), "dim[0] is 8, which is not allowed"),
        (44, code(-7), "dim[2] is -7, which is not allowed"),
        (46, code(0), "dim[3] is 0, which is not allowed"),
        (
            40,
            [5, 3, 4, 5, 1, 256].map(code).concat(),
            "dim[5] = 256, vectors of 256 parts of 1 i16, is not supported",
        ),
        (40, [6, 3, 4, 5, 1, 1, 2].map(code).concat(), "dim[6] = 2, an axis beyond the fifth, is not"),
        (40, [4, 3, 4, 5, -1].map(code).concat(), "dim[4] is -1, which is not allowed"),
        (70, code(64), "bitpix, of voxels that are f64, is 16, which is not allowed"),
        (70, code(128), "bitpix, of voxels that are 3 u8, is 16, which is not allowed"),
        (70, code(2304), "bitpix, of voxels that are 4 u8, is 16, which is not allowed"),
        (70, code(1792), "datatype 1792 (complex of 2 f64) is not supported"),
        (70, code(1536), "datatype 1536 (f128) is not supported"),
        (70, code(3), "datatype is 3, which is not allowed"),
        (72, code(8), "bitpix, of voxels that are i16, is 8, which is not allowed"),
        (80, float(f32::NAN), "pixdim[1] is NaN, which is not allowed"),
        (108, float(348.0), "vox_offset is 348, which is not allowed"),
        (108, float(352.5), "vox_offset is 352.5, which is not allowed"),
        (108, float(f32::INFINITY), "vox_offset is inf, which is not allowed"),
        (108, float(1e15), "the header has 352 bytes, expected 999999986991104"),
        (112, float(f32::INFINITY), "scl_slope is inf, which is not allowed"),
        (280, float(f32::NAN), "srow_x[0] is NaN, which is not allowed"),
        (280, vec![0; 48], "sform, column 1 is [0.0, 0.0, 0.0], which is not allowed"),
    ] {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(&bytes);
        let error = read(&bad).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error} is not {reason}");
    }
    for length in 0..352 {
        assert!(read(&good[..length]).is_err(), "{length}");
    }
    let mut pair = good.clone();
    pair[344..348].copy_from_slice(b"ni1\0");
    let voxels = VoxelLocation::Detached { name: "pair.img".to_owned(), skip: Some(352) };
    assert_eq!(read(&pair).expect("a pair").voxels, voxels);
}

#[test]
fn a_changed_byte_gives_an_error_or_a_sane_volume() {
    let qform = |mut header: Vec<u8>| {
        (header[252], header[254]) = (1, 0);
        header
    };
    let mut accepted = 0;
    let flips: &[u8] = match std::env::var_os("BRICKWORK_LARGE") {
        Some(_) => &[1, 2, 4, 8, 16, 32, 64, 128, 255],
        None => &[1, 64, 255],
    };
    for good in [
        written(&sample(Dims::new(3, 4, 5))),
        qform(written(&sample(Dims::new(3, 4, 5)))),
        written(
            &sample(Dims::new(3, 4, 5)).with(|header| header.spacing = Spacing { x: 1e-60, y: 1.0, z: 1.0 }),
        ),
    ] {
        for at in 0..good.len() {
            for &flip in flips {
                let mut file = good.clone();
                file[at] ^= flip;
                file.extend_from_slice(&[7; 3 * 4 * 5 * 2]);
                let mut rest = file.as_slice();
                let Ok(source) = read_header(&mut rest, "pair.img") else { continue };
                let header = &source.header;
                let Spacing { x, y, z } = header.spacing;
                assert!([x, y, z].iter().all(|s| s.is_normal() && *s > 0.0), "byte {at}: {x} {y} {z}");
                let finite = header.origin.iter().chain(&header.orientation).all(|part| part.is_finite());
                assert!(finite, "byte {at}: {header:?}");
                // A wrong number of voxels is an error, and takes no memory.
                let options = BwvOptions::default();
                let encoded = encode_stream(rest, source.order, header, &options, Vec::new(), &Task::new());
                accepted += usize::from(encoded.is_ok());
                // A header that was read can be written, and read again as the same volume.
                let again = read(&written(header)).unwrap_or_else(|error| panic!("byte {at}: {error}"));
                assert_eq!((again.header.dims, again.header.voxel_type), (header.dims, header.voxel_type));
            }
        }
    }
    assert!(accepted > 50 * flips.len(), "only {accepted} were accepted");
}

/// Writes the bytes of a header again, with an sform, a different qform, timing, and an extension.
fn full() -> Vec<u8> {
    let mut file = written(&sample(Dims::new(3, 4, 5)));
    let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    // dim_info, slice_start, slice_end, slice_code, slice_duration, toffset, aux_file.
    put(39, &[0x39]);
    put(74, &1i16.to_le_bytes());
    put(120, &4i16.to_le_bytes());
    put(122, &[3]);
    put(132, &floats(&[0.06, 2.5]));
    put(228, b"none");
    // A quarter turn about z, and an offset that differs from the sform's.
    put(252, &1i16.to_le_bytes());
    put(256, &floats(&[0.0, 0.0, 0.5f32.sqrt(), 7.0, 8.0, 9.0]));
    put(108, &floats(&[384.0]));
    put(348, &[1]);
    file.extend([32, 0, 0, 0, 6, 0, 0, 0]);
    file.extend(b"a comment");
    file.resize(384, 0);
    file
}

#[test]
fn qform_timing_and_extensions_are_written_again() {
    let file = full();
    let source = read(&file).expect("sound");
    assert!(source.notes.is_empty(), "{:?}", source.notes);
    assert_eq!(source.header.origin, sample(Dims::new(3, 4, 5)).origin);
    assert_eq!(written(&source.header), file);
    // The same in NIfTI-2.
    let mut long = source.header.clone();
    long.dims.y = 40_000;
    let (there, back) = (written(&long), read(&written(&long)).expect("our own header").header);
    assert_eq!((there[0], written(&back) == there), (28, true));
    let metadata =
        |header: &Header| serde_json::from_str::<serde_json::Value>(&header.metadata).expect("JSON");
    for name in ["slice_code", "slice_end", "toffset", "dim_info", "extensions", "aux_file", "qform"] {
        let (have, want) = (&metadata(&back)["nifti"][name], &metadata(&long)["nifti"][name]);
        assert!(!want.is_null() && have == want, "{name}: {have} {want}");
    }
}

/// Moves the qform by as many voxels as the sform, for a region.
#[test]
fn the_qform_moves_with_the_volume() {
    let source = read(&full()).expect("sound").header;
    let float = |file: &[u8], at: usize| f32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    let region = brickwork_volume::Region { x: 1..3, y: 2..4, z: 3..5 };
    let part = source.of_part(&brickwork_volume::Selection::default(), &region);
    let file = written(&part);
    // A quarter turn: x runs along y, y against x; spacing 0.5, 0.25, 2.
    let offset = [268, 272, 276].map(|at| float(&file, at));
    for (have, want) in offset.into_iter().zip([7.0 - 0.5, 8.0 + 0.5, 9.0 + 6.0]) {
        assert!((have - want).abs() < 1e-5, "{offset:?}");
    }
    assert_eq!((file[252], [256, 260].map(|at| float(&file, at))), (1, [0.0, 0.0]));
    // The timing names slices that the region does not contain.
    assert_eq!((file[122], float(&file, 132)), (0, 0.0));
    // A volume that was turned has no such qform.
    let mut turned = source;
    turned.orientation = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(written(&turned)[252], 0);
}

#[test]
fn a_sform_of_zeros_gives_way_to_the_qform() {
    let mut file = full();
    file[280..328].fill(0);
    let source = read(&file).expect("a qform");
    assert_eq!(source.notes, [crate::Note::ZeroSform]);
    assert_eq!(source.header.origin, [-7.0, -8.0, 9.0]);
    // Without a qform, an sform of zeros is an error.
    file[252] = 0;
    assert!(read(&file).is_err());
    // A singular sform is an error too.
    let mut flat = full();
    let floats: Vec<u8> = [1f32, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    flat[280..328].copy_from_slice(&floats);
    let error = read(&flat).expect_err("one plane").to_string();
    assert!(error.contains("sform") && error.contains("directions within one plane"), "{error}");
}
