//! Chunks of random voxels come back: whole, by region, into any strides.

use super::{Sample, room, type_code};
use crate::{
    common::sized,
    slow_decoder,
    strides::{Layout, layouts, place},
};
use brickwork_volume::{
    AnyView, BrickSize, ChunkOptions, ChunkReader, ChunkShape, Dims, Region, Strides, SuppliedBytes, Task,
    VoxelType, decode_chunk, encode_chunk,
};
use proptest::prelude::*;

/// Sides of 1 to 69 voxels, not too many voxels.
fn dims() -> impl Strategy<Value = Dims> {
    let longest = prop_oneof![Just([70, 12, 12]), Just([12, 70, 12]), Just([12, 12, 70]), Just([30, 30, 30])];
    longest
        .prop_flat_map(|[x, y, z]: [usize; 3]| (1..=x, 1..=y, 1..=z))
        .prop_map(|(x, y, z)| Dims::new(x, y, z))
}

fn samples() -> impl Strategy<Value = Sample> {
    let shape = (prop::sample::select(VoxelType::ALL), dims(), prop_oneof![4 => Just(1), 1 => 2usize..=4]);
    let shape = shape
        .prop_map(|(voxel_type, dims, channels)| ChunkShape::new(voxel_type, dims).with_channels(channels));
    // The inside of an edge chunk, in tenths of its sides.
    let inside = (0usize..=14, 0usize..=14, 0usize..=14);
    let fill = prop_oneof![Just(0), any::<u64>()];
    let labels = prop_oneof![Just(None), (1u64..300).prop_map(Some)];
    (shape, inside, any::<u32>(), 0u32..12, fill, labels).prop_map(
        |(shape, (x, y, z), seed, noise_bits, fill, labels)| {
            let dims = shape.dims();
            let part = |side: usize, tenths: usize| (side * tenths).div_ceil(10).min(side);
            let inside = Dims::new(part(dims.x, x), part(dims.y, y), part(dims.z, z));
            let mask = u64::MAX >> (64 - shape.voxel_type().bit_count());
            let sample = Sample::new(shape, inside, seed, noise_bits, fill & mask);
            match labels {
                None => sample,
                Some(step) => {
                    sample.with_numbers(|n| if n == fill & mask { n } else { (n % 5 * step) & mask })
                }
            }
        },
    )
}

/// Returns a region of a volume, from random numbers.
fn region_of(dims: Dims, at: [usize; 6]) -> Region {
    let range = |side: usize, a: usize, b: usize| {
        let (a, b) = (a % side, b % side);
        a.min(b)..a.max(b) + 1
    };
    Region { x: range(dims.x, at[0], at[1]), y: range(dims.y, at[2], at[3]), z: range(dims.z, at[4], at[5]) }
}

