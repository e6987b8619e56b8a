//! The best encoding of each lane.

use crate::simd::{Float, Simd, each};

/// Modes, as numbers in lanes.
pub(super) const INDIVIDUAL: f32 = 0.0;
pub(super) const DIFFERENTIAL: f32 = 1.0;
pub(super) const T: f32 = 2.0;
pub(super) const H: f32 = 3.0;
pub(super) const PLANAR: f32 = 4.0;

/// Codes of a block in each lane.
#[derive(Clone, Copy)]
pub(super) struct Found<S: Simd> {
    pub cost: S::F,
    pub mode: S::F,
    /// 1 if the halves are the upper and the lower one, else 0.
    pub flip: S::F,
    /// Codes of the colours: two, or three of planar blocks.
    pub codes: [[S::F; 3]; 3],
    /// Tables of the halves. The first one is the distance in T and H blocks.
    pub tables: [S::F; 2],
}

impl<S: Simd> Found<S> {
    /// Returns a value that every encoding replaces.
    #[inline(always)]
    pub fn new(s: S) -> Self {
        let zero = s.f(0.0);
        Self { cost: s.f(f32::MAX), mode: zero, flip: zero, codes: [[zero; 3]; 3], tables: [zero; 2] }
    }

    /// Takes `other` where its error is smaller.
    #[inline(always)]
    pub fn offer(&mut self, other: &Self) {
        *self = self.or_if(other.cost.lt(self.cost), other);
    }

    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(&self, mask: S::M, other: &Self) -> Self {
        Self {
            cost: self.cost.or_if(mask, other.cost),
            mode: self.mode.or_if(mask, other.mode),
            flip: self.flip.or_if(mask, other.flip),
            codes: each!(i in 3 => each!(c in 3 => self.codes[i][c].or_if(mask, other.codes[i][c]))),
            tables: each!(i in 2 => self.tables[i].or_if(mask, other.tables[i])),
        }
    }
}
