//! BC4's codecs.

use super::{
    ChannelEncoder, ValueRule,
    decode::{snorm_decoder, unorm_decoder},
    deep, optimizer,
};
#[cfg(feature = "gpu")]
use super::{Channels, chain};
use crate::{
    EncodeOptions, TexelFormat,
    bc::{
        codec::{Codec, EncoderFamily, RowEncoder},
        real_time::{self, Format},
    },
    simd::AvailableLevel,
};

/// The red channel alone.
#[cfg(feature = "gpu")]
const RED: Channels = Channels { first: 0, count: 1, block_bytes: 8 };

/// BC4's encoders and decoder, unsigned.
pub(crate) static UNORM: Codec = Codec {
    name: "bc4",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc1ToBc5.encoder(|options, simd, _| {
        rows(options, simd, ValueRule::unorm(options.rounding_rule), real_time::BC4_UNORM)
    }),
    decoder: unorm_decoder::<8>,
    by_alpha: None,
    deep: EncoderFamily::Bc1ToBc5
        .second_pass(|options, simd| deep::<1>(options, simd, ValueRule::unorm(options.rounding_rule))),
    rdo: EncoderFamily::Bc1ToBc5
        .second_pass(|options| optimizer::<1>(options, ValueRule::unorm(options.rounding_rule))),
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|options| match options.real_time {
        Some(level) => real_time::chain(real_time::BC4_UNORM, level, 0),
        None => chain(options, ValueRule::unorm(options.rounding_rule), RED),
    }),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc4RUnorm],
};

/// BC4's encoders and decoder, signed.
pub(crate) static SNORM: Codec = Codec {
    name: "bc4s",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc1ToBc5.encoder(|options, simd, _| {
        rows(options, simd, ValueRule::snorm(options.rounding_rule), real_time::BC4_SNORM)
    }),
    decoder: snorm_decoder::<8>,
    by_alpha: None,
    deep: EncoderFamily::Bc1ToBc5
        .second_pass(|options, simd| deep::<1>(options, simd, ValueRule::snorm(options.rounding_rule))),
    rdo: EncoderFamily::Bc1ToBc5
        .second_pass(|options| optimizer::<1>(options, ValueRule::snorm(options.rounding_rule))),
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|options| match options.real_time {
        Some(level) => real_time::chain(real_time::BC4_SNORM, level, 0),
        None => chain(options, ValueRule::snorm(options.rounding_rule), RED),
    }),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc4RSnorm],
};

fn rows(options: &EncodeOptions, simd: AvailableLevel, rule: ValueRule, format: Format) -> RowEncoder {
    if let Some(level) = options.real_time {
        return real_time::rows(simd, format, level, 0);
    }
    let encoder = ChannelEncoder::new(simd, options, rule);
    RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, 0..1, blocks, 8, task)))
}
