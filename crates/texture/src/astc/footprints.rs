//! Codecs of all footprints.

use super::codec::{CODEC_4X4, decode_rows};
use crate::{
    AstcFootprint, TexelFormat,
    bc::{Codec, RowDecoder, codec::EncoderFamily},
};

/// Returns the codec of a footprint. Only 4×4 has an encoder.
pub(crate) fn codec_of(footprint: AstcFootprint) -> &'static Codec {
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
        family: EncoderFamily::Astc,
        extent: [WIDTH as u32, HEIGHT as u32],
        block_bytes: 16,
        texels: TexelFormat::Rgba8,
        rows: None,
        decoder: |_| RowDecoder::ByColorSpace(decode_rows::<WIDTH, HEIGHT>),
        by_alpha: None,
        deep: None,
        rdo: None,
        #[cfg(feature = "gpu")]
        kernels: crate::bc::CodecKernels::None,
        #[cfg(feature = "gpu")]
        texture_formats: &[],
    }
}
