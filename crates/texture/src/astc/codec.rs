//! Codec of 4×4 blocks, and the decoder of rows of any footprint.

use super::{decode_block, part::Form, real_time, rows::AstcRowEncoder};
use crate::{
    ColorSpace, TexelFormat,
    bc::{Codec, DecodeRow, RowDecoder, RowEncoder, codec::EncoderFamily},
};
#[cfg(feature = "gpu")]
use brickwork_gpu::wgpu::{AstcBlock, AstcChannel, TextureFormat};

/// Codec of 4×4 blocks, which are also encoded.
pub(crate) static CODEC_4X4: Codec = Codec {
    name: "astc-4x4",
    family: EncoderFamily::Astc,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Astc.encoder(|options, simd, image| {
        if let Some(level) = options.real_time {
            let form = real_time::Form::of(image.color_space);
            return RowEncoder::Rgba8(Box::new(move |rows, blocks, task| {
                real_time::encode_row(simd, level.of_mobile(), form, rows, blocks, task)
            }));
        }
        let form = Form::of(image.color_space).weighted(options.weights);
        let encoder = AstcRowEncoder::new(simd, form, options.quality);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, blocks, task)))
    }),
    decoder: |_| RowDecoder::ByColorSpace(decode_rows::<4, 4>),
    by_alpha: None,
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::RealTimeInSpace(real_time::chain),
    #[cfg(feature = "gpu")]
    texture_formats: &[
        TextureFormat::Astc { block: AstcBlock::B4x4, channel: AstcChannel::Unorm },
        TextureFormat::Astc { block: AstcBlock::B4x4, channel: AstcChannel::UnormSrgb },
    ],
};

/// Returns the decoder of rows of blocks of a footprint.
pub(crate) fn decode_rows<const WIDTH: usize, const HEIGHT: usize>(
    color_space: ColorSpace,
) -> DecodeRow<[u8; 4]> {
    let is_srgb = color_space == ColorSpace::Srgb;
    Box::new(move |blocks, width, stride, texels| {
        for (column, block) in blocks.as_chunks().0.iter().enumerate() {
            let mut decoded = [[[0; 4]; WIDTH]; HEIGHT];
            decode_block((WIDTH as u32, HEIGHT as u32), is_srgb, block, decoded.as_flattened_mut());
            for (row, decoded) in texels.chunks_mut(stride).zip(&decoded) {
                let inside = &mut row[WIDTH * column..width];
                let count = inside.len().min(WIDTH);
                inside[..count].copy_from_slice(&decoded[..count]);
            }
        }
    })
}
