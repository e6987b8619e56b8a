//! BC2's codec.

use crate::{
    TexelFormat,
    bc::{
        bc1::{AlphaWeigher, ColorEncoder, PaletteRule, colors},
        codec::{Codec, EncoderFamily, RowEncoder, for_rounding_rule, row_decoder},
        real_time,
    },
    block_row::{BlockRow, four},
};

/// BC2's encoders and decoder.
pub(crate) static CODEC: Codec = Codec {
    name: "bc2",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc1ToBc5.encoder(|options, simd, _| {
        if let Some(level) = options.real_time {
            return real_time::rows(simd, real_time::BC2, level, 0);
        }
        let color = ColorEncoder::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| {
            encode_alpha(rows, blocks);
            color.encode_row(rows, blocks, task)
        }))
    }),
    decoder: |rounding| {
        for_rounding_rule!(rounding, ROUNDING => {
            row_decoder(|block| texels(block, &const { PaletteRule::new(ROUNDING) }))
        })
    },
    by_alpha: EncoderFamily::Bc1ToBc5.second_pass(|options, simd| {
        let weigher = AlphaWeigher::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| weigher.improve_row(rows, blocks, task)))
    }),
    deep: None,
    rdo: None,
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(super::chain::chain),
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc2RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc2RgbaUnormSrgb,
    ],
};

/// Writes the alpha of a row of blocks: the nearest 15th for each texel.
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

/// Returns a function from a texel's index to its word, red in the lowest byte.
#[inline(always)]
fn texels(block: &[u8; 16], rule: &PaletteRule) -> impl Fn(usize) -> u32 + use<> {
    let [alpha, color] = block.as_chunks().0 else { unreachable!("16 bytes") };
    let (color, alpha) = (colors(color, rule), u64::from_le_bytes(*alpha));
    // Multiplying 4 bits by 17 widens them to 8, in the highest byte.
    move |t| color(t) | (((alpha >> (4 * t)) as u32 & 15) * 0x1100_0000)
}
