//! Reading of any type, to any place, slab by slab.

use crate::common::voxels;
use brickwork_volume::{
    AnyVoxels, BrickSize, BwvOptions, Dims, ErrorKind, Header, Region, Selection, ShapeError, Strides, Task,
    Threads, VolumeFile, VolumeReadError, VolumeWriter, Voxel, VoxelKind, VoxelType,
};
use std::fs;

const DIMS: Dims = Dims::new(21, 13, 70);

/// Returns a file of two frames of two channels, and the numbers.
fn file() -> (VolumeFile<Vec<u8>>, Vec<i16>) {
    let header = Header::new(VoxelType::I16, DIMS).with(|header| {
        header.channels = 2;
        header.frames = 2;
        header.mip_levels = 2;
    });
    let all = voxels::<i16>(Dims::new(2 * DIMS.x, DIMS.y, 2 * DIMS.z), 3, 7);
    let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).expect("memory");
    writer.write_voxels(&all, &Task::new()).expect("memory");
    (VolumeFile::new(writer.finish().expect("memory").0).expect("our own file"), all)
}

#[test]
fn slabs_cover_a_mip_level() {
    let (file, all) = file();
    let regions: Vec<Region> = file.slabs(0).collect();
    assert_eq!(regions.iter().map(|region| region.z.clone()).collect::<Vec<_>>(), [0..64, 64..70]);
    assert!(regions.iter().all(|region| region.x == (0..21) && region.y == (0..13)));
    assert_eq!(file.slabs(1).map(|region| region.dims()).collect::<Vec<_>>(), [Dims::new(11, 7, 35)]);
    assert_eq!(file.slabs(2).count(), 0);
    // The slabs of the first frame are, one after the other, the numbers that were written.
    let selection = Selection { frames: Some(0..1), ..Selection::default() };
    let mut slab = AnyVoxels::new(VoxelType::U8);
    let mut found = Vec::new();
    for region in regions {
        file.read_any(&selection, &region, &mut slab, &Task::new()).expect("our own file");
        assert_eq!((slab.voxel_type(), slab.as_slice::<u16>()), (VoxelType::I16, None));
        found.extend_from_slice(slab.as_slice::<i16>().expect("i16"));
        assert_eq!(slab.bytes().len(), region.dims().voxel_count().expect("small dims") * 4);
    }
    assert!(found == all[..all.len() / 2]);
    // A failed read leaves whole numbers of the expected type.
    let other = Header::new(VoxelType::U8, Dims::new(3, 1, 1));
    let mut writer = VolumeWriter::new(Vec::new(), &other, &BwvOptions::default()).expect("memory");
    writer.write_voxels(&[1u8, 2, 3], &Task::new()).expect("memory");
    let other = VolumeFile::new(writer.finish().expect("memory").0).expect("our own file");
    other
        .read_any(&Selection::default(), &Region::all(other.dims()), &mut slab, &Task::new())
        .expect("our own file");
    assert_eq!(slab.as_slice::<u8>(), Some(&[1, 2, 3][..]));
    let outside = Region { x: 0..99, y: 0..1, z: 0..1 };
    file.read_any(&selection, &outside, &mut slab, &Task::new()).expect_err("no such voxels");
    assert_eq!((slab.as_slice::<i16>(), slab.as_slice::<u8>()), (None, Some(&[1, 2, 3][..])));
}

/// Bricks of one value are joined to boxes, others are decoded in fours, and whole ones with small ranges as
/// bytes: every region is the same part of the volume.
#[test]
fn bricks_of_one_value_stay_at_their_places() {
    let dims = Dims::new(75, 70, 68);
    let all: Vec<u16> = (0..dims.x * dims.y * dims.z)
        .map(|i| {
            let (x, y, z) = dims.position(i);
            // Constant bricks of three values, a superblock of one value, a few other voxels and ranges.
            let background = if x < 16 { 7 } else { 300 + (y / 32) as u16 };
            match (x * 31 + y * 17 + z * 13) % 1009 {
                0 if y > 16 => background + (z % 9) as u16,
                1 if z > 40 => 5000,
                _ => background,
            }
        })
        .collect();
    for &brick in BrickSize::ALL {
        let header = Header::new(VoxelType::U16, dims).with(|header| header.brick = brick);
        check_regions(
            &header,
            &all,
            &[
                Region::all(dims),
                Region { x: 0..64, y: 0..64, z: 0..64 },
                Region { x: 3..50, y: 5..70, z: 1..33 },
                Region { x: 17..18, y: 40..41, z: 0..68 },
                Region { x: 66..75, y: 0..7, z: 63..68 },
            ],
        );
    }
}

