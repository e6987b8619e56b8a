//! DICOM files that other programs, or once this one, read wrongly: `test-data/trouble`. All were constructed
//! from public bug reports.

use crate::dicom_file::{DicomSlice, element, start};
use brickwork_formats::{Note, OpenError, OpenedVolume, SeriesChoice, VolumeOpenOptions, open};
use brickwork_volume::{Dims, ErrorKind, Rescale, Selection, Task};
use serde_json::{Value, json};
use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

fn path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/test-data/trouble")).join(name)
}

fn open_at(path: &Path) -> Result<OpenedVolume, OpenError> {
    open(path, &VolumeOpenOptions::default(), &Task::new())
}

fn read(name: &str) -> OpenedVolume {
    open_at(&path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the first number of each slice.
fn first_numbers(volume: &mut OpenedVolume) -> Vec<u16> {
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).expect("sound");
    let dims = volume.header.dims;
    let numbers: Vec<u16> = bytes.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
    numbers.chunks(dims.x * dims.y).map(|slice| slice[0]).collect()
}

fn notes(volume: &OpenedVolume) -> String {
    volume.notes.iter().map(|note| format!("{note}. ")).collect()
}

fn dicom(volume: &OpenedVolume) -> Value {
    let metadata: Value = serde_json::from_str(&volume.header.metadata).expect("an object");
    metadata["dicom"].clone()
}

fn shape(volume: &OpenedVolume) -> (Dims, usize) {
    (volume.header.dims, volume.header.frames)
}

/// A frame is one gradient, in the order of acquisition. The metadata has its b-value and direction.
#[test]
fn frames_of_diffusion_are_gradients_in_the_order_of_acquisition() {
    let mut volume = read("f32_dti_names_in_another_order");
    assert_eq!(shape(&volume), (Dims::new(5, 4, 3), 5));
    let want: Vec<u16> = (0..5).flat_map(|g| (0..3).map(move |z| 100 * g + z)).collect();
    assert_eq!(first_numbers(&mut volume), want);
    assert!(notes(&volume).contains("DiffusionBValue, DiffusionGradientOrientation: they are 5 frames"));
    let described = json!([
        { "DiffusionBValue": 0.0 },
        { "DiffusionBValue": 700.0, "DiffusionGradientOrientation": [1.0, 0.0, 0.0] },
        { "DiffusionBValue": 700.0, "DiffusionGradientOrientation": [0.0, 1.0, 0.0] },
        { "DiffusionBValue": 1400.0, "DiffusionGradientOrientation": [1.0, 0.0, 0.0] },
        { "DiffusionBValue": 1400.0, "DiffusionGradientOrientation": [0.0, 1.0, 0.0] },
    ]);
    assert_eq!(dicom(&volume)["frames"], described);
    // A part has the fields of its frames.
    let selection = Selection { frames: Some(1..3), ..Selection::default() };
    let part = volume.header.of_part(&selection, &brickwork_volume::Region::all(volume.header.dims));
    let part: Value = serde_json::from_str(&part.metadata).expect("an object");
    assert_eq!(part["dicom"]["frames"], json!([described[1], described[2]]));

    let mut volume = read("f35_dti_order");
    assert_eq!(first_numbers(&mut volume), [0, 1, 100, 101, 200, 201, 300, 301]);
    assert_eq!(
        dicom(&volume)["frames"][1],
        json!({ "DiffusionBValue": 1000.0, "DiffusionGradientOrientation": [-0.9996, 0.0268, -0.0008] })
    );

    let mut volume = read("f08_enhanced_dti.dcm");
    assert_eq!(shape(&volume), (Dims::new(5, 4, 2), 4));
    assert_eq!(first_numbers(&mut volume), [0, 1, 100, 101, 200, 201, 300, 301]);
    assert_eq!(
        dicom(&volume)["frames"][3],
        json!({ "DiffusionBValue": 1300.0, "DiffusionGradientOrientation": [0.0, 0.6, 0.8] })
    );
}

/// Reads images without weighting before, between and after the others; vendors' private fields count.
#[test]
fn several_images_without_weighting_are_frames() {
    let folder = tempfile::tempdir().unwrap();
    let fd = |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    let creator = element(0x19, 0x10, b"LO", b"SIEMENS MR\x20HEADER");
    let gradients = [None, Some([1.0, 0.0, 0.0]), None, Some([0.0, 1.0, -0.0]), None];
    for (g, gradient) in gradients.into_iter().enumerate() {
        for z in 0..3 {
            let number = (g * 3 + z + 1) as u32;
            let slice = DicomSlice::new(2, 2, number, vec![(100 * g + z) as u16; 4]);
            let slice = DicomSlice { position: [0.0, 0.0, z as f64], ..slice };
            let b: &[u8] = if gradient.is_some() { b"1000" } else { b"0" };
            let direction =
                gradient.map_or(Vec::new(), |direction| element(0x19, 0x100E, b"FD", &fd(&direction)));
            let own = [&creator[..], &element(0x19, 0x100C, b"IS", b), &direction].concat();
            let file = with_elements(&slice.bytes(), &own);
            // The names are in the opposite order.
            fs::write(folder.path().join(format!("{:02}.dcm", 40 - number)), file).unwrap();
        }
    }
    let mut volume = open_at(folder.path()).unwrap();
    let want: Vec<u16> = (0..5).flat_map(|g| (0..3).map(move |z| 100 * g + z)).collect();
    assert_eq!(first_numbers(&mut volume), want, "{}", notes(&volume));
    assert_eq!(dicom(&volume)["frames"][3]["DiffusionGradientOrientation"], json!([0.0, 1.0, 0.0]));
}

/// Returns a file of [`DicomSlice`] with elements of the groups 0009 to 001F added.
fn with_elements(file: &[u8], elements: &[u8]) -> Vec<u8> {
    let series = [0x20, 0, 0xe, 0, b'U', b'I'];
    let at = file.windows(6).position(|bytes| bytes == series).expect("a series");
    [&file[..at], elements, &file[at..]].concat()
}

/// Slices in the same places that nothing else tells apart are frames by their numbers.
#[test]
fn instance_numbers_tell_frames_apart() {
    let mut volume = read("f09_same_places_instance_number");
    assert_eq!(shape(&volume), (Dims::new(5, 4, 3), 2));
    assert_eq!(first_numbers(&mut volume), [0, 1, 2, 10, 11, 12]);
    assert!(notes(&volume).contains("differ in InstanceNumber: they are 2 frames"));
}

#[test]
fn tiles_of_a_slide_are_refused() {
    let error = open_at(&path("f05_slide_tiles.dcm")).expect_err("tiles");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("tiles of a slide"), "{error}");
}

