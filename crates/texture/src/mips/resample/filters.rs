//! Shapes of filters, computed by basic operations alone, which round alike on every machine.

use crate::MipFilter;
use std::f64::consts::PI;

/// Window parameter of the Kaiser filter.
const KAISER_ALPHA: f64 = 4.0;

/// Returns the distance from which the weights are 0.
pub(super) fn radius(filter: MipFilter) -> f64 {
    match filter {
        MipFilter::Box => 0.5,
        MipFilter::Triangle => 1.0,
        MipFilter::Mitchell | MipFilter::CatmullRom => 2.0,
        MipFilter::Kaiser | MipFilter::Lanczos3 => 3.0,
    }
}

/// Returns the weight at a distance of at most the radius from the centre, not normalised.
pub(super) fn weight(filter: MipFilter, distance: f64) -> f64 {
    let x = distance.abs();
    match filter {
        MipFilter::Box => 1.0,
        MipFilter::Triangle => 1.0 - x,
        MipFilter::Mitchell => cubic(x, 1.0 / 3.0, 1.0 / 3.0),
        MipFilter::CatmullRom => cubic(x, 0.0, 0.5),
        MipFilter::Lanczos3 => sinc(x) * sinc(x / 3.0),
        MipFilter::Kaiser => {
            let square = 1.0 - (x / 3.0) * (x / 3.0);
            sinc(x) * bessel_i0(KAISER_ALPHA * square.max(0.0).sqrt()) / bessel_i0(KAISER_ALPHA)
        }
    }
}

/// Returns the cubic spline of Mitchell and Netravali (1988).
fn cubic(x: f64, b: f64, c: f64) -> f64 {
    let sum = if x < 1.0 {
        ((12.0 - 9.0 * b - 6.0 * c) * x + (-18.0 + 12.0 * b + 6.0 * c)) * x * x + (6.0 - 2.0 * b)
    } else {
        (((-b - 6.0 * c) * x + (6.0 * b + 30.0 * c)) * x + (-12.0 * b - 48.0 * c)) * x + (8.0 * b + 24.0 * c)
    };
    sum / 6.0
}

/// Returns sin(πx) / (πx) for |x| ≤ 3.
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { sin_pi(x) / (PI * x) }
}

/// Returns sin(πx) by its series, after a reduction to |x| ≤ ½.
fn sin_pi(x: f64) -> f64 {
    let whole = x.round();
    let angle = PI * (x - whole);
    let square = angle * angle;
    let (mut term, mut sum) = (angle, 0.0);
    for k in 1..13 {
        sum += term;
        term = -term * square / f64::from((2 * k) * (2 * k + 1));
    }
    if whole as i64 % 2 == 0 { sum } else { -sum }
}

/// Returns the modified Bessel function of order 0 by its series, for 0 ≤ x ≤ 4.
fn bessel_i0(x: f64) -> f64 {
    let quarter = x * x / 4.0;
    let (mut term, mut sum) = (1.0, 0.0);
    for k in 1..30 {
        sum += term;
        term = term * quarter / f64::from(k * k);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_the_functions() {
        for i in -300..=300 {
            let x = f64::from(i) / 100.0;
            assert!((sin_pi(x) - (PI * x).sin()).abs() < 2e-15, "{x}");
        }
        // Abramowitz and Stegun, table 9.8: e^-x I0(x).
        for (x, scaled) in
            [(0.0, 1.0), (1.0, 0.465_759_607_7), (2.0, 0.308_508_322_5), (4.0, 0.207_001_921_2)]
        {
            assert!((bessel_i0(x) * f64::exp(-x) - scaled).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn cubic_splines_have_the_values_of_the_paper() {
        for (filter, values) in [
            (MipFilter::Mitchell, [16.0 / 18.0, 1.0 / 18.0, 0.0]),
            (MipFilter::CatmullRom, [1.0, 0.0, 0.0]),
            (MipFilter::Lanczos3, [1.0, 0.0, 0.0]),
            (MipFilter::Kaiser, [1.0, 0.0, 0.0]),
        ] {
            for (x, value) in [0.0, 1.0, 2.0].into_iter().zip(values) {
                assert!((weight(filter, x) - value).abs() < 1e-12, "{filter:?} {x}");
            }
        }
        assert!((weight(MipFilter::CatmullRom, 0.5) - 0.5625).abs() < 1e-12);
        assert!((weight(MipFilter::CatmullRom, 1.5) + 0.0625).abs() < 1e-12);
    }
}
