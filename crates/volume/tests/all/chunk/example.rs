//! The example of docs/zarr-codec.md, byte for byte.

use super::{Sample, room, type_code};
use crate::slow_decoder;
use brickwork_volume::{BrickSize, ChunkShape, Dims, Region, Task, VoxelType, decode_chunk};

fn sample() -> Sample {
    let dims = Dims::new(8, 4, 4);
    let mut sample = Sample::new(ChunkShape::new(VoxelType::U8, dims), Dims::new(6, 4, 4), 1, 0, 0);
    for (i, voxel) in sample.voxels.iter_mut().enumerate() {
        let (x, y, z) = dims.position(i);
        *voxel = match x {
            0..4 => 7,
            4..6 => (20 + 3 * x + y * y + z) as u8,
            _ => 0,
        };
    }
    sample
}

/// Returns the bytes of the table under "An example".
fn printed() -> Vec<u8> {
    let text = include_str!("../../../../../docs/zarr-codec.md");
    let (_, example) = text.split_once("## 6. An example").expect("the section");
    let (example, _) = example.split_once("\n## ").expect("a section after it");
    let mut bytes = Vec::new();
    for row in example.lines().filter(|line| line.matches('|').count() == 4) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let Ok(at) = cells[1].parse::<usize>() else { continue };
        assert_eq!(at, bytes.len(), "{row}");
        bytes.extend(cells[2].split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("hex")));
    }
    bytes
}

#[test]
fn the_example_of_the_specification_is_what_is_written() {
    let (sample, printed) = (sample(), printed());
    let chunk = sample.encode(BrickSize::Four);
    assert!(chunk == printed, "written is {chunk:02X?}");
    let (mut found, strides) = room(&sample.shape, &Region::all(sample.shape.dims()));
    decode_chunk(&printed, &sample.shape, &mut found, &strides, &Task::new()).expect("the example");
    assert!(found == sample.voxels);
    assert!(slow_decoder::zarr_chunk::decode(&printed, type_code(VoxelType::U8), [8, 4, 4]) == sample.bits());
}
