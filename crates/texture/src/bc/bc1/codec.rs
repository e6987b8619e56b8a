//! BC1's codec, and the encoder of single blocks.

#[cfg(feature = "gpu")]
use super::chain::chain;
use super::{PaletteRule, decode::texels, rows::Bc1RowEncoder};
#[cfg(feature = "bc1-to-bc5")]
use crate::{EncodeOptions, Task, block_row::BlockRow, simd::AvailableLevel};
use crate::{
    TexelFormat,
    bc::{
        codec::{Codec, EncoderFamily, RowEncoder, for_rounding_rule, row_decoder},
        real_time,
    },
};

/// BC1's encoders and decoder.
pub(crate) static CODEC: Codec = Codec {
    name: "bc1",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 8,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc1ToBc5.encoder(|options, simd, image| {
        if let Some(level) = options.real_time {
            let alpha_threshold = if image.has_alpha { options.bc1.alpha_threshold } else { 0 };
            return real_time::rows(simd, real_time::BC1, level, alpha_threshold);
        }
        let encoder = Bc1RowEncoder::new(simd, options, image.has_alpha);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| encoder.encode_row(rows, blocks, task)))
    }),
    decoder: |rounding| {
        for_rounding_rule!(rounding, ROUNDING => {
            row_decoder(|block| texels(block, &const { PaletteRule::new(ROUNDING) }))
        })
    },
    by_alpha: None,
    deep: None,
    rdo: EncoderFamily::Bc1ToBc5.second_pass(super::rdo::optimizer),
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(chain),
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc1RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc1RgbaUnormSrgb,
    ],
};

/// Encodes one block of 16 8-bit RGBA texels, row by row, as [`CpuEncoder`](crate::CpuEncoder) does. It is
/// for experiments and tests: each call rebuilds the tables that the blocks of an image share.
///
/// ```
/// use brickwork_texture::{EncodeOptions, bc::bc1::encode_block};
///
/// let red = encode_block(&[[255, 0, 0, 255]; 16], &EncodeOptions::default());
/// assert_eq!(red[..4], [0x00, 0xf8, 0x00, 0xf8]);
/// ```
#[cfg(feature = "bc1-to-bc5")]
pub fn encode_block(texels: &[[u8; 4]; 16], options: &EncodeOptions) -> [u8; 8] {
    let [a, b, c, d] = texels.as_chunks::<4>().0 else { unreachable!("16 texels are four rows") };
    let rows = BlockRow { rows: [&a[..], b, c, d], visible_rows: 4 };
    let mut block = [0; 8];
    Bc1RowEncoder::new(AvailableLevel::detect(), options, true)
        .encode_row(&rows, &mut block, &Task::new())
        .expect("no cancellation");
    block
}
