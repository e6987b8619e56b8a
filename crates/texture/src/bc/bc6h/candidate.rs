//! Endpoints that a block may get, with their error.

use super::{assign::SMALLER, coding::Endpoints, texels::WHOLE};
use crate::simd::{Float, Int, Simd};

/// Error of a candidate that any other replaces.
pub(super) const NO_ERROR: f32 = 1e30;

/// A mode's place in `MODES`, a partition and the endpoints' codes, in each lane.
#[derive(Clone, Copy)]
pub(super) struct Candidate<S: Simd> {
    /// Squared error in units of halves' bit patterns, or of levels.
    pub error: S::F,
    pub mode: S::I,
    /// Number of the partition; [`WHOLE`] in modes of one subset.
    pub partition: S::I,
    pub codes: Endpoints<S>,
}

impl<S: Simd> Candidate<S> {
    /// Returns a candidate that any other replaces.
    #[inline(always)]
    pub fn none(s: S) -> Self {
        Self { error: s.f(NO_ERROR), mode: s.i(10), partition: s.i(WHOLE), codes: [[s.f(0.0); 3]; 4] }
    }

    /// Takes the other candidate where its error is smaller, however sums were rounded.
    #[inline(always)]
    pub fn improve(&mut self, s: S, other: &Self) {
        let is_better = other.error.lt(self.error * s.f(SMALLER));
        self.error = self.error.or_if(is_better, other.error);
        self.mode = self.mode.or_if(is_better, other.mode);
        self.partition = self.partition.or_if(is_better, other.partition);
        for (endpoint, other) in self.codes.iter_mut().zip(&other.codes) {
            for c in 0..3 {
                endpoint[c] = endpoint[c].or_if(is_better, other[c]);
            }
        }
    }
}
