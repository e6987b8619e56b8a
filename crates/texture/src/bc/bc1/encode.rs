//! Encoding of blocks in lanes, stage after stage, from texels to endpoints and indices.
//!
//! ```text
//! texels → normalized values → range fit; endpoints around the mean
//!   → principal axis → sorted texels → best clusterings, with 4 and with 3 colours
//!   each: descend: fit endpoints to clusters, reassign texels, fit again, …
//!   the best of them: climb: move endpoint codes by a step, keep what lowers the exact error
//!   → the clusters of the best ones with other indices
//! ```
//!
//! Each quality does everything that the lower ones do, and then more. Its error is therefore never larger.

use super::{
    assign,
    best::Best,
    climb::{Climb, TryMoves},
    cluster_fit,
    context::Context,
    descend::Descend,
    distinct::{Distinct, Seen},
    fit,
    lanes::{Block, Endpoints, Four, Mode, RuleLanes, SearchMode, Three, ThreeBlack},
    moves::{MOVES, SINGLE_COUNT},
    other_axes::other_axes,
    pack::finish,
    range_fit,
    ranks::Ranks,
    reindex::Reindex,
    settings::{Effort, LONG_CLIMB_AT, SHORT_CLIMB_AT, Settings},
    shares::Shares,
    single_color::{CODE_UNIT, MeanCodes},
};
use crate::{
    Quality,
    bc::{
        batch::{BATCH, BatchTexels},
        block::CENTER,
        order::{self, Axis, Normalizer},
    },
    simd::{Float, Int, LaneFn, Mask as _, Simd, each},
};
use std::iter;

/// Steps of the power method. Sorting has as many as NVIDIA's paper; range fit has enough to be within 0.0006
/// dB.
pub(crate) const AXIS_STEPS: usize = 8;
pub(crate) const RANGE_AXIS_STEPS: usize = 2;

/// Endpoints (c0 below c1 << 16) and indices of [`BATCH`] blocks.
#[derive(Clone, Copy, Default)]
pub(crate) struct BatchBlocks {
    pub endpoints: [i32; BATCH],
    pub indices: [i32; BATCH],
}

/// Encodes [`BATCH`] blocks. If `MASKED`, the alpha bytes are [`lanes::class`]es, and either every block has
/// transparent texels (`transparent`) or none has. Otherwise every texel counts, with any alpha. No block
/// then has more than `colors` colours, unless `colors` is 0.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd, const MASKED: bool>(
    s: S,
    settings: &Settings,
    means: &MeanCodes,
    transparent: bool,
    texels: &BatchTexels,
    colors: usize,
    blocks: &mut BatchBlocks,
) {
    let rule = RuleLanes::new(s, &settings.rule, settings.weights);
    for first in (0..BATCH).step_by(S::LANES) {
        let block = Block::<S, MASKED>::new(s, each!(t in 16 => s.load_i(&texels[t][first..])));
        let distinct = Distinct::new(s, &block.packed, colors);
        let best = best_encoding(s, settings, means, transparent, &rule, &block, &distinct);
        let (endpoints, indices) = finish(s, &rule, &block, &best);
        endpoints.store(&mut blocks.endpoints[first..]);
        indices.store(&mut blocks.indices[first..]);
    }
}

