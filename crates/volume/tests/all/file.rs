//! `.bwv` files: round trips, regions, streaming, and the decoder written from the specification.

use crate::common::{sized, voxels};
use crate::forged::CODINGS;
use crate::slow_decoder;
use brickwork_volume::{
    BrickSize, BwvOptions, Dims, Header, Region, RegionReader, Selection, Task, VolumeFile, VolumeView,
    VolumeWriter, Voxel, VoxelKind, VoxelType, encode, half::f16,
};
use proptest::prelude::*;
use std::{fs, io::Read as _, path::Path};

fn header<T: Voxel>(dims: Dims, brick: BrickSize) -> Header {
    Header::new(T::TYPE, dims).with(|header| {
        header.brick = brick;
        header.metadata = "{\"a\": 1}".into();
    })
}

/// Returns the file of one frame, in memory.
fn file_with<T: Voxel>(voxels: &[T], header: &Header) -> Vec<u8> {
    let mut file = Vec::new();
    let volume = VolumeView::interleaved(voxels, header.dims, header.channels).expect("the right length");
    encode(volume, header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    file
}

fn file_of<T: Voxel>(voxels: &[T], dims: Dims, brick: BrickSize) -> Vec<u8> {
    file_with(voxels, &header::<T>(dims, brick))
}

/// Returns the bits of numbers, as the slow decoder does.
fn bits<T: Voxel>(voxels: &[T]) -> Vec<u64> {
    let bytes: &[u8] = bytemuck::cast_slice(voxels);
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    bytes.chunks_exact(size_of::<T>()).map(number).collect()
}

fn round_trip<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32) {
    let voxels = voxels::<T>(dims, seed, noise_bits);
    for (profile, brick) in CODINGS {
        let header = header::<T>(dims, brick).with(|header| header.profile = profile);
        let bytes = file_with(&voxels, &header);
        let file = VolumeFile::new(bytes.as_slice()).expect("our own file");
        assert_eq!(file.header(), &header);
        let back: Vec<T> = file.read(&Region::all(dims), &Task::new()).expect("our own file");
        let name =
            || format!("{} of {dims}, seed {seed}, noise {noise_bits}, {profile:?} {brick:?}", T::TYPE);
        assert!(bits(&back) == bits(&voxels), "{}", name());
        assert_eq!(file.verify(&Task::new()).expect("memory"), [], "{}", name());

        let slow = slow_decoder::decode(&bytes);
        assert_eq!(slow.dims, [dims.x, dims.y, dims.z]);
        assert!(slow.levels == [bits(&voxels)], "the slow decoder: {}", name());

        let region = region_inside(dims, seed as usize);
        let got: Vec<T> = file.read(&region, &Task::new()).expect("a region inside");
        assert!(bits(&got) == bits(&cut(&voxels, dims, 1, &region)), "{region} of {}", name());
    }
}

/// Returns a region inside the volume.
fn region_inside(dims: Dims, seed: usize) -> Region {
    let part = |side: usize, seed: usize| {
        let start = seed % side;
        start..start + 1 + (seed / 7) % (side - start)
    };
    Region { x: part(dims.x, seed), y: part(dims.y, seed / 3), z: part(dims.z, seed / 11) }
}

/// Returns the numbers of `region`; voxels have `channels` numbers.
fn cut<T: Voxel>(voxels: &[T], dims: Dims, channels: usize, region: &Region) -> Vec<T> {
    let mut part = Vec::new();
    for z in region.z.clone() {
        for y in region.y.clone() {
            let start = dims.index(region.x.start, y, z) * channels;
            part.extend_from_slice(&voxels[start..][..region.x.len() * channels]);
        }
    }
    part
}

