//! Decoding of a BC7 block to texels.

use super::{
    modes::{MODES, Mode, weights},
    partitions::{THREE_ANCHORS, THREE_SUBSETS, TWO_ANCHORS, TWO_SUBSETS},
};

/// Bits of a block, read from the lowest on.
pub(crate) struct Bits(pub u128);

impl Bits {
    #[inline(always)]
    pub fn take(&mut self, count: u32) -> u32 {
        let value = self.0 as u32 & ((1 << count) - 1);
        self.0 >>= count;
        value
    }
}

/// Returns the mode of a block; `None` if it has none of the eight, which no encoder writes.
pub fn block_mode(block: &[u8; 16]) -> Option<u8> {
    let mode = block[0].trailing_zeros() as u8;
    (mode < 8).then_some(mode)
}

/// Returns the endpoints of the block's first subset, as 8-bit RGBA; `None` if the block has none of the
/// eight modes. Alpha is 255 in modes without alpha.
pub fn block_endpoints(block: &[u8; 16]) -> Option<[[u8; 4]; 2]> {
    let number = block_mode(block)?;
    let mode = &MODES[usize::from(number)];
    let mut bits = Bits(u128::from_le_bytes(*block) >> (number + 1));
    bits.take(mode.partition);
    let rotation = bits.take(mode.rotation) as usize;
    bits.take(mode.index_selection);
    let [mut first, mut second, ..] = endpoints(mode, &mut bits);
    if rotation > 0 {
        first.swap(rotation - 1, 3);
        second.swap(rotation - 1, 3);
    }
    Some([first, second])
}

/// Returns the 16 texels of a block, row by row, as 8-bit RGBA; `[0; 4]` if the block has none of the eight
/// modes.
#[inline]
pub(crate) fn decode_block(block: &[u8; 16]) -> [[u8; 4]; 16] {
    let bits = u128::from_le_bytes(*block);
    match block[0].trailing_zeros() {
        0 => decode_mode::<0>(bits),
        1 => decode_mode::<1>(bits),
        2 => decode_mode::<2>(bits),
        3 => decode_mode::<3>(bits),
        4 => decode_mode::<4>(bits),
        5 => decode_mode::<5>(bits),
        6 => decode_mode::<6>(bits),
        7 => decode_mode::<7>(bits),
        _ => [[0; 4]; 16],
    }
}

/// Returns the texels of a block of mode `MODE`. It is compiled for each mode, so that the width of every
/// field is a constant: 2.3 times as fast.
#[inline(never)]
fn decode_mode<const MODE: usize>(block: u128) -> [[u8; 4]; 16] {
    let mode = const { &MODES[MODE] };
    let mut bits = Bits(block >> (MODE + 1));
    let partition = bits.take(mode.partition) as usize;
    let rotation = bits.take(mode.rotation);
    let is_exchanged = bits.take(mode.index_selection) != 0;
    let endpoints = endpoints(mode, &mut bits);
    if mode.second_index > 0 {
        let first = (indices(&mut bits, mode.index, &[0]), mode.index);
        let second = (indices(&mut bits, mode.second_index, &[0]), mode.second_index);
        let (color, alpha) = if is_exchanged { (second, first) } else { (first, second) };
        return two_indices([endpoints[0], endpoints[1]], color, alpha, rotation);
    }
    let (subsets, indices) = match mode.subsets {
        1 => (0, indices(&mut bits, mode.index, &[0])),
        2 => {
            let anchors = [0, TWO_ANCHORS[partition]];
            (spread(TWO_SUBSETS[partition]), indices(&mut bits, mode.index, &anchors))
        }
        _ => {
            let [a, b] = [THREE_ANCHORS[0][partition], THREE_ANCHORS[1][partition]];
            (THREE_SUBSETS[partition], indices(&mut bits, mode.index, &[0, a.min(b), a.max(b)]))
        }
    };
    // The colours of subset s from 16·s on.
    let mut palettes = [[[0; 4]; 16]; 4];
    for subset in 0..mode.subsets {
        palettes[subset] = palette([endpoints[2 * subset], endpoints[2 * subset + 1]], mode.index);
    }
    let palettes = palettes.as_flattened();
    let mask = (1 << mode.index) - 1;
    let mut texels = [[0; 4]; 16];
    for (t, texel) in texels.iter_mut().enumerate() {
        let index = (indices >> (mode.index * t as u32)) as usize & mask;
        let subset = (subsets >> (2 * t)) as usize & 3;
        *texel = palettes[16 * subset + index];
    }
    texels
}

