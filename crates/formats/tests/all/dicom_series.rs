//! DICOM series, made without other programs: spacing, tilted gantries, signed values of 12 bits.

use crate::dicom_file::{DicomSlice, element};
use brickwork_formats::{FormatError, OpenedVolume, VolumeOpenOptions, folder};
use brickwork_volume::Task;
use std::{fs, io::Read as _};

fn open(slices: &[DicomSlice]) -> (OpenedVolume, tempfile::TempDir) {
    let (opened, folder) = try_open(slices, &VolumeOpenOptions::default());
    (opened.unwrap(), folder)
}

fn try_open(
    slices: &[DicomSlice],
    options: &VolumeOpenOptions,
) -> (Result<OpenedVolume, FormatError>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for slice in slices {
        fs::write(folder.path().join(format!("{}.dcm", slice.number)), slice.bytes()).unwrap();
    }
    (folder::open(folder.path(), options, &Task::new()), folder)
}

fn pixels(seed: u16, count: u16) -> Vec<u16> {
    (0..count).map(|i| i * 31 + seed).collect()
}

#[test]
fn the_distance_between_rows_comes_first_in_the_file() {
    let slices: Vec<_> = (0..3)
        .map(|z| {
            let mut slice = DicomSlice::new(4, 3, z, pixels(z as u16, 12));
            slice.spacing = [0.25, 0.75];
            slice.position = [0.0, 0.0, f64::from(z) * 2.0];
            slice
        })
        .collect();
    let (opened, _folder) = open(&slices);
    let spacing = opened.header.spacing;
    assert_eq!([spacing.x, spacing.y, spacing.z], [0.25, 0.75, 2.0]);
}

/// Reads slices of a CT with a tilted gantry: they follow each other along z, not along their normal.
#[test]
fn slices_of_a_tilted_gantry_step_along_their_path() {
    let (sine, cosine) = (0.3f64, (1.0 - 0.09f64).sqrt());
    let slices: Vec<_> = (0..4)
        .map(|z| {
            let mut slice = DicomSlice::new(2, 2, z, pixels(z as u16, 4));
            slice.directions = [1.0, 0.0, 0.0, 0.0, cosine, sine];
            slice.position = [5.0, 6.0, 1.5 * f64::from(z)];
            slice
        })
        .collect();
    let (opened, _folder) = open(&slices);
    let header = &opened.header;
    assert!((header.spacing.z - 1.5).abs() < 1e-6, "{:?}", header.spacing);
    assert_eq!(header.origin, [5.0, 6.0, 0.0]);
    for (found, expected) in header.orientation[6..].iter().zip([0.0, 0.0, 1.0]) {
        assert!((found - expected).abs() < 1e-6, "{:?}", header.orientation);
    }
}

/// Ignores the bits above the twelve, which may have any value; the twelfth is the sign.
#[test]
fn signed_values_of_12_bits_keep_their_sign() {
    let stored = [0u16, 1, 0x7ff, 0x800, 0xfff, 0x5800, 0xf001, 0x8fff];
    let mut slice = DicomSlice::new(4, 2, 0, stored.to_vec());
    (slice.bits_stored, slice.is_signed) = (12, true);
    let (mut opened, _folder) = open(&[slice]);
    let mut bytes = Vec::new();
    opened.voxels.read_to_end(&mut bytes).unwrap();
    let values: Vec<_> = bytes.as_chunks::<2>().0.iter().map(|value| i16::from_le_bytes(*value)).collect();
    assert_eq!(values, [0, 1, 2047, -2048, -1, -2048, 1, -1]);
}

/// Opens the same series, with positions rounded by `round`.
fn placed(positions: &[f64], round: impl Fn(f64) -> f64) -> Result<OpenedVolume, String> {
    let folder = tempfile::tempdir().unwrap();
    let (sine, cosine) = (0.6, 0.8);
    for (index, along) in positions.iter().enumerate() {
        let mut slice = DicomSlice::new(2, 2, index as u32, pixels(index as u16, 4));
        slice.directions = [1.0, 0.0, 0.0, 0.0, cosine, sine];
        slice.position = [3.25, 10.0 - sine * along, cosine * along].map(&round);
        fs::write(folder.path().join(format!("{index}.dcm")), slice.bytes()).unwrap();
    }
    folder::open(folder.path(), &VolumeOpenOptions::default(), &Task::new())
        .map_err(|error| error.to_string())
}

#[test]
fn positions_may_be_rounded_to_a_tenth() {
    let tenth = |part: f64| (part * 10.0).round() / 10.0;
    for step in [0.33, 0.7, 1.25, 3.0] {
        let all: Vec<f64> = (0..40).map(|index| f64::from(index) * step).collect();
        let volume = placed(&all, tenth).unwrap();
        assert!((volume.header.spacing.z - step).abs() < 0.005, "{step}: {}", volume.header.spacing.z);
        // One slice is missing; or slices at other positions that are not rounded.
        let missing = [&all[..9], &all[10..]].concat();
        let error = placed(&missing, tenth).unwrap_err();
        assert!(error.contains("8.dcm and 9.dcm are"), "{step}: {error}");
        let uneven: Vec<f64> =
            all.iter().map(|along| along + if *along > 5.0 { 0.1 * step } else { 0.0 }).collect();
        assert!(placed(&uneven, |part| part).unwrap_err().contains("a slice is missing"), "{step}");
    }
}

