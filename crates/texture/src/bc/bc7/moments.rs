//! Sums over texels, and the line through them, in real time. `real_time.wgsl` takes the same steps.

use crate::{
    bc::{
        numbers::reciprocal,
        order::power_scale,
        real_time::sixteen::{dot, sum},
    },
    simd::{Float, Simd, each},
};

/// Sums of channels, and of their products, over some texels.
#[derive(Clone, Copy)]
pub(in crate::bc) struct Moments<S: Simd, const N: usize> {
    count: S::F,
    pub sums: [S::F; N],
    /// Products of channels a and b, with a <= b.
    products: [[S::F; N]; N],
}

impl<S: Simd, const N: usize> Moments<S, N> {
    /// Returns the sums over `count` texels. The channels of the others are 0.
    #[inline(always)]
    pub fn new(s: S, count: S::F, x: &[[S::F; 16]; N]) -> Self {
        let mut found = Self { count, sums: [s.f(0.0); N], products: [[s.f(0.0); N]; N] };
        for a in 0..N {
            found.sums[a] = sum(&x[a]);
            for b in a..N {
                found.products[a][b] = dot(&x[a], &x[b]);
            }
        }
        found
    }

    /// Returns the sums of the first channels over the texels that are not in `part`.
    #[inline(always)]
    pub fn without<const M: usize>(&self, s: S, part: &Moments<S, M>) -> Moments<S, M> {
        let count = self.count - part.count;
        let mut rest = Moments { count, sums: [s.f(0.0); M], products: [[s.f(0.0); M]; M] };
        for a in 0..M {
            rest.sums[a] = self.sums[a] - part.sums[a];
            for b in a..M {
                rest.products[a][b] = self.products[a][b] - part.products[a][b];
            }
        }
        rest
    }

    /// Returns the row of the covariance matrix with the greatest variance, after one step of the power
    /// method, in integers of 9 bits.
    #[inline(always)]
    pub fn axis(&self, s: S) -> [S::F; N] {
        let mut rows = [[s.f(0.0); N]; N];
        for a in 0..N {
            for b in a..N {
                rows[a][b] = self.products[a][b] * self.count - self.sums[a] * self.sums[b];
                rows[b][a] = rows[a][b];
            }
        }
        // No covariance is greater than the greatest variance.
        let mut greatest = rows[0][0];
        let mut row = rows[0];
        for a in 1..N {
            let more = greatest.lt(rows[a][a]);
            greatest = greatest.max(rows[a][a]);
            for c in 0..N {
                row[c] = row[c].or_if(more, rows[a][c]);
            }
        }
        let scale = power_scale(s, greatest.max(s.f(1.0)), 10);
        for c in 0..N {
            row[c] = (row[c] * scale).round();
        }
        let mut turned = [s.f(0.0); N];
        let mut longest = s.f(1.0);
        for a in 0..N {
            for b in 0..N {
                turned[a] = (rows[a][b] * scale).round().mul_add(row[b], turned[a]);
            }
            longest = longest.max(turned[a]).max(s.f(0.0) - turned[a]);
        }
        let scale = power_scale(s, longest, 8);
        for value in &mut turned {
            *value = (*value * scale).round();
        }
        turned
    }

    /// Returns the points on the line through the mean along `axis` with these projections, in 8 bits.
    #[inline(always)]
    pub fn points(&self, s: S, axis: &[S::F; N], projections: [S::F; 2]) -> [[S::F; N]; 2] {
        let part = reciprocal(s, self.count.max(s.f(1.0)));
        let scale = reciprocal(s, dot(axis, axis).max(s.f(1.0))) * part;
        let minus_mean = s.f(0.0) - dot(axis, &self.sums);
        each!(i in 2 => {
            let distance = projections[i].mul_add(self.count, minus_mean) * scale;
            let mut point = [s.f(0.0); N];
            for c in 0..N {
                let value = self.sums[c] * part + axis[c] * distance;
                point[c] = value.max(s.f(0.0)).min(s.f(255.0)).round();
            }
            point
        })
    }
}

/// Returns the projections of sixteen texels on an axis.
#[inline(always)]
pub(in crate::bc) fn projections<S: Simd, const N: usize>(
    _: S,
    x: &[[S::F; 16]; N],
    axis: &[S::F; N],
) -> [S::F; 16] {
    each!(t in 16 => {
        let mut sum = x[0][t] * axis[0];
        for c in 1..N {
            sum = x[c][t].mul_add(axis[c], sum);
        }
        sum
    })
}
