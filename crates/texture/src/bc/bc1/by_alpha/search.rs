//! Search for endpoints in lanes, stage after stage; `encode.rs` does the same without weights.

use super::{
    super::{
        assign::Clusters,
        best::Best,
        climb::stepped,
        descend::differ,
        encode::BatchBlocks,
        lanes::{Endpoints, Mode, RuleLanes},
        moves::{MOVES, Move, SINGLE_COUNT},
        pack::finish,
        settings::{Effort, LONG_CLIMB_AT, SHORT_CLIMB_AT, Settings},
        single_color::{CODE_UNIT, MeanCodes},
    },
    block::{Context, WeightedBlock},
    fit,
    start::Sorted,
};
use crate::{
    Quality,
    bc::{
        batch::{BATCH, BatchTexels},
        block::CENTER,
    },
    simd::{Float, Int, LaneFn, Mask as _, Simd, each},
};

/// Encodes [`BATCH`] blocks again. The weights of texels replace their alpha. If nothing has a lower weighted
/// error, the result has the endpoints from `blocks`.
#[inline(always)]
pub(super) fn encode_batch<S: Simd>(
    s: S,
    settings: &Settings,
    means: &MeanCodes,
    roots: &[f32; 256],
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    let rule = RuleLanes::new(s, &settings.rule, settings.weights);
    for first in (0..BATCH).step_by(S::LANES) {
        let block = WeightedBlock::<S>::new(s, each!(t in 16 => s.load_i(&texels[t][first..])));
        let context = &Context { simd: s, rule: &rule, block: &block };
        let mut best = Best::none(s);
        let ends = unpack(s, s.load_i(&blocks.endpoints[first..]));
        // This comes first, so that blocks do not change where others are only equally good.
        best.offer(Mode::Four, context.cost(&ends), &ends);
        s.call(FromClusters { context, ends, rounds: 2, best: &mut best });
        let ends = around_mean(context, means);
        best.offer(Mode::Four, context.cost(&ends), &ends);
        if settings.quality > Quality::Ultrafast {
            let sorted = Sorted::new(s, &block, settings.stretch(), roots);
            search(context, &Effort::new(settings.quality), sorted, &ends, &mut best);
        }
        let (endpoints, indices) = finish(s, &rule, &block.texels, &best);
        endpoints.store(&mut blocks.endpoints[first..]);
        indices.store(&mut blocks.indices[first..]);
    }
}

/// Returns the endpoints of a block.
#[inline(always)]
fn unpack<S: Simd>(s: S, ends: S::I) -> Endpoints<S> {
    let (five, six) = (s.i(31), s.i(63));
    Endpoints {
        a: [(ends.shr::<11>() & five).to_f(), (ends.shr::<5>() & six).to_f(), (ends & five).to_f()],
        b: [
            (ends.shr::<27>() & five).to_f(),
            (ends.shr::<21>() & six).to_f(),
            (ends.shr::<16>() & five).to_f(),
        ],
    }
}

/// Returns the endpoints around the weighted mean colour.
#[inline(always)]
fn around_mean<S: Simd>(context: &Context<'_, S>, means: &MeanCodes) -> Endpoints<S> {
    let s = context.simd;
    let mean = each!(c in 3 => (context.block.mean[c] + s.f(CENTER + 0.5)).floor().to_i());
    let codes = each!(c in 3 => s.gather(&means.four[c % 2], mean[c]));
    let a = each!(c in 3 => (codes[c] * s.f(1.0 / CODE_UNIT)).floor());
    Endpoints { a, b: each!(c in 3 => codes[c] - a[c] * s.f(CODE_UNIT)) }
}

/// Offers the results of descending from the best clusterings.
#[inline(always)]
fn search<S: Simd>(
    context: &Context<'_, S>,
    effort: &Effort,
    mut sorted: Sorted<S>,
    mean: &Endpoints<S>,
    best: &mut Best<S>,
) {
    let s = context.simd;
    let mut restarted = Best::none(s);
    for start in 0..effort.starts {
        let cuts = sorted.candidates.take_best(s);
        let clusters = sorted.clusters(s, cuts);
        let mut own = Best::none(s);
        s.call(Descend { context, clusters, ends: *mean, rounds: effort.rounds, best: &mut own });
        best.offer(Mode::Four, own.cost, &own.ends);
        if start + 1 == SHORT_CLIMB_AT {
            let moves = &MOVES[..SINGLE_COUNT];
            s.call(TryMoves { context, moves, needed: moves.len(), best });
        }
        if start < effort.restarts {
            s.call(Climb { context, best: &mut own });
            restarted.offer(Mode::Four, own.cost, &own.ends);
        }
        if start + 1 == LONG_CLIMB_AT {
            s.call(Climb { context, best });
        }
    }
    best.offer(Mode::Four, restarted.cost, &restarted.ends);
}

/// Fits endpoints to `clusters` and reassigns texels, `rounds` times.
struct Descend<'a, S: Simd> {
    context: &'a Context<'a, S>,
    clusters: Clusters<S>,
    ends: Endpoints<S>,
    rounds: usize,
    best: &'a mut Best<S>,
}

impl<S: Simd> LaneFn<S> for Descend<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { context, mut clusters, mut ends, rounds, best } = self;
        for round in 1..=rounds {
            let before = ends;
            ends = fit::endpoints(context, &clusters, &ends);
            // From the second round on, the clusters are those of the previous endpoints.
            if round > 1 && !differ(s, &before, &ends).any() {
                break;
            }
            let (cost, next) = context.clusters(&ends);
            best.offer(Mode::Four, cost, &ends);
            clusters = next;
        }
    }
}

/// Descends from the clusters of given endpoints.
struct FromClusters<'a, S: Simd> {
    context: &'a Context<'a, S>,
    ends: Endpoints<S>,
    rounds: usize,
    best: &'a mut Best<S>,
}

impl<S: Simd> LaneFn<S> for FromClusters<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { context, ends, rounds, best } = self;
        let (_, clusters) = context.clusters(&ends);
        s.call(Descend { context, clusters, ends, rounds, best });
    }
}

/// Tries every move from the best encoding and takes each improvement immediately, then descends. Repeats
/// until neither helps.
struct Climb<'a, S: Simd> {
    context: &'a Context<'a, S>,
    best: &'a mut Best<S>,
}

impl<S: Simd> LaneFn<S> for Climb<'_, S> {
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
            s.call(FromClusters { context, ends: best.ends, rounds: 2, best });
            if !best.cost.lt(before).any() {
                break;
            }
            needed = if best.cost.lt(moved).any() { MOVES.len() } else { helped };
        }
    }
}

/// Tries each move once and takes each improvement immediately. Returns the number of moves up to the last
/// that helped in any lane.
struct TryMoves<'a, S: Simd> {
    context: &'a Context<'a, S>,
    moves: &'a [Move],
    /// Number of leading moves to try. Later ones cannot help unless one of these does.
    needed: usize,
    best: &'a mut Best<S>,
}

impl<S: Simd> LaneFn<S> for TryMoves<'_, S> {
    type Output = usize;
    #[inline(always)]
    fn run(self, s: S) -> usize {
        let Self { context, moves, needed, best } = self;
        let mut helped = 0;
        for (i, step) in moves.iter().enumerate() {
            if i >= needed && helped == 0 {
                break;
            }
            let ends = stepped(s, context.rule, &best.ends, step);
            let cost = context.cost(&ends);
            if cost.lt(best.cost).any() {
                best.offer(Mode::Four, cost, &ends);
                helped = i + 1;
            }
        }
        helped
    }
}
