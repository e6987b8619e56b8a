//! ASTC of low dynamic range: RGBA, 16 bytes for a block of 4×4 to 12×12 texels.
//!
//! Layout of a block as a little-endian number, from bit 0 up: the block mode (size of the weight grid, range
//! of the weights, number of planes), the number of parts, the seed of the partition pattern, endpoint modes,
//! the sequence of the endpoints' integers. From bit 127 down: the sequence of weights, bit by bit, then
//! further bits of endpoint modes and the channel of the second plane. The endpoints' range is the largest
//! that fits between.
//!
//! Colours have two forms. In linear textures (decode mode `unorm8`), endpoints have 16 bits, v·257; in sRGB
//! textures v·256 + 128. After interpolation, the upper 8 bits are the value. The encoder minimises the error
//! of the texture's form (`Form` in `part.rs`).
//!
//! Source: the Khronos Data Format Specification 1.4, section 23 (ASTC).

// | file | stage |
// |---|---|
// | `sequence.rs`, `levels.rs` | integer sequences; values of codes |
// | `header.rs`, `partition.rs`, `endpoints.rs` | the fields of a block; parts of texels; endpoint modes |
// | `decode.rs`, `tests/slow.rs` | a block to texels; the same for tests, as the specification has it |
// | `footprints.rs`, `codec.rs` | the codecs of all footprints; that of 4×4, which has an encoder |
// | `rows.rs`, `pack.rs` | rows of blocks: of one colour at once, others in chunks; a block's bits |
// | `plan.rs`, `groups.rs` | the work of each quality; configurations of blocks |
// | `encode.rs`, `choices.rs` | candidates of many blocks: proposed, fitted, improved, written |
// | `patterns.rs`, `estimate.rs` | distinct partition patterns; the most promising of a block |
// | `jobs.rs` | parts of many blocks, gathered until every lane has one |
// | `real_time/` | encoding in real time, with kernels |
// | `part.rs`, `ranks.rs` | a part in each lane: texels, errors, regression; weights of ranks |
// | `coding.rs` | endpoints to levels and back |
// | `fit.rs` | endpoints of parts: fitted, coded, improved; weights |
//
// A *part* (the specification's *partition*) shares two endpoints. A *group* is a set of configurations with
// the same parts, planes and endpoint modes; its *variants* differ in the range of weights and in whether
// endpoints have offsets. Floats estimate; errors, which decide, are integers.

mod choices;
mod codec;
mod coding;
mod decode;
mod encode;
mod endpoints;
mod estimate;
mod fit;
pub(crate) mod footprints;
mod groups;
mod header;
mod jobs;
mod levels;
mod pack;
mod part;
mod partition;
mod patterns;
mod plan;
mod ranks;
mod real_time;
mod rows;
mod sequence;
#[cfg(test)]
mod tests;

pub(crate) use decode::{BlockKind, block_kind, decode_block};
#[cfg(feature = "gpu")]
pub(crate) use real_time::singles;
