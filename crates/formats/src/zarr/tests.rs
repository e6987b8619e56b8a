//! Zarr folders that were written here, by hand, and by nobody.

use super::{bytes_codec::BytesCodec, *};
use crate::{BrickPolicy, OpenError, OpenedVolume, VolumeFormat, VolumeOpenOptions};
use brickwork_base::{CancelToken, ErrorKind, Progress, Task};
use brickwork_volume::{BrickSize, ByteOrder, Dims, Header, Spacing, VoxelKind, VoxelStream, VoxelType};
use serde_json::{Value, json};
use std::{
    fs,
    io::{Cursor, Read as _, Seek as _, Write as _},
    path::Path,
};

/// Returns a volume of little-endian numbers, and these numbers.
fn volume(header: &Header) -> (OpenedVolume, Vec<u8>) {
    let count = header.raw_bytes().unwrap();
    let bytes: Vec<u8> = (0..count).map(|i| (i * i / 5 % 251) as u8).collect();
    let voxels = VoxelStream::Rewindable(Box::new(Cursor::new(bytes.clone())));
    let (files, notes) = (Vec::new(), Vec::new());
    let (format, order, header) = (VolumeFormat::Raw, ByteOrder::Little, header.clone());
    (OpenedVolume { format, header, order, voxels, files, notes }, bytes)
}

fn header(voxel_type: VoxelType, channels: usize, frames: usize) -> Header {
    Header::new(voxel_type, Dims::new(21, 10, 13)).with(|header| {
        (header.channels, header.frames) = (channels, frames);
        header.spacing = Spacing { x: 0.5, y: 0.25, z: 2.0 };
        header.origin = [-7.5, 3.0, 0.125];
        header.orientation = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        header.frame_spacing = if frames > 1 { 0.75 } else { 0.0 };
        header.kind = VoxelKind::Labels;
        header.metadata = r#"{"nifti":{"descrip":"a scan"}}"#.to_owned();
    })
}

fn open(path: &Path) -> Result<OpenedVolume, OpenError> {
    crate::open(path, &VolumeOpenOptions::default(), &Task::new())
}

/// Returns the voxels in little-endian order.
fn bytes_of(volume: &mut OpenedVolume) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes)?;
    if volume.order == ByteOrder::Big {
        bytes.chunks_exact_mut(volume.header.voxel_type.byte_count()).for_each(<[u8]>::reverse);
    }
    Ok(bytes)
}

#[test]
fn volumes_come_back() {
    let chunked = ZarrOptions::default().with(|o| o.chunk = Dims::cube(8));
    let sharded = chunked.with(|o| o.shard = Some(Dims::new(16, 8, 16)));
    for (index, &voxel_type) in VoxelType::ALL.iter().enumerate() {
        let (channels, frames) = [(1, 1), (3, 1), (1, 2), (2, 2)][index % 4];
        for options in [ZarrOptions::default(), chunked, sharded] {
            let folder = tempfile::tempdir().unwrap();
            let header = header(voxel_type, channels, frames);
            let (volume, bytes) = volume(&header);
            let written = write_zarr(volume, folder.path(), &options, &Task::new()).unwrap();
            let size = |entry: walkdir::DirEntry| entry.metadata().unwrap().len();
            let files = walkdir::WalkDir::new(folder.path()).into_iter().flatten();
            let file_bytes: u64 = files.filter(|entry| entry.file_type().is_file()).map(size).sum();
            assert_eq!(written.file_bytes, file_bytes);
            let mut read = open(folder.path()).unwrap();
            assert!(bytes_of(&mut read).unwrap() == bytes, "{voxel_type} {options:?}");
            // The stream can be read again.
            let VoxelStream::Rewindable(stream) = &mut read.voxels else { panic!("a pipe") };
            assert_eq!(stream.stream_position().unwrap(), bytes.len() as u64);
            stream.rewind().unwrap();
            assert!(bytes_of(&mut read).unwrap() == bytes, "{voxel_type} {options:?}");
            let metadata: Value = serde_json::from_str(&read.header.metadata).unwrap();
            assert_eq!(metadata["nifti"]["descrip"], "a scan");
            assert_eq!(metadata["zarr"]["codecs"], json!(["brickwork"]));
            let expected =
                header.clone().with(|header| read.header.metadata.clone_into(&mut header.metadata));
            assert_eq!((&read.header, &read.notes), (&expected, &Vec::new()));
            let check = verify_zarr(folder.path(), &Task::new()).unwrap();
            assert!(check.errors.is_empty() && check.chunks >= 1, "{check:?}");
        }
    }
}

/// The pieces that fit a limit are slices or rows.
#[test]
fn little_memory_reads_the_same_voxels() {
    let folder = tempfile::tempdir().unwrap();
    let header = header(VoxelType::U16, 2, 2);
    let (volume, bytes) = volume(&header);
    let options = ZarrOptions::default().with(|o| {
        o.chunk = Dims::new(4, 4, 4);
        o.max_memory = Some(1 << 20);
    });
    write_zarr(volume, folder.path(), &options, &Task::new()).unwrap();
    for limit in [768, 1200, 4000, 20_000] {
        let options = VolumeOpenOptions::default().with(|o| o.max_memory = Some(limit));
        let mut read = crate::open(folder.path(), &options, &Task::new()).unwrap();
        assert!(bytes_of(&mut read).unwrap() == bytes, "{limit}");
    }
    let error = crate::open(
        folder.path(),
        &VolumeOpenOptions::default().with(|o| o.max_memory = Some(767)),
        &Task::new(),
    );
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Limit);
    // A slab of 4 slices takes 3360 bytes, the voxels and the compressed bytes of a chunk 256.
    let write = |limit: u64| {
        let other = tempfile::tempdir().unwrap();
        let options = options.with(|o| o.max_memory = Some(limit));
        let written = write_zarr(self::volume(&header).0, other.path(), &options, &Task::new());
        written.map(|_| bytes_of(&mut open(other.path()).unwrap()).unwrap())
    };
    for limit in [3616, 4000, 6000] {
        assert!(write(limit).unwrap() == bytes, "{limit}");
    }
    assert_eq!(write(3615).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn levels_are_those_of_bwv_files() {
    let folder = tempfile::tempdir().unwrap();
    let header = header(VoxelType::U8, 1, 1).with(|header| {
        header.mip_levels = 3;
        header.spacing = Spacing { x: 0.5, y: 0.5, z: 0.5 };
    });
    let options = ZarrOptions::default().with(|o| o.brick = BrickPolicy::Fixed(BrickSize::Four));
    write_zarr(volume(&header).0, folder.path(), &options, &Task::new()).unwrap();
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    let mut bwv = Vec::new();
    let write = crate::VolumeWriteOptions::default();
    let task = Task::new();
    crate::write_volume(volume(&header).0, VolumeFormat::Bwv, &write, &mut bwv, &task).unwrap();
    let path = folder.path().join("a.bwv");
    fs::write(&path, bwv).unwrap();
    for level in 0..3 {
        let options = VolumeOpenOptions::default().with(|o| o.mip_level = level);
        let [mut zarr, mut bwv] =
            [folder.path(), &path].map(|path| crate::open(path, &options, &Task::new()).unwrap());
        assert_eq!(bytes_of(&mut zarr).unwrap(), bytes_of(&mut bwv).unwrap());
        let place = |header: &Header| (header.dims, header.spacing, header.origin, header.orientation);
        assert_eq!(place(&zarr.header), place(&bwv.header));
    }
    let options = VolumeOpenOptions::default().with(|o| o.mip_level = 3);
    let error = crate::open(folder.path(), &options, &Task::new()).unwrap_err();
    assert_eq!(error.to_string(), "level 3: the volume has levels 0 to 2");
}

/// Chunks of two frames, two channels and several slices, at all edges.
#[test]
fn chunks_of_several_frames_and_channels_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (shape, chunk) = ([3, 3, 3, 4, 5], [2, 2, 2, 3, 4]);
    let number = |[t, c, z, y, x]: [u64; 5]| (((t * 7 + c) * 11 + z) * 13 + y) * 17 + x;
    let axes = ["t", "c", "z", "y", "x"].map(|name| json!({ "name": name }));
    let multiscales = json!([{ "axes": axes, "datasets": [{ "path": "0" }] }]);
    let attributes = json!({ "ome": { "version": "0.5", "multiscales": multiscales } });
    let group = json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes });
    write_json(&folder.path().join("zarr.json"), &group);
    let codecs = json!([{ "name": "bytes", "configuration": { "endian": "little" } }, "gzip"]);
    let array = json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "uint16", "fill_value": 0,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": chunk } },
        "chunk_key_encoding": { "name": "default" }, "codecs": codecs,
    });
    write_json(&folder.path().join("0/zarr.json"), &array);
    let places = |sides: [u64; 5]| {
        reader::Odometer::new(sides.map(|side| 0..side).to_vec())
            .map(|place| <[u64; 5]>::try_from(place).unwrap())
    };
    let axis = [0, 1, 2, 3, 4];
    for index in places(axis.map(|axis| u64::div_ceil(shape[axis], chunk[axis]))) {
        let voxels = places(chunk).map(|at| axis.map(|axis| index[axis] * chunk[axis] + at[axis]));
        // Numbers beyond the array are not zero.
        let voxels: Vec<u8> = voxels.flat_map(|at| (number(at) as u16).to_le_bytes()).collect();
        let path = folder.path().join(format!("0/c/{}", index.map(|number| number.to_string()).join("/")));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, gzip(&voxels)).unwrap();
    }
    let mut wanted = Vec::new();
    for [t, z, y, x, c] in places([3, 3, 4, 5, 3]) {
        wanted.extend((number([t, c, z, y, x]) as u16).to_le_bytes());
    }
    // With little memory, pieces are rows.
    for max_memory in [None, Some(1700)] {
        let options = VolumeOpenOptions::default().with(|o| o.max_memory = max_memory);
        let mut read = crate::open(folder.path(), &options, &Task::new()).unwrap();
        let Header { dims, channels, frames, .. } = read.header;
        assert_eq!((dims, channels, frames), (Dims::new(5, 4, 3), 3, 3));
        assert!(bytes_of(&mut read).unwrap() == wanted, "{max_memory:?}");
    }
    assert_eq!(verify_zarr(folder.path(), &Task::new()).unwrap().chunks, 2 * 2 * 2 * 2 * 2);
}

