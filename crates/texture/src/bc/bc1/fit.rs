//! Endpoints for given indices: least squares, then an exact trial of the four code pairs around the result,
//! channel by channel.
//!
//! With weights of 3 or 2 parts (`least_squares.rs`), numerators and determinant are integers below 2²⁴. The
//! determinant is at most 576, so codes are numerators times one of few scales. Each scale is rounded once,
//! so codes are the same on every machine.

use super::{
    assign::Clusters,
    context::Context,
    lanes::{ChannelLanes, Endpoints, Mode, SearchMode},
};
use crate::bc::{block::CENTER, least_squares::Moments};
use crate::simd::{Float, Simd, each};

/// Weights of the first endpoint in each index, in thirds and in halves.
const FOUR_WEIGHTS: [f32; 4] = [3.0, 0.0, 2.0, 1.0];
const THREE_WEIGHTS: [f32; 3] = [2.0, 0.0, 1.0];

/// Largest determinant: eight texels of weight 0 and eight of weight 3.
pub(crate) const MAX_DETERMINANT: usize = 576;

/// Returns `top / (255·D)`, so that one product turns a numerator into a code; 0 for D = 0.
const fn code_scales(top: f64) -> [f32; MAX_DETERMINANT + 1] {
    let mut scales = [0.0; MAX_DETERMINANT + 1];
    let mut determinant = 1;
    while determinant <= MAX_DETERMINANT {
        scales[determinant] = (top / (255.0 * determinant as f64)) as f32;
        determinant += 1;
    }
    scales
}

pub(crate) static CODE_SCALES_5: [f32; MAX_DETERMINANT + 1] = code_scales(31.0);
pub(crate) static CODE_SCALES_6: [f32; MAX_DETERMINANT + 1] = code_scales(63.0);

/// Returns the least-squares endpoints for the indices of `clusters`. Returns `old` where all texels have the
/// same index, which determines no endpoints. If `EXACT`, the result is the best of the four code pairs
/// around them by the decoder's rounding; otherwise it has the nearest codes.
#[inline(always)]
pub(crate) fn endpoints<S: Simd, M: SearchMode, const MASKED: bool, const EXACT: bool>(
    context: &Context<'_, S, M, MASKED>,
    clusters: &Clusters<S>,
    old: &Endpoints<S>,
) -> Endpoints<S> {
    let Context { simd: s, rule, .. } = *context;
    let mode = context.mode();
    let n = &clusters.count;
    let moments = match mode {
        Mode::Four => Moments::<S>::new(s, mode.parts(), FOUR_WEIGHTS, n),
        Mode::Three | Mode::ThreeBlack => Moments::new(s, mode.parts(), THREE_WEIGHTS, n),
    };
    let determinant = moments.determinant;
    // As in the tables, except for D = 0. A gather takes longer.
    let widest = determinant * s.f(255.0);
    let (scale_5, scale_6) = (s.f(31.0) / widest, s.f(63.0) / widest);
    let mut ends = *old;
    for (c, scale) in [scale_5, scale_6, scale_5].into_iter().enumerate() {
        let sums = each!(j in 4 => clusters.sum[j][c]);
        let (a, b) = channel::<S, EXACT>(s, &rule.channels[c], mode, n, &sums, &moments, scale);
        ends.a[c] = a;
        ends.b[c] = b;
    }
    ends.or_if(determinant.lt(s.f(1.0)), *old)
}

/// Returns the error of `count` texels of one index, minus a constant: value·(count·value − 2·sum).
#[inline(always)]
fn part<F: Float>(count: F, minus_twice_sum: F, value: F) -> F {
    value * count.mul_add(value, minus_twice_sum)
}

/// Returns both endpoints at the mean of `count` ≥ 1 texels with the centred sums `sum`.
#[inline(always)]
pub(crate) fn mean<S: Simd>(s: S, sum: &[S::F; 3], count: S::F) -> Endpoints<S> {
    let index = count.to_i();
    let scale = [s.gather(&CODE_SCALES_5, index), s.gather(&CODE_SCALES_6, index)];
    let offset = count * s.f(CENTER);
    let codes = each!(c in 3 => ((sum[c] + offset) * scale[c & 1]).round());
    Endpoints { a: codes, b: codes }
}

/// Returns the endpoint codes of one channel.
#[inline(always)]
fn channel<S: Simd, const EXACT: bool>(
    s: S,
    rule: &ChannelLanes<S>,
    mode: Mode,
    n: &[S::F; 4],
    sums: &[S::F; 4],
    moments: &Moments<S>,
    scale: S::F,
) -> (S::F, S::F) {
    let zero = s.f(0.0);
    let offset = moments.determinant * s.f(CENTER);
    let (a, b) = match mode {
        Mode::Four => moments.endpoints(s, FOUR_WEIGHTS, sums, offset),
        Mode::Three | Mode::ThreeBlack => moments.endpoints(s, THREE_WEIGHTS, sums, offset),
    };
    if !EXACT {
        return ((a * scale).round().max(zero).min(rule.top), (b * scale).round().max(zero).min(rule.top));
    }
    let last = rule.top - s.f(1.0);
    let a = (a * scale).floor().max(zero).min(last);
    let b = (b * scale).floor().max(zero).min(last);

    let twice = each!(j in 4 => sums[j] * s.f(-2.0));
    let one = s.f(1.0);
    let codes_a = [a, a + one];
    let codes_b = [b, b + one];
    let ends_a = each!(i in 2 => rule.operand(codes_a[i]));
    let ends_b = each!(i in 2 => rule.operand(codes_b[i]));
    let cost_a = each!(i in 2 => part(n[0], twice[0], rule.endpoint_value(ends_a[i])));
    let cost_b = each!(i in 2 => part(n[1], twice[1], rule.endpoint_value(ends_b[i])));
    let costs = match mode {
        Mode::Four => {
            let near_a = rule.third.values(s, ends_a, ends_b);
            let near_b = rule.third.values(s, ends_b, ends_a);
            each!(i in 2 => each!(j in 2 => {
                let ends = cost_a[i] + cost_b[j];
                ends + part(n[2], twice[2], near_a[i][j]) + part(n[3], twice[3], near_b[j][i])
            }))
        }
        Mode::Three | Mode::ThreeBlack => {
            let halves = rule.half.values(s, ends_a, ends_b);
            each!(i in 2 => each!(j in 2 => cost_a[i] + cost_b[j] + part(n[2], twice[2], halves[i][j])))
        }
    };
    // The first wins in a tie.
    let mut best = (costs[0][0], a, b);
    for (i, j) in [(0, 1), (1, 0), (1, 1)] {
        let better = costs[i][j].lt(best.0);
        best = (best.0.min(costs[i][j]), best.1.or_if(better, codes_a[i]), best.2.or_if(better, codes_b[j]));
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_the_scales_of_the_tables() {
        for determinant in 1..=MAX_DETERMINANT {
            let widest = determinant as f32 * 255.0;
            assert_eq!(31.0 / widest, CODE_SCALES_5[determinant]);
            assert_eq!(63.0 / widest, CODE_SCALES_6[determinant]);
        }
    }
}
