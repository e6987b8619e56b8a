//! Functions of numbers in lanes. Twin of `numbers.wgsl`.

use crate::simd::{Float, Int, Simd};

/// Returns 1/x for x ≥ 1, to about 16 bits: two steps of Newton's method from an estimate by the exponent.
#[inline(always)]
pub(crate) fn reciprocal<S: Simd>(s: S, x: S::F) -> S::F {
    let mut y = (s.i(0x7ef1_27ea) - x.bits()).float_of_bits();
    for _ in 0..2 {
        y = y * (s.f(2.0) - x * y);
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    #[test]
    fn reciprocals_are_close() {
        for x in (1..1 << 24).step_by(97) {
            let found = reciprocal(Scalar, x as f32);
            assert!((found * x as f32 - 1.0).abs() < 1.2e-5, "{x}: {found}");
        }
    }
}
