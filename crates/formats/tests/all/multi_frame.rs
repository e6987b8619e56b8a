//! DICOM files of several frames, byte by byte from the standard (PS3.3, C.7.6.6 and C.7.6.16).

use crate::dicom_file::{element, start};
use brickwork_formats::{
    FormatError, OpenedVolume, VolumeFormat, VolumeOpenOptions, VolumePipe, dicom, open,
};
use brickwork_volume::{Dims, ErrorKind, Task, VoxelType};
use std::{fs, io::Read as _, io::Write as _};

const LITTLE: &str = "1.2.840.10008.1.2.1";
const BIG: &str = "1.2.840.10008.1.2.2";
const DEFLATED: &str = "1.2.840.10008.1.2.1.99";
const RLE: &str = "1.2.840.10008.1.2.5";

const COLUMNS: u16 = 3;
const ROWS: u16 = 2;

fn us(value: u16) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

fn ds(values: &[f64]) -> Vec<u8> {
    values.iter().map(f64::to_string).collect::<Vec<_>>().join("\\").into_bytes()
}

/// Returns a sequence of items, each with its elements.
fn sequence(group: u16, number: u16, items: &[Vec<u8>]) -> Vec<u8> {
    let items: Vec<u8> = items
        .iter()
        .flat_map(|item| [&[0xfe, 0xff, 0, 0xe0], &(item.len() as u32).to_le_bytes()[..], item].concat())
        .collect();
    element(group, number, b"SQ", &items)
}

/// Returns the numbers of a frame.
fn frame(seed: u16) -> Vec<u16> {
    (0..COLUMNS * ROWS).map(|i| seed * 1000 + i).collect()
}

fn words(frames: &[Vec<u16>]) -> Vec<u8> {
    frames.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
}

/// Returns the elements of a file of frames: `before` has groups up to 0020, `after` has groups from 5200 on.
fn elements(frames: usize, bits: u16, before: &[u8], between: &[u8], after: &[u8]) -> Vec<u8> {
    let mut file = element(8, 0x60, b"CS", b"CT");
    file.extend(before);
    file.extend(element(0x28, 2, b"US", &us(1)));
    file.extend(element(0x28, 4, b"CS", b"MONOCHROME2"));
    file.extend(element(0x28, 8, b"IS", frames.to_string().as_bytes()));
    file.extend(between);
    file.extend(element(0x28, 0x10, b"US", &us(ROWS)));
    file.extend(element(0x28, 0x11, b"US", &us(COLUMNS)));
    file.extend(element(0x28, 0x100, b"US", &us(bits)));
    file.extend(element(0x28, 0x101, b"US", &us(bits)));
    file.extend(element(0x28, 0x102, b"US", &us(bits - 1)));
    file.extend(element(0x28, 0x103, b"US", &us(0)));
    file.extend(after);
    file
}

fn pixels(bytes: &[u8]) -> Vec<u8> {
    element(0x7fe0, 0x10, b"OW", bytes)
}

/// Returns an enhanced file's fields for each frame: its position, its time, and its own intercept.
fn per_frame(places: &[(f64, u32, f64)]) -> Vec<u8> {
    let items: Vec<Vec<u8>> = places
        .iter()
        .map(|(z, time, intercept)| {
            let mut content = element(0x20, 0x9128, b"UL", &time.to_le_bytes());
            content.extend(element(0x20, 0x9157, b"UL", &1u32.to_le_bytes()));
            let mut item = sequence(0x20, 0x9111, &[content]);
            item.extend(sequence(0x20, 0x9113, &[element(0x20, 0x32, b"DS", &ds(&[1.0, 2.0, *z]))]));
            let mut line = element(0x28, 0x1052, b"DS", &ds(&[*intercept]));
            line.extend(element(0x28, 0x1053, b"DS", &ds(&[2.0])));
            item.extend(sequence(0x28, 0x9145, &[line]));
            item
        })
        .collect();
    sequence(0x5200, 0x9230, &items)
}

