//! BC1: RGB with optional 1-bit alpha, 4×4 texels in 8 bytes.
//!
//! Layout, little endian: endpoint `c0` (5-6-5, red in the upper bits), endpoint `c1`, then 2 bits per texel,
//! the first texel in the lowest bits. With `c0 > c1` the palette is c0, c1, (2·c0 + c1)/3, (c0 + 2·c1)/3;
//! else c0, c1, (c0 + c1)/2 and transparent black. How the fractions are rounded differs from decoder to
//! decoder: see [`PaletteRule`].

mod assign;
mod best;
mod by_alpha;
#[cfg(feature = "gpu")]
mod chain;
mod climb;
mod cluster_fit;
#[cfg(feature = "gpu")]
mod clusterings;
mod codec;
mod context;
mod decode;
mod descend;
mod distinct;
mod encode;
mod fit;
mod lanes;
mod moves;
mod other_axes;
mod pack;
mod palette;
#[cfg(feature = "papers")]
mod papers;
#[cfg(feature = "gpu")]
mod params;
mod range_fit;
mod ranks;
mod rdo;
mod reindex;
mod rows;
mod settings;
mod shares;
mod single_color;
#[cfg(feature = "gpu")]
mod stage;
mod two_colors;
mod two_values;

pub use crate::options::{Bc1Options, Method};
#[cfg(feature = "papers")]
pub use crate::options::{ClusterFitVariant, LsdxtVariant};
pub(crate) use by_alpha::AlphaWeigher;
#[cfg(feature = "gpu")]
pub(crate) use chain::{color_chain, kernels};
pub(crate) use codec::CODEC;
pub use codec::encode_block;
pub(crate) use decode::colors;
pub use decode::decode_block;
pub use palette::PaletteRule;
pub(crate) use rdo::ColorUnit;
pub(crate) use rows::ColorEncoder;
