//! How far an image is from its original: mean square error, PSNR, SSIM.
//!
//! Everything is measured on 8-bit values ([`Texel::to_rgba8`]). Squared errors are summed in integers and
//! SSIM is summed row by row in a fixed order, so that the result is the same for any number of threads.

use crate::{BlockFormat, DecodeError, Decoder, ImageView, Texel, decode_into};
use std::ops::Range;

/// The luma weights of BT.709 (0.2126, 0.7152, 0.0722) in 65536ths, applied to the stored values without
/// taking a transfer function off.
const LUMA_WEIGHTS: [u32; 3] = [13933, 46871, 4732];

/// Peak signal-to-noise ratio in dB of a mean square error on the 0..=255 scale: `10·log₁₀(255² / mse)`.
/// Infinity for an error of 0.
///
/// ```
/// use brickwork_texture::metrics::psnr;
///
/// assert_eq!(psnr(255.0 * 255.0), 0.0);
/// assert_eq!(psnr(0.0), f64::INFINITY);
/// ```
pub fn psnr(mse: f64) -> f64 {
    if mse == 0.0 { f64::INFINITY } else { 10.0 * (255.0 * 255.0 / mse).log10() }
}

/// How far two images of one size are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// Texels compared.
    pub texel_count: u64,
    /// Mean squared error of red, green, blue and alpha on the 0..=255 scale. Grey counts as three equal
    /// channels, a missing alpha as 255.
    pub mse: [f64; 4],
    /// Mean squared error of the BT.709 luma `0.2126·R + 0.7152·G + 0.0722·B` of the stored values on the
    /// 0..=255 scale; the luma is not rounded to 8 bits.
    pub mse_luma: f64,
    /// Greatest absolute error of red, green, blue and alpha.
    pub max_error: [u8; 4],
    /// Mean structural similarity, 1 for equal images; nothing where a side has fewer than 11 texels, or the
    /// images were compared by [`compare_blocks`] or [`compare_visible_blocks`].
    ///
    /// As in Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, "Image quality assessment: from error visibility to
    /// structural similarity" (2004): on luma (as in [`mse_luma`](Self::mse_luma)), with Gaussian windows of
    /// 11×11 texels and σ = 1.5, K₁ = 0.01, K₂ = 0.03, L = 255, averaged over the windows that lie wholly in
    /// the image.
    pub ssim: Option<f64>,
}

impl Metrics {
    /// Mean squared error of red, green and blue together.
    pub fn mse_rgb(&self) -> f64 {
        (self.mse[0] + self.mse[1] + self.mse[2]) / 3.0
    }

    /// Mean squared error of all four channels together.
    pub fn mse_rgba(&self) -> f64 {
        (self.mse[0] + self.mse[1] + self.mse[2] + self.mse[3]) / 4.0
    }

    /// [`psnr`] of [`mse_rgb`](Self::mse_rgb) in dB.
    pub fn psnr_rgb(&self) -> f64 {
        psnr(self.mse_rgb())
    }

    /// [`psnr`] of [`mse_rgba`](Self::mse_rgba) in dB.
    pub fn psnr_rgba(&self) -> f64 {
        psnr(self.mse_rgba())
    }

    /// [`psnr`] of the luma in dB.
    pub fn psnr_luma(&self) -> f64 {
        psnr(self.mse_luma)
    }

    /// [`psnr`] of one channel in dB: 0 is red, 3 is alpha.
    ///
    /// # Panics
    /// If `channel` is above 3.
    pub fn psnr_channel(&self, channel: usize) -> f64 {
        psnr(self.mse[channel])
    }
}

/// Why two images were not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricsError {
    /// The images differ in size.
    #[error("the images differ in size: {}×{} and {}×{}", a[0], a[1], b[0], b[1])]
    Size {
        /// Width and height of the first in texels.
        a: [u32; 2],
        /// Width and height of the second in texels.
        b: [u32; 2],
    },
    /// The blocks cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// Compares two images of one size, SSIM included.
