//! Climbs: moves from endpoints to better ones nearby, one step at a time.

use super::{
    assign,
    best::Best,
    context::Context,
    descend::Descend,
    lanes::{Endpoints, RuleLanes, SearchMode},
    moves::{MOVES, Move, PAIRS},
    shares::Shares,
};
use crate::simd::{Int, LaneFn, Mask as _, Simd, each};

/// Tries every move from the best encoding and takes each improvement immediately, then descends. Repeats
/// until neither helps.
pub(super) struct Climb<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub context: &'a Context<'a, S, M, MASKED>,
    pub best: &'a mut Best<S>,
    pub shares: &'a mut Shares<S>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> LaneFn<S> for Climb<'_, S, M, MASKED> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { context, best, shares } = self;
        let mut needed = MOVES.len();
        loop {
            let (before, has_descended) = (best.cost, needed == MOVES.len());
            let helped = s.call(TryMoves { context, moves: MOVES, needed, best, shares });
            if helped == 0 && !has_descended {
                break;
            }
            let moved = best.cost;
            let (_, clusters) = assign::clusters(context, &context.palette(&best.ends));
            s.call(Descend { context, clusters, ends: best.ends, rounds: 2, best, seen: None });
            if !best.cost.lt(before).any() {
                break;
            }
            needed = if best.cost.lt(moved).any() { MOVES.len() } else { helped };
        }
    }
}

/// Tries each move once and takes each improvement immediately. Returns the number of moves up to the last
/// that helped in any lane. Later moves have been tried from the lanes' final endpoints.
pub(super) struct TryMoves<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub context: &'a Context<'a, S, M, MASKED>,
    pub moves: &'a [Move],
    /// Number of leading moves to try. Later ones cannot help unless one of these does.
    pub needed: usize,
    pub best: &'a mut Best<S>,
    pub shares: &'a mut Shares<S>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> LaneFn<S> for TryMoves<'_, S, M, MASKED> {
    type Output = usize;
    #[inline(always)]
    fn run(self, s: S) -> usize {
        let Self { context, moves, needed, best, shares } = self;
        let (rule, mode) = (context.rule, context.mode());
        let has_shares = !MASKED && shares.restart(rule, mode);
        let mut helped = 0;
        // Costs of the moves before `paired_to`, as long as they are valid.
        let (mut pairs, mut paired_to) = ([best.cost; PAIRS], 0);
        for (i, step) in moves.iter().enumerate() {
            if i >= needed && helped == 0 {
                break;
            }
            if has_shares
                && step.starts_pairs
                && let Some(moves) = moves[i..].first_chunk()
            {
                (pairs, paired_to) = (shares.pair_costs(context, &best.ends, moves), i + PAIRS);
            }
            let cost = if i < paired_to {
                pairs[(i + PAIRS - paired_to) % PAIRS]
            } else if has_shares && step.is_of_singles() {
                shares.cost(context, &best.ends, step)
            } else {
                assign::cost(context, &context.palette(&stepped(s, rule, &best.ends, step)))
            };
            if cost.lt(best.cost).any() {
                best.offer(mode, cost, &stepped(s, rule, &best.ends, step));
                shares.forget(step);
                (helped, paired_to) = (i + 1, 0);
            }
        }
        helped
    }
}

/// Returns endpoints after a step.
#[inline(always)]
pub(super) fn stepped<S: Simd>(s: S, rule: &RuleLanes<S>, ends: &Endpoints<S>, step: &Move) -> Endpoints<S> {
    Endpoints {
        a: each!(c in 3 => rule.channels[c].stepped(s, ends.a[c], step.codes[c])),
        b: each!(c in 3 => rule.channels[c].stepped(s, ends.b[c], step.codes[c + 3])),
    }
}
