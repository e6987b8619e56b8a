//! Rounding of decoders.

use crate::{BlockFormat, TextureFormat, names::impl_from_str};

/// Rule with which a decoder converts the endpoints of a block and their interpolants to values.
///
/// Encoders choose endpoints for one rule; [`decode_into`](crate::decode_into) decodes with one. Formats
/// differ in the rules that they have: [`for_format`](Self::for_format).
///
/// | format | real | exact | trunc | nvidia | amd, intel |
/// |---|---|---|---|---|---|
/// | BC1, BC2 | exact | exact | trunc | nvidia | colours as that hardware; alpha exact |
/// | BC3 | exact | exact | trunc | nvidia | colours as that hardware; alpha exact |
/// | BC4, BC5, unsigned | real | exact | trunc | nvidia | real |
/// | BC4, BC5, signed | real | exact | exact | nvidia | real |
/// | BC6H, BC7, ETC2, ASTC | exact | exact | exact | exact | exact |
/// | EAC | real | real | real | real | real |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RoundingRule {
    /// Values as Direct3D and Khronos define them. Interpolants of BC4 and BC5 are exact fractions that are
    /// not rounded to 8 bits. Errors are measured in these values, from the source's own
    /// value: v/255, or v/255·2 − 1 for signed blocks.
    #[default]
    Real,
    /// The ideal of Direct3D 10 in 8 bits: endpoints and interpolants are exact fractions of the codes, each
    /// rounded to nearest in 8 bits. Code 3 of 31 becomes 25. Most GPUs come closest to this for BC1. Signed
    /// values are rounded to 127ths.
    Exact,
    /// Truncation: codes are widened by repeating their upper bits (code 3 of 31 becomes 24), then (2a+b)/3
    /// and (a+b)/2 are truncated. Many software decoders do this.
    Trunc,
    /// Rule of NVIDIA hardware, bit for bit as an H200 decodes. Its weights for BC4, BC5 and the alpha of BC3
    /// differ from those of the formats by up to 0.028. Values differ by up to 6.75 of 255 steps of their
    /// range if unsigned, and by up to 7.12 if signed. Encoders choose endpoints and indices by these values,
    /// but not in [real time](crate::EncodeOptions::real_time).
    Nvidia,
    /// Rule of AMD hardware.
    Amd,
    /// Rule of Intel hardware.
    Intel,
}

impl RoundingRule {
    /// All rules.
    pub const ALL: &[Self] = &[Self::Real, Self::Exact, Self::Trunc, Self::Nvidia, Self::Amd, Self::Intel];

    /// Returns the name, as used by the program's `--decoder`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Exact => "exact",
            Self::Trunc => "trunc",
            Self::Nvidia => "nvidia",
            Self::Amd => "amd",
            Self::Intel => "intel",
        }
    }

    /// Returns the rule that a format has for this one. Plain formats are [`Exact`](Self::Exact).
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, RoundingRule};
    ///
    /// assert_eq!(RoundingRule::Real.for_format(BlockFormat::Bc1), RoundingRule::Exact);
    /// assert_eq!(RoundingRule::Amd.for_format(BlockFormat::Bc5Unorm), RoundingRule::Real);
    /// ```
    pub fn for_format(self, format: impl Into<TextureFormat>) -> Self {
        let TextureFormat::Block(format) = format.into() else { return Self::Exact };
        match format {
            BlockFormat::Bc1 | BlockFormat::Bc2 | BlockFormat::Bc3 => match self {
                Self::Real => Self::Exact,
                rule => rule,
            },
            BlockFormat::Bc4Unorm | BlockFormat::Bc5Unorm => match self {
                Self::Exact | Self::Trunc | Self::Nvidia => self,
                Self::Real | Self::Amd | Self::Intel => Self::Real,
            },
            BlockFormat::Bc4Snorm | BlockFormat::Bc5Snorm => match self {
                Self::Exact | Self::Trunc => Self::Exact,
                Self::Nvidia => Self::Nvidia,
                Self::Real | Self::Amd | Self::Intel => Self::Real,
            },
            BlockFormat::EacR11Unorm
            | BlockFormat::EacR11Snorm
            | BlockFormat::EacRg11Unorm
            | BlockFormat::EacRg11Snorm => Self::Real,
            BlockFormat::Bc6hUfloat
            | BlockFormat::Bc6hSfloat
            | BlockFormat::Bc7
            | BlockFormat::Etc2Rgb
            | BlockFormat::Etc2RgbA1
            | BlockFormat::Etc2Rgba
            | BlockFormat::Astc(_) => Self::Exact,
        }
    }

    /// True if this rule gives values of a format that are not rounded to 8 bits: [`Real`](Self::Real) and
    /// the rules of hardware for BC4 and BC5, all rules for EAC.
    pub fn is_unrounded(self, format: impl Into<TextureFormat>) -> bool {
        use BlockFormat as F;
        match format.into() {
            TextureFormat::Block(format @ (F::Bc4Unorm | F::Bc4Snorm | F::Bc5Unorm | F::Bc5Snorm)) => {
                matches!(self.for_format(format), Self::Real | Self::Nvidia)
            }
            TextureFormat::Block(F::EacR11Unorm | F::EacR11Snorm | F::EacRg11Unorm | F::EacRg11Snorm) => true,
            TextureFormat::Block(_) | TextureFormat::Plain(_) => false,
        }
    }
}

impl_from_str!(RoundingRule);
