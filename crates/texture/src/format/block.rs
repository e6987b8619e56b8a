//! Block formats: their names and layouts.

use super::AstcFootprint;
use crate::ErrorKind;
use std::{fmt, str::FromStr};

/// A GPU block format: the storage of 4×4 texels, or more with ASTC, in 8 or 16 bytes. Colour space and alpha
/// mode belong to [`Texture`](crate::Texture).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockFormat {
    /// RGB with optional 1-bit alpha, 8 bytes per block.
    Bc1,
    /// RGB with explicit 4-bit alpha, 16 bytes per block.
    Bc2,
    /// RGB with interpolated alpha, 16 bytes per block.
    Bc3,
    /// One channel in 0..=1, 8 bytes per block.
    Bc4Unorm,
    /// One channel in -1..=1, 8 bytes per block. In texels of 0..=1, as in normal maps, 0 is -1 and 1 is 1.
    Bc4Snorm,
    /// Two channels in 0..=1, 16 bytes per block.
    Bc5Unorm,
    /// Two channels in -1..=1, 16 bytes per block; texels as for [`Bc4Snorm`](Self::Bc4Snorm).
    Bc5Snorm,
    /// RGB half floats ≥ 0, 16 bytes per block.
    Bc6hUfloat,
    /// RGB half floats, 16 bytes per block.
    Bc6hSfloat,
    /// RGB with optional alpha, 16 bytes per block.
    Bc7,
    /// RGB, 8 bytes per block.
    Etc2Rgb,
    /// RGB with 1-bit alpha, 8 bytes per block. Transparent texels are black.
    Etc2RgbA1,
    /// RGB with interpolated alpha, 16 bytes per block.
    Etc2Rgba,
    /// One channel in 0..=1 with 11 bits, 8 bytes per block.
    EacR11Unorm,
    /// One channel in -1..=1 with 11 bits, 8 bytes per block; texels as for [`Bc4Snorm`](Self::Bc4Snorm).
    EacR11Snorm,
    /// Two channels in 0..=1 with 11 bits, 16 bytes per block.
    EacRg11Unorm,
    /// Two channels in -1..=1 with 11 bits, 16 bytes per block; texels as for [`Bc4Snorm`](Self::Bc4Snorm).
    EacRg11Snorm,
    /// ASTC with a low dynamic range: RGB with optional alpha, 16 bytes per block of any footprint.
    Astc(AstcFootprint),
}

/// Name that does not belong to a block format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{name}\" is not a block format; expected bc1, bc2, bc3, bc4, bc4s, bc5, bc5s, bc6h, bc6hs, bc7, etc2, \
     etc2-a1, etc2-a8, eac-r11, eac-r11s, eac-rg11, eac-rg11s, astc-4x4 to astc-12x12 or one of their \
     DXGI_FORMAT_ and VK_FORMAT_ names"
)]
#[non_exhaustive]
pub struct UnknownFormat {
    /// Given name.
    pub name: String,
}

impl UnknownFormat {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

impl BlockFormat {
    /// All formats, in the order of declaration.
    pub const ALL: &[Self] = &[
        Self::Bc1,
        Self::Bc2,
        Self::Bc3,
        Self::Bc4Unorm,
        Self::Bc4Snorm,
        Self::Bc5Unorm,
        Self::Bc5Snorm,
        Self::Bc6hUfloat,
        Self::Bc6hSfloat,
        Self::Bc7,
        Self::Etc2Rgb,
        Self::Etc2RgbA1,
        Self::Etc2Rgba,
        Self::EacR11Unorm,
        Self::EacR11Snorm,
        Self::EacRg11Unorm,
        Self::EacRg11Snorm,
        Self::Astc(AstcFootprint::B4x4),
        Self::Astc(AstcFootprint::B5x4),
        Self::Astc(AstcFootprint::B5x5),
        Self::Astc(AstcFootprint::B6x5),
        Self::Astc(AstcFootprint::B6x6),
        Self::Astc(AstcFootprint::B8x5),
        Self::Astc(AstcFootprint::B8x6),
        Self::Astc(AstcFootprint::B8x8),
        Self::Astc(AstcFootprint::B10x5),
        Self::Astc(AstcFootprint::B10x6),
        Self::Astc(AstcFootprint::B10x8),
        Self::Astc(AstcFootprint::B10x10),
        Self::Astc(AstcFootprint::B12x10),
        Self::Astc(AstcFootprint::B12x12),
    ];

