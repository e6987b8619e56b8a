//! Reading of single bricks from cached chunks.

use crate::common::{Counted, voxels};
use brickwork_volume::{
    BrickAddress, BrickCache, BrickSize, BwvError, BwvOptions, Dims, Header, Profile, ReadAt, Region,
    Selection, ShapeError, Task, VolumeFile, VolumeReadError, VolumeView, VolumeWriter, Voxel, VoxelType,
    encode,
};
use std::thread;

fn file_of<T: Voxel>(voxels: &[T], dims: Dims, brick: BrickSize) -> Vec<u8> {
    let mut file = Vec::new();
    let volume = VolumeView::new(voxels, dims).expect("the right length");
    let header = Header::new(T::TYPE, dims).with(|header| header.brick = brick);
    encode(volume, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    file
}

/// Returns a file like [`file_of`], of noise without gaps: it has no tables, so chunks start right after the
/// header.
fn without_tables(dims: Dims) -> (Vec<u16>, Vec<u8>) {
    let count = dims.voxel_count().expect("small dims") as u32;
    let voxels: Vec<u16> = (0..count).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u16).collect();
    let bytes = file_of(&voxels, dims, BrickSize::Four);
    let counts = VolumeFile::new(bytes.as_slice()).expect("our own file").counts();
    assert_eq!((counts.rank_tables, counts.pattern_tables), (0, 0));
    (voxels, bytes)
}

/// Reads every brick, starting at `first` and wrapping around, one by one and several together. Compares the
/// results with the volume.
fn compare<T: Voxel, S: ReadAt>(cache: &BrickCache<S>, voxels: &[T], first: usize) {
    compare_every(1, cache, voxels, first);
}

