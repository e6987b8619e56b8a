//! DICOM series with several slices at each place, made without other programs: times over midnight, absent
//! slices, texts of wrong character sets.

use crate::dicom_file::{DicomSlice, element};
use brickwork_formats::{OpenedVolume, VolumeOpenOptions, folder};
use brickwork_volume::Task;
use std::{fs, io::Read as _};

/// A file of the series: its name, and its bytes.
type File = (String, Vec<u8>);

/// Returns the elements of a frame.
type Elements<'a> = &'a dyn Fn(usize) -> Vec<u8>;

/// Adds elements before the modality.
fn with_elements(file: &[u8], elements: &[u8]) -> Vec<u8> {
    let at = file.windows(6).position(|bytes| bytes == [8, 0, 0x60, 0, b'C', b'S']).expect("a modality");
    [&file[..at], elements, &file[at..]].concat()
}

/// Returns three frames of two slices. `elements` are those of a frame. The names are in the opposite order.
fn series(numbers: bool, elements: impl Fn(usize) -> Vec<u8>) -> Vec<File> {
    let slice = |t: usize, z: usize| {
        let number = if numbers { 1 + 2 * t + z } else { 1 + z };
        let slice = DicomSlice::new(2, 2, number as u32, vec![(100 * t + z) as u16; 4]);
        let slice = DicomSlice { position: [0.0, 0.0, 4.0 * z as f64], ..slice };
        (format!("{}.dcm", 90 - (2 * t + z)), with_elements(&slice.bytes(), &elements(t)))
    };
    (0..6).map(|i| slice(i / 2, i % 2)).collect()
}

fn open(files: &[File]) -> Result<(OpenedVolume, Vec<u16>), String> {
    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(place.path().join(name), bytes).unwrap();
    }
    let volume = folder::open(place.path(), &VolumeOpenOptions::default(), &Task::new());
    let mut volume = volume.map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).unwrap();
    let first = bytes.as_chunks::<8>().0.iter().map(|slice| u16::from_le_bytes([slice[0], slice[1]]));
    Ok((volume, first.collect()))
}

fn notes(volume: &OpenedVolume) -> String {
    volume.notes.iter().map(|note| format!("{note}. ")).collect()
}

const IN_ORDER: [u16; 6] = [0, 1, 100, 101, 200, 201];
const TIMES: [&str; 3] = ["235950.000", "000000", "000010.00"];
const DATES: [&str; 3] = ["20240131", "20240201", "20240201"];

fn time(t: usize) -> Vec<u8> {
    element(8, 0x32, b"TM", TIMES[t].as_bytes())
}

fn date(t: usize) -> Vec<u8> {
    element(8, 0x22, b"DA", DATES[t].as_bytes())
}

