//! Blocks in lanes, stage after stage: from texels to endpoints and indices.
//!
//! ```text
//! texels → normalized values → range fit; endpoints around the mean
//!   → principal axis → sorted texels → best clusterings, with 4 and with 3 colours
//!   each: descend: fit endpoints to clusters, reassign texels, fit again, …
//!   the best of them: climb: move endpoint codes by a step, keep what lowers the exact error
//!   → the clusters of the best ones with other indices
//! ```
//!
//! A higher quality does all that a lower one does and then more, so its error is never larger.

use super::{
    Method, assign,
    climb::{Climb, TryMoves},
    cluster_fit,
    context::Context,
    descend::Descend,
    distinct::{Distinct, Seen},
    fit,
    lanes::{self, Block, Endpoints, Four, Mode, RuleLanes, SearchMode, Three, ThreeBlack},
    moves::{MOVES, SINGLE_COUNT},
    other_axes::other_axes,
    palette::PaletteRule,
    range_fit,
    ranks::Ranks,
    reindex::Reindex,
    shares::Shares,
    single_color::{CODE_UNIT, MeanCodes},
};
use crate::{
    ChannelWeights, EncodeOptions, Quality,
    bc::{
        batch::{BATCH, BatchTexels},
        block::CENTER,
        order::{self, Axis, Normalizer},
    },
    simd::{Float, Int, Mask as _, Simd, each},
};
use std::iter;

/// The settings of one call of [`encode_batch`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub method: Method,
    pub rule: PaletteRule,
    pub weights: ChannelWeights,
    pub three_color: bool,
    pub transparent_black: bool,
    pub quality: Quality,
}

impl Settings {
    pub fn new(options: &EncodeOptions) -> Self {
        Self {
            method: options.bc1.method,
            rule: PaletteRule::new(options.decoder),
            weights: options.weights,
            three_color: options.bc1.three_color,
            transparent_black: options.bc1.transparent_black,
            quality: options.quality,
        }
    }

    /// The square roots of the weights, scaled so that the largest is 1.
    pub fn stretch(&self) -> [f32; 3] {
        let rgb = self.weights.rgb().map(f32::from);
        let greatest = rgb[0].max(rgb[1]).max(rgb[2]);
        rgb.map(|weight| (weight / greatest).sqrt())
    }
}

/// How much work a quality does for each mode. Each number trades time for error; notes.md has the
/// measurements.
pub(crate) struct Effort {
    /// Clusterings along the principal axis to descend from, at most 17.
    pub starts: usize,
    /// Rounds of a descent.
    pub rounds: usize,
    /// Clusterings along each of the other axes.
    pub other_starts: usize,
    /// Descents, the best of different costs, that each start a climb of their own.
    pub restarts: usize,
    /// The same in three colours, where a block may have four.
    pub three_restarts: usize,
}

impl Effort {
    pub const fn new(quality: Quality) -> Self {
        let none = Self { starts: 1, rounds: 2, other_starts: 0, restarts: 0, three_restarts: 0 };
        match quality {
            // Only for masked blocks, which range fit cannot handle.
            Quality::Ultrafast => none,
            Quality::Fast => Self { starts: 2, ..none },
            Quality::Normal => Self { starts: SHORT_CLIMB_AT, rounds: 3, ..none },
            Quality::High => Self { starts: LONG_CLIMB_AT, rounds: 3, ..none },
            Quality::Best => {
                Self { starts: LONG_CLIMB_AT, rounds: 3, other_starts: 2, restarts: 4, three_restarts: 2 }
            }
        }
    }
}

/// After so many descents the best encoding is climbed from once over the single steps …
pub(crate) const SHORT_CLIMB_AT: usize = 4;
/// … and after so many, over all moves until none helps.
pub(crate) const LONG_CLIMB_AT: usize = 17;

/// Steps of the power method: as many as in NVIDIA's paper, and enough for range fit (within 0.0006 dB).
pub(crate) const AXIS_STEPS: usize = 8;
pub(crate) const RANGE_AXIS_STEPS: usize = 2;

/// Endpoints (c0 below c1 << 16) and indices of [`BATCH`] blocks.
#[derive(Clone, Copy, Default)]
pub(crate) struct BatchBlocks {
    pub endpoints: [i32; BATCH],
    pub indices: [i32; BATCH],
}

/// Encodes [`BATCH`] blocks. If `MASKED`, the alpha bytes are [`lanes::class`]es, and either every block has
/// transparent texels (`transparent`) or none has. Otherwise every texel counts, whatever its alpha, and no
/// block has more than `colors` colours, unless that is 0.
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

/// The best encoding found so far.
#[derive(Clone, Copy)]
pub(crate) struct Best<S: Simd> {
    pub cost: S::I,
    pub ends: Endpoints<S>,
    /// Whether it is of three colours.
    three: S::M,
    /// Whether it is of three colours and black.
    black: S::M,
}

impl<S: Simd> Best<S> {
    #[inline(always)]
    pub fn none(s: S) -> Self {
        let zero = [s.f(0.0); 3];
        Self { cost: s.i(i32::MAX), ends: Endpoints { a: zero, b: zero }, three: s.none(), black: s.none() }
    }

