//! Round trips of the paper's scheme.

use brickwork_papers::guthe2016::{BrickStatistics, decode};
use brickwork_volume::{CancelToken, Dims, ErrorKind, Task, VolumeView, Voxel, guthe2016::Compressed};
use proptest::prelude::*;

/// Returns voxels as in real volumes: flat parts, ramps, noise and jumps.
fn voxels<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32) -> Vec<T> {
    let mut state = seed | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        u64::from(state)
    };
    let full = u64::MAX >> (64 - T::TYPE.bit_count());
    let noise = full.checked_shr(T::TYPE.bit_count().saturating_sub(noise_bits)).unwrap_or(0);
    let voxel = |i| {
        let (x, y, z) = dims.position(i);
        let ramp = (x * 3 + y * 5 + z * 7) as u64;
        let value = match (x / 9 + y / 7 + z / 5) % 4 {
            0 => full / 3,
            1 => ramp,
            2 => ramp + (random() & noise),
            _ => full - (random() & noise & random()),
        };
        T::from_ordinal(value & full)
    };
    (0..dims.voxel_count().expect("small dims")).map(voxel).collect()
}

fn round_trip<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32) {
    let voxels = voxels::<T>(dims, seed, noise_bits);
    let volume = VolumeView::new(&voxels, dims).expect("the right length");
    for second_level in [false, true] {
        let compressed = Compressed::encode(volume, second_level, &Task::new()).expect("not cancelled");
        let back = decode::<T>(&compressed, &Task::new()).expect("our own bytes");
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
    assert_eq!(error.kind(), ErrorKind::Argument);
}

#[test]
fn long_calls_stop() {
    let voxels = voxels::<u16>(Dims::cube(8), 3, 4);
    let view = VolumeView::new(&voxels, Dims::cube(8)).expect("the right length");
    let volume = Compressed::encode(view, true, &Task::new()).expect("not cancelled");
    let token = CancelToken::new();
    token.cancel();
    let task = Task::new().with_cancel(&token);
    let stopped = [
        decode::<u16>(&volume, &task).map(drop).map_err(|error| error.kind()),
        BrickStatistics::of(&volume, &task).map(drop).map_err(|error| error.kind()),
    ];
    assert_eq!(stopped, [Err(ErrorKind::Cancelled); 2]);
}
