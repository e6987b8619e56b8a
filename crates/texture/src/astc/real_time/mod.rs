//! Real-time encoding: blocks of one part, at level 2 also of two.
//!
//! Texels are projected on an axis: the row of their covariance with the largest diagonal element. Endpoints
//! are fitted to the resulting weights by least squares, and coded in the best of four ways. Level 1 then
//! takes the nearest weights. Level 2 takes the better of two, fits and codes endpoints to these again, and
//! keeps the better result. It also tries two parts, of the most promising of a few patterns.
//!
//! Blocks without alpha have 24 levels of weights and 64 of colours, or in two parts 6 and 24; those with
//! alpha 12 and 96. Blocks of one colour store it.
//!
//! Numbers are integers below 2²⁴ in floats, or rounded operation by operation. `real_time.wgsl` takes the
//! same steps.

#[cfg(feature = "gpu")]
mod chain;
mod coding;
mod pack;
mod patterns;
mod rows;
mod texels;
mod weights;

use crate::{
    RealTime,
    astc::coding::Ends,
    bc::batch::{BATCH, BatchTexels, BatchWords},
    simd::{Float, Int, Mask, Simd, each},
};
#[cfg(feature = "gpu")]
pub(super) use chain::chain;
#[cfg(feature = "gpu")]
pub(crate) use chain::singles;
use coding::{Coded, Levels96};
pub(super) use rows::encode_row;
use texels::{Sums, Texels, along, axis};
pub(super) use weights::Form;
use weights::{
    Line, Moments, Range, Span, WEIGHTS_6, WEIGHTS_12, WEIGHTS_24, Weights, weight_in_span, weights,
    weights_of_two,
};

/// Encodes [`BATCH`] blocks. The `visible` texels, a bit each, are in the image.
#[inline(always)]
pub(super) fn encode_batch<S: Simd>(
    s: S,
    level: RealTime,
    form: Form,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    for first in (0..BATCH).step_by(S::LANES) {
        let mut alphas = s.i(-1);
        let texel = s.load_i(&texels[0][first..]);
        let mut is_void = texel.eq(texel);
        for texels in texels {
            let other = s.load_i(&texels[first..]);
            is_void = is_void & other.eq(texel);
            alphas = alphas & other;
        }
        let visible = s.load_i(&visible[first..]);
        let has_alpha = !alphas.shr::<24>().eq(s.i(255));
        let mut found = [s.i(0); 4];
        if (!has_alpha).any() {
            let texels = Texels::new(s, texels, first, visible);
            found = opaque(s, level, form, &texels);
        }
        if has_alpha.any() {
            let texels = Texels::new(s, texels, first, visible);
            let others = with_alpha(s, level, form, &texels);
            found = each!(w in 4 => found[w].or_if(has_alpha, others[w]));
        }
        let void = void(s, texel);
        for w in 0..4 {
            found[w].or_if(is_void, void[w]).store(&mut words[w][first..]);
        }
    }
}

/// Returns the block of one colour.
#[inline(always)]
fn void<S: Simd>(s: S, texel: S::I) -> [S::I; 4] {
    let (low, high) = (s.i(0xff), s.i(0xff00));
    // Each byte twice.
    let [red_green, blue_alpha] = [texel, texel.shr::<16>()];
    let red_green = (red_green & low) | (red_green & high).shl::<8>();
    let blue_alpha = (blue_alpha & low) | (blue_alpha & high).shl::<8>();
    [
        s.i(0xffff_fdfc_u32 as i32),
        s.i(-1),
        red_green | red_green.shl::<8>(),
        blue_alpha | blue_alpha.shl::<8>(),
    ]
}

