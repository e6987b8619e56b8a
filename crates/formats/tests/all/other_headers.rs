//! NumPy arrays, FreeSurfer's volumes and pairs of Analyze, from files and pipes.

use brickwork_formats::{OpenedVolume, VolumeFormat, VolumeOpenOptions, VolumePipe, open};
use brickwork_volume::{ByteOrder, Dims, Task, VoxelStream, VoxelType};
use std::{
    fs,
    io::{Cursor, Read as _, Write as _},
    path::Path,
};

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The volume and its voxels, read twice.
fn read(path: &Path) -> Result<(OpenedVolume, Vec<u8>), String> {
    let mut volume = open(path, &VolumeOpenOptions::default(), &Task::new()).map_err(text)?;
    let VoxelStream::Rewindable(voxels) = &mut volume.voxels else { panic!("a file") };
    let start = voxels.stream_position().map_err(text)?;
    let (mut bytes, mut again) = (Vec::new(), Vec::new());
    voxels.read_to_end(&mut bytes).map_err(text)?;
    voxels.seek(std::io::SeekFrom::Start(start)).map_err(text)?;
    voxels.read_to_end(&mut again).map_err(text)?;
    assert!(bytes == again);
    Ok((volume, bytes))
}

fn piped(bytes: Vec<u8>) -> Result<(OpenedVolume, Vec<u8>), String> {
    let pipe = VolumePipe::new(Cursor::new(bytes)).map_err(text)?;
    let mut volume = pipe.open(&VolumeOpenOptions::default(), &Task::new()).map_err(text)?;
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).map_err(text)?;
    Ok((volume, bytes))
}

#[test]
fn arrays_of_numpy_are_volumes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npy");
    let header = "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 1, 3), }\n";
    let voxels = (0..12u8).collect::<Vec<_>>();
    let length = (header.len() as u16).to_le_bytes();
    let file = [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), &voxels].concat();
    fs::write(&path, &file).expect("a file");
    for (volume, bytes) in [read(&path).expect("an array"), piped(file.clone()).expect("an array")] {
        assert_eq!((volume.format, volume.header.dims), (VolumeFormat::Npy, Dims::new(3, 1, 2)));
        assert_eq!((volume.order, volume.header.voxel_type), (ByteOrder::Big, VoxelType::I16));
        assert_eq!(bytes, voxels);
    }
    for length in 0..file.len() - 12 {
        fs::write(&path, &file[..length]).expect("a file");
        assert!(read(&path).is_err(), "cut at {length}");
    }
}

/// A FreeSurfer volume of 3×2×1 bytes, with parameters after the voxels.
fn mgh(frames: i32) -> Vec<u8> {
    let sides = [3, 2 / frames, 1, frames];
    let mut file: Vec<u8> =
        [&[1][..], &sides, &[0, 0]].concat().into_iter().flat_map(i32::to_be_bytes).collect();
    file.extend([0, 1]);
    let place = [1.0f32, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    file.extend(place.map(f32::to_be_bytes).concat());
    file.resize(284, 0);
    file.extend([1, 2, 3, 4, 5, 6]);
    file.extend([2300.0f32, 0.1, 3.0, 900.0].map(f32::to_be_bytes).concat());
    file
}

#[test]
fn parameters_after_freesurfer_s_voxels_do_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mgz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&mgh(1)).expect("memory");
    let packed = packed.finish().expect("memory");
    for file in [mgh(1), packed.clone()] {
        fs::write(&path, &file).expect("a file");
        let (volume, bytes) = read(&path).expect("a volume");
        assert_eq!((volume.format, volume.header.dims), (VolumeFormat::Mgh, Dims::new(3, 2, 1)));
        assert_eq!((bytes, volume.notes.len()), (vec![1, 2, 3, 4, 5, 6], 0));
    }
    let (volume, bytes) = piped(mgh(1)).expect("a volume");
    assert_eq!((volume.format, bytes), (VolumeFormat::Mgh, vec![1, 2, 3, 4, 5, 6]));
    // The sum of a packed file is behind the parameters.
    let mut damaged = packed.clone();
    let at = damaged.len() - 8;
    damaged[at] ^= 1;
    fs::write(&path, damaged).expect("a file");
    assert!(read(&path).is_err());
}