/// Chunks of other channels than the chosen one are not read.
#[test]
fn one_of_many_channels_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let header = header(VoxelType::F16, 12, 2);
    let (volume, bytes) = volume(&header);
    let options = ZarrOptions::default().with(|o| o.chunk = Dims::cube(8));
    write_zarr(volume, folder.path(), &options, &Task::new()).unwrap();
    let mut all = open(folder.path()).unwrap();
    assert_eq!((all.header.voxel_type, all.header.channels), (VoxelType::F16, 12));
    assert!(bytes_of(&mut all).unwrap() == bytes);
    // The axes are t, c, z, y and x.
    for frame in ["0", "1"] {
        let chunk = folder.path().join(format!("0/c/{frame}/4/0/0/0"));
        fs::write(&chunk, b"damage").unwrap();
    }
    let of = |channel| {
        let options = VolumeOpenOptions::default().with(|o| o.channel = Some(channel));
        crate::open(folder.path(), &options, &Task::new())
    };
    for channel in [0, 7, 11] {
        let mut one = of(channel).unwrap();
        assert_eq!((one.header.channels, one.header.frames), (1, 2));
        let want = bytes.chunks_exact(24).flat_map(|voxel| &voxel[2 * channel..][..2]).copied();
        assert!(bytes_of(&mut one).unwrap().into_iter().eq(want), "{channel}");
    }
    assert!(bytes_of(&mut of(4).unwrap()).is_err() && bytes_of(&mut open(folder.path()).unwrap()).is_err());
    let error = of(12).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Argument, "channel 12: the volume has channels 0 to 11")
    );
}

#[test]
fn axes_without_names_can_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let array = json!({
        "zarr_format": 3, "node_type": "array", "shape": [9, 2, 3, 4], "data_type": "float16",
        "fill_value": "NaN", "chunk_key_encoding": { "name": "default" },
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [9, 2, 3, 4] } },
        "codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }],
    });
    write_json(&folder.path().join("zarr.json"), &array);
    let path = folder.path().join("c/0/0/0/0");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let numbers: Vec<u8> = (0..216u16).flat_map(u16::to_le_bytes).collect();
    fs::write(&path, &numbers).unwrap();
    let with_axes = |axes: &str| {
        let order = axes.parse().unwrap();
        crate::open(folder.path(), &VolumeOpenOptions::default().with(|o| o.axes = Some(order)), &Task::new())
    };
    let mut named = with_axes("czyx").unwrap();
    let Header { dims, channels, frames, .. } = named.header;
    assert_eq!((dims, channels, frames), (Dims::new(4, 3, 2), 9, 1));
    let wanted = (0..24u16).flat_map(|voxel| (0..9).map(move |channel| 24 * channel + voxel));
    assert!(bytes_of(&mut named).unwrap().into_iter().eq(wanted.flat_map(u16::to_le_bytes)));
    let mut unnamed = open(folder.path()).unwrap();
    // Four numbers along the last axis count as channels.
    assert_eq!((unnamed.header.dims, unnamed.header.channels), (Dims::new(3, 2, 9), 4));
    assert!(bytes_of(&mut unnamed).unwrap() == numbers);
    let error = with_axes("zyx").unwrap_err();
    assert_eq!(error.to_string(), "zyx are 3 axes, but the array's shape is (9, 2, 3, 4)");
    // A chunk that is not stored has the fill value, NaN by IEEE 754.
    fs::remove_file(&path).unwrap();
    let halves = bytes_of(&mut with_axes("czyx").unwrap()).unwrap();
    assert!(halves.as_chunks::<2>().0.iter().all(|half| *half == [0x00, 0x7e]), "{halves:?}");
    let names = json!(["c", "z", "y", "x"]);
    let mut array = array;
    array["dimension_names"] = names;
    write_json(&folder.path().join("zarr.json"), &array);
    let error = with_axes("czyx").unwrap_err();
    assert!(error.to_string().starts_with("the file names its own axes"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Argument);
}

