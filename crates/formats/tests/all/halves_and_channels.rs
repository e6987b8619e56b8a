//! Half floats, and more channels than colours have, in every format.

use brickwork_formats::{
    OpenError, OpenedVolume, RawLayout, VolumeFormat, VolumeOpenOptions, VolumePipe, VolumeWriteOptions,
    lost_fields, open, write_volume,
};
use brickwork_volume::{ByteOrder, Dims, ErrorKind, Header, Task, VoxelStream, VoxelType};
use std::{
    fs,
    io::{Cursor, Read as _},
    path::Path,
};

/// Bits of halves, and their numbers by IEEE 754.
const HALVES: [(u16, f32); 8] = [
    (0x3c00, 1.0),
    (0xc000, -2.0),
    // 2⁻²⁴, the smallest one, and the largest one.
    (0x0001, 5.960_464_5e-8),
    (0x7bff, 65504.0),
    (0x8000, -0.0),
    (0x7c00, f32::INFINITY),
    (0x3555, 0.333_251_95),
    (0xfc00, f32::NEG_INFINITY),
];

fn volume(header: &Header, bytes: &[u8], order: ByteOrder, is_pipe: bool) -> OpenedVolume {
    let file = Box::new(Cursor::new(bytes.to_vec()));
    let voxels = if is_pipe { VoxelStream::Once(file) } else { VoxelStream::Rewindable(file) };
    let (format, files, notes) = (VolumeFormat::Raw, Vec::new(), Vec::new());
    OpenedVolume { format, header: header.clone(), order, voxels, files, notes }
}

fn written(volume: OpenedVolume, format: VolumeFormat, compress: bool) -> Vec<u8> {
    let options = VolumeWriteOptions::default().with(|o| o.compress = compress);
    let mut file = Vec::new();
    let result = write_volume(volume, format, &options, &mut file, &Task::new());
    result.unwrap_or_else(|error| panic!("{}: {error}", format.name()));
    file
}

/// Returns the header, the little-endian numbers and the notes of a volume, which is read twice.
fn contents(mut volume: OpenedVolume) -> (Header, Vec<u8>, Vec<String>) {
    let VoxelStream::Rewindable(voxels) = &mut volume.voxels else { panic!("a file") };
    let start = voxels.stream_position().expect("a place");
    let [mut bytes, mut again] = [Vec::new(), Vec::new()];
    voxels.read_to_end(&mut bytes).expect("voxels");
    voxels.seek(std::io::SeekFrom::Start(start)).expect("the start");
    voxels.read_to_end(&mut again).expect("voxels");
    assert!(bytes == again);
    if volume.order == ByteOrder::Big {
        bytes.chunks_exact_mut(volume.header.voxel_type.byte_count()).for_each(<[u8]>::reverse);
    }
    let notes = volume.notes.iter().map(ToString::to_string).collect();
    (volume.header, bytes, notes)
}

fn read(path: &Path, change: impl FnOnce(&mut VolumeOpenOptions)) -> Result<OpenedVolume, OpenError> {
    open(path, &VolumeOpenOptions::default().with(change), &Task::new())
}

/// The formats that are written, and the layout of raw voxels.
fn formats(header: &Header) -> impl Iterator<Item = (VolumeFormat, RawLayout)> {
    let is_there = |format: &VolumeFormat| {
        let needs_io = matches!(format, VolumeFormat::Vti | VolumeFormat::Tiff);
        let needs_zstd = *format == VolumeFormat::NiftiZst;
        format.is_written() && (!needs_io || cfg!(feature = "io")) && (!needs_zstd || cfg!(feature = "zstd"))
    };
    let mut layout = RawLayout::new(header.voxel_type, header.dims);
    (layout.channels, layout.frames) = (Some(header.channels), Some(header.frames));
    VolumeFormat::ALL
        .iter()
        .copied()
        .filter(is_there)
        .map(move |format| (format, if format == VolumeFormat::Raw { layout } else { RawLayout::default() }))
}

