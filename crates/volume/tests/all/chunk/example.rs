//! The example of docs/zarr-codec.md, byte for byte.

use super::{Sample, room, type_code};
use crate::{example_in_hex::printed, slow_decoder};
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

#[test]
fn the_example_of_the_specification_is_what_is_written() {
    let sample = sample();
    let printed = printed(include_str!("../../../../../docs/zarr-codec.md"), "## 6. An example");
    let chunk = sample.encode(BrickSize::Four);
    assert!(chunk == printed, "written is {chunk:02X?}");
    let (mut found, strides) = room(&sample.shape, &Region::all(sample.shape.dims()));
    decode_chunk(&printed, &sample.shape, &mut found, &strides, &Task::new()).expect("the example");
    assert!(found == sample.voxels);
    assert!(slow_decoder::zarr_chunk::decode(&printed, type_code(VoxelType::U8), [8, 4, 4]) == sample.bits());
}
