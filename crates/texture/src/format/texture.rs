//! Formats of textures: blocks or plain texels.

use super::{BlockFormat, PlainFormat};
use crate::ErrorKind;
use std::{fmt, str::FromStr};

/// A GPU format of a texture: compressed blocks, or plain texels.
///
/// ```
/// use brickwork_texture::{BlockFormat, PlainFormat, TextureFormat};
///
/// let format: TextureFormat = "rgba16f".parse()?;
/// assert_eq!(format, PlainFormat::Rgba16Float);
/// assert_eq!(TextureFormat::from(BlockFormat::Bc1).image_bytes(5, 4), 16);
/// # Ok::<(), brickwork_texture::UnknownTextureFormat>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum TextureFormat {
    /// Blocks of 4×4 texels, or more with ASTC.
    Block(BlockFormat),
    /// Texels without compression.
    Plain(PlainFormat),
}

/// Name that does not belong to a format of textures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a texture format; expected {}", TextureFormat::names())]
#[non_exhaustive]
pub struct UnknownTextureFormat {
    /// Given name.
    pub name: String,
}

impl UnknownTextureFormat {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

impl TextureFormat {
    /// Returns all formats: block formats, then plain ones.
    pub fn all() -> impl Iterator<Item = Self> {
        let blocks = BlockFormat::ALL.iter().map(|&format| Self::Block(format));
        blocks.chain(PlainFormat::ALL.iter().map(|&format| Self::Plain(format)))
    }

    /// Returns the block format, if the texture has blocks.
    pub const fn block(self) -> Option<BlockFormat> {
        match self {
            Self::Block(format) => Some(format),
            Self::Plain(_) => None,
        }
    }

    /// Returns the plain format, if the texture has plain texels.
    pub const fn plain(self) -> Option<PlainFormat> {
        match self {
            Self::Block(_) => None,
            Self::Plain(format) => Some(format),
        }
    }

    /// Returns the width and height of a block in texels: 1 for plain texels.
    pub const fn block_extent(self) -> [u32; 2] {
        match self {
            Self::Block(format) => format.block_extent(),
            Self::Plain(_) => [1, 1],
        }
    }

    /// Returns the size of one block, or of one plain texel, in bytes.
    pub const fn block_bytes(self) -> usize {
        match self {
            Self::Block(format) => format.block_bytes(),
            Self::Plain(format) => format.texel_bytes(),
        }
    }

    /// Returns the number of bits per texel: 4 or 8 for blocks of 4×4 texels, less for larger ones, 8 to 128
    /// for plain texels.
    pub fn bits_per_texel(self) -> f64 {
        let [width, height] = self.block_extent().map(f64::from);
        8.0 * self.block_bytes() as f64 / (width * height)
    }

    /// Returns the number of bytes that an image of `width` × `height` texels needs; `u64::MAX` if the number
    /// does not fit.
    pub const fn image_bytes(self, width: u32, height: u32) -> u64 {
        match self {
            Self::Block(format) => format.image_bytes(width, height),
            Self::Plain(format) => format.image_bytes(width, height),
        }
    }

    /// True if the format has an sRGB variant, which samplers convert to linear light.
    pub const fn has_srgb(self) -> bool {
        match self {
            Self::Block(format) => format.has_srgb(),
            Self::Plain(format) => format.has_srgb(),
        }
    }

    /// Returns the channels that the texture stores, starting with red: `R`, `RG`, `RGB` or `RGBA`. The
    /// others decode to 0, and alpha to 1.
    pub const fn channels(self) -> &'static str {
        match self {
            Self::Block(format) => format.channels(),
            Self::Plain(format) => format.channels(),
        }
    }

    /// True if the texture stores alpha.
    pub const fn has_alpha(self) -> bool {
        self.channels().len() == 4
    }

    /// True if channels are floats, which may be above 1.
    pub const fn is_float(self) -> bool {
        match self {
            Self::Block(format) => matches!(format, BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat),
            Self::Plain(format) => format.is_float(),
        }
    }

    /// True if channels are floats of at least 0: negative numbers become 0.
    pub const fn is_unsigned_float(self) -> bool {
        matches!(
            self,
            Self::Block(BlockFormat::Bc6hUfloat)
                | Self::Plain(PlainFormat::Rgb9e5 | PlainFormat::Rg11b10Float)
        )
    }

    /// Returns the short name, as used by the program's `--format`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Block(format) => format.name(),
            Self::Plain(format) => format.name(),
        }
    }

    /// Returns the short names of all formats, for messages.
    fn names() -> String {
        let names: Vec<_> = Self::all().map(Self::name).collect();
        format!("{}, or a DXGI_FORMAT_ or VK_FORMAT_ name", names.join(", "))
    }
}

impl From<BlockFormat> for TextureFormat {
    fn from(format: BlockFormat) -> Self {
        Self::Block(format)
    }
}

impl From<PlainFormat> for TextureFormat {
    fn from(format: PlainFormat) -> Self {
        Self::Plain(format)
    }
}

impl PartialEq<BlockFormat> for TextureFormat {
    fn eq(&self, other: &BlockFormat) -> bool {
        *self == Self::Block(*other)
    }
}

impl PartialEq<PlainFormat> for TextureFormat {
    fn eq(&self, other: &PlainFormat) -> bool {
        *self == Self::Plain(*other)
    }
}

impl fmt::Display for TextureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TextureFormat {
    type Err = UnknownTextureFormat;

    /// Takes the short name, the names that [`BlockFormat`] takes, and the DXGI and Vulkan names, ignoring
    /// case. A colour space in the name (`_SRGB`) is ignored here: see
    /// [`ColorSpace::of_format_name`](crate::ColorSpace::of_format_name).
    fn from_str(name: &str) -> Result<Self, UnknownTextureFormat> {
        let block = name.parse::<BlockFormat>().ok().map(Self::Block);
        block
            .or_else(|| PlainFormat::of_name(name).map(Self::Plain))
            .ok_or_else(|| UnknownTextureFormat { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_and_sizes_agree() {
        for format in TextureFormat::all() {
            assert_eq!(format.name().parse(), Ok(format));
            let [width, height] = format.block_extent();
            assert_eq!(format.image_bytes(width, height), format.block_bytes() as u64, "{format}");
            assert_eq!(format.block().is_some(), format.plain().is_none(), "{format}");
            assert!(!format.is_unsigned_float() || format.is_float(), "{format}");
        }
        let bits = |name: &str| name.parse::<TextureFormat>().unwrap().bits_per_texel();
        assert_eq!(["bc1", "bc7", "r8", "rgba32f", "astc-8x8"].map(bits), [4.0, 8.0, 8.0, 128.0, 2.0]);
        let error = "rgb7".parse::<TextureFormat>().unwrap_err().to_string();
        assert!(error.contains("12x12, r8, ") && error.contains("rg11b10f, or a"), "{error}");
    }
}
