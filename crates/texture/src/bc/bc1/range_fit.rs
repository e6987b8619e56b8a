//! Range fit: cuts the range of the texels' projections into the thirds' Voronoi cells and fits a line to them.
//!
//! The quickest way to good endpoints: no sorting, no search. Least squares on the first guess of the indices gives
//! more than insetting the range's ends does.

use super::{assign::Clusters, lanes::Block, order::Axis};
use crate::simd::{Float, Simd, each};

/// The clusters of four that cutting the range of projections at 1/6, 1/2 and 5/6 makes. No texel may be left out.
#[inline(always)]
pub(crate) fn clusters<S: Simd, const MASKED: bool>(
    s: S,
    block: &Block<S, MASKED>,
    y: &[[S::F; 16]; 3],
    axis: &Axis<S>,
) -> Clusters<S> {
    let projection =
        each!(t in 16 => y[0][t].mul_add(axis.0[0], y[1][t].mul_add(axis.0[1], y[2][t] * axis.0[2])));
    let (mut low, mut high) = (projection[0], projection[0]);
    for &projection in &projection[1..] {
        low = low.min(projection);
        high = high.max(projection);
    }
    // Six times the cuts; projections have 20 bits, so this is exact.
    let five = s.f(5.0);
    let three = s.f(3.0);
    let cuts = [low.mul_add(five, high), (low + high) * three, high.mul_add(five, low)];
    let (zero, one, six) = (s.f(0.0), s.f(1.0), s.f(6.0));
    let mut found = Clusters::<S> { count: [zero; 4], sum: [[zero; 3]; 4] };
    // Sums over the texels past each cut; their differences are the clusters.
    for (t, &projection) in projection.iter().enumerate() {
        let projection = projection * six;
        for (slot, cut) in cuts.iter().enumerate() {
            let past = cut.lt(projection);
            found.count[slot + 1] = found.count[slot + 1].add_if(past, one);
            for c in 0..3 {
                found.sum[slot + 1][c] = found.sum[slot + 1][c].add_if(past, block.x[c][t]);
            }
        }
    }
    let Clusters { count: [_, n1, n2, n3], sum: [_, s1, s2, s3] } = found;
    let mut sum = [[zero; 3]; 4];
    for c in 0..3 {
        // Low projections are at the first endpoint: index 0, then 2, 3 and 1.
        sum[0][c] = block.sum[c] - s1[c];
        sum[2][c] = s1[c] - s2[c];
        sum[3][c] = s2[c] - s3[c];
        sum[1][c] = s3[c];
    }
    Clusters { count: [s.f(16.0) - n1, n3, n1 - n2, n2 - n3], sum }
}
