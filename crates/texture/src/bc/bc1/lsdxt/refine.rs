//! Step 2: endpoints corrected by linear regression of their errors.
//!
//! Each texel takes its nearest colour; the signed errors x − p of the texels of one colour are its bucket. A
//! colour's position is the weight w of the first endpoint, in `parts` of 3 or 2. The ends of the line
//! through the mean errors e of the used buckets are what the endpoints lack: with n used buckets, W = Σw, Q
//! = Σw², E = Σe, X = Σw·e and D = n·Q − W²
//!
//! ```text
//! a += ((Q − parts·W)·E + (parts·n − W)·X) / D        b += (Q·E − W·X) / D
//! ```
//!
//! Means are rounded to 16ths, so |e| ≤ 4080, the numerators are integers below 2²⁰, and D is at most 20. A
//! bucket counts once, however many texels it has: bc1/notes.md says what weighting would give.

use crate::{
    bc::bc1::{
        assign::{self, Clusters},
        best::Best,
        context::Context,
        fit::{CODE_SCALES_5, CODE_SCALES_6},
        lanes::{Endpoints, Mode},
    },
    bc::block::CENTER,
    simd::{Float, Int, Mask as _, Simd, each},
};

/// 16 / n: its product with a sum below 2¹² is at least 1/32 away from where it would round the other way.
pub(crate) static MEAN_SCALES: [f32; 17] = {
    let mut scales = [0.0; 17];
    let mut count = 1;
    while count <= 16 {
        scales[count] = 16.0 / count as f32;
        count += 1;
    }
    scales
};

/// Returns the best of `ends` and at most `refinements` corrections of it. Each is made from the previous one
/// as long as that helps.
#[inline(always)]
pub(crate) fn refine<S: Simd>(
    context: &Context<'_, S, Mode, true>,
    mut ends: Endpoints<S>,
    refinements: usize,
) -> Best<S> {
    let mut best = Best::none(context.simd);
    for round in 0..=refinements {
        let palette = context.palette(&ends);
        let (cost, clusters) = assign::clusters(context, &palette);
        let better = cost.lt(best.cost);
        best.offer(context.mode(), cost, &ends);
        if round == refinements || !better.any() {
            break;
        }
        // A lane that did not improve keeps its endpoints. They will not improve later, independent of the
        // other lanes.
        ends = ends.or_if(better, corrected(context, &palette, &clusters, &ends));
    }
    best
}

/// Returns the endpoints of `palette` minus the error that `clusters` leave; unchanged if all texels have one
/// index.
#[inline(always)]
fn corrected<S: Simd>(
    context: &Context<'_, S, Mode, true>,
    palette: &[[S::F; 3]; 4],
    clusters: &Clusters<S>,
    ends: &Endpoints<S>,
) -> Endpoints<S> {
    let Context { simd: s, rule, mode, .. } = *context;
    let (zero, one) = (s.f(0.0), s.f(1.0));
    let texels = &clusters.count;
    let used = each!(i in 4 => texels[i].min(one));
    let mean = each!(i in 4 => s.gather(&MEAN_SCALES, texels[i].to_i()));
    let parts = s.f(mode.parts());
    // Weights of index 0, 2 and 3; that of index 1 is 0. The three colours have no texel of index 3.
    let shares = match mode {
        Mode::Four => [s.f(3.0), s.f(2.0), one],
        Mode::Three | Mode::ThreeBlack => [s.f(2.0), one, zero],
    };
    let count = used[0] + used[1] + used[2] + used[3];
    let weights = [used[0] * shares[0], used[2] * shares[1], used[3] * shares[2]];
    let weight = weights[0] + weights[1] + weights[2];
    let square = weights[0].mul_add(shares[0], weights[1].mul_add(shares[1], weights[2] * shares[2]));
    let determinant = count.mul_add(square, zero - weight * weight);
    let index = determinant.to_i();
    // 1/16, because the means are in 16ths.
    let scale_5 = s.gather(&CODE_SCALES_5, index) * s.f(0.0625);
    let scale_6 = s.gather(&CODE_SCALES_6, index) * s.f(0.0625);
    let whole = determinant * s.f(16.0);
    let mut next = *ends;
    for c in 0..3 {
        let error = each!(i in 4 => ((clusters.sum[i][c] - texels[i] * palette[i][c]) * mean[i]).round());
        let sum = error[0] + error[1] + error[2] + error[3];
        let weighted = error[0].mul_add(shares[0], error[2].mul_add(shares[1], error[3] * shares[2]));
        let a = (square - parts * weight).mul_add(sum, (parts * count - weight) * weighted);
        let b = square.mul_add(sum, zero - weight * weighted);
        let scale = if c == 1 { scale_6 } else { scale_5 };
        let center = s.f(CENTER);
        let top = rule.channels[c].top;
        next.a[c] = ((palette[0][c] + center).mul_add(whole, a) * scale).round().max(zero).min(top);
        next.b[c] = ((palette[1][c] + center).mul_add(whole, b) * scale).round().max(zero).min(top);
    }
    next.or_if(determinant.lt(one), *ends)
}
