//! Small volumes whose numbers are known.

use super::*;
use crate::{BrickSize, BwvOptions, Dims, Header, Progress, Task, VolumeView, Voxel, encode};

fn of<T: Voxel>(voxels: &[T], dims: Dims, brick: BrickSize) -> Statistics {
    let mut file = Vec::new();
    let header = Header { brick, ..Header::new(T::TYPE, dims) };
    let view = VolumeView::new(voxels, dims).expect("dims that fit");
    encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    let told = AtomicUsize::new(0);
    let volume = VolumeFile::new(&file).expect("our own file");
    let tell = |_: Progress| {
        told.fetch_add(1, Ordering::Relaxed);
    };
    let statistics = Statistics::of(&volume, &Task::new().with_progress(&tell)).expect("our own file");
    assert_eq!(told.into_inner(), volume.counts().chunks);
    let parts = statistics.brick_bytes + statistics.superblock_bytes + statistics.other_bytes;
    assert_eq!(parts, file.len() as u64);
    let coded = statistics.bricks - statistics.constant;
    assert_eq!(statistics.predictors.iter().sum::<u64>(), coded);
    let groups = statistics.groups;
    assert_eq!(groups.zero + groups.rice + groups.half, coded * brick.voxel_count() as u64 / 8);
    statistics
}

#[test]
fn one_value_is_all_constant() {
    let statistics = of(&[9u16; 40 * 9 * 5], Dims::new(40, 9, 5), BrickSize::Four);
    assert_eq!((statistics.bricks, statistics.constant), (10 * 3 * 2, 10 * 3 * 2));
    assert_eq!((statistics.duplicate, statistics.duplicate_is_exact), (0, true));
    assert_eq!((statistics.value_entropy, statistics.residual_entropy), (Some(0.0), Some(0.0)));
    assert_eq!(statistics.brick_bytes, 0);
}

#[test]
fn bricks_that_come_again_are_counted() {
    // Along x: a ramp, a constant brick, the ramp again, the ramp higher up, the ramp; so in two rows of
    // bricks.
    let dims = Dims::new(20, 8, 4);
    let voxel = |i: usize| {
        let (x, y, z) = (i % 20, i / 20 % 8 % 4, i / 160);
        let ramp = (x % 4 + 2 * y + 3 * z) as u8;
        match x / 4 {
            1 => 200,
            3 => ramp + 50,
            _ => ramp,
        }
    };
    let voxels: Vec<u8> = (0..640).map(voxel).collect();
    let statistics = of(&voxels, dims, BrickSize::Four);
    assert_eq!((statistics.bricks, statistics.constant), (10, 2));
    // Six ramps alike and two higher ones: five and one have come before.
    assert_eq!((statistics.duplicate, statistics.duplicate_is_exact), (6, true));
    // The gradient leaves only the steps along the axes; sorted, they are adjacent.
    assert_eq!(statistics.predictors[15], 8);
    assert_eq!((statistics.dictionary, statistics.wide), (0, 0));
    let counts: Vec<usize> =
        (0..=255).map(|value| voxels.iter().filter(|&&voxel| voxel == value).count()).collect();
    let shares = counts.iter().filter(|&&count| count > 0).map(|&count| count as f64 / 640.0);
    let entropy: f64 = shares.map(|share| -share * share.log2()).sum();
    assert!((statistics.value_entropy.expect("few values") - entropy).abs() < 1e-9);
}

