//! Endpoints for given indices: least squares, then a trial of the four code pairs around the result, channel
//! by channel.

use super::{
    super::{
        assign::Clusters,
        lanes::{ChannelLanes, Endpoints},
    },
    block::Context,
};
use crate::bc::block::CENTER;
use crate::simd::{Float, Simd, each};

/// Returns the least-squares endpoints for the indices of `clusters`, rounded to the best of four code pairs.
/// Returns `old` where all texels have one index.
#[inline(always)]
pub(super) fn endpoints<S: Simd>(
    context: &Context<'_, S>,
    clusters: &Clusters<S>,
    old: &Endpoints<S>,
) -> Endpoints<S> {
    let Context { simd: s, rule, block } = *context;
    let (n, three) = (&clusters.count, s.f(3.0));
    // In indices 0, 1, 2 and 3 the first endpoint has 3, 0, 2 and 1 thirds. D is a sum over pairs of indices:
    // the product of their texels' weights times the squared difference of their thirds.
    let near = n[0] * n[2] + n[2] * n[3] + n[3] * n[1];
    let middle = n[0] * n[3] + n[2] * n[1];
    let determinant = near + middle * s.f(4.0) + n[0] * n[1] * s.f(9.0);
    let divisor = determinant.max(s.f(1.0));
    let thirds = n[0] * three + n[2] + n[2] + n[3];
    let (from_a, from_b) = (block.total * three - thirds, thirds);
    let mut ends = *old;
    for (c, channel) in rule.channels.iter().enumerate() {
        let sums = each!(j in 4 => clusters.sum[j][c]);
        // As in `least_squares.rs`, with values minus their mean.
        let weighted = sums[0] * three + sums[2] + sums[2] + sums[3];
        let slope = (weighted - thirds * block.mean[c]) / divisor;
        let (a, b) = (block.mean[c] + from_a * slope, block.mean[c] - from_b * slope);
        (ends.a[c], ends.b[c]) = best_codes(s, channel, n, &sums, [a, b]);
    }
    ends.or_if(determinant.lt(s.f(1.0)), *old)
}

/// Returns the best of the four pairs of codes around centred values of one channel; the first in a tie.
#[inline(always)]
fn best_codes<S: Simd>(
    s: S,
    channel: &ChannelLanes<S>,
    n: &[S::F; 4],
    sums: &[S::F; 4],
    values: [S::F; 2],
) -> (S::F, S::F) {
    let one = s.f(1.0);
    let scale = channel.top * s.f(1.0 / 255.0);
    let first =
        each!(e in 2 => ((values[e] + s.f(CENTER)) * scale).floor().max(s.f(0.0)).min(channel.top - one));
    let codes = each!(e in 2 => [first[e], first[e] + one]);
    let [a, b] = each!(e in 2 => each!(i in 2 => channel.operand(codes[e][i])));
    let cost_a = each!(i in 2 => cost::<S>(n[0], sums[0], channel.endpoint_value(a[i])));
    let cost_b = each!(i in 2 => cost::<S>(n[1], sums[1], channel.endpoint_value(b[i])));
    let (near_a, near_b) = (channel.third.values(s, a, b), channel.third.values(s, b, a));
    let mut best = (s.f(f32::MAX), first[0], first[1]);
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let thirds = cost::<S>(n[2], sums[2], near_a[i][j]) + cost::<S>(n[3], sums[3], near_b[j][i]);
        let cost = cost_a[i] + cost_b[j] + thirds;
        let better = cost.lt(best.0);
        best = (best.0.min(cost), best.1.or_if(better, codes[0][i]), best.2.or_if(better, codes[1][j]));
    }
    (best.1, best.2)
}

/// Returns the error of the texels of one index with these weights and weighted sums, minus a constant.
#[inline(always)]
fn cost<S: Simd>(weight: S::F, sum: S::F, value: S::F) -> S::F {
    value * (weight * value - (sum + sum))
}
