//! The best encoding of each lane.

use crate::simd::{Float, Simd};

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
    /// Codes of the colors: two, or three of planar blocks.
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
        let better = other.cost.lt(self.cost);
        self.cost = self.cost.min(other.cost);
        self.mode = self.mode.or_if(better, other.mode);
        self.flip = self.flip.or_if(better, other.flip);
        for (codes, other) in self.codes.as_flattened_mut().iter_mut().zip(other.codes.as_flattened()) {
            *codes = codes.or_if(better, *other);
        }
        for (table, other) in self.tables.iter_mut().zip(other.tables) {
            *table = table.or_if(better, other);
        }
    }
}