#[test]
fn halves_are_kept_or_widened_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    for channels in [1, 2] {
        let dims = Dims::new(2, 2, 2 / channels);
        let header = Header::new(VoxelType::F16, dims).with(|header| header.channels = channels);
        let big: Vec<u8> = HALVES.iter().flat_map(|(bits, _)| bits.to_be_bytes()).collect();
        let kept: Vec<u8> = HALVES.iter().flat_map(|(bits, _)| bits.to_le_bytes()).collect();
        let wide: Vec<u8> = HALVES.iter().flat_map(|(_, number)| number.to_le_bytes()).collect();
        for (format, layout) in formats(&header) {
            let (are_kept, title) = match format {
                VolumeFormat::Raw | VolumeFormat::Bwv | VolumeFormat::Npy => (true, ""),
                // MRC has one channel.
                VolumeFormat::Mrc if channels == 2 => continue,
                VolumeFormat::Mrc => (true, ""),
                VolumeFormat::Nrrd => (false, "NRRD"),
                VolumeFormat::MetaImage => (false, "MetaImage"),
                VolumeFormat::Nifti => (false, "NIfTI"),
                VolumeFormat::NiftiGz => (false, "NIfTI, gzip"),
                VolumeFormat::NiftiZst => (false, "NIfTI, Zstandard"),
                VolumeFormat::Vti => (false, "VTI"),
                VolumeFormat::Tiff => (false, "TIFF"),
                _ => panic!("{format:?} is new"),
            };
            let notes: Vec<String> = lost_fields(&header, format).iter().map(ToString::to_string).collect();
            let note = format!("f16 is written as f32, exactly: {title} has no half floats");
            assert_eq!(notes, if are_kept { vec![] } else { vec![note] });
            for (is_pipe, compress) in [(false, false), (true, false), (false, true)] {
                // NIfTI reads vectors once per channel.
                if is_pipe && channels == 2 && title.starts_with("NIfTI") {
                    continue;
                }
                let file = written(volume(&header, &big, ByteOrder::Big, is_pipe), format, compress);
                let path = format.path_beside(&folder.path().join("a"));
                fs::write(&path, file).expect("a file");
                let (found, bytes, _) = contents(read(&path, |o| o.raw = layout).expect("our own file"));
                let (voxel_type, want) =
                    if are_kept { (VoxelType::F16, &kept) } else { (VoxelType::F32, &wide) };
                assert_eq!((found.dims, found.channels, found.voxel_type), (dims, channels, voxel_type));
                assert!(bytes == *want, "{format:?}, {channels} channels");
            }
        }
    }
}

/// A file of `numpy.save`, with all 65,536 halves: NaN with any payload, −0, subnormal numbers.
#[test]
fn every_half_of_numpy_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "{'descr': '<f2', 'fortran_order': False, 'shape': (16, 64, 64), }";
    let head = [&b"\x93NUMPY\x01\0v\0"[..], format!("{text:117}\n").as_bytes()].concat();
    let voxels: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let file = [head, voxels].concat();
    let [array, compressed] = ["a.npy", "a.bwv"].map(|name| folder.path().join(name));
    fs::write(&array, &file).expect("a file");
    let opened = read(&array, |_| ()).expect("an array");
    assert_eq!((opened.header.voxel_type, opened.header.dims), (VoxelType::F16, Dims::new(64, 64, 16)));
    fs::write(&compressed, written(opened, VolumeFormat::Bwv, false)).expect("a file");
    let back = written(read(&compressed, |_| ()).expect("our own file"), VolumeFormat::Npy, false);
    assert!(back == file);
}

/// Numbers of 7 channels: 10 times the index of the voxel, plus the channel.
fn seven(header: &Header) -> Vec<u8> {
    let count = header.dims.x * header.dims.y * header.dims.z * header.frames;
    let numbers = (0..count).flat_map(|voxel| (0..7).map(move |channel| (10 * voxel + channel) as u16));
    numbers.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn seven_channels_are_read_together_and_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for frames in [1, 2] {
        let header = Header::new(VoxelType::U16, Dims::new(3, 2, 4)).with(|header| {
            (header.channels, header.frames) = (7, frames);
        });
        let bytes = seven(&header);
        for (format, layout) in formats(&header) {
            if format == VolumeFormat::Mrc || format == VolumeFormat::Vti && frames > 1 {
                continue;
            }
            let file = written(volume(&header, &bytes, ByteOrder::Little, false), format, false);
            let path = format.path_beside(&folder.path().join("a"));
            fs::write(&path, &file).expect("a file");
            let (found, back, notes) = contents(read(&path, |o| o.raw = layout).expect("our own file"));
            assert_eq!((found.dims, found.channels, found.frames), (header.dims, 7, frames), "{format:?}");
            assert!(back == bytes && notes.is_empty(), "{format:?}: {notes:?}");
            for channel in [0, 5, 6] {
                let choose = |o: &mut VolumeOpenOptions| (o.raw, o.channel) = (layout, Some(channel));
                let want: Vec<u8> = (0..24 * frames)
                    .flat_map(|voxel| ((10 * voxel + channel) as u16).to_le_bytes())
                    .collect();
                let (found, one, _) = contents(read(&path, choose).expect("a channel"));
                assert_eq!((found.dims, found.channels, found.frames), (header.dims, 1, frames));
                assert!(one == want, "{format:?}, {channel}");
                let is_of_planes = format.name().starts_with("nifti");
                if !is_of_planes {
                    let pipe = VolumePipe::new(Cursor::new(file.clone())).expect("memory");
                    let options = VolumeOpenOptions::default().with(choose);
                    let mut piped = pipe.open(&options, &Task::new()).expect("a channel");
                    let mut one = Vec::new();
                    piped.voxels.read_to_end(&mut one).expect("voxels");
                    assert!(piped.header.channels == 1 && one == want, "{format:?}, {channel}");
                }
            }
            let error = read(&path, |o| (o.raw, o.channel) = (layout, Some(7))).expect_err("no channel");
            assert_eq!(error.kind(), ErrorKind::Argument, "{format:?}: {error}");
            assert_eq!(error.to_string(), "channel 7: the volume has channels 0 to 6", "{format:?}");
        }
    }
}

