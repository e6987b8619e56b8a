//! NIfTI in Zstandard, by name, by content and from a pipe.

use brickwork_formats::{
    OpenedVolume, RawLayout, VolumeFormat, VolumeOpenOptions, VolumePipe, VolumeWriteOptions, open,
    write_volume,
};
use brickwork_volume::{Dims, Task, VoxelStream, VoxelType};
use std::{fs, io::Cursor, path::Path};

const DIMS: Dims = Dims::new(90, 80, 50);

/// Noise, which has more than one block of Zstandard and cannot be compressed.
fn noise() -> Vec<u8> {
    let noise = |i: u32| (i ^ i >> 15).wrapping_mul(0x85eb_ca6b) >> 13;
    (0..DIMS.x as u32 * 80 * 50).map(|i| noise(i.wrapping_mul(0x9e37_79b9)) as u8).collect()
}

fn written(format: VolumeFormat) -> Vec<u8> {
    let layout = RawLayout::new(VoxelType::U8, DIMS);
    let voxels = VoxelStream::Rewindable(Box::new(Cursor::new(noise())));
    let volume = OpenedVolume::from_raw(voxels, &layout).expect("a layout");
    let mut file = Vec::new();
    write_volume(volume, format, &VolumeWriteOptions::default(), &mut file, &Task::new()).expect("memory");
    file
}

/// Returns the format and the voxels, or the text of the error.
fn voxels(volume: OpenedVolume) -> Result<(VolumeFormat, Vec<u8>), String> {
    let (format, mut bytes) = (volume.format, Vec::new());
    write_volume(volume, VolumeFormat::Raw, &VolumeWriteOptions::default(), &mut bytes, &Task::new())
        .map_err(|error| error.to_string())?;
    Ok((format, bytes))
}

fn read(path: &Path) -> Result<(VolumeFormat, Vec<u8>), String> {
    voxels(open(path, &VolumeOpenOptions::default(), &Task::new()).map_err(|error| error.to_string())?)
}

fn piped(bytes: Vec<u8>) -> Result<(VolumeFormat, Vec<u8>), String> {
    let pipe = VolumePipe::new(Cursor::new(bytes)).expect("memory");
    voxels(pipe.open(&VolumeOpenOptions::default(), &Task::new()).map_err(|error| error.to_string())?)
}

#[test]
fn nifti_in_zstandard_is_found_by_name_and_by_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let (zst, plain) = (written(VolumeFormat::NiftiZst), written(VolumeFormat::Nifti));
    assert_eq!(zstd::decode_all(&zst[..]).expect("a frame"), plain);
    // A checksum follows the frame's blocks.
    assert_eq!(zst[4] & 4, 4);
    let want = (VolumeFormat::NiftiZst, noise());
    for name in ["scan.nii.zst", "scan.dat", "scan.zst", "scan.nii", "scan.nii.gz"] {
        let path = folder.path().join(name);
        fs::write(&path, &zst).expect("a file");
        let (format, bytes) = read(&path).expect(name);
        assert!(bytes == want.1, "{name}");
        assert_eq!(format == want.0, !name.contains("nii") || name.ends_with("zst"), "{name}");
    }
    assert!(piped(zst.clone()).expect("a pipe") == want);
    // A name that says less than the content.
    let path = folder.path().join("plain.nii.zst");
    fs::write(&path, &plain).expect("a file");
    assert!(read(&path).expect("NIfTI") == want);
    // gzip, by content only.
    let path = folder.path().join("scan.bin");
    fs::write(&path, written(VolumeFormat::NiftiGz)).expect("a file");
    assert!(read(&path).expect("NIfTI") == (VolumeFormat::NiftiGz, noise()));
    fs::write(&path, zstd::encode_all(&noise()[..], 1).expect("memory")).expect("a file");
    assert!(read(&path).is_err_and(|error| error.contains("raw voxels need a description")));
}

#[test]
fn damaged_frames_of_nifti_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scan.nii.zst");
    let file = written(VolumeFormat::NiftiZst);
    let mut damaged = file.clone();
    *damaged.last_mut().expect("a checksum") ^= 1;
    let longer =
        zstd::encode_all(&[&written(VolumeFormat::Nifti)[..], b"more"].concat()[..], 1).expect("memory");
    for (what, bytes, reason) in [
        ("cut", file[..file.len() / 2].to_vec(), "the Zstandard stream is damaged or cut short after"),
        ("without its last byte", file[..file.len() - 1].to_vec(), "the Zstandard stream is damaged"),
        ("damaged", damaged, "the Zstandard stream is damaged"),
        ("with rubbish after it", [&file[..], b"rubbish"].concat(), "the Zstandard stream is damaged"),
        ("empty", Vec::new(), "header"),
        ("more voxels than stated", longer, "but there are more"),
    ] {
        fs::write(&path, &bytes).expect("a file");
        let error = read(&path).expect_err(what);
        assert!(error.contains(reason) || bytes.is_empty(), "{what}: {error}");
        assert!(piped(bytes).is_err(), "{what}");
    }
}