/// Returns the fields for all frames.
fn shared() -> Vec<u8> {
    let mut item =
        sequence(0x20, 0x9116, &[element(0x20, 0x37, b"DS", &ds(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]))]);
    let mut measures = element(0x18, 0x50, b"DS", &ds(&[5.0]));
    measures.extend(element(0x28, 0x30, b"DS", &ds(&[0.75, 0.25])));
    item.extend(sequence(0x28, 0x9110, &[measures]));
    sequence(0x5200, 0x9229, &[item])
}

fn enhanced(places: &[(f64, u32, f64)]) -> Vec<u8> {
    let frames: Vec<_> = (0..places.len() as u16).map(frame).collect();
    let after = [shared(), per_frame(places), pixels(&words(&frames))].concat();
    [start(LITTLE, 1), elements(places.len(), 16, &[], &[], &after)].concat()
}

/// Opens the volume; also returns the folder of its file.
fn opened(file: &[u8]) -> Result<Opened, FormatError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.dcm");
    fs::write(&path, file).unwrap();
    Ok(Opened { volume: dicom::open(&path, &VolumeOpenOptions::default(), &Task::new())?, _folder: folder })
}

#[derive(Debug)]
struct Opened {
    volume: OpenedVolume,
    _folder: tempfile::TempDir,
}

fn numbers(opened: &mut Opened) -> Vec<u16> {
    let mut bytes = Vec::new();
    opened.volume.voxels.read_to_end(&mut bytes).unwrap();
    bytes.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect()
}

#[test]
fn frames_of_an_enhanced_file_are_slices_where_they_lie() {
    // The slices run from top to bottom, each with its own intercept.
    let mut file = opened(&enhanced(&[(9.0, 1, 30.0), (6.5, 1, 20.0), (4.0, 1, 10.0)])).unwrap();
    let header = &file.volume.header;
    assert_eq!((header.dims, header.frames, header.voxel_type), (Dims::new(3, 2, 3), 1, VoxelType::U16));
    assert_eq!([header.spacing.x, header.spacing.y, header.spacing.z], [0.25, 0.75, 2.5]);
    assert_eq!(header.origin, [1.0, 2.0, 4.0]);
    let rescaling = header.rescaling().expect("slope and intercept of each frame");
    let lines: Vec<_> = (0..3).map(|z| (rescaling.at(0, z).slope, rescaling.at(0, z).intercept)).collect();
    assert_eq!(lines, [(2.0, 10.0), (2.0, 20.0), (2.0, 30.0)]);
    assert_eq!(numbers(&mut file), [frame(2), frame(1), frame(0)].concat());
}

#[test]
fn the_same_places_at_several_times_are_frames() {
    let places = [(0.0, 2, 7.0), (3.0, 2, 7.0), (3.0, 1, 7.0), (0.0, 1, 7.0)];
    let mut file = opened(&enhanced(&places)).unwrap();
    let header = &file.volume.header;
    assert_eq!((header.dims.z, header.frames, header.spacing.z), (2, 2, 3.0));
    assert_eq!(header.rescaling().and_then(|r| r.uniform()).map(|line| line.intercept), Some(7.0));
    assert_eq!(numbers(&mut file), [frame(3), frame(2), frame(0), frame(1)].concat());

    // Slices acquired one after the other also have times, but each has its own position.
    let file = opened(&enhanced(&[(0.0, 1, 0.0), (3.0, 2, 0.0), (6.0, 3, 0.0)])).unwrap();
    assert_eq!((file.volume.header.dims.z, file.volume.header.frames), (3, 1));

    // Intercepts may change from slice to slice and in time.
    let file = opened(&enhanced(&[(0.0, 1, 1.0), (3.0, 1, 2.0), (0.0, 2, 3.0), (3.0, 2, 4.0)])).unwrap();
    let rescaling = file.volume.header.rescaling().expect("slope and intercept of each slice");
    let lines = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[frame, z]| rescaling.at(frame, z).intercept);
    assert_eq!((lines, rescaling.at(1, 1).slope), ([1.0, 2.0, 3.0, 4.0], 2.0));

    let error = opened(&enhanced(&[(0.0, 1, 0.0), (0.0, 1, 0.0)])).expect_err("two frames in one place");
    assert_eq!(error.to_string(), "frames.dcm, frame 1 and frames.dcm, frame 2 are at the same position");
}

