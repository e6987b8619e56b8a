//! Sorting of a block's texels by their projection on the principal axis.
//!
//! All numbers are integers. Channel values minus their mean are scaled by a power of two to at most 96;
//! these are *normalized* values. Their covariance is scaled to 11 bits, and the axis has 11 bits. Texels
//! with equal projections keep their order by index.

use super::block::{Block, CENTER};
use crate::simd::{Float, Int, Simd, each};

/// Largest normalized value. For three channels, squared sums of sixteen texels, weighted up to 3, stay below
/// 2²⁴. Products of two values, summed over sixteen texels, stay below 2¹⁸.
pub(crate) const NORMAL: f32 = 96.0;

/// Comparators of Batcher's odd-even merge sort of 16 values.
pub(crate) const SORT: [(usize, usize); 63] = {
    let mut sort = [(0, 0); 63];
    let mut next = 0;
    let mut p = 1;
    while p < 16 {
        let mut k = p;
        while k >= 1 {
            let mut j = k % p;
            while j + k < 16 {
                let mut i = 0;
                while i < k && i + j + k < 16 {
                    if (i + j) / (2 * p) == (i + j + k) / (2 * p) {
                        sort[next] = (i + j, i + j + k);
                        next += 1;
                    }
                    i += 1;
                }
                j += 2 * k;
            }
            k /= 2;
        }
        p *= 2;
    }
    assert!(next == 63);
    sort
};

/// Direction in the space of the channels; integers of at most 11 bits.
#[derive(Clone, Copy)]
pub(crate) struct Axis<S: Simd, const CHANNELS: usize>(pub [S::F; CHANNELS]);

impl<S: Simd, const CHANNELS: usize> Axis<S, CHANNELS> {
    /// Returns the projection of a texel, times the axis' length. It is below 2²⁴ for normalized values of up
    /// to four channels.
    #[inline(always)]
    pub fn dot(&self, x: [S::F; CHANNELS]) -> S::F {
        let last = CHANNELS - 1;
        let mut sum = x[last] * self.0[last];
        for c in (0..last).rev() {
            sum = x[c].mul_add(self.0[c], sum);
        }
        sum
    }

    /// Returns the projections of sixteen texels, `values[channel][texel]`.
    #[inline(always)]
    pub fn project(&self, s: S, values: &[[S::F; 16]; CHANNELS]) -> [S::F; 16] {
        each!(t in 16 => {
            let mut texel = [s.f(0.0); CHANNELS];
            for c in 0..CHANNELS {
                texel[c] = values[c][t];
            }
            self.dot(texel)
        })
    }
}

/// Conversion of channel values to normalized ones: (count·x − sum)·scale, rounded.
#[derive(Clone, Copy)]
pub(crate) struct Normalizer<S: Simd, const CHANNELS: usize> {
    count: S::F,
    sum: [S::F; CHANNELS],
    scale: [S::F; CHANNELS],
}

/// Returns 2^(`bits` − exponent of `value`). `value` times the result is in 2^`bits`..2^(`bits` + 1). `value`
/// ≥ 1.
#[inline(always)]
pub(crate) fn power_scale<S: Simd>(s: S, value: S::F, bits: i32) -> S::F {
    let exponent = value.bits().shr::<23>();
    (s.i(254 + bits) - exponent).shl::<23>().float_of_bits()
}

impl<S: Simd, const CHANNELS: usize> Normalizer<S, CHANNELS> {
    /// Returns the normalizer for the channels of `block`, each stretched by `stretch` (0 to 1, the square
    /// root of its weight).
    #[inline(always)]
    pub fn new<const MASKED: bool>(
        s: S,
        block: &Block<S, CHANNELS, MASKED>,
        stretch: [f32; CHANNELS],
    ) -> Self {
        let count = if MASKED { block.count } else { s.f(16.0) };
        let mut greatest = s.f(1.0);
        for c in 0..CHANNELS {
            let (mut low, mut high) = (s.f(CENTER), s.f(-CENTER));
            for (t, &x) in block.x[c].iter().enumerate() {
                if MASKED {
                    low = low.min(x.or_if(block.out[t], s.f(CENTER)));
                    high = high.max(x.or_if(block.out[t], s.f(-CENTER)));
                } else {
                    low = low.min(x);
                    high = high.max(x);
                }
            }
            greatest = greatest.max(high.mul_add(count, s.f(0.0) - block.sum[c]));
            greatest = greatest.max(block.sum[c] - low * count);
        }
        // At most 2·NORMAL/2 after the product.
        let whole = power_scale(s, greatest, 0) * s.f(NORMAL / 2.0);
        let mut scale = [whole; CHANNELS];
        for c in 0..CHANNELS {
            scale[c] = whole * s.f(stretch[c]);
        }
        Self { count, sum: block.sum, scale }
    }

    /// Returns the normalized values of a block's channels, `values[channel][texel]`; 0 for texels left out.
    #[inline(always)]
    pub fn values<const MASKED: bool>(
        &self,
        s: S,
        block: &Block<S, CHANNELS, MASKED>,
    ) -> [[S::F; 16]; CHANNELS] {
        let zero = s.f(0.0);
        let mut y = [[zero; 16]; CHANNELS];
        for c in 0..CHANNELS {
            let minus_sum = zero - self.sum[c];
            for t in 0..16 {
                y[c][t] = (block.x[c][t].mul_add(self.count, minus_sum) * self.scale[c]).round();
                if MASKED {
                    y[c][t] = y[c][t].or_if(block.out[t], zero);
                }
            }
        }
        y
    }
}

