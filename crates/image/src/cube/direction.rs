//! Directions of the texels of faces, and their positions in a panorama.
//!
//! Only the four basic operations and the square root are used, which round alike everywhere. The faces of a
//! panorama therefore have the same bytes on every machine.
//!
//! Source: *Vulkan specification*, section "Cube Map Face Selection and Transformations"; the arc tangent is
//! 4.4.49 of Abramowitz & Stegun, *Handbook of Mathematical Functions* (error ≤ 2·10⁻⁸).

use std::f64::consts::{FRAC_PI_2, PI};

/// Returns the direction x, y, z of the point `s`, `t` on a face. Both are −1 to 1, to the right and down.
pub(super) fn direction(face: usize, s: f64, t: f64) -> [f64; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// Returns the position of a direction in a panorama: 0 to 1 from left to right, and from top to bottom.
pub(super) fn position([x, y, z]: [f64; 3]) -> [f64; 2] {
    let longitude = angle(x, z);
    let latitude = angle(y, (x * x + z * z).sqrt());
    [0.5 + longitude / (2.0 * PI), 0.5 - latitude / PI]
}

/// Returns the angle of the point (`cos`, `sin`) at any distance from the origin, −π to π.
fn angle(sin: f64, cos: f64) -> f64 {
    let (a, b) = (sin.abs(), cos.abs());
    let acute =
        if a <= b { arc_tangent(if b > 0.0 { a / b } else { 0.0 }) } else { FRAC_PI_2 - arc_tangent(b / a) };
    let turned = if cos < 0.0 { PI - acute } else { acute };
    if sin < 0.0 { -turned } else { turned }
}

/// Returns the arc tangent of a number from 0 to 1.
fn arc_tangent(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        0.002_866_225_7,
        -0.016_165_736_7,
        0.042_909_613_8,
        -0.075_289_640_0,
        0.106_562_639_3,
        -0.142_088_994_4,
        0.199_935_508_5,
        -0.333_331_452_8,
    ];
    let square = x * x;
    let sum = COEFFICIENTS.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * square);
    x * (1.0 + sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_arc_tangent() {
        for i in -1000..=1000 {
            let exact = f64::from(i) * PI / 1000.0;
            let (sin, cos) = exact.sin_cos();
            let found = angle(sin * 3.0, cos * 3.0);
            let difference = (found - exact).abs();
            assert!(difference < 3e-8 || (difference - 2.0 * PI).abs() < 3e-8, "{i}: {found} {exact}");
        }
        assert_eq!(angle(0.0, 0.0), 0.0);
    }

    /// The edges of neighbouring faces have the same directions.
    #[test]
    fn faces_meet_at_their_edges() {
        // Face and edge, neighbour and edge; the second runs the other way if `true`.
        let edge = |face, edge, along: f64| match edge {
            'l' => direction(face, -1.0, along),
            'r' => direction(face, 1.0, along),
            't' => direction(face, along, -1.0),
            _ => direction(face, along, 1.0),
        };
        for (a, b, is_reversed) in [
            ((4, 'r'), (0, 'l'), false),
            ((4, 'l'), (1, 'r'), false),
            ((4, 't'), (2, 'b'), false),
            ((4, 'b'), (3, 't'), false),
            ((5, 'l'), (0, 'r'), false),
            ((5, 'r'), (1, 'l'), false),
            ((5, 't'), (2, 't'), true),
            ((5, 'b'), (3, 'b'), true),
            ((0, 't'), (2, 'r'), true),
            ((0, 'b'), (3, 'r'), false),
            ((1, 't'), (2, 'l'), false),
            ((1, 'b'), (3, 'l'), true),
        ] {
            for along in [-1.0, -0.5, 0.25, 1.0] {
                let other = if is_reversed { -along } else { along };
                assert_eq!(edge(a.0, a.1, along), edge(b.0, b.1, other), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn axes_have_their_positions() {
        let near = |axis: [f64; 3], expected: [f64; 2]| {
            let found = position(axis);
            let distance = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
            assert!(distance < 1e-7, "{axis:?}: {found:?}");
        };
        near([0.0, 0.0, 1.0], [0.5, 0.5]);
        near([1.0, 0.0, 0.0], [0.75, 0.5]);
        near([-1.0, 0.0, 0.0], [0.25, 0.5]);
        near([0.0, 0.0, -1.0], [1.0, 0.5]);
        near([0.0, 1.0, 0.0], [0.5, 0.0]);
        near([0.0, -1.0, 0.0], [0.5, 1.0]);
    }
}