#[test]
fn nuclear_medicine_has_its_place_and_its_times() {
    let volume = read("f06_nm_detector_position.dcm");
    let header = &volume.header;
    assert_eq!((header.dims, header.frames), (Dims::new(8, 6, 6), 1));
    assert_eq!((header.origin, header.is_anatomical()), ([-100.0, -120.0, 300.0], true));
    let spacing = header.spacing;
    assert_eq!([spacing.x, spacing.y, spacing.z], [3.0, 4.0, 4.0]);
    assert_eq!(header.orientation, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(notes(&volume), "");

    let mut volume = read("f07_nm_gated.dcm");
    assert_eq!(shape(&volume), (Dims::new(8, 6, 3), 2));
    assert_eq!(first_numbers(&mut volume), [0, 1, 2, 3, 4, 5]);
    assert!(notes(&volume).contains("differ in TimeSlotVector: they are 2 frames"));
}

/// Projections are pictures at one place, not slices.
#[test]
fn projections_are_frames() {
    let mut file = fs::read(path("f06_nm_detector_position.dcm")).unwrap();
    // The vector of slices becomes one of angles, in the pointer and in the file.
    for at in 0..file.len() - 4 {
        if file[at..at + 4] == [0x54, 0, 0x80, 0] {
            file[at + 2] = 0x90;
        } else if file[at..at + 4] == [0x54, 0, 0x81, 0] {
            file[at + 2] = 0x91;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dcm");
    fs::write(&path, file).unwrap();
    let volume = open_at(&path).unwrap();
    assert_eq!(shape(&volume), (Dims::new(8, 6, 1), 6));
    assert!(notes(&volume).contains("differ in AngularViewVector: they are 6 frames"), "{}", notes(&volume));
}

#[test]
fn real_world_values_are_physical_values() {
    let volume = read("f21_real_world_values");
    let rescaling = volume.header.rescaling().expect("a line");
    assert_eq!(rescaling.uniform(), Some(Rescale { slope: 0.5, intercept: -2048.0 }));
    assert_eq!(notes(&volume), "");
    let volume = read("f21_modality_lut.dcm");
    assert_eq!(volume.header.rescaling(), None);
    assert!(notes(&volume).contains("ModalityLUTSequence is not applied"), "{}", notes(&volume));
}

/// Tables that are straight lines are slopes; a mapping that contradicts the slope is noted.
#[test]
fn straight_tables_are_slopes() {
    let us = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    let fd = |number: f64| number.to_le_bytes().to_vec();
    let sequence = |group, number, item: &[u8]| {
        let item = [&[0xfe, 0xff, 0, 0xe0], &(item.len() as u32).to_le_bytes()[..], item].concat();
        element(group, number, b"SQ", &item)
    };
    let values: Vec<u16> = (0..256).map(|stored| 1000 - 3 * stored).collect();
    let item = [
        element(0x28, 0x3002, b"US", &us(&[256, 0, 16])),
        element(0x28, 0x3004, b"LO", b"OD"),
        element(0x28, 0x3006, b"US", &us(&values)),
    ];
    let table = sequence(0x28, 0x3000, &item.concat());
    let item = [element(0x40, 0x9224, b"FD", &fd(10.0)), element(0x40, 0x9225, b"FD", &fd(0.25))];
    let mapping = sequence(0x40, 0x9096, &item.concat());
    let folder = tempfile::tempdir().unwrap();
    let opened = |bits, rescale, added: &[u8]| {
        let mut slice = DicomSlice::new(2, 1, 1, vec![0, 8]);
        (slice.bits_stored, slice.rescale) = (bits, rescale);
        let file = slice.bytes();
        let at = file.windows(4).position(|bytes| bytes == [0xe0, 0x7f, 0x10, 0]).expect("voxels");
        let path = folder.path().join("a.dcm");
        fs::write(&path, [&file[..at], added, &file[at..]].concat()).unwrap();
        let volume = open_at(&path).unwrap();
        let line =
            volume.header.rescaling().and_then(|r| r.uniform()).map(|line| (line.slope, line.intercept));
        (line, notes(&volume))
    };
    assert_eq!(opened(8, None, &table), (Some((-3.0, 1000.0)), String::new()));
    // Numbers beyond the table have the last value.
    let (line, said) = opened(16, None, &table);
    assert!(line.is_none() && said.contains("ModalityLUTSequence"), "{said}");
    for rescale in [None, Some([1.0, 0.0]), Some([0.25, 10.0])] {
        assert_eq!(opened(16, rescale, &mapping), (Some((0.25, 10.0)), String::new()));
    }
    let (line, said) = opened(16, Some([2.0, -1.0]), &mapping);
    assert_eq!(line, Some((2.0, -1.0)));
    assert!(said.contains("RealWorldValueMappingSequence is not applied"), "{said}");
}

#[test]
fn slice_location_gives_the_distance() {
    let mut volume = read("f20_slice_location");
    assert_eq!((volume.header.spacing.z, volume.header.origin), (2.5, [0.0; 3]));
    assert_eq!(first_numbers(&mut volume), [0, 1, 2, 3]);
    assert_eq!(
        volume.notes,
        [Note::NotStated {
            fields: vec!["ImagePositionPatient", "ImageOrientationPatient"],
            distance: Some("SliceLocation")
        }]
    );
}

#[test]
fn regions_of_ultrasound_have_a_spacing() {
    let volume = read("f19_us_region.dcm");
    let spacing = volume.header.spacing;
    assert_eq!([spacing.x, spacing.y], [0.5, 0.4]);
    assert_eq!(shape(&volume), (Dims::new(30, 20, 1), 3));
    // Another unit is no length.
    let mut file = fs::read(path("f19_us_region.dcm")).unwrap();
    let unit = file.windows(6).position(|bytes| bytes == [0x18, 0, 0x24, 0x60, b'U', b'S']).unwrap();
    file[unit + 8] = 4;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dcm");
    fs::write(&path, file).unwrap();
    let volume = open_at(&path).unwrap();
    assert_eq!(volume.header.spacing.x, 1.0);
    assert!(notes(&volume).contains("not stated: PixelSpacing, "), "{}", notes(&volume));
}

#[test]
fn absent_geometry_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    for z in 1..=3 {
        let mut slice = DicomSlice::new(2, 2, z, vec![z as u16; 4]);
        slice.has_place = false;
        let file = slice.bytes();
        let spacing = file.windows(4).position(|bytes| bytes == [0x28, 0, 0x30, 0]).unwrap();
        let end = spacing + 8 + usize::from(file[spacing + 6]);
        fs::write(folder.path().join(format!("{z}.dcm")), [&file[..spacing], &file[end..]].concat()).unwrap();
    }
    let volume = open_at(folder.path()).unwrap();
    let fields = vec!["PixelSpacing", "ImagePositionPatient", "ImageOrientationPatient", "SliceThickness"];
    assert_eq!(volume.notes, [Note::NotStated { fields, distance: None }]);
    assert!(notes(&volume).ends_with("; 1 mm is taken; position and directions are unknown. "));
    assert!(!volume.header.is_anatomical());
}

/// Keeps the numbers of unmeasured voxels, as they are stored.
#[test]
fn padding_is_kept() {
    assert_eq!(dicom(&read("f22_pixel_padding"))["PixelPaddingValue"], json!(-32768));
}

#[test]
fn escape_codes_of_text_are_decoded() {
    assert_eq!(dicom(&read("f29_japanese.dcm"))["SeriesDescription"], json!("頭部"));
}

/// Reads a file whose meta elements break the rules in these ways, as a sound one.
#[test]
fn sloppy_meta_elements_are_read() {
    let check = |path: &Path| {
        let mut volume = open_at(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!((volume.header.dims, volume.header.origin), (Dims::new(7, 6, 1), [1.0, 2.0, 3.0]));
        let mut bytes = Vec::new();
        volume.voxels.read_to_end(&mut bytes).unwrap();
        let numbers: Vec<i16> = bytes.as_chunks().0.iter().map(|word| i16::from_le_bytes(*word)).collect();
        assert_eq!(numbers, (-20..22).collect::<Vec<i16>>());
    };
    check(&path("f12_meta_title_of_18.dcm"));
    check(&path("f12_meta_uid_letters.dcm"));
    let sound = fs::read(path("f12_meta_uid_letters.dcm")).unwrap();
    let data = sound.windows(6).position(|bytes| bytes == [8, 0, 0x16, 0, b'U', b'I']).unwrap();
    let (first, second, syntax) = (132, 144, element(2, 0x10, b"UI", b"1.2.840.10008.1.2.1"));
    let length = |count: u32| element(2, 0, b"UL", &count.to_le_bytes());
    let implicit = |group: u16, number: u16, value: &[u8]| {
        [&group.to_le_bytes()[..], &number.to_le_bytes(), &(value.len() as u32).to_le_bytes(), value].concat()
    };
    let files = [
        // No length; a length that is too short or too long.
        [&sound[..first], &sound[second..]].concat(),
        [&sound[..first], &length(8), &sound[second..]].concat(),
        [&sound[..first], &length(1 << 20), &sound[second..]].concat(),
        // Neither preamble nor length; nor "DICM"; only a data set.
        [b"DICM", &sound[second..]].concat(),
        sound[first..].to_vec(),
        sound[second..].to_vec(),
        sound[data..].to_vec(),
        [&[0; 128][..], b"DICM", &sound[data..]].concat(),
        // Implicit representations; a length of two bytes where four are the rule.
        [&sound[..first], &implicit(2, 2, b"1.2.840.10008.5.1.4.1.1.2\0"), &syntax, &sound[data..]].concat(),
        [&sound[..first], &implicit(2, 0x10, b"1.2.840.10008.1.2.1\0"), &sound[data..]].concat(),
        [&sound[..first], &[2, 0, 1, 0, b'O', b'B', 2, 0, 0, 1], &syntax, &sound[data..]].concat(),
        // A wrong transfer syntax, or none.
        [&sound[..first], &element(2, 0x10, b"UI", b"1.2.840.10008.1.2"), &sound[data..]].concat(),
        [&sound[..first], &element(2, 2, b"UI", b"1.2"), &sound[data..]].concat(),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (index, file) in files.iter().enumerate() {
        let path = folder.path().join(format!("{index}.dcm"));
        fs::write(&path, file).unwrap();
        check(&path);
    }
    // In a folder, files are also found without an extension.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("IM1"), &sound[second..]).unwrap();
    check(folder.path());
    let error = open_at(&{
        let path = folder.path().join("a.dcm");
        fs::write(&path, "no DICOM at all").unwrap();
        path
    });
    assert_eq!(error.expect_err("text").kind(), ErrorKind::Invalid);
}

fn open_series(folder: &Path, series: &str) -> Result<OpenedVolume, String> {
    let options = VolumeOpenOptions::default().with(|o| o.series = Some(SeriesChoice::of(series)));
    open(folder, &options, &Task::new()).map_err(|error| error.to_string())
}

/// Lists the planes of a localizer, and slices of other sizes, as stacks.
#[test]
fn planes_of_a_series_are_stacks() {
    let folder = path("f10_three_planes");
    let error = open_at(&folder).expect_err("three stacks").to_string();
    let parts = [
        "3 series",
        "0: number 1, stack \"axial\", 2 slices of 7x6",
        "stack \"sagittal\"",
        "stack \"coronal\"",
    ];
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    for (index, want) in [("0", [1, 2]), ("1", [3, 4]), ("2", [5, 6])] {
        let mut volume = open_series(&folder, index).expect("a stack");
        let mut numbers = first_numbers(&mut volume);
        numbers.sort_unstable();
        assert_eq!((volume.header.dims, numbers), (Dims::new(7, 6, 2), want.to_vec()));
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("0.dcm"), DicomSlice::new(12, 9, 0, vec![0; 108]).bytes()).unwrap();
    for z in 1..=3 {
        let file = DicomSlice::new(7, 6, z, vec![z as u16; 42]).bytes();
        fs::write(folder.path().join(format!("{z}.dcm")), file).unwrap();
    }
    let error = open_at(folder.path()).expect_err("two stacks").to_string();
    assert!(error.contains("1 slice of 12x9") && error.contains("3 slices of 7x6"), "{error}");
    let dims = |index| open_series(folder.path(), index).map(|volume| volume.header.dims);
    assert_eq!((dims("0"), dims("1")), (Ok(Dims::new(12, 9, 1)), Ok(Dims::new(7, 6, 3))));
}

/// A file that cannot be read stops only its own series.
#[test]
fn an_unreadable_neighbour_does_not_stop_a_folder() {
    let folder = path("f11_unreadable_neighbour");
    let error = open_at(&folder).expect_err("two series").to_string();
    let parts =
        ["2 series", "3 slices of 7x6", "1 slice of 9x8", "key.dcm", "cannot be read: the transfer syntax"];
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    let mut volume = open_series(&folder, "1.2.826.0.1.3680043.8.498.77.1.1").expect("slices");
    assert_eq!((volume.header.dims, first_numbers(&mut volume)), (Dims::new(7, 6, 3), vec![0, 1, 2]));
    let error = open_series(&folder, "1").expect_err("lossy JPEG");
    assert!(error.starts_with("key.dcm: the transfer syntax 1.2.840.10008.1.2.4.50"), "{error}");
    // A file of which nothing is known is left out with a note; one of the same series is an error.
    let other = tempfile::tempdir().unwrap();
    for name in ["ct0.dcm", "ct1.dcm", "ct2.dcm"] {
        fs::copy(folder.join(name), other.path().join(name)).unwrap();
    }
    fs::write(other.path().join("x.dcm"), [&start("1.2.840.10008.1.2.1", 1)[..], &[0xff; 9]].concat())
        .unwrap();
    let volume = open_at(other.path()).expect("slices");
    assert_eq!(volume.header.dims.z, 3);
    assert!(notes(&volume).contains("cannot be read: x.dcm ("), "{}", notes(&volume));
    let file = fs::read(folder.join("ct2.dcm")).unwrap();
    fs::write(other.path().join("ct2.dcm"), &file[..file.len() - 7]).unwrap();
    let error = open_at(other.path()).expect_err("a slice that is cut off").to_string();
    assert!(error.starts_with("ct2.dcm: "), "{error}");
}
