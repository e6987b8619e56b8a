//! Codecs of the formats. The CPU encodes them for every device.

use super::{
    eac::{self, ALPHA, Kind, SNORM, UNORM},
    etc2,
    rows::{EtcRowEncoder, Part},
};
use crate::{
    EncodeOptions, TexelFormat,
    bc::codec::{Codec, RowEncoder, second_pass},
    simd::AvailableLevel,
};
#[cfg(feature = "gpu")]
use brickwork_gpu::wgpu::TextureFormat;

/// Colours without alpha.
pub(crate) static RGB: Codec = Codec {
    name: "etc2",
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, &[Part::Colors])),
    decoder: |_| etc2::decoder::<false>(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::None,
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::Etc2Rgb8Unorm, TextureFormat::Etc2Rgb8UnormSrgb],
};

/// Colours with 1-bit alpha. Texels whose alpha is less than 128 are transparent black.
pub(crate) static RGB_A1: Codec = Codec {
    name: "etc2-a1",
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, &[Part::PunchedColors])),
    decoder: |_| etc2::decoder::<true>(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::None,
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::Etc2Rgb8A1Unorm, TextureFormat::Etc2Rgb8A1UnormSrgb],
};

/// Colours with 8-bit alpha, which is the first half of a block.
pub(crate) static RGBA: Codec = Codec {
    name: "etc2-a8",
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, &[Part::Channel(ALPHA, 3), Part::Colors])),
    decoder: |_| etc2::rgba_decoder(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::None,
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::Etc2Rgba8Unorm, TextureFormat::Etc2Rgba8UnormSrgb],
};

/// R11, unsigned.
pub(crate) static R11_UNORM: Codec = Codec {
    name: "eac-r11",
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, &[Part::Channel(UNORM, 0)])),
    decoder: |_| eac::decoder::<8>(UNORM),
    by_alpha: None,
    deep: second_pass(|options| deep::<1>(options, UNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::None,
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacR11Unorm],
};

/// R11, signed.
pub(crate) static R11_SNORM: Codec = Codec {
    name: "eac-r11s",
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, &[Part::Channel(SNORM, 0)])),
    decoder: |_| eac::decoder::<8>(SNORM),
    by_alpha: None,
    deep: second_pass(|options| deep::<1>(options, SNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::None,
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacR11Snorm],
};

/// RG11, unsigned.
pub(crate) static RG11_UNORM: Codec = Codec {
    name: "eac-rg11",
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, &[Part::Channel(UNORM, 0), Part::Channel(UNORM, 1)])),
    decoder: |_| eac::decoder::<16>(UNORM),
    by_alpha: None,
    deep: second_pass(|options| deep::<2>(options, UNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::None,
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacRg11Unorm],
};

/// RG11, signed.
pub(crate) static RG11_SNORM: Codec = Codec {
    name: "eac-rg11s",
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| rows(options, simd, &[Part::Channel(SNORM, 0), Part::Channel(SNORM, 1)])),
    decoder: |_| eac::decoder::<16>(SNORM),
    by_alpha: None,
    deep: second_pass(|options| deep::<2>(options, SNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::None,
    #[cfg(feature = "gpu")]
    texture_formats: &[TextureFormat::EacRg11Snorm],
};

fn rows(options: &EncodeOptions, simd: AvailableLevel, parts: &'static [Part]) -> RowEncoder {
    let encoder = EtcRowEncoder::new(simd, options, parts);
    RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, blocks, task)))
}

/// Returns the encoder of 16-bit texels; `None` if the rounding rule has only 8 bits.
fn deep<const CHANNELS: usize>(options: &EncodeOptions, kind: Kind) -> Option<RowEncoder> {
    Some(eac::deep::<CHANNELS>(kind, options.quality))
}
