//! Structural similarity (Wang et al. 2004).

use super::{
    bands::{Rows, map_bands},
    psnr::luma_65536ths,
};
use crate::{Cancelled, Image};

/// Texels on either side of the centre of an SSIM window.
const RADIUS: usize = 5;
/// Side of an SSIM window in texels.
const WINDOW: usize = 2 * RADIUS + 1;
/// `exp(−i² / (2·1.5²))` for the distance i from the centre, divided by the sum over the window. Literals,
/// because `exp` may round differently on another machine; a test checks them.
const GAUSSIAN: [f64; RADIUS + 1] = [
    0.2660117248617943,
    0.21300553771125366,
    0.1093606895097,
    0.03600077212843082,
    0.007598758135239184,
    0.0010283800844791099,
];

/// Gaussian-filtered values of a row: the luma of both images, the sum of their squares, and their product.
type Moments = [Vec<f64>; 4];

/// Returns the mean SSIM, or `None` if no window fits.
///
/// The plain algorithm computes Gaussian-weighted means µ, variances σ² and the covariance of the two lumas
/// for every window, then `(2µₐµᵦ + C₁)(2σₐᵦ + C₂) / ((µₐ² + µᵦ² + C₁)(σₐ² + σᵦ² + C₂))`. The result is the
/// mean over all windows. Departures:
/// 1. The Gaussian is separable. Rows are filtered once and kept in a ring of 11; the columns of the ring are
///    then filtered.
/// 2. Only the sum of the variances is needed, so four quantities are filtered, not five.
/// 3. Bands of rows are independent. The sum of each row is kept, and all sums are added from top to bottom.
pub(super) fn ssim(a: &dyn Image, b: &dyn Image, counted: &Rows<'_>) -> Result<Option<f64>, Cancelled> {
    let width = a.size()[0] as usize;
    let (columns, rows) = (width.saturating_sub(WINDOW - 1), window_rows(a));
    if rows == 0 {
        return Ok(None);
    }
    let row_sums = map_bands(counted.task(), rows, |band| {
        let mut ring: [Moments; WINDOW] =
            std::array::from_fn(|_| std::array::from_fn(|_| vec![0.0; columns]));
        let mut scratch: Moments = std::array::from_fn(|_| vec![0.0; columns + WINDOW - 1]);
        let mut buffers = [vec![[0; 4]; width], vec![[0; 4]; width]];
        let mut filter = |y: usize, ring: &mut [Moments; WINDOW]| {
            let [buffer_a, buffer_b] = &mut buffers;
            let (a, b) = (a.row_rgba8(y as u32, buffer_a), b.row_rgba8(y as u32, buffer_b));
            filter_row(a, b, &mut scratch, &mut ring[y % WINDOW]);
        };
        for y in band.start..band.start + WINDOW - 1 {
            filter(y, &mut ring);
        }
        band.map(|y| {
            counted.step()?;
            filter(y + WINDOW - 1, &mut ring);
            Ok(ssim_row(std::array::from_fn(|i| &ring[(y + i) % WINDOW]), columns))
        })
        .collect::<Result<Vec<f64>, Cancelled>>()
    })?;
    let sum = row_sums.iter().flatten().fold(0.0, |sum, row| sum + row);
    Ok(Some(sum / (columns as f64 * rows as f64)))
}

/// Returns the number of rows of windows in an image: 0 if no window fits.
pub(super) fn window_rows(image: &dyn Image) -> usize {
    let [width, height] = image.size().map(|side| (side as usize).saturating_sub(WINDOW - 1));
    if width == 0 { 0 } else { height }
}

fn filter_row(a: &[[u8; 4]], b: &[[u8; 4]], scratch: &mut Moments, filtered: &mut Moments) {
    let [luma_a, luma_b, squares, products] = scratch;
    for (x, (&a, &b)) in a.iter().zip(b).enumerate() {
        // These are exact: 24 bits, and 49 for the products.
        let (a, b) = (f64::from(luma_65536ths(a)) / 65536.0, f64::from(luma_65536ths(b)) / 65536.0);
        (luma_a[x], luma_b[x], squares[x], products[x]) = (a, b, a * a + b * b, a * b);
    }
    for (source, target) in scratch.iter().zip(filtered) {
        let shifted: [&[f64]; WINDOW] = std::array::from_fn(|i| &source[i..i + target.len()]);
        weighted_sum(shifted, target);
    }
}

