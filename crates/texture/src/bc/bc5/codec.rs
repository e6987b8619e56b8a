//! BC5's codecs.

#[cfg(feature = "gpu")]
use crate::bc::bc4::{Channels, chain};
use crate::{
    EncodeOptions, TexelFormat,
    bc::{
        bc4::{ChannelEncoder, ValueRule, red_green},
        codec::{Codec, RowEncoder, for_rounding_rule, row_decoder},
    },
    simd::AvailableLevel,
};

/// Red, then green.
#[cfg(feature = "gpu")]
const RED_GREEN: Channels = Channels { first: 0, count: 2, block_bytes: 16 };

/// BC5's encoders and decoder, unsigned.
pub(crate) static UNORM: Codec = Codec {
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, ValueRule::unorm(options.rounding_rule))),
    decoder: |rounding| {
        for_rounding_rule!(rounding, ROUNDING => {
            row_decoder(|block| red_green(block, &const { ValueRule::unorm(ROUNDING) }))
        })
    },
    by_alpha: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: Some(|options, _| chain(options, ValueRule::unorm(options.rounding_rule), RED_GREEN)),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc5RgUnorm],
};

/// BC5's encoders and decoder, signed.
pub(crate) static SNORM: Codec = Codec {
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, ValueRule::SNORM)),
    decoder: |_| row_decoder(|block| red_green(block, &ValueRule::SNORM)),
    by_alpha: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: Some(|options, _| chain(options, ValueRule::SNORM, RED_GREEN)),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc5RgSnorm],
};

fn rows(options: &EncodeOptions, simd: AvailableLevel, rule: ValueRule) -> RowEncoder {
    let encoder = ChannelEncoder::new(simd, options, rule);
    RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, 0..2, blocks, 16, task)))
}
