//! BC7: RGB with optional alpha, 4×4 texels in 16 bytes.
//!
//! Layout, little endian: as many zero bits as the number of the mode, a one bit, then what `modes.rs` lists:
//! the partition, the rotation, which indices are whose, endpoints channel by channel (red of every endpoint,
//! then green, …), p-bits, indices. Indices of a subset's anchor lack their highest bit, which is 0.
//!
//! Source: the Khronos Data Format Specification 1.4, section 20.

#[cfg(feature = "gpu")]
mod chain;
mod codec;
mod coding;
mod decode;
mod encode;
mod estimate;
mod fit;
mod jobs;
mod line;
mod modes;
mod pack;
#[cfg(feature = "gpu")]
mod params;
mod part;
mod partitions;
mod plan;
mod rdo;
mod real_time;
mod real_time_rows;
mod rows;
mod single_color;

pub use crate::options::{Bc7Options, ModeSet, ModeSetError, RealTime};
#[cfg(feature = "gpu")]
pub(crate) use chain::{kernels, singles};
pub(crate) use codec::CODEC;
pub use decode::block_mode;
pub(crate) use decode::decode_block;