    /// Returns the width and height of a block in texels: 4×4, or the footprint of ASTC.
    pub const fn block_extent(self) -> [u32; 2] {
        match self {
            Self::Astc(footprint) => footprint.extent(),
            _ => [4, 4],
        }
    }

    /// Returns the size of one block in bytes: 8 or 16.
    pub const fn block_bytes(self) -> usize {
        match self {
            Self::Bc1
            | Self::Bc4Unorm
            | Self::Bc4Snorm
            | Self::Etc2Rgb
            | Self::Etc2RgbA1
            | Self::EacR11Unorm
            | Self::EacR11Snorm => 8,
            Self::Bc2
            | Self::Bc3
            | Self::Bc5Unorm
            | Self::Bc5Snorm
            | Self::Bc6hUfloat
            | Self::Bc6hSfloat
            | Self::Bc7
            | Self::Etc2Rgba
            | Self::EacRg11Unorm
            | Self::EacRg11Snorm
            | Self::Astc(_) => 16,
        }
    }

    /// True for ETC2, EAC and ASTC, which phones have in place of BC1 to BC7. DDS lacks them, and the CPU
    /// encodes them for every [`Encoder`](crate::Encoder).
    pub const fn is_mobile(self) -> bool {
        match self {
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => false,
            Self::Bc4Unorm | Self::Bc4Snorm | Self::Bc5Unorm | Self::Bc5Snorm => false,
            Self::Bc6hUfloat | Self::Bc6hSfloat => false,
            Self::Etc2Rgb | Self::Etc2RgbA1 | Self::Etc2Rgba | Self::Astc(_) => true,
            Self::EacR11Unorm | Self::EacR11Snorm | Self::EacRg11Unorm | Self::EacRg11Snorm => true,
        }
    }

    /// Blocks that an image of `width` × `height` texels needs.
    pub const fn block_count(self, width: u32, height: u32) -> u64 {
        let [block_width, block_height] = self.block_extent();
        width.div_ceil(block_width) as u64 * height.div_ceil(block_height) as u64
    }

    /// Returns the number of bytes that an image of `width` × `height` texels needs. Saturates: a 16-byte
    /// format with sides of 2³² texels would need 2⁶⁴.
    pub const fn image_bytes(self, width: u32, height: u32) -> u64 {
        self.block_count(width, height).saturating_mul(self.block_bytes() as u64)
    }

    /// True if the format has an sRGB variant, which samplers convert to linear light.
    pub const fn has_srgb(self) -> bool {
        match self {
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => true,
            Self::Etc2Rgb | Self::Etc2RgbA1 | Self::Etc2Rgba | Self::Astc(_) => true,
            Self::Bc4Unorm | Self::Bc4Snorm | Self::Bc5Unorm | Self::Bc5Snorm => false,
            Self::Bc6hUfloat | Self::Bc6hSfloat => false,
            Self::EacR11Unorm | Self::EacR11Snorm | Self::EacRg11Unorm | Self::EacRg11Snorm => false,
        }
    }

    /// Returns the channels that blocks store, starting with red: `R`, `RG`, `RGB` or `RGBA`. The others
    /// decode to 0, and alpha to 1.
    pub const fn channels(self) -> &'static str {
        match self {
            Self::Bc1 | Self::Bc2 | Self::Bc3 | Self::Bc7 => "RGBA",
            Self::Etc2RgbA1 | Self::Etc2Rgba | Self::Astc(_) => "RGBA",
            Self::Bc4Unorm | Self::Bc4Snorm | Self::EacR11Unorm | Self::EacR11Snorm => "R",
            Self::Bc5Unorm | Self::Bc5Snorm | Self::EacRg11Unorm | Self::EacRg11Snorm => "RG",
            Self::Bc6hUfloat | Self::Bc6hSfloat | Self::Etc2Rgb => "RGB",
        }
    }

