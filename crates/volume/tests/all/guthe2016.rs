//! Round trips of the paper's scheme.

use crate::common::voxels;
use brickwork_volume::{Dims, Task, VolumeView, Voxel, guthe2016::Compressed};
use proptest::prelude::*;

fn round_trip<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32) {
    let voxels = voxels::<T>(dims, seed, noise_bits);
    let volume = VolumeView::new(&voxels, dims).expect("the right length");
    for second_level in [false, true] {
        let compressed = Compressed::encode(volume, second_level, &Task::new()).expect("not cancelled");
        let back = compressed.decode::<T>(&Task::new()).expect("our own bytes");
        let same = bytemuck::cast_slice::<T, u8>(&back) == bytemuck::cast_slice::<T, u8>(&voxels);
        assert!(same, "{} of {dims}, seed {seed}, noise {noise_bits}", T::TYPE);
    }
}

fn every_type(dims: Dims, seed: u32, noise_bits: u32) {
    round_trip::<u8>(dims, seed, noise_bits);
    round_trip::<i8>(dims, seed, noise_bits);
    round_trip::<u16>(dims, seed, noise_bits);
    round_trip::<i16>(dims, seed, noise_bits);
    round_trip::<u32>(dims, seed, noise_bits);
    round_trip::<i32>(dims, seed, noise_bits);
    round_trip::<f32>(dims, seed, noise_bits);
}

#[test]
fn sizes_from_one_voxel_up() {
    for (x, y, z) in [(1, 1, 1), (4, 4, 4), (5, 3, 9), (17, 1, 2), (67, 33, 129)] {
        every_type(Dims::new(x, y, z), 7, 6);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_volume_comes_back(
        x in 1usize..40, y in 1usize..20, z in 1usize..20, seed: u32, noise in 0u32..=32
    ) {
        every_type(Dims::new(x, y, z), seed, noise);
    }
}

#[test]
fn voxels_of_two_numbers_are_refused() {
    let view = VolumeView::interleaved(&[1u8; 16], Dims::cube(2), 2).expect("voxels");
    let error = Compressed::encode(view, false, &Task::new()).expect_err("two channels");
    assert_eq!(error.kind(), brickwork_volume::ErrorKind::Argument);
}
