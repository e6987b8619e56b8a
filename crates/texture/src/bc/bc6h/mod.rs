//! BC6H: RGB half floats, unsigned (UF16) or signed (SF16), 4×4 texels in 16 bytes.
//!
//! Layout, little-endian: the prefix that selects the mode, the bits of the endpoints in the order in
//! `modes.rs`, the partition if there are two subsets, then the indices. The indices of anchors are stored
//! without their highest bit, which is 0. Partitions, anchors and weights are those of BC7.
//!
//! Values are the bit patterns of half floats as integers: endpoints are interpolated between patterns, not
//! between numbers.
//!
//! Source: the Khronos Data Format Specification 1.4, section 20.2.

// | file | stage |
// |---|---|
// | `modes.rs` | the fields of the fourteen modes |
// | `decode.rs`, `pack.rs`, `codec.rs` | a block to texels; codes and indices to a block; the codecs |
// | `rows.rs` | a row of blocks, gathered into batches, a block in each lane |
// | `plan.rs` | the stages of each quality |
// | `encode.rs` | candidates of a batch, stage by stage |
// | `kind.rs`, `level.rs` | the sign of halves and the kind of errors; logarithmic errors |
// | `texels.rs` | texels and subsets, a block in each lane |
// | `coding.rs`, `candidate.rs` | codes of endpoints and their values; what a block may get |
// | `moments.rs`, `rank.rs` | principal axes; the most promising partitions |
// | `assign.rs` | indices for endpoints, with their errors or the sums for least squares |
// | `fit.rs` | endpoints of a partition: from several starts, by least squares, as codes of several modes |
// | `descend.rs` | steps of codes |
// | `real_time*.rs` | real time: texels and lines, one subset, two |
// | `chain.rs`, `params.rs` | kernels in order; their parameters and tables |
//
// | kernel | stage, for each block |
// |---|---|
// | `texels.wgsl` | finite values of texels, and the middle of their ranges |
// | `rank.wgsl` | the most promising partitions |
// | `fit.wgsl` | candidates: a fit of one subset or of a partition from one start |
// | `improve.wgsl` | the best of several candidates |
// | `descend.wgsl` | steps of a candidate's codes |
// | `finish.wgsl` | indices of the best candidate, and the block |
// | `real_time_one.wgsl`, `real_time_two.wgsl` | in real time: the block, from its texels |
//
// Numbers in lanes are bit patterns of halves and the 16-bit values between which the format interpolates:
// integers below 2¹⁷, whose interpolation is exact in floats. Squared errors reach 2³⁰ and are rounded:
// products are separate from sums, in a fixed order, so that every instruction set rounds alike. A candidate
// replaces another only if its error is smaller by more than the rounding of both, so no quality loses to a
// lower one. Kernels keep this order, and correct their quotients to those of IEEE 754 (`numbers.wgsl`).
//
// By default, errors of unsigned blocks are those of bit patterns. Those of signed blocks are logarithmic
// (`level.rs`), with weights of texels and channels in the regression.

mod assign;
mod candidate;
#[cfg(feature = "gpu")]
mod chain;
mod codec;
mod coding;
mod decode;
mod descend;
mod encode;
mod fit;
mod kind;
mod level;
mod modes;
mod moments;
mod pack;
#[cfg(feature = "gpu")]
mod params;
mod plan;
#[cfg(all(test, feature = "gpu"))]
mod quotient_tests;
mod rank;
mod real_time;
mod real_time_line;
mod real_time_two;
mod rows;
mod texels;

pub use crate::options::{Bc6hMetric, Bc6hOptions};
#[cfg(feature = "gpu")]
pub(crate) use chain::kernels;
pub(crate) use codec::{SFLOAT, UFLOAT};
pub use decode::{block_endpoints, block_mode};
