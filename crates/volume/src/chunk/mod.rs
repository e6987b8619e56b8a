//! Zarr chunks: voxels of an array's chunk in one run of bytes. docs/zarr-codec.md is normative.
//!
//! | data | becomes | in |
//! |---|---|---|
//! | voxels of any strides | dense voxels, the extent, the only value | `encode.rs`, `extent.rs` |
//! | the extent's voxels | parts as in a `.bwv` file | `file/write` |
//! | parts | a chunk: their bytes, then the index | `encode.rs`, `index.rs` |
//! | a chunk's last bytes | the index, the positions of parts | `index.rs`, `tail.rs` |
//! | parts that a region needs | voxels at their places, and the fill value | `reader.rs` |
//!
//! Only the caller's [`ChunkShape`] and the number of bytes bound the memory for reading.

mod encode;
mod error;
mod extent;
mod index;
mod reader;
mod shape;
mod tail;

pub use encode::{ChunkOptions, encode_chunk};
pub use error::ChunkError;
pub use reader::{ChunkReader, decode_chunk};
pub use shape::ChunkShape;