    /// Takes the encoding if its cost is lower.
    #[inline(always)]
    pub fn offer(&mut self, mode: Mode, cost: S::I, ends: &Endpoints<S>) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.ends = self.ends.or_if(better, *ends);
        (self.three, self.black) = match mode {
            Mode::Four => (self.three & !better, self.black & !better),
            Mode::Three => (self.three | better, self.black & !better),
            Mode::ThreeBlack => (self.three | better, self.black | better),
        };
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
    let first = Sorted::new(s, &normalizer, block, &y, &axis);
    let mut others = Vec::new();
    if effort.other_starts > 0 {
        for axis in &other_axes(s, &y, &axis) {
            others.push(Sorted::new(s, &normalizer, block, &y, axis));
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

/// Offers the endpoints between which the mean colour lies. Of blocks whose texels differ less than the
/// codes, many have no better ones.
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

/// Encodings of three colours and transparent black. The clusterings leave out the texels that are darker
/// than a fraction of the block's mean; from then on any texel may become black or not.
#[inline(always)]
fn with_black<S: Simd, const MASKED: bool>(
    context: &Context<'_, S, ThreeBlack, MASKED>,
    settings: &Settings,
    effort: &Effort,
    shares: &mut Shares<S>,
    best: &mut Best<S>,
) {
    let Context { simd: s, block, .. } = *context;
    // A texel is left out if its sum of channels is below this fraction of the mean's, in 256ths.
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
        let first = Sorted::new(s, &normalizer, &bright, &y, &axis);
        let found = search(context, effort, effort.restarts, &bright, &first, &[], shares);
        // Not in lanes without black texels: whether they get here depends on the other lanes.
        let cost = found.cost.or_if(!any, s.i(i32::MAX));
        best.offer(Mode::ThreeBlack, cost, &found.ends);
    }
}

/// Texels in the order of their projections on an axis.
struct Sorted<S: Simd> {
    /// Prefix sums of their normalized values …
    y: cluster_fit::Prefix<S>,
    /// … and of their centred ones.
    x: cluster_fit::Prefix<S>,
}

impl<S: Simd> Sorted<S> {
    /// `y` are the normalized values of `block`.
    #[inline(always)]
    fn new<const MASKED: bool>(
        s: S,
        normalizer: &Normalizer<S, 3>,
        block: &Block<S, MASKED>,
        y: &[[S::F; 16]; 3],
        axis: &Axis<S, 3>,
    ) -> Self {
        let sorted = Block::<S, MASKED>::new(s, order::sorted(s, block, y, axis));
        Self {
            y: cluster_fit::prefix_sums(s, &normalizer.values(s, &sorted)),
            x: cluster_fit::prefix_sums(s, &sorted.x),
        }
    }
}

/// The best encoding of the context's block, starting from clusterings of the texels of `clustered` (the
/// same, or those that are not black): of their ordering along the principal axis, then of the others.
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
        let mut candidates = cluster_fit::search::<S, CLUSTERED_MASKED>(s, mode, &sorted.y, clustered.count);
        let starts = if axis == 0 { effort.starts } else { effort.other_starts };
        for start in 0..starts {
            let cuts = candidates.take_best(s);
            let clusters = cluster_fit::clusters(s, mode, &sorted.x, clustered.count, cuts);
            let mut own = Best::none(s);
            // Ranks need all of each descent.
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

/// Endpoint codes as they lie in a block.
#[inline(always)]
fn pack<S: Simd>(codes: &[S::F; 3]) -> S::I {
    codes[0].to_i().shl::<11>() | codes[1].to_i().shl::<5>() | codes[2].to_i()
}

/// Puts the endpoints in the order that selects their mode and finds the indices.
#[inline(always)]
pub(crate) fn finish<S: Simd, const MASKED: bool>(
    s: S,
    rule: &RuleLanes<S>,
    block: &Block<S, MASKED>,
    best: &Best<S>,
) -> (S::I, S::I) {
    let [a, b] = [pack::<S>(&best.ends.a), pack::<S>(&best.ends.b)];
    // Four colours need c0 > c1, three c0 <= c1.
    let swap = (a.lt(b) & !best.three) | (b.lt(a) & best.three);
    let ends = best.ends.or_if(swap, Endpoints { a: best.ends.b, b: best.ends.a });
    let (c0, c1) = (a.or_if(swap, b), b.or_if(swap, a));
    let mut palette = lanes::palette(s, rule, Mode::Four, &ends);
    if best.three.any() {
        let three = lanes::palette(s, rule, Mode::Three, &ends);
        for (entry, three) in palette.iter_mut().zip(&three) {
            for c in 0..3 {
                entry[c] = entry[c].or_if(best.three, three[c]);
            }
        }
        for entry in &mut palette[3] {
            *entry = entry.or_if(best.black, s.f(-CENTER));
        }
    }
    // Equal endpoints select three colours, whatever was wanted. All entries are then equal and the first of
    // equals is taken, so index 3 never is.
    let context = Context { simd: s, rule, mode: Mode::Four, block, distinct: &Distinct::none(s) };
    let indices = assign::indices(&context, &palette);
    (c0 | c1.shl::<16>(), indices)
}
