//! Blocks of one channel to values.

use super::ValueRule;
use crate::bc::codec::{RowDecoder, row_decoder};

/// The 16 values of a block, row by row, each as `entry` makes of a value.
#[inline(always)]
fn decode_as<T: Copy>(block: &[u8; 8], rule: &ValueRule, entry: impl Fn(u8) -> T) -> [T; 16] {
    let palette = rule.palette(block[0], block[1]).map(entry);
    let indices = u64::from_le_bytes(*block) >> 16;
    std::array::from_fn(|t| palette[(indices >> (3 * t)) as usize & 7])
}

/// The 16 values of a block, row by row.
#[inline(always)]
pub(crate) fn decode_channel(block: &[u8; 8], rule: &ValueRule) -> [u8; 16] {
    decode_as(block, rule, |value| value)
}

/// A decoder of rows of BC4.
pub(crate) fn red_decoder(rule: ValueRule) -> RowDecoder {
    row_decoder(move |block| decode_as(block, &rule, |red| [red, 0, 0, 255]))
}

/// A decoder of rows of BC5.
pub(crate) fn red_green_decoder(rule: ValueRule) -> RowDecoder {
    row_decoder(move |block: &[u8; 16]| {
        let [red, green] = block.as_chunks().0 else { unreachable!("16 bytes") };
        let red = decode_as(red, &rule, |red| u32::from_le_bytes([red, 0, 0, 255]));
        let green = decode_as(green, &rule, |green| u32::from(green) << 8);
        std::array::from_fn(|t| (red[t] | green[t]).to_le_bytes())
    })
}
