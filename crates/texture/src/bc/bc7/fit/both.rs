//! Fits with two efforts at once, for quality best.

use super::{Best, FittedParts, Work, stretched};
use crate::{
    bc::{
        batch::BATCH,
        bc7::{
            coding::{CodingLanes, PBits},
            fit::STARTS,
            line::Ends,
            part::Part,
            plan::{AXIS_STEPS, Effort},
        },
    },
    simd::{AvailableLevel, Float as _, LaneFn, Mask as _, Simd, dispatch},
};

/// Finds endpoints with two efforts. The second has fewer starts and rounds, and no p-bits; its results, in
/// the last field, are among the steps of the first.
struct FitBoth<'a, 'b, const CHANNELS: usize>(&'b mut Work<'a>, [Effort; 2], &'b mut FittedParts);

impl<S: Simd, const CHANNELS: usize> LaneFn<S> for FitBoth<'_, '_, CHANNELS> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, [effort, lesser], parts_of_lesser) = self;
        let coding = CodingLanes::new(s, work.coding);
        let tries_p_bits = effort.p_bits && matches!(coding.p_bits, PBits::Own | PBits::Shared);
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, first);
            let extent = part.extent(s, AXIS_STEPS);
            let mut best = Best { error: s.f(16_777_216.0), ends: extent };
            let mut best_of_lesser = Best { error: s.f(16_777_216.0), ends: extent };
            for (start, [of_a, of_b]) in STARTS[..effort.starts].iter().enumerate() {
                let rest = work.coding.last_index() as f32 - of_a - of_b;
                if rest <= 0.0 {
                    continue;
                }
                let mut ends = stretched(s, &extent, [*of_a / rest, *of_b / rest]);
                for round in 0..effort.rounds {
                    let codes = part.quantized(s, &coding, &ends);
                    let (error, moments) = part.error_and_moments(s, &coding, &codes);
                    best.offer(error, &codes);
                    if start < lesser.starts && round <= lesser.rounds {
                        best_of_lesser.offer(error, &codes);
                    }
                    ends = part.regression(s, &moments, &ends);
                }
                if tries_p_bits {
                    try_p_bits(s, &coding, &part, &ends, &mut best);
                } else {
                    let codes = part.quantized(s, &coding, &ends);
                    best.offer(part.error(s, &coding, &codes), &codes);
                }
            }
            best.store(s, work.parts, first);
            best_of_lesser.store(s, parts_of_lesser, first);
        }
    }
}

/// Offers the codes next to `ends` with every combination of p-bits. In a tie, the nearest codes win, then
/// the first combination. (The nearest codes are one of the combinations.)
#[inline(always)]
fn try_p_bits<S: Simd, const CHANNELS: usize>(
    s: S,
    coding: &CodingLanes<S>,
    part: &Part<S, CHANNELS>,
    ends: &Ends<S, CHANNELS>,
    best: &mut Best<S, CHANNELS>,
) {
    // Closures of `map` would not be compiled for the instruction set.
    let (low, high) =
        (part.with_p_bits(s, coding, ends, [s.f(0.0); 2]), part.with_p_bits(s, coding, ends, [s.f(1.0); 2]));
    let codes = [
        Ends { a: low.a, b: low.b },
        Ends { a: low.a, b: high.b },
        Ends { a: high.a, b: low.b },
        Ends { a: high.a, b: high.b },
    ];
    let combinations: &[usize] = if coding.p_bits == PBits::Own { &[0, 1, 2, 3] } else { &[0, 3] };
    let mut errors = [s.f(16_777_216.0); 4];
    let mut least = errors[0];
    for &p in combinations {
        errors[p] = part.error(s, coding, &codes[p]);
        least = least.min(errors[p]);
    }
    if !least.lt(best.error).any() {
        return;
    }
    let nearest = part.quantized(s, coding, ends);
    best.offer(part.error(s, coding, &nearest), &nearest);
    for &p in combinations {
        best.offer(errors[p], &codes[p]);
    }
}

#[inline(always)]
fn fit_both_lanes<S: Simd>(
    s: S,
    channels: usize,
    efforts: [Effort; 2],
    work: &mut Work<'_>,
    parts: &mut FittedParts,
) {
    match channels {
        1 => s.call(FitBoth::<1>(work, efforts, parts)),
        3 => s.call(FitBoth::<3>(work, efforts, parts)),
        _ => s.call(FitBoth::<4>(work, efforts, parts)),
    }
}

/// Finds endpoints for parts of 1, 3 or 4 channels with two efforts; `parts` has the results of the second,
/// which must have fewer rounds, no more starts and no p-bits.
#[allow(unsafe_code)]
pub(crate) fn fit_both(
    level: AvailableLevel,
    channels: usize,
    efforts: [Effort; 2],
    work: &mut Work<'_>,
    parts: &mut FittedParts,
) {
    let [effort, lesser] = efforts;
    debug_assert!(lesser.starts <= effort.starts && lesser.rounds < effort.rounds && !lesser.p_bits);
    dispatch!(
        encoder level,
        fit_both_lanes(channels: usize, efforts: [Effort; 2], work: &mut Work<'_>, parts: &mut FittedParts)
    );
}
