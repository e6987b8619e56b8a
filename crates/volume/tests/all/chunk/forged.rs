//! Zarr chunks that no encoder writes, with correct checksums. The fuzz target `zarr_chunks` includes this
//! file.

use brickwork_volume::{
    AnyView, BrickSize, ChunkOptions, ChunkReader, ChunkShape, Dims, ErrorKind, Region, Strides, Task,
    VoxelType, encode_chunk,
};

const DIMS: Dims = Dims::new(11, 9, 10);

/// Reads a chunk that a recipe damages: its type, brick and noise, then for each damage an offset in two
/// bytes and the new byte. The chunk has one inner chunk and no tables.
pub fn read(recipe: &[u8]) {
    let Some((&[voxel_type, brick, noise], damages)) = recipe.split_first_chunk::<3>() else { return };
    let shape = ChunkShape::new(VoxelType::ALL[usize::from(voxel_type) % 7], DIMS);
    let brick = BrickSize::ALL[usize::from(brick) % BrickSize::ALL.len()];
    let mut chunk = chunk(&shape, brick, u64::from(noise % 64));
    for &[low, high, value] in damages.as_chunks::<3>().0 {
        let at = usize::from(low) | usize::from(high) << 8;
        let count = chunk.len();
        chunk[at % count] = value;
    }
    correct_checksums(&mut chunk);
    let Ok(reader) = ChunkReader::new(&chunk[..], &shape) else { return };
    let byte_count = DIMS.x * DIMS.y * DIMS.z * shape.voxel_type().byte_count();
    let (region, strides) = (Region::all(DIMS), Strides::dense(DIMS, 1));
    if let Err(error) = reader.read_region(&region, &mut vec![0; byte_count], &strides, &Task::new()) {
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    }
}

fn chunk(shape: &ChunkShape, brick: BrickSize, noise: u64) -> Vec<u8> {
    let mut random = 1u64;
    let number_bytes = shape.voxel_type().byte_count();
    let number = |i: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // One plane is padding, and the values have no gaps.
        let value = if i % DIMS.x == DIMS.x - 1 { 0 } else { 1 + i as u64 % 50 + (random >> noise) };
        value.to_le_bytes().into_iter().take(number_bytes)
    };
    let voxels: Vec<u8> = (0..DIMS.x * DIMS.y * DIMS.z).flat_map(number).collect();
    let view = AnyView::new(&voxels, shape.voxel_type(), DIMS, 1).expect("voxels");
    encode_chunk(&view, &ChunkOptions::new(brick), &Task::new()).expect("memory")
}

/// Writes the checksums of the only part and of the index.
fn correct_checksums(chunk: &mut [u8]) {
    let end = chunk.len();
    let width = usize::from(chunk[end - 1] >> 4).min(4);
    let size_at = end - 1 - width;
    let size = chunk[size_at..end - 1].iter().rev().fold(0, |size, &byte| size << 8 | usize::from(byte));
    let Some(start) = size_at.checked_sub(4 + size).filter(|&start| start > 0 && size >= 4) else { return };
    let crc = crc32c::crc32c(&chunk[1..start]).to_le_bytes();
    chunk[start + size - 4..start + size].copy_from_slice(&crc);
    let crc = crc32c::crc32c(&chunk[start..start + size]).to_le_bytes();
    chunk[start + size..size_at].copy_from_slice(&crc);
}
