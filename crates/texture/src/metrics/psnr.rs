//! Squared errors and the metrics derived from them.

use crate::TextureFormat;

/// Luma weights of BT.709 (0.2126, 0.7152, 0.0722) in 65536ths. They apply to the stored values without
/// undoing their transfer function.
pub(super) const LUMA_WEIGHTS: [u32; 3] = [13933, 46871, 4732];

/// Returns the peak signal-to-noise ratio in dB of a mean square error on the 0..=255 scale: `10·log₁₀(255² /
/// mse)`. It is infinite for an error of 0.
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

/// Difference between two images of the same size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Metrics {
    /// Number of compared texels.
    pub texel_count: u64,
    /// Mean square error of red, green, blue and alpha on the 0..=255 scale. Grey counts as three equal
    /// channels, missing alpha as 255.
    pub mse: [f64; 4],
    /// Mean square error of the BT.709 luma `0.2126·R + 0.7152·G + 0.0722·B` of the stored values on the
    /// 0..=255 scale; the luma is not rounded to 8 bits.
    pub mse_luma: f64,
    /// Largest absolute error of red, green, blue and alpha on the 0..=255 scale. Errors of values that
    /// are not rounded to 8 bits are rounded here; half a step is 0.
    pub max_error: [u8; 4],
    /// Mean structural similarity, 1 for equal images; `None` if a side has fewer than 11 texels, or the
    /// images were compared by [`compare_blocks`](super::compare_blocks) or
    /// [`compare_visible_blocks`](super::compare_visible_blocks).
    ///
    /// Computed as in Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, "Image quality assessment: from error
    /// visibility to structural similarity" (2004): on luma (as in [`mse_luma`](Self::mse_luma)), with
    /// Gaussian windows of 11×11 texels and σ = 1.5, K₁ = 0.01, K₂ = 0.03, L = 255. The result is the mean
    /// over the windows that are entirely in the image.
    pub ssim: Option<f64>,
}

impl Metrics {
    /// Returns the mean square error of red, green and blue together.
    pub fn mse_rgb(&self) -> f64 {
        (self.mse[0] + self.mse[1] + self.mse[2]) / 3.0
    }

    /// Returns the mean square error of the colour channels that `format` stores: red, red and green, or all
    /// three.
    pub fn mse_colors(&self, format: impl Into<TextureFormat>) -> f64 {
        let format: TextureFormat = format.into();
        let stored = &self.mse[..format.channels().len().min(3)];
        stored.iter().sum::<f64>() / stored.len() as f64
    }

    /// Returns the mean square error of all four channels together.
    pub fn mse_rgba(&self) -> f64 {
        (self.mse[0] + self.mse[1] + self.mse[2] + self.mse[3]) / 4.0
    }

    /// Returns the [`psnr`] of [`mse_rgb`](Self::mse_rgb) in dB.
    pub fn psnr_rgb(&self) -> f64 {
        psnr(self.mse_rgb())
    }

    /// Returns the [`psnr`] of [`mse_colors`](Self::mse_colors) in dB.
    pub fn psnr_colors(&self, format: impl Into<TextureFormat>) -> f64 {
        psnr(self.mse_colors(format))
    }

    /// Returns the [`psnr`] of [`mse_rgba`](Self::mse_rgba) in dB.
    pub fn psnr_rgba(&self) -> f64 {
        psnr(self.mse_rgba())
    }

    /// Returns the [`psnr`] of the luma in dB.
    pub fn psnr_luma(&self) -> f64 {
        psnr(self.mse_luma)
    }

    /// Returns the [`psnr`] of one channel in dB: 0 is red, 3 is alpha.
    ///
    /// # Panics
    /// If `channel` is above 3.
    pub fn psnr_channel(&self, channel: usize) -> f64 {
        psnr(self.mse[channel])
    }