fn every_type(dims: Dims, seed: u32, noise_bits: u32) {
    round_trip::<u8>(dims, seed, noise_bits);
    round_trip::<i8>(dims, seed, noise_bits);
    round_trip::<u16>(dims, seed, noise_bits);
    round_trip::<i16>(dims, seed, noise_bits);
    round_trip::<u32>(dims, seed, noise_bits);
    round_trip::<i32>(dims, seed, noise_bits);
    round_trip::<f32>(dims, seed, noise_bits);
    round_trip::<u64>(dims, seed, noise_bits);
    round_trip::<i64>(dims, seed, noise_bits);
    round_trip::<f64>(dims, seed, noise_bits);
    round_trip::<f16>(dims, seed, noise_bits);
}

#[test]
fn sizes_from_one_voxel_up() {
    let small = [(1, 1, 1), (4, 4, 4), (5, 3, 9), (17, 1, 2), (33, 5, 9), (9, 33, 34), (129, 65, 1)];
    let full = [(1, 1, 1), (4, 4, 4), (5, 3, 9), (17, 1, 2), (33, 32, 65), (67, 33, 129), (129, 65, 1)];
    for (x, y, z) in sized(small, full) {
        every_type(Dims::new(x, y, z), 7, 6);
    }
}

/// Tests channels and frames in every coding, read whole and in parts, against the slow decoder.
fn channels_and_frames<T: Voxel>(dims: Dims, channels: usize, frames: usize, levels: usize, seed: u32) {
    let long = Dims::new(dims.x * channels, dims.y, dims.z * frames);
    let voxels = voxels::<T>(long, seed, 7);
    let frame = dims.number_count(channels).expect("small");
    for (profile, brick) in CODINGS {
        let name = || format!("{} of {dims}, {channels} channels, {frames} frames, {profile:?}", T::TYPE);
        let header = header::<T>(dims, brick).with(|header| {
            header.profile = profile;
            header.channels = channels;
            header.frames = frames;
            header.mip_levels = levels;
        });
        let options = BwvOptions::default();
        let mut writer = VolumeWriter::<_, T>::new(Vec::new(), &header, &options).expect("memory");
        writer.write_voxels(&voxels, &Task::new()).expect("memory");
        let (bytes, _) = writer.finish().expect("all voxels");
        let slow = slow_decoder::decode(&bytes);
        assert!(slow.levels[0] == bits(&voxels), "{}", name());
        let file = VolumeFile::new(bytes).expect("our own file");
        assert_eq!(file.header(), &header);
        assert_eq!(file.verify(&Task::new()).expect("memory"), [], "{}", name());
        for (level, slow) in slow.levels.iter().enumerate() {
            let dims = header.mip_level_dims(level);
            let selection = Selection { mip_level: level, ..Selection::default() };
            let whole: Vec<T> =
                file.read_selected(&selection, &Region::all(dims), &Task::new()).expect("our own file");
            assert!(&bits(&whole) == slow, "level {level} of {}", name());
        }
        // Reads one frame, one channel and a part.
        let (one, channel) = (seed as usize % frames, seed as usize / 5 % channels);
        let region = region_inside(dims, seed as usize);
        let selection = Selection { mip_level: 0, frames: Some(one..one + 1), channel: Some(channel) };
        let got: Vec<T> = file.read_selected(&selection, &region, &Task::new()).expect("a part");
        let part = cut(&voxels[one * frame..][..frame], dims, channels, &region);
        let want: Vec<T> = part.into_iter().skip(channel).step_by(channels).collect();
        assert!(bits(&got) == bits(&want), "{region} of {}", name());
    }
}

