//! The best encoding found so far in each lane.

use super::cost::Cost;
use crate::simd::{Float, Simd};

/// The best encoding found so far in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Best<S: Simd, const RESTS: bool> {
    pub cost: Cost<S, RESTS>,
    pub low: S::F,
    pub high: S::F,
    /// True for a palette of six values.
    pub six: S::M,
}

impl<S: Simd, const RESTS: bool> Best<S, RESTS> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(&self, mask: S::M, other: &Self) -> Self {
        Self {
            cost: self.cost.or_if(mask, &other.cost),
            low: self.low.or_if(mask, other.low),
            high: self.high.or_if(mask, other.high),
            six: (self.six & !mask) | (other.six & mask),
        }
    }

    /// Takes the encoding if its cost is lower.
    #[inline(always)]
    pub fn offer(&mut self, s: S, six: bool, cost: &Cost<S, RESTS>, low: S::F, high: S::F) {
        let better = cost.lt(s, &self.cost);
        self.take_where(better, cost, low, high);
        self.six = if six { self.six | better } else { self.six & !better };
    }

    /// Takes the cost and the endpoints where the mask is true.
    #[inline(always)]
    pub fn take_where(&mut self, mask: S::M, cost: &Cost<S, RESTS>, low: S::F, high: S::F) {
        self.cost = self.cost.or_if(mask, cost);
        self.low = self.low.or_if(mask, low);
        self.high = self.high.or_if(mask, high);
    }
}
