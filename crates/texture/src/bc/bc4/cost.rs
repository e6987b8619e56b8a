//! Squared errors of blocks in lanes, exact at all that matters.
//!
//! The error of a texel is its distance d from its value in steps of the grid, plus the rest r of its
//! position in 51sts (`palette.rs`). Its square in 51sts squared is `51·d·(51·d + 2·r) + r²`. r² does not
//! depend on the endpoints, so 51·Σd² + 2·Σd·r decides. Σd² and Σd·r are summed separately.
//!
//! Both are integers. A line whose ends are the rounded least and greatest texels has |d| ≤ 5·254/2 + 3, so
//! Σd² < 6.6 million < 2²⁴ for the first line, and for all that replace it. A larger sum may be rounded. It
//! is then at least 2²⁴, since rounding is monotone, and never replaces the first. |Σd·r| ≤ 25·16·8925 < 2²⁴.
//! A comparison subtracts the sums first. If 51 times the difference of Σd² is not exact, it is above 2²⁴;
//! twice the difference of Σd·r is then too small to change its sign, since |Σd·r| ≤ 100·√Σd².

use crate::simd::{Float, Simd};

/// Squared error of the block in each lane, or of one texel. Without `RESTS`, all rests are 0.
#[derive(Clone, Copy)]
pub(crate) struct Cost<S: Simd, const RESTS: bool> {
    /// Σd².
    pub squares: S::F,
    /// Σd·r.
    pub products: S::F,
}

impl<S: Simd, const RESTS: bool> Cost<S, RESTS> {
    /// Returns a cost without products.
    #[inline(always)]
    pub fn of_squares(s: S, squares: f32) -> Self {
        Self { squares: s.f(squares), products: s.f(0.0) }
    }

    /// Adds the error `d` of a texel with the rest `rest`.
    #[inline(always)]
    pub fn add(&mut self, d: S::F, rest: S::F) {
        self.squares = d.mul_add(d, self.squares);
        if RESTS {
            self.products = d.mul_add(rest, self.products);
        }
    }

    /// Returns a mask of the lanes where this cost is lower.
    #[inline(always)]
    pub fn lt(&self, s: S, other: &Self) -> S::M {
        if RESTS {
            let squares = (self.squares - other.squares) * s.f(51.0);
            let products = (self.products - other.products) * s.f(2.0);
            (squares + products).lt(s.f(0.0))
        } else {
            self.squares.lt(other.squares)
        }
    }

    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(&self, mask: S::M, other: &Self) -> Self {
        let products = if RESTS { self.products.or_if(mask, other.products) } else { self.products };
        Self { squares: self.squares.or_if(mask, other.squares), products }
    }
}