/// Voxels of 0.2×0.2×1 µm: z is halved when x and y have reached 0.8 µm. Chunks have odd depths.
#[test]
fn levels_halve_the_finest_axes() {
    let whole = Header::new(VoxelType::U16, Dims::new(9, 6, 5)).with(|header| {
        (header.channels, header.frames, header.mip_levels) = (2, 2, 4);
        header.spacing = Spacing { x: 0.0002, y: 0.0002, z: 0.001 };
        header.origin = [1.0, -2.0, 3.0];
    });
    for (kind, chunk) in [
        (VoxelKind::Intensity, Dims::new(4, 4, 3)),
        (VoxelKind::Labels, Dims::new(2, 3, 1)),
        (VoxelKind::Intensity, Dims::cube(64)),
    ] {
        let header = whole.clone().with(|header| header.kind = kind);
        let options = ZarrOptions::default().with(|o| o.chunk = chunk);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zarr");
        fs::create_dir(&path).unwrap();
        let (first, bytes) = volume(&header);
        write_zarr(first, &path, &options, &Task::new()).unwrap();
        let archive = folder.path().join("a.ozx");
        let sink = fs::File::create(&archive).unwrap();
        write_zarr_archive(volume(&header).0, sink, folder.path(), &options, &Task::new()).unwrap();
        let text = fs::read_to_string(path.join("zarr.json")).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        // Numbers by frame, z, y, x and channel.
        let mut sides = [9, 6, 5];
        let mut numbers: Vec<u64> =
            bytes.as_chunks().0.iter().map(|&number| u16::from_le_bytes(number).into()).collect();
        let steps = [[1, 1, 1], [2, 2, 1], [2, 2, 1], [2, 2, 2]];
        // Middles of the first voxel, in voxels of the volume.
        let middles = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1.5, 1.5, 0.0], [3.5, 2.5, 0.5]];
        let mut size = [1, 1, 1];
        for level in 0..4 {
            let step: [usize; 3] = steps[level];
            let mut boxes = std::collections::BTreeMap::<_, Vec<u64>>::new();
            for (index, &number) in numbers.iter().enumerate() {
                let (channel, voxel) = (index % 2, index / 2);
                let [x, y, z] = sides;
                let at = [voxel % x, voxel / x % y, voxel / x / y % z];
                let [x, y, z] = [0, 1, 2].map(|axis| at[axis] / step[axis]);
                boxes
                    .entry((voxel / sides.iter().product::<usize>(), z, y, x, channel))
                    .or_default()
                    .push(number);
            }
            let one = |numbers: &Vec<u64>| match kind {
                VoxelKind::Labels => {
                    let count = |of: u64| numbers.iter().filter(|&&number| number == of).count();
                    numbers.iter().map(|&of| (count(of), std::cmp::Reverse(of))).max().unwrap().1.0
                }
                _ => {
                    let count = numbers.len() as u64;
                    (2 * numbers.iter().sum::<u64>() + count) / (2 * count)
                }
            };
            numbers = boxes.values().map(one).collect();
            sides = [0, 1, 2].map(|axis: usize| sides[axis].div_ceil(step[axis]));
            size = [0, 1, 2].map(|axis| size[axis] * step[axis]);
            for path in [&path, &archive] {
                let options = VolumeOpenOptions::default().with(|o| o.mip_level = level);
                let mut read = crate::open(path, &options, &Task::new()).unwrap();
                assert_eq!(read.header.dims, Dims::new(sides[0], sides[1], sides[2]), "level {level}");
                let found = bytes_of(&mut read).unwrap();
                let found: Vec<u64> =
                    found.as_chunks().0.iter().map(|&number| u16::from_le_bytes(number).into()).collect();
                assert_eq!(found, numbers, "level {level}, {kind:?}, {path:?}");
                let Spacing { x, y, z } = read.header.spacing;
                let spacings = [0.0002, 0.0002, 0.001];
                for (axis, spacing) in [x, y, z].into_iter().enumerate() {
                    assert_eq!(spacing, spacings[axis] * size[axis] as f64, "level {level}");
                    let origin = [1.0, -2.0, 3.0][axis] + middles[level][axis] * spacings[axis];
                    assert_eq!(read.header.origin[axis], origin, "level {level}");
                }
            }
            let dataset = &json["attributes"]["ome"]["multiscales"][0]["datasets"][level];
            let scale =
                json!([1.0, 1.0, 0.001 * size[2] as f64, 0.0002 * size[1] as f64, 0.0002 * size[0] as f64]);
            assert_eq!(dataset["coordinateTransformations"][0]["scale"], scale);
        }
        assert_eq!(sides, [2, 1, 3]);
    }
}

/// Slices of both levels and halves: 4 of 840 bytes, 4 of 220 and 2 of 220; a chunk of 128 bytes, twice.
#[test]
fn levels_obey_the_limit_of_memory() {
    let header = header(VoxelType::U16, 2, 2).with(|header| {
        header.mip_levels = 2;
        header.spacing = Spacing::default();
    });
    let write = |limit: u64| {
        let folder = tempfile::tempdir().unwrap();
        let options = ZarrOptions::default().with(|o| {
            o.chunk = Dims::cube(4);
            o.max_memory = Some(limit);
        });
        write_zarr(volume(&header).0, folder.path(), &options, &Task::new())
    };
    write(4936).unwrap();
    let error = write(4935).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().contains("4936"), "{error}");
}

#[test]
fn levels_that_cannot_be_are_refused() {
    let write = |header: &Header| {
        let folder = tempfile::tempdir().unwrap();
        let error = write_zarr(volume(header).0, folder.path(), &ZarrOptions::default(), &Task::new());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        error.unwrap_err().to_string()
    };
    for levels in [0, 7] {
        let said = write(&header(VoxelType::U8, 1, 1).with(|header| header.mip_levels = levels));
        assert!(said.contains("6") && said.contains("21×10×13"), "{said}");
    }
    // Slopes of slices that become one slice.
    let slopes = Header::new(VoxelType::U8, Dims::new(4, 4, 2)).with(|header| {
        header.mip_levels = 2;
        header.metadata = r#"{"dicom":{"RescaleSlope":[1.0,2.0],"RescaleIntercept":0.0}}"#.to_owned();
    });
    assert!(write(&slopes).contains("slopes or intercepts differ"));
    // Slices remain as they are.
    let folder = tempfile::tempdir().unwrap();
    let apart = slopes.with(|header| header.spacing.z = 2.0);
    write_zarr(volume(&apart).0, folder.path(), &ZarrOptions::default(), &Task::new()).unwrap();
    let options = VolumeOpenOptions::default().with(|o| o.mip_level = 1);
    let level = crate::open(folder.path(), &options, &Task::new()).unwrap();
    let slope = |z| level.header.rescaling().unwrap().at(0, z).slope;
    assert_eq!((level.header.dims, slope(0), slope(1)), (Dims::new(2, 2, 2), 1.0, 2.0));
}

/// Metadata of a Zarr 3 array of 2×3×4 numbers of the type uint16 in chunks of 2×2×3.
fn array_v3(codecs: &Value) -> Value {
    json!({
        "zarr_format": 3, "node_type": "array", "shape": [2, 3, 4], "data_type": "uint16",
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [2, 2, 3] } },
        "chunk_key_encoding": { "name": "default" }, "fill_value": 513, "codecs": codecs,
    })
}

fn write_json(path: &Path, json: &Value) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, json.to_string()).unwrap();
}

/// The array's numbers: 100 z + 10 y + x, or the fill value in the chunk that is not stored.
fn number(z: u16, y: u16, x: u16) -> u16 {
    if y == 2 && x < 3 { 513 } else { 100 * z + 10 * y + x }
}

fn numbers() -> Vec<u8> {
    let places = (0..24).map(|i| number(i / 12, i / 4 % 3, i % 4));
    places.flat_map(u16::to_le_bytes).collect()
}

/// The numbers of a chunk, in C order or transposed.
fn chunk(row: u16, column: u16, is_transposed: bool, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let place = |i: u16| if is_transposed { (i % 2, i / 2 % 2, i / 4) } else { (i / 6, i / 3 % 2, i % 3) };
    (0..12).map(place).flat_map(|(z, y, x)| to_bytes(number(z, 2 * row + y, 3 * column + x))).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn checked(bytes: &[u8]) -> Vec<u8> {
    [bytes, &crc32c::crc32c(bytes).to_le_bytes()].concat()
}

/// The chunks that are stored.
const STORED: [(u16, u16); 3] = [(0, 0), (0, 1), (1, 1)];

#[test]
fn arrays_of_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| bytes_of(&mut open(&folder.path().join(name)).unwrap()).unwrap();
    let put = |name: String, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    // Version 3: transposed, big-endian, compressed, with a checksum.
    let codecs = json!([
        { "name": "transpose", "configuration": { "order": [2, 1, 0] } },
        { "name": "bytes", "configuration": { "endian": "big" } },
        { "name": "gzip", "configuration": { "level": 1 } }, "crc32c"
    ]);
    write_json(&folder.path().join("a/zarr.json"), &array_v3(&codecs));
    for (row, column) in STORED {
        let bytes = checked(&gzip(&chunk(row, column, true, u16::to_be_bytes)));
        put(format!("a/c/0/{row}/{column}"), bytes);
    }
    assert_eq!(read("a"), numbers());
    // Version 2: Fortran's order, big-endian, zlib, dots.
    let array = json!({
        "zarr_format": 2, "shape": [2, 3, 4], "chunks": [2, 2, 3], "dtype": ">u2", "order": "F",
        "fill_value": 513, "filters": null, "compressor": { "id": "zlib", "level": 1 },
    });
    write_json(&folder.path().join("b/.zarray"), &array);
    for (row, column) in STORED {
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&chunk(row, column, true, u16::to_be_bytes)).unwrap();
        put(format!("b/0.{row}.{column}"), packed.finish().unwrap());
    }
    assert_eq!(read("b"), numbers());
    // A shard of all chunks with its index first, and Zstandard.
    let inner = json!({
        "chunk_shape": [2, 2, 3], "index_location": "start",
        "codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }, "zstd"],
        "index_codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }, "crc32c"],
    });
    let mut array = array_v3(&json!([{ "name": "sharding_indexed", "configuration": inner }]));
    array["chunk_grid"]["configuration"]["chunk_shape"] = json!([2, 4, 6]);
    write_json(&folder.path().join("c/zarr.json"), &array);
    let (mut index, mut data) = (Vec::new(), Vec::new());
    for place in 0..4u16 {
        let (row, column) = (place / 2, place % 2);
        if !STORED.contains(&(row, column)) {
            index.extend([255; 16]);
            continue;
        }
        let packed = zstd::encode_all(&chunk(row, column, false, u16::to_le_bytes)[..], 3).unwrap();
        index.extend((4 * 16 + 4 + data.len() as u64).to_le_bytes());
        index.extend((packed.len() as u64).to_le_bytes());
        data.extend(packed);
    }
    let shard = [checked(&index), data].concat();
    put("c/c/0/0/0".to_owned(), shard.clone());
    assert_eq!(read("c"), numbers());
    assert_eq!(verify_zarr(&folder.path().join("c"), &Task::new()).unwrap().chunks, 4);
    // Every byte of the shard has a checksum, or is in a Zstandard frame of the right size.
    for (at, words) in [(3, "checksum of the index differs"), (70, "inner chunk [0, 0, 0]: zstd: ")] {
        let mut damaged = shard.clone();
        damaged[at] ^= 0x55;
        put("c/c/0/0/0".to_owned(), damaged);
        let error = bytes_of(&mut open(&folder.path().join("c")).unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("c/0/0/0") && error.contains(words), "{error}");
    }
    // Offsets whose sum overflows.
    let mut damaged = index.clone();
    damaged[..16].copy_from_slice(&[[0xff; 8], 2u64.to_le_bytes()].concat());
    put("c/c/0/0/0".to_owned(), checked(&damaged));
    let check = verify_zarr(&folder.path().join("c"), &Task::new()).unwrap();
    let said = "c/0/0/0: inner chunk [0, 0, 0]: offset 18446744073709551615 and size 2 are not allowed";
    assert_eq!(check.errors[0], said);
    put("c/c/0/0/0".to_owned(), vec![0; 67]);
    let check = verify_zarr(&folder.path().join("c"), &Task::new()).unwrap();
    assert_eq!((check.chunks, check.errors.len()), (4, 4));
}

