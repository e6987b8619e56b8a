//! The default profile's coder: a brick of 4³, 8³ or 16×16×1 values to bits and back.
//!
//! A brick's values are what is left when its minimum is taken off: 0..=range. Minimum and range stand in the
//! superblock. The bits of a brick are a *header*, *bit planes* and *remainders* (docs/volume-format.md is
//! normative).
//!
//! Everything is laid out so that 32 lanes can work on one brick: a voxel's unary bits lie in bit planes,
//! where its place is a count of bits below a mask, and its remainder lies at a place known from its group's
//! Rice level.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod codes;
pub(crate) mod decode;
pub(crate) mod encode;
mod header;
pub(crate) mod inspect;
mod limits;
pub(crate) mod narrow;
mod order;
pub(crate) mod packed;
mod plan;
pub(crate) mod predict;
pub(crate) mod rice_level;
mod shape;
mod wavefront;

pub(crate) use limits::{GROUP, MAX_NARROW, PADDING};
#[cfg(feature = "gpu")]
pub(crate) use limits::{MAX_ONES, WIDE};
pub use shape::BrickSize;
pub(crate) use shape::{BrickBox, MOST_VOXELS};

#[cfg(test)]
mod tests;
