//! A BC1 block to texels.

use super::PaletteRule;

/// The 16 texels of a block, row by row, as 8-bit RGBA; transparent texels are `[0, 0, 0, 0]`.
///
/// ```
/// use brickwork_texture::{Decoder, bc::bc1::{PaletteRule, decode_block}};
///
/// let red = decode_block(&[0x00, 0xf8, 0, 0, 0, 0, 0, 0], &PaletteRule::new(Decoder::Exact));
/// assert_eq!(red, [[255, 0, 0, 255]; 16]);
/// ```
#[inline]
pub fn decode_block(block: &[u8; 8], rule: &PaletteRule) -> [[u8; 4]; 16] {
    let c0 = u16::from_le_bytes([block[0], block[1]]);
    let c1 = u16::from_le_bytes([block[2], block[3]]);
    let indices = u32::from_le_bytes([block[4], block[5], block[6], block[7]]);
    let palette = rule.palette(c0, c1);
    std::array::from_fn(|i| palette[(indices >> (2 * i)) as usize & 3])
}

/// The same for the colours of BC2 and BC3: there are four, whatever the order of the endpoints.
#[inline]
pub(crate) fn decode_colors(block: &[u8; 8], rule: &PaletteRule) -> [[u8; 4]; 16] {
    let c0 = u16::from_le_bytes([block[0], block[1]]);
    let c1 = u16::from_le_bytes([block[2], block[3]]);
    let indices = u32::from_le_bytes([block[4], block[5], block[6], block[7]]);
    let palette = rule.four_colors(c0, c1);
    std::array::from_fn(|i| palette[(indices >> (2 * i)) as usize & 3])
}
