//! BC1: RGB with optional 1-bit alpha, 4×4 texels in 8 bytes.
//!
//! Layout, little endian: endpoint `c0` (5-6-5, red in the upper bits), endpoint `c1`, then 2 bits a texel, the
//! first texel in the lowest bits. With `c0 > c1` the palette is c0, c1, (2·c0 + c1)/3, (c0 + 2·c1)/3; else c0,
//! c1, (c0 + c1)/2 and transparent black. How the fractions are rounded differs from decoder to decoder: see
//! [`PaletteRule`].

mod decode;
mod palette;

pub use decode::decode_block;
pub use palette::PaletteRule;

use crate::{EncodeOptions, ImageView, SimdLevel, Texel};

/// Encodes rows of blocks.
#[doc(hidden)]
pub struct RowEncoder {
    rule: PaletteRule,
}

impl RowEncoder {
    /// Placeholder until the real encoder stands.
    pub fn new(_simd: SimdLevel, options: &EncodeOptions, _has_alpha: bool) -> Self {
        Self { rule: PaletteRule::new(options.decoder) }
    }

    /// Encodes one row of blocks.
    pub fn encode_row<T: Texel>(&self, image: &ImageView<'_, T>, row: u32, blocks: &mut [u8]) {
        for (column, block) in blocks.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let texels = image.block(column as u32, row).map(T::to_rgba8);
            let bound = |pick: fn(u8, u8) -> u8, start: u8| {
                let c: [u16; 3] =
                    std::array::from_fn(|c| u16::from(texels.iter().fold(start, |m, t| pick(m, t[c]))));
                (c[0] >> 3) << 11 | (c[1] >> 2) << 5 | c[2] >> 3
            };
            let (c0, c1) = (bound(u8::max, 0), bound(u8::min, 255));
            let palette = self.rule.palette(c0, c1);
            let mut bits = 0u32;
            for (i, texel) in texels.iter().enumerate() {
                let error = |p: &[u8; 4]| {
                    (0..3).map(|c| i32::from(p[c]).abs_diff(i32::from(texel[c])).pow(2)).sum::<u32>()
                };
                let index =
                    (0..4).min_by_key(|&k| error(&palette[k]) + if palette[k][3] == 0 { 1 << 20 } else { 0 });
                bits |= (index.unwrap_or(0) as u32) << (2 * i);
            }
            block[..2].copy_from_slice(&c0.to_le_bytes());
            block[2..4].copy_from_slice(&c1.to_le_bytes());
            block[4..].copy_from_slice(&bits.to_le_bytes());
        }
    }
}
