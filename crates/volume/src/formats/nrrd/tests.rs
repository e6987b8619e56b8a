use super::*;
use crate::{
    ByteOrder, Dims, Header, Spacing, VolumeWriteError,
    formats::{FormatError, FormatHeader, VoxelLocation},
};

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
    for &voxel_type in VoxelType::ALL {
        for channels in 1..=4 {
            for (frames, frame_spacing) in [(1, 0.0), (1, 0.5), (7, 0.25)] {
                for metadata in ["", "{\"dicom\":{}}"] {
                    let metadata = metadata.to_owned();
                    let header = Header { voxel_type, channels, frames, frame_spacing, metadata, ..sample() };
                    let text = written(&header) + "voxels";
                    let mut rest = text.as_bytes();
                    let source = read_header(&mut rest).expect("our own header");
                    assert_eq!(rest, b"voxels");
                    assert_eq!((source.order, source.voxels), (ByteOrder::Little, VoxelLocation::Attached));
                    assert!(source.header.metadata.contains("kinds"));
                    let metadata = header.metadata.clone();
                    assert_eq!(Header { metadata, ..source.header }, header, "{text}");
                }
            }
        }
    }
    // Frames at unknown distances come back a second apart.
    for frame_spacing in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        let source =
            read(&written(&Header { frames: 2, frame_spacing, ..sample() })).expect("our own header");
        assert_eq!(source.header.frame_spacing, 1.0);
    }
}

#[test]
fn a_known_space_is_named() {
    let mut header = sample();
    assert!(written(&header).contains("\nspace dimension: 3\n"));
    header.metadata = "{\"nrrd\":{\"space\":\"RAS\"}}".to_owned();
    assert!(written(&header).contains("\nspace: left-posterior-superior\n"));
    header.frames = 2;
    assert!(written(&header).contains("\nspace: left-posterior-superior-time\n"));
}

#[test]
fn what_cannot_be_is_not_written() {
    let error = write_header(&Header { channels: 5, ..sample() }, false, &mut Vec::new());
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
        ("sizes: 5 2 3 4\nkinds: vector domain domain domain", "5 channels: 1 to 4 are supported"),
        ("sizes: 2 3 4 3\nkinds: domain domain domain vector", "a vector axis that is not the first"),
        ("sizes: 2 3 4\nkinds: domain domain", "the header's field kinds is for 2 axes of 3, which"),
        ("sizes: 2 3 4\nspacings: 1 1 1 1", "the header's field spacings is for 4 axes of 3, which"),
        ("sizes: 2 3 4\nspacings: 1 inf 1", "the header's field spacings is inf"),
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
        ("sizes: 2 3 4\nspace origin: (1,2)", "the header's field space origin is (1,2)"),
        ("sizes: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "line 4 of the header, \"sizes\""),
        ("sizes: 2 3", "an image of 2 axes of space and time is not supported"),
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
        ("dimension: 3", "dimension: 2", "a dimension of 2 is not supported"),
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
