//! Chunks of every version stay readable, and the encoder's bytes do not change unnoticed.
//!
//! `test-data/chunks` contains a chunk for each case, written once and never again.
//! `test-data/chunks-golden.txt` has the hashes of the encoder's current output. `UPDATE=1` rewrites it, and
//! writes missing chunks.

use super::{Sample, room, type_code};
use crate::slow_decoder;
use brickwork_volume::{BrickSize, ChunkShape, Dims, Region, Task, VoxelType, decode_chunk};
use std::{env, fmt::Write as _, fs, path::PathBuf};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../test-data")
}

fn cases() -> Vec<(&'static str, BrickSize, Sample)> {
    let sample = |voxel_type, dims, inside, noise_bits, fill| {
        Sample::new(ChunkShape::new(voxel_type, dims), inside, 1, noise_bits, fill)
    };
    let (dims, inside) = (Dims::new(21, 13, 9), Dims::new(17, 13, 8));
    let long = Dims::new(70, 20, 40);
    let rgb = ChunkShape::new(VoxelType::U8, dims).with_channels(3);
    vec![
        ("u8-four", BrickSize::Four, sample(VoxelType::U8, dims, dims, 3, 0xee)),
        ("u16-eight-cut", BrickSize::Eight, sample(VoxelType::U16, dims, inside, 7, 0)),
        ("i16-flat", BrickSize::Flat, sample(VoxelType::I16, long, long, 6, 0)),
        ("f32-cut-nan", BrickSize::Four, sample(VoxelType::F32, dims, inside, 20, 0x7fc0_1234)),
        ("u64-two-words", BrickSize::Eight, sample(VoxelType::U64, dims, inside, 40, 5)),
        (
            "labels-tables",
            BrickSize::Four,
            sample(VoxelType::U16, long, long, 1, 0).with_numbers(|n| n % 7 * 300),
        ),
        (
            "label-bricks",
            BrickSize::Eight,
            sample(VoxelType::U32, long, long, 1, 0).with_numbers(|n| n / 29 % 3 * 70_000),
        ),
        ("rgb", BrickSize::Four, Sample::new(rgb, inside, 1, 4, 255)),
        ("constant", BrickSize::Four, sample(VoxelType::F64, dims, dims, 1, 0).with_numbers(|_| 1 << 63)),
        (
            "constant-cut",
            BrickSize::Eight,
            sample(VoxelType::I32, dims, inside, 1, 9).with_numbers(|n| if n == 9 { 9 } else { 4 }),
        ),
    ]
}

fn compare(name: &str, sample: &Sample, chunk: &[u8]) {
    let dims = sample.shape.dims();
    let (mut found, strides) = room(&sample.shape, &Region::all(dims));
    decode_chunk(chunk, &sample.shape, &mut found, &strides, &Task::new())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(found == sample.voxels, "{name}");
    let sides = [dims.x, dims.y, dims.z];
    let slow = slow_decoder::zarr_chunk::decode(chunk, type_code(sample.shape.voxel_type()), sides);
    assert!(slow == sample.bits(), "the slow decoder: {name}");
}

#[test]
fn chunks_written_once_stay_readable() {
    for (name, brick, sample) in cases() {
        let path = folder().join("chunks").join(name);
        if env::var_os("UPDATE").is_some() && !path.exists() {
            fs::create_dir_all(folder().join("chunks")).unwrap();
            fs::write(&path, sample.encode(brick)).unwrap();
        }
        let chunk = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        compare(name, &sample, &chunk);
    }
}

#[test]
fn the_encoders_bytes_are_those_of_other_machines() {
    let mut found = String::new();
    for (name, brick, sample) in cases() {
        let chunk = sample.encode(brick);
        compare(name, &sample, &chunk);
        writeln!(found, "{:08x} {:6} {name}", crc32c::crc32c(&chunk), chunk.len()).unwrap();
    }
    let path = folder().join("chunks-golden.txt");
    if env::var_os("UPDATE").is_some() {
        fs::write(path, found).unwrap();
        return;
    }
    let golden = fs::read_to_string(path).unwrap();
    assert_eq!(golden, found, "test-data/chunks-golden.txt; UPDATE=1 rewrites it");
}
