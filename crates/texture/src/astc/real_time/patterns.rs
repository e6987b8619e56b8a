//! The most promising of the first partition patterns of two parts.

use super::texels::{Sums, widest};
use crate::{
    astc::{partition::Pattern, patterns::TWO},
    bc::numbers::reciprocal,
    simd::{Float, Int, Simd},
};

/// Number of patterns that are examined.
pub(super) const COUNT: usize = 20;

/// Texels of the second part of each pattern, a bit each, and the seed above them.
pub(super) static PATTERNS: [u32; COUNT] = {
    let mut patterns = [0; COUNT];
    let mut number = 0;
    while number < COUNT {
        let seed = TWO[number] as u32;
        let pattern = Pattern::new((4, 4), 2, seed);
        let (mut texels, mut t) = (0, 0);
        while t < 16 {
            texels |= (pattern.part(t % 4, t / 4) as u32) << t;
            t += 1;
        }
        patterns[number] = seed << 16 | texels;
        number += 1;
    }
    patterns
};

/// Share of the variance that weights leave.
pub(super) const SHARE: f32 = 1.0 / 64.0;

/// Pattern of a block in each lane.
pub(super) struct Chosen<S: Simd> {
    /// One of [`PATTERNS`].
    pub pattern: S::I,
    /// Sums over the texels of the second part.
    pub second: Sums<S, 3>,
}

/// Returns the pattern with the smallest estimated error.
#[inline(always)]
pub(super) fn choose<S: Simd>(s: S, x: &[[S::F; 3]; 16], all: &Sums<S, 3>) -> Chosen<S> {
    let mut of_texels = [*all; 16];
    for (sums, x) in of_texels.iter_mut().zip(x) {
        *sums = Sums::one(s, x);
    }
    let mut chosen = Chosen { pattern: s.i(0), second: *all };
    let mut least = s.f(f32::MAX);
    for pattern in PATTERNS {
        let count = (pattern & 0xffff).count_ones();
        let mut rest = pattern & 0xffff;
        let mut second = of_texels[rest.trailing_zeros() as usize];
        rest &= rest - 1;
        while rest != 0 {
            second.add(&of_texels[rest.trailing_zeros() as usize]);
            rest &= rest - 1;
        }
        let error = estimate(s, &all.less(&second), 16 - count) + estimate(s, &second, count);
        let better = error.lt(least);
        least = least.min(error);
        chosen.pattern = chosen.pattern.or_if(better, s.i(pattern as i32));
        chosen.second = chosen.second.or_if(better, &second);
    }
    chosen
}

/// Returns the estimated error of a part: the residual after a regression on the channel with the largest
/// variance, and a share of the variance.
#[inline(always)]
fn estimate<S: Simd>(s: S, sums: &Sums<S, 3>, count: u32) -> S::F {
    let count = s.f(count as f32);
    let covariance = sums.covariance(s, count);
    let (row, largest) = widest::<S, 3>(&covariance);
    let whole = covariance[0][0] + covariance[1][1] + covariance[2][2];
    let squares = row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    let rest = whole - squares * reciprocal(s, largest.max(s.f(1.0)));
    (rest + whole * s.f(SHARE)) * reciprocal(s, count)
}
