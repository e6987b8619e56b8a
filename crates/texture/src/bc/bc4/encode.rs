//! Encoding of one-channel blocks in lanes, from values to endpoints and indices.
//!
//! ```text
//! values → least and greatest → line of eight values → fit endpoints, reassign, fit again, …
//!        → those that are not at an end of all codes → line of six values → the same
//!   the best of them: move either endpoint by a step, keep what lowers the exact error
//! ```
//!
//! Lines may also extend past the values. The texels then use fewer of the line's values: see `spread`.
//!
//! Each quality does everything that the lower ones do, and then more. Its error is therefore never larger.
//! `optimal.rs` adds the search of the best quality.

use super::{
    best::Best,
    cost::Cost,
    fit::{self, Values},
    line::RuleLanes,
    optimal,
    pack::{BatchBlocks, indices, pack, places, six_where},
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
};
use crate::{
    Quality,
    bc::{
        batch::{BATCH, BatchTexels},
        real_time::eight_indices,
    },
    simd::{Float, LaneFn, Mask as _, Simd},
};

/// Settings that all blocks of an image share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub rule: ValueRule,
    pub quality: Quality,
}

/// Encodes the channel that starts at bit `bit`, for [`BATCH`] blocks. If `MASKED`, only the texels in
/// `visible` count. Rules with rests need `RESTS`.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    settings: &Settings,
    texels: &BatchTexels,
    bit: u32,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    if settings.quality == Quality::Ultrafast {
        return encode_quickly(s, &settings.rule, texels, bit, blocks);
    }
    for first in (0..BATCH).step_by(S::LANES) {
        let values = Values::<S, MASKED, RESTS>::load(s, &settings.rule, texels, bit, first, visible);
        if settings.quality == Quality::Fast {
            let (best, halves) = fit_once(s, &settings.rule, &values);
            pack(s, &settings.rule, halves, &best, first, blocks);
            continue;
        }
        let mut best = search(s, settings, &values);
        if settings.quality == Quality::Best {
            optimal::improve(s, &settings.rule, &values, visible, first, &mut best);
        }
        let halves = indices(s, &settings.rule, &values, &best);
        pack(s, &settings.rule, halves, &best, first, blocks);
    }
}

/// Encodes with eight values between the smallest and the largest texel.
#[inline(always)]
fn encode_quickly<S: Simd>(s: S, rule: &ValueRule, texels: &BatchTexels, bit: u32, blocks: &mut BatchBlocks) {
    let lanes = RuleLanes::<S>::new(s, rule, EIGHT_VALUES);
    for first in (0..BATCH).step_by(S::LANES) {
        let (v, (low, high)) = fit::texels_and_ends(s, rule, texels, bit, first);
        let line = lanes.line(s, low, high);
        let halves =
            [eight_indices(s, places(s, &line, &v[..8])), eight_indices(s, places(s, &line, &v[8..]))];
        let best = Best::<S, false> { cost: Cost::of_squares(s, 0.0), low, high, six: s.none() };
        pack(s, rule, halves, &best, first, blocks);
    }
}

/// Encodes at fast quality: tries the ends, and the line fitted to them. Six values are tried only in blocks
/// where a texel has an end of the code range. They are seldom better elsewhere.
#[inline(always)]
fn fit_once<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    rule: &ValueRule,
    values: &Values<S, MASKED, RESTS>,
) -> (Best<S, RESTS>, [S::I; 2]) {
    let eight = RuleLanes::new(s, rule, EIGHT_VALUES);
    let (low, high) = (values.least, values.greatest);
    let (cost, sums, first) =
        fit::cost_and_sums::<S, MASKED, RESTS, false>(s, values, &eight.line(s, low, high));
    let mut best = Best { cost, low, high, six: s.none() };
    let (low, high) = fit::codes::<S, RESTS>(s, &eight, &sums, (low, high));
    let (cost, second) =
        fit::cost_and_places::<S, MASKED, RESTS, false>(s, values, &eight.line(s, low, high));
    let better = cost.lt(s, &best.cost);
    best.take_where(better, &cost, low, high);
    let halves = [
        eight_indices(s, first[0].or_if(better, second[0])),
        eight_indices(s, first[1].or_if(better, second[1])),
    ];
    let has_ends = values.least.lt(s.f(1.0)) | (eight.top - s.f(1.0)).lt(values.greatest);
    if !has_ends.any() {
        return (best, halves);
    }
    let with_extremes = values.with_extremes(s, rule);
    let mut of_six = best;
    let ends = inner(s, rule, &with_extremes);
    let six = &RuleLanes::new(s, rule, SIX_VALUES);
    s.call(Descend::<S, MASKED, RESTS, true> {
        rule: six,
        values: &with_extremes,
        rounds: 1,
        ends,
        best: &mut of_six,
    });
    best = best.or_if(has_ends, &of_six);
    (best, six_where(s, rule, &with_extremes, &best, halves))
}