fn ssim_row(rows: [&Moments; WINDOW], columns: usize) -> f64 {
    const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
    const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);
    /// Windows computed at a time, on the stack.
    const CHUNK: usize = 64;
    let mut sum = 0.0;
    for start in (0..columns).step_by(CHUNK) {
        let count = (columns - start).min(CHUNK);
        let mut moments = [[0.0; CHUNK]; 4];
        for (moment, values) in moments.iter_mut().enumerate() {
            weighted_sum(rows.map(|row| &row[moment][start..start + count]), &mut values[..count]);
        }
        let [mean_a, mean_b, squares, products] = &moments;
        for x in 0..count {
            let (mean_a, mean_b) = (mean_a[x], mean_b[x]);
            let mean_squares = mean_a * mean_a + mean_b * mean_b;
            let mean_product = mean_a * mean_b;
            sum += ((2.0 * mean_product + C1) * (2.0 * (products[x] - mean_product) + C2))
                / ((mean_squares + C1) * (squares[x] - mean_squares + C2));
        }
    }
    sum
}

/// Sets `target[x] = Σ gaussian(i − 5) · sources[i][x]`, always added in the same order.
#[inline]
fn weighted_sum(sources: [&[f64]; WINDOW], target: &mut [f64]) {
    let sources = sources.map(|source| &source[..target.len()]);
    for (x, target) in target.iter_mut().enumerate() {
        let mut sum = GAUSSIAN[0] * sources[RADIUS][x];
        for i in 1..=RADIUS {
            sum += GAUSSIAN[i] * (sources[RADIUS - i][x] + sources[RADIUS + i][x]);
        }
        *target = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{
        compare::tests::{compare, original, posterised, view},
        psnr::LUMA_WEIGHTS,
    };

    /// Returns SSIM directly from the definition: no separability, variances from the deviations themselves.
    fn naive_ssim(a: &[[u8; 3]], b: &[[u8; 3]], width: usize, height: usize) -> f64 {
        let luma = |t: [u8; 3]| {
            (13933.0 * f64::from(t[0]) + 46871.0 * f64::from(t[1]) + 4732.0 * f64::from(t[2])) / 65536.0
        };
        let weight = |i: usize| (-(i as f64 - 5.0).powi(2) / 4.5).exp();
        let total = (0..11).map(weight).sum::<f64>().powi(2);
        let (mut sum, mut count) = (0.0, 0.0);
        for y in 0..=height - 11 {
            for x in 0..=width - 11 {
                let window = || {
                    (0..121).map(|k| {
                        let at = (y + k / 11) * width + x + k % 11;
                        (weight(k / 11) * weight(k % 11) / total, luma(a[at]), luma(b[at]))
                    })
                };
                let mean_a: f64 = window().map(|(w, a, _)| w * a).sum();
                let mean_b: f64 = window().map(|(w, _, b)| w * b).sum();
                let variance_a: f64 = window().map(|(w, a, _)| w * (a - mean_a).powi(2)).sum();
                let variance_b: f64 = window().map(|(w, _, b)| w * (b - mean_b).powi(2)).sum();
                let covariance: f64 = window().map(|(w, a, b)| w * (a - mean_a) * (b - mean_b)).sum();
                let (c1, c2) = (2.55f64.powi(2), 7.65f64.powi(2));
                sum += (2.0 * mean_a * mean_b + c1) * (2.0 * covariance + c2)
                    / ((mean_a.powi(2) + mean_b.powi(2) + c1) * (variance_a + variance_b + c2));
                count += 1.0;
            }
        }
        sum / count
    }

    #[test]
    fn gaussian_is_the_normalised_bell() {
        let weight = |i: i32| (-f64::from(i * i) / 4.5).exp();
        let total: f64 = (-5..=5).map(weight).sum();
        for (i, literal) in GAUSSIAN.iter().enumerate() {
            assert!((literal - weight(i as i32) / total).abs() < 1e-15, "{i}");
        }
        assert_eq!(LUMA_WEIGHTS.iter().sum::<u32>(), 65536);
    }

    #[test]
    fn ssim_is_the_naive_one() {
        // Up to 75 rows of windows, so that two bands meet.
        for (width, height) in [(11, 11), (12, 11), (11, 40), (37, 29), (80, 85)] {
            let a = original(width, height);
            let b = posterised(&a);
            let ssim = compare(&view(&a, width, height), &view(&b, width, height)).unwrap().ssim.unwrap();
            let naive = naive_ssim(&a, &b, width as usize, height as usize);
            assert!((ssim - naive).abs() < 1e-9, "{width}×{height}: {ssim} {naive}");
        }
    }

    #[test]
    fn ssim_is_that_of_scikit_image() {
        // scikit-image 0.26.0: structural_similarity(a, b, gaussian_weights=True, sigma=1.5,
        // use_sample_covariance=False, data_range=255) on the float luma of these two images.
        let a = original(97, 83);
        let b = posterised(&a);
        let ssim = compare(&view(&a, 97, 83), &view(&b, 97, 83)).unwrap().ssim.unwrap();
        assert!((ssim - 0.8550450199516066).abs() < 1e-9, "{ssim}");
    }
}
