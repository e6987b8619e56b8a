//! The bytes of a chunk beyond its coded voxels.

use super::Sample;
use brickwork_volume::{
    BrickSize, BwvOptions, ChunkShape, Dims, Header, Task, VolumeFile, VoxelType, encode_any,
};

/// Returns the bytes between header and index of the `.bwv` file of the same voxels, and the number of its
/// inner chunks.
fn parts(sample: &Sample, brick: BrickSize) -> (usize, usize) {
    let (shape, mut file) = (sample.shape, Vec::new());
    let header = Header::new(shape.voxel_type(), shape.dims()).with(|header| {
        header.brick = brick;
        header.channels = shape.channels();
    });
    let view =
        brickwork_volume::AnyView::new(&sample.voxels, shape.voxel_type(), shape.dims(), shape.channels());
    let view = view.expect("voxels");
    encode_any(&view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    let index_at = u64::from_le_bytes(*file[file.len() - 32..].first_chunk().expect("eight bytes"));
    let chunks = VolumeFile::new(&file[..]).expect("our own file").counts().chunks;
    (index_at as usize - 184, chunks)
}

#[test]
fn the_overhead_is_small() {
    for voxel_type in VoxelType::ALL {
        for (brick, side) in [(BrickSize::Four, 70), (BrickSize::Eight, 64), (BrickSize::Flat, 33)] {
            let shape = ChunkShape::new(*voxel_type, Dims::new(side, 20, 34));
            // No padding: the fill value does not occur.
            let sample = Sample::new(shape, shape.dims(), 9, 7, 0xee);
            for sample in [sample.clone().with_numbers(|n| n % 5 * 17), sample] {
                let (parts, chunks) = parts(&sample, brick);
                let have = sample.encode(brick).len();
                assert!(have - parts <= 24 + 12 * chunks, "{voxel_type} {brick}: {have}, parts {parts}");
            }
        }
    }
}

#[test]
fn a_constant_chunk_takes_16_bytes() {
    for &voxel_type in VoxelType::ALL {
        let shape = ChunkShape::new(voxel_type, Dims::new(64, 33, 12));
        let mask = u64::MAX >> (64 - voxel_type.bit_count());
        for (value, fill) in [(0, 0), (u64::MAX, 0), (3, u64::MAX), (0x7ff8_0000_7fc0_1234, 0)] {
            let sample = Sample::new(shape, shape.dims(), 1, 1, fill & mask).with_numbers(|_| value & mask);
            let chunk = sample.encode(BrickSize::Four);
            assert_eq!(chunk.len(), 8 + voxel_type.byte_count(), "{voxel_type}");
        }
    }
}

/// Compares an edge chunk with a chunk of the part inside.
#[test]
fn padding_takes_16_bytes() {
    for &voxel_type in VoxelType::ALL {
        for (brick, inside) in [
            (BrickSize::Four, Dims::new(30, 19, 40)),
            (BrickSize::Eight, Dims::new(40, 40, 1)),
            (BrickSize::Flat, Dims::new(1, 40, 33)),
        ] {
            for noise_bits in [0, 9] {
                let shape = ChunkShape::new(voxel_type, Dims::cube(40));
                let padded = Sample::new(shape, inside, 9, noise_bits, 0x0123_4567_89ab_cdef);
                let alone = Sample {
                    shape: ChunkShape::new(voxel_type, inside),
                    voxels: padded.region(&brickwork_volume::Region::all(inside)),
                    ..padded.clone()
                };
                let (padded, alone) = (padded.encode(brick).len(), alone.encode(brick).len());
                assert!(padded <= alone + 16, "{voxel_type} {brick}: {padded} and {alone}");
            }
            // One value inside.
            let shape = ChunkShape::new(voxel_type, Dims::cube(40));
            let padded = Sample::new(shape, shape.dims(), 9, 0, 0x55).with_numbers(|_| 0x66).padded(inside);
            assert!(padded.encode(brick).len() <= 8 + voxel_type.byte_count() + 16);
        }
    }
}