#[test]
fn what_is_not_there_cannot_be_selected() {
    let header = header::<u8>(Dims::new(3, 2, 2), BrickSize::Four).with(|header| {
        header.channels = 2;
        header.mip_levels = 2;
    });
    let file = VolumeFile::new(file_with(&[7u8; 24], &header)).expect("our own file");
    let all = Selection::default;
    for (selection, error) in [
        (Selection { mip_level: 2, ..all() }, "level 2: the volume has levels 0 to 1"),
        (Selection { frames: Some(0..2), ..all() }, "frame 1: the volume has only frame 0"),
        (Selection { frames: Some(0..0), ..all() }, "frame 0: the volume has only frame 0"),
        (Selection { channel: Some(2), ..all() }, "channel 2: the volume has channels 0 to 1"),
    ] {
        let region = Region { x: 0..1, y: 0..1, z: 0..1 };
        assert_eq!(
            file.read_selected::<u8>(&selection, &region, &Task::new()).expect_err(error).to_string(),
            error
        );
    }
    let wrong = header.with(|header| header.mip_levels = 4);
    let volume = VolumeView::interleaved(&[7u8; 24], wrong.dims, 2).expect("24");
    let error =
        encode(volume, &wrong, &BwvOptions::default(), Vec::new(), &Task::new()).expect_err("1×1×1 at 2");
    assert_eq!(error.to_string(), "4 levels: 3×2×2 has 1 to 3");
}

/// Returns the next mip level of one channel, by section 1 of the specification.
fn halved(bits: &[f64], dims: Dims, labels: bool, round: fn(f64) -> f64) -> Vec<f64> {
    let small = dims.halved();
    let mut out = Vec::new();
    for i in 0..small.voxel_count().expect("small") {
        let (x, y, z) = (i % small.x, i / small.x % small.y, i / small.x / small.y);
        let mut all = Vec::new();
        for j in 0..8 {
            let (x, y, z) = (2 * x + j % 2, 2 * y + j / 2 % 2, 2 * z + j / 4);
            if x < dims.x && y < dims.y && z < dims.z {
                all.push(bits[dims.index(x, y, z)]);
            }
        }
        let count = |v: f64| all.iter().filter(|&&other| other == v).count();
        let most = || {
            all.iter().copied().reduce(|a, b| match (count(a), count(b)) {
                (m, n) if m > n || (m == n && a <= b) => a,
                _ => b,
            })
        };
        out.push(if labels {
            most().expect("one at least")
        } else {
            let numbers: Vec<f64> = all.iter().copied().filter(|v| !v.is_nan()).collect();
            round(numbers.iter().sum::<f64>() / numbers.len() as f64)
        });
    }
    out
}