fn npy(shape: &str, is_fortran: &str, count: u16) -> Vec<u8> {
    let text = format!("{{'descr': '<u2', 'fortran_order': {is_fortran}, 'shape': ({shape}), }}");
    let head = [&b"\x93NUMPY\x01\0v\0"[..], format!("{text:117}\n").as_bytes()].concat();
    [head, (0..count).flat_map(u16::to_le_bytes).collect()].concat()
}

#[test]
fn axes_of_arrays_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npy");
    let numbers = |bytes: &[u8]| -> Vec<u16> {
        bytes.as_chunks::<2>().0.iter().map(|&number| u16::from_le_bytes(number)).collect()
    };
    // Numbers are their place in the file. The steps of the axes c, x, y, z and t follow from the shape.
    for (shape, is_fortran, axes, sides, steps) in [
        ("9, 2, 3, 4", "False", "czyx", [9, 4, 3, 2, 1], [24, 1, 4, 12, 0]),
        ("9, 3, 4", "False", "cyx", [9, 4, 3, 1, 1], [12, 1, 4, 0, 0]),
        ("2, 3, 4, 9", "False", "zyxc", [9, 4, 3, 2, 1], [1, 9, 36, 108, 0]),
        ("2, 9, 2, 3, 4", "False", "tczyx", [9, 4, 3, 2, 2], [24, 1, 4, 12, 216]),
        ("4, 3, 2, 9", "True", "xyzc", [9, 4, 3, 2, 1], [24, 1, 4, 12, 0]),
        ("3, 4, 5", "False", "yxt", [1, 4, 3, 1, 5], [0, 5, 20, 0, 1]),
    ] {
        let [c, x, y, z, t] = sides;
        let count = c * x * y * z * t;
        let file = npy(shape, is_fortran, count as u16);
        fs::write(&path, &file).expect("a file");
        let order = axes.parse().expect("axes");
        let want: Vec<u16> = (0..count)
            .map(|i| {
                let place = [i % c, i / c % x, i / (c * x) % y, i / (c * x * y) % z, i / (c * x * y * z)];
                place.iter().zip(steps).map(|(place, step)| (place * step) as u16).sum()
            })
            .collect();
        let (header, bytes, notes) = contents(read(&path, |o| o.axes = Some(order)).expect(axes));
        assert_eq!((header.channels, header.dims, header.frames), (c, Dims::new(x, y, z), t), "{axes}");
        assert!(numbers(&bytes) == want && notes.is_empty(), "{axes}");
        let pipe = VolumePipe::new(Cursor::new(file)).expect("memory");
        let options = VolumeOpenOptions::default().with(|o| o.axes = Some(order));
        let (_, bytes, _) = contents_of_pipe(pipe.open(&options, &Task::new()).expect(axes));
        assert!(numbers(&bytes) == want, "{axes}, from a pipe");
    }
    // Without names, the first of these axes is frames.
    fs::write(&path, npy("2, 3, 4, 9", "False", 216)).expect("a file");
    let (header, _, notes) = contents(read(&path, |_| ()).expect("frames"));
    assert_eq!((header.channels, header.dims, header.frames), (1, Dims::new(9, 4, 3), 2));
    let note = "the axes of the shape (2, 3, 4, 9) are taken for t, z, y and x: name them if they differ";
    assert_eq!(notes, [note]);
    let error = read(&path, |o| o.axes = Some("cyx".parse().expect("axes"))).expect_err("four axes");
    assert_eq!(error.to_string(), "cyx are 3 axes, but the array's shape is (2, 3, 4, 9)");
    assert_eq!(error.kind(), ErrorKind::Argument);
    let path = folder.path().join("a.nrrd");
    let nrrd = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: raw\n\nab";
    fs::write(&path, nrrd).expect("a file");
    let error = read(&path, |o| o.axes = Some("zyx".parse().expect("axes"))).expect_err("named axes");
    assert!(error.to_string().starts_with("the file names its own axes"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Argument);
}

/// The contents of a volume that may be read only once.
fn contents_of_pipe(mut volume: OpenedVolume) -> (Header, Vec<u8>, ByteOrder) {
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).expect("voxels");
    (volume.header, bytes, volume.order)
}

#[cfg(feature = "io")]
#[test]
fn slices_of_many_channels_are_refused() {
    use brickwork_formats::{SliceFormat, write_slices};
    let folder = tempfile::tempdir().expect("a folder");
    let header = Header::new(VoxelType::U16, Dims::new(3, 2, 4)).with(|header| header.channels = 7);
    for (format, name) in [(SliceFormat::Png, "PNG"), (SliceFormat::Tiff, "TIFF of one slice")] {
        let volume = volume(&header, &seven(&header), ByteOrder::Little, false);
        let error = write_slices(volume, folder.path(), format, &Task::new()).expect_err("seven channels");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let text = error.to_string();
        assert!(text.contains(name) && text.contains("7 channels of u16"), "{text}");
    }
}
