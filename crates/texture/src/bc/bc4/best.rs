//! The best encoding found so far in each lane.

use crate::simd::{Float, Simd};

/// The best encoding found so far in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Best<S: Simd> {
    pub cost: S::F,
    pub low: S::F,
    pub high: S::F,
    /// True for a palette of six values.
    pub six: S::M,
}

impl<S: Simd> Best<S> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(&self, mask: S::M, other: &Self) -> Self {
        Self {
            cost: self.cost.or_if(mask, other.cost),
            low: self.low.or_if(mask, other.low),
            high: self.high.or_if(mask, other.high),
            six: (self.six & !mask) | (other.six & mask),
        }
    }

    /// Takes the encoding if its cost is lower.
    #[inline(always)]
    pub fn offer(&mut self, six: bool, cost: S::F, low: S::F, high: S::F) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.low = self.low.or_if(better, low);
        self.high = self.high.or_if(better, high);
        self.six = if six { self.six | better } else { self.six & !better };
    }
}