/// Reads a plan of doses: the first frame's position, the distances of the others from it, and a slope.
#[test]
fn doses_have_offsets_and_a_slope_of_their_own() {
    let before = [
        element(0x20, 0x32, b"DS", &ds(&[-3.0, 4.0, 10.0])),
        element(0x20, 0x37, b"DS", &ds(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0])),
    ]
    .concat();
    let dose = [
        element(0x3004, 2, b"CS", b"GY"),
        element(0x3004, 0xc, b"DS", &ds(&[0.0, 2.5, 5.0])),
        element(0x3004, 0xe, b"DS", &ds(&[0.001])),
    ]
    .concat();
    let stored: Vec<u32> = (0..18).map(|i| i * 100_000).collect();
    let bytes: Vec<u8> = stored.iter().flat_map(|number| number.to_le_bytes()).collect();
    let after = [dose, pixels(&bytes)].concat();
    let mut file = opened(&[start(LITTLE, 1), elements(3, 32, &before, &[], &after)].concat()).unwrap();
    let header = &file.volume.header;
    assert_eq!((header.dims.z, header.voxel_type, header.spacing.z), (3, VoxelType::U32, 2.5));
    assert_eq!(header.origin, [-3.0, 4.0, 10.0]);
    let rescaling = header.rescaling().expect("a slope");
    assert_eq!((rescaling.uniform().map(|line| line.slope), rescaling.unit()), (Some(0.001), Some("Gy")));
    let mut read = Vec::new();
    file.volume.voxels.read_to_end(&mut read).unwrap();
    assert_eq!(read, bytes);
}

#[test]
fn frames_that_follow_each_other_in_time_are_frames() {
    let time = [element(0x18, 0x1063, b"DS", b"40"), element(0x20, 0x13, b"IS", b"1")].concat();
    let pointer = element(0x28, 9, b"AT", &[0x18, 0, 0x63, 0x10]);
    let after = pixels(&words(&[frame(0), frame(1), frame(2)]));
    let mut file = opened(&[start(LITTLE, 1), elements(3, 16, &time, &pointer, &after)].concat()).unwrap();
    let header = &file.volume.header;
    assert_eq!((header.dims.z, header.frames, header.frame_spacing), (1, 3, 0.04));
    assert_eq!(numbers(&mut file), [frame(0), frame(1), frame(2)].concat());
    // Without the pointer they are slices.
    let mut file = opened(&[start(LITTLE, 1), elements(3, 16, &[], &[], &after)].concat()).unwrap();
    assert_eq!((file.volume.header.dims.z, file.volume.header.frames), (3, 1));
    assert_eq!(numbers(&mut file), [frame(0), frame(1), frame(2)].concat());
}

#[test]
fn times_of_frames_may_be_listed() {
    let pointer = element(0x28, 9, b"AT", &[0x18, 0, 0x65, 0x10]);
    let after = pixels(&words(&[frame(0), frame(1), frame(2)]));
    let open = |times: &[u8]| {
        let times = element(0x18, 0x1065, b"DS", times);
        opened(&[start(LITTLE, 1), elements(3, 16, &times, &pointer, &after)].concat()).unwrap().volume
    };
    let volume = open(b"0\\50\\50");
    assert_eq!((volume.header.dims.z, volume.header.frames, volume.header.frame_spacing), (1, 3, 0.05));
    let uneven = open(b"0\\50\\75");
    assert_eq!((uneven.header.frames, uneven.header.frame_spacing), (3, 0.0));
    let note = "by FrameTimeVector, frames are 0.05 to 0.075 s apart: no distance is kept";
    assert!(uneven.notes.iter().any(|other| other.to_string() == note), "{:?}", uneven.notes);
    // A list that was cut short, and one that is no list.
    let note = "fields of DICOM that are not kept: FrameTimeVector";
    for damaged in [&b"0\\50"[..], b"0\\50\\a"] {
        let volume = open(damaged);
        assert_eq!((volume.header.frames, volume.header.frame_spacing), (3, 0.0));
        assert!(volume.notes.iter().any(|other| other.to_string() == note), "{:?}", volume.notes);
    }
    assert!(!uneven.notes.iter().any(|other| other.to_string() == note), "{:?}", uneven.notes);
}

