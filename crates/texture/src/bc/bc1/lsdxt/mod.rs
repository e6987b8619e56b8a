//! LSDxt (L. Spiro, 2011–2012; on GPUs: GraphiCon, "LSDxt"): two layers of linear regression and a search.
//!
//! ```text
//! 1. first.rs    each channel's unique values, regressed against their rank → endpoints
//! 2. refine.rs   errors of the decoded block, regressed against the palette's positions
//!                → corrected endpoints; repeated
//! 3. search.rs   every combination of the six endpoint codes within a radius → the lowest exact error
//! ```
//!
//! Opaque blocks have four colours, blocks with transparent texels three. Unlike cluster fit, LSDxt does not
//! try three colours for opaque blocks: the paper does not have them, and they would double every search.
//!
//! A higher quality searches a wider neighbourhood of the same endpoints, so its error is never larger.

mod first;
#[cfg(feature = "gpu")]
pub(crate) mod kernels;
pub(crate) mod refine;
mod search;

use crate::{
    Quality,
    bc::{
        batch::{BATCH, BatchTexels},
        bc1::{
            context::Context,
            distinct::Distinct,
            encode::BatchBlocks,
            lanes::{Block, Mode, RuleLanes, class},
            pack::finish,
            settings::Settings,
        },
    },
    simd::{Int as _, Simd, each},
};

/// Search radius of the best quality: 9⁶ = 531,441 candidates.
pub(crate) const MAX_RADIUS: usize = 4;

/// Amount of work that a quality does. Each number trades time for error; bc1/notes.md has the measurements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Maximum number of corrections in step 2, which ends earlier once one does not help.
    pub refinements: usize,
    /// Radius of the search of step 3 in each of the six endpoint codes; 0 for no search.
    pub radius: usize,
}

/// Number of corrections after which hardly any block would profit from more. All qualities that search start
/// from the same endpoints, so that a wider search is never worse.
const ALL_REFINEMENTS: usize = 16;

impl Effort {
    pub const fn new(quality: Quality) -> Self {
        match quality {
            Quality::Ultrafast => Self { refinements: 1, radius: 0 },
            Quality::Fast => Self { refinements: 4, radius: 0 },
            Quality::Normal => Self { refinements: ALL_REFINEMENTS, radius: 1 },
            Quality::High => Self { refinements: ALL_REFINEMENTS, radius: 2 },
            Quality::Best => Self { refinements: ALL_REFINEMENTS, radius: MAX_RADIUS },
        }
    }
}

/// Encodes a batch, as [`encode::encode_batch`](crate::bc::bc1::encode::encode_batch) does for cluster fit.
/// If `masked`, the alpha bytes are [`class`]es. There is one copy for both kinds of blocks, because the
/// search takes long to compile.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd>(
    s: S,
    settings: &Settings,
    masked: bool,
    transparent: bool,
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    let rule = RuleLanes::new(s, &settings.rule, settings.weights);
    let effort = Effort::new(settings.quality);
    let mode = if transparent { Mode::Three } else { Mode::Four };
    let counting = s.i(if masked { 0 } else { class::OPAQUE << 24 });
    for first in (0..BATCH).step_by(S::LANES) {
        let block = Block::<S, true>::new(s, each!(t in 16 => s.load_i(&texels[t][first..]) | counting));
        let ends = first::endpoints(s, &rule, &block);
        let distinct = &Distinct::none(s);
        let context = Context { simd: s, rule: &rule, mode, block: &block, distinct };
        let mut best = refine::refine(&context, ends, effort.refinements);
        if effort.radius > 0 {
            search::search(&context, effort.radius, &mut best);
        }
        let (endpoints, indices) = finish(s, &rule, &block, &best);
        endpoints.store(&mut blocks.endpoints[first..]);
        indices.store(&mut blocks.indices[first..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bc::bc1::assign;
    use crate::{EncodeOptions, simd::Scalar};

    /// Returns the costs after each of the three steps on one block, which must not rise.
    fn costs(seed: u32) -> [i32; 3] {
        let mut random = seed;
        let packed = each!(t in 16 => {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223 + t as u32);
            (random >> 8 | 0xff00_0000) as i32
        });
        let s = Scalar;
        let settings = Settings::new(&EncodeOptions::default());
        let rule = RuleLanes::new(s, &settings.rule, settings.weights);
        let block = Block::<Scalar, true>::new(s, packed);
        let ends = first::endpoints(s, &rule, &block);
        let distinct = &Distinct::none(s);
        let context = Context { simd: s, rule: &rule, mode: Mode::Four, block: &block, distinct };
        let [first, mut last] = [0, ALL_REFINEMENTS].map(|rounds| refine::refine(&context, ends, rounds));
        let refined = last.cost;
        search::search(&context, 1, &mut last);
        [first.cost, refined, assign::cost(&context, &context.palette(&last.ends))]
    }

    #[test]
    fn no_step_is_worse_than_the_one_before() {
        let mut improved = [0; 2];
        for seed in 0..300 {
            let [first, refined, found] = costs(seed);
            assert!(found <= refined && refined <= first, "{seed}: {first} {refined} {found}");
            improved[0] += usize::from(refined < first);
            improved[1] += usize::from(found < refined);
        }
        assert!(improved[0] > 100 && improved[1] > 200, "{improved:?}");
    }

    /// Ramps of different slopes, each channel the widest in turn: falling ones must have their ends
    /// exchanged.
    #[test]
    fn channels_that_fall_are_told_from_those_that_rise() {
        let s = Scalar;
        let settings = Settings::new(&EncodeOptions::default());
        let rule = RuleLanes::new(s, &settings.rule, settings.weights);
        for slopes in [[14, 9, 11], [9, 14, 11], [11, 9, 14]] {
            for falling in 0..8 {
                let packed = each!(t in 16 => {
                    let value = |c: usize| {
                        let rising = 5 + slopes[c] * t as i32;
                        if falling >> c & 1 == 1 { 255 - rising } else { rising }
                    };
                    value(0) | value(1) << 8 | value(2) << 16 | 255 << 24
                });
                let ends = first::endpoints(s, &rule, &Block::<Scalar, true>::new(s, packed));
                for c in 0..3 {
                    let is_as_red = (ends.a[c] < ends.b[c]) == (ends.a[0] < ends.b[0]);
                    let should_be = (falling >> c & 1) == (falling & 1);
                    assert_eq!(is_as_red, should_be, "{slopes:?} {falling:03b} {c}");
                }
            }
        }
    }
}