#[test]
fn smaller_levels_are_means_or_the_most_frequent() {
    for (kind, brick) in [(VoxelKind::Intensity, BrickSize::Four), (VoxelKind::Labels, BrickSize::Eight)] {
        let dims = Dims::new(75, 34, 67);
        let mut voxels = voxels::<i16>(dims, 11, 4);
        if kind == VoxelKind::Labels {
            voxels.iter_mut().for_each(|voxel| *voxel = *voxel % 5 * 100);
        }
        let base = header::<i16>(dims, brick);
        let header = base.with(|header| {
            header.kind = kind;
            header.mip_levels = header.most_mip_levels();
        });
        assert_eq!(header.mip_levels, 8);
        let file = VolumeFile::new(file_with(&voxels, &header)).expect("our own file");
        let mut numbers: Vec<f64> = voxels.iter().map(|&v| v.into()).collect();
        for level in 1..8 {
            let before = header.mip_level_dims(level - 1);
            numbers = halved(&numbers, before, kind == VoxelKind::Labels, |mean| (mean + 0.5).floor());
            let dims = header.mip_level_dims(level);
            let selection = Selection { mip_level: level, ..Selection::default() };
            let read: Vec<i16> =
                file.read_selected(&selection, &Region::all(dims), &Task::new()).expect("our own file");
            assert!(read.iter().map(|&v| f64::from(v)).eq(numbers.iter().copied()), "{kind:?} {level}");
        }
        assert_eq!(header.mip_level_dims(7), Dims::new(1, 1, 1));
    }
    // Up to 10 × 2⁻¹⁰ above 1: means of eight are between halves.
    let halves: Vec<f16> = (0..27).map(|i| f16::from_bits(0x3c00 + i * i % 11)).collect();
    let half_header = header::<f16>(Dims::new(3, 3, 3), BrickSize::Four).with(|header| header.mip_levels = 2);
    let file = VolumeFile::new(file_with(&halves, &half_header)).expect("our own file");
    let selection = Selection { mip_level: 1, ..Selection::default() };
    let read: Vec<f16> =
        file.read_selected(&selection, &Region::all(Dims::new(2, 2, 2)), &Task::new()).expect("our own file");
    let numbers: Vec<f64> = halves.iter().map(|&v| v.into()).collect();
    // All means are from 1 to 2, where halves are multiples of 2⁻¹⁰.
    let nearest = |mean: f64| (mean * 1024.0).round_ties_even() / 1024.0;
    let want = halved(&numbers, Dims::new(3, 3, 3), false, nearest);
    assert!(read.iter().map(|half| half.to_f64()).eq(want), "{read:?}");

    let mut floats: Vec<f32> = (0..27).map(|i| i as f32 * 0.1).collect();
    floats[..8].fill(f32::NAN);
    (floats[9], floats[10], floats[12]) = (f32::NAN, f32::NAN, f32::NAN);
    let header = header::<f32>(Dims::new(3, 3, 3), BrickSize::Four).with(|header| header.mip_levels = 2);
    let file = VolumeFile::new(file_with(&floats, &header)).expect("our own file");
    let selection = Selection { mip_level: 1, ..Selection::default() };
    let read: Vec<f32> =
        file.read_selected(&selection, &Region::all(Dims::new(2, 2, 2)), &Task::new()).expect("our own file");
    let numbers: Vec<f64> = floats.iter().map(|&v| v.into()).collect();
    let want = halved(&numbers, Dims::new(3, 3, 3), false, |mean| f64::from(mean as f32));
    for (read, want) in read.into_iter().zip(want) {
        assert!(f64::from(read) == want || read.to_bits() == 0x7fc0_0000 && want.is_nan(), "{read} {want}");
    }
}

