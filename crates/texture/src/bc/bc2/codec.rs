//! What BC2 hands to encoders and decoders.

use crate::{
    TexelFormat,
    bc::{
        bc1::{ColorEncoder, PaletteRule, decode_colors},
        codec::{Codec, RowEncoder, row_decoder},
    },
    image::{BlockRow, four},
};

/// BC2's encoders and decoder.
pub(crate) static CODEC: Codec = Codec {
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: |options, simd, _| {
        let color = ColorEncoder::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks| {
            encode_alpha(rows, blocks);
            color.encode_row(rows, blocks);
        }))
    },
    decoder: |decoder| {
        let rule = PaletteRule::new(decoder);
        row_decoder(move |block: &[u8; 16]| {
            let [alpha, color] = block.as_chunks().0 else { unreachable!("16 bytes") };
            let mut texels = decode_colors(color, &rule);
            let alpha = u64::from_le_bytes(*alpha);
            for (t, texel) in texels.iter_mut().enumerate() {
                texel[3] = (alpha >> (4 * t) & 15) as u8 * 17;
            }
            texels
        })
    },
    rdo: None,
    #[cfg(feature = "gpu")]
    chain: super::chain::chain,
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc2RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc2RgbaUnormSrgb,
    ],
};

/// Writes the alpha of a row of blocks: of each texel, the nearest 15th.
fn encode_alpha(rows: &BlockRow<'_, [u8; 4]>, blocks: &mut [u8]) {
    for (column, block) in blocks.chunks_exact_mut(16).enumerate() {
        let mut alpha = 0;
        for row in rows.rows.iter().rev() {
            for texel in four(row, column).iter().rev() {
                let nearest = (u64::from(texel[3]) + 8) / 17;
                alpha = alpha << 4 | nearest;
            }
        }
        block[..8].copy_from_slice(&u64::to_le_bytes(alpha));
    }
}
