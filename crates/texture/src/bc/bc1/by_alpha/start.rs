//! Starts of a search: every order-preserving clustering. Its score is the weighted error that its
//! least-squares line removes. `cluster_fit.rs` does the same without weights.

use super::{
    super::{assign::Clusters, cluster_fit::Candidates, encode::AXIS_STEPS},
    block::WeightedBlock,
};
use crate::bc::order;
use crate::simd::{Float, Int, Simd, each};

/// Sums over the first 0, 1, …, 16 of the sorted texels.
pub(super) struct Sorted<S: Simd> {
    /// Sums of the weights.
    weight: [S::F; 17],
    /// Sums of the weighted, centred channels.
    sum: [[S::F; 3]; 17],
    /// Best clusterings.
    pub candidates: Candidates<S>,
}

/// Returns √(w / 255).
fn root(weight: usize) -> f32 {
    (weight as f32 / 255.0).sqrt()
}

/// Returns the square root of each weight's share of the largest.
pub(super) fn roots() -> [f32; 256] {
    std::array::from_fn(root)
}

impl<S: Simd> Sorted<S> {
    /// Sorts the texels of `block` along their principal axis and scores every clustering of four. `stretch`
    /// contains the square roots of the channels' weights.
    #[inline(always)]
    pub fn new(s: S, block: &WeightedBlock<S>, stretch: [f32; 3], roots: &[f32; 256]) -> Self {
        let x = &block.texels.x;
        let mut greatest = s.f(1.0);
        for c in 0..3 {
            for &x in &x[c] {
                let away = x - block.mean[c];
                greatest = greatest.max(away).max(s.f(0.0) - away);
            }
        }
        let scale = s.f(order::NORMAL) / greatest;
        let mut normal = [[s.f(0.0); 16]; 3];
        let mut rooted = normal;
        for t in 0..16 {
            let root = s.gather(roots, block.weight[t].to_i());
            for c in 0..3 {
                let away = (x[c][t] - block.mean[c]) * scale * s.f(stretch[c]);
                normal[c][t] = away.round();
                rooted[c][t] = (away * root).round();
            }
        }
        let axis = order::principal_axis(s, &rooted, AXIS_STEPS);
        let sorted = WeightedBlock::new(s, order::sorted(s, &block.texels, &normal, &axis));
        let mut found = Self {
            weight: [s.f(0.0); 17],
            sum: [[s.f(0.0); 3]; 17],
            candidates: Candidates { score: [s.f(0.0); 17], cuts: [s.i(0); 17] },
        };
        let mut away = [[s.f(0.0); 3]; 17];
        for t in 0..16 {
            found.weight[t + 1] = found.weight[t] + sorted.weight[t];
            for c in 0..3 {
                let weighted = sorted.texels.x[c][t] * sorted.weight[t];
                found.sum[t + 1][c] = found.sum[t][c] + weighted;
                let stretched = (sorted.texels.x[c][t] - block.mean[c]) * s.f(stretch[c]);
                away[t + 1][c] = away[t][c] + stretched * sorted.weight[t];
            }
        }
        found.score(s, block.total, &away);
        found
    }

    /// Keeps the best clustering for each middle cut. `away` contains sums of weighted values minus their
    /// mean.
    #[inline(always)]
    fn score(&mut self, s: S, total: S::F, away: &[[S::F; 3]; 17]) {
        let weight = self.weight;
        let (one, three, five) = (s.f(1.0), s.f(3.0), s.f(5.0));
        for j in 0..=16 {
            let (mut best, mut best_cuts) = (s.f(0.0), s.i(0));
            for i in 0..=j {
                let two = each!(c in 3 => away[j][c] + away[i][c]);
                let thirds = weight[i] + weight[j];
                let squares = weight[i] * five + weight[j] * three;
                for k in j..=16 {
                    let sum = each!(c in 3 => two[c] + away[k][c]);
                    let length = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
                    let thirds = thirds + weight[k];
                    let determinant = total * (squares + weight[k]) - thirds * thirds;
                    let score = length / determinant.max(one);
                    let score = score.or_if(determinant.lt(one), s.f(0.0));
                    best_cuts = best_cuts.or_if(best.lt(score), s.i((i | j << 5 | k << 10) as i32));
                    best = best.max(score);
                }
            }
            self.candidates.score[j] = best;
            self.candidates.cuts[j] = best_cuts + s.i((j as i32) << 15);
        }
    }

    /// Returns the clusters that follow from `cuts`.
    #[inline(always)]
    pub fn clusters(&self, s: S, cuts: S::I) -> Clusters<S> {
        let mask = s.i(31);
        let cut = [cuts & mask, cuts.shr::<5>() & mask, cuts.shr::<10>() & mask];
        let mut weight = [s.f(0.0); 3];
        let mut sum = [[s.f(0.0); 3]; 3];
        for t in 1..=16 {
            for i in 0..3 {
                let here = cut[i].eq(s.i(t as i32));
                weight[i] = weight[i].or_if(here, self.weight[t]);
                for c in 0..3 {
                    sum[i][c] = sum[i][c].or_if(here, self.sum[t][c]);
                }
            }
        }
        let (all, whole) = (self.sum[16], self.weight[16]);
        Clusters {
            count: [weight[0], whole - weight[2], weight[1] - weight[0], weight[2] - weight[1]],
            sum: [
                sum[0],
                each!(c in 3 => all[c] - sum[2][c]),
                each!(c in 3 => sum[1][c] - sum[0][c]),
                each!(c in 3 => sum[2][c] - sum[1][c]),
            ],
        }
    }
}
