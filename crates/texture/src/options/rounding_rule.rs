//! The rounding of decoders.

use crate::names::impl_from_str;

/// The rule by which a decoder turns 5- and 6-bit endpoint codes and their interpolants into 8-bit values.
///
/// Encoders choose endpoints for one rule; [`decode_into`](crate::decode_into) decodes by one. The values of
/// BC4, BC5 and BC3's alpha are rounded to nearest, except by [`Trunc`](Self::Trunc); those of signed blocks
/// always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RoundingRule {
    /// The ideal of Direct3D 10: endpoints and interpolants are exact fractions of the codes, each rounded to
    /// nearest in 8 bits. Code 3 of 31 becomes 25. Most GPUs come closest to this.
    #[default]
    Exact,
    /// Codes are widened by repeating their upper bits (code 3 of 31 becomes 24), then (2a+b)/3 and (a+b)/2
    /// are truncated. Many software decoders do this.
    Trunc,
    /// NVIDIA hardware.
    Nvidia,
    /// AMD hardware.
    Amd,
    /// Intel hardware.
    Intel,
}

impl RoundingRule {
    /// Every rule.
    pub const ALL: &[Self] = &[Self::Exact, Self::Trunc, Self::Nvidia, Self::Amd, Self::Intel];

    /// Returns the name, as used by the program's `--decoder`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Trunc => "trunc",
            Self::Nvidia => "nvidia",
            Self::Amd => "amd",
            Self::Intel => "intel",
        }
    }
}

impl_from_str!(RoundingRule);
