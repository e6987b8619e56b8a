//! The best encoding found so far in each lane.

use super::lanes::{Endpoints, Mode};
use crate::simd::{Int, Simd};

/// The best encoding found so far in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Best<S: Simd> {
    pub cost: S::I,
    pub ends: Endpoints<S>,
    /// True for a palette of three colours.
    pub three: S::M,
    /// True for a palette of three colours and black.
    pub black: S::M,
}

impl<S: Simd> Best<S> {
    #[inline(always)]
    pub fn none(s: S) -> Self {
        let zero = [s.f(0.0); 3];
        Self { cost: s.i(i32::MAX), ends: Endpoints { a: zero, b: zero }, three: s.none(), black: s.none() }
    }

    /// Takes the encoding if its cost is lower.
    #[inline(always)]
    pub fn offer(&mut self, mode: Mode, cost: S::I, ends: &Endpoints<S>) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.ends = self.ends.or_if(better, *ends);
        (self.three, self.black) = match mode {
            Mode::Four => (self.three & !better, self.black & !better),
            Mode::Three => (self.three | better, self.black & !better),
            Mode::ThreeBlack => (self.three | better, self.black | better),
        };
    }
}
