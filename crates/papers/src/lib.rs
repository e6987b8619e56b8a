//! The five documents that Brickwork implements, a module for each. Its page says where the parts of the
//! document are: methods of the encoders are in the crates for textures and volumes; kernels, statistics and
//! tables that only the documents have are here.
//!
//! [`mod@bench`] measures: it is the command `brickwork bench papers`.

// Each public enum and struct may grow, or states why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

pub mod bench;
pub mod cuda;
pub mod guthe2016;
pub mod in_place;
mod kernels;
pub mod lsdxt;
mod measure;
pub mod opencl;
mod variant_kernels;
mod wgsl;

pub use kernels::kernels;
