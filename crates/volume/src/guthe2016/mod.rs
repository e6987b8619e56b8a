//! The scheme of Guthe & Goesele, "GPU-based lossless volume data compression" (2016), as printed.
//!
//! A brick of 4×4×4 voxels is its minimum and maximum, and unless they are equal, the values of one of four
//! transforms in RBUC. Equal bricks are stored once. The *offset volume* contains the start of each brick's
//! bytes, in as many bits as the largest start needs. With the second level of indirection, it is itself cut
//! into tiles of 4×4×4 bricks; equal tiles are stored once.
//!
//! Files of this profile are read by every build. The feature `papers` writes them.
//!
//! Choices that the paper leaves open: the transform is in the upper half of the byte of c2; Haar's details
//! stay in the octant of their subband; ties go to the first transform in the order of [`Transform::ALL`];
//! voxels past the volume's edge repeat the edge.

mod brick;
#[cfg(feature = "papers")]
mod compressed;
#[cfg(feature = "papers")]
mod encode;
#[cfg(feature = "papers")]
mod entropy;
mod offsets;
mod rbuc;
mod transform;

pub(crate) use brick::{BrickParts, MAX_BYTES, SIDE, decode_brick, decode_values};
#[cfg(feature = "papers")]
pub use compressed::{Compressed, TransformStatistics};
pub(crate) use offsets::Offsets;
#[cfg(feature = "gpu")]
pub(crate) use rbuc::{MOST_OF_WIDTH, MOST_WIDTH};
#[cfg(any(feature = "gpu", feature = "papers"))]
pub use transform::Transform;
