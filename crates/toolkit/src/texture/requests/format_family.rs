//! Families of block formats.

use brickwork_base::ErrorKind;
use brickwork_texture::{AstcFootprint, BlockFormat, container::ContainerFormat};
use std::{fmt, str::FromStr};

/// Block formats that the same GPUs sample. [`FormatChoice::AUTO`](super::FormatChoice::AUTO) chooses among
/// those of one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatFamily {
    /// BC1 to BC7: desktop computers and consoles.
    Bc,
    /// ASTC with blocks of 4×4: most phones.
    Astc,
    /// ETC2 and EAC: nearly all phones.
    Etc2,
}

impl FormatFamily {
    /// All families.
    pub const ALL: &[Self] = &[Self::Bc, Self::Astc, Self::Etc2];

    /// Returns the name: `bc`, `astc` or `etc2`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bc => "bc",
            Self::Astc => "astc",
            Self::Etc2 => "etc2",
        }
    }

    /// Returns the family of a block format.
    pub const fn of(format: BlockFormat) -> Self {
        match format {
            BlockFormat::Astc(_) => Self::Astc,
            _ if format.is_mobile() => Self::Etc2,
            _ => Self::Bc,
        }
    }

    /// True if the container can have formats of the family.
    pub fn is_of(self, container: ContainerFormat) -> bool {
        BlockFormat::ALL.iter().any(|&format| Self::of(format) == self && container.has_format(format))
    }

    /// Returns the format for pictures that `format`, one of BC, suits; none for HDR if the family has no
    /// such format.
    pub const fn counterpart(self, format: BlockFormat, is_opaque: bool) -> Option<BlockFormat> {
        use BlockFormat::{Bc1, Bc4Snorm, Bc4Unorm, Bc5Snorm, Bc5Unorm, Bc6hSfloat, Bc6hUfloat};
        Some(match (self, format) {
            (Self::Bc, format) => format,
            (_, Bc6hUfloat | Bc6hSfloat) => return None,
            (Self::Astc, _) => BlockFormat::Astc(AstcFootprint::B4x4),
            (Self::Etc2, Bc4Unorm) => BlockFormat::EacR11Unorm,
            (Self::Etc2, Bc4Snorm) => BlockFormat::EacR11Snorm,
            (Self::Etc2, Bc5Unorm) => BlockFormat::EacRg11Unorm,
            (Self::Etc2, Bc5Snorm) => BlockFormat::EacRg11Snorm,
            (Self::Etc2, _) if is_opaque => BlockFormat::Etc2Rgb,
            (Self::Etc2, Bc1) => BlockFormat::Etc2RgbA1,
            (Self::Etc2, _) => BlockFormat::Etc2Rgba,
        })
    }
}

impl fmt::Display for FormatFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a [`FormatFamily`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a family of formats; expected bc, astc or etc2")]
#[non_exhaustive]
pub struct UnknownFormatFamily {
    /// The given name.
    pub name: String,
}

impl UnknownFormatFamily {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

impl FromStr for FormatFamily {
    type Err = UnknownFormatFamily;

    fn from_str(name: &str) -> Result<Self, UnknownFormatFamily> {
        let family = Self::ALL.iter().copied().find(|family| family.name() == name);
        family.ok_or_else(|| UnknownFormatFamily { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counterparts_are_of_the_family() {
        let bc = || {
            BlockFormat::ALL.iter().copied().filter(|&format| FormatFamily::of(format) == FormatFamily::Bc)
        };
        for &family in FormatFamily::ALL {
            assert_eq!(family.name().parse(), Ok(family));
            for (format, is_opaque) in bc().flat_map(|format| [(format, true), (format, false)]) {
                let Some(found) = family.counterpart(format, is_opaque) else {
                    assert!(format.name().starts_with("bc6h") && family != FormatFamily::Bc);
                    continue;
                };
                assert!(FormatFamily::of(found) == family && found.has_encoder(), "{found}");
                assert!(is_opaque || found.has_alpha() || !format.has_alpha(), "{format}: {found}");
                assert!(found.channels().len() >= format.channels().len() || is_opaque, "{format}: {found}");
            }
        }
    }

    #[test]
    fn families_have_containers() {
        use ContainerFormat::{Astc, Dds, Ktx2};
        let of = |family: FormatFamily| [Dds, Ktx2, Astc].map(|container| family.is_of(container));
        assert_eq!(of(FormatFamily::Bc), [true, true, false]);
        assert_eq!(of(FormatFamily::Astc), [false, true, true]);
        assert_eq!(of(FormatFamily::Etc2), [false, true, false]);
    }
}