#[inline(always)]
fn best_encoding<S: Simd, const MASKED: bool>(
    s: S,
    settings: &Settings,
    means: &MeanCodes,
    transparent: bool,
    rule: &RuleLanes<S>,
    block: &Block<S, MASKED>,
    distinct: &Distinct<S>,
) -> Best<S> {
    let mut best = Best::none(s);
    let four = Context { simd: s, rule, mode: Four, block, distinct };
    let three = Context { simd: s, rule, mode: Three, block, distinct };
    let normalizer = Normalizer::new(s, block, settings.stretch());
    let y = normalizer.values(s, block);
    if !MASKED {
        let axis = order::principal_axis(s, &y, RANGE_AXIS_STEPS);
        let ends = range_fit::endpoints(&four, &y, &axis);
        best.offer(Mode::Four, assign::cost(&four, &four.palette(&ends)), &ends);
    }
    if !transparent {
        offer_mean(&four, &means.four, &mut best);
    }
    if transparent || settings.three_color {
        offer_mean(&three, &means.three, &mut best);
    }
    if !MASKED && settings.quality == Quality::Ultrafast {
        return best;
    }
    let axis = order::principal_axis(s, &y, AXIS_STEPS);
    let effort = Effort::new(settings.quality);
    let first = s.call(Sort { normalizer: &normalizer, block, y: &y, axis: &axis });
    let mut others = Vec::new();
    if effort.other_starts > 0 {
        for axis in &other_axes(s, &y, &axis) {
            others.push(s.call(Sort { normalizer: &normalizer, block, y: &y, axis }));
        }
    }
    let shares = &mut Shares::new(s, distinct);
    let mut found_three = Best::none(s);
    if transparent || settings.three_color {
        let restarts = if transparent { effort.restarts } else { effort.three_restarts };
        found_three = search(&three, &effort, restarts, block, &first, &others, shares);
    }
    if !transparent {
        let mut found = search(&four, &effort, effort.restarts, block, &first, &others, shares);
        if effort.restarts > 0 {
            let clusters = || assign::clusters(&three, &three.palette(&found_three.ends)).1;
            let of_three = settings.three_color.then(clusters);
            s.call(Reindex { context: &four, best: &mut found, of_three: of_three.as_ref() });
        }
        best.offer(Mode::Four, found.cost, &found.ends);
    }
    best.offer(Mode::Three, found_three.cost, &found_three.ends);
    if !transparent && settings.transparent_black {
        let context = Context { simd: s, rule, mode: ThreeBlack, block, distinct };
        with_black(&context, settings, &effort, shares, &mut best);
    }
    best
}

/// Offers the endpoints around the mean colour. Many blocks whose texels differ less than the codes have no
/// better ones.
#[inline(always)]
fn offer_mean<S: Simd, M: SearchMode, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    codes: &[[f32; 256]; 2],
    best: &mut Best<S>,
) {
    let s = context.simd;
    let mean = context.block.mean(s);
    let codes = each!(c in 3 => s.gather(&codes[c % 2], mean[c]));
    let a = each!(c in 3 => (codes[c] * s.f(1.0 / CODE_UNIT)).floor());
    let b = each!(c in 3 => codes[c] - a[c] * s.f(CODE_UNIT));
    let ends = Endpoints { a, b };
    best.offer(context.mode(), assign::cost(context, &context.palette(&ends)), &ends);
}

/// Searches encodings with three colours and transparent black. The clusterings omit texels that are darker
/// than a fraction of the block's mean. After that, any texel may become black or not.
#[inline(always)]
fn with_black<S: Simd, const MASKED: bool>(
    context: &Context<'_, S, ThreeBlack, MASKED>,
    settings: &Settings,
    effort: &Effort,
    shares: &mut Shares<S>,
    best: &mut Best<S>,
) {
    let Context { simd: s, block, .. } = *context;
    // A texel is omitted if its sum of channels is below this fraction of the mean's sum, in 256ths.
    for parts in [128.0, 32.0] {
        let total = block.sum[0] + block.sum[1] + block.sum[2] + block.count * s.f(3.0 * CENTER);
        let bound = total * s.f(parts / 256.0);
        let mut black = [s.none(); 16];
        let mut any = s.none();
        for (t, black) in black.iter_mut().enumerate() {
            let sum = block.x[0][t] + block.x[1][t] + block.x[2][t] + s.f(3.0 * CENTER);
            *black = (sum * block.count).lt(bound) & !block.out[t];
            any = any | *black;
        }
        if !any.any() {
            continue;
        }
        let bright = block.without(s, &black);
        let normalizer = Normalizer::new(s, &bright, settings.stretch());
        let y = normalizer.values(s, &bright);
        let axis = order::principal_axis(s, &y, AXIS_STEPS);
        let first = s.call(Sort { normalizer: &normalizer, block: &bright, y: &y, axis: &axis });
        let found = search(context, effort, effort.restarts, &bright, &first, &[], shares);
        // Lanes without black texels do not count, because only the other lanes decide that they get here.
        let cost = found.cost.or_if(!any, s.i(i32::MAX));
        best.offer(Mode::ThreeBlack, cost, &found.ends);
    }
}

