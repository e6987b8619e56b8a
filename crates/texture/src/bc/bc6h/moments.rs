//! First and second moments of texels: their principal axis, and the error around it.

use crate::simd::{Float, Simd, each};

/// Number of texels and sums of their values and products.
#[derive(Clone, Copy)]
pub(super) struct Moments<S: Simd> {
    count: S::F,
    sums: [S::F; 3],
    /// Sums of products of the channels in [`PAIRS`].
    products: [S::F; 6],
}

/// Pairs of channels whose products are summed.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// A symmetric matrix, as [`PAIRS`].
type Symmetric<S> = [<S as Simd>::F; 6];

/// Smallest divisor; sums of squares of integers are 0 or at least 1.
pub(super) const TINY: f32 = 1e-3;

impl<S: Simd> Moments<S> {
    /// Returns the moments of no texels.
    #[inline(always)]
    pub fn zero(s: S) -> Self {
        Self { count: s.f(0.0), sums: [s.f(0.0); 3], products: [s.f(0.0); 6] }
    }

    /// Adds a texel where `member` is true.
    #[inline(always)]
    pub fn add_texel(&mut self, s: S, member: S::M, texel: &[S::F; 3]) {
        self.count = self.count.add_if(member, s.f(1.0));
        for c in 0..3 {
            self.sums[c] = self.sums[c].add_if(member, texel[c]);
        }
        for i in 0..6 {
            let (a, b) = PAIRS[i];
            self.products[i] = self.products[i].add_if(member, texel[a] * texel[b]);
        }
    }

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.count = self.count + other.count;
        for c in 0..3 {
            self.sums[c] = self.sums[c] + other.sums[c];
        }
        for i in 0..6 {
            self.products[i] = self.products[i] + other.products[i];
        }
    }

    #[inline(always)]
    pub fn less(mut self, other: &Self) -> Self {
        self.count = self.count - other.count;
        for c in 0..3 {
            self.sums[c] = self.sums[c] - other.sums[c];
        }
        for i in 0..6 {
            self.products[i] = self.products[i] - other.products[i];
        }
        self
    }

    /// Returns the mean; 0 without texels.
    #[inline(always)]
    pub fn mean(&self, s: S) -> [S::F; 3] {
        let inverse = s.f(1.0) / self.count.max(s.f(1.0));
        each!(c in 3 => self.sums[c] * inverse)
    }

    /// Returns the covariance times the count, and its row of the largest variance.
    #[inline(always)]
    fn covariance(&self, s: S) -> (Symmetric<S>, [S::F; 3]) {
        let mean = self.mean(s);
        let mut matrix = self.products;
        for i in 0..6 {
            let (a, b) = PAIRS[i];
            matrix[i] = matrix[i] - self.sums[a] * mean[b];
        }
        let [rr, rg, rb, gg, gb, bb] = matrix;
        let (mut row, mut largest) = ([rr, rg, rb], rr);
        for (variance, other) in [(gg, [rg, gg, gb]), (bb, [rb, gb, bb])] {
            let is_larger = largest.lt(variance);
            largest = largest.or_if(is_larger, variance);
            for c in 0..3 {
                row[c] = row[c].or_if(is_larger, other[c]);
            }
        }
        (matrix, row)
    }

    /// Returns the direction of the largest variance after `steps` of power iteration; its largest component
    /// is 1 or −1, or all are 0.
    #[inline(always)]
    pub fn axis(&self, s: S, steps: usize) -> [S::F; 3] {
        let (matrix, row) = self.covariance(s);
        let mut axis = scaled(s, &row);
        for _ in 0..steps {
            axis = scaled(s, &product::<S>(&matrix, &axis));
        }
        axis
    }

    /// Returns an estimate of the squared error of a line through the texels: all variance across it, and
    /// `share` of the variance along it, for the indices.
    #[inline(always)]
    pub fn line_error(&self, s: S, share: f32) -> S::F {
        let (matrix, row) = self.covariance(s);
        let axis = scaled(s, &row);
        let image = product::<S>(&matrix, &axis);
        let all = matrix[0] + matrix[3] + matrix[5];
        let along = (dot::<S>(&image, &image) / dot::<S>(&axis, &image).max(s.f(TINY))).min(all);
        (all - along) + along * s.f(share)
    }
}

/// Returns a vector whose largest component is 1 or −1.
#[inline(always)]
fn scaled<S: Simd>(s: S, vector: &[S::F; 3]) -> [S::F; 3] {
    let zero = s.f(0.0);
    let mut largest = s.f(TINY);
    for c in 0..3 {
        largest = largest.max(vector[c]).max(zero - vector[c]);
    }
    let inverse = s.f(1.0) / largest;
    each!(c in 3 => vector[c] * inverse)
}

#[inline(always)]
fn product<S: Simd>(matrix: &Symmetric<S>, vector: &[S::F; 3]) -> [S::F; 3] {
    let [rr, rg, rb, gg, gb, bb] = *matrix;
    [dot::<S>(&[rr, rg, rb], vector), dot::<S>(&[rg, gg, gb], vector), dot::<S>(&[rb, gb, bb], vector)]
}

/// Returns the scalar product, each term and sum rounded in turn.
#[inline(always)]
pub(super) fn dot<S: Simd>(a: &[S::F; 3], b: &[S::F; 3]) -> S::F {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
