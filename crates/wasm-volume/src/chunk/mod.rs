//! Chunks of Zarr arrays that the codec `brickwork` has written.

use crate::failure::Failure;
use brickwork_volume::{ChunkReader, ChunkShape, Dims, Region, Strides, SuppliedBytes, Task, VoxelType};

#[cfg(feature = "regions")]
pub mod part;

/// Decodes a chunk: channels fastest, then x, y and z. `voxel_type` is the type's number in
/// [`VoxelType::ALL`].
pub fn decode(bytes: Vec<u8>, voxel_type: u32, dims: Dims, channels: usize) -> Result<Vec<u8>, Failure> {
    let shape = shape_of(voxel_type, dims, channels)?;
    // (`decode_chunk` would link a second reader, of slices.)
    let source = SuppliedBytes::new(bytes.len() as u64);
    source.supply(0, bytes)?;
    read(&ChunkReader::new(source, &shape)?, &Region::all(dims))
}

fn shape_of(voxel_type: u32, dims: Dims, channels: usize) -> Result<ChunkShape, Failure> {
    let voxel_type = VoxelType::ALL.get(voxel_type as usize);
    let voxel_type = *voxel_type.ok_or_else(|| Failure::argument("there is no such type of voxels"))?;
    Ok(ChunkShape::new(voxel_type, dims).with_channels(channels))
}

/// Returns the numbers of a region of a chunk: channels fastest, then x, y and z.
fn read(reader: &ChunkReader<SuppliedBytes>, region: &Region) -> Result<Vec<u8>, Failure> {
    let shape = reader.shape();
    region.check(shape.dims())?;
    let (channels, dims) = (shape.channels(), region.dims());
    let count = dims.number_count(channels)?;
    let memory = || Failure::limit(format!("the memory does not suffice for {count} numbers of a chunk"));
    let byte_count = count.checked_mul(shape.voxel_type().byte_count()).ok_or_else(memory)?;
    let mut voxels = Vec::new();
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
    reader.read_region(region, &mut voxels, &strides, &Task::new())?;
    Ok(voxels)
}
