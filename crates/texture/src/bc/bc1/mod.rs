//! BC1: RGB with optional 1-bit alpha, 4×4 texels in 8 bytes.
//!
//! Layout, little endian: endpoint `c0` (5-6-5, red in the upper bits), endpoint `c1`, then 2 bits a texel, the
//! first texel in the lowest bits. With `c0 > c1` the palette is c0, c1, (2·c0 + c1)/3, (c0 + 2·c1)/3; else c0,
//! c1, (c0 + c1)/2 and transparent black. How the fractions are rounded differs from decoder to decoder: see
//! [`PaletteRule`].

mod assign;
mod cluster_fit;
mod decode;
mod encode;
mod fit;
#[cfg(feature = "gpu")]
pub(crate) mod kernel;
mod lanes;
pub(crate) mod lsdxt;
mod moves;
mod order;
mod palette;
#[cfg(feature = "gpu")]
mod parts;
mod range_fit;
mod rows;
mod single_color;
mod two_colors;

pub use decode::decode_block;
#[cfg(feature = "gpu")]
pub(crate) use encode::Settings;
pub use palette::PaletteRule;
pub(crate) use rows::RowEncoder;
pub use rows::encode_block;