///
/// Holds a few rows of each at a time, whatever the size of the images.
///
/// ```
/// use brickwork_texture::{ImageView, metrics::compare};
///
/// let (a, b) = ([[10u8, 20, 30]; 4], [[10u8, 22, 30]; 4]);
/// let metrics = compare(&ImageView::new(&a, 2, 2)?, &ImageView::new(&b, 2, 2)?)?;
/// assert_eq!(metrics.mse, [0.0, 4.0, 0.0, 0.0]);
/// assert_eq!(metrics.ssim, None); // smaller than one window
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MetricsError::Size`].
pub fn compare<A: Texel, B: Texel>(
    a: &ImageView<'_, A>,
    b: &ImageView<'_, B>,
) -> Result<Metrics, MetricsError> {
    check_sizes(a, b)?;
    let height = a.height() as usize;
    let squares = map_bands(height, |rows| {
        let mut sum = SquareSums::default();
        for y in rows {
            sum.add_row(a.row(y as u32), b.row(y as u32), &|_| true);
        }
        sum
    })
    .into_iter()
    .fold(SquareSums::default(), SquareSums::merge);
    Ok(squares.metrics(ssim(a, b)))
}

/// Compares an image with its blocks as `decoder` decodes them; without SSIM.
///
/// Decodes one row of blocks at a time (one a thread), so that no decoded copy of the image is ever held.
///
/// # Errors
/// [`MetricsError::Decode`] if `blocks` has another length than the image needs or the format has no decoder.
pub fn compare_blocks<T: Texel>(
    image: &ImageView<'_, T>,
    format: BlockFormat,
    blocks: &[u8],
    decoder: Decoder,
) -> Result<Metrics, MetricsError> {
    compare_blocks_where(image, format, blocks, decoder, |_| true)
}

/// As [`compare_blocks`], but only over the texels of `image` whose alpha is at least `least_alpha`: what
/// punch-through alpha makes transparent has no colour to compare. With no such texel every error is NaN and the
/// count 0.
///
/// # Errors
/// As [`compare_blocks`].
pub fn compare_visible_blocks<T: Texel>(
    image: &ImageView<'_, T>,
    format: BlockFormat,
    blocks: &[u8],
    decoder: Decoder,
    least_alpha: u8,
) -> Result<Metrics, MetricsError> {
    compare_blocks_where(image, format, blocks, decoder, |texel| texel[3] >= least_alpha)
}

fn compare_blocks_where<T: Texel>(
    image: &ImageView<'_, T>,
    format: BlockFormat,
    blocks: &[u8],
    decoder: Decoder,
    counts: impl Fn([u8; 4]) -> bool + Sync,
) -> Result<Metrics, MetricsError> {
    let (width, height) = (image.width(), image.height());
    let needed = format.image_bytes(width, height);
    if needed != blocks.len() as u64 {
        return Err(DecodeError::BlocksLength { needed, given: blocks.len() }.into());
    }
    let row_bytes = image.block_columns() as usize * format.block_bytes();
    let band = |rows: Range<usize>| -> Result<SquareSums, DecodeError> {
        let mut sum = SquareSums::default();
        let mut decoded = vec![[0u8; 4]; width as usize * 4];
        for row in rows {
            let first = row as u32 * 4;
            let row_count = (height - first).min(4);
            let texels = &mut decoded[..width as usize * row_count as usize];
            let blocks = &blocks[row * row_bytes..(row + 1) * row_bytes];
            decode_into(format, blocks, width, row_count, decoder, texels)?;
            for (y, texels) in texels.chunks_exact(width as usize).enumerate() {
                sum.add_row(image.row(first + y as u32), texels, &counts);
            }
        }
        Ok(sum)
    };
    let mut squares = SquareSums::default();
    for sum in map_bands(image.block_rows() as usize, band) {
        squares = squares.merge(sum?);
    }
    Ok(squares.metrics(None))
}

/// A picture of the error: `|a − b| · scale` of red, green and blue, row by row without gaps, each at most 255.
///
/// # Errors
/// [`MetricsError::Size`].
pub fn difference<A: Texel, B: Texel>(
    a: &ImageView<'_, A>,
    b: &ImageView<'_, B>,
    scale: u32,
) -> Result<Vec<[u8; 3]>, MetricsError> {
    check_sizes(a, b)?;
    let mut picture = Vec::with_capacity(a.width() as usize * a.height() as usize);
    for y in 0..a.height() {
        picture.extend(a.row(y).iter().zip(b.row(y)).map(|(a, b)| {
            let (a, b) = (a.to_rgba8(), b.to_rgba8());
            std::array::from_fn(|c| u32::from(a[c].abs_diff(b[c])).saturating_mul(scale).min(255) as u8)
        }));
    }
    Ok(picture)
}

fn check_sizes<A: Texel, B: Texel>(a: &ImageView<'_, A>, b: &ImageView<'_, B>) -> Result<(), MetricsError> {
    let (a, b) = ([a.width(), a.height()], [b.width(), b.height()]);
    if a == b { Ok(()) } else { Err(MetricsError::Size { a, b }) }
}

/// Rows that one task works on: enough that the ten rows that SSIM's bands share cost little, few enough that
/// a small image still keeps several threads busy.
const BAND_ROWS: usize = 64;

/// The results of `band` for all bands of [`BAND_ROWS`] rows, in order.
fn map_bands<R: Send>(row_count: usize, band: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let rows = |index: usize| index * BAND_ROWS..((index + 1) * BAND_ROWS).min(row_count);
    let bands = 0..row_count.div_ceil(BAND_ROWS);
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        bands.into_par_iter().map(|index| band(rows(index))).collect()
    }
    #[cfg(not(feature = "rayon"))]
    bands.map(|index| band(rows(index))).collect()
}

/// Sums of squared errors. Integers: their order does not matter.
#[derive(Clone, Copy, Default)]
struct SquareSums {
    texel_count: u64,
    channels: [u64; 4],
    /// In 65536ths squared.
    luma: u128,
    max_error: [u8; 4],
}

impl SquareSums {
    /// Adds the texels of a row of which `counts` holds in `a`.
    fn add_row<A: Texel, B: Texel>(&mut self, a: &[A], b: &[B], counts: &impl Fn([u8; 4]) -> bool) {
        // 2¹⁴ squares of luma errors, each below 2⁴⁸, fit u64; u128 in the inner loop would be slow.
        for (a, b) in a.chunks(1 << 14).zip(b.chunks(1 << 14)) {
            let mut luma = 0u64;
            for (a, b) in a.iter().zip(b) {
                let (a, b) = (a.to_rgba8(), b.to_rgba8());
                if !counts(a) {
                    continue;
                }
                self.texel_count += 1;
                for c in 0..4 {
                    let error = a[c].abs_diff(b[c]);
                    self.channels[c] += u64::from(error) * u64::from(error);
                    self.max_error[c] = self.max_error[c].max(error);
                }
                let error = u64::from(luma_65536ths(a).abs_diff(luma_65536ths(b)));
                luma += error * error;
            }
            self.luma += u128::from(luma);
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            texel_count: self.texel_count + other.texel_count,
            channels: std::array::from_fn(|c| self.channels[c] + other.channels[c]),
            luma: self.luma + other.luma,
            max_error: std::array::from_fn(|c| self.max_error[c].max(other.max_error[c])),
        }
    }

    fn metrics(&self, ssim: Option<f64>) -> Metrics {
        let count = self.texel_count as f64;
        Metrics {
            texel_count: self.texel_count,
            mse: self.channels.map(|sum| sum as f64 / count),
            mse_luma: self.luma as f64 / (65536.0 * 65536.0) / count,
            max_error: self.max_error,
            ssim,
        }
    }
}

fn luma_65536ths(rgba: [u8; 4]) -> u32 {
    (0..3).map(|c| LUMA_WEIGHTS[c] * u32::from(rgba[c])).sum()
}

/// Texels on either side of the centre of an SSIM window.
const RADIUS: usize = 5;
/// Side of an SSIM window in texels.
const WINDOW: usize = 2 * RADIUS + 1;
/// `exp(−i² / (2·1.5²))` for the distance i from the centre, divided by the sum over the window. Literals
/// because `exp` may round differently on another machine; a test compares them.
const GAUSSIAN: [f64; RADIUS + 1] = [
    0.2660117248617943,
    0.21300553771125366,
    0.1093606895097,
    0.03600077212843082,
    0.007598758135239184,
    0.0010283800844791099,
];

/// A row's Gaussian-filtered luma of both images, sum of their squares, and product.
type Moments = [Vec<f64>; 4];

/// Mean SSIM, or nothing if no window fits.
///
/// The plain algorithm: for every window, Gaussian-weighted means µ, variances σ² and the covariance of the two
/// lumas, then `(2µₐµᵦ + C₁)(2σₐᵦ + C₂) / ((µₐ² + µᵦ² + C₁)(σₐ² + σᵦ² + C₂))`; the mean over all windows.
/// Departures:
/// 1. The Gaussian is separable: rows are filtered once and kept in a ring of 11, columns are filtered from it.
/// 2. Only the sum of the variances is needed, so four quantities are filtered, not five.
/// 3. Bands of rows are independent; each row's sum is kept and all are added top to bottom.
fn ssim<A: Texel, B: Texel>(a: &ImageView<'_, A>, b: &ImageView<'_, B>) -> Option<f64> {
    let columns = (a.width() as usize).checked_sub(WINDOW - 1).filter(|&columns| columns > 0)?;
    let rows = (a.height() as usize).checked_sub(WINDOW - 1).filter(|&rows| rows > 0)?;
    let row_sums = map_bands(rows, |band| {
        let mut ring: [Moments; WINDOW] =
            std::array::from_fn(|_| std::array::from_fn(|_| vec![0.0; columns]));
        let mut scratch: Moments = std::array::from_fn(|_| vec![0.0; columns + WINDOW - 1]);
        for y in band.start..band.start + WINDOW - 1 {
            filter_row(a.row(y as u32), b.row(y as u32), &mut scratch, &mut ring[y % WINDOW]);
        }
        band.map(|y| {
            let last = y + WINDOW - 1;
            filter_row(a.row(last as u32), b.row(last as u32), &mut scratch, &mut ring[last % WINDOW]);
            ssim_row(std::array::from_fn(|i| &ring[(y + i) % WINDOW]), columns)
        })
        .collect::<Vec<f64>>()
    });
    let sum = row_sums.iter().flatten().fold(0.0, |sum, row| sum + row);
    Some(sum / (columns as f64 * rows as f64))
}

fn filter_row<A: Texel, B: Texel>(a: &[A], b: &[B], scratch: &mut Moments, filtered: &mut Moments) {
    let [luma_a, luma_b, squares, products] = scratch;
    for (x, (a, b)) in a.iter().zip(b).enumerate() {
        // Exact: 24 bits, and 49 for the products.
        let a = f64::from(luma_65536ths(a.to_rgba8())) / 65536.0;
        let b = f64::from(luma_65536ths(b.to_rgba8())) / 65536.0;
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
    /// Windows worked on at a time, on the stack.
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

/// `target[x] = Σ gaussian(i − 5) · sources[i][x]`, always added in the same order.
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
    use crate::{CpuEncoder, EncodeOptions, Encoder};

    /// A smooth image with noise, from integers only so that Python makes the same one.
    fn original(width: u32, height: u32) -> Vec<[u8; 3]> {
        (0..height)
            .flat_map(|y| {
                (0..width).map(move |x| {
                    let noise = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 27;
                    [(x * 5 + y) % 256, (y * 4 + noise) % 256, (x * y + 2 * noise) % 256].map(|v| v as u8)
                })
            })
            .collect()
    }

    fn posterised(texels: &[[u8; 3]]) -> Vec<[u8; 3]> {
        texels.iter().map(|texel| texel.map(|v| v & 0xe0)).collect()
    }

    fn view<T: Texel>(texels: &[T], width: u32, height: u32) -> ImageView<'_, T> {
        ImageView::new(texels, width, height).unwrap()
    }

    /// SSIM straight from the definition: no separability, variances from the deviations themselves.
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
        // 75 rows of windows, so that two bands meet.
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

    #[test]
    fn equal_images_have_no_error() {
        let a = original(40, 30);
        let metrics = compare(&view(&a, 40, 30), &view(&a, 40, 30)).unwrap();
        assert_eq!(metrics.psnr_rgb(), f64::INFINITY);
        assert_eq!(metrics.psnr_luma(), f64::INFINITY);
        assert_eq!(metrics.psnr_channel(3), f64::INFINITY);
        assert_eq!((metrics.mse_rgba(), metrics.max_error), (0.0, [0; 4]));
        assert!((metrics.ssim.unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(metrics.texel_count, 1200);
    }

    #[test]
    fn errors_of_known_size() {
        let a = [[100u8, 50, 0, 255], [0, 0, 0, 255]];
        let b = [[103u8, 50, 0, 251], [0, 0, 255, 255]];
        let metrics = compare(&view(&a, 2, 1), &view(&b, 2, 1)).unwrap();
        assert_eq!(metrics.mse, [4.5, 0.0, 32512.5, 8.0]);
        assert_eq!(metrics.max_error, [3, 0, 255, 4]);
        let luma = [3.0 * 13933.0 / 65536.0, 255.0 * 4732.0 / 65536.0];
        assert!((metrics.mse_luma - (luma[0] * luma[0] + luma[1] * luma[1]) / 2.0).abs() < 1e-9);
        assert!((metrics.psnr_channel(0) - 41.598).abs() < 1e-3);
        // One grey step everywhere: 10·log₁₀(255²).
        let metrics = compare(&view(&[7u8; 4], 4, 1), &view(&[8u8; 4], 4, 1)).unwrap();
        assert!((metrics.psnr_rgb() - 48.130_803_608_679_1).abs() < 1e-9);
        assert!((metrics.psnr_luma() - metrics.psnr_rgb()).abs() < 1e-9);
    }

    #[test]
    fn black_and_white_do_not_overflow_and_ssim_is_known() {
        // Wide enough for two chunks of luma squares.
        let width = (1 << 14) + 9;
        let (a, b) = (vec![0u8; width * 11], vec![255u8; width * 11]);
        let (a, b) = (view(&a, width as u32, 11), view(&b, width as u32, 11));
        let metrics = compare(&a, &b).unwrap();
        assert_eq!(metrics.mse, [65025.0, 65025.0, 65025.0, 0.0]);
        assert_eq!(metrics.mse_luma, 65025.0);
        // Without variance, SSIM is C₁ / (255² + C₁).
        assert!((metrics.ssim.unwrap() - 6.5025 / (65025.0 + 6.5025)).abs() < 1e-9);
        assert_eq!(compare(&a.rows(0, 10), &b.rows(0, 10)).unwrap().ssim, None);
    }

    #[test]
    fn invisible_texels_do_not_count() {
        // One block of transparent black; the image is white, its left half transparent.
        let block = [0, 0, 0, 0, 255, 255, 255, 255];
        let texels: Vec<[u8; 4]> =
            (0..16).map(|i| [255, 255, 255, if i % 4 < 2 { 0 } else { 128 }]).collect();
        let compare = |least_alpha| {
            let image = view(&texels, 4, 4);
            compare_visible_blocks(&image, BlockFormat::Bc1, &block, Decoder::Exact, least_alpha).unwrap()
        };
        let half = compare(128);
        assert_eq!((half.texel_count, half.mse), (8, [65025.0, 65025.0, 65025.0, 16384.0]));
        assert_eq!((compare(0).texel_count, compare(0).mse[3]), (16, 8192.0));
        assert_eq!(compare(129).texel_count, 0);
    }

    #[test]
    fn blocks_are_compared_as_they_decode() {
        for (width, height) in [(1, 1), (3, 5), (97, 301)] {
            let texels = original(width, height);
            let image = view(&texels, width, height);
            let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
            CpuEncoder::new().encode_into(&image, &EncodeOptions::default(), &mut blocks).unwrap();
            let mut decoded = vec![[0; 4]; texels.len()];
            for decoder in Decoder::ALL {
                decode_into(BlockFormat::Bc1, &blocks, width, height, decoder, &mut decoded).unwrap();
                let whole = compare(&image, &view(&decoded, width, height)).unwrap();
                let by_rows = compare_blocks(&image, BlockFormat::Bc1, &blocks, decoder).unwrap();
                assert_eq!(by_rows, Metrics { ssim: None, ..whole });
                assert!(whole.mse_rgb() > 0.0 || width == 1);
            }
            blocks.pop();
            assert!(matches!(
                compare_blocks(&image, BlockFormat::Bc1, &blocks, Decoder::Exact),
                Err(MetricsError::Decode(DecodeError::BlocksLength { .. }))
            ));
        }
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn any_thread_count_gives_the_same_bits() {
        let a = original(150, 333);
        let b = posterised(&a);
        let (a, b) = (view(&a, 150, 333), view(&b, 150, 333));
        let expected = compare(&a, &b).unwrap();
        for threads in 1..5 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| compare(&a, &b)).unwrap(), expected, "{threads} threads");
        }
    }

    #[test]
    fn differences_are_scaled_and_saturate() {
        let (a, b) = ([[0u8, 100, 5], [1, 2, 3]], [[1u8, 80, 5], [1, 2, 4]]);
        let picture = difference(&view(&a, 2, 1), &view(&b, 2, 1), 20).unwrap();
        assert_eq!(picture, [[20, 255, 0], [0, 0, 20]]);
        let picture = difference(&view(&a, 2, 1), &view(&b, 2, 1), u32::MAX).unwrap();
        assert_eq!(picture, [[255, 255, 0], [0, 0, 255]]);
    }

    #[test]
    fn sizes_must_agree() {
        let a = [0u8; 6];
        let error = compare(&view(&a, 2, 3), &view(&a, 3, 2)).unwrap_err();
        assert_eq!(error.to_string(), "the images differ in size: 2×3 and 3×2");
        assert!(difference(&view(&a, 2, 3), &view(&a, 3, 2), 1).is_err());
    }
}
