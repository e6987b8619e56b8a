use super::*;
use crate::{FormatError, FormatHeader, Note, VolumeFormat, VoxelLocation, write::lost::lost_fields};
use brickwork_volume::{ByteOrder, Dims, Header, Spacing, VolumeWriteError};

fn sample() -> Header {
    let mut header = Header::new(VoxelType::I16, Dims::new(3, 4, 5));
    header.spacing = Spacing { x: 0.5, y: 0.25, z: 2.0 };
    header.origin = [1.5, -2.0, 3.0];
    header.orientation = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    header
}

fn written(header: &Header) -> String {
    let mut bytes = Vec::new();
    write_header(header, false, &mut bytes).expect("memory");
    String::from_utf8(bytes).expect("text")
}

fn read(text: &str) -> Result<FormatHeader, FormatError> {
    read_header(&mut text.as_bytes())
}

#[test]
fn what_is_written_is_read() {
    for voxel_type in VoxelType::ALL.iter().copied().filter(|&t| t != VoxelType::F16) {
        for channels in [1, 2, 3, 4, 60] {
            for (frames, frame_spacing) in [(1, 0.0), (1, 0.5), (7, 0.25)] {
                for metadata in ["", "{\"dicom\":{}}"] {
                    let metadata = metadata.to_owned();
                    let header = sample().with(|header| {
                        header.voxel_type = voxel_type;
                        header.channels = channels;
                        header.frames = frames;
                        header.frame_spacing = frame_spacing;
                        header.metadata = metadata;
                    });
                    let text = written(&header) + "voxels";
                    let mut rest = text.as_bytes();
                    let source = read_header(&mut rest).expect("our own header");
                    assert_eq!(rest, b"voxels");
                    assert_eq!((source.order, source.voxels), (ByteOrder::Little, VoxelLocation::Attached));
                    assert!(source.header.metadata.contains("kinds"));
                    let metadata = header.metadata.clone();
                    assert_eq!(source.header.with(|header| header.metadata = metadata), header, "{text}");
                }
            }
        }
    }
    // Unknown distances between frames stay unknown.
    for frame_spacing in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        let source = read(&written(&sample().with(|header| {
            header.frames = 2;
            header.frame_spacing = frame_spacing;
        })))
        .expect("our own header");
        assert_eq!(source.header.frame_spacing, 0.0);
    }
}

#[test]
fn a_known_space_is_named() {
    let mut header = sample();
    assert!(written(&header).contains("\nspace dimension: 3\n"));
    header.metadata = "{\"dicom\":{}}".to_owned();
    assert!(written(&header).contains("\nspace: left-posterior-superior\n"));
    header.frames = 2;
    assert!(written(&header).contains("\nspace: left-posterior-superior-time\n"));
    // A source in NRRD keeps its own space.
    for (space, frames, line) in [
        ("RAS", 1, "space: RAS"),
        ("RAS", 2, "space: RAST"),
        ("RAST", 1, "space: RAS"),
        ("right-anterior-superior", 2, "space: right-anterior-superior-time"),
        ("left-anterior-superior-time", 1, "space: left-anterior-superior"),
        ("scanner-xyz", 1, "space: scanner-xyz"),
        ("scanner-xyz", 2, "space dimension: 4"),
    ] {
        header.metadata = serde_json::json!({ "nrrd": { "space": space } }).to_string();
        header.frames = frames;
        let text = written(&header);
        assert!(text.contains(&format!("\n{line}\n")), "{text}");
        let back = read(&text).expect("our own header").header;
        assert_eq!((back.origin, back.orientation), (header.origin, header.orientation), "{space}");
    }
}

#[test]
fn what_cannot_be_is_not_written() {
    let error = write_header(&sample().with(|header| header.channels = 256), false, &mut Vec::new());
    assert!(matches!(error, Err(VolumeWriteError::Shape(_))), "{error:?}");
}