/// An OME-Zarr 0.4 group of version 2: two levels of axes t, c, z, y and x, in micrometres and milliseconds.
#[test]
fn groups_of_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let axis = |name: &str, kind: &str, unit: &str| json!({ "name": name, "type": kind, "unit": unit });
    let scale = |numbers: [f64; 5]| json!({ "type": "scale", "scale": numbers });
    let multiscales = json!([{
        "version": "0.4", "name": "cells", "metadata": { "method": "mean" },
        "axes": [
            axis("t", "time", "millisecond"), json!({ "name": "c", "type": "channel" }),
            axis("z", "space", "micrometer"), axis("y", "space", "micrometer"),
            axis("x", "space", "micrometer")
        ],
        "datasets": [
            { "path": "0", "coordinateTransformations": [scale([1.0, 1.0, 2.0, 0.5, 0.5])] },
            { "path": "s/1", "coordinateTransformations": [
                scale([1.0, 1.0, 4.0, 1.0, 1.0]),
                { "type": "translation", "translation": [0, 0, 1, 0.25, 0.25] }
            ] }
        ],
        "coordinateTransformations": [scale([20.0, 1.0, 1.0, 1.0, 1.0])],
    }]);
    write_json(&path(".zgroup"), &json!({ "zarr_format": 2 }));
    write_json(
        &path(".zattrs"),
        &json!({
            "multiscales": multiscales, "omero": { "id": 1 },
            "image-label": { "version": "0.4", "colors": [] },
        }),
    );
    let array = |shape: [u64; 5]| {
        json!({
            "zarr_format": 2, "shape": shape, "chunks": [1, 1, shape[2], shape[3], shape[4]], "dtype": "|u1",
            "order": "C", "fill_value": 0, "filters": [], "compressor": null, "dimension_separator": "/",
        })
    };
    write_json(&path("0/.zarray"), &array([2, 3, 2, 3, 4]));
    write_json(&path("s/1/.zarray"), &array([2, 3, 1, 2, 2]));
    for (frame, channel) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)] {
        let place = path(&format!("0/{frame}/{channel}/0/0"));
        fs::create_dir_all(&place).unwrap();
        let voxels: Vec<u8> = (0..24).map(|i| 100 * frame + 30 * channel + i).collect();
        fs::write(place.join("0"), voxels).unwrap();
    }
    let (mut first, smaller) =
        open_zarr_levels(folder.path(), &VolumeOpenOptions::default(), &Task::new()).unwrap();
    let header = &first.header;
    assert_eq!((header.dims, header.channels, header.frames), (Dims::new(4, 3, 2), 3, 2));
    assert_eq!((header.spacing, header.frame_spacing), (Spacing { x: 5e-4, y: 5e-4, z: 2e-3 }, 0.02));
    let notes: Vec<String> = first.notes.iter().map(ToString::to_string).collect();
    let of_level = "s/1/.zarray: no file of its chunks exists: all voxels have the fill value";
    assert_eq!(notes, ["fields of OME-Zarr that are not kept: image-label, metadata, omero.id", of_level]);
    assert_eq!(header.kind, VoxelKind::Labels);
    // Frame 1 has no channel 1.
    let number = |frame: u8, voxel: u8, channel: u8| match (frame, channel) {
        (1, 1) => 0,
        _ => 100 * frame + 30 * channel + voxel,
    };
    let voxels: Vec<u8> = (0..144).map(|i| number(i / 72, i / 3 % 24, i % 3)).collect();
    assert_eq!(bytes_of(&mut first).unwrap(), voxels);
    let [level] = &smaller[..] else { panic!("one smaller level") };
    assert_eq!((level.header.dims, level.header.origin), (Dims::new(2, 2, 1), [2.5e-4, 2.5e-4, 1e-3]));
    assert_eq!(level.header.spacing, Spacing { x: 1e-3, y: 1e-3, z: 4e-3 });
}

/// Levels by size, not by their place in the list; axes with and without a unit.
#[test]
fn levels_in_another_order_and_missing_units_are_noted() {
    let scale = |x: f64| json!([{ "type": "scale", "scale": [x, x, x] }]);
    let axis = |name: &str, unit: &str| json!({ "name": name, "type": "space", "unit": unit });
    let array = |side: u64| {
        json!({
            "zarr_format": 2, "shape": [side, side, side], "chunks": [side, side, side], "dtype": "|u1",
            "order": "C", "fill_value": 0, "filters": [], "compressor": null,
        })
    };
    let of = |levels: [&str; 2], units: [&str; 3]| {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let multiscales = json!([{
            "axes": [axis("z", units[0]), axis("y", units[1]), axis("x", units[2])],
            "datasets": levels.map(|level| {
                let size = if level == "large" { 1.0 } else { 2.0 };
                json!({ "path": level, "coordinateTransformations": scale(size) })
            }),
        }]);
        write_json(&path(".zgroup"), &json!({ "zarr_format": 2 }));
        write_json(&path(".zattrs"), &json!({ "multiscales": multiscales }));
        for (level, side) in [("large", 2), ("small", 1)] {
            write_json(&path(&format!("{level}/.zarray")), &array(side));
            fs::write(path(&format!("{level}/0.0.0")), vec![side as u8; (side * side * side) as usize])
                .unwrap();
        }
        let mut volume = open(folder.path()).unwrap();
        assert_eq!(bytes_of(&mut volume).unwrap(), [2; 8]);
        let Spacing { x, y, z } = volume.header.spacing;
        (volume.notes.iter().map(ToString::to_string).collect::<Vec<_>>(), [x, y, z])
    };
    let millimetres = ["millimeter"; 3];
    assert_eq!(of(["large", "small"], millimetres), (Vec::new(), [1.0; 3]));
    let note = "multiscales lists its levels in another order: they are read by size";
    assert_eq!(of(["small", "large"], millimetres), (vec![note.to_owned()], [1.0; 3]));
    let note = "axes: y and x without a unit, beside axes with one; millimetres are taken";
    let units = ["micrometer", "", ""];
    assert_eq!(of(["large", "small"], units), (vec![note.to_owned()], [1.0, 1.0, 0.001]));
    assert!(of(["large", "small"], [""; 3]).0.is_empty());
}

