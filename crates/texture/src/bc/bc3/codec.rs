//! What BC3 hands to encoders and decoders.

#[cfg(feature = "gpu")]
use crate::bc::{
    bc1::color_chain,
    bc4::{Channels, add_steps},
};
use crate::{
    TexelFormat,
    bc::{
        bc1::{ColorEncoder, PaletteRule, decode_colors},
        bc4::{ChannelEncoder, ValueRule, decode_channel},
        codec::{Codec, RowEncoder, row_decoder},
    },
};

/// Alpha, in the first half of a block.
#[cfg(feature = "gpu")]
const ALPHA: Channels = Channels { first: 3, count: 1, block_bytes: 16 };

/// BC3's encoders and decoder.
pub(crate) static CODEC: Codec = Codec {
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: |options, simd, _| {
        let alpha = ChannelEncoder::new(simd, options, ValueRule::unorm(options.decoder));
        let color = ColorEncoder::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks| {
            alpha.encode_row(rows, 3..4, blocks, 16);
            color.encode_row(rows, blocks);
        }))
    },
    decoder: |decoder| {
        let (alpha, color) = (ValueRule::unorm(decoder), PaletteRule::new(decoder));
        row_decoder(move |block: &[u8; 16]| {
            let [alpha_block, color_block] = block.as_chunks().0 else { unreachable!("16 bytes") };
            let mut texels = decode_colors(color_block, &color);
            for (texel, value) in texels.iter_mut().zip(decode_channel(alpha_block, &alpha)) {
                texel[3] = value;
            }
            texels
        })
    },
    #[cfg(feature = "gpu")]
    chain: |options, traits| {
        let mut chain = color_chain(options, traits);
        // BC1's first kernel puts something else where alpha is, so alpha goes first.
        let colors = std::mem::take(&mut chain.steps);
        add_steps(&mut chain, options, ValueRule::unorm(options.decoder), ALPHA);
        chain.steps.extend(colors);
        chain
    },
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc3RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc3RgbaUnormSrgb,
    ],
};