/// The first parameter is the time of repetition, in milliseconds.
#[test]
fn frames_of_freesurfer_have_a_distance() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mgz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&mgh(2)).expect("memory");
    for file in [mgh(2), packed.finish().expect("memory")] {
        fs::write(&path, &file).expect("a file");
        let (volume, bytes) = read(&path).expect("a volume");
        assert_eq!((volume.header.frames, volume.header.frame_spacing), (2, 2.3));
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6]);
    }
    // A pipe is not read ahead, and a file may end with its voxels.
    assert_eq!(piped(mgh(2)).expect("a volume").0.header.frame_spacing, 0.0);
    fs::write(&path, &mgh(2)[..290]).expect("a file");
    assert_eq!(read(&path).expect("a volume").0.header.frame_spacing, 0.0);
}

/// A header of Analyze 7.5.
fn analyze(dims: [i16; 5], datatype: i16, bits: i16) -> Vec<u8> {
    let mut header = vec![0; 348];
    header[..4].copy_from_slice(&348i32.to_be_bytes());
    header[38] = b'r';
    for (axis, size) in dims.into_iter().enumerate() {
        header[40 + 2 * axis..][..2].copy_from_slice(&size.to_be_bytes());
    }
    header[70..72].copy_from_slice(&datatype.to_be_bytes());
    header[72..74].copy_from_slice(&bits.to_be_bytes());
    for (axis, step) in [0.0f32, 2.0, 0.5, 3.0].into_iter().enumerate() {
        header[76 + 4 * axis..][..4].copy_from_slice(&step.to_be_bytes());
    }
    // SPM's slope; then the orientation and the origin, which are where NIfTI has the codes of its forms.
    header[112..116].copy_from_slice(&0.25f32.to_be_bytes());
    header[252..258].copy_from_slice(&[0, 0, 2, 0, 1, 0]);
    header
}

#[test]
fn a_pair_of_analyze_has_sizes_but_no_directions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.hdr");
    fs::write(&path, analyze([4, 3, 2, 1, 1], 4, 16)).expect("a file");
    fs::write(folder.path().join("a.img"), (0..12).collect::<Vec<u8>>()).expect("a file");
    let (volume, bytes) = read(&path).expect("a volume");
    let header = &volume.header;
    assert_eq!(
        (header.dims, header.voxel_type, volume.order),
        (Dims::new(3, 2, 1), VoxelType::I16, ByteOrder::Big)
    );
    assert_eq!([header.spacing.x, header.spacing.y, header.spacing.z], [2.0, 0.5, 3.0]);
    assert_eq!(header.rescaling().and_then(|line| line.uniform()).map(|line| line.slope), Some(0.25));
    assert!(!header.is_anatomical());
    assert_eq!(bytes, (0..12).collect::<Vec<u8>>());
    let notes: Vec<String> = volume.notes.iter().map(text).collect();
    let [directions, origin] = &notes[..] else { panic!("{notes:?}") };
    assert!(directions.contains("Analyze states no directions"), "{notes:?}");
    assert_eq!(origin, "originator states SPM's origin, voxel 2, 1, 0 from 1, which is not used");
    // nibabel leaves out the letter r. An origin far outside is something else.
    let mut bare = analyze([4, 3, 2, 1, 1], 4, 16);
    (bare[38], bare[253]) = (0, 1);
    fs::write(&path, &bare).expect("a file");
    let (volume, _) = read(&path).expect("a volume");
    assert_eq!((volume.header.dims, volume.notes.len()), (Dims::new(3, 2, 1), 1));
    bare[344..348].copy_from_slice(b"n+7\0");
    fs::write(&path, &bare).expect("a file");
    assert!(read(&path).is_err_and(|error| error.contains("not a NIfTI file")));
    fs::write(&path, analyze([4, 3, 2, 1, 1], 32, 64)).expect("a file");
    assert!(read(&path).is_err_and(|error| error.contains("complex")));
}
