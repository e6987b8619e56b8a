//! Codecs of colours.

use super::etc2;
use crate::{
    TexelFormat,
    bc::{Codec, RowDecoder},
};

/// RGB.
pub(crate) static RGB: Codec = codec("etc2", 8, |_| etc2::decoder::<false>());
/// RGB with 1-bit alpha.
pub(crate) static RGB_A1: Codec = codec("etc2-a1", 8, |_| etc2::decoder::<true>());
/// RGB with alpha.
pub(crate) static RGBA: Codec = codec("etc2-a8", 16, |_| etc2::rgba_decoder());

const fn codec(
    name: &'static str,
    block_bytes: usize,
    decoder: fn(crate::RoundingRule) -> RowDecoder,
) -> Codec {
    Codec {
        name,
        extent: [4, 4],
        block_bytes,
        texels: TexelFormat::Rgba8,
        rows: None,
        decoder,
        by_alpha: None,
        deep: None,
        rdo: None,
        #[cfg(feature = "gpu")]
        chain: None,
        #[cfg(feature = "gpu")]
        texture_formats: &[],
    }
}
