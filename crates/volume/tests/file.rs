//! `.bwv` files: round trips, regions, streaming, and the decoder written from the specification.

mod common;
mod slow_decoder;

use brickwork_volume::{
    BrickSize, Dims, EncodeOptions, Header, Region, VolumeFile, VolumeView, VolumeWriter, Voxel, encode,
};
use common::voxels;
use proptest::prelude::*;
use std::{fs, path::Path};

fn header<T: Voxel>(dims: Dims, brick: BrickSize) -> Header {
    Header { brick, metadata: "{\"a\": 1}".into(), ..Header::new(T::TYPE, dims) }
}

fn file_of<T: Voxel>(voxels: &[T], dims: Dims, brick: BrickSize) -> Vec<u8> {
    let mut file = Vec::new();
    let volume = VolumeView::new(voxels, dims).expect("the right length");
    encode(volume, &header::<T>(dims, brick), &EncodeOptions::default(), &mut file).expect("memory");
    file
}

/// The bits of voxels, as the slow decoder gives them.
fn bits<T: Voxel>(voxels: &[T]) -> Vec<u32> {
    let bytes: &[u8] = bytemuck::cast_slice(voxels);
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
    bytes.chunks_exact(size_of::<T>()).map(number).collect()
}

fn round_trip<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32, brick: BrickSize) {
    let voxels = voxels::<T>(dims, seed, noise_bits);
    let bytes = file_of(&voxels, dims, brick);
    let file = VolumeFile::new(bytes.as_slice()).expect("our own file");
    assert_eq!(file.header(), &header::<T>(dims, brick));
    let back: Vec<T> = file.read(&Region::all(dims)).expect("our own file");
    let name = || format!("{} of {dims}, seed {seed}, noise {noise_bits}, {brick:?}", T::TYPE);
    assert!(bits(&back) == bits(&voxels), "{}", name());
    assert_eq!(file.verify().expect("memory"), [], "{}", name());

    let slow = slow_decoder::decode(&bytes);
    assert_eq!(slow.dims, [dims.x, dims.y, dims.z]);
    assert!(slow.voxels == bits(&voxels), "the slow decoder: {}", name());

    // A region somewhere inside.
    let part = |side: usize, seed: usize| {
        let start = seed % side;
        start..start + 1 + (seed / 7) % (side - start)
    };
    let seed = seed as usize;
    let region = Region { x: part(dims.x, seed), y: part(dims.y, seed / 3), z: part(dims.z, seed / 11) };
    let got: Vec<T> = file.read(&region).expect("a region inside");
    let mut want = Vec::new();
    for z in region.z.clone() {
        for y in region.y.clone() {
            want.extend_from_slice(&voxels[dims.index(region.x.start, y, z)..][..region.x.len()]);
        }
    }
    assert!(bits(&got) == bits(&want), "{region} of {}", name());
}

fn every_type(dims: Dims, seed: u32, noise_bits: u32) {
    for brick in [BrickSize::Four, BrickSize::Eight] {
        round_trip::<u8>(dims, seed, noise_bits, brick);
        round_trip::<i8>(dims, seed, noise_bits, brick);
        round_trip::<u16>(dims, seed, noise_bits, brick);
        round_trip::<i16>(dims, seed, noise_bits, brick);
        round_trip::<u32>(dims, seed, noise_bits, brick);
        round_trip::<i32>(dims, seed, noise_bits, brick);
        round_trip::<f32>(dims, seed, noise_bits, brick);
    }
}

