//! Blocks with the endpoints of earlier ones, for rate–distortion optimisation.

use super::{
    ValueRule, nvidia,
    palette::{EIGHT_VALUES, LEVEL_STEPS, SIX_VALUES},
};
use crate::{
    EncodeOptions,
    rdo::{Decoded, Line, Optimizer, Prices, Rate, StripOptimizer, Target, Unit},
};

/// Returns the optimiser of a strip of blocks with this number of channels, in 8 bytes each: BC4 and BC5.
/// Channels are separate units, written alternately.
pub(crate) fn optimizer<const CHANNELS: usize>(options: &EncodeOptions, rule: ValueRule) -> StripOptimizer {
    // Weights are those of three colours, and do not apply. Each channel counts 1.
    let lambda = options.rdo.scaled(3);
    let stride = 8 * CHANNELS as u32;
    let mut optimizers: [_; CHANNELS] =
        std::array::from_fn(|channel| Optimizer::new(ChannelUnit::new(rule, channel), stride, [1], lambda));
    let mut rate = Rate::new();
    Box::new(move |rows, blocks, task| {
        let blocks = blocks.as_chunks_mut::<8>().0.as_chunks_mut::<CHANNELS>().0;
        for (column, channels) in blocks.iter_mut().enumerate() {
            task.check()?;
            let (texels, visible) = (rows.block(column), rows.visible_texels(column));
            for (optimizer, block) in optimizers.iter_mut().zip(channels) {
                let unit = u128::from(u64::from_le_bytes(*block));
                let written = optimizer.step(&mut rate, unit, &texels, visible);
                *block = (written as u64).to_le_bytes();
            }
        }
        Ok(())
    })
}

/// One channel of BC4 or BC5, or the alpha of BC3, as a unit. Values are levels if the rule rounds them, else
/// [`LEVEL_STEPS`] to a level.
pub(crate) struct ChannelUnit {
    rule: ValueRule,
    /// Channel of RGBA that the unit stores.
    channel: usize,
}

/// Mask of the endpoints' bits.
const ENDS: u128 = 0xffff;
/// The channel whose values 0 and 255 are constraints.
const ALPHA: usize = 3;

impl ChannelUnit {
    /// Returns the unit for a channel of RGBA. The rule of alpha must round values.
    pub fn new(rule: ValueRule, channel: usize) -> Self {
        debug_assert!(channel != ALPHA || !rule.is_real());
        Self { rule, channel }
    }

    fn steps_per_level(&self) -> i16 {
        if self.rule.is_real() { LEVEL_STEPS } else { 1 }
    }

    fn palette(&self, block: u128) -> [i16; 8] {
        let (rule, r0, r1) = (&self.rule, block as u8, (block >> 8) as u8);
        match (rule.is_nvidia, rule.is_real()) {
            (true, true) => nvidia::steps(rule.is_signed, r0, r1),
            (true, false) => nvidia::alpha(r0, r1).map(i16::from),
            (false, true) => rule.steps(r0, r1),
            (false, false) => rule.palette(r0, r1).map(i16::from),
        }
    }

    fn decoded(&self, values: [i16; 16]) -> Decoded<1, i16> {
        let texels_with = |alpha: i16| -> u16 {
            let is_set = |t: usize| self.channel == ALPHA && values[t] == alpha;
            (0..16).map(|t| u16::from(is_set(t)) << t).sum()
        };
        Decoded { channels: [values], opaque: texels_with(255), clear: texels_with(0) }
    }
}

impl Unit<1, i16> for ChannelUnit {
    const BYTES: u32 = 8;

    fn steps(&self) -> i64 {
        self.steps_per_level().into()
    }

    fn source(&self, texels: &[[u8; 4]; 16]) -> Decoded<1, i16> {
        self.decoded(texels.map(|texel| i16::from(texel[self.channel]) * self.steps_per_level()))
    }

    fn decode(&self, block: u128) -> Decoded<1, i16> {
        let palette = self.palette(block);
        self.decoded(std::array::from_fn(|t| palette[(block >> (16 + 3 * t)) as usize & 7]))
    }

    fn split(&self, _: u128) -> u32 {
        2
    }

    fn line(&self, block: u128) -> Option<(u128, Line<1, i16>)> {
        let palette = self.palette(block);
        let [a, b] = [0, 8].map(|bit| self.rule.code((block >> bit) as u8));
        let steps = if a > b { EIGHT_VALUES } else { SIX_VALUES };
        Some((block & ENDS, Line { ends: [[palette[0]], [palette[1]]], steps: steps as u32 }))
    }

