//! Limits on the measures of a comparison.

use super::ImageComparison;
use crate::report::counted;
use brickwork_texture::metrics::{HdrMetrics, Metrics, NormalMetrics};
use std::fmt;

/// A measure of the difference between two images. It is displayed as a name such as `psnr-rgba`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// PSNR of red, green and blue: `psnr`. Like those of luma, red, green and blue, it is that of visible
    /// texels if BC1 dropped the colours of the others.
    PsnrRgb,
    /// PSNR of all four channels: `psnr-rgba`.
    PsnrRgba,
    /// PSNR of luma: `psnr-luma`.
    PsnrLuma,
    /// PSNR of red: `psnr-r`.
    PsnrRed,
    /// PSNR of green: `psnr-g`.
    PsnrGreen,
    /// PSNR of blue: `psnr-b`.
    PsnrBlue,
    /// PSNR of alpha: `psnr-a`.
    PsnrAlpha,
    /// PSNR of red, green and blue of visible texels: `psnr-visible`.
    PsnrVisible,
    /// Structural similarity of luma: `ssim`.
    Ssim,
    /// PSNR of the bit patterns of half floats: `half-psnr`.
    HalfPsnr,
    /// PSNR of half floats over several exposures: `mpsnr`.
    MultiExposurePsnr,
    /// PSNR of half floats as Reinhard's curve displays them: `reinhard-psnr`.
    ReinhardPsnr,
    /// Mean ꟻLIP error, 0 to 1: `flip`.
    Flip,
    /// Largest error of a channel, 0 to 255: `max-error`.
    MaxError,
    /// Mean angle between normals in degrees: `angle`.
    Angle,
}

