//! Blocks made of units of earlier ones, for rate–distortion optimisation.

use super::{
    decode_block,
    modes::{MODES, Mode, weights},
    part::Weights,
    partitions::{THREE_ANCHORS, THREE_SUBSETS, TWO_ANCHORS, TWO_SUBSETS},
};
use crate::{
    EncodeOptions,
    rdo::{Decoded, Line, Optimizer, Prices, Rate, StripOptimizer, Target, Unit},
};

/// BC7's optimiser of a strip.
pub(super) fn optimizer(options: &EncodeOptions) -> StripOptimizer {
    let weights = Weights::new(options.weights).0.map(|weight| weight as i32);
    let unit = Bc7Unit { has_mode_6: options.bc7.modes.contains(6) };
    let lambda = options.rdo.scaled(weights[..3].iter().sum());
    let mut optimizer = Optimizer::new(unit, 16, weights, lambda);
    let mut rate = Rate::new();
    Box::new(move |rows, blocks| {
        for (column, block) in blocks.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let (texels, visible) = (rows.block(column), rows.visible_texels(column));
            let written = optimizer.step(&mut rate, u128::from_le_bytes(*block), &texels, visible);
            *block = written.to_le_bytes();
        }
    })
}

/// A block of BC7.
struct Bc7Unit {
    /// Whether blocks may have mode 6.
    has_mode_6: bool,
}

/// What a block with one index per texel stores.
struct Layout {
    mode: &'static Mode,
    number: u32,
    /// The subset of each texel, two bits each.
    subsets: u32,
    /// Texels whose indices lack the highest bit.
    anchors: u16,
    /// The bit where endpoints start.
    ends: u32,
    /// The bit where indices start.
    indices: u32,
}

impl Layout {
    /// Of a block; `None` for the modes with two indices per texel.
    fn of(block: u128) -> Option<Self> {
        let number = block.trailing_zeros();
        let mode = MODES.get(number as usize)?;
        if mode.second_index > 0 {
            return None;
        }
        let partition = (block >> (number + 1)) as usize & ((1 << mode.partition) - 1);
        let (subsets, anchors) = match mode.subsets {
            1 => (0, 1),
            2 => (spread(TWO_SUBSETS[partition]), 1 | 1 << TWO_ANCHORS[partition]),
            _ => {
                let anchors = 1 | 1 << THREE_ANCHORS[0][partition] | 1 << THREE_ANCHORS[1][partition];
                (THREE_SUBSETS[partition], anchors)
            }
        };
        let indices = 128 - (16 * mode.index - mode.subsets as u32);
        Some(Self { mode, number, subsets, anchors, ends: number + 1 + mode.partition, indices })
    }

    fn subset(&self, t: usize) -> usize {
        (self.subsets >> (2 * t)) as usize & 3
    }

    fn index_bits(&self, t: usize) -> u32 {
        self.mode.index - u32::from(self.anchors >> t & 1)
    }

    fn channels(&self) -> usize {
        if self.mode.alpha > 0 { 4 } else { 3 }
    }

    fn has_p_bits(&self) -> bool {
        self.mode.own_p_bits || self.mode.shared_p_bits
    }

    /// The endpoints in 8 bits.
    fn endpoints(&self, block: u128) -> [[u8; 4]; 6] {
        let mode = self.mode;
        let count = 2 * mode.subsets;
        let mut bits = block >> self.ends;
        let mut take = |width: u32| {
            let value = bits as u32 & ((1 << width) - 1);
            bits >>= width;
            value
        };
        let mut codes = [[0; 4]; 6];
        for channel in 0..self.channels() {
            for code in &mut codes[..count] {
                code[channel] = take(if channel == 3 { mode.alpha } else { mode.color });
            }
        }
        let mut ends = [[255; 4]; 6];
        let mut p_bit = 0;
        for place in 0..count {
            if mode.own_p_bits || mode.shared_p_bits && place % 2 == 0 {
                p_bit = take(1);
            }
            for channel in 0..self.channels() {
                let width = if channel == 3 { mode.alpha } else { mode.color };
                ends[place][channel] = if self.has_p_bits() {
                    widened(codes[place][channel] << 1 | p_bit, width + 1)
                } else {
                    widened(codes[place][channel], width)
                };
            }
        }
        ends
    }
}