#[test]
fn smaller_levels_come_in_slabs_as_whole_ones_do() {
    // Slabs have 32 slices, the last fewer; there are two frames.
    let dims = Dims::new(20, 21, 69);
    let base = header::<u16>(dims, BrickSize::Four);
    let header = base.with(|header| {
        header.mip_levels = header.most_mip_levels();
        header.frames = 2;
    });
    let voxels = voxels::<u16>(Dims::new(20, 21, 138), 3, 5);
    let write = |piece: usize| {
        let options = BwvOptions::default();
        let mut writer = VolumeWriter::<_, u16>::new(Vec::new(), &header, &options).expect("memory");
        voxels.chunks(piece).for_each(|piece| writer.write_voxels(piece, &Task::new()).expect("memory"));
        writer.finish().expect("all voxels").0
    };
    let bytes = write(usize::MAX);
    assert!(bytes == write(977));
    let slow = slow_decoder::decode(&bytes);
    let file = VolumeFile::new(bytes).expect("our own file");
    for level in 0..header.mip_levels {
        for frame in 0..2 {
            let dims = header.mip_level_dims(level);
            let selection = Selection { mip_level: level, frames: Some(frame..frame + 1), channel: None };
            let read: Vec<u16> =
                file.read_selected(&selection, &Region::all(dims), &Task::new()).expect("our own file");
            let count = read.len();
            assert!(bits(&read) == slow.levels[level][frame * count..][..count]);
            if level > 0 {
                let one: Vec<f64> = slow.levels[level - 1]
                    .chunks(header.mip_level_dims(level - 1).voxel_count().expect("small"))
                    .nth(frame)
                    .expect("a frame")
                    .iter()
                    .map(|&v| v as f64)
                    .collect();
                let want = halved(&one, header.mip_level_dims(level - 1), false, |mean| (mean + 0.5).floor());
                assert!(read.iter().map(|&v| f64::from(v)).eq(want));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(12, 24)))]

    #[test]
    fn any_volume_comes_back(
        x in 1usize..70, y in 1usize..40, z in 1usize..40, seed: u32, noise in 0u32..=32
    ) {
        every_type(Dims::new(x, y, z), seed, noise);
    }

    #[test]
    fn any_channels_and_frames_come_back(
        x in 1usize..40, y in 1usize..20, z in 1usize..40,
        channels in 1usize..=4, frames in 1usize..4, seed: u32
    ) {
        let dims = Dims::new(x, y, z);
        let most = Header::new(VoxelType::U8, dims).most_mip_levels();
        let levels = 1 + seed as usize % most;
        match seed % 5 {
            0 => channels_and_frames::<u8>(dims, channels, frames, levels, seed),
            1 => channels_and_frames::<i16>(dims, channels, frames, levels, seed),
            2 => channels_and_frames::<f32>(dims, channels, frames, levels, seed),
            3 => channels_and_frames::<f64>(dims, channels, frames, levels, seed),
            _ => channels_and_frames::<i64>(dims, channels, frames, levels, seed),
        }
    }

    #[test]
    fn streaming_in_pieces_gives_the_same_bytes(seed: u32, piece in 1usize..5000, rank: bool) {
        let dims = Dims::new(37, 21, 70);
        let mut voxels = voxels::<u16>(dims, seed, 5);
        if rank {
            voxels.iter_mut().for_each(|voxel| *voxel = *voxel % 50 * 7);
        }
        let header = header::<u16>(dims, BrickSize::Four);
        let options = BwvOptions::default();
        let stream = |piece: usize| {
            let mut writer = VolumeWriter::<_, u16>::new(Vec::new(), &header, &options).expect("memory");
            for piece in voxels.chunks(piece) {
                writer.write_voxels(piece, &Task::new()).expect("memory");
            }
            let (bytes, count) = writer.finish().expect("all voxels");
            assert_eq!(bytes.len() as u64, count);
            bytes
        };
        let bytes = stream(piece);
        prop_assert!(bytes == stream(voxels.len()));
        prop_assert!(slow_decoder::decode(&bytes).levels == [bits(&voxels)]);
        let file = VolumeFile::new(bytes).expect("our own file");
        prop_assert!(!rank || file.counts().rank_tables > 0);
    }
}

#[test]
fn a_file_read_twice_gives_the_bytes_of_a_volume_in_memory() {
    let dims = Dims::new(40, 30, 70);
    let voxels: Vec<f32> = voxels::<u16>(dims, 9, 3).iter().map(|&v| f32::from(v % 200) * 0.1).collect();
    let mut big = bytemuck::cast_slice::<f32, u8>(&voxels).to_vec();
    big.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    let header = header::<f32>(dims, BrickSize::Four);
    let (order, options) = (brickwork_volume::ByteOrder::Big, BwvOptions::default());
    let mut file = Vec::new();
    let source = std::io::Cursor::new(&big);
    brickwork_volume::encode_seekable(source, order, &header, &options, &mut file, &Task::new())
        .expect("memory");
    assert!(file == file_of(&voxels, dims, BrickSize::Four));
    let file = VolumeFile::new(file).expect("our own file");
    assert_eq!(file.counts().rank_tables, 1);
    let region = Region { x: 3..9, y: 2..30, z: 20..66 };
    let read: Vec<f32> = file.read(&region, &Task::new()).expect("our own file");
    let mut raw = Vec::new();
    let mut reader = RegionReader::new(file, Selection::default(), region, &Task::new()).expect("inside");
    reader.read_to_end(&mut raw).expect("our own file");
    assert!(raw == bytemuck::cast_slice::<f32, u8>(&read));
}

#[test]
fn threads_do_not_show() {
    let dims = Dims::new(130, 97, 75);
    let voxels = voxels::<i16>(dims, 3, 7);
    let with_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads");
        pool.install(|| file_of(&voxels, dims, BrickSize::Four))
    };
    let one = with_threads(1);
    assert!(one == with_threads(2) && one == with_threads(5));
}