/// Neighbouring chunks with a frequent number in common are filled together, with others before, between and
/// after them.
#[test]
fn chunks_that_are_filled_together_stay_at_their_places() {
    // Chunks of 4³ have 32 voxels along each axis, in eight superblocks; those of 8³ have 64. The last chunks
    // are cut.
    const DIMS: Dims = Dims::new(235, 38, 34);
    fn check<T: Voxel>(channels: usize, numbers: [T; 3]) {
        let [one, other, third] = numbers;
        let in_chunks = [one, one, other, other, third, one, one, other];
        let all: Vec<T> = (0..DIMS.x * DIMS.y * DIMS.z * channels)
            .map(|i| {
                let (x, y, z) = DIMS.position(i / channels);
                match (x / 32, y / 32, i % channels) {
                    // At 4³, a chunk without a superblock of one value, which ends a stretch; at 8³, half of
                    // a chunk that is filled.
                    (3, 0, 0) if (y + z) % 16 == 3 => third,
                    // Half of a chunk is of the number after it, the rest of another one.
                    (4, 0, 0) if y < 16 => one,
                    // A second row of one number.
                    (_, 1, 0) => other,
                    (chunk, _, channel) => in_chunks[(chunk + channel) % 8],
                }
            })
            .collect();
        let intensity = VoxelKind::default();
        for (brick, kind) in [
            (BrickSize::Four, intensity),
            (BrickSize::Eight, intensity),
            (BrickSize::Eight, VoxelKind::Labels),
        ] {
            let header = Header::new(T::TYPE, DIMS).with(|header| {
                (header.brick, header.kind, header.channels) = (brick, kind, channels);
            });
            check_regions(
                &header,
                &all,
                &[
                    Region::all(DIMS),
                    Region { x: 0..64, y: 0..38, z: 31..34 },
                    Region { x: 10..200, y: 5..38, z: 28..34 },
                    Region { x: 33..63, y: 31..33, z: 0..2 },
                    Region { x: 100..235, y: 0..32, z: 32..34 },
                ],
            );
        }
    }
    // Slices of more than one piece that is copied.
    let dims = Dims::new(201, 33, 2);
    let header = Header::new(VoxelType::I32, dims).with(|header| header.brick = BrickSize::Four);
    check_regions(&header, &vec![5_000_000; 201 * 33 * 2], &[Region::all(dims)]);
    for channels in [1, 2] {
        check::<u8>(channels, [7, 9, 200]);
        check::<u16>(channels, [0x0101, 0x0102, 9000]);
        check::<i32>(channels, [-1, 5_000_000, 0]);
        check::<f32>(channels, [0.0, 1.5, -2.0]);
        check::<u64>(channels, [0x0101_0101_0101_0101, 3, 1 << 40]);
    }
}

/// Checks that each region of a file is the same part of the volume, on one thread and on several, which
/// share the chunks of small regions.
#[track_caller]
fn check_regions<T: Voxel>(header: &Header, all: &[T], regions: &[Region]) {
    let (dims, channels) = (header.dims, header.channels);
    let mut writer = VolumeWriter::new(Vec::new(), header, &BwvOptions::default()).expect("memory");
    writer.write_voxels(all, &Task::new()).expect("memory");
    let file = VolumeFile::new(writer.finish().expect("memory").0).expect("our own file");
    let tasks = [Task::new().with_threads(Threads::Calling), Task::new()];
    for (region, task) in regions.iter().flat_map(|region| tasks.iter().map(move |task| (region, task))) {
        let found: Vec<T> = file.read(region, task).expect("our own file");
        let rows = found.chunks_exact(region.x.len() * channels);
        let places = region.z.clone().flat_map(|z| region.y.clone().map(move |y| (y, z)));
        assert_eq!(rows.len(), region.y.len() * region.z.len());
        for ((y, z), row) in places.zip(rows) {
            let start = dims.index(region.x.start, y, z) * channels;
            let wanted = &all[start..][..region.x.len() * channels];
            assert!(row == wanted, "{}, {}, {region}, y {y}, z {z}", T::TYPE, header.brick);
        }
    }
}

