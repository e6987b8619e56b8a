//! Range fit: cuts the range of the texels' projections into the thirds' Voronoi cells and fits a line to
//! them.
//!
//! It is the quickest way to good endpoints, without sorting or search. Least squares on a first guess of the
//! indices gains more than insetting the ends of the range.

use super::{
    assign::Clusters,
    context::Context,
    fit,
    lanes::{Block, Endpoints, Four},
};
use crate::bc::order::{self, Axis};
use crate::simd::{Float, Simd, each};

/// Returns endpoints for four colours. `y` contains the block's normalized values. No texel may be left out.
#[inline(always)]
pub(crate) fn endpoints<S: Simd, const MASKED: bool>(
    context: &Context<'_, S, Four, MASKED>,
    y: &[[S::F; 16]; 3],
    axis: &Axis<S, 3>,
) -> Endpoints<S> {
    let Context { simd: s, rule, block, .. } = *context;
    let mean = fit::mean(s, &block.sum, s.f(16.0));
    let projection = axis.project(s, y);
    let (mut low, mut high) = (projection[0], projection[0]);
    for &projection in &projection[1..] {
        low = low.min(projection);
        high = high.max(projection);
    }
    // Six times the cuts at 1/6, 1/2 and 5/6. Projections have 20 bits, so this is exact.
    let five = s.f(5.0);
    let cuts = [low.mul_add(five, high), (low + high) * s.f(3.0), high.mul_add(five, low)];
    let clusters = cut(s, block, &projection, s.f(6.0), &cuts);
    let ends = fit::endpoints::<S, Four, MASKED, false>(context, &clusters, &mean);

    // A second cut, on the line through the rounded endpoints, half way between the colours.
    let palette = context.palette(&ends);
    let line = each!(c in 3 => (palette[1][c] - palette[0][c]) * rule.channels[c].weight);
    let line = Axis::<S, 3>(order::shorten(s, line));
    let along = each!(i in 4 => line.dot(palette[i]));
    let cuts = [along[0] + along[2], along[2] + along[3], along[3] + along[1]];
    let clusters = cut(s, block, &line.project(s, &block.x), s.f(2.0), &cuts);
    fit::endpoints::<S, Four, MASKED, true>(context, &clusters, &ends)
}

/// Returns the four clusters that three cuts make of the texels' projections. The cuts are given `factor`
/// times as large. The lowest projections belong to the first endpoint.
#[inline(always)]
fn cut<S: Simd, const MASKED: bool>(
    s: S,
    block: &Block<S, MASKED>,
    projection: &[S::F; 16],
    factor: S::F,
    cuts: &[S::F; 3],
) -> Clusters<S> {
    let (zero, one) = (s.f(0.0), s.f(1.0));
    // Counts and sums of the texels past each cut; their differences are the clusters.
    let mut count = [zero; 3];
    let mut sum = [[zero; 3]; 3];
    for t in 0..16 {
        let projection = projection[t] * factor;
        for slot in 0..3 {
            let past = cuts[slot].lt(projection);
            count[slot] = count[slot].add_if(past, one);
            for c in 0..3 {
                sum[slot][c] = sum[slot][c].add_if(past, block.x[c][t]);
            }
        }
    }
    // Starting from the first endpoint: index 0, then 2, 3 and 1.
    Clusters {
        count: [s.f(16.0) - count[0], count[2], count[0] - count[1], count[1] - count[2]],
        sum: [
            each!(c in 3 => block.sum[c] - sum[0][c]),
            sum[2],
            each!(c in 3 => sum[0][c] - sum[1][c]),
            each!(c in 3 => sum[1][c] - sum[2][c]),
        ],
    }
}
