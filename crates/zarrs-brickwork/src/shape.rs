//! Shapes and types of Zarr as those of volumes.

use brickwork_volume::{ChunkShape, Dims, Region, VoxelType};
use std::num::NonZeroU64;
use zarrs::{
    array::{ArraySubsetTraits, CodecError, DataType},
    plugin::ExtensionName as _,
};

/// Returns the shape of a chunk: its last three axes are z, y and x; others have one element.
pub(crate) fn chunk_shape(shape: &[NonZeroU64], data_type: &DataType) -> Result<ChunkShape, CodecError> {
    let sides: Vec<u64> = shape.iter().map(|side| side.get()).collect();
    Ok(ChunkShape::new(voxel_type(data_type)?, dims(&sides)?))
}

/// Returns the region of a subset of such a chunk.
pub(crate) fn region(subset: &dyn ArraySubsetTraits) -> Result<Region, CodecError> {
    let (start, end) = (subset.start(), subset.end_exc());
    let range = |axis: usize| {
        let at = start.len().checked_sub(1 + axis);
        at.map_or(Ok(0..1), |at| Ok::<_, CodecError>(side(start[at])?..side(end[at])?))
    };
    Ok(Region { x: range(0)?, y: range(1)?, z: range(2)? })
}

/// Returns the type of voxels of a data type.
fn voxel_type(data_type: &DataType) -> Result<VoxelType, CodecError> {
    let name = data_type.name_v3().unwrap_or_default();
    Ok(match &*name {
        "uint8" => VoxelType::U8,
        "int8" => VoxelType::I8,
        "uint16" => VoxelType::U16,
        "int16" => VoxelType::I16,
        "uint32" => VoxelType::U32,
        "int32" => VoxelType::I32,
        "float32" => VoxelType::F32,
        "uint64" => VoxelType::U64,
        "int64" => VoxelType::I64,
        "float64" => VoxelType::F64,
        "float16" => VoxelType::F16,
        _ => return Err(CodecError::UnsupportedDataType(data_type.clone(), "brickwork".into())),
    })
}

fn dims(sides: &[u64]) -> Result<Dims, CodecError> {
    let (others, last) = sides.split_at(sides.len().saturating_sub(3));
    if others.iter().any(|&side| side != 1) {
        let text = format!("codec brickwork: chunks of {sides:?}: all axes except the last three must be 1");
        return Err(CodecError::Other(text));
    }
    let from_last = |axis: usize| last.iter().rev().nth(axis).map_or(Ok(1), |&voxels| side(voxels));
    Ok(Dims::new(from_last(0)?, from_last(1)?, from_last(2)?))
}

fn side(voxels: u64) -> Result<usize, CodecError> {
    usize::try_from(voxels).map_err(|_| CodecError::Other(format!("codec brickwork: a side of {voxels}")))
}