    /// True if blocks store alpha.
    pub const fn has_alpha(self) -> bool {
        self.channels().len() == 4
    }

    /// Returns the short name, as used by the program's `--format`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bc1 => "bc1",
            Self::Bc2 => "bc2",
            Self::Bc3 => "bc3",
            Self::Bc4Unorm => "bc4",
            Self::Bc4Snorm => "bc4s",
            Self::Bc5Unorm => "bc5",
            Self::Bc5Snorm => "bc5s",
            Self::Bc6hUfloat => "bc6h",
            Self::Bc6hSfloat => "bc6hs",
            Self::Bc7 => "bc7",
            Self::Etc2Rgb => "etc2",
            Self::Etc2RgbA1 => "etc2-a1",
            Self::Etc2Rgba => "etc2-a8",
            Self::EacR11Unorm => "eac-r11",
            Self::EacR11Snorm => "eac-r11s",
            Self::EacRg11Unorm => "eac-rg11",
            Self::EacRg11Snorm => "eac-rg11s",
            Self::Astc(AstcFootprint::B4x4) => "astc-4x4",
            Self::Astc(AstcFootprint::B5x4) => "astc-5x4",
            Self::Astc(AstcFootprint::B5x5) => "astc-5x5",
            Self::Astc(AstcFootprint::B6x5) => "astc-6x5",
            Self::Astc(AstcFootprint::B6x6) => "astc-6x6",
            Self::Astc(AstcFootprint::B8x5) => "astc-8x5",
            Self::Astc(AstcFootprint::B8x6) => "astc-8x6",
            Self::Astc(AstcFootprint::B8x8) => "astc-8x8",
            Self::Astc(AstcFootprint::B10x5) => "astc-10x5",
            Self::Astc(AstcFootprint::B10x6) => "astc-10x6",
            Self::Astc(AstcFootprint::B10x8) => "astc-10x8",
            Self::Astc(AstcFootprint::B10x10) => "astc-10x10",
            Self::Astc(AstcFootprint::B12x10) => "astc-12x10",
            Self::Astc(AstcFootprint::B12x12) => "astc-12x12",
        }
    }
}

impl fmt::Display for BlockFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for BlockFormat {
    type Err = UnknownFormat;