/// Reads long regions of few rows of chunks, which threads divide along x, as one thread does.
#[test]
fn threads_share_windows_of_few_rows() {
    fn check<T: Voxel>(channels: usize) {
        let (dims, frames) = (Dims::new(300, 40, 20), 2);
        let voxels = voxels::<T>(Dims::new(dims.x * channels, dims.y, dims.z * frames), 11, 6);
        for (profile, brick) in CODINGS {
            let header = header::<T>(dims, brick).with(|header| {
                header.profile = profile;
                header.channels = channels;
                header.frames = frames;
            });
            let mut writer =
                VolumeWriter::<_, T>::new(Vec::new(), &header, &BwvOptions::default()).expect("memory");
            writer.write_voxels(&voxels, &Task::new()).expect("memory");
            let (mut bytes, _) = writer.finish().expect("all voxels");
            let file = VolumeFile::new(bytes.as_slice()).expect("our own file");
            let whole: Vec<T> = file.read(&Region::all(dims), &Task::new()).expect("our own file");
            assert!(bits(&whole) == bits(&voxels));
            for (x, y, z) in [(0..300, 0..1, 3..4), (31..300, 30..34, 0..20), (5..97, 0..40, 19..20)] {
                let region = Region { x, y, z };
                let with = |threads: usize| -> Vec<T> {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                    pool.install(|| file.read(&region, &Task::new())).expect("our own file")
                };
                let frame = dims.number_count(channels).expect("small");
                let want: Vec<T> =
                    voxels.chunks(frame).flat_map(|frame| cut(frame, dims, channels, &region)).collect();
                for threads in [1, 2, 7] {
                    assert!(bits(&with(threads)) == bits(&want), "{region}, {threads} threads, {brick}");
                }
            }
            // A damaged chunk is an error on all threads.
            bytes[400] ^= 1;
            let file = VolumeFile::new(bytes).expect("header and index are sound");
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                assert!(pool.install(|| file.read::<T>(&Region::all(dims), &Task::new())).is_err());
            }
        }
    }
    check::<u8>(1);
    check::<f64>(3);
}

#[test]
fn too_few_or_too_many_voxels_are_refused() {
    let dims = Dims::new(10, 10, 40);
    let header = Header::new(VoxelType::U8, dims);
    let writer = || VolumeWriter::<_, u8>::new(Vec::new(), &header, &BwvOptions::default()).expect("memory");
    let mut few = writer();
    few.write_voxels(&[1; 3999], &Task::new()).expect("fewer than all");
    let error = few.finish().map(drop).expect_err("one is missing").to_string();
    assert_eq!(error, "expected 4000 bytes of voxels, but there are 3999");
    let mut many = writer();
    assert!(many.write_voxels(&[1; 4001], &Task::new()).is_err());
    assert!(VolumeWriter::<_, u16>::new(Vec::new(), &header, &BwvOptions::default()).is_err());
}

/// Stores incompressible voxels in their own size, plus header, footer and at most 1 %, for all shapes and
/// bricks.
#[test]
fn noise_takes_hardly_more_than_its_bytes() {
    fn check<T: Voxel>(dims: Dims) {
        let mut state = 7u64;
        let voxels: Vec<T> = (0..dims.voxel_count().expect("small dims"))
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                T::from_ordinal((state ^ state >> 29) & u64::MAX >> (64 - T::TYPE.bit_count()))
            })
            .collect();
        let raw_bytes = size_of_val(voxels.as_slice());
        for &brick in BrickSize::ALL {
            let file = file_of(&voxels, dims, brick);
            let most = raw_bytes + raw_bytes / 100 + 192 + 32 + 64;
            assert!(file.len() <= most, "{} of {dims}, {brick}: {} of {most} bytes", T::TYPE, file.len());
            assert!(slow_decoder::decode(&file).levels == [bits(&voxels)]);
            let file = VolumeFile::new(file).expect("our own file");
            assert!(
                bits(&file.read::<T>(&Region::all(dims), &Task::new()).expect("our own file"))
                    == bits(&voxels)
            );
            assert_eq!(file.verify(&Task::new()).expect("memory"), []);
        }
    }
    for dims in [Dims::new(1, 1, 1), Dims::new(301, 200, 1), Dims::new(67, 33, 129), Dims::new(5, 4, 1)] {
        check::<u8>(dims);
        check::<i16>(dims);
        check::<f32>(dims);
        check::<u64>(dims);
    }
}

