//! Decoding of a BC6H block to the bit patterns of half floats.

use super::modes::{MODES, Mode, mode_index};
use crate::bc::bc7::{
    Bits, indices,
    modes::weights,
    partitions::{TWO_ANCHORS, TWO_SUBSETS},
};
use half::f16;

/// Returns the mode of a block, 1 to 14 in Microsoft's order; `None` for a reserved mode, which no encoder
/// writes.
pub fn block_mode(block: &[u8; 16]) -> Option<u8> {
    mode_index(block[0].into()).map(|index| index as u8 + 1)
}

/// Returns the endpoints of the block's first subset; `None` if its mode is reserved.
pub fn block_endpoints(block: &[u8; 16], is_signed: bool) -> Option<[[f16; 3]; 2]> {
    let block = u128::from_le_bytes(*block);
    let mode = &MODES[mode_index(block)?];
    let mut bits = Bits(block >> mode.prefix_bits);
    let [first, second, ..] = match is_signed {
        true => endpoints::<true>(mode, &mut bits).map(|color| color.map(finished::<true>)),
        false => endpoints::<false>(mode, &mut bits).map(|color| color.map(finished::<false>)),
    };
    Some([first, second].map(|color| color.map(f16::from_bits)))
}

/// Returns the 16 texels of a block, row by row, as bit patterns of red, green and blue; zeros if the mode is
/// reserved.
#[inline]
pub(super) fn decode_block<const SIGNED: bool>(block: &[u8; 16]) -> [[u16; 3]; 16] {
    let bits = u128::from_le_bytes(*block);
    match mode_index(bits) {
        Some(0) => decode_mode::<SIGNED, 0>(bits),
        Some(1) => decode_mode::<SIGNED, 1>(bits),
        Some(2) => decode_mode::<SIGNED, 2>(bits),
        Some(3) => decode_mode::<SIGNED, 3>(bits),
        Some(4) => decode_mode::<SIGNED, 4>(bits),
        Some(5) => decode_mode::<SIGNED, 5>(bits),
        Some(6) => decode_mode::<SIGNED, 6>(bits),
        Some(7) => decode_mode::<SIGNED, 7>(bits),
        Some(8) => decode_mode::<SIGNED, 8>(bits),
        Some(9) => decode_mode::<SIGNED, 9>(bits),
        Some(10) => decode_mode::<SIGNED, 10>(bits),
        Some(11) => decode_mode::<SIGNED, 11>(bits),
        Some(12) => decode_mode::<SIGNED, 12>(bits),
        Some(13) => decode_mode::<SIGNED, 13>(bits),
        _ => [[0; 3]; 16],
    }
}

/// Returns the texels of a block with mode `MODES[MODE]`, so that its widths are constants.
#[inline(never)]
fn decode_mode<const SIGNED: bool, const MODE: usize>(block: u128) -> [[u16; 3]; 16] {
    let mode = &MODES[MODE];
    let mut bits = Bits(block >> mode.prefix_bits);
    let endpoints = endpoints::<SIGNED>(mode, &mut bits);
    let (subsets, indices) = if mode.subsets == 2 {
        let partition = bits.take(5) as usize;
        (TWO_SUBSETS[partition], indices(&mut bits, 3, &[0, TWO_ANCHORS[partition]]))
    } else {
        (0, indices(&mut bits, 4, &[0]))
    };
    // The colours of subset s start at 16·s.
    let mut palettes = [[[0; 3]; 16]; 2];
    for (palette, [a, b]) in palettes.iter_mut().zip(endpoints.as_chunks().0).take(mode.subsets) {
        for (color, &weight) in palette.iter_mut().zip(weights(mode.index_bits())) {
            for c in 0..3 {
                let weight = i32::from(weight);
                color[c] = finished::<SIGNED>((a[c] * (64 - weight) + b[c] * weight + 32) >> 6);
            }
        }
    }
    let palettes = palettes.as_flattened();
    let mut texels = [[0; 3]; 16];
    for (t, texel) in texels.iter_mut().enumerate() {
        let index = indices >> (mode.index_bits() * t as u32) & ((1 << mode.index_bits()) - 1);
        *texel = palettes[16 * usize::from(subsets >> t & 1) + index as usize];
    }
    texels
}

/// Reads the endpoints, unquantised: 0 to 0xffff, or -0x8000 to 0x7fff if signed.
#[inline(always)]
fn endpoints<const SIGNED: bool>(mode: &Mode, bits: &mut Bits) -> [[i32; 3]; 4] {
    let mut endpoints = [[0i32; 3]; 4];
    for field in mode.fields {
        endpoints[field.endpoint][field.channel] |= (bits.take(field.count) << field.first) as i32;
    }
    let width = mode.endpoint_bits;
    let [first, others @ ..] = &mut endpoints;
    for endpoint in others {
        for c in 0..3 {
            if mode.has_deltas {
                let delta = sign_extended(endpoint[c], mode.stored_bits[c]);
                endpoint[c] = (first[c] + delta) & ((1 << width) - 1);
            }
        }
    }
    for value in endpoints.as_flattened_mut() {
        *value = unquantized::<SIGNED>(*value, width);
    }
    endpoints
}

/// Returns a number of `bits` bits in two's complement as a 32-bit integer.
#[inline(always)]
fn sign_extended(value: i32, bits: u32) -> i32 {
    let shift = 32 - bits;
    value << shift >> shift
}

/// Widens a number of `width` bits to 16 bits. The ends of its range become the ends of the 16-bit range.
#[inline(always)]
fn unquantized<const SIGNED: bool>(value: i32, width: u32) -> i32 {
    let widened = |value: i32, bits: u32| ((value << 15) + 0x4000) >> bits;
    if !SIGNED {
        return match value {
            _ if width >= 15 => value,
            0 => 0,
            _ if value == (1 << width) - 1 => 0xffff,
            _ => widened(value, width - 1),
        };
    }
    let value = sign_extended(value, width);
    let magnitude = match value.abs() {
        _ if width >= 16 => return value,
        0 => 0,
        magnitude if magnitude >= (1 << (width - 1)) - 1 => 0x7fff,
        magnitude => widened(magnitude, width - 1),
    };
    if value < 0 { -magnitude } else { magnitude }
}

/// Returns the bit pattern of an interpolated value. The scale excludes the patterns of infinity and NaN. The
/// only exception is -0x8000, which only mode 14 can store: it is minus infinity.
#[inline(always)]
fn finished<const SIGNED: bool>(value: i32) -> u16 {
    if !SIGNED {
        return ((value * 31) >> 6) as u16;
    }
    let magnitude = ((value.abs() * 31) >> 5) as u16;
    if value < 0 { magnitude | 0x8000 } else { magnitude }
}
