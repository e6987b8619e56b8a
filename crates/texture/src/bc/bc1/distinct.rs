//! Distinct colours of a block: with few colours, each is examined once instead of once per texel.
//!
//! Costs and sums of texels are integers, so a colour's values times its number of texels are exact. The
//! encoder finds the same blocks in less time. All blocks of a batch are treated alike, so a row's blocks are
//! first sorted by their number of colours.

use crate::{
    bc::{batch::RGB, block::centered},
    simd::{Int, Mask as _, Simd, each},
};

/// Maximum number of colours for this method. A colour takes more time than a texel.
const MOST: usize = 13;

/// Returns the number of different colours among texels.
pub(crate) fn count(texels: &[u32; 16]) -> usize {
    // Sixteen entries that equal no texel precede the first texel.
    let mut padded = [u32::MAX; 32];
    for (padded, texel) in padded[16..].iter_mut().zip(texels) {
        *padded = texel & RGB;
    }
    let mut is_known = [0; 16];
    for back in 1..16 {
        for t in 0..16 {
            is_known[t] |= u32::from(padded[16 + t] == padded[16 + t - back]);
        }
    }
    16 - is_known.iter().sum::<u32>() as usize
}

/// Distinct colours of the blocks in the lanes.
#[derive(Clone, Copy)]
pub(crate) struct Distinct<S: Simd> {
    /// Number of colours; 0 if there are too many.
    pub count: usize,
    /// Centred channels, `x[color][channel]`.
    pub x: [[S::F; 3]; MOST],
    /// Number of texels with the colour; 0 if a block has fewer colours.
    pub texels: [S::I; MOST],
}

impl<S: Simd> Distinct<S> {
    /// Returns the colours of blocks whose texels all count and that have at most `most` colours. Returns
    /// none if `most` is 0 or too large.
    #[inline(always)]
    pub fn new(s: S, packed: &[S::I; 16], most: usize) -> Self {
        let mut distinct = Self { count: if most > MOST { 0 } else { most }, ..Self::none(s) };
        let taken = s.i(-1);
        let mut left = each!(t in 16 => packed[t] & s.i(RGB as i32));
        for i in 0..distinct.count.min(MOST) {
            let mut color = taken;
            for &left in &left {
                color = color.max(left);
            }
            let mut texels = s.i(0);
            for left in &mut left {
                let is_it = left.eq(color);
                texels = texels + s.i(0).or_if(is_it, s.i(1));
                *left = left.or_if(is_it, taken);
            }
            let [red, green, blue, _] = centered(s, color);
            distinct.x[i] = [red, green, blue];
            distinct.texels[i] = texels.or_if(color.eq(taken), s.i(0));
        }
        distinct
    }

    /// Returns no colours, for blocks whose texels are examined one by one.
    #[inline(always)]
    pub fn none(s: S) -> Self {
        Self { count: 0, x: [[s.f(0.0); 3]; MOST], texels: [s.i(0); MOST] }
    }
}

/// Indices of colours from which descents have continued, so that none repeats another.
pub(crate) struct Seen<S: Simd> {
    count: usize,
    /// Two bits per colour, and the number of remaining rounds.
    indices: [S::I; SEEN],
    rounds: [usize; SEEN],
}

/// Two entries for each of 17 descents of three rounds.
const SEEN: usize = 34;

impl<S: Simd> Seen<S> {
    #[inline(always)]
    pub fn new(s: S) -> Self {
        Self { count: 0, indices: [s.i(0); SEEN], rounds: [0; SEEN] }
    }

    /// Returns true if, in any lane, no earlier descent has continued from these indices with at least
    /// `rounds` rounds left. Records the indices.
    #[inline(always)]
    pub fn is_new(&mut self, s: S, indices: S::I, rounds: usize) -> bool {
        let mut known = s.none();
        for i in 0..self.count.min(SEEN) {
            if self.rounds[i] >= rounds {
                known = known | self.indices[i].eq(indices);
            }
        }
        if self.count < SEEN {
            self.indices[self.count] = indices;
            self.rounds[self.count] = rounds;
            self.count += 1;
        }
        (!known).any()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            encode::{BatchBlocks, encode_batch},
            settings::Settings,
            single_color::SingleColor,
        },
        *,
    };
    use crate::{
        EncodeOptions, Quality,
        bc::batch::{BATCH, BatchTexels},
        simd::Scalar,
    };
    use proptest::prelude::*;

    fn encode(options: &EncodeOptions, texels: &BatchTexels, colors: usize) -> [Vec<i32>; 2] {
        let settings = Settings::new(options);
        let means = SingleColor::new(&settings.rule, options.weights, options.bc1.three_color).mean_codes();
        let mut blocks = BatchBlocks::default();
        encode_batch::<Scalar, false>(Scalar, &settings, &means, false, texels, colors, &mut blocks);
        [blocks.endpoints.to_vec(), blocks.indices.to_vec()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn colors_and_texels_make_the_same_blocks(
            colors in prop::collection::vec(0u32..1 << 24, 3..MOST), choices in any::<[[u8; BATCH]; 16]>(),
            black in any::<bool>(), best in any::<bool>(), heavy in any::<bool>(),
        ) {
            let color = |choice: u8| colors[usize::from(choice) % colors.len()] as i32;
            let texels = choices.map(|lanes| lanes.map(color));
            let most = (0..BATCH).map(|lane| count(&texels.map(|lanes| lanes[lane] as u32))).max().unwrap();
            let quality = if best { Quality::Best } else { Quality::High };
            let mut options = EncodeOptions::default().with(|o| o.quality = quality);
            options.bc1.transparent_black = black;
            if heavy {
                options.weights = crate::ChannelWeights::LUMA;
            }
            prop_assert_eq!(encode(&options, &texels, most), encode(&options, &texels, 0));
        }

        #[test]
        fn counts_colors(choices in any::<[u8; 16]>(), most in 1u8..17) {
            let texels = choices.map(|choice| 0xff00_0000 | (u32::from(choice % most) * 0x01_0305));
            let mut known = texels.to_vec();
            known.sort_unstable();
            known.dedup();
            prop_assert_eq!(count(&texels), known.len());
        }
    }
}
