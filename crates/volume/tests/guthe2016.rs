//! Round trips of the paper's scheme.

use brickwork_volume::{Dims, VolumeView, Voxel, guthe2016::Compressed};
use proptest::prelude::*;

/// Voxels with what volumes are made of: flat parts, ramps, noise and jumps.
fn voxels<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32) -> Vec<T> {
    let mut state = seed | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let full = u32::MAX >> (32 - T::TYPE.bit_count());
    let noise = full.checked_shr(T::TYPE.bit_count().saturating_sub(noise_bits)).unwrap_or(0);
    let count = dims.voxel_count().expect("small dims");
    (0..count)
        .map(|i| {
            let (x, y, z) = (i % dims.x, i / dims.x % dims.y, i / dims.x / dims.y);
            let ramp = (x * 3 + y * 5 + z * 7) as u32;
            let value = match (x / 9 + y / 7 + z / 5) % 4 {
                0 => full / 3,
                1 => ramp,
                2 => ramp + (random() & noise),
                _ => full - (random() & noise & random()),
            };
            T::from_ordinal(value & full)
        })
        .collect()
}

fn round_trip<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32) {
    let voxels = voxels::<T>(dims, seed, noise_bits);
    let volume = VolumeView::new(&voxels, dims).expect("the right length");
    for second_level in [false, true] {
        let back = Compressed::encode(volume, second_level).decode::<T>().expect("our own bytes");
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
    fn any_volume_comes_back(x in 1usize..40, y in 1usize..20, z in 1usize..20, seed: u32, noise in 0u32..=32) {
        every_type(Dims::new(x, y, z), seed, noise);
    }
}