#[test]
fn residuals_of_a_slope_are_its_steps() {
    // The gradient misses three of a brick's 64 values, by one step along x: codes 1, where the guess is 0,
    // and 2, 2.
    let dims = Dims::new(16, 16, 16);
    let voxels: Vec<u16> = (0..4096).map(|i| 100 + (i % 16) as u16).collect();
    let statistics = of(&voxels, dims, BrickSize::Four);
    assert_eq!(statistics.value_entropy, Some(4.0));
    let residual = statistics.residual_entropy.expect("few codes");
    let want = 61.0 / 64.0 * (64f64 / 61.0).log2() + 2.0 / 64.0 * 5.0 + 1.0 / 64.0 * 6.0;
    assert!((residual - want).abs() < 1e-9, "{residual} {want}");
    assert_eq!(statistics.duplicate, 60);
    // With more values than a label brick has.
    let voxels: Vec<u16> = (0..4096).map(|i| 100 + (i % 16 + 20 * (i / 16 % 8)) as u16).collect();
    let large = of(&voxels, dims, BrickSize::Eight);
    assert_eq!((large.bricks, large.duplicate), (8, 6));
}

#[test]
fn palettes_and_wide_bricks_are_seen() {
    let random = |i: u32| i.wrapping_mul(2_654_435_761) ^ i.wrapping_mul(0x9e37_79b9) >> 7;
    let dims = Dims::new(32, 32, 32);
    // Three values per brick, far apart, and too many in all for a rank table.
    let three = |i: u32| {
        let brick = i % 32 / 4 + 8 * (i / 32 % 32 / 4) + 64 * (i / 1024 / 4);
        (brick + random(i) % 3 * 20_000) as u16
    };
    let voxels: Vec<u16> = (0..32_768).map(three).collect();
    let statistics = of(&voxels, dims, BrickSize::Four);
    assert_eq!((statistics.dictionary, statistics.bricks), (512, 512), "{statistics:?}");
    let wide: Vec<u32> = (0..32_768).map(random).collect();
    let statistics = of(&wide, dims, BrickSize::Eight);
    assert_eq!((statistics.wide, statistics.bricks), (64, 64));
    assert!((statistics.value_entropy.expect("32,768 values") - 15.0).abs() < 1e-9);
}

#[test]
fn label_bricks_are_seen() {
    // Layers that are not parallel to an axis, and one brick of noise.
    let dims = Dims::new(32, 32, 33);
    let label = |i: u32| {
        let (x, y, z) = (i % 32, i / 32 % 32, i / 1024);
        if x < 8 && y < 8 && z < 8 {
            i.wrapping_mul(2_654_435_761) >> 24
        } else {
            300 * ((x + 2 * y + 3 * z) / 40)
        }
    };
    let voxels: Vec<u16> = (0..33 * 1024).map(|i| label(i) as u16).collect();
    let header = Header::new(crate::VoxelType::U16, dims).with(|header| {
        (header.brick, header.kind) = (BrickSize::Eight, crate::VoxelKind::Labels);
    });
    let mut bytes = Vec::new();
    let view = VolumeView::new(&voxels, dims).expect("dims that fit");
    encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
    let file = VolumeFile::new(bytes).expect("a sound index");
    let statistics = Statistics::of(&file, &Task::new()).expect("our own file");
    let inside = statistics.bricks - statistics.constant - statistics.raw;
    assert!(statistics.label > 30 && statistics.label < inside, "{statistics:?}");
    let groups = statistics.groups;
    assert!(groups.zero + groups.rice + groups.half <= 64 * (inside - statistics.label), "{statistics:?}");
    assert!(groups.zero + groups.rice + groups.half > 0);
    // Boundaries are half predicted, so codes have less entropy than labels.
    let residual = statistics.residual_entropy.expect("few codes");
    assert!(residual < statistics.value_entropy.expect("few labels") / 2.0, "{residual}");
}

#[test]
fn damage_is_an_error() {
    let voxels: Vec<u16> = (0..4096).map(|i: u32| (i * i) as u16).collect();
    let dims = Dims::new(16, 16, 16);
    let mut file = Vec::new();
    let header = Header::new(crate::VoxelType::U16, dims);
    let view = VolumeView::new(&voxels, dims).expect("dims that fit");
    encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    file[300] ^= 1;
    let file = VolumeFile::new(file).expect("a sound index");
    let error = Statistics::of(&file, &Task::new()).expect_err("a damaged chunk").to_string();
    assert!(error.contains("chunk 0"), "{error}");
}
