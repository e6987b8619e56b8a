//! Blocks with the endpoints of earlier ones, for rate–distortion optimisation.

use super::{PaletteRule, colors, decode_block, palette::pack_565};
use crate::{
    EncodeOptions,
    rdo::{Decoded, Line, Optimizer, Prices, Rate, StripOptimizer, Target, Unit},
};

/// Returns BC1's optimiser of a strip.
pub(super) fn optimizer(options: &EncodeOptions) -> StripOptimizer {
    let weights = options.weights.rgb().map(i32::from);
    let unit = ColorUnit::new(PaletteRule::new(options.rounding_rule), true);
    let mut optimizer = Optimizer::new(unit, 8, weights, options.rdo.scaled(weights.iter().sum()));
    let mut rate = Rate::new();
    Box::new(move |rows, blocks, task| {
        for (column, block) in blocks.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            task.check()?;
            let unit = u128::from(u64::from_le_bytes(*block));
            let written = optimizer.step(&mut rate, unit, &rows.block(column), rows.visible_texels(column));
            *block = (written as u64).to_le_bytes();
        }
        Ok(())
    })
}

/// BC1 block, or the colours of BC2 and BC3, as a unit.
pub(crate) struct ColorUnit {
    rule: PaletteRule,
    /// True if the order of the endpoints chooses the mode, as in BC1.
    has_modes: bool,
}

/// Mask of the endpoints' bits.
const ENDS: u128 = 0xffff_ffff;

impl ColorUnit {
    /// Returns the unit for BC1, or else for the colours of BC3.
    pub fn new(rule: PaletteRule, is_bc1: bool) -> Self {
        Self { rule, has_modes: is_bc1 }
    }

    fn palette(&self, block: u128) -> [[u8; 4]; 4] {
        let (c0, c1) = (block as u16, (block >> 16) as u16);
        self.rule.colors(c0, c1, !self.has_modes || c0 > c1)
    }
}

impl Unit<3> for ColorUnit {
    const BYTES: u32 = 8;

    fn source(&self, texels: &[[u8; 4]; 16]) -> Decoded<3> {
        Decoded::of(texels)
    }

    fn decode(&self, block: u128) -> Decoded<3> {
        let block = &(block as u64).to_le_bytes();
        if self.has_modes {
            return Decoded::of(&decode_block(block, &self.rule));
        }
        let texel = colors(block, &self.rule);
        Decoded::of(&std::array::from_fn(|t| (texel(t) | 0xff00_0000).to_le_bytes()))
    }

    /// Returns the target. BC1's transparent texels stay, no others appear, and their colours do not count.
    fn target(&self, texels: Decoded<3>, own: &Decoded<3>, counted: u16, weights: [i32; 3]) -> Target<3> {
        let exact = if self.has_modes { [own.opaque & counted, own.clear & counted] } else { [0; 2] };
        Target::new(texels, counted & !own.clear, exact, weights)
    }

    fn split(&self, _: u128) -> u32 {
        4
    }

    fn line(&self, block: u128) -> Option<(u128, Line<3>)> {
        let palette = self.palette(block);
        let ends = [palette[0], palette[1]].map(|[r, g, b, _]| [r, g, b]);
        Some((block & ENDS, Line { ends, steps: if palette[3][3] == 0 { 2 } else { 3 } }))
    }

    fn fresh(&self, ends: [[f32; 3]; 2], _: bool) -> Option<u128> {
        let [c0, c1] = ends.map(|end| {
            let code = |c: usize, top: f32| (end[c].clamp(0.0, 255.0) * (top / 255.0) + 0.5) as u8;
            u128::from(pack_565([code(0, 31.0), code(1, 63.0), code(2, 31.0)]))
        });
        // With the larger endpoint first, BC1 has four colours.
        let (c0, c1) = (c0.max(c1), c0.min(c1));
        (c0 > c1).then_some(c0 | c1 << 16)
    }

    fn reindexed(&self, block: u128, target: &Target<3>, prices: &Prices) -> Option<u128> {
        let palette = self.palette(block);
        let weights = target.weights.map(|weight| weight as f32);
        let mut errors = [[f32::INFINITY; 4]; 16];
        for (t, errors) in errors.iter_mut().enumerate() {
            for (error, color) in errors.iter_mut().zip(&palette) {
                if !target.allows_alpha(t, color[3]) {
                    continue;
                }
                *error = 0.0;
                if target.counts(t) {
                    for c in 0..3 {
                        let difference = f32::from(color[c]) - f32::from(target.texels.channels[c][t]);
                        *error += difference * difference * weights[c];
                    }
                }
            }
            if errors.iter().all(|error| error.is_infinite()) {
                return None;
            }
        }
        let mut bits = block & ENDS;
        for (row, errors) in errors.as_chunks::<4>().0.iter().enumerate() {
            let pair = |first: usize| -> [f32; 16] {
                std::array::from_fn(|both| errors[first][both & 3] + errors[first + 1][both >> 2])
            };
            bits |= u128::from(prices.cheapest_byte(&pair(0), &pair(2))) << (32 + 8 * row);
        }
        Some(bits)
    }
}
