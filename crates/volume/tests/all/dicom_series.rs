//! DICOM series without another program: spacing, tilted gantries, signed values of 12 bits.

use crate::dicom_file::DicomSlice;
use brickwork_volume::{OpenedVolume, Task, VolumeOpenOptions, formats::folder};
use std::{fs, io::Read as _};

fn open(slices: &[DicomSlice]) -> (OpenedVolume, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for slice in slices {
        fs::write(folder.path().join(format!("{}.dcm", slice.number)), slice.bytes()).unwrap();
    }
    (folder::open(folder.path(), &VolumeOpenOptions::new(), &Task::new()).unwrap(), folder)
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

/// The gantry of a CT was tilted: slices follow each other along z, not along their own normal.
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

/// The bits above the twelve may hold anything; the twelfth is the sign.
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

/// The same series, with positions as this function makes them.
fn placed(positions: &[f64], round: impl Fn(f64) -> f64) -> Result<OpenedVolume, String> {
    let folder = tempfile::tempdir().unwrap();
    let (sine, cosine) = (0.6, 0.8);
    for (index, along) in positions.iter().enumerate() {
        let mut slice = DicomSlice::new(2, 2, index as u32, pixels(index as u16, 4));
        slice.directions = [1.0, 0.0, 0.0, 0.0, cosine, sine];
        slice.position = [3.25, 10.0 - sine * along, cosine * along].map(&round);
        fs::write(folder.path().join(format!("{index}.dcm")), slice.bytes()).unwrap();
    }
    folder::open(folder.path(), &VolumeOpenOptions::new(), &Task::new()).map_err(|error| error.to_string())
}

#[test]
fn positions_may_be_rounded_to_a_tenth() {
    let tenth = |part: f64| (part * 10.0).round() / 10.0;
    for step in [0.33, 0.7, 1.25, 3.0] {
        let all: Vec<f64> = (0..40).map(|index| f64::from(index) * step).collect();
        let volume = placed(&all, tenth).unwrap();
        assert!((volume.header.spacing.z - step).abs() < 0.005, "{step}: {}", volume.header.spacing.z);
        // Without a slice; slices in other places that are not rounded.
        let missing = [&all[..9], &all[10..]].concat();
        let error = placed(&missing, tenth).unwrap_err();
        assert!(error.contains("8.dcm and 9.dcm are"), "{step}: {error}");
        let uneven: Vec<f64> =
            all.iter().map(|along| along + if *along > 5.0 { 0.1 * step } else { 0.0 }).collect();
        assert!(placed(&uneven, |part| part).unwrap_err().contains("a slice is missing"), "{step}");
    }
}
