//! Codec of 4×4 blocks.

use super::{footprints::decode_rows, rows::AstcRowEncoder};
use crate::{
    TexelFormat,
    bc::{Codec, RowDecoder, RowEncoder},
};

/// Codec of 4×4 blocks, which are also encoded.
pub(crate) static CODEC_4X4: Codec = Codec {
    name: "astc-4x4",
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| {
        let encoder = AstcRowEncoder::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, blocks, task)))
    }),
    decoder: |_| RowDecoder::ByColorSpace(decode_rows::<4, 4>),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
};
