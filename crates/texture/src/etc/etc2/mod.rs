//! ETC2: colours, 4×4 texels in 8 bytes.
//!
//! A block has one of five modes:
//!
//! - *Individual* and *differential*: two halves, left and right or upper and lower, each with a base colour
//!   and a table of modifiers. A texel is the base colour plus one of four modifiers. Base colours have 4
//!   bits per channel, or 5 bits and, for the second one, a difference of −4 to 3.
//! - *T*: one of a colour, and another colour plus 0 or ± a distance.
//! - *H*: one of two colours ± a distance.
//! - *Planar*: a plane for each channel.
//!
//! With 1-bit alpha, the bit of the individual mode says that the block is opaque. Otherwise, index 2 is
//! transparent black, and the small modifiers are 0.
//!
//! | file | stage |
//! |---|---|
//! | `tables.rs`, `decode.rs` | modifiers and distances; a block to texels |
//! | `texels.rs` | texels in lanes, errors of a half |
//! | `halves.rs`, `planar.rs`, `paint.rs` | the search of each mode; T and H are those with paint colours |
//! | `quick.rs` | halves at once, for every quality and for real time |
//! | `solid.rs` | blocks of one colour |
//! | `encode.rs`, `found.rs` | the work of each quality; the best encoding |
//! | `real_time.rs`, `real_time_paint.rs` | the work of real time, of which `real_time.wgsl` is the twin |
//! | `finish.rs`, `pack.rs` | indices; the bytes of a block |

mod decode;
mod encode;
mod finish;
mod found;
mod halves;
pub(crate) mod pack;
mod paint;
mod planar;
pub(super) mod quick;
pub(super) mod real_time;
mod real_time_paint;
mod solid;
mod tables;
#[cfg(test)]
mod tests;
mod texels;

pub(crate) use decode::{decoder, rgba_decoder};
pub(crate) use encode::encode_batch;
pub(crate) use real_time::encode_batch as encode_batch_in_real_time;
pub(crate) use texels::Weights;