#[test]
fn frames_may_run_over_midnight() {
    let tm = |number, text: &str| element(8, number, b"TM", text.as_bytes());
    let da = |number, text: &str| element(8, number, b"DA", text.as_bytes());
    // Numbers restart in each frame, so that only the dates tell.
    let dated: [(&str, Elements<'_>); 6] = [
        ("AcquisitionDate", &|t| [date(t), time(t)].concat()),
        ("AcquisitionDateTime and AcquisitionTime", &|t| {
            let text = format!("{}{}+0100", DATES[t], TIMES[t]);
            [element(8, 0x2A, b"DT", text.as_bytes()), time(t)].concat()
        }),
        ("AcquisitionDateTime", &|t| element(8, 0x2A, b"DT", format!("{}{}", DATES[t], TIMES[t]).as_bytes())),
        // The images were computed later: all on the second day.
        ("ContentDate", &|t| [da(0x23, DATES[1]), time(t), tm(0x33, "000200")].concat()),
        ("SeriesDate", &|t| [da(0x21, DATES[0]), tm(0x31, "235948"), time(t)].concat()),
        ("dates with dots", &|t| [da(0x22, ["2024.01.31", "2024.02.01", "2024.02.01"][t]), time(t)].concat()),
    ];
    for (name, elements) in dated {
        let (volume, first) = open(&series(false, elements)).expect(name);
        assert_eq!(first, IN_ORDER, "{name}");
        assert_eq!((volume.header.frames, volume.header.frame_spacing), (3, 10.0), "{name}");
        assert!(!notes(&volume).contains("no dates"), "{name}");
    }
    // Without dates, InstanceNumber tells which end of the day is first.
    let (volume, first) = open(&series(true, time)).expect("three frames");
    assert_eq!((first, volume.header.frame_spacing), (IN_ORDER.to_vec(), 10.0));
    assert!(notes(&volume).contains("AcquisitionTime has no dates"), "{}", notes(&volume));
    let (volume, first) =
        open(&series(true, |t| tm(0x32, ["080000", "140000", "200000"][t]))).expect("a day");
    assert_eq!((first, volume.header.frame_spacing), (IN_ORDER.to_vec(), 21600.0));
    let (volume, first) =
        open(&series(true, |t| tm(0x32, ["060000", "060010", "200000"][t]))).expect("a day");
    assert_eq!((first, volume.header.frame_spacing), (IN_ORDER.to_vec(), 0.0));
    assert!(!notes(&volume).contains("no dates"), "{}", notes(&volume));
}

#[test]
fn numbered_frames_have_the_distances_of_their_times() {
    let numbers: [(&str, Elements<'_>); 2] = [
        ("AcquisitionNumber", &|t| element(0x20, 0x12, b"IS", (t + 1).to_string().as_bytes())),
        ("TemporalPositionIdentifier", &|t| element(0x20, 0x100, b"IS", (t + 1).to_string().as_bytes())),
    ];
    for (name, number) in numbers {
        let files = series(false, |t| [date(t), time(t), number(t)].concat());
        let (volume, first) = open(&files).expect(name);
        assert_eq!((first, volume.header.frame_spacing), (IN_ORDER.to_vec(), 10.0), "{name}");
        // Uneven times are no distance, with a note.
        let uneven = |t: usize| element(8, 0x32, b"TM", ["120000", "120010.5", "120030"][t].as_bytes());
        let (volume, _) = open(&series(false, |t| [uneven(t), number(t)].concat())).expect(name);
        assert_eq!(volume.header.frame_spacing, 0.0, "{name}");
        let want = "by AcquisitionTime, frames are 10.5 to 19.5 s apart: no distance is kept";
        assert!(notes(&volume).contains(want), "{}", notes(&volume));
    }
}

#[test]
fn an_absent_slice_of_a_frame_is_named() {
    let trigger = |t: usize| element(0x18, 0x1060, b"DS", ["0", "33.1", "66.2"][t].as_bytes());
    let b_value = |t: usize| element(0x18, 0x9087, b"FD", &[0.0f64, 700.0, 1400.0][t].to_le_bytes());
    let echo = |t: usize| element(0x18, 0x81, b"DS", ["5", "10", "15"][t].as_bytes());
    let kinds: [(Elements<'_>, &str); 3] =
        [(&trigger, "TriggerTime 33.1"), (&b_value, "DiffusionBValue 700"), (&echo, "EchoTime 10")];
    for (elements, missing) in kinds {
        let mut files = series(true, elements);
        // The middle frame's upper slice.
        files.remove(3);
        let error = open(&files).map(drop).expect_err(missing);
        let want = format!(
            "the position 0\\0\\4 has 2 slices (85.dcm, 89.dcm), but others have 3: {missing} is missing"
        );
        assert!(error.ends_with(&want), "{error}");
    }
    // Nothing tells the slices apart except their numbers.
    let mut files = series(true, |_| Vec::new());
    files.remove(3);
    let error = open(&files).map(drop).expect_err("five slices");
    assert!(error.ends_with("has 2 slices (85.dcm, 89.dcm), but others have 3"), "{error}");
    // A second slice in a single place is a frame if a field tells.
    let mut files = series(true, trigger);
    files.drain(3..);
    let error = open(&files).map(drop).expect_err("three slices");
    assert!(
        error.ends_with("has 1 slice (89.dcm), but others have 2: TriggerTime 33.1 is missing"),
        "{error}"
    );
    let mut files = series(true, |_| Vec::new());
    files.drain(3..);
    let error = open(&files).map(drop).expect_err("three slices");
    assert!(error.ends_with("at the same position"), "{error}");
}

#[test]
fn misspelt_and_unknown_character_sets_are_noted() {
    let text = |set: &str, name: &[u8]| {
        let slice = DicomSlice::new(2, 2, 1, vec![7; 4]);
        let elements = [
            element(8, 5, b"CS", set.as_bytes()),
            element(8, 0x103E, b"LO", name),
            element(8, 0x60, b"CS", b"CT"),
        ];
        let (volume, _) = open(&[("a.dcm".to_owned(), with_elements(&slice.bytes(), &elements.concat()))])
            .expect("a slice");
        let metadata: serde_json::Value = serde_json::from_str(&volume.header.metadata).unwrap();
        (metadata["dicom"]["SeriesDescription"].as_str().unwrap().to_owned(), notes(&volume))
    };
    // "мозг" in ISO 8859-5.
    let brain = [0xdc, 0xde, 0xd7, 0xd3];
    for set in ["ISO_IR 144", "ISO 2022 IR 144"] {
        assert_eq!(text(set, &brain), ("мозг".to_owned(), String::new()), "{set}");
    }
    for set in ["ISO IR 144", "ISO-IR 144", "iso_ir 144", "ISO IR144"] {
        let (name, notes) = text(set, &brain);
        assert_eq!(name, "мозг", "{set}");
        assert!(notes.contains(&format!("SpecificCharacterSet is {set:?}: ISO_IR 144 is taken")), "{notes}");
    }
    let (_, notes) = text("KOI8-R", &brain);
    assert!(notes.contains("SpecificCharacterSet is \"KOI8-R\", which is unknown"), "{notes}");
    // Plain ASCII is the same in any set.
    assert_eq!(text("KOI8-R", b"brain"), ("brain".to_owned(), String::new()));
}
