//! Exact assignment of texels to their nearest palette entries, with the resulting costs and clusters.

use super::{
    context::Context,
    lanes::{Block, Mode, RuleLanes, SearchMode, class},
};
use crate::bc::block::centered;
use crate::simd::{Float, Int, Simd, each};

/// Texels of a block that share an index: their number, and the sums of their centred channels.
#[derive(Clone, Copy)]
pub(crate) struct Clusters<S: Simd> {
    pub count: [S::F; 4],
    /// `sum[index][channel]`
    pub sum: [[S::F; 3]; 4],
}

impl<S: Simd> Clusters<S> {
    /// Computes the first cluster: the rest of the block.
    #[inline(always)]
    fn complete<const MASKED: bool>(&mut self, block: &Block<S, MASKED>) {
        self.count[0] = block.count - self.count[1] - self.count[2] - self.count[3];
        for c in 0..3 {
            self.sum[0][c] = block.sum[c] - self.sum[1][c] - self.sum[2][c] - self.sum[3][c];
        }
    }
}

/// Palette in the form that errors use: cost = constant + Σ slope[channel]·x[channel].
pub(super) struct CostPlanes<S: Simd> {
    constant: [S::F; 4],
    slope: [[S::F; 3]; 4],
}

impl<S: Simd> CostPlanes<S> {
    #[inline(always)]
    pub fn new(s: S, rule: &RuleLanes<S>, palette: &[[S::F; 3]; 4]) -> Self {
        let mut planes = Self { constant: [s.f(0.0); 4], slope: [[s.f(0.0); 3]; 4] };
        for ((constant, slope), entry) in planes.constant.iter_mut().zip(&mut planes.slope).zip(palette) {
            *slope = each!(c in 3 => entry[c] * (rule.channels[c].weight * s.f(-2.0)));
            let sum = entry[2].mul_add(slope[2], entry[1].mul_add(slope[1], entry[0] * slope[0]));
            *constant = sum * s.f(-0.5);
        }
        planes
    }

    #[inline(always)]
    pub fn cost(&self, index: usize, x: [S::F; 3]) -> S::F {
        let slope = &self.slope[index];
        x[2].mul_add(slope[2], x[1].mul_add(slope[1], x[0].mul_add(slope[0], self.constant[index])))
    }
}

/// Returns the cost of `palette` if every texel takes its nearest entry.
#[inline(always)]
pub(crate) fn cost<S: Simd, M: SearchMode, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    palette: &[[S::F; 3]; 4],
) -> S::I {
    let Context { simd: s, rule, block, distinct, .. } = *context;
    let mode = context.mode();
    let planes = CostPlanes::new(s, rule, palette);
    let mut total = s.i(0);
    if !MASKED && distinct.count > 0 {
        for (&x, &texels) in distinct.x.iter().zip(&distinct.texels).take(distinct.count) {
            let mut least = planes.cost(0, x).min(planes.cost(1, x)).min(planes.cost(2, x));
            if mode.entry_count() == 4 {
                least = least.min(planes.cost(3, x));
            }
            total = total + least.to_i().mul(texels);
        }
        return total;
    }
    for t in 0..16 {
        let x = [block.x[0][t], block.x[1][t], block.x[2][t]];
        let mut least = planes.cost(0, x).min(planes.cost(1, x)).min(planes.cost(2, x));
        if mode.entry_count() == 4 {
            least = least.min(planes.cost(3, x));
        }
        if MASKED {
            least = least.or_if(block.out[t], s.f(0.0));
        }
        total = total + least.to_i();
    }
    total
}

/// Returns the cost of `palette` and the resulting clusters.
#[inline(always)]
pub(crate) fn clusters<S: Simd, M: SearchMode, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    palette: &[[S::F; 3]; 4],
) -> (S::I, Clusters<S>) {
    let Context { simd: s, rule, block, distinct, .. } = *context;
    if !MASKED && distinct.count > 0 {
        let (cost, indices) = color_indices(context, palette);
        return (cost, clusters_of_colors(context, indices));
    }
    let mode = context.mode();
    let planes = CostPlanes::new(s, rule, palette);
    let (zero, one) = (s.f(0.0), s.f(1.0));
    let mut total = s.i(0);
    let mut found = Clusters::<S> { count: [zero; 4], sum: [[zero; 3]; 4] };
    for t in 0..16 {
        let x = [block.x[0][t], block.x[1][t], block.x[2][t]];
        let mut choice = Choice::<S>::of(s, &planes, mode, x);
        if MASKED {
            choice = choice.without(s, block.out[t]);
        }
        total = total + choice.cost.to_i();
        for (index, mask) in choice.is.into_iter().enumerate() {
            found.count[index + 1] = found.count[index + 1].add_if(mask, one);
            for c in 0..3 {
                found.sum[index + 1][c] = found.sum[index + 1][c].add_if(mask, x[c]);
            }
        }
    }
    found.complete(block);
    (total, found)
}

