//! Zarr chunks, against the plain array and a decoder written from docs/zarr-codec.md.

mod damage;
mod example;
mod forged;
mod golden;
mod parts;
mod reading;
mod size;

use crate::common;
use brickwork_volume::{
    AnyView, BrickSize, ChunkOptions, ChunkShape, Dims, Region, Strides, Task, VoxelType, encode_chunk,
    with_voxel_type,
};

/// A chunk's voxels, dense, and its fill value.
#[derive(Clone, Debug)]
struct Sample {
    shape: ChunkShape,
    voxels: Vec<u8>,
    fill: u64,
}

impl Sample {
    /// Returns voxels as in real volumes, with padding outside the box `inside`.
    fn new(shape: ChunkShape, inside: Dims, seed: u32, noise_bits: u32, fill: u64) -> Self {
        let dims = shape.dims();
        let long = Dims::new(dims.x * shape.channels(), dims.y, dims.z);
        let voxels = with_voxel_type!(shape.voxel_type(), T => {
            bytemuck::cast_slice(&common::voxels::<T>(long, seed, noise_bits)).to_vec()
        });
        Self { shape, voxels, fill }.padded(inside)
    }

    /// Returns the same with the fill value outside the box `inside`.
    fn padded(mut self, inside: Dims) -> Self {
        let (dims, number_bytes) = (self.shape.dims(), self.shape.voxel_type().byte_count());
        for (i, number) in self.voxels.chunks_exact_mut(number_bytes).enumerate() {
            let (x, y, z) = dims.position(i / self.shape.channels());
            if x >= inside.x || y >= inside.y || z >= inside.z {
                number.copy_from_slice(&self.fill.to_le_bytes()[..number_bytes]);
            }
        }
        self
    }

    /// Returns the same with each number replaced.
    fn with_numbers(mut self, change: impl Fn(u64) -> u64) -> Self {
        let number_bytes = self.shape.voxel_type().byte_count();
        for bytes in self.voxels.chunks_exact_mut(number_bytes) {
            let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
            bytes.copy_from_slice(&change(number).to_le_bytes()[..number_bytes]);
        }
        self
    }

    fn encode(&self, brick: BrickSize) -> Vec<u8> {
        let (voxel_type, dims, channels) =
            (self.shape.voxel_type(), self.shape.dims(), self.shape.channels());
        let view = AnyView::new(&self.voxels, voxel_type, dims, channels).expect("the right length");
        let options = ChunkOptions::new(brick).with(|o| o.fill = self.fill);
        encode_chunk(&view, &options, &Task::new()).expect("memory")
    }

    /// Returns the voxels of a region, dense.
    fn region(&self, region: &Region) -> Vec<u8> {
        let (dims, channels) = (self.shape.dims(), self.shape.channels());
        let voxel_bytes = channels * self.shape.voxel_type().byte_count();
        let mut found = Vec::new();
        for z in region.z.clone() {
            for y in region.y.clone() {
                let row = dims.index(region.x.start, y, z) * voxel_bytes;
                found.extend_from_slice(&self.voxels[row..row + region.x.len() * voxel_bytes]);
            }
        }
        found
    }

    /// Returns the bits of all numbers.
    fn bits(&self) -> Vec<u64> {
        let numbers = self.voxels.chunks_exact(self.shape.voxel_type().byte_count());
        numbers.map(|bytes| bytes.iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte))).collect()
    }
}

/// Returns the code that `.bwv` files have for a type.
fn type_code(voxel_type: VoxelType) -> u8 {
    let names = ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "u64", "i64", "f64", "f16"];
    names.iter().position(|&name| name == voxel_type.name()).expect("a type") as u8
}

/// Returns room for the voxels of a region, and their strides.
fn room(shape: &ChunkShape, region: &Region) -> (Vec<u8>, Strides) {
    let dims = region.dims();
    let byte_count = dims.x * dims.y * dims.z * shape.channels() * shape.voxel_type().byte_count();
    (vec![0xa5; byte_count], Strides::dense(dims, shape.channels()))
}