/// Moves dense voxels to their places.
fn laid_out(sample: &Sample, region: &Region, layout: &Layout) -> (Strides, Vec<u8>) {
    let (dims, channels) = (region.dims(), sample.shape.channels());
    let number_bytes = sample.shape.voxel_type().byte_count();
    let (strides, count) = layout.strides([channels, dims.x, dims.y, dims.z, 1]);
    let mut voxels = vec![0xa5; count * number_bytes];
    for (i, number) in sample.region(region).chunks_exact(number_bytes).enumerate() {
        let (x, y, z) = dims.position(i / channels);
        let at = place(&strides, [i % channels, x, y, z, 0]) * number_bytes;
        voxels[at..at + number_bytes].copy_from_slice(number);
    }
    (strides, voxels)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(60, 400)))]

    #[test]
    fn chunks_come_back(sample in samples(), brick in prop::sample::select(BrickSize::ALL)) {
        let chunk = sample.encode(brick);
        let dims = sample.shape.dims();
        let (mut found, strides) = room(&sample.shape, &Region::all(dims));
        decode_chunk(&chunk, &sample.shape, &mut found, &strides, &Task::new()).expect("our own chunk");
        prop_assert!(found == sample.voxels);
        let slow = slow_decoder::zarr_chunk::decode(
            &chunk, type_code(sample.shape.voxel_type()), [dims.x, dims.y, dims.z],
        );
        prop_assert!(slow == sample.bits(), "the slow decoder");
    }

    /// The layout's fifth axis is the frame, of which there is one.
    #[test]
    fn regions_are_read_into_any_strides(
        sample in samples(),
        brick in prop::sample::select(BrickSize::ALL),
        at: [usize; 6],
        layout in layouts(),
    ) {
        let reader = ChunkReader::new(sample.encode(brick), &sample.shape).expect("our own chunk");
        prop_assert_eq!(reader.brick(), brick);
        let region = region_of(sample.shape.dims(), at);
        let (strides, expected) = laid_out(&sample, &region, &layout);
        let mut found = vec![0xa5; expected.len()];
        reader.read_region(&region, &mut found, &strides, &Task::new()).expect("our own chunk");
        prop_assert!(found == expected);
    }

    /// Axes in any order and direction, and with any alignment.
    #[test]
    fn strides_do_not_change_the_bytes(sample in samples(), layout in layouts()) {
        let (shape, region) = (sample.shape, Region::all(sample.shape.dims()));
        let (strides, mut voxels) = laid_out(&sample, &region, &layout);
        voxels.insert(0, 0);
        let view = AnyView::with_strides(
            &voxels[1..], shape.voxel_type(), shape.dims(), shape.channels(), strides,
        ).expect("places inside");
        let options = ChunkOptions::new(BrickSize::Four).with(|o| o.fill = sample.fill);
        let chunk = encode_chunk(&view, &options, &Task::new()).expect("memory");
        prop_assert!(chunk == sample.encode(BrickSize::Four));
    }

    /// The reader has its last bytes, then those that it requests.
    #[test]
    fn regions_are_read_from_the_ranges_they_need(
        sample in samples(),
        brick in prop::sample::select(BrickSize::ALL),
        at: [usize; 6],
        fetched in 1usize..4096,
    ) {
        let chunk = sample.encode(brick);
        let mut last = chunk[chunk.len().saturating_sub(fetched)..].to_vec();
        let count = ChunkReader::<SuppliedBytes>::suffix_bytes(&chunk).expect("not a .bwv file") as usize;
        if last.len() >= 9 {
            prop_assert_eq!(ChunkReader::<SuppliedBytes>::suffix_bytes(&last), Some(count as u64));
        }
        if last.len() < count {
            prop_assert!(ChunkReader::from_suffix(last, &sample.shape).is_err());
            last = chunk[chunk.len() - count..].to_vec();
        }
        let reader = ChunkReader::from_suffix(last, &sample.shape).expect("our own chunk");
        let region = region_of(sample.shape.dims(), at);
        for range in reader.ranges(&region).expect("inside") {
            let bytes = &chunk[range.start as usize..range.end as usize];
            reader.supply(range.start, bytes).expect("inside");
        }
        prop_assert_eq!(reader.ranges(&region).expect("inside"), []);
        let (mut found, strides) = room(&sample.shape, &region);
        reader.read_region(&region, &mut found, &strides, &Task::new()).expect("all bytes are there");
        prop_assert!(found == sample.region(&region));
    }
}

/// NaN with a payload, −0.0 and infinities, as voxels and as the fill value.
#[test]
fn all_bits_of_floats_are_kept() {
    let special = [0x7fc0_1234, 0xffa0_0001, 0x8000_0000, 0x7f80_0000, 0x0000_0001u64];
    let dims = Dims::new(17, 9, 5);
    for fill in special {
        for only in [None, Some(0x8000_0000), Some(0x7fc0_0000)] {
            let shape = ChunkShape::new(VoxelType::F32, dims);
            let sample = Sample::new(shape, Dims::new(11, 7, 5), 3, 9, fill);
            let sample = sample.with_numbers(|n| only.unwrap_or(special[n as usize % special.len()]));
            let (mut found, strides) = room(&shape, &Region::all(dims));
            let chunk = sample.encode(BrickSize::Eight);
            decode_chunk(&chunk, &shape, &mut found, &strides, &Task::new()).expect("our own chunk");
            assert!(found == sample.voxels, "{fill:#x} {only:x?}");
        }
    }
}
