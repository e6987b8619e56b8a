//! Chunks of Zarr arrays that the codec `brickwork` has written.

use crate::failure::Failure;
use brickwork_volume::{ChunkShape, Dims, Strides, Task, VoxelType, decode_chunk};

/// Decodes a chunk: channels fastest, then x, y and z. `voxel_type` is the type's number in
/// [`VoxelType::ALL`].
pub fn decode(bytes: &[u8], voxel_type: u32, dims: Dims, channels: usize) -> Result<Vec<u8>, Failure> {
    let voxel_type = VoxelType::ALL.get(voxel_type as usize);
    let voxel_type = *voxel_type.ok_or_else(|| Failure::argument("there is no such type of voxels"))?;
    let shape = ChunkShape::new(voxel_type, dims).with_channels(channels);
    let count = dims.number_count(channels)?;
    let byte_count = count.checked_mul(voxel_type.byte_count());
    let memory = || Failure::limit(format!("the memory does not suffice for a chunk of {count} numbers"));
    let mut voxels = Vec::new();
    let byte_count = byte_count.ok_or_else(memory)?;
    voxels.try_reserve_exact(byte_count).map_err(|_| memory())?;
    voxels.resize(byte_count, 0);
    let row = channels * dims.x;
    let strides = Strides {
        first: 0,
        channel: 1,
        x: channels as isize,
        y: row as isize,
        z: (row * dims.y) as isize,
        frame: 0,
    };
    decode_chunk(bytes, &shape, &mut voxels, &strides, &Task::new())?;
    Ok(voxels)
}
