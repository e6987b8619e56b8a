//! BC7's codec.

#[cfg(feature = "gpu")]
use super::chain::chain;
use super::{by_alpha::AlphaWeigher, decode_block, real_time_rows, rows::Bc7RowEncoder};
use crate::{
    TexelFormat,
    bc::codec::{Codec, EncoderFamily, RowEncoder, row_decoder},
};

/// BC7's decoder; all decoders agree on it.
pub(crate) static CODEC: Codec = Codec {
    name: "bc7",
    family: EncoderFamily::Bc7,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc7.encoder(|options, simd, _| {
        if let Some(level) = options.real_time {
            return RowEncoder::Rgba8(Box::new(move |rows, blocks, task| {
                real_time_rows::encode_row(simd, level, rows, blocks, task)
            }));
        }
        let encoder = Bc7RowEncoder::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, blocks, task)))
    }),
    decoder: |_| {
        row_decoder(|block| {
            let texels = decode_block(block);
            move |t| u32::from_le_bytes(texels[t])
        })
    },
    by_alpha: EncoderFamily::Bc7.second_pass(|options, simd| {
        let weigher = AlphaWeigher::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| weigher.improve_row(rows, blocks, task)))
    }),
    deep: None,
    rdo: EncoderFamily::Bc7.second_pass(super::rdo::optimizer),
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(chain),
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc7RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc7RgbaUnormSrgb,
    ],
};
