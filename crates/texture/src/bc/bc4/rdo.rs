//! Blocks with the endpoints of earlier ones, for rate–distortion optimisation.

use super::{ValueRule, palette::EIGHT_VALUES, palette::SIX_VALUES, values};
use crate::rdo::{Decoded, Line, Prices, Target, Unit};

/// BC3's alpha as a unit.
pub(crate) struct AlphaUnit(pub ValueRule);

/// Mask of the endpoints' bits.
const ENDS: u128 = 0xffff;

impl AlphaUnit {
    fn palette(&self, block: u128) -> [u8; 8] {
        self.0.palette(block as u8, (block >> 8) as u8)
    }
}

impl Unit<1> for AlphaUnit {
    const BYTES: u32 = 8;
    const FIRST_CHANNEL: usize = 3;

    fn decode(&self, block: u128) -> Decoded<1> {
        let block = (block as u64).to_le_bytes();
        let texel = values::<24>(&block, self.0.palette(block[0], block[1]), 0);
        Decoded::of(&std::array::from_fn(|t| texel(t).to_le_bytes()), 3)
    }

    fn split(&self, _: u128) -> u32 {
        2
    }

    fn line(&self, block: u128) -> Option<(u128, Line<1>)> {
        let (r0, r1) = (block as u8, (block >> 8) as u8);
        let steps = if r0 > r1 { EIGHT_VALUES } else { SIX_VALUES };
        Some((block & ENDS, Line { ends: [[r0], [r1]], steps: steps as u32 }))
    }

    fn fresh(&self, ends: [[f32; 1]; 2], _: bool) -> Option<u128> {
        let [r0, r1] = ends.map(|[end]| u128::from((end.clamp(0.0, 255.0) + 0.5) as u8));
        Some(r0.max(r1) | r0.min(r1) << 8)
    }

    fn reindexed(&self, block: u128, target: &Target<1>, _: &Prices) -> Option<u128> {
        let palette = self.palette(block);
        let mut bits = block & ENDS;
        for t in 0..16 {
            if !target.counts(t) {
                continue;
            }
            let wanted = target.texels.channels[0][t];
            let allowed = (0..8).filter(|&index| target.allows_alpha(t, palette[index]));
            let nearest = allowed.min_by_key(|&index| palette[index].abs_diff(wanted))?;
            bits |= (nearest as u128) << (16 + 3 * t);
        }
        Some(bits)
    }
}