#[test]
fn spaces_are_turned_to_ours() {
    let header = |space: &str| {
        let text = format!(
            "NRRD0005\ntype: uchar\ndimension: 3\n{space}\nsizes: 2 3 4\nencoding: raw\n\
             space directions: (0,2,0) (0,0,3) (0.5,0,0)\nspace origin: (1,2,3)\n\n"
        );
        read(&text).expect(space).header
    };
    let plain = header("space dimension: 3");
    assert_eq!(plain.origin, [1.0, 2.0, 3.0]);
    assert_eq!(plain.orientation, [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(plain.spacing, Spacing { x: 2.0, y: 3.0, z: 0.5 });
    for space in ["space: left-posterior-superior", "space: LPS", "space: scanner-xyz"] {
        let same = header(space);
        assert_eq!((same.origin, same.orientation), (plain.origin, plain.orientation), "{space}");
    }
    for space in ["space: right-anterior-superior", "space: RAS"] {
        let turned = header(space);
        assert_eq!(turned.origin, [-1.0, -2.0, 3.0]);
        assert_eq!(turned.orientation, [0.0, -1.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0]);
        assert_eq!(turned.spacing, plain.spacing);
    }
    let left = header("space: left-anterior-superior");
    assert_eq!(left.origin, [1.0, -2.0, 3.0]);
    assert_eq!(left.orientation, [0.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn axes_may_be_channels_and_time() {
    let start = "NRRD0005\ntype: uchar\nencoding: raw\n";
    for (fields, channels, frames, frame_spacing) in [
        ("sizes: 3 2 3 4\nkinds: RGB-color domain domain domain", 3, 1, 0.0),
        ("sizes: 2 2 3 4\nspace directions: none (1,0,0) (0,1,0) (0,0,1)", 2, 1, 0.0),
        ("sizes: 2 3 4 5\nkinds: domain domain domain time\nspacings: 1 1 1 0.5", 1, 5, 0.5),
        ("sizes: 2 3 4 5\nkinds: domain domain domain domain\nspacings: 1 1 1 2", 1, 5, 2.0),
        ("sizes: 2 3 4 5\nspacings: 1 1 1 250\nunits: \"mm\" \"mm\" \"mm\" \"ms\"", 1, 5, 0.25),
        ("sizes: 2 3 4 5\nspacings: 1 1 1 nan", 1, 5, 0.0),
        (
            "sizes: 2 3 4 5\nkinds: domain domain domain list\n\
             space directions: (1,0,0) (0,1,0) (0,0,1) none",
            1,
            5,
            0.0,
        ),
        (
            "sizes: 2 3 4 5\nspace: RAST\nspace directions: (1,0,0,0) (0,1,0,0) (0,0,1,0) (0,0,0,5)\n\
             space units: \"mm\" \"mm\" \"mm\" \"us\"",
            1,
            5,
            5e-6,
        ),
        ("sizes: 4 2 3 4 5\nkinds: RGBA-color domain domain domain time\nspacings: nan 1 1 1 3", 4, 5, 3.0),
    ] {
        let header = read(&format!("{start}{fields}\n\n")).expect(fields).header;
        assert_eq!(header.dims, Dims::new(2, 3, 4), "{fields}");
        assert_eq!((header.channels, header.frames), (channels, frames), "{fields}");
        assert_eq!(header.frame_spacing, frame_spacing, "{fields}");
    }
    for (fields, reason) in [
        ("sizes: 256 2 3 4\nkinds: vector domain domain domain", "256 channels: 1 to 255 are supported"),
        ("sizes: 2 3 4 3\nkinds: domain domain domain vector", "a vector axis that is not the first"),
        ("sizes: 2 3 4\nkinds: domain domain", "the header's field kinds is for 2 axes of 3, which"),
        ("sizes: 2 3 4\nspacings: 1 1 1 1", "the header's field spacings is for 4 axes of 3, which"),
        ("sizes: 2 3 4\nspacings: 1 inf 1", "field spacings is \"1 inf 1\": not a finite number"),
        ("sizes: 2 3 4\nspacings: 1 0 1", "field spacings is \"1 0 1\": not above zero"),
        ("sizes: 2 3 4\nspacings: 1 -1 1", "field spacings is \"1 -1 1\": not above zero"),
        ("sizes: 2 3 4\nspacings: 0,5 1 1", "field spacings is \"0,5 1 1\": not a number"),
        ("sizes: 2 3 4 5\nspacings: 1 1 1 -1", "field spacings is \"1 1 1 -1\": below zero"),
        ("sizes: 2 3 4\nspace origin: (1,2,x)", "field space origin is \"(1,2,x)\": not a number"),
        ("sizes: 2 3 4\nspace origin: 1 2 3", "field space origin is \"1 2 3\": not a number"),
        ("sizes: 2 3 4\nspace origin: (1,,2,3)", "field space origin is \"(1,,2,3)\": not a number"),
        ("sizes: 2 3 4\nspace origin: (1,nan,3)", "field space origin is \"(1,nan,3)\": not a finite number"),
        (
            "sizes: 2 3 4\nspace directions: (1,0,0) (0,1,0) (1,1,0)",
            "field space directions is \"(1,0,0) (0,1,0) (1,1,0)\": directions within one plane",
        ),
        ("sizes: 2 3 4\naxis mins: 0 0", "the header's field axis mins is for 2 axes of 3, which"),
        (
            "sizes: 2 3 4\naxis mins: 0 0 0\naxis maxs: 1 -3 4",
            "field axis maxs is \"1 -3 4\": not above zero",
        ),
        (
            "sizes: 2 3 4\nspacings: 1 1 1\naxis mins: 0 0 0\naxis maxs: 2 3 9",
            "field axis maxs is \"2 3 9\": contradicts the other fields",
        ),
        ("sizes: 2 3 4\nunits: \"um\" \"um\"", "the header's field units is for 2 axes of 3, which"),
        ("sizes: 2 3 4\nspace units: \"um\"", "the header's field space units is for 1 axes of 3, which"),
        ("sizes: 2 3 4\nspace directions: (1,0,0) (0,1,0)", "space directions is for 2 axes of 3"),
        (
            "sizes: 2 3 4\nspace directions: (1,0,0) (0,1,0) (0,0,0)",
            "space directions is (0,0,0) for axis 3, which is not",
        ),
        (
            "sizes: 2 3 4\nspace directions: (1,0,0,1) (0,1,0,0) (0,0,1,0)",
            "space directions is (1,0,0,1) for axis 1, which",
        ),
        (
            "sizes: 2 3 4\nspace directions: (1,0) (0,1) (1,1)",
            "space directions is (1,0) for axis 1, which is not",
        ),
        (
            "sizes: 2 3 4 5\nkinds: domain domain domain time\n\
             space directions: (1,0,0) (0,1,0) (0,0,1) (0,0,1)",
            "(0,0,1) for the axis of time",
        ),
        ("sizes: 2 3 4\nspace origin: (1,2)", "field space origin is \"(1,2)\": expected 3 numbers"),
        ("sizes: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "line 4 of the header, \"sizes\""),
        ("sizes: 2", "an image of 1 axes of space and time is not supported"),
    ] {
        let error = read(&format!("{start}{fields}\n\n")).expect_err(fields).to_string();
        assert!(error.contains(reason), "{fields}\n{error}\n{reason}");
    }
}

#[test]
fn headers_that_make_no_sense_are_refused() {
    let good = "NRRD0005\ntype: short\ndimension: 3\nsizes: 2 3 4\nendian: big\nencoding: raw\n\n";
    assert_eq!(read(good).expect("sound").order, ByteOrder::Big);
    for (old, new, reason) in [
        ("NRRD0005", "nrrd", "not a NRRD file"),
        ("short", "block", "the type \"block\" is not supported"),
        ("2 3 4", "2 3", "line 4 of the header, \"sizes\": \"2 3\" is not allowed"),
        ("2 3 4", "2 0 4", "line 4 of the header, \"sizes\": \"2 0 4\" is not allowed"),
        ("2 3 4", "99999999999 99999999999 4", "is not allowed"),
        ("2 3 4", "99999999999 1 92233720", "is more than this machine can address"),
        ("encoding: raw", "encoding: hex", "the encoding \"hex\" is not supported"),
        (
            "encoding: raw",
            "encoding: gzip\nbyte skip: 1",
            "a byte skip before voxels in the same file is not",
        ),
        ("endian: big\n", "", "the header has no field \"endian\""),
        ("dimension: 3", "dimension: 6", "a dimension of 6 is not supported"),
        ("dimension: 3", "dimension: 1", "a dimension of 1 is not supported"),
        ("endian: big", "data file: ", "line 5 of the header, \"data file\": \"\" is not allowed"),
        ("endian: big", "data file: a\u{1}\u{0}b", "line 5 of the header, \"data file\""),
        ("endian: big", "endian", "line 5 of the header, \"endian\": \"\" is not allowed"),
    ] {
        let error = read(&good.replace(old, new)).expect_err(new).to_string();
        assert!(error.contains(reason), "{error}");
    }
    let endless = format!("NRRD0004\n{}", "#\n".repeat(1 << 20));
    assert!(matches!(read(&endless), Err(FormatError::Long)));
}

#[test]
fn axes_may_state_where_they_start_and_end() {
    for (fields, spacing, origin) in [
        ("spacings: 0.5 0.6 2\naxis mins: 10 20 30", [0.5, 0.6, 2.0], [10.25, 20.3, 31.0]),
        (
            "spacings: 0.5 0.6 2\naxismins: 10 20 nan\ncenters: cell node cell",
            [0.5, 0.6, 2.0],
            [10.25, 20.0, 0.0],
        ),
        // This is the end of the last cell.
        ("spacings: 1 1 1\naxis maxs: 2 3 4", [1.0; 3], [0.5; 3]),
        ("axis mins: 0 0 0\naxis maxs: 4 3 1", [2.0, 1.0, 0.25], [1.0, 0.5, 0.125]),
        ("axis mins: 0 0 0\naxis maxs: 4 4 6\ncenters: node node node", [4.0, 2.0, 2.0], [0.0; 3]),
        // The file does not state the centring; three steps of 2 fit four nodes.
        ("spacings: 4 2 2\naxis mins: 0 0 0\naxis maxs: 4 4 6", [4.0, 2.0, 2.0], [0.0; 3]),
        ("axis mins: 1 1 1\nspacings: 1 1 1\nspace origin: (7,8,9)", [1.0; 3], [7.0, 8.0, 9.0]),
    ] {
        let text = format!("NRRD0005\ntype: uchar\nencoding: raw\nsizes: 2 3 4\n{fields}\n\n");
        let header = read(&text).expect(fields).header;
        let Spacing { x, y, z } = header.spacing;
        let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near([x, y, z], spacing) && near(header.origin, origin), "{fields}: {header:?}");
    }
}

#[test]
fn units_of_length_become_millimetres() {
    let directions = "space: LPS\nspace directions: (1,0,0) (0,2,0) (0,0,3)\nspace origin: (4,5,6)";
    for (fields, factor, notes) in [
        (format!("{directions}\nspace units: \"um\" \"um\" \"um\""), 1e-3, 0),
        (format!("{directions}\nspace units: \"µm\" \"micron\" \"micrometers\""), 1e-3, 0),
        (format!("{directions}\nspace units: \"nm\" \"nm\" \"nm\""), 1e-6, 0),
        (format!("{directions}\nspace units: \"cm\" \"cm\" \"cm\""), 10.0, 0),
        (format!("{directions}\nspace units: \"m\" \"m\" \"m\""), 1e3, 0),
        (format!("{directions}\nspace units: mm mm mm"), 1.0, 0),
        (format!("{directions}\nspace units: \"\" \"\" \"\""), 1.0, 0),
        (format!("{directions}\nspace units: \"furlong\" \"furlong\" \"furlong\""), 1.0, 1),
        (format!("{directions}\nunits: \"um\" \"um\" \"um\""), 1e-3, 0),
        ("spacings: 1 2 3\naxis mins: 3.5 4 4.5\nunits: \"um\" \"um\" \"um\"".to_owned(), 1e-3, 0),
    ] {
        let text = format!("NRRD0005\ntype: uchar\nencoding: raw\nsizes: 2 3 4\n{fields}\n\n");
        let source = read(&text).expect(&fields);
        let Spacing { x, y, z } = source.header.spacing;
        let near = |a: f64, b: f64| (a - b * factor).abs() < 1e-12 * factor.max(1.0);
        assert!(near(x, 1.0) && near(y, 2.0) && near(z, 3.0), "{fields}: {x} {y} {z}");
        let [a, b, c] = source.header.origin;
        assert!(near(a, 4.0) && near(b, 5.0) && near(c, 6.0), "{fields}: {a} {b} {c}");
        assert_eq!(source.notes.len(), notes, "{fields}");
        // Lengths are written in millimetres, and the unit is stated if the source had one.
        let back = read(&written(&source.header)).expect("our own header").header;
        assert!(near(back.spacing.x, 1.0) && near(back.origin[2], 6.0), "{fields}");
    }
}

#[test]
fn units_of_one_axis_do_not_change_those_of_another() {
    let start = "NRRD0005\ntype: uchar\nencoding: raw\nspace: LPS\n";
    let directions = "space directions: (1,0,0) (0,2,0) (0,0,3)\n";
    // Known units become millimetres, beside an unknown one.
    let text = format!("{start}sizes: 2 3 4\n{directions}space units: \"um\" \"um\" \"furlong\"\n\n");
    let header = read(&text).expect("a header").header;
    let back = read(&written(&header)).expect("our own header").header;
    assert_eq!((back.spacing, header.spacing), (header.spacing, Spacing { x: 1e-3, y: 2e-3, z: 3.0 }));
    assert!(written(&header).contains("space units: \"mm\" \"mm\" \"furlong\""), "{}", written(&header));
    // Two axes have a unit, and one has none.
    for (fields, note) in [
        ("space units: \"um\" \"\" \"um\"", Some("space units: y")),
        ("units: \"\" \"um\" \"pixel\"", Some("units: x and z")),
        ("space units: \"\" \"\" \"\"", None),
    ] {
        let source = read(&format!("{start}sizes: 2 3 4\n{directions}{fields}\n\n")).expect("a header");
        let notes: Vec<String> = source.notes.iter().map(ToString::to_string).collect();
        let end = "without a unit, beside axes with one; millimetres are taken";
        assert_eq!(notes, Vec::from_iter(note.map(|note| format!("{note} {end}"))), "{fields}");
    }
    // An origin in two units has no meaning.
    let units = "space origin: (4,5,6)\nunits: \"um\" \"um\" \"mm\"\n";
    let error = read(&format!("{start}sizes: 2 3 4\n{directions}{units}\n")).expect_err("mixed units");
    assert!(error.to_string().contains("units"), "{error}");
}

#[test]
fn long_axes_are_of_cells_where_the_distances_say_so() {
    let text = "NRRD0005\ntype: uchar\nencoding: raw\nsizes: 2000 1 1\nspacings: 1 1 1\n";
    let header = read(&format!("{text}axis mins: 0 0 0\naxis maxs: 2000 1 1\n\n")).expect("cells").header;
    assert_eq!(header.origin, [0.5; 3]);
    let header = read(&format!("{text}axis mins: 0 0 0\naxis maxs: 1999 1 1\n\n")).expect("nodes").header;
    assert_eq!(header.origin, [0.0, 0.5, 0.5]);
}

#[test]
fn a_slice_has_two_axes() {
    for (fields, orientation, origin) in [
        ("spacings: 0.5 2", [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0; 3]),
        (
            "space dimension: 2\nspace directions: (0,0.5) (-2,0)\nspace origin: (7,8)",
            [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            [7.0, 8.0, 0.0],
        ),
        (
            "space: LPS\nspace directions: (0,0.5,0) (0,0,2)\nspace origin: (7,8,9)",
            [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0],
            [7.0, 8.0, 9.0],
        ),
    ] {
        let text = format!("NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 3\nencoding: raw\n{fields}\n\n");
        let header = read(&text).expect(fields).header;
        assert_eq!((header.dims, header.origin), (Dims::new(2, 3, 1), origin), "{fields}");
        assert_eq!(header.spacing, Spacing { x: 0.5, y: 2.0, z: 1.0 }, "{fields}");
        assert_eq!(header.orientation, orientation, "{fields}");
    }
}

/// Keeps gradients, the measurement frame and the space: gradients are in the measurement frame, which is in
/// the space of the file.
#[test]
fn fields_and_keys_are_written_again() {
    let start = "NRRD0005\ntype: uchar\ndimension: 4\nspace: right-anterior-superior\nsizes: 2 3 4 2\n\
                 space directions: (2,0,0) (0,3,0) (0,0,4) none\nspace origin: (1,2,3)\nencoding: raw\n";
    let kept = [
        "kinds: space space space list",
        "measurement frame: (0,1,0) (1,0,0) (0,0,1)",
        "content: a scan",
        "thicknesses: nan nan 4 nan",
        "modality:=DWMRI",
        "DWMRI_gradient_0001:=0.5 0.5 -0.7",
        "kinds:=a key that is named like a field",
    ];
    let source = read(&format!("{start}{}\n\n", kept.join("\n"))).expect("sound").header;
    assert_eq!((source.frames, source.origin), (2, [-1.0, -2.0, 3.0]));
    let text = written(&source);
    for line in kept.into_iter().chain([
        "space: right-anterior-superior",
        "space directions: (2,0,0) (0,3,0) (0,0,4) none",
        "space origin: (1,2,3)",
    ]) {
        assert!(text.lines().any(|written| written == line), "{line}\n{text}");
    }
    assert_eq!(read(&text).expect("our own header").header, source);
    // A single frame has three axes, so fields that list four axes do not hold.
    let one = written(&source.with(|header| header.frames = 1));
    assert!(one.contains("kinds: domain domain domain\n") && !one.contains("thicknesses"), "{one}");
    assert!(one.contains("\nmodality:=DWMRI\n"), "{one}");
}

/// Units of the space count for thicknesses, too.
#[test]
fn thicknesses_become_millimetres() {
    let read = |fields: &str| {
        let text = format!(
            "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 3 4\nencoding: raw\nspace: RAS\n\
             space directions: (1,0,0) (0,1,0) (0,0,1)\n{fields}\n\n"
        );
        read_header(&mut text.as_bytes()).map(|found| Kept::of(&found.header))
    };
    for (fields, want) in [
        ("thicknesses: nan nan 4", "nan nan 4"),
        ("space units: \"um\" \"um\" \"um\"\nthicknesses: nan 1 4000", "nan 0.001 4"),
        ("units: \"mm\" \"mm\" \"m\"\nthicknesses: nan nan 0.004", "nan nan 4"),
    ] {
        assert_eq!(read(fields).expect("a header").field("thicknesses"), Some(want), "{fields}");
    }
    let error = read("thicknesses: nan nan thick").err().expect("no number").to_string();
    assert!(error.contains("thicknesses") && error.contains("thick"), "{error}");
}

/// A label whose value cannot be read would be shown under another one.
#[test]
fn values_of_labels_are_numbers() {
    let read = |value: &str| {
        let text = format!(
            "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 3 4\nencoding: raw\n\
             Segment0_ID:=a\nSegment0_LabelValue:={value}\n\n"
        );
        read_header(&mut text.as_bytes())
    };
    assert_eq!(read("7").expect("a label").header.kind, brickwork_volume::VoxelKind::Labels);
    let error = read("seven").expect_err("no number").to_string();
    assert!(error.contains("Segment0_LabelValue") && error.contains("seven"), "{error}");
}

#[test]
fn displacements_of_nifti_state_their_axes() {
    let mut header = Header::new(VoxelType::F32, Dims::new(2, 2, 2)).with(|header| header.channels = 3);
    for (intent, frames, want) in [(1006, 1, true), (1007, 1, false), (1006, 2, false)] {
        header.frames = frames;
        header.metadata = format!(r#"{{"nifti":{{"intent_code":{intent},"sform_code":1}}}}"#);
        let mut text = Vec::new();
        write_header(&header, false, &mut text).expect("a header");
        let text = String::from_utf8(text).expect("text");
        let states = text.contains("space: left-posterior-superior\n")
            && text.contains("\nmeasurement frame: (-1,0,0) (0,-1,0) (0,0,1)\n");
        assert_eq!(states, want, "{text}");
        for (format, has_note) in
            [(VolumeFormat::Nrrd, intent == 1006 && !want), (VolumeFormat::MetaImage, intent == 1006)]
        {
            let notes = lost_fields(&header, format);
            let is_noted = notes.iter().any(|note| matches!(note, Note::VectorAxes { .. }));
            assert_eq!(is_noted, has_note, "{format:?} of {intent}: {notes:?}");
        }
        assert_eq!(lost_fields(&header, VolumeFormat::Nifti), []);
    }
}
