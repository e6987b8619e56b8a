//! Decoding of one-channel blocks to texels, which are words with red in the lowest byte.

use super::{
    nvidia,
    palette::{SNORM_EXACT, SNORM_REAL, UNORM_EXACT, UNORM_REAL, UNORM_TRUNC},
};
use crate::{
    RoundingRule,
    bc::codec::{DecodeRow, RowDecoder, byte_rows, decode_row},
};

/// Opaque alpha.
const OPAQUE: u32 = 0xff00_0000;

/// Returns a function from a texel's index to its value, in the bits of a word from `BIT` on. The other bits
/// are those of `others`.
#[inline(always)]
pub(crate) fn values<const BIT: u32>(
    block: &[u8; 8],
    palette: [u8; 8],
    others: u32,
) -> impl Fn(usize) -> u32 + use<BIT> {
    let palette = palette.map(|value| u32::from(value) << BIT | others);
    let indices = u64::from_le_bytes(*block) >> 16;
    move |t| palette[(indices >> (3 * t)) as usize & 7]
}

/// Returns the decoder of unsigned blocks of one or two channels, in 8 or 16 `BYTES`.
pub(crate) fn unorm_decoder<const BYTES: usize>(rule: RoundingRule) -> RowDecoder {
    match rule {
        RoundingRule::Exact => RowDecoder::Rgba8(bytes::<BYTES>(|r0, r1| UNORM_EXACT.palette(r0, r1))),
        RoundingRule::Trunc => RowDecoder::Rgba8(bytes::<BYTES>(|r0, r1| UNORM_TRUNC.palette(r0, r1))),
        RoundingRule::Nvidia => unrounded::<BYTES>(nvidia::unorm_bytes, nvidia::unorm_floats),
        RoundingRule::Real | RoundingRule::Amd | RoundingRule::Intel => {
            unrounded::<BYTES>(|r0, r1| UNORM_REAL.palette(r0, r1), |r0, r1| UNORM_REAL.floats(r0, r1))
        }
    }
}

/// Returns the decoder of signed blocks of one or two channels, in 8 or 16 `BYTES`.
pub(crate) fn snorm_decoder<const BYTES: usize>(rule: RoundingRule) -> RowDecoder {
    match rule {
        RoundingRule::Exact | RoundingRule::Trunc => {
            RowDecoder::Rgba8(bytes::<BYTES>(|r0, r1| SNORM_EXACT.palette(r0, r1)))
        }
        RoundingRule::Nvidia => unrounded::<BYTES>(nvidia::snorm_bytes, nvidia::snorm_floats),
        RoundingRule::Real | RoundingRule::Amd | RoundingRule::Intel => {
            unrounded::<BYTES>(|r0, r1| SNORM_REAL.palette(r0, r1), |r0, r1| SNORM_REAL.floats(r0, r1))
        }
    }
}

/// Returns the function that decodes rows to 8 bits.
fn bytes<const BYTES: usize>(
    palette: impl Fn(u8, u8) -> [u8; 8] + Copy + Send + Sync + 'static,
) -> DecodeRow<[u8; 4]> {
    byte_rows(move |block: &[u8; BYTES]| {
        let channels = block.as_chunks().0;
        let palette = |block: &[u8; 8]| palette(block[0], block[1]);
        let red = values::<0>(&channels[0], palette(&channels[0]), OPAQUE);
        let green = channels.get(1).map(|green| values::<8>(green, palette(green), 0));
        move |t| red(t) | green.as_ref().map_or(0, |green| green(t))
    })
}

/// Returns the decoder of values that are not rounded to 8 bits, except for targets of 8 bits.
fn unrounded<const BYTES: usize>(
    palette: impl Fn(u8, u8) -> [u8; 8] + Copy + Send + Sync + 'static,
    floats: impl Fn(u8, u8) -> [f32; 8] + Copy + Send + Sync + 'static,
) -> RowDecoder {
    let floats = decode_row(move |block: &[u8; BYTES]| {
        let block = |c: usize| block.as_chunks::<8>().0.get(c).copied().unwrap_or_default();
        let [red, green] = [0, 1].map(|c| (floats(block(c)[0], block(c)[1]), u64::from_le_bytes(block(c))));
        let value = |(palette, bits): ([f32; 8], u64), t: usize| palette[(bits >> (16 + 3 * t)) as usize & 7];
        let has_green = BYTES == 16;
        move |t| [value(red, t), if has_green { value(green, t) } else { 0.0 }, 0.0, 1.0]
    });
    RowDecoder::Real { bytes: bytes::<BYTES>(palette), floats }
}