/// Dynamic studies of nuclear medicine: vectors of phases and times, and the duration of a frame of each
/// phase.
#[test]
fn frames_of_phases_have_a_duration() {
    let pointer = element(0x28, 9, b"AT", &[0x54, 0, 0x30, 0, 0x54, 0, 0, 1]);
    let open = |durations: &[u32], phases: &[u16], times: &[u16]| {
        let phase = |duration: &u32| {
            [
                element(0x18, 0x1242, b"IS", duration.to_string().as_bytes()),
                element(0x54, 0x33, b"US", &us(2)),
                element(0x54, 0x36, b"IS", b"0"),
                element(0x54, 0x38, b"IS", b"500"),
            ]
            .concat()
        };
        let list = |all: &[u16]| all.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let after = [
            element(0x54, 0x30, b"US", &list(phases)),
            sequence(0x54, 0x32, &durations.iter().map(phase).collect::<Vec<_>>()),
            element(0x54, 0x100, b"US", &list(times)),
            pixels(&words(&(0..phases.len() as u16).map(frame).collect::<Vec<_>>())),
        ];
        let after = after.concat();
        opened(&[start(LITTLE, 1), elements(phases.len(), 16, &[], &pointer, &after)].concat())
            .unwrap()
            .volume
    };
    let header = open(&[9500], &[1, 1, 1], &[1, 2, 3]).header;
    assert_eq!((header.dims.z, header.frames, header.frame_spacing), (1, 3, 10.0));
    let header = open(&[9500, 9500], &[1, 1, 2, 2], &[1, 2, 1, 2]).header;
    assert_eq!((header.dims.z, header.frames, header.frame_spacing), (1, 4, 10.0));
    let uneven = open(&[9500, 1500], &[1, 1, 2, 2], &[1, 2, 1, 2]);
    assert_eq!((uneven.header.frames, uneven.header.frame_spacing), (4, 0.0));
    let note = "by ActualFrameDuration, frames are 2 to 10 s apart: no distance is kept";
    assert!(uneven.notes.iter().any(|other| other.to_string() == note), "{:?}", uneven.notes);
    // Phases are counted from 1.
    for phase in [0, 2] {
        let header = open(&[9500], &[phase; 3], &[1, 2, 3]).header;
        assert_eq!((header.frames, header.frame_spacing), (3, 0.0), "{phase}");
    }
}

/// Ultrasound has positions in the frame of reference of the volume, not of the patient.
#[test]
fn frames_of_ultrasound_have_places_in_the_volume() {
    let own = [4.0, 2.0, 0.0].map(|z| {
        let position = element(0x20, 0x9301, b"FD", &[1.0, 2.0, z].map(f64::to_le_bytes).concat());
        sequence(0x20, 0x930e, &[position])
    });
    let directions = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0f64].map(f64::to_le_bytes).concat();
    let measures =
        [element(0x18, 0x50, b"DS", &ds(&[1.0])), element(0x28, 0x30, b"DS", &ds(&[0.75, 0.25]))].concat();
    let shared = [
        sequence(0x20, 0x930f, &[element(0x20, 0x9302, b"FD", &directions)]),
        sequence(0x28, 0x9110, &[measures]),
    ]
    .concat();
    let after = [
        sequence(0x5200, 0x9229, &[shared]),
        sequence(0x5200, 0x9230, &own),
        pixels(&words(&[frame(0), frame(1), frame(2)])),
    ]
    .concat();
    let mut file = opened(&[start(LITTLE, 1), elements(3, 16, &[], &[], &after)].concat()).unwrap();
    let header = &file.volume.header;
    assert_eq!((header.dims.z, header.frames, header.spacing.z), (3, 1, 2.0));
    assert_eq!((header.origin, header.is_anatomical()), ([1.0, 2.0, 0.0], false));
    let note = "not stated: ImagePositionPatient, ImageOrientationPatient; position and directions are \
                unknown; the distance between slices is from ImagePositionVolume";
    assert!(file.volume.notes.iter().any(|other| other.to_string() == note), "{:?}", file.volume.notes);
    assert_eq!(numbers(&mut file), [frame(2), frame(1), frame(0)].concat());
}

