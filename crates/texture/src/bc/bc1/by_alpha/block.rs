//! Blocks of weighted texels in lanes, and the costs of palettes for them.

use super::super::{
    assign::{Choice, Clusters, CostPlanes},
    lanes::{self, Block, Endpoints, Mode, RuleLanes},
};
use crate::simd::{Float, Int, Simd, each};

/// Texels of one block per lane, and the weights of their errors.
#[derive(Clone, Copy)]
pub(super) struct WeightedBlock<S: Simd> {
    /// Texels as loaded, with the weight in the highest byte.
    pub texels: Block<S, false>,
    pub weight: [S::F; 16],
    /// Sum of the weights, at least 1.
    pub total: S::F,
    /// Sums of the weighted, centred channels.
    pub sum: [S::F; 3],
    /// Sums of the weighted channels divided by the sum of the weights.
    pub mean: [S::F; 3],
}

impl<S: Simd> WeightedBlock<S> {
    /// Unpacks texels with red in the lowest byte and the weight in the highest.
    #[inline(always)]
    pub fn new(s: S, packed: [S::I; 16]) -> Self {
        let texels = Block::<S, false>::new(s, packed);
        let weight = each!(t in 16 => packed[t].shr::<24>().to_f());
        let mut total = s.f(0.0);
        let mut sum = [s.f(0.0); 3];
        for t in 0..16 {
            total = total + weight[t];
            for c in 0..3 {
                // Below 16 · 255 · 128.
                sum[c] = texels.x[c][t].mul_add(weight[t], sum[c]);
            }
        }
        // Lanes without a block have no weights.
        let total = total.max(s.f(1.0));
        Self { texels, weight, total, sum, mean: each!(c in 3 => sum[c] / total) }
    }

    #[inline(always)]
    fn texel(&self, t: usize) -> [S::F; 3] {
        [self.texels.x[0][t], self.texels.x[1][t], self.texels.x[2][t]]
    }
}

/// Blocks in the lanes, and the rule that decodes them.
#[derive(Clone, Copy)]
pub(super) struct Context<'a, S: Simd> {
    pub simd: S,
    pub rule: &'a RuleLanes<S>,
    pub block: &'a WeightedBlock<S>,
}

impl<S: Simd> Context<'_, S> {
    /// Returns the cost of endpoints: Σ weight · cost over the texels.
    #[inline(always)]
    pub fn cost(&self, ends: &Endpoints<S>) -> S::I {
        let planes = self.planes(ends);
        let mut total = self.simd.i(0);
        for t in 0..16 {
            let x = self.block.texel(t);
            let lower = planes.cost(0, x).min(planes.cost(1, x));
            let least = lower.min(planes.cost(2, x)).min(planes.cost(3, x));
            total = total + least.to_i().mul(self.block.weight[t].to_i());
        }
        total
    }

    /// Returns the cost of endpoints and the resulting clusters. Texels count by their weights.
    #[inline(always)]
    pub fn clusters(&self, ends: &Endpoints<S>) -> (S::I, Clusters<S>) {
        let (s, block, planes) = (self.simd, self.block, self.planes(ends));
        let zero = s.f(0.0);
        let mut total = s.i(0);
        let mut found = Clusters::<S> { count: [zero; 4], sum: [[zero; 3]; 4] };
        for t in 0..16 {
            let (x, weight) = (block.texel(t), block.weight[t]);
            let choice = Choice::<S>::of(s, &planes, Mode::Four, x);
            total = total + choice.cost.to_i().mul(weight.to_i());
            let weighted = each!(c in 3 => x[c] * weight);
            for (index, mask) in choice.is.into_iter().enumerate() {
                found.count[index + 1] = found.count[index + 1].add_if(mask, weight);
                for c in 0..3 {
                    found.sum[index + 1][c] = found.sum[index + 1][c].add_if(mask, weighted[c]);
                }
            }
        }
        found.count[0] = block.total - found.count[1] - found.count[2] - found.count[3];
        for c in 0..3 {
            found.sum[0][c] = block.sum[c] - found.sum[1][c] - found.sum[2][c] - found.sum[3][c];
        }
        (total, found)
    }

    #[inline(always)]
    fn planes(&self, ends: &Endpoints<S>) -> CostPlanes<S> {
        CostPlanes::new(self.simd, self.rule, &lanes::palette(self.simd, self.rule, Mode::Four, ends))
    }
}
