//! What BC3 hands to encoders and decoders.

use crate::bc::bc1::{PaletteRule, decode_colors};
use crate::{
    TexelFormat,
    bc::{
        bc1::ColorEncoder,
        bc4::{ChannelEncoder, ValueRule, decode_channel},
        codec::{Codec, RowEncoder},
    },
};

/// BC3's encoders and decoder.
pub(crate) static CODEC: Codec = Codec {
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: Some(|options, simd, _| {
        let alpha = ChannelEncoder::new(simd, options, ValueRule::unorm(options.decoder));
        let color = ColorEncoder::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks| {
            alpha.encode_row(rows, 3, blocks, [0, 16]);
            color.encode_row(rows, blocks);
        }))
    }),
    decoder: |decoder| {
        let (alpha, color) = (ValueRule::unorm(decoder), PaletteRule::new(decoder));
        Box::new(move |block| {
            let [alpha_block, color_block] = block.as_chunks().0 else { unreachable!("16 bytes") };
            let mut texels = decode_colors(color_block, &color);
            for (texel, value) in texels.iter_mut().zip(decode_channel(alpha_block, &alpha)) {
                texel[3] = value;
            }
            texels
        })
    },
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc3RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc3RgbaUnormSrgb,
    ],
};
