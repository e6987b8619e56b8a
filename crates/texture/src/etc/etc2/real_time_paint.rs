//! T and H blocks in real time.
//!
//! ```text
//! texels → two groups, along the diagonal of their bounding box → nearest mean → codes of the means
//!     → every distance; texels keep their group
//! ```
//!
//! There are none where the block has transparent texels.

use super::{
    found::{Found, H, T},
    tables::DISTANCES,
    texels::{Block, four},
};
use crate::{
    etc::RECIPROCALS,
    simd::{Float, LaneFn, Simd, each},
};

/// A group of texels.
struct Group<S: Simd> {
    sum: [S::F; 3],
    count: S::F,
}

impl<S: Simd> Group<S> {
    /// Returns the group of the texels whose weight is 1, not 0.
    #[inline(always)]
    fn of(s: S, block: &Block<S>, weights: &[S::F; 16]) -> Self {
        let (mut sum, mut count) = ([s.f(0.0); 3], s.f(0.0));
        for t in 0..16 {
            count = count + weights[t];
            for c in 0..3 {
                sum[c] = block.x[c][t].mul_add(weights[t], sum[c]);
            }
        }
        Self { sum, count }
    }

    /// Returns the texels of this group that are not in `part`.
    #[inline(always)]
    fn rest(&self, part: &Self) -> Self {
        Self { sum: each!(c in 3 => self.sum[c] - part.sum[c]), count: self.count - part.count }
    }

    #[inline(always)]
    fn is_empty(&self, s: S) -> S::M {
        self.count.lt(s.f(1.0))
    }

    /// Returns the mean colour in steps of 1 / `steps`, rounded.
    #[inline(always)]
    fn mean(&self, s: S, steps: f32) -> [S::F; 3] {
        let rate = s.gather(&RECIPROCALS, self.count.to_i()) * s.f(steps);
        each!(c in 3 => (self.sum[c] * rate + s.f(0.5)).floor())
    }
}

/// The best T or H block.
struct Paint<'a, S: Simd> {
    block: &'a Block<S>,
}

/// Offers the best T or H block.
#[inline(always)]
pub(super) fn search<S: Simd>(s: S, block: &Block<S>, found: &mut Found<S>) {
    found.offer(&s.call(Paint { block }));
}

/// Returns 1 for the texels of the second of two groups, else 0, along the diagonal of the bounding box.
#[inline(always)]
fn along_diagonal<S: Simd>(s: S, block: &Block<S>, all: &Group<S>) -> [S::F; 16] {
    let Block { x, counted, .. } = block;
    let zero = s.f(0.0);
    let mean = all.mean(s, 1.0);
    let (mut low, mut high) = ([s.f(255.0); 3], [zero; 3]);
    for c in 0..3 {
        for t in 0..16 {
            low[c] = low[c].min(x[c][t]);
            high[c] = high[c].max(x[c][t]);
        }
    }
    let range = each!(c in 3 => high[c] - low[c]);
    // The channel with the widest range determines which channels fall while it rises.
    let [is_green, is_blue] = [range[0].lt(range[1]), range[0].max(range[1]).lt(range[2])];
    let mut covariance = [zero; 3];
    for t in 0..16 {
        let apart = each!(c in 3 => x[c][t] - mean[c]);
        let of_widest = apart[0].or_if(is_green, apart[1]).or_if(is_blue, apart[2]);
        for c in 0..3 {
            covariance[c] = apart[c].mul_add(of_widest, covariance[c]);
        }
    }
    let axis = each!(c in 3 => range[c].or_if(covariance[c].lt(zero), zero - range[c]));
    each!(t in 16 => {
        let along = (x[0][t] - mean[0]) * axis[0];
        let along = (x[1][t] - mean[1]).mul_add(axis[1], along);
        let along = (x[2][t] - mean[2]).mul_add(axis[2], along);
        zero.or_if(zero.lt(along), counted[t])
    })
}

