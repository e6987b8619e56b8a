//! Decoding of a BC1 block to texels.

use super::PaletteRule;

/// Decodes a block to its 16 texels, row by row, as 8-bit RGBA; transparent texels are `[0, 0, 0, 0]`.
///
/// ```
/// use brickwork_texture::{RoundingRule, bc::bc1::{PaletteRule, decode_block}};
///
/// let red = decode_block(&[0x00, 0xf8, 0, 0, 0, 0, 0, 0], &PaletteRule::new(RoundingRule::Exact));
/// assert_eq!(red, [[255, 0, 0, 255]; 16]);
/// ```
#[inline]
pub fn decode_block(block: &[u8; 8], rule: &PaletteRule) -> [[u8; 4]; 16] {
    let texel = texels(block, rule);
    std::array::from_fn(|t| texel(t).to_le_bytes())
}

/// Returns a function from a texel's index to its word, red in the lowest byte.
#[inline(always)]
pub(crate) fn texels(block: &[u8; 8], rule: &PaletteRule) -> impl Fn(usize) -> u32 + use<> {
    let [c0, c1] = endpoints(block);
    let palette = rule.colors(c0, c1, c0 > c1).map(u32::from_le_bytes);
    let indices = indices(block);
    move |t| palette[(indices >> (2 * t)) as usize & 3]
}

/// Returns the same function for the colours of BC2 and BC3, with alpha 0. There are four colours, in either
/// order of the endpoints.
#[inline(always)]
pub(crate) fn colors(block: &[u8; 8], rule: &PaletteRule) -> impl Fn(usize) -> u32 + use<> {
    let [c0, c1] = endpoints(block);
    let palette = rule.colors(c0, c1, true).map(|[r, g, b, _]| u32::from_le_bytes([r, g, b, 0]));
    let indices = indices(block);
    move |t| palette[(indices >> (2 * t)) as usize & 3]
}

#[inline(always)]
fn endpoints(block: &[u8; 8]) -> [u16; 2] {
    [u16::from_le_bytes([block[0], block[1]]), u16::from_le_bytes([block[2], block[3]])]
}

#[inline(always)]
fn indices(block: &[u8; 8]) -> u32 {
    u32::from_le_bytes([block[4], block[5], block[6], block[7]])
}
