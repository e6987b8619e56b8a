//! Axes other than the principal one, for blocks whose colours are far from a line: the second principal
//! axis, and the two axes half way between it and the first.
//!
//! As in `order.rs`, all numbers are integers. Vectors have 11 bits, so products and their differences are
//! below 2²⁴.

use crate::{
    bc::order::{self, Axis},
    simd::{Float, Simd, each},
};

/// Number of other axes.
pub(crate) const OTHER_AXES: usize = 3;

/// Steps of the power method.
pub(crate) const STEPS: usize = 4;

/// Returns the other axes of the normalized values `y[channel][texel]`, whose principal axis is `first`. If
/// the values are on a line, the second axis has no direction, and the others equal the first.
#[inline(always)]
pub(super) fn other_axes<S: Simd>(s: S, y: &[[S::F; 16]; 3], first: &Axis<S, 3>) -> [Axis<S, 3>; OTHER_AXES] {
    let matrix = order::covariance(s, y);
    let v = first.0;
    // Start from the column that is farthest from the principal axis.
    let mut normal = cross::<S>(matrix[0], v);
    for column in &matrix[1..] {
        let other = cross::<S>(*column, v);
        let is_farther = greatest(s, normal).lt(greatest(s, other));
        normal = each!(c in 3 => normal[c].or_if(is_farther, other[c]));
    }
    let mut second = across(s, v, normal);
    for _ in 0..STEPS {
        second = across(s, v, cross::<S>(order::next_axis(s, &matrix, second), v));
    }
    [
        Axis(second),
        Axis(order::shorten(s, each!(c in 3 => v[c] + second[c]))),
        Axis(order::shorten(s, each!(c in 3 => v[c] - second[c]))),
    ]
}

/// Returns a vector orthogonal to both vectors.
#[inline(always)]
fn across<S: Simd>(s: S, v: [S::F; 3], normal: [S::F; 3]) -> [S::F; 3] {
    order::shorten(s, cross::<S>(v, order::shorten(s, normal)))
}

#[inline(always)]
fn cross<S: Simd>(a: [S::F; 3], b: [S::F; 3]) -> [S::F; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the largest component by absolute value.
#[inline(always)]
fn greatest<S: Simd>(s: S, v: [S::F; 3]) -> S::F {
    let mut greatest = s.f(0.0);
    for value in v {
        greatest = greatest.max(value).max(s.f(0.0) - value);
    }
    greatest
}
