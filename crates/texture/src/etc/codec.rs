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
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
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
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
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
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
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
    deep: second_pass(|options, simd| deep::<1>(options, simd, UNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
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
    deep: second_pass(|options, simd| deep::<1>(options, simd, SNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
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
    deep: second_pass(|options, simd| deep::<2>(options, simd, UNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
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
    deep: second_pass(|options, simd| deep::<2>(options, simd, SNORM)),
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[],
};

fn rows(options: &EncodeOptions, simd: AvailableLevel, parts: &'static [Part]) -> RowEncoder {
    let encoder = EtcRowEncoder::new(simd, options, parts);
    RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, blocks, task)))
}

/// Returns the encoder of 16-bit texels. There is one for every rounding rule: decoders agree on 11 bits.
fn deep<const CHANNELS: usize>(
    options: &EncodeOptions,
    simd: AvailableLevel,
    kind: Kind,
) -> Option<RowEncoder> {
    Some(eac::deep::<CHANNELS>(simd, kind, options.quality))
}
