//! Differences between texels.

use brickwork_texture::metrics::{HdrMetrics, Metrics, NormalMetrics};
use serde::Serialize;

/// A number for each channel and for the usual combinations of channels.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct PerChannel {
    /// Red.
    pub r: Option<f64>,
    /// Green.
    pub g: Option<f64>,
    /// Blue.
    pub b: Option<f64>,
    /// Alpha.
    pub a: Option<f64>,
    /// Red, green and blue together.
    pub rgb: Option<f64>,
    /// All four channels together.
    pub rgba: Option<f64>,
    /// Luma.
    pub luma: Option<f64>,
}

/// The largest error of each channel, 0 to 255.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ChannelErrors {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Alpha.
    pub a: u8,
}

/// Differences between the texels of two images, computed from 8-bit values.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct MetricsReport {
    /// True if no texel differs: in 16 bits or floats if both images have these, else in 8 bits, or in the
    /// values of BC4, BC5 and plain formats, which are not rounded.
    pub equal: bool,
    /// Texels compared. If it is 0, `mse` and `psnr` are `null` throughout.
    pub texel_count: u64,
    /// Mean squared error.
    pub mse: PerChannel,
    /// PSNR in dB. `null` is an infinite PSNR: the `mse` of the same name is then 0.
    pub psnr: PerChannel,
    /// The largest error.
    pub max_error: ChannelErrors,
    /// Structural similarity of luma; `null` if a side has fewer than 11 texels, and in `encode`, which does
    /// not compute it.
    pub ssim: Option<f64>,
}

/// Angles between the normals of two images, in degrees.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct NormalMetricsReport {
    /// Mean.
    pub mean_degrees: f64,
    /// Angle that half of the texels do not exceed.
    pub median_degrees: f64,
    /// Angle that 95 % of the texels do not exceed.
    pub p95_degrees: f64,
    /// Angle that 99 % of the texels do not exceed.
    pub p99_degrees: f64,
    /// Largest angle.
    pub max_degrees: f64,
}

impl NormalMetricsReport {
    /// Returns the report of `metrics`.
    pub fn new(metrics: &NormalMetrics) -> Self {
        let [median_degrees, p95_degrees, p99_degrees] = metrics.percentiles;
        let (mean_degrees, max_degrees) = (metrics.mean, metrics.max);
        Self { mean_degrees, median_degrees, p95_degrees, p99_degrees, max_degrees }
    }
}

impl MetricsReport {
    /// Returns the report of `metrics`. Texels are equal if these are.
    pub fn new(metrics: &Metrics) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        let [r, g, b, a] = metrics.mse;
        let psnr = |channel| finite(metrics.psnr_channel(channel));
        Self {
            equal: metrics.texel_count == 0 || metrics.mse == [0.0; 4],
            texel_count: metrics.texel_count,
            mse: PerChannel {
                r: finite(r),
                g: finite(g),
                b: finite(b),
                a: finite(a),
                rgb: finite(metrics.mse_rgb()),
                rgba: finite(metrics.mse_rgba()),
                luma: finite(metrics.mse_luma),
            },
            psnr: PerChannel {
                r: psnr(0),
                g: psnr(1),
                b: psnr(2),
                a: psnr(3),
                rgb: finite(metrics.psnr_rgb()),
                rgba: finite(metrics.psnr_rgba()),
                luma: finite(metrics.psnr_luma()),
            },
            max_error: {
                let [r, g, b, a] = metrics.max_error;
                ChannelErrors { r, g, b, a }
            },
            ssim: metrics.ssim,
        }
    }
}

/// Differences between red, green and blue of two images of half floats. `null` in dB is infinite: the images
/// are equal.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct HdrMetricsReport {
    /// PSNR of the bit patterns in dB, with a peak of 31743.
    pub half_psnr: Option<f64>,
    /// Largest difference of bit patterns: steps between neighbouring half floats.
    pub max_steps: u16,
    /// Root mean square error of sign(x) · log₂(1 + |x|).
    pub log2_rmse: f64,
    /// PSNR over exposures of -10 to 10 stops, in dB.
    pub mpsnr: Option<f64>,
    /// PSNR of the values that Reinhard's curve displays, in dB.
    pub reinhard_psnr: Option<f64>,
}

impl HdrMetricsReport {
    /// Returns the report of `metrics`.
    pub fn new(metrics: &HdrMetrics) -> Self {
        let finite = |decibels: f64| decibels.is_finite().then_some(decibels);
        Self {
            half_psnr: finite(metrics.half_psnr()),
            max_steps: metrics.max_steps,
            log2_rmse: metrics.log2_rmse(),
            mpsnr: finite(metrics.multi_exposure_psnr()),
            reinhard_psnr: finite(metrics.reinhard_psnr()),
        }
    }
}

/// Colours of pictures that formats of floats may not store as they are: numbers of red, green and blue.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
pub struct SpecialValues {
    /// Finite numbers below 0, which become 0 in `bc6h`, `rgb9e5` and `rg11b10f`.
    pub negative: u64,
    /// NaNs, which become 0 in BC6H and `rgb9e5`.
    pub nan: u64,
    /// Positive infinities, which become 65504 in BC6H and 65408 in `rgb9e5`.
    pub infinite: u64,
    /// Negative infinities, which become 0 in formats without negative numbers and -65504 in `bc6hs`.
    pub negative_infinite: u64,
    /// Numbers above `--max-value`, which are clamped before the encoding; 0 without it.
    pub above_max: u64,
    /// Numbers below minus `--max-value`, which are clamped before the encoding; 0 without it.
    pub below_min: u64,
    /// Clamps to ±65504 while the file was read and its colours were converted to Rec. 709; alpha included.
    pub overflow: u64,
}

impl From<brickwork_toolkit::texture::SpecialValues> for SpecialValues {
    fn from(values: brickwork_toolkit::texture::SpecialValues) -> Self {
        Self {
            negative: values.negative,
            nan: values.nan,
            infinite: values.infinite,
            negative_infinite: values.negative_infinite,
            above_max: values.above_max,
            below_min: values.below_min,
            overflow: values.overflow,
        }
    }
}