#[test]
fn pixels_have_a_size_or_a_shape_by_other_fields() {
    let voxels = pixels(&words(&[frame(0)]));
    let open = |before: &[u8], between: &[u8], after: &[u8]| {
        let after = [after, &voxels].concat();
        opened(&[start(LITTLE, 1), elements(1, 16, before, between, &after)].concat()).unwrap().volume
    };
    let spacing = |volume: &OpenedVolume| [volume.header.spacing.x, volume.header.spacing.y];
    // Images of radiotherapy list the distance between rows first, too.
    let image = open(&[], &[], &element(0x3002, 0x11, b"DS", &ds(&[0.4, 0.3])));
    assert_eq!(spacing(&image), [0.3, 0.4]);
    let note = "the spacing is ImagePlanePixelSpacing, on the detector: there is no PixelSpacing";
    assert!(image.notes.iter().any(|other| other.to_string() == note), "{:?}", image.notes);
    // Height and width, without a unit.
    let aspect = element(0x28, 0x34, b"IS", b"3\\2");
    let high = open(&[], &[], &aspect);
    assert_eq!(spacing(&high), [1.0, 1.5]);
    let note = "by PixelAspectRatio, a pixel is 1.5 times as high as wide; the unit is unknown";
    assert!(high.notes.iter().any(|other| other.to_string() == note), "{:?}", high.notes);
    let both = open(&[], &[], &[element(0x28, 0x30, b"DS", &ds(&[0.5, 0.25])), aspect].concat());
    assert_eq!(spacing(&both), [0.25, 0.5]);
    assert!(!both.notes.iter().any(|other| other.to_string() == note), "{:?}", both.notes);
}

#[test]
fn a_table_of_contrast_is_noted_unless_there_is_a_window() {
    let table = [
        element(0x28, 0x3002, b"US", &[us(2), us(0), us(8)].concat()),
        element(0x28, 0x3006, b"OW", &[255, 0, 0, 0]),
    ];
    let table = sequence(0x28, 0x3010, &[table.concat()]);
    let note = "VOILUTSequence is not applied: renderings differ from it in contrast";
    let notes = |more: &[u8]| {
        let after = [more, &table, &pixels(&words(&[frame(0)]))].concat();
        let file = [start(LITTLE, 1), elements(1, 16, &[], &[], &after)].concat();
        opened(&file).unwrap().volume.notes.iter().any(|other| other.to_string() == note)
    };
    assert!(notes(&[]));
    let window = [element(0x28, 0x1050, b"DS", b"40"), element(0x28, 0x1051, b"DS", b"400 ")].concat();
    assert!(!notes(&window));
}

