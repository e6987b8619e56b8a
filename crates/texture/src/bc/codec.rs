//! What a block format hands to encoders and decoders, on the CPU and on GPUs.

#[cfg(feature = "gpu")]
use crate::gpu::chain::{Chain, DeviceTraits};
use crate::{Decoder, EncodeOptions, SimdLevel, TexelFormat, image::BlockRow, rdo::StripOptimizer};
use half::f16;

/// One format's encoders and decoder.
pub(crate) struct Codec {
    /// Bytes of one block: 8 or 16.
    pub block_bytes: usize,
    /// The form in which it takes texels, and in which mip levels are made for it.
    pub texels: TexelFormat,
    /// The encoder of rows of blocks, for an instruction set and for texels with alpha or without.
    pub rows: fn(&EncodeOptions, SimdLevel, bool) -> RowEncoder,
    /// The decoder of rows of blocks to 8-bit RGBA, as a [`Decoder`] rounds: see [`row_decoder`].
    pub decoder: fn(Decoder) -> RowDecoder,
    /// The rate–distortion optimiser of a strip; `None` where there is none.
    pub rdo: Option<fn(&EncodeOptions) -> StripOptimizer>,
    /// The kernels for a device with these traits.
    #[cfg(feature = "gpu")]
    pub chain: fn(&EncodeOptions, DeviceTraits) -> Chain,
    /// The textures that its blocks may be copied to.
    #[cfg(feature = "gpu")]
    pub texture_formats: &'static [brickwork_gpu::wgpu::TextureFormat],
}

/// Encodes rows of blocks of one image: called with four rows of texels and their blocks, from any thread.
pub(crate) enum RowEncoder {
    Rgba8(RowFn<[u8; 4]>),
    #[cfg_attr(not(test), expect(dead_code, reason = "no format with an encoder takes 16 bits"))]
    Rgba16(RowFn<[u16; 4]>),
    #[cfg_attr(not(test), expect(dead_code, reason = "no format with an encoder takes half floats"))]
    RgbaF16(RowFn<[f16; 4]>),
}

type RowFn<T> = Box<dyn Fn(&BlockRow<'_, T>, &mut [u8]) + Send + Sync>;

/// Decodes a row of blocks to its rows of texels, which have the width given and are four at most.
pub(crate) type RowDecoder = Box<dyn Fn(&[u8], usize, &mut [[u8; 4]]) + Send + Sync>;

/// The decoder of rows whose blocks of `BYTES` bytes `decode` turns into 16 texels, row by row. So that
/// `decode` is compiled into the loop over blocks, it is not itself behind a pointer.
pub(crate) fn row_decoder<const BYTES: usize>(
    decode: impl Fn(&[u8; BYTES]) -> [[u8; 4]; 16] + Send + Sync + 'static,
) -> RowDecoder {
    Box::new(move |blocks, width, texels| {
        for (column, block) in blocks.as_chunks::<BYTES>().0.iter().enumerate() {
            let decoded = decode(block);
            let rows = texels.chunks_exact_mut(width).zip(decoded.as_chunks::<4>().0);
            for (row, source) in rows {
                let row = &mut row[4 * column..];
                match row.first_chunk_mut() {
                    Some(four) => *four = *source,
                    None => row.copy_from_slice(&source[..row.len()]),
                }
            }
        }
    })
}
