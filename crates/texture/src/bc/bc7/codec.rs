//! What BC7 hands to encoders and decoders.

use super::decode_block;
use crate::{
    TexelFormat,
    bc::codec::{Codec, row_decoder},
};

/// BC7's decoder; all decoders agree on it.
pub(crate) static CODEC: Codec = Codec {
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: None,
    decoder: |_| row_decoder(decode_block),
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc7RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc7RgbaUnormSrgb,
    ],
};
