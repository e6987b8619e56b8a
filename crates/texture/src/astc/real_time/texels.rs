//! Texels in lanes, their sums, and the line through them.

use crate::{
    bc::{batch::BatchTexels, block::CENTER, numbers::reciprocal},
    simd::{Float, Int, Simd},
};

/// Texels of a block in each lane.
pub(super) struct Texels<S: Simd, const CHANNELS: usize> {
    /// Centred channels, `x[texel][channel]`.
    pub x: [[S::F; CHANNELS]; 16],
    /// One bit for each texel in the image: only those have an error.
    pub visible: S::I,
}

impl<S: Simd, const CHANNELS: usize> Texels<S, CHANNELS> {
    #[inline(always)]
    pub fn new(s: S, texels: &BatchTexels, first: usize, visible: S::I) -> Self {
        let mut x = [[s.f(0.0); CHANNELS]; 16];
        for (x, texels) in x.iter_mut().zip(texels) {
            let packed = s.load_i(&texels[first..]);
            for (c, x) in x.iter_mut().enumerate() {
                let byte = packed.shr_by(s.i(8 * c as i32)) & s.i(255);
                *x = byte.to_f() - s.f(CENTER);
            }
        }
        Self { x, visible }
    }
}

/// Sums over texels: of channels, and of products of two channels.
#[derive(Clone, Copy)]
pub(super) struct Sums<S: Simd, const CHANNELS: usize> {
    pub of: [S::F; CHANNELS],
    pub products: [[S::F; CHANNELS]; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Sums<S, CHANNELS> {
    /// Returns the sums over one texel.
    #[inline(always)]
    pub fn one(s: S, x: &[S::F; CHANNELS]) -> Self {
        let mut sums = Self { of: *x, products: [[s.f(0.0); CHANNELS]; CHANNELS] };
        for a in 0..CHANNELS {
            for b in a..CHANNELS {
                sums.products[a][b] = x[a] * x[b];
            }
        }
        sums
    }

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for a in 0..CHANNELS {
            self.of[a] = self.of[a] + other.of[a];
            for b in a..CHANNELS {
                self.products[a][b] = self.products[a][b] + other.products[a][b];
            }
        }
    }

    #[inline(always)]
    pub fn less(mut self, other: &Self) -> Self {
        for a in 0..CHANNELS {
            self.of[a] = self.of[a] - other.of[a];
            for b in a..CHANNELS {
                self.products[a][b] = self.products[a][b] - other.products[a][b];
            }
        }
        self
    }

    #[inline(always)]
    pub fn or_if(mut self, mask: S::M, other: &Self) -> Self {
        for a in 0..CHANNELS {
            self.of[a] = self.of[a].or_if(mask, other.of[a]);
            for b in a..CHANNELS {
                self.products[a][b] = self.products[a][b].or_if(mask, other.products[a][b]);
            }
        }
        self
    }

    /// Returns the covariance of `count` texels, times `count`². All numbers are integers below 2²³.
    #[inline(always)]
    pub fn covariance(&self, s: S, count: S::F) -> [[S::F; CHANNELS]; CHANNELS] {
        let mut covariance = self.products;
        for a in 0..CHANNELS {
            for b in a..CHANNELS {
                covariance[a][b] = count.mul_add(self.products[a][b], s.f(0.0) - self.of[a] * self.of[b]);
                covariance[b][a] = covariance[a][b];
            }
        }
        covariance
    }
}

/// Returns the row of the largest diagonal element, and this element.
#[inline(always)]
pub(super) fn widest<S: Simd, const CHANNELS: usize>(
    covariance: &[[S::F; CHANNELS]; CHANNELS],
) -> ([S::F; CHANNELS], S::F) {
    let (mut row, mut largest) = (covariance[0], covariance[0][0]);
    for c in 1..CHANNELS {
        let wider = largest.lt(covariance[c][c]);
        largest = largest.max(covariance[c][c]);
        for (row, &other) in row.iter_mut().zip(&covariance[c]) {
            *row = row.or_if(wider, other);
        }
    }
    (row, largest)
}

/// Returns the direction of the texels, of integers up to 256: the widest row of the covariance.
#[inline(always)]
pub(super) fn axis<S: Simd, const CHANNELS: usize>(
    s: S,
    covariance: &[[S::F; CHANNELS]; CHANNELS],
) -> [S::F; CHANNELS] {
    let (mut axis, largest) = widest::<S, CHANNELS>(covariance);
    let scale = reciprocal(s, largest.max(s.f(1.0))) * s.f(256.0);
    for axis in &mut axis {
        *axis = (*axis * scale).round();
    }
    axis
}

/// Returns the projection of a texel on an axis, an integer.
#[inline(always)]
pub(super) fn along<S: Simd, const CHANNELS: usize>(
    s: S,
    axis: &[S::F; CHANNELS],
    x: &[S::F; CHANNELS],
) -> S::F {
    let mut along = s.f(0.0);
    for c in 0..CHANNELS {
        along = x[c].mul_add(axis[c], along);
    }
    along
}
