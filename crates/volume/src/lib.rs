//! Lossless compression of volumes in bricks, with random access to each brick.
//!
//! A volume is cut into *bricks* of 4×4×4 voxels (or 8×8×8). Each is predicted, coded and found again on its own.

mod bits;
mod dims;
mod error;
pub mod guthe2016;
mod view;
mod voxel;

pub use dims::{Dims, Region, Spacing};
pub use error::{DecodeError, ShapeError};
pub use view::VolumeView;
pub use voxel::{Voxel, VoxelType};
