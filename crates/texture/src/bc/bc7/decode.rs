//! A BC7 block to texels.

use super::{
    modes::{MODES, weights},
    partitions::{THREE_ANCHORS, THREE_SUBSETS, TWO_ANCHORS, TWO_SUBSETS},
};

/// The bits of a block, read from the lowest on.
struct Bits(u128);

impl Bits {
    #[inline(always)]
    fn take(&mut self, count: u32) -> u32 {
        let value = self.0 as u32 & ((1 << count) - 1);
        self.0 >>= count;
        value
    }
}

/// The mode of a block; `None` if it has none of the eight, as no encoder writes.
pub fn block_mode(block: &[u8; 16]) -> Option<u8> {
    let mode = block[0].trailing_zeros() as u8;
    (mode < 8).then_some(mode)
}

/// The 16 texels of a block, row by row, as 8-bit RGBA; `[0; 4]` if the block has none of the eight modes.
#[inline]
pub(crate) fn decode_block(block: &[u8; 16]) -> [[u8; 4]; 16] {
    let number = block[0].trailing_zeros();
    let Some(mode) = MODES.get(number as usize) else { return [[0; 4]; 16] };
    let mut bits = Bits(u128::from_le_bytes(*block) >> (number + 1));
    let partition = bits.take(mode.partition) as usize;
    let rotation = bits.take(mode.rotation) as usize;
    let is_exchanged = bits.take(mode.index_selection) != 0;
    let endpoint_count = 2 * mode.subsets;
    let mut endpoints = [[255u8; 4]; 6];
    for channel in 0..3 {
        for endpoint in &mut endpoints[..endpoint_count] {
            endpoint[channel] = bits.take(mode.color) as u8;
        }
    }
    if mode.alpha > 0 {
        for endpoint in &mut endpoints[..endpoint_count] {
            endpoint[3] = bits.take(mode.alpha) as u8;
        }
    }
    let has_p_bits = mode.own_p_bits || mode.shared_p_bits;
    let mut p_bit = 0;
    for (place, endpoint) in endpoints[..endpoint_count].iter_mut().enumerate() {
        if mode.own_p_bits || mode.shared_p_bits && place % 2 == 0 {
            p_bit = bits.take(1) as u8;
        }
        let color = mode.color + u32::from(has_p_bits);
        for channel in &mut endpoint[..3] {
            *channel = widened(if has_p_bits { *channel << 1 | p_bit } else { *channel }, color);
        }
        if mode.alpha > 0 {
            let alpha = if has_p_bits { endpoint[3] << 1 | p_bit } else { endpoint[3] };
            endpoint[3] = widened(alpha, mode.alpha + u32::from(has_p_bits));
        }
    }
    if mode.second_index > 0 {
        let first = indices(&mut bits, mode.index, &[0]);
        let second = indices(&mut bits, mode.second_index, &[0]);
        let mut halves = [(first, mode.index), (second, mode.second_index)];
        if is_exchanged {
            halves.swap(0, 1);
        }
        let palettes = halves.map(|(_, bits)| palette([endpoints[0], endpoints[1]], bits));
        return std::array::from_fn(|t| {
            let [color, alpha] = [0, 1].map(|half| {
                let (indices, bits) = halves[half];
                palettes[half][(indices >> (bits * t as u32)) as usize & ((1 << bits) - 1)]
            });
            let mut texel = [color[0], color[1], color[2], alpha[3]];
            if rotation > 0 {
                texel.swap(rotation - 1, 3);
            }
            texel
        });
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
    let mut palettes = [[[0; 4]; 16]; 3];
    for (palette_of, ends) in palettes.iter_mut().zip(endpoints.as_chunks().0).take(mode.subsets) {
        *palette_of = palette(*ends, mode.index);
    }
    let mask = (1 << mode.index) - 1;
    std::array::from_fn(|t| {
        let index = (indices >> (mode.index * t as u32)) as usize & mask;
        palettes[(subsets >> (2 * t)) as usize & 3][index & 15]
    })
}

/// The subsets of [`TWO_SUBSETS`] in two bits each.
fn spread(bits: u16) -> u32 {
    let mut x = u32::from(bits);
    x = (x | x << 8) & 0x00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

/// Reads 16 indices of `width` bits, of which those of the `anchors`, in ascending order, lack the highest
/// bit.
#[inline(always)]
fn indices(bits: &mut Bits, width: u32, anchors: &[u8]) -> u64 {
    let mut indices = bits.0 as u64;
    bits.0 >>= 16 * width - anchors.len() as u32;
    for &anchor in anchors {
        let below = (1u64 << (width * u32::from(anchor) + width - 1)) - 1;
        indices = indices & below | (indices & !below) << 1;
    }
    indices
}

/// `value` of `bits` bits as 8 bits: the upper bits again below.
#[inline(always)]
fn widened(value: u8, bits: u32) -> u8 {
    let shifted = value << (8 - bits);
    shifted | shifted.checked_shr(bits).unwrap_or(0)
}

/// The texels of every index.
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