/// Returns the principal axis of the normalized values `y[channel][texel]`, after the given number of steps
/// of the power method.
#[inline(always)]
pub(crate) fn principal_axis<S: Simd, const CHANNELS: usize>(
    s: S,
    y: &[[S::F; 16]; CHANNELS],
    steps: usize,
) -> Axis<S, CHANNELS> {
    power_method(s, &covariance(s, y), steps)
}

/// Returns the covariance of normalized values, in 11 bits.
#[inline(always)]
pub(crate) fn covariance<S: Simd, const CHANNELS: usize>(
    s: S,
    y: &[[S::F; 16]; CHANNELS],
) -> [[S::F; CHANNELS]; CHANNELS] {
    let mut matrix = [[s.f(0.0); CHANNELS]; CHANNELS];
    let mut greatest = s.f(1.0);
    for a in 0..CHANNELS {
        for b in a..CHANNELS {
            let mut sum = s.f(0.0);
            for t in 0..16 {
                sum = y[a][t].mul_add(y[b][t], sum);
            }
            matrix[a][b] = sum;
        }
        greatest = greatest.max(matrix[a][a]);
    }
    shortened(s, matrix, greatest)
}

/// Returns the principal axis of a covariance matrix. The upper half of the matrix is given. `greatest` is
/// the maximum of its variances and 1.
#[inline(always)]
pub(crate) fn axis_of<S: Simd, const CHANNELS: usize>(
    s: S,
    matrix: [[S::F; CHANNELS]; CHANNELS],
    greatest: S::F,
    steps: usize,
) -> Axis<S, CHANNELS> {
    power_method(s, &shortened(s, matrix, greatest), steps)
}

/// Returns such a matrix in 11 bits, with both halves.
#[inline(always)]
fn shortened<S: Simd, const CHANNELS: usize>(
    s: S,
    mut matrix: [[S::F; CHANNELS]; CHANNELS],
    greatest: S::F,
) -> [[S::F; CHANNELS]; CHANNELS] {
    let scale = power_scale(s, greatest, 10);
    for a in 0..CHANNELS {
        for b in a..CHANNELS {
            matrix[a][b] = (matrix[a][b] * scale).round();
            matrix[b][a] = matrix[a][b];
        }
    }
    matrix
}

#[inline(always)]
fn power_method<S: Simd, const CHANNELS: usize>(
    s: S,
    matrix: &[[S::F; CHANNELS]; CHANNELS],
    steps: usize,
) -> Axis<S, CHANNELS> {
    // Start from the column of the largest variance: it is never orthogonal to the axis.
    let mut v = matrix[0];
    let mut variance = matrix[0][0];
    for c in 1..CHANNELS {
        let is_greater = variance.lt(matrix[c][c]);
        variance = variance.max(matrix[c][c]);
        for a in 0..CHANNELS {
            v[a] = v[a].or_if(is_greater, matrix[c][a]);
        }
    }
    for _ in 0..steps {
        v = next_axis(s, matrix, v);
    }
    Axis(v)
}

/// Performs one step of the power method.
#[inline(always)]
pub(crate) fn next_axis<S: Simd, const CHANNELS: usize>(
    s: S,
    matrix: &[[S::F; CHANNELS]; CHANNELS],
    v: [S::F; CHANNELS],
) -> [S::F; CHANNELS] {
    let mut next = v;
    for c in 0..CHANNELS {
        next[c] = Axis::<S, CHANNELS>(v).dot(matrix[c]);
    }
    shorten(s, next)
}

/// Scales a vector so that its largest component has 11 bits.
#[inline(always)]
pub(crate) fn shorten<S: Simd, const CHANNELS: usize>(s: S, v: [S::F; CHANNELS]) -> [S::F; CHANNELS] {
    let mut greatest = s.f(1.0);
    for value in v {
        greatest = greatest.max(value).max(s.f(0.0) - value);
    }
    let scale = power_scale(s, greatest, 10);
    let mut short = v;
    for value in &mut short {
        *value = (*value * scale).round();
    }
    short
}

/// Returns the texels of `block` in the order of their projections on `axis`, with those left out last. `y`
/// are their normalized values.
#[inline(always)]
pub(crate) fn sorted<S: Simd, const CHANNELS: usize, const MASKED: bool>(
    s: S,
    block: &Block<S, CHANNELS, MASKED>,
    y: &[[S::F; 16]; CHANNELS],
    axis: &Axis<S, CHANNELS>,
) -> [S::I; 16] {
    let mut keys = [s.i(0); 16];
    for (t, projection) in axis.project(s, y).into_iter().enumerate() {
        keys[t] = projection.to_i().shl::<4>() | s.i(t as i32);
        if MASKED {
            keys[t] = keys[t].or_if(block.out[t], s.i(i32::MAX - 16 + t as i32));
        }
    }
    let mut texels = block.packed;
    for (low, high) in SORT {
        let swap = keys[high].lt(keys[low]);
        let (key_low, key_high) = (keys[low], keys[high]);
        keys[low] = key_low.min(key_high);
        keys[high] = key_low.max(key_high);
        let (low_texel, high_texel) = (texels[low], texels[high]);
        texels[low] = low_texel.or_if(swap, high_texel);
        texels[high] = high_texel.or_if(swap, low_texel);
    }
    texels
}