/// Bytes by numcodecs 0.17.1 of 320 numbers of 16 bits.
#[test]
fn blosc_buffers_are_read() {
    let lz4 = "\
        020121028002000080020000750000001400000043000000bf002cb08cdc8484dc8cb02c0b0046bf2db18ddd8585dd8d\
        b12d010b0046bfb28ede8686de8eb22e022e0b0046f0058fdf8787df8fb32f032fb38fdf8787df8fb32f0316000000bf\
        0001040a050303050a04010b00ff1e50050a040100";
    let blosclz = "\
        020100028002000080020000a400000014000000370000003500002c01b0048c0adc0584038403dc058c0ab0042c01e0\
        a915152d01b1048d0add0585038503dd058d0ab1042d010100e0571501850351000000358503dd058d0ab1042d010100\
        2d01b1048d0add058503e0311515b2048e0ade0586038603de058e0ab2042e0102002e01e0a915158f0adf0587038703\
        df058f0ab3042f0103002f01b304e00715010300";
    let zstd_bits = "\
        020194028002000080020000af000000140000009700000028b52ffd6080016d0400940600f0ff00fffad5af7ef5ab5f\
        fdea57bf9ad5ac6635ab59cd6a56b394a214a52845294a518a520636b0810d6c60031bd8c09080042420010948400212\
        fce31ffff8c73ffef18f7ff294a73ce5294f79ca539e68410b5ad08216b4a0052d08410842108210842004210010a050\
        cec4f701702b6c359ca0c4dd73a5fbfdf67ebfcdcd6f200f82e10e8c469901";
    let zlib = "\
        02016102800200008002000073000000140000003f00000078da63d0d9d073a7a5e54ecf061d065a317537f6de6d6dbd\
        dbbb51979166cc4d7df7dadaeef56dd263d2a319b3ff7e7bfbfdfecdfaccfa9be14c00a5f7a2b91800000078da636064\
        e162656666e5626164186592ce040045c80537";
    let numbers = (0..320u32).map(|i| (i * i % 11 * 300 + i / 100) as u16);
    let numbers: Vec<u8> = numbers.flat_map(u16::to_le_bytes).collect();
    for text in [lz4, blosclz, zstd_bits, zlib] {
        let digits = text.as_bytes().as_chunks::<2>().0.iter();
        let byte = |digits: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = digits.map(byte).collect();
        assert_eq!(BytesCodec::Blosc.decode(bytes.clone(), 640).as_ref(), Ok(&numbers), "{text}");
        assert!(BytesCodec::Blosc.decode(bytes.clone(), 639).unwrap_err().contains("640 bytes"));
        // No damage panics, or makes a larger buffer.
        for at in 0..bytes.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                let read = BytesCodec::Blosc.decode(damaged, 1000);
                assert!(read.map_or(0, |read| read.len()) <= 1000, "{at}");
            }
            assert!(BytesCodec::Blosc.decode(bytes[..at].to_vec(), 1000).is_err(), "{at}");
        }
    }
    let copied =
        [&[2, 1, 0x33, 2, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0][..], &[0, 0, 0, 0, 0, 0, 1, 0]].concat();
    assert_eq!(BytesCodec::Blosc.decode(copied, 8), Ok(vec![0, 0, 0, 0, 0, 0, 1, 0]));
}

#[test]
fn attributes_of_arrays_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let notes = || {
        let notes = open(folder.path()).unwrap().notes;
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let mut array = array_v3(&json!([{ "name": "bytes", "configuration": { "endian": "little" } }]));
    array["attributes"] = json!({ "scale_factor": 0.5, "_zarrs": {}, "add_offset": 2 });
    write_json(&folder.path().join("zarr.json"), &array);
    write_json(&folder.path().join("c/0/0/0"), &Value::Null);
    assert_eq!(notes(), ["fields of Zarr that are not kept: add_offset, scale_factor"]);
    fs::remove_file(folder.path().join("zarr.json")).unwrap();
    let array = json!({
        "zarr_format": 2, "shape": [2, 3, 4], "chunks": [2, 2, 3], "dtype": "<u2", "order": "C",
        "fill_value": null, "filters": null, "compressor": null,
    });
    write_json(&folder.path().join(".zarray"), &array);
    let attributes = json!({ "_ARRAY_DIMENSIONS": ["z", "y", "x"], "units": "K" });
    write_json(&folder.path().join(".zattrs"), &attributes);
    write_json(&folder.path().join("0.0.0"), &Value::Null);
    assert_eq!(notes(), ["fields of Zarr that are not kept: units"]);
}

#[test]
fn arrays_without_chunks_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let notes = || {
        let notes = open(folder.path()).unwrap().notes;
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let array = array_v3(&json!([{ "name": "bytes", "configuration": { "endian": "little" } }]));
    write_json(&path("0/zarr.json"), &array);
    write_json(&path("1/zarr.json"), &array);
    let multiscales = json!([{ "axes": ["z", "y", "x"], "datasets": [{ "path": "0" }, { "path": "1" }] }]);
    let attributes = json!({ "ome": { "multiscales": multiscales } });
    let group = json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes });
    write_json(&path("zarr.json"), &group);
    // Another separator, a place beyond the grid, an index in another form.
    for other in ["c.0.0.0", "c/0/2/0", "c/00/0/0"] {
        write_json(&path("0").join(other), &Value::Null);
    }
    let said = |level: u8| {
        format!("{level}/zarr.json: no file of its chunks exists: all voxels have the fill value")
    };
    assert_eq!(notes(), [said(0), said(1)]);
    let check = verify_zarr(folder.path(), &Task::new()).unwrap();
    let others: Vec<String> = check.notes.iter().map(ToString::to_string).collect();
    assert_eq!(others, ["not read, as their names are not keys of chunks: 0/c.0.0.0, 0/c/0/2, 0/c/00"]);
    assert_eq!((check.chunks, check.missing, check.errors.len()), (8, 8, 0));
    write_json(&path("0/c/0/1/1"), &Value::Null);
    assert_eq!(notes(), [said(1)]);
}

/// A hostile chunk is stored in twice its bytes, and every codec returns as many.
#[test]
fn copies_of_chunks_count_as_memory() {
    let bytes = json!({ "name": "bytes", "configuration": { "endian": "little" } });
    let packed = json!({ "name": "gzip", "configuration": { "level": 1 } });
    for (codecs, copies) in [
        (json!([bytes]), 3),
        (json!(["brickwork"]), 3),
        (json!([bytes, packed]), 4),
        (json!([bytes, packed, packed]), 6),
        (json!(["brickwork", packed]), 6),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write_json(&folder.path().join("zarr.json"), &array_v3(&codecs));
        let open = |limit: u64| {
            let options = VolumeOpenOptions::default().with(|o| o.max_memory = Some(limit));
            crate::open(folder.path(), &options, &Task::new()).map(drop)
        };
        // Chunks are decoded in one half of the limit.
        let least = 2 * copies * 24;
        open(least).unwrap();
        assert_eq!(open(least - 1).unwrap_err().kind(), ErrorKind::Limit, "{codecs}");
    }
}

#[test]
fn only_the_level_that_is_read_needs_memory() {
    let folder = tempfile::tempdir().unwrap();
    let array = array_v3(&json!([{ "name": "bytes", "configuration": { "endian": "little" } }]));
    let mut large = array.clone();
    large["chunk_grid"]["configuration"]["chunk_shape"] = json!([2, 2, 300]);
    write_json(&folder.path().join("0/zarr.json"), &array);
    write_json(&folder.path().join("1/zarr.json"), &large);
    let scales = json!([{ "axes": ["z", "y", "x"], "datasets": [{ "path": "0" }, { "path": "1" }] }]);
    let attributes = json!({ "ome": { "version": "0.5", "multiscales": scales } });
    let group = json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes });
    write_json(&folder.path().join("zarr.json"), &group);
    let options = VolumeOpenOptions::default().with(|o| o.max_memory = Some(1000));
    let open = |level: usize| {
        crate::open(folder.path(), &options.clone().with(|o| o.mip_level = level), &Task::new())
    };
    let mut first = open(0).unwrap();
    assert_eq!(bytes_of(&mut first).unwrap(), [1, 2].repeat(24));
    assert_eq!(open(1).unwrap_err().kind(), ErrorKind::Limit);
    let (_, mut smaller) = open_zarr_levels(folder.path(), &options, &Task::new()).unwrap();
    assert!(bytes_of(&mut smaller[0]).unwrap_err().to_string().contains("14400"));
}

