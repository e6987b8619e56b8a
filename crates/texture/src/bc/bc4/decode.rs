//! Decoding of one-channel blocks to texels, which are words with red in the lowest byte.

use super::ValueRule;
use crate::bc::codec::{RowDecoder, byte_rows, decode_row};

/// Opaque alpha.
const OPAQUE: u32 = 0xff00_0000;

/// Returns a function from a texel's index to its value, in the bits of a word from `BIT` on. The other bits
/// are those of `others`.
#[inline(always)]
pub(crate) fn values<const BIT: u32>(
    block: &[u8; 8],
    rule: &ValueRule,
    others: u32,
) -> impl Fn(usize) -> u32 + use<BIT> {
    let palette = rule.palette(block[0], block[1]).map(|value| u32::from(value) << BIT | others);
    let indices = u64::from_le_bytes(*block) >> 16;
    move |t| palette[(indices >> (3 * t)) as usize & 7]
}

/// Returns the texels of a BC4 block.
#[inline(always)]
pub(crate) fn red(block: &[u8; 8], rule: &ValueRule) -> impl Fn(usize) -> u32 + use<> {
    values::<0>(block, rule, OPAQUE)
}

/// Returns the texels of a BC5 block.
#[inline(always)]
pub(crate) fn red_green(block: &[u8; 16], rule: &ValueRule) -> impl Fn(usize) -> u32 + use<> {
    let [red, green] = block.as_chunks().0 else { unreachable!("16 bytes") };
    let (red, green) = (values::<0>(red, rule, OPAQUE), values::<8>(green, rule, 0));
    move |t| red(t) | green(t)
}

/// Returns the decoder of blocks of one or two channels, in 8 or 16 `BYTES`, whose values are not rounded.
/// `decode` decodes them to 8 bits.
pub(crate) fn real_decoder<const BYTES: usize, T: Fn(usize) -> u32>(
    rule: ValueRule,
    decode: impl Fn(&[u8; BYTES]) -> T + Send + Sync + 'static,
) -> RowDecoder {
    let floats = move |block: &[u8; BYTES]| {
        let channels = block.as_chunks::<8>().0;
        let block = |c: usize| channels.get(c).copied().unwrap_or_default();
        let [red, green] =
            [0, 1].map(|c| (rule.floats(block(c)[0], block(c)[1]), u64::from_le_bytes(block(c))));
        let value = |(palette, bits): ([f32; 8], u64), t: usize| palette[(bits >> (16 + 3 * t)) as usize & 7];
        let has_green = BYTES == 16;
        move |t| [value(red, t), if has_green { value(green, t) } else { 0.0 }, 0.0, 1.0]
    };
    RowDecoder::Real { bytes: byte_rows(decode), floats: decode_row(floats) }
}