#[test]
fn slices_without_places_are_no_frames() {
    let slices: Vec<_> = (0..4)
        .map(|z| {
            let mut slice = DicomSlice::new(2, 2, z, pixels(z as u16, 4));
            (slice.has_place, slice.time) = (false, Some(format!("12000{z}")));
            slice
        })
        .collect();
    let (opened, _folder) = open(&slices);
    assert_eq!((opened.header.dims.z, opened.header.frames), (4, 1));
}

#[test]
fn frames_with_gaps_in_different_places_are_not_joined() {
    let echoes = |missing: [u32; 2]| -> Vec<DicomSlice> {
        let all = (0..2).flat_map(|echo| (0..10).map(move |z| (echo, z)));
        let present = all.filter(|&(echo, z)| z != missing[echo as usize]);
        present
            .map(|(echo, z)| {
                let mut slice = DicomSlice::new(2, 2, 10 * echo + z, pixels(z as u16, 4));
                slice.position[2] = f64::from(z);
                slice.echo = Some(5.0 + f64::from(echo));
                slice
            })
            .collect()
    };
    let options = VolumeOpenOptions::default().with(|o| o.allow_gaps = true);
    let (same, _folder) = try_open(&echoes([3, 3]), &options);
    let header = same.unwrap().header;
    assert_eq!((header.dims.z, header.frames), (9, 2));
    let (different, _folder) = try_open(&echoes([3, 6]), &options);
    different.expect_err("slices in different places");
}

#[test]
fn a_gap_does_not_set_the_step() {
    let slices: Vec<_> = [0.0, 2.5, 7.5]
        .into_iter()
        .zip(0..)
        .map(|(place, number)| {
            let mut slice = DicomSlice::new(2, 2, number, pixels(number as u16, 4));
            slice.position[2] = place;
            slice
        })
        .collect();
    let error = try_open(&slices, &VolumeOpenOptions::default()).0.unwrap_err().to_string();
    assert!(error.contains("1.dcm and 2.dcm are 5 mm apart, but most slices 2.5 mm"), "{error}");
    let (opened, _folder) = try_open(&slices, &VolumeOpenOptions::default().with(|o| o.allow_gaps = true));
    assert_eq!(opened.unwrap().header.spacing.z, 2.5);
}

/// AcquisitionTime distinguishes frames. Uneven distances between them are unknown.
#[test]
fn times_of_day_give_the_time_between_frames() {
    let seconds = |times: [&str; 3], echoes: [Option<f64>; 3]| {
        let slices: Vec<_> = (0..6)
            .map(|i| {
                let (frame, z) = (i / 2, i % 2);
                let mut slice = DicomSlice::new(2, 2, i as u32, pixels(i as u16, 4));
                slice.position = [0.0, 0.0, z as f64];
                (slice.time, slice.echo) = (Some(times[frame].to_owned()), echoes[frame]);
                slice
            })
            .collect();
        let (opened, _folder) = open(&slices);
        assert_eq!((opened.header.dims.z, opened.header.frames), (2, 3));
        opened.header.frame_spacing
    };
    assert_eq!(seconds(["095958.5", "100000", "100001.500"], [None; 3]), 1.5);
    assert_eq!(seconds(["095958.5", "100000", "100003"], [None; 3]), 0.0);
    // Echoes are no times.
    assert_eq!(seconds(["100000", "100001", "100002"], [Some(5.0), Some(10.0), Some(15.0)]), 0.0);
}

/// Returns the notes on a series of two slices with these elements before those of the image, whose numbers
/// are of these kinds.
fn notes(elements: &[Vec<u8>; 2], kinds: [&[u8; 11]; 2]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (z, (elements, kind)) in elements.iter().zip(kinds).enumerate() {
        let mut file = DicomSlice::new(2, 2, z as u32, pixels(z as u16, 4)).bytes();
        let kind_at = file.windows(11).position(|bytes| bytes == b"MONOCHROME2").expect("a kind of numbers");
        file[kind_at..kind_at + 11].copy_from_slice(kind);
        let at = file.windows(4).position(|bytes| bytes == [0x28, 0, 2, 0]).expect("an image");
        file.splice(at..at, elements.iter().copied());
        fs::write(folder.path().join(format!("{z}.dcm")), file).unwrap();
    }
    let opened = folder::open(folder.path(), &VolumeOpenOptions::default(), &Task::new()).unwrap();
    opened.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn numbers_of_two_meanings_are_noted() {
    let [dark, light] = [b"MONOCHROME2", b"MONOCHROME1"];
    let none = [Vec::new(), Vec::new()];
    assert!(notes(&none, [light, light]).is_empty());
    let note = "the slices' numbers differ in meaning: PhotometricInterpretation is MONOCHROME2 in 0.dcm, \
                MONOCHROME1 in 1.dcm";
    assert_eq!(notes(&none, [dark, light]), [note]);
}

/// A large image may be divided into several files (PS3.3, C.7.6.16.2.2.4).
#[test]
fn missing_files_of_a_divided_image_are_noted() {
    let part = |number: u16, total: u16| {
        let us = |tag, number: u16| element(0x20, tag, b"US", &number.to_le_bytes());
        [element(0x20, 0x9161, b"UI", b"1.2.9\0"), us(0x9162, number), us(0x9163, total)].concat()
    };
    let kinds = [b"MONOCHROME2"; 2];
    assert!(notes(&[part(1, 2), part(2, 2)], kinds).is_empty());
    let note =
        "the files are 2 of the 3 parts of an image (InConcatenationTotalNumber): the others are missing";
    assert_eq!(notes(&[part(1, 3), part(2, 3)], kinds), [note]);
}
