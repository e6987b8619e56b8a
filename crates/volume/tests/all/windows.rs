//! Many windows at once are the regions read one by one, and each chunk is read once.

use crate::common::Counted;
use brickwork_volume::{
    BrickSize, BwvOptions, Dims, ErrorKind, Header, Region, Selection, ShapeError, Task, VolumeFile,
    VolumeReadError, VolumeWriter, VoxelType,
};

fn file(dims: Dims, channels: usize, frames: usize, brick: BrickSize) -> VolumeFile<Counted> {
    let header = Header::new(VoxelType::F64, dims).with(|header| {
        (header.channels, header.frames, header.brick) = (channels, frames, brick);
    });
    let count = dims.number_count(channels).expect("few") * frames;
    let voxels: Vec<f64> = (0..count as u64)
        .map(
            |i| if i % 1000 < 500 { 0.0 } else { f64::from_bits(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7) },
        )
        .collect();
    let mut bytes = Vec::new();
    let mut writer = VolumeWriter::new(&mut bytes, &header, &BwvOptions::default()).expect("a header");
    writer.write_voxels(&voxels, &Task::new()).expect("voxels");
    writer.finish().expect("all voxels");
    VolumeFile::new(Counted::new(bytes)).expect("a file")
}

#[test]
fn windows_are_the_regions_read_one_by_one() {
    let dims = Dims::new(70, 41, 37);
    for brick in BrickSize::ALL.iter().copied() {
        let file = file(dims, 2, 3, brick);
        let size = Dims::new(9, 33, 5);
        let origins: Vec<_> =
            (0..40).map(|i| (i * 37 % (70 - 8), i * 11 % (41 - 32), i * 23 % (37 - 4))).collect();
        for (selection, numbers) in [
            (Selection::default(), 6),
            (Selection { frames: Some(1..2), channel: Some(1), ..Selection::default() }, 1),
        ] {
            let mut wanted = Vec::new();
            for &(x, y, z) in &origins {
                let region = Region { x: x..x + size.x, y: y..y + size.y, z: z..z + size.z };
                wanted
                    .extend(file.read_selected::<f64>(&selection, &region, &Task::new()).expect("a region"));
            }
            // One byte past the alignment of the numbers.
            let mut found = vec![0; 1 + origins.len() * 9 * 33 * 5 * numbers * 8];
            file.read_windows(&selection, &origins, size, &mut found[1..], &Task::new()).expect("windows");
            assert!(found[1..] == *bytemuck::cast_slice::<f64, u8>(&wanted), "{brick:?}");
        }
    }
}

#[test]
fn each_chunk_is_read_once() {
    let file = file(Dims::new(96, 64, 64), 1, 1, BrickSize::Four);
    let origins: Vec<_> = (0..500).map(|i| (i * 37 % 89, i * 11 % 57, i * 23 % 57)).collect();
    let mut found = vec![0; 500 * 512 * 8];
    let read_all = |found: &mut [u8]| {
        let before = file.source().reads();
        file.read_windows(&Selection::default(), &origins, Dims::cube(8), found, &Task::new())
            .expect("windows");
        file.source().reads() - before
    };
    // The first time it also reads tables.
    read_all(&mut found);
    // 3×2×2 chunks of 32³, each with two words.
    let count = read_all(&mut found);
    assert!(count <= 24, "{count} reads");
}

#[test]
fn windows_that_do_not_fit_are_errors() {
    let file = file(Dims::new(20, 20, 20), 1, 1, BrickSize::Four);
    let read = |origin, bytes: usize| {
        let mut found = vec![0; bytes];
        file.read_windows(&Selection::default(), &[origin], Dims::cube(8), &mut found, &Task::new())
    };
    read((12, 12, 12), 4096).expect("inside");
    for origin in [(13, 0, 0), (0, 13, 0), (0, 0, 13), (usize::MAX, 0, 0), (0, usize::MAX - 3, 0)] {
        let error = read(origin, 4096).expect_err("outside");
        assert!(matches!(error, VolumeReadError::Shape(ShapeError::Outside { .. })), "{error}");
    }
    assert_eq!(read((0, 0, 0), 4088).expect_err("too short").kind(), ErrorKind::Argument);
    let none = file.read_windows(&Selection::default(), &[], Dims::cube(8), &mut [], &Task::new());
    none.expect("no windows");
}
