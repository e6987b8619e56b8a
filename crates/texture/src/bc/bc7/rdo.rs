//! Units made of parts of earlier blocks, for rate–distortion optimisation.

use super::{
    decode::{Bits, endpoints, spread},
    decode_block,
    modes::{MODES, Mode, weights},
    part::Weights,
    partitions::{THREE_ANCHORS, THREE_SUBSETS, TWO_ANCHORS, TWO_SUBSETS},
};
use crate::{
    EncodeOptions,
    rdo::{Decoded, Line, Optimizer, Prices, Rate, StripOptimizer, Target, Unit},
};

/// Returns BC7's optimiser of a strip.
pub(super) fn optimizer(options: &EncodeOptions) -> StripOptimizer {
    let weights = Weights::new(options.weights).0.map(|weight| weight as i32);
    let unit = Bc7Unit { has_mode_6: options.bc7.modes.contains(6) };
    let lambda = options.rdo.scaled(weights[..3].iter().sum());
    let mut optimizer = Optimizer::new(unit, 16, weights, lambda);
    let mut rate = Rate::new();
    Box::new(move |rows, blocks, task| {
        for (column, block) in blocks.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            task.check()?;
            let (texels, visible) = (rows.block(column), rows.visible_texels(column));
            let written = optimizer.step(&mut rate, u128::from_le_bytes(*block), &texels, visible);
            *block = written.to_le_bytes();
        }
        Ok(())
    })
}

/// BC7 block as a unit.
struct Bc7Unit {
    /// True if blocks may have mode 6.
    has_mode_6: bool,
}

/// Layout of a block with one index per texel.
struct Layout {
    mode: &'static Mode,
    number: u32,
    /// Subset of each texel, two bits each.
    subsets: u32,
    /// Texels whose indices lack the highest bit.
    anchors: u16,
    /// First bit of the endpoints.
    ends: u32,
    /// First bit of the indices.
    indices: u32,
}

impl Layout {
    /// Returns the layout of a block; `None` for the modes with two indices per texel.
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

    /// Returns the endpoints in 8 bits.
    fn endpoints(&self, block: u128) -> [[u8; 4]; 6] {
        endpoints(self.mode, &mut Bits(block >> self.ends))
    }
}

/// Returns the errors of a texel with each index. They are integers below 2²⁴ and thus exact.
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
    const HAS_SUBSETS: bool = true;

    fn source(&self, texels: &[[u8; 4]; 16]) -> Decoded<4> {
        Decoded::of(texels)
    }

    fn decode(&self, block: u128) -> Decoded<4> {
        Decoded::of(&decode_block(&block.to_le_bytes()))
    }

    fn split(&self, block: u128) -> u32 {
        let number = block.trailing_zeros() as usize;
        // First byte of the indices, rounded to whole bytes.
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
        let [(codes_a, p_a), (codes_b, p_b)] = ends.map(|end| quantized(end, is_opaque));
        let mut bits = 1 << 6;
        for c in 0..4 {
            bits |= u128::from(codes_a[c] | codes_b[c] << 7) << (7 + 14 * c);
        }
        Some(bits | u128::from(p_a | p_b << 1) << 63)
    }
}

/// Returns the codes of mode 6 closest to an endpoint, and its p-bit: 1 if alpha must be 255.
fn quantized(end: [f32; 4], is_opaque: bool) -> ([u32; 4], u32) {
    let end = end.map(|value| value.clamp(0.0, 255.0));
    let with = |p_bit: u32| {
        let codes = end.map(|value| ((value - p_bit as f32).max(0.0) / 2.0 + 0.5).min(127.0) as u32);
        let difference = |c: usize| (codes[c] << 1 | p_bit) as f32 - end[c];
        ((0..4).map(|c| difference(c) * difference(c)).sum::<f32>(), codes)
    };
    let (even, odd) = (with(0), with(1));
    if is_opaque || odd.0 < even.0 { (odd.1, 1) } else { (even.1, 0) }
}

/// Returns the second half of a block of mode 6. Each byte contains the indices of two texels: the pair with
/// the lowest sum of error and price as a literal.
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