#[test]
fn every_transfer_syntax_has_frames() {
    let want = [frame(0), frame(1), frame(2)];
    let plain = elements(3, 16, &[], &[], &pixels(&words(&want)));
    let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    deflated.write_all(&plain).unwrap();
    let deflated = [start(DEFLATED, 1), deflated.finish().unwrap()].concat();
    assert_eq!(numbers(&mut opened(&deflated).unwrap()), want.concat());

    // Each frame is a fragment of two planes: the upper bytes, then the lower ones, as literals.
    let fragments = want.iter().map(|frame| {
        let mut fragment: Vec<u8> = [2u32, 64, 72].iter().flat_map(|word| word.to_le_bytes()).collect();
        fragment.resize(64, 0);
        for byte in [1, 0] {
            fragment.push(5);
            fragment.extend(frame.iter().map(|number| number.to_le_bytes()[byte]));
            fragment.push(128);
        }
        fragment
    });
    let item =
        |bytes: &[u8]| [&[0xfe, 0xff, 0, 0xe0], &(bytes.len() as u32).to_le_bytes()[..], bytes].concat();
    let packed = |table: &[u8], fragments: &[Vec<u8>]| {
        let mut data = [0xe0, 0x7f, 0x10, 0, b'O', b'B', 0, 0, 0xff, 0xff, 0xff, 0xff].to_vec();
        data.extend(item(table));
        fragments.iter().for_each(|fragment| data.extend(item(fragment)));
        data.extend([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]);
        [start(RLE, 1), elements(3, 16, &[], &[], &data)].concat()
    };
    let fragments: Vec<Vec<u8>> = fragments.collect();
    assert_eq!(numbers(&mut opened(&packed(&[], &fragments)).unwrap()), want.concat());
    // Each frame has two pieces, which the table joins.
    let halves: Vec<Vec<u8>> =
        fragments.iter().flat_map(|fragment| [fragment[..40].to_vec(), fragment[40..].to_vec()]).collect();
    let step = 16 + fragments[0].len() as u32;
    let table: Vec<u8> = (0..3).flat_map(|i| (i * step).to_le_bytes()).collect();
    assert_eq!(numbers(&mut opened(&packed(&table, &halves)).unwrap()), want.concat());
    let mut error = opened(&packed(&[], &halves)).unwrap();
    let error = error.volume.voxels.read_to_end(&mut Vec::new()).expect_err("no table").to_string();
    assert!(error.contains("3 frames in 6 fragments without a table"), "{error}");
}