    /// Returns the difference of these texels and others together. Each texel weighs alike, also in the mean
    /// of SSIM, which is `None` if one of both lacks it.
    #[must_use]
    pub fn joined(mut self, other: &Self) -> Self {
        if self.texel_count == 0 || other.texel_count == 0 {
            return if self.texel_count == 0 { *other } else { self };
        }
        let share = share(self.texel_count, other.texel_count);
        let mean = |a: f64, b: f64| a * share + b * (1.0 - share);
        self.texel_count += other.texel_count;
        self.mse = std::array::from_fn(|c| mean(self.mse[c], other.mse[c]));
        self.mse_luma = mean(self.mse_luma, other.mse_luma);
        self.max_error = std::array::from_fn(|c| self.max_error[c].max(other.max_error[c]));
        self.ssim = self.ssim.zip(other.ssim).map(|(a, b)| mean(a, b));
        self
    }
}

/// Returns the share of the first of two numbers in their sum.
pub(super) fn share(first: u64, second: u64) -> f64 {
    first as f64 / (first + second) as f64
}

/// Sums of squared errors as integers, so that the order of summation does not matter.
#[derive(Clone, Copy, Default)]
pub(super) struct SquareSums {
    texel_count: u64,
    channels: [u64; 4],
    /// Squared luma errors in squares of 65536ths.
    luma: u128,
    max_error: [u8; 4],
}

impl SquareSums {
    /// Adds the texels of a row whose alpha in `a` is at least `least_alpha`.
    pub fn add_row(&mut self, a: &[[u8; 4]], b: &[[u8; 4]], least_alpha: u8) {
        for (a, b) in a.chunks(MAX_TEXELS).zip(b.chunks(MAX_TEXELS)) {
            let mut part = PartSums::default();
            let pairs = a.iter().zip(b);
            if least_alpha == 0 {
                pairs.for_each(|(&a, &b)| part.add(a, b));
            } else {
                pairs.filter(|(a, _)| a[3] >= least_alpha).for_each(|(&a, &b)| part.add(a, b));
            }
            self.texel_count += u64::from(part.texel_count);
            for c in 0..4 {
                self.channels[c] += u64::from(part.channels[c]);
                self.max_error[c] = self.max_error[c].max(part.max_error[c] as u8);
            }
            self.luma += u128::from(part.luma);
        }
    }

    pub fn merge(self, other: Self) -> Self {
        Self {
            texel_count: self.texel_count + other.texel_count,
            channels: std::array::from_fn(|c| self.channels[c] + other.channels[c]),
            luma: self.luma + other.luma,
            max_error: std::array::from_fn(|c| self.max_error[c].max(other.max_error[c])),
        }
    }

    pub fn metrics(&self, ssim: Option<f64>) -> Metrics {
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

/// Largest number of texels in [`PartSums`]. 2¹⁴ squares of luma errors, each below 2⁴⁸, fit 64 bits, and as
/// many squares of a channel's errors fit 32.
const MAX_TEXELS: usize = 1 << 14;

/// [`SquareSums`] of a few texels, in types that are fast to add.
#[derive(Default)]
struct PartSums {
    texel_count: u32,
    channels: [u32; 4],
    luma: u64,
    max_error: [u32; 4],
}

impl PartSums {
    #[inline(always)]
    fn add(&mut self, a: [u8; 4], b: [u8; 4]) {
        self.texel_count += 1;
        let mut luma = 0;
        for c in 0..4 {
            let error = i32::from(a[c]) - i32::from(b[c]);
            self.channels[c] += (error * error) as u32;
            self.max_error[c] = self.max_error[c].max(error.unsigned_abs());
            if c < 3 {
                luma += LUMA_WEIGHTS[c] as i32 * error;
            }
        }
        self.luma += u64::from(luma.unsigned_abs()) * u64::from(luma.unsigned_abs());
    }
}

/// Returns the BT.709 luma in 65536ths: 24 bits.
pub(super) fn luma_65536ths(rgba: [u8; 4]) -> u32 {
    (0..3).map(|c| LUMA_WEIGHTS[c] * u32::from(rgba[c])).sum()
}
