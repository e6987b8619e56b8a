//! Axes and chunks of the arrays that are written.

use brickwork_volume::{BrickSize, Dims, Header};
use std::sync::Arc;
use zarrs::{
    array::{ArrayBuilder, FillValue},
    metadata::v3::MetadataV3,
};
use zarrs_brickwork::BrickworkCodec;

/// Returns the names of the axes.
pub fn axis_names(header: &Header) -> Vec<&'static str> {
    let first = [("t", header.frames > 1), ("c", header.channels > 1)];
    let first = first.into_iter().filter_map(|(name, is_there)| is_there.then_some(name));
    first.chain(["z", "y", "x"]).collect()
}

/// Returns a number for each axis of an array.
pub fn along<T>(header: &Header, frames: T, channels: T, [x, y, z]: [T; 3]) -> Vec<T> {
    let first = [(frames, header.frames > 1), (channels, header.channels > 1)];
    let first = first.into_iter().filter_map(|(number, is_there)| is_there.then_some(number));
    first.chain([z, y, x]).collect()
}

/// Returns the array of a level with chunks and files of these dims.
pub fn builder(header: &Header, chunk: Dims, file: Dims, brick: BrickSize) -> ArrayBuilder {
    let sides = |dims: Dims| [dims.x as u64, dims.y as u64, dims.z as u64];
    let shape = along(header, header.frames as u64, header.channels as u64, sides(header.dims));
    let data_type = MetadataV3::new(header.voxel_type.numpy_name());
    let fill = FillValue::new(vec![0; header.voxel_type.byte_count()]);
    let mut builder = ArrayBuilder::new(shape, along(header, 1, 1, sides(file)), data_type, fill);
    builder.array_to_bytes_codec(Arc::new(BrickworkCodec::new(brick)));
    if file != chunk {
        builder.subchunk_shape(Some(along(header, 1, 1, sides(chunk))));
    }
    builder.dimension_names(Some(axis_names(header)));
    builder
}