/// Compares each brick of which the index after `first` is a multiple of `step`.
fn compare_every<T: Voxel, S: ReadAt>(step: usize, cache: &BrickCache<S>, voxels: &[T], first: usize) {
    let dims = cache.file().dims();
    let (bricks, size) = (cache.bricks(0), cache.file().header().brick);
    let side = size.dims();
    let count = bricks.voxel_count().expect("small dims");
    let address = |i: usize| BrickAddress::at(i % bricks.x, i / bricks.x % bricks.y, i / bricks.x / bricks.y);
    let addresses: Vec<_> = (first..count).chain(0..first).step_by(step).map(address).collect();
    let length = size.voxel_count();
    for together in [0, 1, 5, 64] {
        let mut all = vec![T::zeroed(); addresses.len() * length];
        for (some, out) in addresses.chunks(together.max(1)).zip(all.chunks_mut(together.max(1) * length)) {
            let read = match together {
                0 => cache.read_brick(some[0], out),
                _ => cache.read_bricks(some, out, &Task::new()),
            };
            read.expect("our own file");
        }
        for (address, brick) in addresses.iter().zip(all.chunks(length)) {
            for (j, voxel) in brick.iter().enumerate() {
                let (dx, dy, dz) = side.position(j);
                let (x, y, z) = (side.x * address.x + dx, side.y * address.y + dy, side.z * address.z + dz);
                if x < dims.x && y < dims.y && z < dims.z {
                    let original = voxels[dims.index(x, y, z)];
                    assert_eq!(
                        voxel.to_ordinal(),
                        original.to_ordinal(),
                        "{x},{y},{z} of {dims}, {together}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_brick_is_the_volumes() {
    for dims in [Dims::new(1, 1, 1), Dims::new(33, 5, 66), Dims::new(70, 65, 9)] {
        for &brick in BrickSize::ALL {
            let bytes = voxels::<u8>(dims, 3, 5);
            compare(
                &BrickCache::new(VolumeFile::new(file_of(&bytes, dims, brick)).unwrap(), 1 << 20),
                &bytes,
                0,
            );
            let floats = voxels::<f32>(dims, 4, 9);
            compare(
                &BrickCache::new(VolumeFile::new(file_of(&floats, dims, brick)).unwrap(), 1 << 20),
                &floats,
                0,
            );
            // Multiples of 100 are ranked.
            let gaps: Vec<u16> = voxels::<u8>(dims, 5, 3).iter().map(|v| 100 * u16::from(*v)).collect();
            compare(&BrickCache::new(VolumeFile::new(file_of(&gaps, dims, brick)).unwrap(), 0), &gaps, 0);
        }
    }
}

/// Keeps the positions of bricks in 16 bits for chunks of any size.
#[test]
fn bricks_of_large_chunks() {
    let dims = Dims::new(64, 64, 64);
    let voxels: Vec<f32> =
        (0..1 << 18).map(|i: u32| f32::from_bits(0x3f80_0000 | i.wrapping_mul(0x9e37_79b1) >> 9)).collect();
    let file = VolumeFile::new(file_of(&voxels, dims, BrickSize::Eight)).unwrap();
    assert_eq!(file.counts().chunks, 1);
    assert!((700_000..1_000_000).contains(&file.chunk_bytes()), "{}", file.chunk_bytes());
    compare(&BrickCache::new(file, usize::MAX), &voxels, 0);
}

#[test]
fn bricks_of_every_channel_frame_and_level() {
    let dims = Dims::new(37, 6, 35);
    let voxels = voxels::<f64>(Dims::new(2 * dims.x, dims.y, 2 * dims.z), 3, 5);
    for profile in [Profile::Bricks, Profile::Guthe2016 { second_level: true }] {
        let header = Header::new(VoxelType::F64, dims).with(|header| {
            header.profile = profile;
            header.channels = 2;
            header.frames = 2;
            header.mip_levels = 3;
        });
        let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).unwrap();
        writer.write_voxels(&voxels, &Task::new()).unwrap();
        let cache = BrickCache::new(VolumeFile::new(writer.finish().unwrap().0).unwrap(), 1 << 20);
        for (level, frame, channel) in (0..12).map(|i| (i / 4, i / 2 % 2, i % 2)) {
            let dims = header.mip_level_dims(level);
            let selection =
                Selection { mip_level: level, frames: Some(frame..frame + 1), channel: Some(channel) };
            let all: Vec<f64> =
                cache.file().read_selected(&selection, &Region::all(dims), &Task::new()).unwrap();
            let bricks = cache.bricks(level);
            for i in 0..bricks.voxel_count().unwrap() {
                let (x, y, z) = (i % bricks.x, i / bricks.x % bricks.y, i / bricks.x / bricks.y);
                let mut brick = [f64::NAN; 64];
                cache
                    .read_brick(
                        BrickAddress { mip_level: level, frame, channel, ..BrickAddress::at(x, y, z) },
                        &mut brick,
                    )
                    .unwrap();
                let address = BrickAddress { mip_level: level, frame, channel, ..BrickAddress::at(x, y, z) };
                let mut twice = [f64::NAN; 128];
                cache.read_bricks(&[address; 2], &mut twice, &Task::new()).unwrap();
                for (j, voxel) in brick.iter().enumerate() {
                    let (x, y, z) = (4 * x + j % 4, 4 * y + j / 4 % 4, 4 * z + j / 16);
                    if x < dims.x && y < dims.y && z < dims.z {
                        assert_eq!(
                            voxel.to_bits(),
                            all[dims.index(x, y, z)].to_bits(),
                            "{level} {frame} {channel}"
                        );
                        assert_eq!([twice[j], twice[j + 64]].map(f64::to_bits), [voxel.to_bits(); 2]);
                    }
                }
            }
        }
        assert!(
            cache
                .read_brick(BrickAddress { channel: 2, ..BrickAddress::default() }, &mut [0f64; 64])
                .is_err()
        );
    }
}

#[test]
fn a_chunk_is_read_once_while_there_is_room() {
    let dims = Dims::new(100, 70, 40);
    let voxels = voxels::<u16>(dims, 11, 7);
    let source = Counted::new(file_of(&voxels, dims, BrickSize::Four));
    let file = VolumeFile::new(&source).unwrap();
    let (opening, counts) = (source.reads(), file.counts());
    let parts = counts.chunks + counts.rank_tables + counts.pattern_tables;
    let cache = BrickCache::new(file, usize::MAX);
    compare(&cache, &voxels, 0);
    let resident = cache.resident_bytes();
    compare(&cache, &voxels, 77);
    assert_eq!(source.reads(), opening + parts);
    assert_eq!(cache.resident_bytes(), resident);
    assert!(resident as u64 > cache.file().chunk_bytes());
}

#[test]
fn memory_stays_within_the_limit_with_many_threads() {
    // Without a cache, each brick is read with its chunk.
    let dims = Dims::new(97, 65, 65);
    let voxels = voxels::<u16>(dims, 5, 9);
    let bytes = file_of(&voxels, dims, BrickSize::Four);
    let all = BrickCache::new(VolumeFile::new(bytes.clone()).unwrap(), usize::MAX);
    compare(&all, &voxels, 0);
    let chunks = all.file().counts().chunks;
    assert!(chunks > 30);
    for limit in [0, all.resident_bytes() / 5] {
        // Without a cache, a brick takes as long as its chunk.
        let step = if limit == 0 { 17 } else { 3 };
        let cache = BrickCache::new(VolumeFile::new(bytes.clone()).unwrap(), limit);
        thread::scope(|scope| {
            for first in 0..4 {
                let (cache, voxels) = (&cache, &voxels);
                scope.spawn(move || compare_every(step, cache, voxels, 1600 * first));
            }
        });
        // The threads are done, so nothing is in use. The last insertion made room unless another thread was
        // reading.
        compare_every(step, &cache, &voxels, 0);
        assert!(cache.resident_bytes() <= limit, "{} > {limit}", cache.resident_bytes());
    }
}

#[test]
fn what_was_used_stays_longer() {
    // There are four chunks in a row, and room for two and a half.
    let dims = Dims::new(128, 32, 32);
    let source = Counted::new(without_tables(dims).1);
    let cache = BrickCache::new(VolumeFile::new(&source).unwrap(), usize::MAX);
    let mut brick = [0u16; 64];
    cache.read_brick(BrickAddress::at(0, 0, 0), &mut brick).unwrap();
    let limit = cache.resident_bytes() * 5 / 2;
    let cache = BrickCache::new(cache.into_file(), limit);
    // 0 is used twice, so 8 goes when 16 comes.
    for x in [0, 0, 8, 16] {
        cache.read_brick(BrickAddress::at(x, 0, 0), &mut brick).unwrap();
    }
    let before = source.reads();
    cache.read_brick(BrickAddress::at(0, 0, 0), &mut brick).unwrap();
    assert_eq!(source.reads(), before, "the used one stayed");
    cache.read_brick(BrickAddress::at(8, 0, 0), &mut brick).unwrap();
    assert_eq!(source.reads(), before + 1, "the other went");
}

#[test]
fn wrong_questions_and_damage_are_errors() {
    let dims = Dims::new(40, 40, 40);
    let (voxels, mut bytes) = without_tables(dims);
    let cache = BrickCache::new(VolumeFile::new(bytes.clone()).unwrap(), 1 << 20);
    let mut brick = [0u16; 64];
    let outside = |result| matches!(result, Err(VolumeReadError::Shape(ShapeError::NoSuchBrick { .. })));
    assert!(outside(cache.read_brick(BrickAddress::at(10, 0, 0), &mut brick)));
    assert!(outside(cache.read_brick(BrickAddress::at(0, usize::MAX, 0), &mut brick)));
    let short = cache.read_brick(BrickAddress::at(0, 0, 0), &mut brick[..63]);
    assert!(matches!(short, Err(VolumeReadError::Shape(ShapeError::Length { expected: 64, .. }))));
    let narrow = cache.read_brick(BrickAddress::at(0, 0, 0), &mut [0u8; 64]);
    assert!(matches!(narrow, Err(VolumeReadError::Type { .. })));
    let [one, gone] = [BrickAddress::at(1, 1, 1), BrickAddress::at(10, 0, 0)];
    brick.fill(7);
    let mut three = [brick; 3].concat();
    assert!(outside(cache.read_bricks(&[one, one, gone], &mut three, &Task::new())));
    let short = cache.read_bricks(&[one; 3], &mut three[..191], &Task::new());
    assert!(matches!(
        short,
        Err(VolumeReadError::Shape(ShapeError::Length { expected: 192, actual: 191, .. }))
    ));
    assert!(three.iter().all(|&voxel| voxel == 7), "nothing is read");
    assert!(matches!(
        cache.read_bricks(&[one; 3], &mut [0u8; 192], &Task::new()),
        Err(VolumeReadError::Type { .. })
    ));
    assert!(cache.read_bricks::<u16>(&[], &mut [], &Task::new()).is_ok());
    // This byte belongs to the first chunk.
    bytes[250] ^= 1;
    let cache = BrickCache::new(VolumeFile::new(bytes).unwrap(), 1 << 20);
    for _ in 0..2 {
        let damaged = cache.read_brick(BrickAddress::at(0, 0, 0), &mut brick);
        assert!(matches!(damaged, Err(VolumeReadError::Format(BwvError::Checksum { .. }))), "{damaged:?}");
    }
    assert_eq!(cache.resident_bytes(), 0);
    cache.read_brick(BrickAddress::at(9, 9, 9), &mut brick).unwrap();
    assert_eq!(brick[0], voxels[dims.index(36, 36, 36)]);
    let damaged = cache.read_bricks(
        &[BrickAddress::at(9, 9, 9), BrickAddress::at(0, 0, 0)],
        &mut three[..128],
        &Task::new(),
    );
    assert!(matches!(damaged, Err(VolumeReadError::Format(BwvError::Checksum { .. }))), "{damaged:?}");
    assert_eq!(three[0], voxels[dims.index(36, 36, 36)], "the brick before it is read");
}
