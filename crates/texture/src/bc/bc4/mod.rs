//! BC4: one channel, 4×4 texels in 8 bytes. BC5 consists of two such blocks; BC3 has one for alpha.
//!
//! Layout, little endian: endpoints `r0` and `r1`, a byte each, then 3 bits per texel, with the first texel
//! in the lowest bits. If `r0 > r1`, there are eight values: r0, r1 and six steps between them. Otherwise
//! there are six: r0, r1 and four steps between them; the last two indices mean the smallest and the largest
//! value of the format. Signed endpoints are 127ths; −128 means −127.
//!
//! Errors are those of values that are not rounded, as Direct3D and Khronos define them, or of values rounded
//! to 8 bits: `palette.rs` has the rules. BC3's alpha is always rounded.
//!
//! | file | stage |
//! |---|---|
//! | `palette.rs` | the eight values of a block by each rule, in integers |
//! | `nvidia.rs` | the eight values as NVIDIA GPUs decode them |
//! | `refit.rs` | rule nvidia: endpoints and indices for these values, after the search |
//! | `decode.rs`, `codec.rs` | a block to values; the format's codec |
//! | `rows.rs` | a row of blocks: sixteen at a time, transposed, one per lane |
//! | `line.rs` | the values as points of a line: the nearest one and its error, in exact floats |
//! | `cost.rs` | squared errors, exact |
//! | `fit.rs`, `encode.rs` | endpoints by least squares and their error; the work of each quality |
//! | `best.rs`, `pack.rs` | the best encoding of each lane; its bytes |
//! | `optimal.rs`, `error_tables.rs` | quality best: the endpoints with the smallest error |
//! | `deep.rs` | 16-bit sources, on the CPU for either encoder |
//! | `rdo.rs` | rate–distortion optimisation of BC4 and BC5, and of the alpha of BC3 |
//! | `chain.rs`, `params.rs` | the kernels in order; their parameters |
//!
//! `optimal.rs` has candidates, not blocks, in lanes: the length of its search differs from block to block.
//! Kernels have one thread per channel of a block: `quick.wgsl`, or `search.wgsl` → `optimal.wgsl` (best) →
//! `finish.wgsl`, then `refit.wgsl` by the rule nvidia. BC2 and BC3 run the kernels of alpha before those of
//! BC1.

mod best;
#[cfg(feature = "gpu")]
mod chain;
mod codec;
mod cost;
mod decode;
mod deep;
mod encode;
mod error_tables;
mod fit;
mod line;
pub(crate) mod nvidia;
mod optimal;
#[cfg(test)]
mod oracle;
mod pack;
mod palette;
#[cfg(feature = "gpu")]
mod params;
mod rdo;
mod refit;
#[cfg(test)]
mod refit_tests;
mod rows;

#[cfg(feature = "gpu")]
pub(crate) use chain::{add_steps, chain, kernels};
pub(crate) use codec::{SNORM, UNORM};
pub(crate) use decode::{snorm_decoder, unorm_decoder, values};
pub(crate) use deep::deep;
pub(crate) use palette::ValueRule;
#[cfg(feature = "gpu")]
pub(crate) use params::Channels;
pub(crate) use rdo::{ChannelUnit, optimizer};
pub(crate) use rows::ChannelEncoder;
