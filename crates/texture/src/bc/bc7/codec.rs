//! What BC7 hands to encoders and decoders.

use super::decode_block;
use crate::{TexelFormat, bc::codec::Codec};

/// BC7's decoder; all decoders agree on it.
pub(crate) static CODEC: Codec = Codec {
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: None,
    decoder: |_| Box::new(|block| decode_block(block.first_chunk().expect("16 bytes"))),
    #[cfg(feature = "gpu")]
    chain: None,
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc7RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc7RgbaUnormSrgb,
    ],
};
