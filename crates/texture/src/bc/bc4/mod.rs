//! BC4: one channel, 4×4 texels in 8 bytes. BC5 has two such blocks, and BC3 one for alpha.
//!
//! Layout, little endian: endpoints `r0` and `r1`, a byte each, then 3 bits per texel, the first texel in the
//! lowest bits. With `r0 > r1` there are eight values: r0, r1 and six steps between them; else six: r0, r1,
//! four steps between them, and the least and greatest value of all. Signed endpoints are 127ths; −128 means
//! −127.

mod best;
#[cfg(feature = "gpu")]
mod chain;
mod codec;
mod decode;
mod encode;
mod fit;
mod line;
mod optimal;
mod pack;
mod palette;
#[cfg(feature = "gpu")]
mod params;
mod rdo;
mod rows;

#[cfg(feature = "gpu")]
pub(crate) use chain::{add_steps, chain, kernels};
pub(crate) use codec::{SNORM, UNORM};
pub(crate) use decode::{red, red_green, values};
pub(crate) use palette::ValueRule;
#[cfg(feature = "gpu")]
pub(crate) use params::Channels;
pub(crate) use rdo::AlphaUnit;
pub(crate) use rows::ChannelEncoder;
