//! Codecs of the formats. GPUs encode them in real time only.

#[cfg(feature = "gpu")]
use super::chain::chain;
use super::{
    eac::{self, Kind, SNORM, UNORM},
    effort::Effort,
    etc2,
    formats::{self, Format},
    rows::EtcRowEncoder,
};
#[cfg(feature = "gpu")]
use crate::bc::codec::CodecKernels;
use crate::{
    EncodeOptions, TexelFormat,
    bc::codec::{Codec, EncoderFamily, RowEncoder},
    simd::AvailableLevel,
};
#[cfg(feature = "gpu")]
use brickwork_gpu::wgpu::TextureFormat;

/// Colours without alpha.
pub(crate) static RGB: Codec = Codec {
    name: formats::RGB.name,
    family: EncoderFamily::Etc,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Etc.encoder(|options, simd, _| rows(options, simd, formats::RGB)),
    decoder: |_| etc2::decoder::<false>(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: CodecKernels::RealTime(|level| chain(formats::RGB, level)),
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::Etc2Rgb8Unorm, TextureFormat::Etc2Rgb8UnormSrgb],
};

/// Colours with 1-bit alpha. Texels whose alpha is less than 128 are transparent black.
pub(crate) static RGB_A1: Codec = Codec {
    name: formats::RGB_A1.name,
    family: EncoderFamily::Etc,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Etc.encoder(|options, simd, _| rows(options, simd, formats::RGB_A1)),
    decoder: |_| etc2::decoder::<true>(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: CodecKernels::RealTime(|level| chain(formats::RGB_A1, level)),
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::Etc2Rgb8A1Unorm, TextureFormat::Etc2Rgb8A1UnormSrgb],
};

/// Colours with 8-bit alpha, which is the first half of a block.
pub(crate) static RGBA: Codec = Codec {
    name: formats::RGBA.name,
    family: EncoderFamily::Etc,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Etc.encoder(|options, simd, _| rows(options, simd, formats::RGBA)),
    decoder: |_| etc2::rgba_decoder(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: CodecKernels::RealTime(|level| chain(formats::RGBA, level)),
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::Etc2Rgba8Unorm, TextureFormat::Etc2Rgba8UnormSrgb],
};

/// R11, unsigned.
pub(crate) static R11_UNORM: Codec = Codec {
    name: formats::R11_UNORM.name,
    family: EncoderFamily::Etc,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Etc.encoder(|options, simd, _| rows(options, simd, formats::R11_UNORM)),
    decoder: |_| eac::decoder::<8>(UNORM),
    by_alpha: None,
    deep: EncoderFamily::Etc.second_pass(|options, simd| deep::<1>(options, simd, UNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: CodecKernels::RealTime(|level| chain(formats::R11_UNORM, level)),
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacR11Unorm],
};

/// R11, signed.
pub(crate) static R11_SNORM: Codec = Codec {
    name: formats::R11_SNORM.name,
    family: EncoderFamily::Etc,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Etc.encoder(|options, simd, _| rows(options, simd, formats::R11_SNORM)),
    decoder: |_| eac::decoder::<8>(SNORM),
    by_alpha: None,
    deep: EncoderFamily::Etc.second_pass(|options, simd| deep::<1>(options, simd, SNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: CodecKernels::RealTime(|level| chain(formats::R11_SNORM, level)),
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacR11Snorm],
};

/// RG11, unsigned.
pub(crate) static RG11_UNORM: Codec = Codec {
    name: formats::RG11_UNORM.name,
    family: EncoderFamily::Etc,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Etc.encoder(|options, simd, _| rows(options, simd, formats::RG11_UNORM)),
    decoder: |_| eac::decoder::<16>(UNORM),
    by_alpha: None,
    deep: EncoderFamily::Etc.second_pass(|options, simd| deep::<2>(options, simd, UNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: CodecKernels::RealTime(|level| chain(formats::RG11_UNORM, level)),
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacRg11Unorm],
};

/// RG11, signed.
pub(crate) static RG11_SNORM: Codec = Codec {
    name: formats::RG11_SNORM.name,
    family: EncoderFamily::Etc,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Etc.encoder(|options, simd, _| rows(options, simd, formats::RG11_SNORM)),
    decoder: |_| eac::decoder::<16>(SNORM),
    by_alpha: None,
    deep: EncoderFamily::Etc.second_pass(|options, simd| deep::<2>(options, simd, SNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: CodecKernels::RealTime(|level| chain(formats::RG11_SNORM, level)),
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacRg11Snorm],
};

fn rows(options: &EncodeOptions, simd: AvailableLevel, format: Format) -> RowEncoder {
    let encoder = EtcRowEncoder::new(simd, options, format.parts);
    RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, blocks, task)))
}

/// Returns the encoder of 16-bit texels. There is one for every rounding rule: decoders agree on 11 bits.
fn deep<const CHANNELS: usize>(
    options: &EncodeOptions,
    simd: AvailableLevel,
    kind: Kind,
) -> Option<RowEncoder> {
    Some(eac::deep::<CHANNELS>(simd, kind, Effort::new(options)))
}