/// The number of bytes of voxels limits what the last decompression returns.
#[test]
fn chunks_unpack_to_their_voxels() {
    let codecs = json!([
        { "name": "bytes", "configuration": { "endian": "little" } },
        { "name": "gzip", "configuration": { "level": 1 } }
    ]);
    let folder = tempfile::tempdir().unwrap();
    write_json(&folder.path().join("zarr.json"), &array_v3(&codecs));
    let said = |bytes: &[u8]| {
        fs::create_dir_all(folder.path().join("c/0/0")).unwrap();
        fs::write(folder.path().join("c/0/0/0"), gzip(bytes)).unwrap();
        verify_zarr(folder.path(), &Task::new()).unwrap().errors
    };
    assert_eq!(said(&[1; 24]), [""; 0]);
    assert_eq!(said(&[1; 23]), ["c/0/0/0: has 23 bytes of voxels, expected 24"]);
    let more = "c/0/0/0: gzip: unpacks to more than the 24 bytes that a chunk can need";
    assert_eq!(said(&[1; 25]), [more]);
}

/// The writer makes no chunks and no shards that the reader refuses.
#[test]
fn chunks_and_shards_have_limits() {
    let refused = |dims: Dims, options: ZarrOptions| {
        let voxels = VoxelStream::Rewindable(Box::new(Cursor::new(Vec::<u8>::new())));
        let (files, notes, header) = (Vec::new(), Vec::new(), Header::new(VoxelType::U8, dims));
        let (format, order) = (VolumeFormat::Raw, ByteOrder::Little);
        let volume = OpenedVolume { format, header, order, voxels, files, notes };
        let folder = tempfile::tempdir().unwrap();
        write_zarr(volume, folder.path(), &options, &Task::new()).unwrap_err().to_string()
    };
    let options = ZarrOptions::default().with(|o| o.brick = BrickPolicy::Fixed(BrickSize::Four));
    let dims = Dims::new(2048, 1024, 1024);
    let said = "chunks of 2048×1024×1024 contain 2147483648 bytes, more than 2147483647";
    assert_eq!(refused(dims, options.with(|o| o.chunk = dims)), said);
    let small = options.with(|o| {
        o.chunk = Dims::cube(4);
        o.shard = Some(Dims::cube(1024));
    });
    let said = "shards of 1024×1024×1024 contain 16777216 chunks, more than 1048576";
    assert_eq!(refused(Dims::cube(1024), small), said);
}