impl<S: Simd> LaneFn<S> for Paint<'_, S> {
    type Output = Found<S>;

    #[inline(always)]
    fn run(self, s: S) -> Found<S> {
        let block = self.block;
        let Block { x, counted, totals, square, punched, .. } = block;
        let zero = s.f(0.0);
        let all = Group::of(s, block, counted);
        let second = Group::of(s, block, &along_diagonal(s, block, &all));
        let first = all.rest(&second);
        let mut illegal = *punched | first.is_empty(s) | second.is_empty(s);
        // Texels that are nearer to the second mean.
        let [of_first, of_second] = [first.mean(s, 1.0), second.mean(s, 1.0)];
        let (mut doubles, mut limit) = ([zero; 3], zero);
        for c in 0..3 {
            doubles[c] = (of_second[c] - of_first[c]) * s.f(2.0);
            limit = of_second[c].mul_add(of_second[c], limit) - of_first[c] * of_first[c];
        }
        let seconds = each!(t in 16 => {
            let along = x[2][t].mul_add(doubles[2], x[1][t].mul_add(doubles[1], x[0][t] * doubles[0]));
            zero.or_if(limit.lt(along), counted[t])
        });
        let second = Group::of(s, block, &seconds);
        let first = all.rest(&second);
        illegal = illegal | first.is_empty(s) | second.is_empty(s);
        let codes = [first.mean(s, 15.0 / 255.0), second.mean(s, 15.0 / 255.0)];
        // The error of the two colours alone.
        let mut of_colors = *square;
        for (group, codes) in [&first, &second].into_iter().zip(&codes) {
            let color = four(s, *codes);
            for c in 0..3 {
                let twice = group.sum[c] + group.sum[c];
                of_colors = (color[c] * group.count - twice).mul_add(color[c], of_colors);
            }
        }
        let [base_first, base_second] = each!(i in 2 => {
            let color = four(s, codes[i]);
            color[0] + color[1] + color[2]
        });
        // What each distance adds: if the first group has it, the second, or both.
        let mut added = [[zero; 8]; 3];
        for t in 0..16 {
            let of_first = counted[t] - seconds[t];
            let offset = totals[t] - base_first.or_if(zero.lt(seconds[t]), base_second);
            let offset = offset.max(zero - offset);
            for (i, &distance) in DISTANCES.iter().enumerate() {
                let distance = distance as f32;
                let error = offset.mul_add(s.f(-2.0 * distance), s.f(3.0 * distance * distance));
                let of_three = error.min(zero);
                added[0][i] = of_three.mul_add(of_first, added[0][i]);
                added[1][i] = of_three.mul_add(seconds[t], added[1][i]);
                added[2][i] = error.mul_add(counted[t], added[2][i]);
            }
        }
        let numbers = each!(i in 2 => codes[i][0] * s.f(256.0) + codes[i][1] * s.f(16.0) + codes[i][2]);
        let is_less = numbers[0].lt(numbers[1]);
        let is_same = !(is_less | numbers[1].lt(numbers[0]));
        let (mut cost, mut mode, mut swapped, mut distance) = (s.f(f32::MAX), zero, s.none(), zero);
        for i in 0..8 {
            // Equal colours of an H block allow only odd distances. Others have an order for each.
            let order = if i % 2 == 1 { is_less } else { !is_less };
            let of_both = if i % 2 == 1 { added[2][i] } else { added[2][i].or_if(is_same, s.f(f32::MAX)) };
            for (of_mode, added, order) in
                [(T, added[1][i], s.none()), (T, added[0][i], !s.none()), (H, of_both, order)]
            {
                let better = added.lt(cost);
                cost = cost.min(added);
                mode = mode.or_if(better, s.f(of_mode));
                distance = distance.or_if(better, s.f(i as f32));
                swapped = (swapped & !better) | (order & better);
            }
        }
        let colors = [
            each!(c in 3 => codes[0][c].or_if(swapped, codes[1][c])),
            each!(c in 3 => codes[1][c].or_if(swapped, codes[0][c])),
        ];
        Found {
            cost: (cost + of_colors).or_if(illegal, s.f(f32::MAX)),
            mode,
            flip: zero,
            codes: [colors[0], colors[1], [zero; 3]],
            tables: [distance, zero],
        }
    }
}
