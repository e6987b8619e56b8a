//! Filters of ꟻLIP, all separable: contrast sensitivity by channel, and derivatives of a Gaussian.

use std::f32::consts::PI;

/// Texels per degree of the visual field: 0.7 m from a display of 0.7 m with 3840 texels.
const TEXELS_PER_DEGREE: f32 = 3840.0 * PI / 180.0;
/// Radius of the filters of contrast sensitivity: three standard deviations of the widest Gaussian.
pub(super) const CONTRAST_RADIUS: usize = 10;
/// Radius of the filters of edges and points: three standard deviations.
const FEATURE_RADIUS: usize = 9;
/// Width of an edge in degrees.
const FEATURE_DEGREES: f32 = 0.082;
/// Contrast sensitivity of Y, Cx and Cz: the amplitudes and widths (`a` and `b`) of one or two Gaussians.
const SENSITIVITY: [&[[f32; 2]]; 3] = [&[[1.0, 0.0047]], &[[1.0, 0.0053]], &[[34.1, 0.04], [13.5, 0.025]]];

/// Weights of a filter, from left to right.
pub(super) type Taps = Vec<f32>;

pub(super) struct Kernels {
    /// For each channel the Gaussians whose sum is the filter. Each is applied along x with the first weights
    /// and along y with the second.
    pub contrast: [Vec<[Taps; 2]>; 3],
    /// Gaussian with the sum 1, across features.
    pub smooth: Taps,
    /// First derivative: positive and negative weights have the sums 1 and -1.
    pub edge: Taps,
    /// Second derivative, with the same sums.
    pub point: Taps,
}

impl Kernels {
    pub fn new() -> Self {
        let contrast = SENSITIVITY.map(|gaussians| {
            let taps = |width: f32| -> Taps {
                let at = |i: i32| (-PI * PI * (i as f32 / TEXELS_PER_DEGREE).powi(2) / width).exp();
                (-(CONTRAST_RADIUS as i32)..=CONTRAST_RADIUS as i32).map(at).collect()
            };
            let amplitude = |[a, b]: [f32; 2]| a * (PI / b).sqrt();
            let sum = |taps: &Taps| taps.iter().sum::<f32>();
            let total: f32 = gaussians.iter().map(|g| amplitude(*g) * sum(&taps(g[1])).powi(2)).sum();
            let separated = gaussians.iter().map(|&gaussian| {
                let taps = taps(gaussian[1]);
                let scaled = taps.iter().map(|tap| tap * amplitude(gaussian) / total).collect();
                [scaled, taps]
            });
            separated.collect()
        });
        let deviation = 0.5 * FEATURE_DEGREES * TEXELS_PER_DEGREE;
        let positions = || (-(FEATURE_RADIUS as i32)..=FEATURE_RADIUS as i32).map(|i| i as f32);
        let bell = |x: f32| (-x * x / (2.0 * deviation * deviation)).exp();
        let smooth: Taps = positions().map(bell).collect();
        let total: f32 = smooth.iter().sum();
        Self {
            contrast,
            smooth: smooth.iter().map(|tap| tap / total).collect(),
            edge: balanced(positions().map(|x| -x * bell(x)).collect()),
            point: balanced(positions().map(|x| (x * x / (deviation * deviation) - 1.0) * bell(x)).collect()),
        }
    }
}

/// Scales positive weights to the sum 1, and negative ones to -1.
fn balanced(taps: Taps) -> Taps {
    let positive: f32 = taps.iter().filter(|tap| **tap > 0.0).sum();
    let negative: f32 = -taps.iter().filter(|tap| **tap < 0.0).sum::<f32>();
    taps.into_iter().map(|tap| if tap > 0.0 { tap / positive } else { tap / negative }).collect()
}