/// Returns the endpoints, not rounded, that best fit the weights of texels projected on the axis.
#[inline(always)]
fn line_ends<S: Simd, const CHANNELS: usize>(
    s: S,
    x: &[[S::F; CHANNELS]; 16],
    sums: &Sums<S, CHANNELS>,
    range: Range,
) -> Ends<S, CHANNELS> {
    let count = s.f(16.0);
    let axis = axis::<S, CHANNELS>(s, &sums.covariance(s, count));
    let mut places = [s.f(0.0); 16];
    places[0] = along::<S, CHANNELS>(s, &axis, &x[0]);
    let mut span: Span<S> = Span { low: places[0], high: places[0] };
    for t in 1..16 {
        places[t] = along::<S, CHANNELS>(s, &axis, &x[t]);
        span = Span { low: span.low.min(places[t]), high: span.high.max(places[t]) };
    }
    let scale = span.scale(s, range);
    let mut moments = Moments::zero(s);
    for t in 0..16 {
        moments.add(weight_in_span(s, range, scale, places[t]), &x[t]);
    }
    moments.fitted(s, &sums.of, count)
}

#[inline(always)]
fn sums_of<S: Simd, const CHANNELS: usize>(s: S, x: &[[S::F; CHANNELS]; 16]) -> Sums<S, CHANNELS> {
    let mut sums = Sums::one(s, &x[0]);
    for x in &x[1..] {
        sums.add(&Sums::one(s, x));
    }
    sums
}

/// One part's codes and weights.
#[derive(Clone, Copy)]
struct OnePart<S: Simd, const CHANNELS: usize> {
    coded: Coded<S, CHANNELS>,
    weights: Weights<S>,
}

impl<S: Simd, const CHANNELS: usize> OnePart<S, CHANNELS> {
    #[inline(always)]
    fn better(&self, other: &Self) -> Self {
        let better = other.weights.error.lt(self.weights.error);
        Self {
            coded: self.coded.or_if(better, &other.coded),
            weights: self.weights.or_if(better, &other.weights),
        }
    }
}

#[inline(always)]
fn opaque<S: Simd>(s: S, level: RealTime, form: Form, texels: &Texels<S, 3>) -> [S::I; 4] {
    let x = &texels.x;
    let sums = sums_of(s, x);
    let ends = line_ends(s, x, &sums, WEIGHTS_24);
    let coded = coding::one_part(s, &form.targets(s, ends));
    let line = Line::new(s, form, WEIGHTS_24, &coded.ends);
    if level == RealTime::Level1 {
        let (weights, _) = weights::<S, 3, false>(s, x, texels.visible, WEIGHTS_24, &line);
        return pack::one_part(s, &coded, &weights);
    }
    let (found, moments) = weights::<S, 3, true>(s, x, texels.visible, WEIGHTS_24, &line);
    let mut one = OnePart { coded, weights: found };
    let coded = coding::one_part(s, &form.targets(s, moments.fitted(s, &sums.of, s.f(16.0))));
    let line = Line::new(s, form, WEIGHTS_24, &coded.ends);
    let (found, _) = weights::<S, 3, true>(s, x, texels.visible, WEIGHTS_24, &line);
    one = one.better(&OnePart { coded, weights: found });
    let (two, error) = two_parts(s, form, texels, &sums);
    let words = pack::one_part(s, &one.coded, &one.weights);
    let is_two = error.lt(one.weights.error);
    each!(w in 4 => words[w].or_if(is_two, two[w]))
}