/// The subsets of [`TWO_SUBSETS`] in two bits each.
fn spread(bits: u16) -> u32 {
    let mut x = u32::from(bits);
    x = (x | x << 8) & 0x00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

/// `value` of `bits` bits as 8 bits.
fn widened(value: u32, bits: u32) -> u8 {
    let shifted = value << (8 - bits);
    (shifted | shifted >> bits) as u8
}

/// The errors of a texel with each index; integers below 2²⁴, so exact.
#[inline(always)]
fn errors_of(palette: &[[f32; 16]; 4], texel: [f32; 4], weights: [f32; 4]) -> [f32; 16] {
    let mut errors = [0.0; 16];
    for c in 0..4 {
        for i in 0..16 {
            let difference = palette[c][i] - texel[c];
            errors[i] += difference * difference * weights[c];
        }
    }
    errors
}

impl Unit<4> for Bc7Unit {
    const BYTES: u32 = 16;
    const FIRST_CHANNEL: usize = 0;

    fn decode(&self, block: u128) -> Decoded<4> {
        Decoded::of(&decode_block(&block.to_le_bytes()), 0)
    }

    fn split(&self, block: u128) -> u32 {
        let number = block.trailing_zeros() as usize;
        // Where indices start, to whole bytes.
        [10, 10, 12, 12, 6, 8, 8, 12, 8][number.min(8)]
    }

    fn line(&self, block: u128) -> Option<(u128, Line<4>)> {
        if block.trailing_zeros() != 6 {
            return None;
        }
        let ends = Layout::of(block)?.endpoints(block);
        Some((block & ((1 << 65) - 1), Line { ends: [ends[0], ends[1]], steps: 15 }))
    }

    fn reindexed(&self, block: u128, target: &Target<4>, prices: &Prices) -> Option<u128> {
        let layout = Layout::of(block)?;
        let width = layout.mode.index;
        let ends = layout.endpoints(block);
        let mut palettes = [[[0.0; 16]; 4]; 3];
        for (subset, palette) in palettes.iter_mut().enumerate().take(layout.mode.subsets) {
            for c in 0..4 {
                let (a, b) = (i16::from(ends[2 * subset][c]), i16::from(ends[2 * subset + 1][c]));
                for (value, &weight) in palette[c].iter_mut().zip(weights(width)) {
                    *value = f32::from((a * (64 - weight as i16) + b * weight as i16 + 32) >> 6);
                }
            }
        }
        let weights = target.weights.map(|weight| weight as f32);
        let mut errors = [[0.0; 16]; 16];
        for t in 0..16 {
            if target.counts(t) {
                let texel = std::array::from_fn(|c| f32::from(target.texels.channels[c][t]));
                errors[t] = errors_of(&palettes[layout.subset(t)], texel, weights);
            }
        }
        let mut bits = 0u128;
        if layout.number == 6 {
            bits = indices_of_mode_6(&errors, block >> 64 & 1 != 0, prices);
            return Some(block & u128::from(u64::MAX) | bits);
        }
        let mut place = layout.indices;
        for t in 0..16 {
            let width = layout.index_bits(t);
            let mut best = (f32::MAX, 0);
            for (index, &error) in errors[t].iter().enumerate().take(1 << width) {
                if error < best.0 {
                    best = (error, index);
                }
            }
            bits |= (best.1 as u128) << place;
            place += width;
        }
        Some(block & ((1 << layout.indices) - 1) | bits)
    }

    fn fresh(&self, ends: [[f32; 4]; 2], is_opaque: bool) -> Option<u128> {
        if !self.has_mode_6 {
            return None;
        }
        let layout = Layout::of(1 << 6)?;
        let (codes, p_bits) = quantized(&layout, ends, is_opaque);
        let mut bits = 1 << 6;
        let mut place = layout.ends;
        for c in 0..4 {
            for code in codes {
                bits |= u128::from(code[c]) << place;
                place += 7;
            }
        }
        Some(bits | u128::from(p_bits[0]) << place | u128::from(p_bits[1]) << (place + 1))
    }
}

/// The codes closest to two endpoints, and their p-bits.
fn quantized(layout: &Layout, ends: [[f32; 4]; 2], is_opaque: bool) -> ([[u32; 4]; 2], [u32; 2]) {
    let code = |value: f32, width: u32, p_bit: Option<u32>| {
        let value = value.clamp(0.0, 255.0);
        let top = (1u32 << width) - 1;
        match p_bit {
            None => {
                let code = (value * top as f32 / 255.0 + 0.5) as u32;
                (code, widened(code, width), value)
            }
            Some(p_bit) => {
                let full = value * (2 * top + 1) as f32 / 255.0;
                let code = (((full - p_bit as f32) / 2.0 + 0.5).max(0.0) as u32).min(top);
                (code, widened(code << 1 | p_bit, width + 1), value)
            }
        }
    };
    let of_end = |end: [f32; 4], p_bit: Option<u32>| {
        let mut codes = [0; 4];
        let mut error = 0.0;
        for c in 0..layout.channels() {
            let width = if c == 3 { layout.mode.alpha } else { layout.mode.color };
            let (found, value, wanted) = code(end[c], width, p_bit);
            codes[c] = found;
            let difference = f32::from(value) - wanted;
            error += difference * difference;
        }
        (codes, error)
    };
    if !layout.has_p_bits() {
        return ([of_end(ends[0], None).0, of_end(ends[1], None).0], [0; 2]);
    }
    let tried = ends.map(|end| [of_end(end, Some(0)), of_end(end, Some(1))]);
    // Only with p-bits is alpha 255.
    let is_opaque = is_opaque && layout.mode.alpha > 0;
    let mut p_bits = [0, 1].map(|end| u32::from(is_opaque || tried[end][1].1 < tried[end][0].1));
    if layout.mode.shared_p_bits {
        let p_bit = u32::from(tried[0][1].1 + tried[1][1].1 < tried[0][0].1 + tried[1][0].1);
        p_bits = [p_bit; 2];
    }
    ([0, 1].map(|end| tried[end][p_bits[end] as usize].0), p_bits)
}

/// The second half of a block of mode 6: in each byte lie the indices of two texels, of which the pair is
/// taken that costs least with its error and as a literal.
fn indices_of_mode_6(errors: &[[f32; 16]; 16], p_bit: bool, prices: &Prices) -> u128 {
    let mut bytes = [0u8; 16];
    // The anchor, texel 0, has three bits, after the p-bit.
    let mut low = [f32::INFINITY; 16];
    for (index, &error) in errors[0][..8].iter().enumerate() {
        low[index << 1 | usize::from(p_bit)] = error;
    }
    bytes[8] = prices.cheapest_byte(&low, &errors[1]);
    for pair in 1..8 {
        bytes[8 + pair] = prices.cheapest_byte(&errors[2 * pair], &errors[2 * pair + 1]);
    }
    u128::from_le_bytes(bytes)
}
