//! Rounding of decoders.

use crate::names::impl_from_str;

/// Rule with which a decoder converts 5- and 6-bit endpoint codes and their interpolants to 8-bit values.
///
/// Encoders choose endpoints for one rule; [`decode_into`](crate::decode_into) decodes with one. The values
/// of BC4, BC5 and BC3's alpha are rounded to nearest, except with [`Trunc`](Self::Trunc). Those of signed
/// blocks are rounded to nearest with every rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RoundingRule {
    /// Ideal rule of Direct3D 10: endpoints and interpolants are exact fractions of the codes, each rounded
    /// to nearest in 8 bits. Code 3 of 31 becomes 25. Most GPUs are closest to this rule.
    #[default]
    Exact,
    /// Truncation: codes are widened by repeating their upper bits (code 3 of 31 becomes 24), then (2a+b)/3
    /// and (a+b)/2 are truncated. Many software decoders do this.
    Trunc,
    /// Rule of NVIDIA hardware.
    Nvidia,
    /// Rule of AMD hardware.
    Amd,
    /// Rule of Intel hardware.
    Intel,
}

impl RoundingRule {
    /// All rules.
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