/// Returns the best block of two parts, and its error.
#[inline(always)]
fn two_parts<S: Simd>(s: S, form: Form, texels: &Texels<S, 3>, all: &Sums<S, 3>) -> ([S::I; 4], S::F) {
    let x = &texels.x;
    let chosen = patterns::choose(s, x, all);
    let sums = [all.less(&chosen.second), chosen.second];
    let mut count = s.f(0.0);
    for t in 0..16 {
        count = count.add_if(s.i(0).lt(chosen.pattern & s.i(1 << t)), s.f(1.0));
    }
    let counts = [s.f(16.0) - count, count];
    let axes = each!(p in 2 => axis::<S, 3>(s, &sums[p].covariance(s, counts[p])));
    let none: Span<S> = Span { low: s.f(f32::MAX), high: s.f(f32::MIN) };
    let (mut spans, mut places) = ([none; 2], [s.f(0.0); 16]);
    for t in 0..16 {
        let is_second = s.i(0).lt(chosen.pattern & s.i(1 << t));
        let axis = each!(c in 3 => axes[0][c].or_if(is_second, axes[1][c]));
        let place = along::<S, 3>(s, &axis, &x[t]);
        places[t] = place;
        let [first, second] = spans;
        spans = [
            Span {
                low: first.low.min(place.or_if(is_second, first.low)),
                high: first.high.max(place.or_if(is_second, first.high)),
            },
            Span {
                low: second.low.min(second.low.or_if(is_second, place)),
                high: second.high.max(second.high.or_if(is_second, place)),
            },
        ];
    }
    let scales = each!(p in 2 => spans[p].scale(s, WEIGHTS_6));
    let mut moments = [Moments::zero(s); 2];
    for t in 0..16 {
        let is_second = s.i(0).lt(chosen.pattern & s.i(1 << t));
        let scale = each!(n in 2 => scales[0][n].or_if(is_second, scales[1][n]));
        let w = weight_in_span(s, WEIGHTS_6, scale, places[t]);
        moments[0].add(w, &x[t]);
        moments[1].add(s.f(0.0).or_if(is_second, w), &x[t]);
    }
    moments[0] = moments[0].less(&moments[1]);
    let ends = each!(p in 2 => moments[p].fitted(s, &sums[p].of, counts[p]));
    let coded = each!(p in 2 => coding::of_two(s, &form.targets(s, ends[p])));
    let lines = each!(p in 2 => Line::new(s, form, WEIGHTS_6, &coded[p].ends));
    let found = weights_of_two(s, x, texels.visible, chosen.pattern, WEIGHTS_6, &lines);
    (pack::two_parts(s, chosen.pattern, &coded, &found), found.error)
}

/// Returns the codes of endpoints with alpha. One must have the alpha of opaque texels.
#[inline(always)]
fn coded_with_alpha<S: Simd>(s: S, form: Form, has_opaque: S::M, ends: Ends<S, 4>) -> Coded<S, 4> {
    let mut targets = form.targets(s, ends);
    let is_second = targets.a[3].lt(targets.b[3]);
    targets.a[3] = targets.a[3].or_if(has_opaque & !is_second, s.f(1020.0));
    targets.b[3] = targets.b[3].or_if(has_opaque & is_second, s.f(1020.0));
    coding::direct::<S, Levels96, 4>(s, &targets)
}

#[inline(always)]
fn with_alpha<S: Simd>(s: S, level: RealTime, form: Form, texels: &Texels<S, 4>) -> [S::I; 4] {
    let x = &texels.x;
    let sums = sums_of(s, x);
    let mut greatest = x[0][3];
    for x in x {
        greatest = greatest.max(x[3]);
    }
    let has_opaque = s.f(126.0).lt(greatest);
    let first = coded_with_alpha(s, form, has_opaque, line_ends(s, x, &sums, WEIGHTS_12));
    let line = Line::new(s, form, WEIGHTS_12, &first.ends);
    let (found, moments) = weights::<S, 4, true>(s, x, texels.visible, WEIGHTS_12, &line);
    let mut best = OnePart { coded: first, weights: found };
    if level == RealTime::Level2 {
        let ends = moments.fitted(s, &sums.of, s.f(16.0));
        let coded = coded_with_alpha(s, form, has_opaque, ends);
        let line = Line::new(s, form, WEIGHTS_12, &coded.ends);
        let (weights, _) = weights::<S, 4, true>(s, x, texels.visible, WEIGHTS_12, &line);
        best = best.better(&OnePart { coded, weights });
    }
    pack::with_alpha(s, &best.coded, &best.weights)
}
