//! Encodes the voxels of a Zarr chunk, and reads a window of it from few bytes:
//! `cargo run --example zarr_chunk`

use brickwork_volume::{
    AnyView, BrickSize, ChunkError, ChunkOptions, ChunkReader, ChunkShape, Dims, Region, Strides, Task,
    VolumeWriteError, VoxelType, bytemuck, encode_chunk,
};

/// Returns a chunk of 128³ voxels at the end of an array, whose last 40 slices are padding.
fn chunk(shape: &ChunkShape) -> Result<Vec<u8>, VolumeWriteError> {
    let dims = shape.dims();
    let voxel = |i: usize| {
        let (x, y, z) = dims.position(i);
        if z < dims.z - 40 { (x * x + 3 * y * z) as u16 } else { 0 }
    };
    let voxels: Vec<u16> = (0..dims.x * dims.y * dims.z).map(voxel).collect();
    let view = AnyView::new(bytemuck::cast_slice(&voxels), shape.voxel_type(), dims, 1)?;
    encode_chunk(&view, &ChunkOptions::new(BrickSize::Eight).with(|o| o.fill = 0), &Task::new())
}

/// Returns the number of bytes read, and the voxels of a window.
fn window(stored: &[u8], shape: &ChunkShape, region: &Region) -> Result<(usize, Vec<u16>), ChunkError> {
    // An object store returns the last 4 KiB, and then ranges of bytes.
    let last = stored[stored.len().saturating_sub(4096)..].to_vec();
    let mut byte_count = last.len();
    let reader = ChunkReader::from_suffix(last, shape)?;
    for range in reader.ranges(region)? {
        byte_count += (range.end - range.start) as usize;
        reader.supply(range.start, &stored[range.start as usize..range.end as usize])?;
    }
    let (dims, mut voxels) = (region.dims(), vec![0; region.dims().voxel_count()?]);
    let strides = Strides::dense(dims, 1);
    reader.read_region(region, bytemuck::cast_slice_mut(&mut voxels), &strides, &Task::new())?;
    Ok((byte_count, voxels))
}

fn read() -> Result<String, Box<dyn std::error::Error>> {
    let shape = ChunkShape::new(VoxelType::U16, Dims::cube(128));
    let stored = chunk(&shape)?;
    let region = Region { x: 3..5, y: 2..3, z: 1..2 };
    let (byte_count, voxels) = window(&stored, &shape, &region)?;
    let is_part = byte_count < stored.len() / 2;
    Ok(format!("{voxels:?} from a part of the bytes: {is_part}"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", read()?);
    Ok(())
}

#[test]
fn it_reads_the_window() {
    assert_eq!(read().unwrap(), "[15, 22] from a part of the bytes: true");
}
