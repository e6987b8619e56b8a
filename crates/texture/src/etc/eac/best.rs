//! The best candidate of each lane.

use crate::simd::{Float, Simd};

/// Candidate with the smallest error in each lane.
#[derive(Clone, Copy)]
pub(super) struct Best<S: Simd> {
    pub cost: S::F,
    pub base: S::F,
    pub multiplier: S::F,
    pub table: S::F,
}

impl<S: Simd> Best<S> {
    /// Takes a candidate where its error is smaller.
    #[inline(always)]
    pub fn offer(&mut self, s: S, cost: S::F, base: S::F, multiplier: S::F, table: usize) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.base = self.base.or_if(better, base);
        self.multiplier = self.multiplier.or_if(better, multiplier);
        self.table = self.table.or_if(better, s.f(table as f32));
    }
}
