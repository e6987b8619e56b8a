//! Limits on the measures of a comparison.

use crate::report::counted;
use std::fmt;

/// A measure of the difference between two images. It is displayed as a name such as `psnr-rgba`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// PSNR of `encode --min-psnr`: `psnr`. It is the lower one of those of red, green and blue and of alpha
    /// ([`PsnrScope`](brickwork_toolkit::texture::PsnrScope)).
    Psnr,
    /// PSNR of red, green and blue: `psnr-rgb`. Like those of luma, red, green and blue, it is that of
    /// visible texels if the colours of the others are hidden.
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
        Self::Psnr,
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
            Self::Psnr => "psnr",
            Self::PsnrRgb => "psnr-rgb",
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

    /// True for a PSNR of colours, which is that of visible texels if the colours of the others are hidden
    /// ([`color_metrics`](super::ImageComparison::color_metrics)).
    pub(super) const fn is_of_colors(self) -> bool {
        matches!(self, Self::PsnrRgb | Self::PsnrLuma | Self::PsnrRed | Self::PsnrGreen | Self::PsnrBlue)
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
    /// Returns the violation of the limit by a value, or `None` if the value passes. `subject` has the
    /// numbers of which the value is, unless these are the usual ones.
    pub(super) fn violation(self, value: Option<f64>, subject: Option<&'static str>) -> Option<Violation> {
        let Self { measure, limit } = self;
        match value {
            Some(value) if measure.is_error() && value <= limit => None,
            Some(value) if !measure.is_error() && value >= limit => None,
            Some(value) if measure.is_error() => Some(Violation::Above { measure, value, max: limit }),
            Some(value) => Some(Violation::Below { measure, subject, value, min: limit }),
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
    /// The images are equal as they are measured, but not in each bit of finer channels.
    TexelsDiffer {
        /// Number of texels that differ.
        texel_count: u64,
        /// The channels, such as `16 bits`.
        channels: &'static str,
    },
    /// A measure is below its limit.
    Below {
        /// The measure.
        measure: Measure,
        /// Numbers of which the value is, unless these are the colours of all texels: `alpha`, `visible
        /// texels`.
        subject: Option<&'static str>,
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
            Self::TexelsDiffer { texel_count, channels } => {
                write!(f, "differs in the {channels} of {}", counted(*texel_count, "texel"))
            }
            Self::Below { measure, subject, value, min } => {
                let subject = subject.map_or_else(String::new, |subject| format!(" of {subject}"));
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

/// Parses a limit of `--fail-under`.
pub fn lower_limit(text: &str) -> Result<MeasureLimit, String> {
    measure_limit(text, false)
}

/// Parses a limit of `--fail-over`.
pub fn upper_limit(text: &str) -> Result<MeasureLimit, String> {
    measure_limit(text, true)
}

fn measure_limit(text: &str, is_upper: bool) -> Result<MeasureLimit, String> {
    let example = if is_upper { "flip=0.1 or max-error=8" } else { "psnr=40 or ssim=0.98" };
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("expected MEASURE=VALUE, such as {example}"))?;
    let mut known = Measure::ALL.iter().copied().filter(|measure| measure.is_error() == is_upper);
    let names = known.clone().map(Measure::name).collect::<Vec<_>>().join(", ");
    let measure = known
        .find(|measure| measure.name() == name)
        .ok_or_else(|| format!("\"{name}\" is not a measure of this option; expected one of {names}"))?;
    let limit: f64 = value.parse().map_err(|_| format!("\"{value}\" is not a number"))?;
    if !limit.is_finite() {
        return Err(format!("\"{value}\" is not a finite number"));
    }
    Ok(MeasureLimit { measure, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_the_limit_passes() {
        let limit = MeasureLimit { measure: Measure::Ssim, limit: 0.5 };
        assert_eq!(limit.violation(Some(0.5), None), None);
        let text = |value| limit.violation(value, None).map(|violation| violation.to_string());
        assert_eq!(text(Some(0.25)).as_deref(), Some("ssim is 0.2500, less than 0.5"));
        assert_eq!(text(None).as_deref(), Some("ssim is not defined for images this small"));
        let visible = MeasureLimit { measure: Measure::PsnrVisible, limit: 0.0 };
        let violation = visible.violation(None, None).expect("not defined").to_string();
        assert_eq!(violation, "psnr-visible is not defined: no texel is visible");
        let flip = MeasureLimit { measure: Measure::Flip, limit: 0.5 };
        assert_eq!(flip.violation(Some(0.5), None), None);
        let violation = flip.violation(Some(0.75), None).expect("too large").to_string();
        assert_eq!(violation, "flip is 0.7500, more than 0.5");
        let colors = MeasureLimit { measure: Measure::Psnr, limit: 30.0 };
        let violation = colors.violation(Some(28.5), Some("visible texels")).expect("too small").to_string();
        assert_eq!(violation, "psnr of visible texels is 28.5000, less than 30");
    }

    #[test]
    fn names_are_unique() {
        for (index, measure) in Measure::ALL.iter().enumerate() {
            assert_eq!(Measure::ALL.iter().position(|other| other.name() == measure.name()), Some(index));
        }
    }
    #[test]
    fn limits_of_options() {
        assert_eq!(lower_limit("ssim=0.98").unwrap().measure, Measure::Ssim);
        assert_eq!(upper_limit("flip=0.1").unwrap().measure, Measure::Flip);
        for bad in ["psnr", "psnr=nan", "mse=1", "flip=0.1"] {
            assert!(lower_limit(bad).is_err(), "{bad}");
        }
        assert!(upper_limit("psnr=40").is_err());
    }
}