impl Measure {
    /// All measures.
    pub const ALL: &[Self] = &[
        Self::PsnrRgb,
        Self::PsnrRgba,
        Self::PsnrLuma,
        Self::PsnrRed,
        Self::PsnrGreen,
        Self::PsnrBlue,
        Self::PsnrAlpha,
        Self::PsnrVisible,
        Self::Ssim,
        Self::HalfPsnr,
        Self::MultiExposurePsnr,
        Self::ReinhardPsnr,
        Self::Flip,
        Self::MaxError,
        Self::Angle,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PsnrRgb => "psnr",
            Self::PsnrRgba => "psnr-rgba",
            Self::PsnrLuma => "psnr-luma",
            Self::PsnrRed => "psnr-r",
            Self::PsnrGreen => "psnr-g",
            Self::PsnrBlue => "psnr-b",
            Self::PsnrAlpha => "psnr-a",
            Self::PsnrVisible => "psnr-visible",
            Self::Ssim => "ssim",
            Self::HalfPsnr => "half-psnr",
            Self::MultiExposurePsnr => "mpsnr",
            Self::ReinhardPsnr => "reinhard-psnr",
            Self::Flip => "flip",
            Self::MaxError => "max-error",
            Self::Angle => "angle",
        }
    }

    /// True if larger values are worse.
    pub const fn is_error(self) -> bool {
        matches!(self, Self::Flip | Self::MaxError | Self::Angle)
    }

    /// True for a PSNR of colours, which is that of visible texels if BC1 dropped the colours of the others
    /// ([`ImageComparison::color_metrics`]).
    const fn is_of_colors(self) -> bool {
        matches!(self, Self::PsnrRgb | Self::PsnrLuma | Self::PsnrRed | Self::PsnrGreen | Self::PsnrBlue)
    }

    /// Returns the value, or `None` if it is not defined for the images or was not measured.
    pub fn value(self, comparison: &ImageComparison) -> Option<f64> {
        let (metrics, colors) = (comparison.metrics(), comparison.color_metrics());
        let (visible, hdr) = (comparison.visible_metrics(), comparison.hdr_metrics());
        match self {
            Self::PsnrRgb => colors.map(Metrics::psnr_rgb),
            Self::PsnrRgba => Some(metrics.psnr_rgba()),
            Self::PsnrLuma => colors.map(Metrics::psnr_luma),
            Self::PsnrRed => colors.map(|colors| colors.psnr_channel(0)),
            Self::PsnrGreen => colors.map(|colors| colors.psnr_channel(1)),
            Self::PsnrBlue => colors.map(|colors| colors.psnr_channel(2)),
            Self::PsnrAlpha => Some(metrics.psnr_channel(3)),
            Self::PsnrVisible => visible.filter(|visible| visible.texel_count > 0).map(Metrics::psnr_rgb),
            Self::Ssim => metrics.ssim,
            Self::HalfPsnr => hdr.map(HdrMetrics::half_psnr),
            Self::MultiExposurePsnr => hdr.map(HdrMetrics::multi_exposure_psnr),
            Self::ReinhardPsnr => hdr.map(HdrMetrics::reinhard_psnr),
            Self::Flip => comparison.flip(),
            Self::MaxError => metrics.max_error.into_iter().max().map(f64::from),
            Self::Angle => comparison.normal_metrics().map(|normals: &NormalMetrics| normals.mean),
        }
    }

    /// Returns a number by which comparisons are sorted: it is larger if the difference is worse. A measure
    /// that is not defined counts as no difference.
    pub fn badness(self, comparison: &ImageComparison) -> f64 {
        match self.value(comparison) {
            Some(value) if self.is_error() => value,
            Some(value) => -value,
            None => f64::NEG_INFINITY,
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A measure and its limit: the minimum value that passes, or the maximum if the measure [is an
/// error](Measure::is_error).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureLimit {
    /// The measure.
    pub measure: Measure,
    /// Minimum or maximum value that passes.
    pub limit: f64,
}

impl MeasureLimit {
    /// Returns the violation of the limit by a comparison, or `None` if its value passes.
    pub(super) fn violation_by(self, comparison: &ImageComparison) -> Option<Violation> {
        let is_of_visible = self.measure.is_of_colors() && comparison.hides_colors();
        self.violation(self.measure.value(comparison), is_of_visible)
    }

    /// Returns the violation of the limit by a value, or `None` if the value passes. `is_of_visible` states
    /// that the value is that of visible texels.
    fn violation(self, value: Option<f64>, is_of_visible: bool) -> Option<Violation> {
        let Self { measure, limit } = self;
        match value {
            Some(value) if measure.is_error() && value <= limit => None,
            Some(value) if !measure.is_error() && value >= limit => None,
            Some(value) if measure.is_error() => Some(Violation::Above { measure, value, max: limit }),
            Some(value) => Some(Violation::Below { measure, is_of_visible, value, min: limit }),
            None => Some(Violation::Undefined { measure }),
        }
    }
}

/// A violated requirement of a comparison. It is displayed in one line, without a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Violation {
    /// The images are not equal.
    Differs {
        /// The largest error of a channel, 1 to 255.
        max_error: u8,
    },
    /// The images are not equal as half floats.
    StepsDiffer {
        /// The largest difference in steps between neighbouring half floats.
        max_steps: u16,
    },
    /// The images are equal as half floats, but not as single floats.
    SinglesDiffer {
        /// Number of texels that differ.
        texel_count: u64,
    },
    /// A measure is below its limit.
    Below {
        /// The measure.
        measure: Measure,
        /// True if the value of this measure of colours is that of visible texels, and there are others.
        is_of_visible: bool,
        /// Its value.
        value: f64,
        /// Its limit.
        min: f64,
    },
    /// A measure is above its limit.
    Above {
        /// The measure.
        measure: Measure,
        /// Its value.
        value: f64,
        /// Its limit.
        max: f64,
    },
    /// The textures have different numbers of mip levels.
    LevelCounts {
        /// The numbers of the first and the second texture.
        counts: [u32; 2],
    },
    /// A measure with a limit is not defined: no texel is visible, or the images are too small.
    Undefined {
        /// The measure.
        measure: Measure,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs { max_error } => write!(f, "differs by up to {max_error}"),
            Self::StepsDiffer { max_steps } => {
                write!(f, "differs by up to {max_steps} steps of half floats")
            }
            Self::SinglesDiffer { texel_count } => {
                write!(f, "differs in the single floats of {}", counted(*texel_count, "texel"))
            }
            Self::Below { measure, is_of_visible, value, min } => {
                let subject = if *is_of_visible { " of visible texels" } else { "" };
                write!(f, "{measure}{subject} is {value:.4}, less than {min}")
            }
            Self::Above { measure, value, max } => write!(f, "{measure} is {value:.4}, more than {max}"),
            Self::LevelCounts { counts: [a, b] } => {
                write!(f, "has {}; expected {a}", counted(*b, "mip level"))
            }
            Self::Undefined { measure: measure @ Measure::Angle } => {
                write!(f, "{measure} is not defined: normals were not measured")
            }
            Self::Undefined { measure: measure @ Measure::Flip } => {
                write!(f, "{measure} is not defined for half floats")
            }
            Self::Undefined { measure } if *measure == Measure::PsnrVisible || measure.is_of_colors() => {
                write!(f, "{measure} is not defined: no texel is visible")
            }
            Self::Undefined {
                measure: measure @ (Measure::HalfPsnr | Measure::MultiExposurePsnr | Measure::ReinhardPsnr),
            } => {
                write!(f, "{measure} is not defined: neither image has half floats")
            }
            Self::Undefined { measure } => write!(f, "{measure} is not defined for images this small"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_the_limit_passes() {
        let limit = MeasureLimit { measure: Measure::Ssim, limit: 0.5 };
        assert_eq!(limit.violation(Some(0.5), false), None);
        let text = |value| limit.violation(value, false).map(|violation| violation.to_string());
        assert_eq!(text(Some(0.25)).as_deref(), Some("ssim is 0.2500, less than 0.5"));
        assert_eq!(text(None).as_deref(), Some("ssim is not defined for images this small"));
        let visible = MeasureLimit { measure: Measure::PsnrVisible, limit: 0.0 };
        let violation = visible.violation(None, false).expect("not defined").to_string();
        assert_eq!(violation, "psnr-visible is not defined: no texel is visible");
        let flip = MeasureLimit { measure: Measure::Flip, limit: 0.5 };
        assert_eq!(flip.violation(Some(0.5), false), None);
        let violation = flip.violation(Some(0.75), false).expect("too large").to_string();
        assert_eq!(violation, "flip is 0.7500, more than 0.5");
        let colors = MeasureLimit { measure: Measure::PsnrRgb, limit: 30.0 };
        let violation = colors.violation(Some(28.5), true).expect("too small").to_string();
        assert_eq!(violation, "psnr of visible texels is 28.5000, less than 30");
    }

    #[test]
    fn names_are_unique() {
        for (index, measure) in Measure::ALL.iter().enumerate() {
            assert_eq!(Measure::ALL.iter().position(|other| other.name() == measure.name()), Some(index));
        }
    }
}