/// Converts the data set to explicit big endian: reverses fields and lengths.
#[test]
fn words_of_big_endian_files_are_turned_round() {
    let turned = |group: u16, number: u16, vr: &[u8; 2], value: &[u8]| {
        let mut bytes = [group.to_be_bytes(), number.to_be_bytes(), *vr].concat();
        if matches!(vr, b"OW" | b"OB") {
            bytes.extend([0, 0]);
            bytes.extend((value.len() as u32).to_be_bytes());
        } else {
            bytes.extend((value.len() as u16).to_be_bytes());
        }
        bytes.extend(value);
        bytes
    };
    let file = |bits: u16, vr: &[u8; 2], pixels: &[u8]| {
        let mut file = start(BIG, 1);
        file.extend(turned(0x28, 2, b"US", &[0, 1]));
        file.extend(turned(0x28, 4, b"CS", b"MONOCHROME2 "));
        file.extend(turned(0x28, 8, b"IS", b"3 "));
        file.extend(turned(0x28, 0x10, b"US", &1u16.to_be_bytes()));
        file.extend(turned(0x28, 0x11, b"US", &3u16.to_be_bytes()));
        for (number, value) in [(0x100, bits), (0x101, bits), (0x102, bits - 1), (0x103, 0)] {
            file.extend(turned(0x28, number, b"US", &value.to_be_bytes()));
        }
        file.extend(turned(0x7fe0, 0x10, vr, pixels));
        file
    };
    let read = |file: &[u8]| {
        let mut bytes = Vec::new();
        opened(file).unwrap().volume.voxels.read_to_end(&mut bytes).unwrap();
        bytes
    };
    let words: Vec<u8> = (0..9u16).flat_map(|i| (500 + i).to_be_bytes()).collect();
    let want: Vec<u8> = (0..9u16).flat_map(|i| (500 + i).to_le_bytes()).collect();
    assert_eq!(read(&file(16, b"OW", &words)), want);
    // Bytes are in words: frames of three bytes start in the middle of a word.
    assert_eq!(read(&file(8, b"OW", &[1, 0, 3, 2, 5, 4, 7, 6, 99, 8])), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(read(&file(8, b"OB", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 99])), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    // The standard and other programs have different orders of the words of a number.
    let error = opened(&file(32, b"OW", &[0; 36])).expect_err("wide numbers").to_string();
    assert!(error.contains("big-endian words of 32-bit numbers"), "{error}");
}

/// Parametric maps have their voxels in other elements than images.
#[test]
fn voxels_of_floats_are_refused_by_name() {
    for (number, representation) in [(8, b"OF"), (9, b"OD")] {
        let voxels = element(0x7fe0, number, representation, &[0; 96]);
        let file = [start("1.2.840.10008.1.2.1\0", 1), elements(1, 16, &[], &[], &voxels)].concat();
        let error = opened(&file).expect_err("floats");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let expected = "a file whose voxels are in FloatPixelData or DoubleFloatPixelData, not in PixelData,";
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

/// Limits what a small file can expand to: no memory is taken before it is known to be needed.
#[test]
fn deflated_files_take_no_more_memory_than_their_slices() {
    let deflate = |elements: &[u8]| {
        let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        deflated.write_all(elements).unwrap();
        [start(DEFLATED, 1), deflated.finish().unwrap()].concat()
    };
    // The header requires fewer voxels.
    let long = elements(1, 16, &[], &[], &pixels(&vec![0; 64 << 20]));
    let error = opened(&deflate(&long)).expect_err("too many voxels").to_string();
    assert_eq!(error, "PixelData has 67108864 bytes, expected 12");
    // This element would be held in memory by the reader.
    let other = element(0x11, 0x1010, b"OB", &vec![0; 300 << 20]);
    let error =
        opened(&deflate(&elements(1, 16, &other, &[], &pixels(&[0; 12])))).expect_err("too much else");
    assert!(error.to_string().contains("more than 268435456 bytes beside its voxels"), "{error}");
    // A sequence of empty items, of which each takes more memory than in the file.
    let items = [0xfe, 0xff, 0, 0xe0, 0, 0, 0, 0].repeat(5 << 20);
    let sequence = element(0x11, 0x1010, b"SQ", &items);
    let error =
        opened(&deflate(&elements(1, 16, &sequence, &[], &pixels(&[0; 12])))).expect_err("too many items");
    assert!(error.to_string().contains("more than 268435456 bytes beside its voxels"), "{error}");
    // Slices are as large as the file can contain, but larger than the caller allows.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dcm");
    fs::write(&path, enhanced(&[(0.0, 1, 0.0), (1.0, 1, 0.0)])).unwrap();
    let limited =
        |limit| open(&path, &VolumeOpenOptions::default().with(|o| o.max_memory = Some(limit)), &Task::new());
    assert!(limited(12).is_ok());
    let error = limited(11).expect_err("twelve bytes");
    assert_eq!(
        (error.kind(), error.to_string()),
        (ErrorKind::Limit, "takes 12 bytes of memory or more, above the 11 allowed".to_owned())
    );
}

#[test]
fn a_damaged_file_of_frames_is_an_error_or_other_voxels() {
    let good = enhanced(&[(0.0, 1, 0.0), (1.0, 1, 0.0), (0.0, 2, 0.0), (1.0, 2, 0.0)]);
    let read = |file: Vec<u8>| {
        let pipe = VolumePipe::new(std::io::Cursor::new(file)).unwrap();
        let options = VolumeOpenOptions::default().with(|o| o.format = Some(VolumeFormat::Dicom));
        pipe.open(&options, &Task::new()).map(|mut volume| volume.voxels.read_to_end(&mut Vec::new()).is_ok())
    };
    assert!(read(good.clone()).is_ok_and(|read| read));
    for at in 132..good.len() {
        for bit in [0, 4, 7] {
            let mut damaged = good.clone();
            damaged[at] ^= 1 << bit;
            let _ = read(damaged);
        }
        assert!(!read(good[..at].to_vec()).is_ok_and(|read| read), "cut at {at}");
    }
}

/// Refuses nested sequences that would overflow the stack.
#[test]
fn deep_sequences_do_not_overflow_the_stack() {
    let mut file = start(LITTLE, 1);
    for _ in 0..200_000 {
        // The referenced series has no length, and its item has none either.
        file.extend_from_slice(&[8, 0, 0x15, 0x11, b'S', b'Q', 0, 0, 255, 255, 255, 255]);
        file.extend_from_slice(&[0xfe, 0xff, 0x00, 0xe0, 255, 255, 255, 255]);
    }
    assert!(opened(&file).is_err());
}
