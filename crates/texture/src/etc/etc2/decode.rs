//! Decoding of blocks to texels, which are words with red in the lowest byte.
//!
//! The first two bytes decide the mode: an overflow of red, green or blue in the differential mode means T, H
//! or planar. With 1-bit alpha there is no individual mode; its bit means that the block is opaque.

use super::tables::{DISTANCES, MODIFIERS, expand};
use crate::{
    bc::codec::{RowDecoder, row_decoder},
    etc::eac,
};

/// Opaque alpha.
const OPAQUE: u32 = 0xff00_0000;

/// The 16 texels of a block, row by row.
type Texels = [u32; 16];

/// Returns the decoder of blocks without alpha, or with 1-bit alpha if `ALPHA`.
pub(crate) fn decoder<const ALPHA: bool>() -> RowDecoder {
    row_decoder(|block| {
        let texels = decode::<ALPHA>(u64::from_be_bytes(*block));
        move |t| texels[t]
    })
}

/// Returns the decoder of blocks of 8-bit alpha, then colours.
pub(crate) fn rgba_decoder() -> RowDecoder {
    row_decoder(|block: &[u8; 16]| {
        let [alpha, color] = [0, 1].map(|half| u64::from_be_bytes(block.as_chunks().0[half]));
        let texels = decode::<false>(color);
        let alphas = eac::ALPHA.palette(alpha).map(|alpha| (alpha as u32) << 24);
        let index = eac::indices(alpha);
        move |t| texels[t] & !OPAQUE | alphas[index(t)]
    })
}

/// Returns the texels of a block.
#[inline(always)]
pub(super) fn decode<const ALPHA: bool>(block: u64) -> Texels {
    let field = |shift: u32, bits: u32| (block >> shift) as i32 & ((1 << bits) - 1);
    let bit = field(33, 1) == 1;
    if !ALPHA && !bit {
        let colors = [60, 56].map(|shift| [0, 8, 16].map(|below| expand::<4>(field(shift - below, 4))));
        return halves(block, colors, true);
    }
    // The signed difference has 3 bits.
    let first = [59, 51, 43].map(|shift| field(shift, 5));
    let second = [0, 1, 2].map(|c| first[c] + (field(56 - 8 * c as u32, 3) ^ 4) - 4);
    let overflow = second.map(|code| !(0..32).contains(&code));
    match overflow {
        [true, ..] => painted(block, t_paint(block), bit || !ALPHA),
        [_, true, _] => painted(block, h_paint(block), bit || !ALPHA),
        [.., true] => planar(block),
        _ => halves(block, [first, second].map(|codes| codes.map(expand::<5>)), bit || !ALPHA),
    }
}

/// Returns a texel of these channels, clamped to 8 bits.
#[inline(always)]
fn texel([r, g, b]: [i32; 3]) -> u32 {
    let byte = |value: i32| value.clamp(0, 255) as u32;
    byte(r) | byte(g) << 8 | byte(b) << 16 | OPAQUE
}

/// Returns a function from a texel's index, row by row, to its index in the block.
#[inline(always)]
fn indices(block: u64) -> impl Fn(usize) -> usize {
    move |t| {
        let place = t % 4 * 4 + t / 4;
        ((block >> (place + 15)) & 2 | (block >> place) & 1) as usize
    }
}

/// Returns the texels of two halves with these base colours.
#[inline(always)]
fn halves(block: u64, colors: [[i32; 3]; 2], is_opaque: bool) -> Texels {
    let is_flipped = block >> 32 & 1 == 1;
    let palettes = [0, 1].map(|half| {
        let [small, large] = MODIFIERS[(block >> (37 - 3 * half)) as usize & 7];
        let modifiers = [if is_opaque { small } else { 0 }, large, -small, -large];
        let mut palette = modifiers.map(|modifier| texel(colors[half].map(|value| value + modifier)));
        if !is_opaque {
            palette[2] = 0;
        }
        palette
    });
    let index = indices(block);
    std::array::from_fn(|t| palettes[if is_flipped { t / 8 } else { t % 4 / 2 }][index(t)])
}

/// Returns the texels of a block of four paint colours.
#[inline(always)]
fn painted(block: u64, paint: [[i32; 3]; 4], is_opaque: bool) -> Texels {
    let mut palette = paint.map(texel);
    if !is_opaque {
        palette[2] = 0;
    }
    let index = indices(block);
    std::array::from_fn(|t| palette[index(t)])
}

/// Returns the paint colours of a T block.
#[inline(always)]
fn t_paint(block: u64) -> [[i32; 3]; 4] {
    let field = |shift: u32| (block >> shift) as i32 & 15;
    let red = (block >> 57) as i32 & 12 | (block >> 56) as i32 & 3;
    let first = [red, field(52), field(48)].map(expand::<4>);
    let second = [field(44), field(40), field(36)].map(expand::<4>);
    let distance = DISTANCES[(block >> 33) as usize & 6 | (block >> 32) as usize & 1];
    [first, second.map(|value| value + distance), second, second.map(|value| value - distance)]
}

/// Returns the paint colours of an H block. The lowest bit of the distance is the order of the colours.
#[inline(always)]
fn h_paint(block: u64) -> [[i32; 3]; 4] {
    let field = |shift: u32| (block >> shift) as i32 & 15;
    let green = (block >> 55) as i32 & 14 | (block >> 52) as i32 & 1;
    let blue = (block >> 48) as i32 & 8 | (block >> 47) as i32 & 7;
    let codes = [[field(59), green, blue], [field(43), field(39), field(35)]];
    let order = usize::from(codes[0] >= codes[1]);
    let distance = DISTANCES[(block >> 32) as usize & 4 | (block >> 31) as usize & 2 | order];
    let [first, second] = codes.map(|codes| codes.map(expand::<4>));
    [
        first.map(|value| value + distance),
        first.map(|value| value - distance),
        second.map(|value| value + distance),
        second.map(|value| value - distance),
    ]
}

/// Returns the texels of a planar block.
#[inline(always)]
fn planar(block: u64) -> Texels {
    let field = |shift: u32, bits: u32| (block >> shift) as i32 & ((1 << bits) - 1);
    let green = field(56, 1) << 6 | field(49, 6);
    let blue = field(48, 1) << 5 | field(43, 2) << 3 | field(39, 3);
    let colors = [
        [field(57, 6), green, blue],
        [field(34, 5) << 1 | field(32, 1), field(25, 7), field(19, 6)],
        [field(13, 6), field(6, 7), field(0, 6)],
    ];
    let [origin, right, below] =
        colors.map(|[red, green, blue]| [expand::<6>(red), expand::<7>(green), expand::<6>(blue)]);
    std::array::from_fn(|t| {
        let (x, y) = (t as i32 % 4, t as i32 / 4);
        texel([0, 1, 2].map(|c| {
            let step = x * (right[c] - origin[c]) + y * (below[c] - origin[c]);
            (step + 4 * origin[c] + 2) >> 2
        }))
    })
}
