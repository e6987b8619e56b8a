//! BC6H's codecs.

#[cfg(feature = "gpu")]
use super::{
    chain::chain,
    kind::{Signed, Unsigned},
};
use super::{decode::decode_block, rows::row_encoder};
use crate::{
    TexelFormat,
    bc::codec::{Codec, EncoderFamily, RowDecoder, decode_row},
};
use half::f16;

/// Codec of unsigned BC6H, which every decoder decodes the same.
pub(crate) static UFLOAT: Codec = Codec {
    name: "bc6h",
    family: EncoderFamily::Bc6h,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::RgbaF16,
    rows: EncoderFamily::Bc6h.encoder(|options, simd, _| row_encoder(options, simd, false)),
    decoder: |_| decoder::<false>(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(chain::<Unsigned>),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc6hRgbUfloat],
};

/// Codec of signed BC6H.
pub(crate) static SFLOAT: Codec = Codec {
    name: "bc6hs",
    family: EncoderFamily::Bc6h,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::RgbaF16,
    rows: EncoderFamily::Bc6h.encoder(|options, simd, _| row_encoder(options, simd, true)),
    decoder: |_| decoder::<true>(),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(chain::<Signed>),
    #[cfg(feature = "gpu")]
    texture_formats: &[brickwork_gpu::wgpu::TextureFormat::Bc6hRgbFloat],
};

fn decoder<const SIGNED: bool>() -> RowDecoder {
    RowDecoder::RgbaF16(decode_row(|block| {
        let texels = decode_block::<SIGNED>(block);
        move |t| {
            let [r, g, b] = texels[t].map(f16::from_bits);
            [r, g, b, f16::ONE]
        }
    }))
}