/// Texels in the order of their projections on an axis.
struct Sorted<S: Simd> {
    /// Prefix sums of the normalized values.
    y: cluster_fit::Prefix<S>,
    /// Prefix sums of the centred values.
    x: cluster_fit::Prefix<S>,
}

/// Sorts the texels of `block`, whose normalized values are `y`.
struct Sort<'a, S: Simd, const MASKED: bool> {
    normalizer: &'a Normalizer<S, 3>,
    block: &'a Block<S, MASKED>,
    y: &'a [[S::F; 16]; 3],
    axis: &'a Axis<S, 3>,
}

impl<S: Simd, const MASKED: bool> LaneFn<S> for Sort<'_, S, MASKED> {
    type Output = Sorted<S>;
    #[inline(always)]
    fn run(self, s: S) -> Sorted<S> {
        let sorted = Block::<S, MASKED>::new(s, order::sorted(s, self.block, self.y, self.axis));
        Sorted {
            y: cluster_fit::prefix_sums(s, &self.normalizer.values(s, &sorted)),
            x: cluster_fit::prefix_sums(s, &sorted.x),
        }
    }
}

/// Returns the best encoding of the context's block. It starts from clusterings of the texels of `clustered`
/// (the same block, or its texels that are not black): first in their order along the principal axis, then in
/// the others.
#[inline(always)]
fn search<S: Simd, M: SearchMode, const CLUSTERED_MASKED: bool, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    effort: &Effort,
    restarts: usize,
    clustered: &Block<S, CLUSTERED_MASKED>,
    first: &Sorted<S>,
    others: &[Sorted<S>],
    shares: &mut Shares<S>,
) -> Best<S> {
    let (s, mode) = (context.simd, context.mode());
    let mut best = Best::none(s);
    let mut ranks = Ranks::new(s, restarts);
    let mut seen = Seen::new(s);
    let mean = fit::mean(s, &clustered.sum, clustered.count);
    for (axis, sorted) in iter::once(first).chain(others).enumerate() {
        let mut candidates = s.call(cluster_fit::Search::<S, M, CLUSTERED_MASKED> {
            mode: context.mode,
            prefix: &sorted.y,
            count: clustered.count,
        });
        let starts = if axis == 0 { effort.starts } else { effort.other_starts };
        for start in 0..starts {
            let cuts = candidates.take_best(s);
            let clusters = cluster_fit::clusters(s, mode, &sorted.x, clustered.count, cuts);
            let mut own = Best::none(s);
            // Ranks require all of each descent.
            let may_skip = !CLUSTERED_MASKED && context.distinct.count > 0 && restarts == 0;
            let seen = may_skip.then_some(&mut seen);
            s.call(Descend { context, clusters, ends: mean, rounds: effort.rounds, best: &mut own, seen });
            ranks.offer(s, own);
            if axis > 0 {
                continue;
            }
            best.offer(mode, own.cost, &own.ends);
            if start + 1 == SHORT_CLIMB_AT {
                let moves = &MOVES[..SINGLE_COUNT];
                s.call(TryMoves { context, moves, needed: moves.len(), best: &mut best, shares });
            }
            if start + 1 == LONG_CLIMB_AT {
                s.call(Climb { context, best: &mut best, shares });
            }
        }
    }
    for (mut own, is_there) in ranks.each(s) {
        s.call(Climb { context, best: &mut own, shares });
        best.offer(mode, s.i(i32::MAX).or_if(is_there, own.cost), &own.ends);
    }
    best
}