/// Returns the endpoints of each subset, in 8 bits.
#[inline(always)]
pub(super) fn endpoints(mode: &Mode, bits: &mut Bits) -> [[u8; 4]; 6] {
    let count = 2 * mode.subsets;
    let mut endpoints = [[255u8; 4]; 6];
    for channel in 0..3 {
        for endpoint in &mut endpoints[..count] {
            endpoint[channel] = bits.take(mode.color) as u8;
        }
    }
    if mode.alpha > 0 {
        for endpoint in &mut endpoints[..count] {
            endpoint[3] = bits.take(mode.alpha) as u8;
        }
    }
    let has_p_bits = mode.own_p_bits || mode.shared_p_bits;
    let (color, alpha) = (mode.color + u32::from(has_p_bits), mode.alpha + u32::from(has_p_bits));
    let mut p_bit = 0;
    for (place, endpoint) in endpoints[..count].iter_mut().enumerate() {
        if mode.own_p_bits || mode.shared_p_bits && place % 2 == 0 {
            p_bit = bits.take(1) as u8;
        }
        for (c, channel) in endpoint.iter_mut().enumerate() {
            let code = if has_p_bits { *channel << 1 | p_bit } else { *channel };
            if c < 3 {
                *channel = widened(code, color);
            } else if mode.alpha > 0 {
                *channel = widened(code, alpha);
            }
        }
    }
    endpoints
}

/// Returns the texels of a block whose colours and alpha have separate indices, each with its width.
#[inline(always)]
fn two_indices(
    ends: [[u8; 4]; 2],
    (color, color_bits): (u64, u32),
    (alpha, alpha_bits): (u64, u32),
    rotation: u32,
) -> [[u8; 4]; 16] {
    // As words: colours without alpha, alpha without colours.
    let color_of = palette(ends, color_bits).map(|texel| u32::from_le_bytes(texel) & 0xff_ffff);
    let alpha_of = palette(ends, alpha_bits).map(|texel| u32::from_le_bytes(texel) & 0xff00_0000);
    let (color_mask, alpha_mask) = ((1 << color_bits) - 1, (1 << alpha_bits) - 1);
    // First bit of the channel that is exchanged with alpha, or of alpha itself.
    let bit = if rotation == 0 { 24 } else { 8 * (rotation - 1) };
    let mut texels = [[0; 4]; 16];
    for (t, texel) in texels.iter_mut().enumerate() {
        let color = color_of[(color >> (color_bits * t as u32)) as usize & color_mask & 15];
        let alpha = alpha_of[(alpha >> (alpha_bits * t as u32)) as usize & alpha_mask & 15];
        let word = color | alpha;
        let difference = (word >> 24 ^ word >> bit) & 255;
        *texel = (word ^ difference << 24 ^ difference << bit).to_le_bytes();
    }
    texels
}

/// Returns the subsets of [`TWO_SUBSETS`] in two bits each.
pub(super) fn spread(bits: u16) -> u32 {
    let mut x = u32::from(bits);
    x = (x | x << 8) & 0x00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

/// Reads 16 indices of `width` bits. Those of the `anchors`, in ascending order, lack the highest bit.
#[inline(always)]
pub(crate) fn indices(bits: &mut Bits, width: u32, anchors: &[u8]) -> u64 {
    let mut indices = bits.0 as u64;
    bits.0 >>= 16 * width - anchors.len() as u32;
    for &anchor in anchors {
        let below = (1u64 << (width * u32::from(anchor) + width - 1)) - 1;
        indices = indices & below | (indices & !below) << 1;
    }
    indices
}

/// Returns `value` of `bits` bits as 8 bits, with the upper bits repeated below.
#[inline(always)]
fn widened(value: u8, bits: u32) -> u8 {
    let shifted = value << (8 - bits);
    if bits < 8 { shifted | shifted >> bits } else { shifted }
}

/// Returns the texels of every index.
#[inline(always)]
fn palette([a, b]: [[u8; 4]; 2], index_bits: u32) -> [[u8; 4]; 16] {
    let mut palette = [[0; 4]; 16];
    for (texel, &weight) in palette.iter_mut().zip(weights(index_bits)) {
        for c in 0..4 {
            texel[c] = ((u16::from(a[c]) * (64 - weight) + u16::from(b[c]) * weight + 32) >> 6) as u8;
        }
    }
    palette
}
