//! DICOM in JPEG-LS, JPEG 2000 and HTJ2K: files of `test-data/jpegs`, with the voxels that pydicom reads.

use brickwork_formats::{Note, OpenError, OpenedVolume, VolumeOpenOptions, open};
use brickwork_volume::{Dims, Task, VoxelType};
use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

fn path(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/test-data/jpegs")).join(name)
}

fn open_at(path: &Path) -> Result<OpenedVolume, OpenError> {
    open(path, &VolumeOpenOptions::default(), &Task::new())
}

/// Returns a file's voxels, or the reason why they cannot be read.
fn voxels(path: &Path) -> Result<Vec<u8>, String> {
    let mut volume = open_at(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[test]
fn the_voxels_are_those_of_pydicom() {
    let mut count = 0;
    for entry in fs::read_dir(path("")).unwrap() {
        let file = entry.unwrap().path();
        let raw = file.with_extension("raw");
        if file.extension().is_none_or(|ending| ending != "dcm") || !raw.exists() {
            continue;
        }
        let (have, want) = (voxels(&file).unwrap(), fs::read(&raw).unwrap());
        assert_eq!(have.len(), want.len(), "{}", file.display());
        if file.ends_with("j2k_lossy.dcm") {
            // The numbers of the irreversible wavelet are rounded, and decoders round differently.
            let numbers = |bytes: &[u8]| -> Vec<i16> {
                bytes.as_chunks().0.iter().map(|word| i16::from_le_bytes(*word)).collect()
            };
            let pairs = numbers(&have).into_iter().zip(numbers(&want));
            let worst = pairs.map(|(have, want)| have.abs_diff(want)).max();
            assert!(worst <= Some(1), "{worst:?}");
        } else {
            let differences = have.iter().zip(&want).filter(|(have, want)| have != want).count();
            assert_eq!(differences, 0, "{}: of {} bytes", file.display(), want.len());
        }
        count += 1;
    }
    assert_eq!(count, 32);
}

#[test]
fn shapes_and_types_are_those_of_the_file() {
    for (name, dims, voxel_type, channels) in [
        ("ls_frames.dcm", Dims::new(16, 14, 3), VoxelType::U16, 1),
        ("ls_i12.dcm", Dims::new(23, 17, 1), VoxelType::I16, 1),
        ("j2k_frames.dcm", Dims::new(16, 14, 3), VoxelType::U16, 1),
        ("j2k_rct16.dcm", Dims::new(18, 15, 1), VoxelType::U16, 3),
        ("ht_frames.dcm", Dims::new(16, 14, 3), VoxelType::U16, 1),
        ("ht_i12.dcm", Dims::new(23, 17, 1), VoxelType::I16, 1),
    ] {
        let header = open_at(&path(name)).unwrap().header;
        assert_eq!((header.dims, header.voxel_type, header.channels), (dims, voxel_type, channels), "{name}");
    }
}

/// Files whose compression may be lossy are noted, except where they state that it is not.
#[test]
fn loss_is_noted() {
    for (name, is_noted) in [
        ("ls_near.dcm", true),
        ("ls_near_rgb.dcm", true),
        ("j2k_lossy.dcm", true),
        ("j2k_91.dcm", false),
        ("ht_lossy.dcm", true),
        ("ht_203.dcm", false),
        ("j2k_u8.dcm", false),
        ("ls_u8.dcm", false),
    ] {
        assert_eq!(open_at(&path(name)).unwrap().notes.contains(&Note::LossyFrames), is_noted, "{name}");
    }
}

/// An empty image of any size takes some hundred bytes.
#[test]
fn an_empty_image_is_read_from_a_short_file() {
    for name in ["ls_empty.dcm", "j2k_empty.dcm", "ht_empty.dcm"] {
        let have = voxels(&path(name)).unwrap();
        assert!(have.len() == 2 * 640 * 640 && have.iter().all(|&byte| byte == 0), "{name}");
    }
}

/// The image of a frame must have the sizes that the file states.
#[test]
fn sizes_that_differ_are_errors_with_both() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.dcm");
    for (name, place, value, reason) in [
        ("ls_u8.dcm", [0x28, 0, 0x10, 0], 18u16, "a JPEG image of 23x17 in a slice of 23x18 u8"),
        ("j2k_u8.dcm", [0x28, 0, 0x11, 0], 24, "a JPEG image of 23x17 in a slice of 24x17 u8"),
        ("j2k_i16.dcm", [0x28, 0, 3, 1], 0, "JPEG 2000 of 16 bits with a sign for u16"),
    ] {
        let mut bytes = fs::read(path(name)).unwrap();
        let element = [&place[..], b"US\x02\0"].concat();
        let at = bytes.windows(8).position(|window| window == element).unwrap() + 8;
        bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
        fs::write(&file, bytes).unwrap();
        let error = voxels(&file).expect_err(reason);
        assert!(error.contains(reason), "{name}: {error}");
    }
}

/// A codestream may state more bits than its numbers need, as `ht_frames.dcm` and `ht_i12.dcm` do: 16 for
/// 12.
#[test]
fn numbers_beyond_bits_stored_are_errors_with_both() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.dcm");
    for (name, bits, range) in [
        ("ht_frames.dcm", 16, 0..2048),
        ("j2k_frames.dcm", 12, 0..2048),
        ("ht_i12.dcm", 16, -1024..1024),
        ("j2k_i12.dcm", 12, -1024..1024),
    ] {
        let mut bytes = fs::read(path(name)).unwrap();
        for (element, value) in [(*b"\x28\0\x01\x01US\x02\0", 11u16), (*b"\x28\0\x02\x01US\x02\0", 10)] {
            let at = bytes.windows(8).position(|window| window == element).unwrap() + 8;
            bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
        }
        fs::write(&file, bytes).unwrap();
        let raw = fs::read(path(name).with_extension("raw")).unwrap();
        let numbers = raw.as_chunks::<2>().0.iter().map(|&word| match range.start {
            0 => i32::from(u16::from_le_bytes(word)),
            _ => i32::from(i16::from_le_bytes(word)),
        });
        let first = numbers.into_iter().find(|number| !range.contains(number)).unwrap();
        let reason =
            format!("JPEG 2000 of {bits} bits with the number {first}, beyond the 11 bits of BitsStored");
        let error = voxels(&file).expect_err(&reason);
        assert!(error.contains(&reason), "{name}: {error}");
    }
}

#[test]
fn lossy_htj2k_is_refused() {
    let error = voxels(&path("ht_lossy.dcm")).unwrap_err();
    assert!(error.contains("JPEG 2000 with the irreversible wavelet in HTJ2K is not supported"), "{error}");
}
