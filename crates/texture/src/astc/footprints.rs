//! Codecs of all footprints, and the decoder of rows of any footprint.

use super::{CODEC_4X4, decode_block};
use crate::{
    AstcFootprint, ColorSpace, TexelFormat,
    bc::{Codec, DecodeRow, RowDecoder},
};

/// Returns the codec of a footprint. Only 4×4 has an encoder.
pub(crate) fn decode_only(footprint: AstcFootprint) -> &'static Codec {
    match footprint {
        AstcFootprint::B4x4 => &CODEC_4X4,
        AstcFootprint::B5x4 => const { &codec::<5, 4>("astc-5x4") },
        AstcFootprint::B5x5 => const { &codec::<5, 5>("astc-5x5") },
        AstcFootprint::B6x5 => const { &codec::<6, 5>("astc-6x5") },
        AstcFootprint::B6x6 => const { &codec::<6, 6>("astc-6x6") },
        AstcFootprint::B8x5 => const { &codec::<8, 5>("astc-8x5") },
        AstcFootprint::B8x6 => const { &codec::<8, 6>("astc-8x6") },
        AstcFootprint::B8x8 => const { &codec::<8, 8>("astc-8x8") },
        AstcFootprint::B10x5 => const { &codec::<10, 5>("astc-10x5") },
        AstcFootprint::B10x6 => const { &codec::<10, 6>("astc-10x6") },
        AstcFootprint::B10x8 => const { &codec::<10, 8>("astc-10x8") },
        AstcFootprint::B10x10 => const { &codec::<10, 10>("astc-10x10") },
        AstcFootprint::B12x10 => const { &codec::<12, 10>("astc-12x10") },
        AstcFootprint::B12x12 => const { &codec::<12, 12>("astc-12x12") },
    }
}

const fn codec<const WIDTH: usize, const HEIGHT: usize>(name: &'static str) -> Codec {
    Codec {
        name,
        extent: [WIDTH as u32, HEIGHT as u32],
        block_bytes: 16,
        texels: TexelFormat::Rgba8,
        rows: None,
        decoder: |_| RowDecoder::ByColorSpace(decode_rows::<WIDTH, HEIGHT>),
        by_alpha: None,
        deep: None,
        rdo: None,
        #[cfg(feature = "gpu")]
        chain: None,
        #[cfg(feature = "gpu")]
        texture_formats: &[],
    }
}

/// Returns the decoder of rows of blocks of a footprint.
pub(crate) fn decode_rows<const WIDTH: usize, const HEIGHT: usize>(
    color_space: ColorSpace,
) -> DecodeRow<[u8; 4]> {
    let is_srgb = color_space == ColorSpace::Srgb;
    Box::new(move |blocks, width, stride, texels| {
        for (column, block) in blocks.as_chunks().0.iter().enumerate() {
            let mut decoded = [[[0; 4]; WIDTH]; HEIGHT];
            decode_block((WIDTH as u32, HEIGHT as u32), is_srgb, block, decoded.as_flattened_mut());
            for (row, decoded) in texels.chunks_mut(stride).zip(&decoded) {
                let inside = &mut row[WIDTH * column..width];
                let count = inside.len().min(WIDTH);
                inside[..count].copy_from_slice(&decoded[..count]);
            }
        }
    })
}
