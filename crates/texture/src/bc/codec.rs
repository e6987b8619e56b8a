//! What a block format hands to encoders and decoders, on the CPU and on GPUs.

#[cfg(feature = "gpu")]
use crate::chain::{Chain, DeviceTraits};
use crate::{
    Cancelled, EncodeOptions, RoundingRule, Task, TexelFormat, image::BlockRow, rdo::StripOptimizer,
    simd::AvailableLevel,
};
use half::f16;

/// One format's encoders and decoder.
pub(crate) struct Codec {
    /// Bytes of one block: 8 or 16.
    pub block_bytes: usize,
    /// The form in which it takes texels, and in which mip levels are made for it.
    pub texels: TexelFormat,
    /// The encoder of rows of blocks, for an instruction set and for texels with alpha or without.
    pub rows: fn(&EncodeOptions, AvailableLevel, bool) -> RowEncoder,
    /// The decoder of rows of blocks to texels of this form, by a [`RoundingRule`]: see [`row_decoder`].
    pub decoder: fn(RoundingRule) -> RowDecoder,
    /// What goes over the rows of blocks once more where errors count by alpha; `None` where they never do.
    pub by_alpha: Option<fn(&EncodeOptions, AvailableLevel) -> RowEncoder>,
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
/// Rows may be wide, so it checks the task for cancellation between batches of blocks.
pub(crate) enum RowEncoder {
    Rgba8(RowFn<[u8; 4]>),
    #[cfg_attr(not(test), expect(dead_code, reason = "no format with an encoder takes 16 bits"))]
    Rgba16(RowFn<[u16; 4]>),
    #[cfg_attr(not(test), expect(dead_code, reason = "no format with an encoder takes half floats"))]
    RgbaF16(RowFn<[f16; 4]>),
}

type RowFn<T> = Box<dyn Fn(&BlockRow<'_, T>, &mut [u8], &Task<'_>) -> Result<(), Cancelled> + Send + Sync>;

/// Decodes rows of blocks, in the form of the codec's texels.
pub(crate) enum RowDecoder {
    Rgba8(DecodeRow<[u8; 4]>),
    #[cfg_attr(not(test), expect(dead_code, reason = "no format with a decoder has 16 bits"))]
    Rgba16(DecodeRow<[u16; 4]>),
    #[cfg_attr(not(test), expect(dead_code, reason = "no format with a decoder has half floats"))]
    RgbaF16(DecodeRow<[f16; 4]>),
}

/// Decodes a row of blocks to its rows of texels, four at most: called with the blocks, the width, the texels
/// from row to row, and the texels.
pub(crate) type DecodeRow<T> = Box<dyn Fn(&[u8], usize, usize, &mut [T]) + Send + Sync>;

/// `for_rounding_rule!(rule, CONSTANT => expression)` is the expression with the constant set to `rule`. It
/// is compiled once for each [`RoundingRule`], so that its numbers are constants: bc1/notes.md has the gain.
macro_rules! for_rounding_rule {
    ($rounding:expr, $constant:ident => $e:expr) => {
        $crate::bc::codec::for_rounding_rule!($rounding, $constant => $e, Exact Trunc Nvidia Amd Intel)
    };
    ($rounding:expr, $constant:ident => $e:expr, $($name:ident)*) => {
        match $rounding {
            $($crate::RoundingRule::$name => {
                const $constant: $crate::RoundingRule = $crate::RoundingRule::$name;
                $e
            })*
        }
    };
}
pub(crate) use for_rounding_rule;

/// Four texels of a row: those of one block.
type Four = [[u8; 4]; 4];

/// The decoder of rows whose blocks of `BYTES` bytes become what `decode` returns: texel t of 16, row by row,
/// as a word with red in the lowest byte. So that all of it is compiled into the loop over blocks, none is
/// behind a pointer.
pub(crate) fn row_decoder<const BYTES: usize, T: Fn(usize) -> u32>(
    decode: impl Fn(&[u8; BYTES]) -> T + Send + Sync + 'static,
) -> RowDecoder {
    RowDecoder::Rgba8(Box::new(move |blocks, width, stride, texels| {
        let blocks = blocks.as_chunks().0;
        let mut rows = texels.chunks_mut(stride).map(|row| &mut row[..width]);
        let mut rows: [&mut [[u8; 4]]; 4] = std::array::from_fn(|_| rows.next().unwrap_or_default());
        let whole = decode_whole(&decode, blocks, rows.each_mut().map(|row| row.as_chunks_mut().0));
        for (column, block) in blocks.iter().enumerate().skip(whole) {
            let mut decoded = [[[0; 4]; 4]; 4];
            decode_whole(&decode, &[*block], decoded.each_mut().map(std::slice::from_mut));
            for (row, four) in rows.iter_mut().zip(decoded) {
                let inside = row.get_mut(4 * column..).unwrap_or_default();
                let count = inside.len().min(4);
                inside[..count].copy_from_slice(&four[..count]);
            }
        }
    }))
}

/// Decodes blocks as long as each of four rows has texels for them; how many there were.
#[inline(never)]
fn decode_whole<const BYTES: usize, T: Fn(usize) -> u32>(
    decode: &impl Fn(&[u8; BYTES]) -> T,
    blocks: &[[u8; BYTES]],
    [a, b, c, d]: [&mut [Four]; 4],
) -> usize {
    let mut count = 0;
    for ((((block, a), b), c), d) in blocks.iter().zip(a).zip(b).zip(c).zip(d) {
        let texel = decode(block);
        for (y, row) in [a, b, c, d].into_iter().enumerate() {
            for (x, target) in row.iter_mut().enumerate() {
                *target = texel(4 * y + x).to_le_bytes();
            }
        }
        count += 1;
    }
    count
}