#[test]
fn metadata_that_the_reader_refuses_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let long = json!({ "text": "x".repeat(1 << 24) }).to_string();
    let header = header(VoxelType::U8, 1, 1).with(|header| header.metadata = long);
    let error =
        write_zarr(volume(&header).0, folder.path(), &ZarrOptions::default(), &Task::new()).unwrap_err();
    assert!(error.to_string().ends_with("bytes, more than 16 MiB"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A part of the metadata of `array_v3`, another value for it, and words of the error.
#[test]
fn hostile_metadata_are_refused() {
    let little = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
    let sharding = |chunk: Value| {
        let codecs = json!(["bytes"]);
        json!([{ "name": "sharding_indexed", "configuration": {
            "chunk_shape": chunk, "codecs": codecs, "index_codecs": codecs
        } }])
    };
    let huge = 1u64 << 40;
    for (pointer, value, kind, words) in [
        ("/data_type", json!("bool"), ErrorKind::Unsupported, "type \"bool\""),
        ("/data_type", json!({ "name": "complex64" }), ErrorKind::Unsupported, "type \"complex64\""),
        ("/shape", json!([]), ErrorKind::Invalid, "0 axes"),
        ("/shape", json!([2, 3]), ErrorKind::Invalid, "2 axes"),
        ("/shape", json!([2, -3, 4]), ErrorKind::Invalid, "zarr.json: "),
        ("/shape", json!([0, 3, 4]), ErrorKind::Invalid, "side of zero"),
        ("/shape", json!([u64::MAX, u64::MAX, 4]), ErrorKind::Invalid, "more than this machine can address"),
        ("/chunk_grid/configuration/chunk_shape", json!([0, 1, 1]), ErrorKind::Invalid, "zarr.json: "),
        ("/chunk_grid/configuration/chunk_shape", json!([1, 1]), ErrorKind::Invalid, "the chunk shape 2"),
        (
            "/chunk_grid/configuration/chunk_shape",
            json!([huge, huge, 1]),
            ErrorKind::Unsupported,
            "chunks of",
        ),
        (
            "/chunk_grid/configuration/chunk_shape",
            json!([1, 1, 1 << 30]),
            ErrorKind::Unsupported,
            "2147483648",
        ),
        ("/chunk_grid/name", json!("rectilinear"), ErrorKind::Unsupported, "chunk grid \"rectilinear\""),
        ("/chunk_key_encoding", json!("suffix"), ErrorKind::Unsupported, "chunk key encoding \"suffix\""),
        (
            "/chunk_key_encoding",
            json!({ "name": "default", "configuration": { "separator": "/../" } }),
            ErrorKind::Invalid,
            "separator",
        ),
        ("/fill_value", json!("red"), ErrorKind::Invalid, "fill_value"),
        ("/fill_value", json!(70_000), ErrorKind::Invalid, "fill_value"),
        ("/codecs", json!([]), ErrorKind::Invalid, "zarr.json: "),
        ("/codecs", json!(["bytes", "bz2"]), ErrorKind::Unsupported, "codec \"bz2\""),
        ("/codecs", json!(["gzip", "bytes"]), ErrorKind::Invalid, "codecs: gzip is in the wrong place"),
        (
            "/codecs",
            json!([little[0], { "name": "transpose", "configuration": { "order": [2, 1, 0] } }]),
            ErrorKind::Invalid,
            "codecs: transpose is in the wrong place",
        ),
        (
            "/codecs",
            json!([
                { "name": "transpose", "configuration": { "order": [0, 0, 0] }, "must_understand": false },
                little[0]
            ]),
            ErrorKind::Invalid,
            "zarr.json: ",
        ),
        ("/codecs", json!(["vlen-utf8"]), ErrorKind::Unsupported, "codec \"vlen-utf8\""),
        ("/codecs", sharding(json!([2, 2, 2])), ErrorKind::Invalid, "do not consist of"),
        ("/codecs", sharding(json!([2, 2, 3, 1])), ErrorKind::Invalid, "do not consist of"),
        (
            "/codecs",
            json!([sharding(json!([2, 2, 3]))[0], "gzip"]),
            ErrorKind::Unsupported,
            "sharding_indexed",
        ),
        ("/node_type", json!("file"), ErrorKind::Invalid, "neither an array nor a group"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut array = array_v3(&little);
        *array.pointer_mut(pointer).unwrap() = value.clone();
        write_json(&folder.path().join("zarr.json"), &array);
        let error = open(folder.path()).unwrap_err();
        assert!(error.to_string().contains(words), "{pointer} {value}: {error}");
        assert_eq!(error.kind(), kind, "{pointer} {value}: {error}");
    }
    // A large array of small chunks, none of which is stored, is read without its size in memory.
    let folder = tempfile::tempdir().unwrap();
    let mut array = array_v3(&little);
    array["shape"] = json!([1u64 << 36, 1 << 20, 4]);
    write_json(&folder.path().join("zarr.json"), &array);
    let options = VolumeOpenOptions::default().with(|o| o.max_memory = Some(1 << 12));
    let mut volume = crate::open(folder.path(), &options, &Task::new()).unwrap();
    let mut start = [0; 1000];
    volume.voxels.read_exact(&mut start).unwrap();
    assert_eq!(start, [1u8, 2].repeat(500)[..]);
    // Only chunks that exist take time.
    fs::create_dir_all(folder.path().join("c/7/3")).unwrap();
    fs::write(folder.path().join("c/7/3/1"), [5u8; 24]).unwrap();
    fs::write(folder.path().join("c/7/3/0"), [5u8; 23]).unwrap();
    let done = std::sync::Mutex::new((0, 0));
    let callback = |progress: Progress| *done.lock().unwrap() = (progress.done, progress.total);
    let check = verify_zarr(folder.path(), &Task::new().with_progress(&callback)).unwrap();
    assert_eq!((check.chunks, check.missing), (1 << 55, (1 << 55) - 2));
    assert_eq!(check.errors, ["c/7/3/0: has 23 bytes of voxels, expected 24"]);
    assert_eq!(*done.lock().unwrap(), (2, 2));
    let token = CancelToken::new();
    token.cancel();
    let cancelled = verify_zarr(folder.path(), &Task::new().with_cancel(&token)).unwrap_err();
    assert_eq!(cancelled.kind(), ErrorKind::Cancelled);
    let deep = "[".repeat(999);
    for (text, words) in [("", "zarr.json: EOF"), ("[]", "neither an array"), (&deep[..], "recursion")] {
        fs::write(folder.path().join("zarr.json"), text).unwrap();
        let error = open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    fs::remove_file(folder.path().join("zarr.json")).unwrap();
    let forced = VolumeOpenOptions::default().with(|o| o.format = Some(VolumeFormat::Zarr));
    let error = crate::open(folder.path(), &forced, &Task::new()).unwrap_err().to_string();
    assert_eq!(error, "zarr.json: is missing; there is no .zarray or .zgroup either");
}

#[test]
fn hostile_groups_are_refused() {
    let array = array_v3(&json!([{ "name": "bytes", "configuration": { "endian": "little" } }]));
    let group = |multiscales: Value, own: Value| {
        let attributes = json!({ "ome": { "version": "0.5", "multiscales": multiscales }, "brickwork": own });
        json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes })
    };
    let of = |axes: Value, path: &str, list: Value| {
        let dataset = json!({ "path": path, "coordinateTransformations": list });
        json!([{ "axes": axes, "datasets": [dataset] }])
    };
    let axes = || json!(["z", "y", "x"]);
    let scale = |numbers: Value| json!([{ "type": "scale", "scale": numbers }]);
    let turned = json!({ "orientation": [1, 0, 0, 1, 0, 0, 0, 0, 1] });
    for (multiscales, own, words) in [
        (json!([]), Value::Null, "a Zarr group without multiscales (its members: 0)"),
        (json!([{}]), Value::Null, "multiscales has no datasets"),
        (of(axes(), "../0", Value::Null), Value::Null, "the path \"../0\" of a dataset is not allowed"),
        (of(axes(), "/etc", Value::Null), Value::Null, "the path \"/etc\" of a dataset is not allowed"),
        (of(json!(["x", "y", "q"]), "0", Value::Null), Value::Null, "(in \"0\") is not supported"),
        (of(axes(), "1", Value::Null), Value::Null, "1: is a dataset of multiscales, but not an array"),
        (of(json!(["y", "x"]), "0", Value::Null), Value::Null, "2 axes for an array of 3"),
        (of(json!(["t", "c", "x"]), "0", json!([7])), Value::Null, "coordinateTransformations"),
        (
            of(axes(), "0", scale(json!([1, 0, 1]))),
            Value::Null,
            "coordinateTransformations is \"0\": not above zero",
        ),
        (
            of(axes(), "0", scale(json!([1, 1]))),
            Value::Null,
            "a scale has other values than 3 finite numbers",
        ),
        (of(json!("zyx"), "0", Value::Null), Value::Null, "multiscales: axes is not a list"),
        (of(axes(), "0", Value::Null), json!({ "orientation": [1, 2] }), "other values than 9 numbers"),
        (of(axes(), "0", Value::Null), json!({ "orientation": "up" }), "other values than 9 numbers"),
        (of(axes(), "0", Value::Null), json!({ "kind": "masks" }), "brickwork.kind is neither"),
        (of(axes(), "0", Value::Null), json!({ "metadata": [1] }), "brickwork.metadata is not an object"),
        (of(axes(), "0", Value::Null), turned, "brickwork.orientation is"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write_json(&folder.path().join("0/zarr.json"), &array);
        write_json(&folder.path().join("zarr.json"), &group(multiscales, own));
        let error = open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}, expected {words}");
    }
}

/// Headers have no place for the first time, and times without a unit have no meaning.
#[test]
fn transformations_that_are_left_out_are_noted() {
    let array = array_v3(&json!([{ "name": "bytes", "configuration": { "endian": "little" } }]));
    let said =
        |axis: &str| format!("fields of OME-Zarr that are not kept: coordinateTransformations of {axis}");
    for (axis, unit, scale, translation, note) in [
        ("t", "", 1, 0, None),
        ("t", "second", 5, 0, None),
        ("t", "", 5, 0, Some(said("t"))),
        ("t", "second", 1, 7, Some(said("t"))),
        ("c", "", 1, 7, Some(said("c"))),
    ] {
        let multiscales = json!([{
            "axes": [{ "name": axis, "unit": unit }, "y", "x"],
            "datasets": [{ "path": "0", "coordinateTransformations": [
                { "type": "scale", "scale": [scale, 1, 1] },
                { "type": "translation", "translation": [translation, 0, 0] },
            ] }],
        }]);
        let folder = tempfile::tempdir().unwrap();
        write_json(&folder.path().join("0/zarr.json"), &array);
        write_json(&folder.path().join("0/c/0/0/0"), &Value::Null);
        let attributes = json!({ "ome": { "multiscales": multiscales } });
        let group = json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes });
        write_json(&folder.path().join("zarr.json"), &group);
        let notes = open(folder.path()).unwrap().notes;
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert_eq!(notes, Vec::from_iter(note), "{axis} {unit:?} {scale} {translation}");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("a.zarr");
    write_json(
        &folder.join("zarr.json"),
        &array_v3(&json!([{ "name": "bytes", "configuration": { "endian": "little" } }])),
    );
    fs::create_dir_all(folder.join("c/0/0")).unwrap();
    let secret = around.path().join("secret");
    fs::write(&secret, [7u8; 24]).unwrap();
    let chunk = folder.join("c/0/0/0");
    let said = || bytes_of(&mut open(&folder).unwrap()).unwrap_err().to_string();
    std::os::unix::fs::symlink(&secret, &chunk).unwrap();
    assert_eq!(said(), "c/0/0/0: is a link out of the folder");
    fs::remove_file(&chunk).unwrap();
    std::os::unix::fs::symlink(around.path().join("nothing"), &chunk).unwrap();
    assert_eq!(said(), "c/0/0/0: is a link to nothing");
    fs::remove_file(&chunk).unwrap();
    fs::create_dir(&chunk).unwrap();
    assert_eq!(said(), "c/0/0/0: is not a regular file");
    fs::remove_dir(&chunk).unwrap();
    fs::write(&chunk, vec![0u8; 100_000]).unwrap();
    assert_eq!(said(), "c/0/0/0: has 100000 bytes, more than the 65584 that it can need");
    fs::write(&chunk, [0u8; 23]).unwrap();
    assert_eq!(said(), "c/0/0/0: has 23 bytes of voxels, expected 24");
    // Links within the folder, and the folder as a link, are read.
    fs::rename(&chunk, folder.join("other")).unwrap();
    fs::write(folder.join("other"), [7u8; 24]).unwrap();
    std::os::unix::fs::symlink(folder.join("other"), &chunk).unwrap();
    let link = around.path().join("link.zarr");
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    assert_eq!(bytes_of(&mut open(&link).unwrap()).unwrap()[..6], [7u8; 6]);
}

#[test]
fn channels_keep_their_names() {
    let header = Header::new(VoxelType::U16, Dims::new(3, 1, 1)).with(|header| {
        (header.channels, header.frames) = (2, 2);
        header.metadata = r#"{"tiff":{"channel_names":["DAPI","<GFP>"]}}"#.to_owned();
    });
    // Channel 0 has 5 to 1000, channel 1 has 7 to 300, in two frames.
    let numbers: [u16; 12] = [10, 7, 5, 7, 9, 8, 10, 300, 1000, 7, 9, 8];
    let bytes: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
    for is_pipe in [false, true] {
        let cursor = Cursor::new(bytes.clone());
        let voxels = match is_pipe {
            true => VoxelStream::Once(Box::new(cursor)),
            false => VoxelStream::Rewindable(Box::new(cursor)),
        };
        let (volume, _) = volume(&header);
        let volume = OpenedVolume { voxels, ..volume };
        let folder = tempfile::tempdir().unwrap();
        write_zarr(volume, folder.path(), &ZarrOptions::default(), &Task::new()).unwrap();
        let text = fs::read_to_string(folder.path().join("zarr.json")).unwrap();
        let group: Value = serde_json::from_str(&text).unwrap();
        let [first, second] = if is_pipe { [[0.0, 65535.0]; 2] } else { [[5.0, 1000.0], [7.0, 300.0]] };
        let channel = |label: &str, color: &str, [start, end]: [f64; 2]| {
            let window = json!({ "min": 0.0, "max": 65535.0, "start": start, "end": end });
            json!({ "active": true, "color": color, "label": label, "window": window })
        };
        let channels = json!([channel("DAPI", "FF00FF", first), channel("<GFP>", "00FF00", second)]);
        assert_eq!(group["attributes"]["ome"]["omero"], json!({ "channels": channels }));
        let mut read = open(folder.path()).unwrap();
        assert!(read.notes.is_empty(), "{:?}", read.notes);
        assert_eq!(read.header.channel_names(), ["DAPI", "<GFP>"]);
        // What OME demands, and the volume does not state, is none of its looks; what others change is.
        assert_eq!(read.header.channel_looks(), []);
        let mut changed = group.clone();
        changed["attributes"]["ome"]["omero"]["channels"][1]["color"] = json!("0000FF");
        fs::write(folder.path().join("zarr.json"), changed.to_string()).unwrap();
        let looks = open(folder.path()).unwrap().header.channel_looks();
        let stated: Vec<_> = looks.iter().map(|look| (look.color, look.window)).collect();
        assert_eq!(stated, [(None, None), (Some([0, 0, 255]), None)]);
        assert_eq!(bytes_of(&mut read).unwrap(), bytes);
        let options = VolumeOpenOptions::default().with(|o| o.channel = Some(1));
        let read = crate::open(folder.path(), &options, &Task::new()).unwrap();
        assert_eq!(read.header.channel_names(), ["<GFP>"]);
    }
}

/// Colours, windows and flags of `omero` are kept when a group is written again. What is left out is noted.
#[test]
fn looks_of_channels_are_kept() {
    let header = Header::new(VoxelType::U16, Dims::new(3, 1, 1)).with(|header| header.channels = 2);
    let (volume, _) = volume(&header);
    let folder = tempfile::tempdir().unwrap();
    write_zarr(volume, folder.path(), &ZarrOptions::default(), &Task::new()).unwrap();
    let path = folder.path().join("zarr.json");
    let group: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(group["attributes"]["ome"]["omero"].is_null());
    let with = |omero: Value| {
        let mut group = group.clone();
        group["attributes"]["ome"]["omero"] = omero;
        fs::write(&path, group.to_string()).unwrap();
        open(folder.path()).unwrap()
    };
    let window = |start: f64, end: f64| json!({ "min": 0, "max": 9999, "start": start, "end": end });
    let read = with(json!({ "version": "0.5", "rdefs": { "model": "color" }, "channels": [
        { "label": "a", "color": "0000FF", "window": window(5.0, 70.5), "active": false, "family": "linear" },
        { "color": "#ff8000aa", "window": window(0.0, 9.0), "inverted": true, "coefficient": 1.0 },
    ] }));
    assert!(read.notes.is_empty(), "{:?}", read.notes);
    assert_eq!(read.header.channel_names(), ["a", ""]);
    let looks = read.header.channel_looks();
    let shown: Vec<_> =
        looks.iter().map(|look| (look.color, look.window, look.is_active, look.is_inverted)).collect();
    let first = (Some([0, 0, 255]), Some([5.0, 70.5]), false, false);
    assert_eq!(shown, [first, (Some([255, 128, 0]), Some([0.0, 9.0]), true, true)]);
    let again = tempfile::tempdir().unwrap();
    write_zarr(read, again.path(), &ZarrOptions::default(), &Task::new()).unwrap();
    let read = open(again.path()).unwrap();
    assert_eq!(
        (read.header.channel_looks(), read.header.channel_names()),
        (looks, vec!["a".into(), "".into()])
    );
    let notes = |omero: Value| with(omero).notes.iter().map(ToString::to_string).collect::<Vec<_>>();
    let channel = json!({ "color": "red", "window": window(9.0, 9.0), "family": "log", "lut": "fire.lut" });
    assert_eq!(
        notes(json!({ "id": 1, "rdefs": { "model": "greyscale" }, "channels": [channel, {}] })),
        ["fields of OME-Zarr that are not kept: omero.channels.color, omero.channels.family, \
          omero.channels.lut, omero.channels.window, omero.id, omero.rdefs.model"]
    );
    let channel = json!({ "label": 5, "active": 0, "inverted": 2, "coefficient": "2" });
    let rdefs = json!({ "model": "color", "defaultZ": 3 });
    assert_eq!(
        notes(json!({ "rdefs": rdefs, "channels": [channel, null] })),
        ["fields of OME-Zarr that are not kept: omero.channels, omero.channels.coefficient, \
          omero.channels.inverted, omero.channels.label, omero.rdefs.defaultZ"]
    );
    let read = with(json!({ "channels": [{ "active": 0, "inverted": 1 }, {}] }));
    assert!(read.notes.is_empty() && !read.header.channel_looks()[0].is_active);
    assert!(read.header.channel_looks()[0].is_inverted);
    assert_eq!(notes(json!("x")), ["fields of OME-Zarr that are not kept: omero"]);
    // Three looks for two channels belong to none.
    let read = with(json!({ "channels": [{ "label": "a" }, {}, {}] }));
    assert!(read.header.channel_names().is_empty() && read.header.channel_looks().is_empty());
    let notes = notes(json!({ "channels": [{ "label": "a" }, {}, {}] }));
    assert_eq!(notes, ["fields of OME-Zarr that are not kept: omero.channels (of 3 channels, not 2)"]);
}

/// A channel of one value has a window that is read again.
#[test]
fn windows_are_never_empty() {
    let header = Header::new(VoxelType::F32, Dims::new(1, 1, 1)).with(|header| {
        header.channels = 2;
        header.metadata = r#"{"tiff":{"channel_names":["a","b"]}}"#.to_owned();
    });
    let voxels =
        VoxelStream::Rewindable(Box::new(Cursor::new([-2.5f32, 0.0].map(f32::to_le_bytes).concat())));
    let (volume, _) = volume(&header);
    let volume = OpenedVolume { voxels, ..volume };
    let folder = tempfile::tempdir().unwrap();
    write_zarr(volume, folder.path(), &ZarrOptions::default(), &Task::new()).unwrap();
    let text = fs::read_to_string(folder.path().join("zarr.json")).unwrap();
    let group: Value = serde_json::from_str(&text).unwrap();
    let ends = |channel: usize| {
        let window = &group["attributes"]["ome"]["omero"]["channels"][channel]["window"];
        ["start", "end"].map(|end| window[end].as_f64().unwrap())
    };
    assert_eq!([ends(0), ends(1)], [[-2.5, 0.0], [0.0, 1.0]]);
    assert!(open(folder.path()).unwrap().notes.is_empty());
}

/// Labels have names of channels, too, but no `omero`, by which programs show intensities.
#[test]
fn channels_of_labels_keep_their_names() {
    let header = Header::new(VoxelType::U8, Dims::new(3, 1, 1)).with(|header| {
        (header.channels, header.kind) = (2, VoxelKind::Labels);
        header.metadata = r#"{"zarr":{"channel_names":["cells","nuclei"]}}"#.to_owned();
    });
    let (volume, _) = volume(&header);
    let folder = tempfile::tempdir().unwrap();
    write_zarr(volume, folder.path(), &ZarrOptions::default(), &Task::new()).unwrap();
    let text = fs::read_to_string(folder.path().join("zarr.json")).unwrap();
    assert!(!text.contains("omero"));
    let read = open(folder.path()).unwrap();
    assert!(read.notes.is_empty(), "{:?}", read.notes);
    assert_eq!(read.header.channel_names(), ["cells", "nuclei"]);
}