#[test]
fn sizes_from_one_voxel_up() {
    for (x, y, z) in [(1, 1, 1), (4, 4, 4), (5, 3, 9), (17, 1, 2), (33, 32, 65), (67, 33, 129)] {
        every_type(Dims::new(x, y, z), 7, 6);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_volume_comes_back(x in 1usize..70, y in 1usize..40, z in 1usize..40, seed: u32, noise in 0u32..=32) {
        every_type(Dims::new(x, y, z), seed, noise);
    }

    #[test]
    fn streaming_in_pieces_gives_the_same_bytes(seed: u32, piece in 1usize..5000, rank: bool) {
        let dims = Dims::new(37, 21, 70);
        let mut voxels = voxels::<u16>(dims, seed, 5);
        if rank {
            voxels.iter_mut().for_each(|voxel| *voxel = *voxel % 50 * 7);
        }
        let header = header::<u16>(dims, BrickSize::Four);
        let options = EncodeOptions::default();
        let stream = |piece: usize| {
            let mut writer = VolumeWriter::<_, u16>::new(Vec::new(), &header, &options).expect("memory");
            for piece in voxels.chunks(piece) {
                writer.write_voxels(piece).expect("memory");
            }
            let (bytes, count) = writer.finish().expect("all voxels");
            assert_eq!(bytes.len() as u64, count);
            bytes
        };
        let bytes = stream(piece);
        prop_assert!(bytes == stream(voxels.len()));
        prop_assert!(slow_decoder::decode(&bytes).voxels == bits(&voxels));
        let file = VolumeFile::new(bytes).expect("our own file");
        prop_assert!(!rank || file.counts().1 == 3);
    }
}

#[test]
fn a_file_read_twice_gives_the_bytes_of_a_volume_in_memory() {
    let dims = Dims::new(40, 30, 70);
    let voxels: Vec<f32> = voxels::<u16>(dims, 9, 3).iter().map(|&v| f32::from(v % 200) * 0.1).collect();
    let mut big = bytemuck::cast_slice::<f32, u8>(&voxels).to_vec();
    big.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    let header = header::<f32>(dims, BrickSize::Four);
    let (order, options) = (brickwork_volume::ByteOrder::Big, EncodeOptions::default());
    let mut file = Vec::new();
    let source = std::io::Cursor::new(&big);
    brickwork_volume::encode_file(source, order, &header, &options, &mut file, &mut |_, _| {})
        .expect("memory");
    assert!(file == file_of(&voxels, dims, BrickSize::Four));
    let file = VolumeFile::new(file).expect("our own file");
    assert_eq!(file.counts().1, 1);
    let region = Region { x: 3..9, y: 2..30, z: 20..66 };
    let mut raw = Vec::new();
    brickwork_volume::decode_stream(&file, &region, &mut raw, &mut |_, _| {}).expect("our own file");
    let read: Vec<f32> = file.read(&region).expect("our own file");
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

#[test]
fn too_few_or_too_many_voxels_are_refused() {
    let dims = Dims::new(10, 10, 40);
    let header = Header::new(brickwork_volume::VoxelType::U8, dims);
    let writer =
        || VolumeWriter::<_, u8>::new(Vec::new(), &header, &EncodeOptions::default()).expect("memory");
    let mut few = writer();
    few.write_voxels(&[1; 3999]).expect("fewer than all");
    let error = few.finish().map(drop).expect_err("one is missing").to_string();
    assert_eq!(error, "the dims ask for 4000 bytes of voxels, and there are 3999");
    let mut many = writer();
    assert!(many.write_voxels(&[1; 4001]).is_err());
    assert!(VolumeWriter::<_, u16>::new(Vec::new(), &header, &EncodeOptions::default()).is_err());
}

/// Volumes that others made (test-data/README.md), with the most bits a voxel that they may take.
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
            assert!(bpv <= most, "{bpv} bits a voxel, {most} allowed");
            assert!(slow_decoder::decode(&bytes).voxels == bits(&voxels));
            let file = VolumeFile::new(bytes).expect("our own file");
            assert!(bits(&file.read::<T>(&Region::all(dims)).expect("our own file")) == bits(&voxels));
        }
    }
    check::<u8>(&raw("aal"), Dims::new(181, 217, 181), [0.20, 0.15]);
    check::<f32>(&raw("hydrogen_f32"), Dims::new(64, 64, 64), [6.8, 5.9]);
}
