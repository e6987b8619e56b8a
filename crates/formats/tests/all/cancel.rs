//! Every long call reports its progress, and stops soon after its token is cancelled.

use brickwork_base::testing::{does_not_start, stops};
use brickwork_formats::{
    OpenedVolume, RawLayout, SliceFormat, VolumeFormat, VolumeOpenOptions, VolumePipe, VolumeWriteOptions,
    open, rescale, write_slices, write_volume,
};
use brickwork_volume::{
    BwvOptions, ByteOrder, CancelToken, Dims, ErrorKind, Header, Task, VolumeView, VoxelStream, VoxelType,
    copy_voxels, encode,
};
use std::{
    fs,
    io::{Cursor, Read as _, Write as _, sink},
};

const DIMS: Dims = Dims::new(256, 256, 160);

fn voxels() -> Vec<u16> {
    (0..(DIMS.x * DIMS.y * DIMS.z) as u32).map(|i| (i / 7 * 3) as u16 ^ (i >> 14) as u16).collect()
}

/// Calls `stops` with the kind of each call's error.
macro_rules! stops {
    ($name:expr, |$task:ident| $call:expr) => {
        stops($name, &mut |$task: &Task<'_>| ($call).map(drop).map_err(|error| error.kind()))
    };
}

#[test]
fn writers_stop() {
    let voxels = voxels();
    let (bytes, order): (&[u8], _) = (bytemuck::cast_slice(&voxels), ByteOrder::NATIVE);
    let header = Header::new(VoxelType::U16, DIMS);
    let volume = || OpenedVolume {
        format: VolumeFormat::Raw,
        header: header.clone(),
        order,
        voxels: VoxelStream::Rewindable(Box::new(Cursor::new(bytes.to_vec()))),
        files: Vec::new(),
        notes: Vec::new(),
    };
    let options = VolumeWriteOptions::default().with(|o| o.compress = true);
    for &format in VolumeFormat::ALL.iter().filter(|format| format.is_written()) {
        stops!(&format!("write_volume {format:?}"), |task| {
            write_volume(volume(), format, &options, sink(), task)
        });
    }
    let folder = tempfile::tempdir().unwrap();
    stops!("write_slices", |task| write_slices(volume(), folder.path(), SliceFormat::Png, task));
    stops!("rescale", |task| {
        let mut volume = volume();
        let metadata = r#"{"dicom":{"RescaleSlope":2.0,"RescaleIntercept":-1024.0}}"#;
        volume.header.metadata = metadata.to_owned();
        assert!(volume.header.rescaling().is_some());
        rescale(volume, task)
    });
}

#[test]
fn opening_and_streams_stop() {
    let folder = tempfile::tempdir().unwrap();
    let slice = Header::new(VoxelType::U8, Dims::new(8, 8, 40));
    let volume = OpenedVolume {
        format: VolumeFormat::Raw,
        header: slice,
        order: ByteOrder::NATIVE,
        voxels: VoxelStream::Rewindable(Box::new(Cursor::new(vec![1; 8 * 8 * 40]))),
        files: Vec::new(),
        notes: Vec::new(),
    };
    write_slices(volume, folder.path(), SliceFormat::Tiff, &Task::new()).unwrap();
    stops!("open", |task| open(folder.path(), &VolumeOpenOptions::default(), task));
    #[cfg(feature = "dicom")]
    {
        use brickwork_formats::dicom::{open_files, open_folder};
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<_> = (0..40).map(|number| folder.path().join(format!("{number}.dcm"))).collect();
        for (number, path) in files.iter().enumerate() {
            let slice = crate::dicom_file::DicomSlice::new(8, 8, number as u32, vec![number as u16; 64]);
            fs::write(path, slice.bytes()).unwrap();
        }
        let options = VolumeOpenOptions::default();
        stops!("open_folder", |task| open_folder(folder.path(), &options, task));
        stops!("open_files", |task| open_files(&files, &options, task));
    }
    // A stream stops with the token of the call that opened it, compressed or not.
    let raw = folder.path().join("a.raw");
    fs::write(&raw, [7; 64]).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&[7; 64]).unwrap();
    let mut nrrd = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 4 4\nencoding: gzip\n\n".to_vec();
    nrrd.extend(packed.finish().unwrap());
    fs::write(folder.path().join("a.nrrd"), nrrd).unwrap();
    let mut file = Vec::new();
    let (header, dims) = (Header::new(VoxelType::U8, Dims::cube(4)), Dims::cube(4));
    let view = VolumeView::new(&[7u8; 64], dims).unwrap();
    encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).unwrap();
    fs::write(folder.path().join("a.bwv"), &file).unwrap();
    does_not_start("VolumePipe::open", &mut |task| {
        let pipe = VolumePipe::new(Cursor::new(file.clone())).unwrap();
        pipe.open(&VolumeOpenOptions::default(), task).map(drop).map_err(|error| error.kind())
    });
    for name in ["a.raw", "a.nrrd", "a.bwv"] {
        let token = CancelToken::new();
        let mut options = VolumeOpenOptions::default();
        if name == "a.raw" {
            options.raw = RawLayout::new(VoxelType::U8, dims);
        }
        let task = Task::new().with_cancel(&token);
        let mut volume = open(folder.path().join(name), &options, &task).unwrap();
        token.cancel();
        let error = volume.voxels.read(&mut [0; 64]).expect_err("cancelled");
        assert_eq!(ErrorKind::of_io(&error), ErrorKind::Cancelled, "{name}");
        let error = copy_voxels(volume.voxels, volume.order, &volume.header, sink(), &Task::new());
        assert_eq!(error.map_err(|error| error.kind()), Err(ErrorKind::Cancelled), "{name}");
    }
}

#[test]
#[cfg(feature = "zarr")]
fn zarr_stops() {
    use brickwork_formats::{ZarrOptions, verify_zarr, write_zarr, write_zarr_archive};
    let folder = tempfile::tempdir().unwrap();
    let (path, dims) = (folder.path().join("a.raw"), Dims::cube(96));
    fs::write(&path, (0..96 * 96 * 96u32).map(|i| (i / 7) as u8).collect::<Vec<u8>>()).unwrap();
    let options = VolumeOpenOptions::default().with(|o| o.raw = RawLayout::new(VoxelType::U8, dims));
    let volume = || open(&path, &options, &Task::new()).unwrap();
    // More chunks than are decoded at a time.
    let zarr = ZarrOptions::default().with(|o| o.chunk = Dims::cube(16));
    stops!("write_zarr", |task| {
        let folder = tempfile::tempdir().unwrap();
        write_zarr(volume(), folder.path(), &zarr, task)
    });
    stops!("write_zarr_archive", |task| { write_zarr_archive(volume(), sink(), folder.path(), &zarr, task) });
    let group = tempfile::tempdir().unwrap();
    write_zarr(volume(), group.path(), &zarr, &Task::new()).unwrap();
    stops!("verify_zarr", |task| verify_zarr(group.path(), task));
}