    fn fresh(&self, ends: [[f32; 1]; 2], _: bool) -> Option<u128> {
        let top = self.rule.top() as f32;
        let scale = top / (255.0 * f32::from(self.steps_per_level()));
        let [a, b] = ends.map(|[end]| ((end * scale).clamp(0.0, top) + 0.5) as i32);
        let [r0, r1] = [a.max(b), a.min(b)].map(|code| u128::from(self.rule.stored(code)));
        Some(r0 | r1 << 8)
    }

    fn reindexed(&self, block: u128, target: &Target<1, i16>, _: &Prices) -> Option<u128> {
        let palette = self.palette(block);
        let is_alpha = self.channel == ALPHA;
        let mut bits = block & ENDS;
        for t in 0..16 {
            if !target.counts(t) {
                continue;
            }
            let wanted = target.texels.channels[0][t];
            let allowed = (0..8).filter(|&index| !is_alpha || target.allows_alpha(t, palette[index] as u8));
            let nearest = allowed.min_by_key(|&index| palette[index].abs_diff(wanted))?;
            bits |= (nearest as u128) << (16 + 3 * t);
        }
        Some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RoundingRule;

    /// Rules of BC4 and BC5 with and without rounding, and NVIDIA's.
    fn rules() -> [ValueRule; 6] {
        let rules = [RoundingRule::Real, RoundingRule::Exact, RoundingRule::Nvidia];
        let [a, b, c] = rules.map(ValueRule::unorm);
        let [d, e, f] = rules.map(ValueRule::snorm);
        [a, b, c, d, e, f]
    }

    #[test]
    fn fresh_endpoints_are_the_nearest_codes_and_the_first_is_not_smaller() {
        for rule in rules() {
            let unit = ChannelUnit::new(rule, 0);
            let steps = f32::from(unit.steps_per_level());
            let cases: [(f32, f32); 5] =
                [(0.0, 255.0), (3.2, 200.9), (77.0, 77.0), (-9.0, 300.0), (127.4, 128.6)];
            for (low, high) in cases {
                let block = unit.fresh([[low * steps], [high * steps]], false).unwrap();
                let codes = [0, 8].map(|bit| rule.code((block >> bit) as u8));
                assert!(codes[0] >= codes[1], "{rule:?} {low} {high}");
                for (code, level) in codes.into_iter().zip([high, low]) {
                    let exact = level.clamp(0.0, 255.0) * rule.top() as f32 / 255.0;
                    assert!((code as f32 - exact).abs() < 0.501, "{rule:?} {low} {high}: {codes:?}");
                }
            }
        }
    }

    /// Units have the decoder's values to a 16th of a level, alpha exactly.
    #[test]
    fn values_of_nvidia_are_those_that_its_gpus_decode() {
        let [unorm, snorm, alpha] = [
            (ValueRule::unorm(RoundingRule::Nvidia), 0),
            (ValueRule::snorm(RoundingRule::Nvidia), 0),
            (ValueRule::alpha(RoundingRule::Nvidia), ALPHA),
        ]
        .map(|(rule, channel)| ChannelUnit::new(rule, channel));
        for (r0, r1) in (0..=255u8).flat_map(|r0| (0..=255u8).map(move |r1| (r0, r1))) {
            let block = u128::from(r0) | u128::from(r1) << 8;
            assert_eq!(alpha.palette(block), nvidia::alpha(r0, r1).map(i16::from));
            for (unit, floats) in
                [(&unorm, nvidia::unorm_floats(r0, r1)), (&snorm, nvidia::snorm_floats(r0, r1))]
            {
                for (steps, value) in unit.palette(block).into_iter().zip(floats) {
                    assert!((f32::from(steps) - value * 2040.0).abs() < 0.501, "{r0} {r1}");
                }
            }
        }
    }

    #[test]
    fn a_block_decodes_to_the_palette_and_reindexing_finds_its_indices_again() {
        for rule in rules() {
            for channel in [0, 1] {
                let unit = ChannelUnit::new(rule, channel);
                // Endpoints in either order; −127 and 5 if signed.
                for ends in [0x0581u128, 0x8105, 0x20e0, 0xe020] {
                    let indices: u128 = (0..16u128).map(|t| ((t * 5 + 3) % 8) << (3 * t)).sum();
                    let block = ends | indices << 16;
                    let decoded = unit.decode(block);
                    let palette = unit.palette(block);
                    for t in 0..16 {
                        assert_eq!(decoded.channels[0][t], palette[(t * 5 + 3) % 8]);
                    }
                    assert_eq!((decoded.opaque, decoded.clear), (0, 0));
                    let target = Target::new(decoded, u16::MAX, [0; 2], [1]);
                    let free = Prices { literals: [0.0; 256] };
                    let again = unit.reindexed(ends, &target, &free).unwrap();
                    assert_eq!(target.error(&unit.decode(again)), 0, "{rule:?} {ends:x}");
                }
            }
        }
    }
}