#[test]
fn slabs_of_flat_volumes_are_deep_enough() {
    let header =
        Header::new(VoxelType::U8, Dims::new(300, 300, 17)).with(|header| header.brick = BrickSize::Flat);
    let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).expect("memory");
    writer.write_voxels(&vec![3u8; 300 * 300 * 17], &Task::new()).expect("memory");
    let file = VolumeFile::new(writer.finish().expect("memory").0).expect("our own file");
    assert_eq!(file.slabs(0).map(|region| region.z).collect::<Vec<_>>(), [0..8, 8..16, 16..17]);
}

#[test]
fn strides_say_where_numbers_go() {
    let (file, all) = file();
    let region = Region { x: 3..20, y: 2..9, z: 60..67 };
    let dims = region.dims();
    let dense: Vec<i16> = file.read(&region, &Task::new()).expect("our own file");
    assert!(dense[..2] == all[2 * DIMS.index(3, 2, 60)..][..2]);
    let mut same = vec![0; dense.len()];
    let strides = Strides::dense(dims, 2);
    file.read_strided(&Selection::default(), &region, &mut same, &strides, &Task::new())
        .expect("our own file");
    assert!(same == dense);

    // Reads the second channel, z fastest, rows reversed, with gaps that stay.
    let selection = Selection { channel: Some(1), ..Selection::default() };
    let (y, x) = (dims.z + 2, (dims.z + 2) * dims.y);
    let step = |count: usize| count as isize;
    let strides = Strides { first: 5, channel: 9, x: step(x), y: step(y), z: 1, frame: step(x * dims.x) };
    let mut turned = vec![-7; 5 + 2 * x * dims.x];
    file.read_strided(&selection, &region, &mut turned, &strides, &Task::new()).expect("our own file");
    let mut filled = 0;
    for (i, number) in dense.iter().skip(1).step_by(2).enumerate() {
        let (place, frame) = (i % (dense.len() / 4), i / (dense.len() / 4));
        let (px, py, pz) = dims.position(place);
        assert_eq!(turned[5 + px * x + py * y + pz + frame * x * dims.x], *number);
        filled += 1;
    }
    let gaps = 5 + 2 * dims.x * dims.y * 2;
    assert_eq!(filled + gaps, turned.len());
    assert!(turned.iter().filter(|&&number| number == -7).count() >= gaps);

    // The destination has one number too few.
    let last = 5 + x * (dims.x - 1) + y * (dims.y - 1) + dims.z - 1 + x * dims.x;
    let short = file.read_strided(&selection, &region, &mut turned[..last], &strides, &Task::new());
    match short.expect_err("too short") {
        VolumeReadError::Shape(ShapeError::Strides { first, last: end, actual }) => {
            assert_eq!((first, end, actual), (5, last as i64, last));
        }
        other => panic!("{other}"),
    }
    file.read_strided(&selection, &region, &mut turned[..=last], &strides, &Task::new())
        .expect("room for all");
    let endless = Strides { z: isize::MAX, ..strides };
    assert!(file.read_strided(&selection, &region, &mut turned, &endless, &Task::new()).is_err());
}

#[test]
fn errors_say_whose_they_are_and_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no.bwv");
    let missing = VolumeFile::open(&path).expect_err("no file");
    assert_eq!(missing.kind(), ErrorKind::Io);
    fs::write(&path, b"P5 1 1 255 0").expect("a file");
    let other = VolumeFile::open(&path).expect_err("another format");
    assert_eq!(other.kind(), ErrorKind::Invalid);
    for (error, text) in [(missing, "No such file"), (other, "not a .bwv file")] {
        let shown = error.to_string();
        assert!(shown.starts_with(&path.display().to_string()) && shown.contains(text), "{shown}");
    }
    let outside = Region { x: 0..22, y: 0..1, z: 0..1 };
    let error = file().0.read::<i16>(&outside, &Task::new()).expect_err("no such voxel");
    assert_eq!(error.kind(), ErrorKind::Argument);
}
