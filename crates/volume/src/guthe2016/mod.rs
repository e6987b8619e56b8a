//! The scheme of Guthe & Goesele, "GPU-based lossless volume data compression" (2016), as printed.
//!
//! A brick of 4×4×4 voxels is its minimum and maximum, and unless they are equal, the values of one of four
//! transforms in RBUC. Equal bricks are stored once. The *offset volume* contains the start of each brick's
//! bytes, in as many bits as the largest start needs. With the second level of indirection, it is itself cut
//! into tiles of 4×4×4 bricks; equal tiles are stored once.
//!
//! It is the profile guthe2016 of `.bwv` files (`file/guthe2016.rs`, docs/volume-format.md).
//!
//! Choices that the paper leaves open: the transform is in the upper half of the byte of c2; Haar's details
//! stay in the octant of their subband; ties go to the first transform in the order of [`Transform::ALL`];
//! voxels past the volume's edge repeat the edge.

mod brick;
mod compressed;
mod encode;
mod offsets;
mod rbuc;
mod transform;

pub(crate) use brick::{BrickParts, MAX_BYTES, SIDE, decode_brick, decode_values};
pub use compressed::{CodedBrick, Compressed};
pub(crate) use offsets::Offsets;
#[cfg(feature = "gpu")]
pub(crate) use rbuc::{MOST_OF_WIDTH, MOST_WIDTH};
pub use transform::Transform;
