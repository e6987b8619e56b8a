//! BC5's codecs.

#[cfg(feature = "gpu")]
use crate::bc::bc4::{Channels, chain};
use crate::{
    EncodeOptions, TexelFormat,
    bc::{
        bc4::{ChannelEncoder, ValueRule, deep, optimizer, snorm_decoder, unorm_decoder},
        codec::{Codec, EncoderFamily, RowEncoder},
        real_time::{self, Format},
    },
    simd::AvailableLevel,
};

/// Red, then green.
#[cfg(feature = "gpu")]
const RED_GREEN: Channels = Channels { first: 0, count: 2, block_bytes: 16 };

/// BC5's encoders and decoder, unsigned.
pub(crate) static UNORM: Codec = Codec {
    name: "bc5",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc1ToBc5.encoder(|options, simd, _| {
        rows(options, simd, ValueRule::unorm(options.rounding_rule), real_time::BC5_UNORM)
    }),
    decoder: unorm_decoder::<16>,
    by_alpha: None,
    deep: EncoderFamily::Bc1ToBc5
        .second_pass(|options, simd| deep::<2>(options, simd, ValueRule::unorm(options.rounding_rule))),
    rdo: EncoderFamily::Bc1ToBc5
        .second_pass(|options| optimizer::<2>(options, ValueRule::unorm(options.rounding_rule))),
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|options| match options.real_time {
        Some(level) => real_time::chain(real_time::BC5_UNORM, level, 0),
        None => chain(options, ValueRule::unorm(options.rounding_rule), RED_GREEN),
    }),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc5RgUnorm],
};

/// BC5's encoders and decoder, signed.
pub(crate) static SNORM: Codec = Codec {
    name: "bc5s",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc1ToBc5.encoder(|options, simd, _| {
        rows(options, simd, ValueRule::snorm(options.rounding_rule), real_time::BC5_SNORM)
    }),
    decoder: snorm_decoder::<16>,
    by_alpha: None,
    deep: EncoderFamily::Bc1ToBc5
        .second_pass(|options, simd| deep::<2>(options, simd, ValueRule::snorm(options.rounding_rule))),
    rdo: EncoderFamily::Bc1ToBc5
        .second_pass(|options| optimizer::<2>(options, ValueRule::snorm(options.rounding_rule))),
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|options| match options.real_time {
        Some(level) => real_time::chain(real_time::BC5_SNORM, level, 0),
        None => chain(options, ValueRule::snorm(options.rounding_rule), RED_GREEN),
    }),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc5RgSnorm],
};

fn rows(options: &EncodeOptions, simd: AvailableLevel, rule: ValueRule, format: Format) -> RowEncoder {
    if let Some(level) = options.real_time {
        return real_time::rows(simd, format, level, 0);
    }
    let encoder = ChannelEncoder::new(simd, options, rule);
    RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, 0..2, blocks, 16, task)))
}