    /// Takes the short name, a few common aliases (`dxt1`, `bc3_unorm`, …) and the DXGI and Vulkan names,
    /// ignoring case. A colour space in the name (`_SRGB`) is ignored here: see
    /// [`crate::ColorSpace::of_format_name`].
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let lower = name.to_ascii_lowercase();
        let core = lower.strip_prefix("dxgi_format_").or_else(|| lower.strip_prefix("vk_format_"));
        Ok(match core.unwrap_or(&lower) {
            "bc1"
            | "dxt1"
            | "bc1_unorm"
            | "bc1_unorm_srgb"
            | "bc1_rgb_unorm_block"
            | "bc1_rgb_srgb_block"
            | "bc1_rgba_unorm_block"
            | "bc1_rgba_srgb_block" => Self::Bc1,
            "bc2" | "dxt2" | "dxt3" | "bc2_unorm" | "bc2_unorm_srgb" | "bc2_unorm_block"
            | "bc2_srgb_block" => Self::Bc2,
            "bc3" | "dxt4" | "dxt5" | "bc3_unorm" | "bc3_unorm_srgb" | "bc3_unorm_block"
            | "bc3_srgb_block" => Self::Bc3,
            "bc4" | "ati1" | "bc4u" | "bc4_unorm" | "bc4_unorm_block" => Self::Bc4Unorm,
            "bc4s" | "bc4_snorm" | "bc4_snorm_block" => Self::Bc4Snorm,
            "bc5" | "ati2" | "bc5u" | "bc5_unorm" | "bc5_unorm_block" => Self::Bc5Unorm,
            "bc5s" | "bc5_snorm" | "bc5_snorm_block" => Self::Bc5Snorm,
            "bc6h" | "bc6hu" | "bc6h_uf16" | "bc6h_ufloat_block" => Self::Bc6hUfloat,
            "bc6hs" | "bc6h_sf16" | "bc6h_sfloat_block" => Self::Bc6hSfloat,
            "bc7" | "bc7_unorm" | "bc7_unorm_srgb" | "bc7_unorm_block" | "bc7_srgb_block" => Self::Bc7,
            "etc2" | "etc2-rgb" | "etc2_r8g8b8_unorm_block" | "etc2_r8g8b8_srgb_block" => Self::Etc2Rgb,
            "etc2-a1" | "etc2_r8g8b8a1_unorm_block" | "etc2_r8g8b8a1_srgb_block" => Self::Etc2RgbA1,
            "etc2-a8" | "etc2-rgba" | "etc2_r8g8b8a8_unorm_block" | "etc2_r8g8b8a8_srgb_block" => {
                Self::Etc2Rgba
            }
            "eac-r11" | "eac_r11_unorm_block" => Self::EacR11Unorm,
            "eac-r11s" | "eac_r11_snorm_block" => Self::EacR11Snorm,
            "eac-rg11" | "eac_r11g11_unorm_block" => Self::EacRg11Unorm,
            "eac-rg11s" | "eac_r11g11_snorm_block" => Self::EacRg11Snorm,
            "astc" => Self::Astc(AstcFootprint::default()),
            core => return astc(core).ok_or_else(|| UnknownFormat { name: name.to_owned() }),
        })
    }
}

/// Returns the format of `astc-4x4` or `astc_4x4_unorm_block`, in lower case, for any footprint.
fn astc(name: &str) -> Option<BlockFormat> {
    let size = name.strip_prefix("astc-").or_else(|| {
        let core = name.strip_prefix("astc_")?;
        core.strip_suffix("_unorm_block").or_else(|| core.strip_suffix("_srgb_block"))
    })?;
    let formats = AstcFootprint::ALL.iter().map(|&footprint| BlockFormat::Astc(footprint));
    formats.into_iter().find(|format| format.name().strip_prefix("astc-") == Some(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_short_name_leads_back() {
        for &format in BlockFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert_eq!("DXGI_FORMAT_BC1_UNORM_SRGB".parse(), Ok(BlockFormat::Bc1));
        assert_eq!("VK_FORMAT_BC6H_SFLOAT_BLOCK".parse(), Ok(BlockFormat::Bc6hSfloat));
        assert_eq!("ASTC".parse(), Ok(BlockFormat::Astc(AstcFootprint::B4x4)));
        assert_eq!("VK_FORMAT_ASTC_12x10_SRGB_BLOCK".parse(), Ok(BlockFormat::Astc(AstcFootprint::B12x10)));
        assert_eq!("vk_format_eac_r11g11_snorm_block".parse(), Ok(BlockFormat::EacRg11Snorm));
        for name in ["bc8", "astc-7x7", "astc-", "astc_4x4", "astc-4x4_unorm_block"] {
            assert!(name.parse::<BlockFormat>().is_err(), "{name}");
        }
    }

    #[test]
    fn sizes_round_up_and_do_not_overflow() {
        assert_eq!(BlockFormat::Bc1.image_bytes(1, 1), 8);
        assert_eq!(BlockFormat::Bc7.image_bytes(5, 4), 32);
        assert_eq!(BlockFormat::Bc1.image_bytes(u32::MAX, u32::MAX), 1 << 63);
        assert_eq!(BlockFormat::Astc(AstcFootprint::B12x10).image_bytes(13, 10), 32);
    }
}
