//! EAC: one channel, 4×4 texels in 8 bytes. R11 has one such block, RG11 two, and the alpha of ETC2 is one.
//!
//! Layout, big endian: a base of 8 bits, a multiplier and a table of 4 bits each, then 3 bits per texel,
//! column by column, with the first texel in the highest bits. A value is `base + multiplier · modifier` in 8
//! bits, and in 11 bits `8 · base + 4 + 8 · multiplier · modifier` or, signed, `8 · base + 8 · multiplier ·
//! modifier`. Multiplier 0 means 1/8 in 11 bits. Values are clamped. The specification is that of Khronos
//! data formats, 1.4.
//!
//! | file | stage |
//! |---|---|
//! | `kind.rs` | tables; the eight values of a block; sources as values and values as bytes |
//! | `decode.rs` | a block to texels |
//! | `values.rs` | texels in lanes; the error of a candidate, and the base that fits its indices |
//! | `estimate.rs` | the multiplier and the base by the range of the texels |
//! | `encode.rs`, `optimal.rs` | the work of each quality; quality best |
//! | `real_time.rs` | the work of real time, of which `real_time.wgsl` is the twin |
//! | `best.rs`, `pack.rs` | the best candidates; their bytes |
//! | `batch.rs` | bytes and 16-bit texels as values |

mod batch;
mod best;
mod decode;
mod encode;
mod estimate;
mod kind;
mod optimal;
mod pack;
pub(super) mod real_time;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use batch::{bytes, deep, encode_bytes};
pub(crate) use decode::{decoder, indices};
pub(crate) use kind::{ALPHA, Kind, SNORM, UNORM};
pub(crate) use pack::BatchBlocks;
