//! From voxels to the bytes of a chunk.

use super::{
    extent::{extent, only_voxel},
    index::{ChunkIndex, IndexContents},
    shape::ChunkShape,
    tail,
};
use crate::{
    AnyView, BrickSize, ShapeError, Strides, Task, Threads, VolumeWriteError, VoxelType,
    file::{FileIndex, encode_parts},
    untyped::{UntypedView, VoxelBuffer},
};

/// Options for encoding a Zarr chunk.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ChunkOptions {
    /// Size of a brick.
    pub brick: BrickSize,
    /// Bits of the array's fill value, in as many low bits as a number has. Zarr pads chunks at the array's
    /// end with it. This padding then takes a few bytes. Default: 0.
    pub fill: u64,
}

impl ChunkOptions {
    /// Returns the options for bricks of this size, and the fill value 0.
    pub const fn new(brick: BrickSize) -> Self {
        Self { brick, fill: 0 }
    }

    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Returns the bytes of a Zarr chunk. They depend on the voxels, the brick size and the fill value alone.
///
/// Works on the calling thread, and reports the bytes encoded. Memory: two to four times that of the voxels,
/// with a copy of those that are not dense, or not aligned for their type.
///
/// ```
/// # use brickwork_volume::*;
/// let voxels: Vec<u16> = (0..24).collect();
/// let shape = ChunkShape::new(VoxelType::U16, Dims::new(4, 3, 2));
/// let view = AnyView::new(bytemuck::cast_slice(&voxels), shape.voxel_type(), shape.dims(), 1)?;
/// let chunk = encode_chunk(&view, &ChunkOptions::new(BrickSize::Eight), &Task::new())?;
///
/// let reader = ChunkReader::new(chunk, &shape)?;
/// let (region, mut line) = (Region { x: 0..4, y: 1..2, z: 1..2 }, [0u16; 4]);
/// let strides = Strides::dense(region.dims(), 1);
/// reader.read_region(&region, bytemuck::cast_slice_mut(&mut line), &strides, &Task::new())?;
/// assert_eq!(line, [16, 17, 18, 19]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`VolumeWriteError::Memory`] and [`VolumeWriteError::Cancelled`].
pub fn encode_chunk(
    voxels: &AnyView<'_>,
    options: &ChunkOptions,
    task: &Task<'_>,
) -> Result<Vec<u8>, VolumeWriteError> {
    let task = &task.with_threads(Threads::Calling);
    let (voxel_type, dims, channels) = (voxels.voxel_type(), voxels.dims(), voxels.channels());
    let shape = ChunkShape::new(voxel_type, dims).with_channels(channels);
    shape.check()?;
    let mut copy = VoxelBuffer::default();
    let dense = match voxels.as_dense() {
        Some(dense) => dense,
        None => {
            voxels.copy_slices(0..dims.z, &mut copy, task)?;
            UntypedView::new(copy.bytes(), voxel_type, dims, channels)?
        }
    };
    let fill = number_bytes(options.fill, voxel_type);
    let mut extent = extent(dense, &fill, task)?;
    if extent.z == 0 {
        // The chunk has one value, the fill value.
        extent = dims;
    }
    let mut chunk = vec![tail::VERSION];
    let contents = match only_voxel(dense, extent, task)? {
        Some(voxel) => IndexContents::Constant(little_endian(voxel, voxel_type)),
        None => {
            let strides = Strides::dense(dims, channels);
            let stored = AnyView::with_strides(dense.bytes(), voxel_type, extent, channels, strides)?;
            let (bytes, index) = encode_parts(&stored, &shape.header(options.brick, extent), task)?;
            append_parts(&bytes, &index, &mut chunk);
            IndexContents::Parts(index, chunk.len() as u64)
        }
    };
    let fill = little_endian(&fill, voxel_type);
    let index = ChunkIndex { brick: options.brick, extent, fill, contents };
    tail::append(&index.to_bytes(&shape), &mut chunk).ok_or(ShapeError::TooLarge(dims))?;
    Ok(chunk)
}

/// Appends the parts in the order of the index.
fn append_parts(bytes: &[u8], index: &FileIndex, chunk: &mut Vec<u8>) {
    let chunks = index.mip_levels.iter().flat_map(|level| &level.chunks).map(|chunk| &chunk.part);
    for part in index.tables.iter().chain(&index.patterns).chain(chunks) {
        let start = part.offset as usize;
        chunk.extend_from_slice(&bytes[start..start + part.byte_count as usize]);
    }
}

/// Returns the bytes of a number as in memory.
fn number_bytes(bits: u64, voxel_type: VoxelType) -> Vec<u8> {
    little_endian(&bits.to_le_bytes()[..voxel_type.byte_count()], voxel_type)
}

/// Changes the bytes of numbers in memory to little-endian ones, or back.
pub(super) fn little_endian(numbers: &[u8], voxel_type: VoxelType) -> Vec<u8> {
    let mut bytes = numbers.to_vec();
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(voxel_type.byte_count()).for_each(<[u8]>::reverse);
    }
    bytes
}