/// Returns the cost of `palette` and the indices of colours, two bits each, with the last colour's lowest.
#[inline(always)]
pub(crate) fn color_indices<S: Simd, M: SearchMode, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    palette: &[[S::F; 3]; 4],
) -> (S::I, S::I) {
    let Context { simd: s, rule, distinct, .. } = *context;
    let planes = CostPlanes::new(s, rule, palette);
    let (mut total, mut indices) = (s.i(0), s.i(0));
    for (&x, &texels) in distinct.x.iter().zip(&distinct.texels).take(distinct.count) {
        let choice = Choice::<S>::of(s, &planes, context.mode(), x);
        total = total + choice.cost.to_i().mul(texels);
        let [one, two, three] = choice.is;
        indices = indices.shl::<2>() | s.i(0).or_if(one, s.i(1)).or_if(two, s.i(2)).or_if(three, s.i(3));
    }
    (total, indices)
}

/// Returns the clusters that follow from [`color_indices`].
#[inline(always)]
pub(crate) fn clusters_of_colors<S: Simd, M: SearchMode, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    mut indices: S::I,
) -> Clusters<S> {
    let Context { simd: s, block, distinct, .. } = *context;
    let mut found = Clusters::<S> { count: [s.f(0.0); 4], sum: [[s.f(0.0); 3]; 4] };
    for (&x, &texels) in distinct.x.iter().zip(&distinct.texels).take(distinct.count).rev() {
        let own = indices & s.i(3);
        indices = indices.shr::<2>();
        let count = texels.to_f();
        let sums = each!(c in 3 => x[c] * count);
        for index in 1..context.mode().entry_count() {
            let is_it = own.eq(s.i(index as i32));
            found.count[index] = found.count[index].add_if(is_it, count);
            for c in 0..3 {
                found.sum[index][c] = found.sum[index][c].add_if(is_it, sums[c]);
            }
        }
    }
    found.complete(block);
    found
}

/// Returns the indices of a block in BC1's order, two bits per texel: 3 for transparent texels, the nearest
/// index for padding.
#[inline(always)]
pub(crate) fn indices<S: Simd, M: SearchMode, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    palette: &[[S::F; 3]; 4],
) -> S::I {
    let Context { simd: s, rule, block, .. } = *context;
    let mode = context.mode();
    let planes = CostPlanes::new(s, rule, palette);
    let mut bits = s.i(0);
    for t in (0..16).rev() {
        // Not `block.x`, which is 0 where a texel is left out.
        let [red, green, blue, _] = centered(s, block.packed[t]);
        let x = [red, green, blue];
        let [one, two, three] = Choice::<S>::of(s, &planes, mode, x).is;
        let mut index = s.i(0).or_if(one, s.i(1)).or_if(two, s.i(2)).or_if(three, s.i(3));
        if MASKED {
            index = index.or_if(block.packed[t].shr::<24>().eq(s.i(class::TRANSPARENT)), s.i(3));
        }
        bits = bits.shl::<2>() | index;
    }
    bits
}

/// Nearest entry of one texel; the lower index in a tie.
pub(super) struct Choice<S: Simd> {
    pub cost: S::F,
    /// True if the index is 1, 2, 3.
    pub is: [S::M; 3],
}

impl<S: Simd> Choice<S> {
    #[inline(always)]
    pub fn of(s: S, planes: &CostPlanes<S>, mode: Mode, x: [S::F; 3]) -> Self {
        let cost = each!(index in 3 => planes.cost(index, x));
        let second = cost[1].lt(cost[0]);
        let lower = cost[1].min(cost[0]);
        let (fourth, upper) = if mode.entry_count() == 4 {
            let last = planes.cost(3, x);
            (last.lt(cost[2]), last.min(cost[2]))
        } else {
            (s.none(), cost[2])
        };
        let is_upper = upper.lt(lower);
        Self { cost: upper.min(lower), is: [second & !is_upper, is_upper & !fourth, is_upper & fourth] }
    }

    /// Returns no choice and no cost where the texel is left out.
    #[inline(always)]
    fn without(self, s: S, out: S::M) -> Self {
        Self { cost: self.cost.or_if(out, s.f(0.0)), is: each!(i in 3 => self.is[i] & !out) }
    }
}