/// Searches at normal quality and above.
#[inline(always)]
fn search<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    settings: &Settings,
    values: &Values<S, MASKED, RESTS>,
) -> Best<S, RESTS> {
    let (low, high) = (values.least, values.greatest);
    let mut best = Best { cost: Cost::of_squares(s, f32::MAX), low, high, six: s.none() };
    let eight = RuleLanes::new(s, &settings.rule, EIGHT_VALUES);
    let six = RuleLanes::new(s, &settings.rule, SIX_VALUES);
    let (rule, ends) = (&eight, (low, high));
    s.call(Descend::<S, MASKED, RESTS, false> { rule, values, rounds: 1, ends, best: &mut best });
    let values = &values.with_extremes(s, &settings.rule);
    let (inner_low, inner_high) = inner(s, &settings.rule, values);
    let (rule, ends) = (&six, (inner_low, inner_high));
    s.call(Descend::<S, MASKED, RESTS, true> { rule, values, rounds: 1, ends, best: &mut best });
    s.call(Climb { eight: &eight, six: &six, values, best: &mut best });
    if settings.quality == Quality::High {
        for (used, i) in SPREADS {
            let (rule, ends) = (&eight, spread(s, &eight, used, i, low, high));
            s.call(Descend::<S, MASKED, RESTS, false> { rule, values, rounds: 2, ends, best: &mut best });
            if used + i < SIX_VALUES {
                let (rule, ends) = (&six, spread(s, &six, used, i, inner_low, inner_high));
                s.call(Descend::<S, MASKED, RESTS, true> { rule, values, rounds: 2, ends, best: &mut best });
            }
        }
        s.call(Climb { eight: &eight, six: &six, values, best: &mut best });
    }
    best
}

/// Returns the smallest and the largest value inside the code range, without its two ends. If all values are
/// at the ends, returns the smallest and the largest of all.
#[inline(always)]
fn inner<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    rule: &ValueRule,
    values: &Values<S, MASKED, RESTS>,
) -> (S::F, S::F) {
    let (bottom, top) = (s.f(0.0), s.f(255.0));
    let (mut least, mut greatest) = (top, bottom);
    for t in 0..16 {
        let v = values.sources()[t];
        let is_extreme = (values.extreme[t] * values.extreme[t]).lt(s.f(1.0));
        least = least.min(v.or_if(is_extreme, top));
        greatest = greatest.max(v.or_if(is_extreme, bottom));
    }
    let none = greatest.lt(least);
    let (least, greatest) = (fit::code(s, rule, least), fit::code(s, rule, greatest));
    (least.or_if(none, values.least), greatest.or_if(none, values.greatest))
}

/// Lines on which `used` steps are between the smallest and the largest value, starting at value i: (used,
/// i).
pub(crate) const SPREADS: [(i32, i32); 9] =
    [(6, 0), (6, 1), (5, 0), (5, 1), (5, 2), (4, 0), (4, 1), (4, 2), (4, 3)];

/// Returns the line on which value `i` is `low` and value `i + used` is `high`. Codes are rounded after
/// adding slightly more than a half, so that all floats decide alike.
#[inline(always)]
pub(super) fn spread<S: Simd>(
    s: S,
    rule: &RuleLanes<S>,
    used: i32,
    i: i32,
    low: S::F,
    high: S::F,
) -> (S::F, S::F) {
    let scale = s.f(0.5 / used as f32);
    let (used, i, span) = (s.f(used as f32), s.f(i as f32), high - low);
    let (zero, top, half) = (s.f(0.0), rule.top, used + s.f(0.25));
    let start = low * used - span * i;
    let end = low * used + span * (rule.steps - i);
    let start = ((start + start + half) * scale).floor();
    let end = ((end + end + half) * scale).floor();
    (start.max(zero).min(top), end.max(zero).min(top))
}

/// Offers the endpoints `ends`, then fits and offers again, `rounds` times.
struct Descend<'a, S: Simd, const MASKED: bool, const RESTS: bool, const SIX: bool> {
    rule: &'a RuleLanes<S>,
    values: &'a Values<S, MASKED, RESTS>,
    rounds: usize,
    ends: (S::F, S::F),
    best: &'a mut Best<S, RESTS>,
}

impl<S: Simd, const MASKED: bool, const RESTS: bool, const SIX: bool> LaneFn<S>
    for Descend<'_, S, MASKED, RESTS, SIX>
{
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { rule, values, rounds, mut ends, best } = self;
        for _ in 0..rounds {
            let (cost, sums, _) =
                fit::cost_and_sums::<S, MASKED, RESTS, SIX>(s, values, &rule.line(s, ends.0, ends.1));
            best.offer(s, SIX, &cost, ends.0, ends.1);
            ends = fit::codes::<S, RESTS>(s, rule, &sums, ends);
        }
        let cost = fit::cost::<S, MASKED, RESTS, SIX>(s, values, &rule.line(s, ends.0, ends.1));
        best.offer(s, SIX, &cost, ends.0, ends.1);
    }
}

/// Steps of the climb, for the lower and the higher endpoint.
pub(crate) const MOVES: [(f32, f32); 8] =
    [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0)];

/// Moves the best endpoints by each step in turn, and keeps each improvement immediately.
struct Climb<'a, S: Simd, const MASKED: bool, const RESTS: bool> {
    eight: &'a RuleLanes<S>,
    six: &'a RuleLanes<S>,
    values: &'a Values<S, MASKED, RESTS>,
    best: &'a mut Best<S, RESTS>,
}

impl<S: Simd, const MASKED: bool, const RESTS: bool> LaneFn<S> for Climb<'_, S, MASKED, RESTS> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { eight, six, values, best } = self;
        let is_six = best.six;
        for (low, high) in MOVES {
            let low = (best.low + s.f(low)).max(s.f(0.0)).min(eight.top);
            let high = (best.high + s.f(high)).max(low).min(eight.top);
            let line = eight.line(s, low, high).or_if(is_six, &six.line(s, low, high));
            let cost = fit::cost_of_either(s, values, &line, is_six);
            best.take_where(cost.lt(s, &best.cost), &cost, low, high);
        }
    }
}
