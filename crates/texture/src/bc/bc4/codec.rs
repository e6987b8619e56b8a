//! BC4's codecs.

use super::{ChannelEncoder, ValueRule, red};
#[cfg(feature = "gpu")]
use super::{Channels, chain};
use crate::{
    TexelFormat,
    bc::codec::{Codec, RowEncoder, for_rounding_rule, row_decoder},
};

/// The red channel alone.
#[cfg(feature = "gpu")]
const RED: Channels = Channels { first: 0, count: 1, block_bytes: 8 };

/// BC4's encoders and decoder, unsigned.
pub(crate) static UNORM: Codec = Codec {
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| {
        let encoder = ChannelEncoder::new(simd, options, ValueRule::unorm(options.rounding_rule));
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, 0..1, blocks, 8, task)))
    }),
    decoder: |rounding| {
        for_rounding_rule!(rounding, ROUNDING => {
            row_decoder(|block| red(block, &const { ValueRule::unorm(ROUNDING) }))
        })
    },
    by_alpha: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: Some(|options, _| chain(options, ValueRule::unorm(options.rounding_rule), RED)),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc4RUnorm],
};

/// BC4's encoders and decoder, signed.
pub(crate) static SNORM: Codec = Codec {
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| {
        let encoder = ChannelEncoder::new(simd, options, ValueRule::SNORM);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, 0..1, blocks, 8, task)))
    }),
    decoder: |_| row_decoder(|block| red(block, &ValueRule::SNORM)),
    by_alpha: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: Some(|options, _| chain(options, ValueRule::SNORM, RED)),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc4RSnorm],
};
