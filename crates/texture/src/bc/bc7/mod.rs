//! BC7: RGB with optional alpha, 4×4 texels in 16 bytes.
//!
//! Layout, little endian: as many zero bits as the number of the mode, a one bit, then what `modes.rs` lists:
//! the partition, the rotation, which indices are whose, endpoints channel by channel (red of every endpoint,
//! then green, …), p-bits, indices. Indices of a subset's anchor lack their highest bit, which is 0.
//!
//! Source: the Khronos Data Format Specification 1.4, section 20.

// | file | stage |
// |---|---|
// | `modes.rs`, `partitions.rs` | the contents of the eight modes; the subset of each texel |
// | `decode.rs`, `pack.rs`, `codec.rs` | a block to texels; endpoints and indices to a block; the codec |
// | `rows.rs` | a row of blocks: blocks of one colour (`single_color.rs`) at once, the others by the chunk |
// | `plan.rs` | the candidates of each quality |
// | `encode.rs` | candidates of a chunk of blocks: proposed, fitted, compared, improved, written |
// | `encode/best.rs`, `fit/both.rs` | the blocks of best with fewer fits; two efforts in one fit |
// | `estimate.rs` | the most promising partitions |
// | `jobs.rs` | parts of many blocks, gathered until every lane has one |
// | `part.rs`, `line.rs`, `coding.rs` | a part in each lane: texels, line between endpoints, coding |
// | `fit.rs` | endpoints of parts: regressions from several starts, steps of codes; indices |
// | `real_time.rs`, `real_time_rows.rs` | real time: mode 6, a block in each lane |
// | `real_time_two.rs`, `moments.rs` | real time: mode 1; the line through texels |
// | `rdo.rs` | rate–distortion optimisation |
// | `by_alpha.rs`, `by_alpha_fit.rs` | weights by alpha: search; fits |
// | `by_alpha_index.rs`, `by_alpha_rank.rs` | … indices of weighted texels; ranked partitions |
// | `chain.rs`, `params.rs` | the kernels in order; their parameters |
//
// A *part* shares two endpoints: a subset's texels, or a block's colours or alpha if these have separate
// indices. Lanes have parts, not blocks: blocks try different modes, but all parts with the same coding take
// the same steps. A product that is not an integer below 2²⁴ is rounded separately and never part of a sum
// that a compiler might fuse (`keep` in WGSL).
//
// Kernels: `propose.wgsl` → `fit.wgsl` (first candidates) → `rank.wgsl` (a workgroup per block, a thread per
// partition) → `fit.wgsl` (the others, a thread per part) → `choose.wgsl`, `climb.wgsl` (from high on) →
// `finish.wgsl`; at best twice, for the plans of best and of high. In real time
// `real_time_one.wgsl` or `real_time_two.wgsl` alone.

mod by_alpha;
mod by_alpha_fit;
mod by_alpha_index;
mod by_alpha_rank;
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
pub(crate) mod modes;
pub(in crate::bc) mod moments;
mod pack;
#[cfg(feature = "gpu")]
mod params;
mod part;
pub(crate) mod partitions;
mod plan;
mod rdo;
mod real_time;
mod real_time_rows;
pub(in crate::bc) mod real_time_two;
mod rows;
mod single_color;

pub use crate::options::{Bc7Options, ModeSet, ModeSetError};
#[cfg(feature = "gpu")]
pub(crate) use chain::{kernels, singles};
pub(crate) use codec::CODEC;
pub(crate) use decode::{Bits, decode_block, indices};
pub use decode::{block_endpoints, block_mode};
