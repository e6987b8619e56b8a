//! From endpoints to better ones near by, a step at a time.

use super::{assign, context::Context, descend::Descend, encode::Best, lanes::SearchMode, moves::MOVES};
use crate::simd::{Float, Int, Mask as _, Simd, Task};

/// Tries every move from the best encoding, taking at once each one that helps, then descends; repeats until
/// neither helps.
pub(super) struct Climb<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub context: &'a Context<'a, S, M, MASKED>,
    pub best: &'a mut Best<S>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> Task<S> for Climb<'_, S, M, MASKED> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { context, best } = self;
        let mut needed = MOVES.len();
        loop {
            let (before, has_descended) = (best.cost, needed == MOVES.len());
            let helped = s.call(TryMoves { context, moves: MOVES, needed, best });
            if helped == 0 && !has_descended {
                break;
            }
            let moved = best.cost;
            let (_, clusters, _) = assign::clusters(context, &context.palette(&best.ends));
            s.call(Descend { context, clusters, ends: best.ends, rounds: 2, best, seen: None });
            if !best.cost.lt(before).any() {
                break;
            }
            needed = if best.cost.lt(moved).any() { MOVES.len() } else { helped };
        }
    }
}

/// Tries moves once, taking at once each one that helps. Yields how many there are up to the last that helped
/// in any lane: those after it were tried from where the lanes then are.
pub(super) struct TryMoves<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub context: &'a Context<'a, S, M, MASKED>,
    pub moves: &'a [[f32; 6]],
    /// Moves after so many cannot help unless one before them does.
    pub needed: usize,
    pub best: &'a mut Best<S>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> Task<S> for TryMoves<'_, S, M, MASKED> {
    type Output = usize;
    #[inline(always)]
    fn run(self, s: S) -> usize {
        let Self { context, moves, needed, best } = self;
        let (rule, mode) = (context.rule, context.mode());
        let zero = s.f(0.0);
        let mut helped = 0;
        for (i, step) in moves.iter().enumerate() {
            if i >= needed && helped == 0 {
                break;
            }
            let mut ends = best.ends;
            for c in 0..3 {
                let top = rule.channels[c].top;
                ends.a[c] = (ends.a[c] + s.f(step[c])).max(zero).min(top);
                ends.b[c] = (ends.b[c] + s.f(step[c + 3])).max(zero).min(top);
            }
            let before = best.cost;
            best.offer(mode, assign::cost(context, &context.palette(&ends)), &ends);
            if best.cost.lt(before).any() {
                helped = i + 1;
            }
        }
        helped
    }
}