/// Encodes volumes by others (test-data/README.md), each within a limit of bits per voxel.
#[test]
fn real_volumes_come_back_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/volumes");
    let raw = |name: &str| {
        let packed = fs::read(folder.join(name).with_extension("raw.zst")).expect("test data");
        zstd::decode_all(packed.as_slice()).expect("zstd")
    };
    fn check<T: Voxel>(bytes: &[u8], dims: Dims, most: [f64; 2]) {
        let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
        for (brick, most) in [BrickSize::Four, BrickSize::Eight].into_iter().zip(most) {
            let bytes = file_of(&voxels, dims, brick);
            let bpv = 8.0 * bytes.len() as f64 / voxels.len() as f64;
            assert!(bpv <= most, "{bpv} bits per voxel, {most} allowed");
            assert!(slow_decoder::decode(&bytes).levels == [bits(&voxels)]);
            let file = VolumeFile::new(bytes).expect("our own file");
            assert!(
                bits(&file.read::<T>(&Region::all(dims), &Task::new()).expect("our own file"))
                    == bits(&voxels)
            );
        }
    }
    check::<u8>(&raw("aal"), Dims::new(181, 217, 181), [0.20, 0.15]);
    check::<f32>(&raw("hydrogen_f32"), Dims::new(64, 64, 64), [6.45, 5.65]);
}

/// Encodes the volumes of the folder `BRICKWORK_VOLUMES`, each `NAME.raw.zst` with `NAME.json`, in every
/// coding. This is for volumes that may not be redistributed. Without the variable, the test does nothing.
#[test]
fn volumes_of_a_folder_come_back() {
    let Some(folder) = std::env::var_os("BRICKWORK_VOLUMES") else {
        return println!("BRICKWORK_VOLUMES is not set");
    };
    fn check<T: Voxel>(name: &str, bytes: &[u8], dims: Dims) {
        let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
        let want = bits(&voxels);
        for (profile, brick) in CODINGS {
            let file = file_with(&voxels, &header::<T>(dims, brick).with(|header| header.profile = profile));
            assert!(
                slow_decoder::decode(&file).levels[0] == want,
                "the slow decoder: {name} {profile:?} {brick:?}"
            );
            let file = VolumeFile::new(file).expect("our own file");
            let back: Vec<T> = file.read(&Region::all(dims), &Task::new()).expect("our own file");
            assert!(bytemuck::cast_slice::<T, u8>(&back) == bytes, "{name} {profile:?} {brick:?}");
            println!("{name} {profile:?} {brick:?}: {} bytes", file.file_bytes());
        }
    }
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let json = fs::read(&path).expect("a sidecar");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        let side = |i: usize| json["dims_xyz"][i].as_u64().expect("dims") as usize;
        let dims = Dims::new(side(0), side(1), side(2));
        let packed = fs::read(path.with_extension("raw.zst")).expect("the volume");
        let bytes = zstd::decode_all(packed.as_slice()).expect("zstd");
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        match json["dtype"].as_str() {
            Some("uint8") => check::<u8>(name, &bytes, dims),
            Some("uint16") => check::<u16>(name, &bytes, dims),
            Some("float32") => check::<f32>(name, &bytes, dims),
            other => panic!("{name}: {other:?}"),
        }
    }
}
