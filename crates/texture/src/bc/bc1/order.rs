//! The texels of a block in the order of their projection on the principal axis.
//!
//! Everything is an integer: channel values less their mean, scaled by a power of two to at most 96 (a
//! *normalized* value), their covariance scaled to 11 bits, and the axis in 11 bits. Texels that project alike
//! keep their order by index.

use super::lanes::{Block, CENTER};
use crate::simd::{Float, Int, Simd, each};

/// The greatest normalized value. Three channels' squared sums of sixteen, weighted up to 3, stay below 2²⁴.
pub(crate) const NORMAL: f32 = 96.0;

/// Comparators of Batcher's odd-even merge sort of 16.
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

/// A direction in colour space, integers of at most 11 bits.
#[derive(Clone, Copy)]
pub(crate) struct Axis<S: Simd>(pub [S::F; 3]);

impl<S: Simd> Axis<S> {
    /// The projection of a colour, times the axis' length.
    #[inline(always)]
    pub fn dot(&self, x: [S::F; 3]) -> S::F {
        x[0].mul_add(self.0[0], x[1].mul_add(self.0[1], x[2] * self.0[2]))
    }
}

/// How channel values become normalized ones: (count·x − sum)·scale, rounded.
#[derive(Clone, Copy)]
pub(crate) struct Normalizer<S: Simd> {
    count: S::F,
    sum: [S::F; 3],
    scale: [S::F; 3],
}

/// 2^(`bits` − exponent of `value`), so that `value` times it lies in 2^`bits`..2^(`bits` + 1). `value` ≥ 1.
#[inline(always)]
fn power_scale<S: Simd>(s: S, value: S::F, bits: i32) -> S::F {
    let exponent = value.bits().shr::<23>();
    (s.i(254 + bits) - exponent).shl::<23>().float_of_bits()
}

impl<S: Simd> Normalizer<S> {
    /// For the channels of `block`, each stretched by `stretch` (0 to 1, the square root of its weight).
    #[inline(always)]
    pub fn new<const MASKED: bool>(s: S, block: &Block<S, MASKED>, stretch: [f32; 3]) -> Self {
        let count = if MASKED { block.count } else { s.f(16.0) };
        let mut greatest = s.f(1.0);
        for c in 0..3 {
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
        let scale = power_scale(s, greatest, 0) * s.f(NORMAL / 2.0);
        Self { count, sum: block.sum, scale: each!(c in 3 => scale * s.f(stretch[c])) }
    }

    /// The normalized values of centred ones, `x[channel][texel]`; those left out of a block become 0.
    #[inline(always)]
    pub fn values<const MASKED: bool>(&self, s: S, block: &Block<S, MASKED>) -> [[S::F; 16]; 3] {
        let x = &block.x;
        let minus_sum = each!(c in 3 => s.f(0.0) - self.sum[c]);
        let mut y = each!(c in 3 => each!(t in 16 => (x[c][t].mul_add(self.count, minus_sum[c]) * self.scale[c]).round()));
        if MASKED {
            for y in &mut y {
                for (y, &out) in y.iter_mut().zip(&block.out) {
                    *y = y.or_if(out, s.f(0.0));
                }
            }
        }
        y
    }
}

/// The principal axis of the normalized values `y[channel][texel]`, by so many steps of the power method.
#[inline(always)]
pub(crate) fn principal_axis<S: Simd>(s: S, y: &[[S::F; 16]; 3], steps: usize) -> Axis<S> {
    let zero = s.f(0.0);
    let (mut rr, mut gg, mut bb, mut rg, mut rb, mut gb) = (zero, zero, zero, zero, zero, zero);
    for t in 0..16 {
        let (r, g, b) = (y[0][t], y[1][t], y[2][t]);
        rr = r.mul_add(r, rr);
        gg = g.mul_add(g, gg);
        bb = b.mul_add(b, bb);
        rg = r.mul_add(g, rg);
        rb = r.mul_add(b, rb);
        gb = g.mul_add(b, gb);
    }
    let greatest = rr.max(gg).max(bb);
    let scale = power_scale(s, greatest.max(s.f(1.0)), 10);
    for value in [&mut rr, &mut gg, &mut bb, &mut rg, &mut rb, &mut gb] {
        *value = (*value * scale).round();
    }
    // Start from the column of the greatest variance: it is never orthogonal to the axis.
    let second = rr.lt(gg);
    let third = rr.max(gg).lt(bb);
    let mut v = [
        rr.or_if(second, rg).or_if(third, rb),
        rg.or_if(second, gg).or_if(third, gb),
        rb.or_if(second, gb).or_if(third, bb),
    ];
    for _ in 0..steps {
        let next = [
            v[0].mul_add(rr, v[1].mul_add(rg, v[2] * rb)),
            v[0].mul_add(rg, v[1].mul_add(gg, v[2] * gb)),
            v[0].mul_add(rb, v[1].mul_add(gb, v[2] * bb)),
        ];
        v = shorten(s, next);
    }
    Axis(v)
}

/// Scales a vector so that its greatest component has 11 bits.
#[inline(always)]
pub(crate) fn shorten<S: Simd>(s: S, v: [S::F; 3]) -> [S::F; 3] {
    let mut greatest = s.f(1.0);
    for value in v {
        greatest = greatest.max(value).max(s.f(0.0) - value);
    }
    let scale = power_scale(s, greatest, 10);
    each!(c in 3 => (v[c] * scale).round())
}

/// The texels of `block` in the order of their projection on `axis`, those left out last; `y` are their
/// normalized values.
#[inline(always)]
pub(crate) fn sorted<S: Simd, const MASKED: bool>(
    s: S,
    block: &Block<S, MASKED>,
    y: &[[S::F; 16]; 3],
    axis: &Axis<S>,
) -> Block<S, MASKED> {
    let mut keys = [s.i(0); 16];
    for (t, key) in keys.iter_mut().enumerate() {
        let projection = axis.dot([y[0][t], y[1][t], y[2][t]]);
        *key = projection.to_i().shl::<4>() | s.i(t as i32);
        if MASKED {
            *key = key.or_if(block.out[t], s.i(i32::MAX - 16 + t as i32));
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
    Block::new(s, texels)
}
