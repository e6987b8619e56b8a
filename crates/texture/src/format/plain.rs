//! Plain formats: texels without compression.

use std::fmt;

/// A GPU format that stores each texel by itself, in 1 to 16 bytes. Numbers have the lower byte first, and
/// the first channel of a name is at the lowest address or in the lowest bits. Colour space and alpha mode
/// belong to [`Texture`](crate::Texture).
///
/// Integers are rounded to nearest. Signed formats store texels of 0..=1 as −1..=1, like
/// [`BlockFormat::Bc4Snorm`](crate::BlockFormat::Bc4Snorm).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlainFormat {
    /// Red in 0..=1, 8 bits.
    R8Unorm,
    /// Red in -1..=1, 8 bits.
    R8Snorm,
    /// Red and green in 0..=1, 8 bits each.
    Rg8Unorm,
    /// Red and green in -1..=1, 8 bits each.
    Rg8Snorm,
    /// RGBA in 0..=1, 8 bits per channel.
    Rgba8Unorm,
    /// RGBA in -1..=1, 8 bits per channel.
    Rgba8Snorm,
    /// RGBA in 0..=1, 8 bits per channel, with blue first.
    Bgra8Unorm,
    /// Red in 0..=1, 16 bits.
    R16Unorm,
    /// Red in -1..=1, 16 bits.
    R16Snorm,
    /// Red and green in 0..=1, 16 bits each.
    Rg16Unorm,
    /// Red and green in -1..=1, 16 bits each.
    Rg16Snorm,
    /// RGBA in 0..=1, 16 bits per channel.
    Rgba16Unorm,
    /// RGBA in -1..=1, 16 bits per channel.
    Rgba16Snorm,
    /// Red as a half float.
    R16Float,
    /// Red and green as half floats.
    Rg16Float,
    /// RGBA as half floats.
    Rgba16Float,
    /// Red as a single float.
    R32Float,
    /// Red and green as single floats.
    Rg32Float,
    /// RGBA as single floats.
    Rgba32Float,
    /// RGB of 0 to 65408: 9 bits each, and a shared exponent of 5 bits.
    Rgb9e5,
    /// RGB floats ≥ 0 without a sign: red and green in 11 bits, blue in 10.
    Rg11b10Float,
}

impl PlainFormat {
    /// All formats, in the order of declaration.
    pub const ALL: &[Self] = &[
        Self::R8Unorm,
        Self::R8Snorm,
        Self::Rg8Unorm,
        Self::Rg8Snorm,
        Self::Rgba8Unorm,
        Self::Rgba8Snorm,
        Self::Bgra8Unorm,
        Self::R16Unorm,
        Self::R16Snorm,
        Self::Rg16Unorm,
        Self::Rg16Snorm,
        Self::Rgba16Unorm,
        Self::Rgba16Snorm,
        Self::R16Float,
        Self::Rg16Float,
        Self::Rgba16Float,
        Self::R32Float,
        Self::Rg32Float,
        Self::Rgba32Float,
        Self::Rgb9e5,
        Self::Rg11b10Float,
    ];

    /// Returns the size of one texel in bytes: 1, 2, 4, 8 or 16.
    pub const fn texel_bytes(self) -> usize {
        match self {
            Self::R8Unorm | Self::R8Snorm => 1,
            Self::Rg8Unorm | Self::Rg8Snorm | Self::R16Unorm | Self::R16Snorm | Self::R16Float => 2,
            Self::Rgba8Unorm
            | Self::Rgba8Snorm
            | Self::Bgra8Unorm
            | Self::Rg16Unorm
            | Self::Rg16Snorm
            | Self::Rg16Float
            | Self::R32Float
            | Self::Rgb9e5
            | Self::Rg11b10Float => 4,
            Self::Rgba16Unorm | Self::Rgba16Snorm | Self::Rgba16Float | Self::Rg32Float => 8,
            Self::Rgba32Float => 16,
        }
    }

    /// Returns the number of bytes that an image of `width` × `height` texels needs; `u64::MAX` if the number
    /// does not fit.
    pub const fn image_bytes(self, width: u32, height: u32) -> u64 {
        (width as u64 * height as u64).saturating_mul(self.texel_bytes() as u64)
    }

    /// True if the format has an sRGB variant, which samplers convert to linear light, in DDS and KTX2.
    pub const fn has_srgb(self) -> bool {
        matches!(self, Self::Rgba8Unorm | Self::Bgra8Unorm)
    }

    /// Returns the channels that texels store, starting with red: `R`, `RG`, `RGB` or `RGBA`. The others
    /// decode to 0, and alpha to 1.
    pub const fn channels(self) -> &'static str {
        match self {
            Self::R8Unorm
            | Self::R8Snorm
            | Self::R16Unorm
            | Self::R16Snorm
            | Self::R16Float
            | Self::R32Float => "R",
            Self::Rg8Unorm
            | Self::Rg8Snorm
            | Self::Rg16Unorm
            | Self::Rg16Snorm
            | Self::Rg16Float
            | Self::Rg32Float => "RG",
            Self::Rgb9e5 | Self::Rg11b10Float => "RGB",
            Self::Rgba8Unorm
            | Self::Rgba8Snorm
            | Self::Bgra8Unorm
            | Self::Rgba16Unorm
            | Self::Rgba16Snorm
            | Self::Rgba16Float
            | Self::Rgba32Float => "RGBA",
        }
    }

    /// True if texels store alpha.
    pub const fn has_alpha(self) -> bool {
        self.channels().len() == 4
    }

    /// True if channels are floats, which may be above 1.
    pub const fn is_float(self) -> bool {
        match self {
            Self::R16Float
            | Self::Rg16Float
            | Self::Rgba16Float
            | Self::R32Float
            | Self::Rg32Float
            | Self::Rgba32Float
            | Self::Rgb9e5
            | Self::Rg11b10Float => true,
            Self::R8Unorm
            | Self::R8Snorm
            | Self::Rg8Unorm
            | Self::Rg8Snorm
            | Self::Rgba8Unorm
            | Self::Rgba8Snorm
            | Self::Bgra8Unorm
            | Self::R16Unorm
            | Self::R16Snorm
            | Self::Rg16Unorm
            | Self::Rg16Snorm
            | Self::Rgba16Unorm
            | Self::Rgba16Snorm => false,
        }
    }

    /// Returns the number of significant bits of a channel, without the sign: those of the mantissa, with its
    /// leading one, for floats. For R11G11B10, those of blue.
    pub const fn precision_bits(self) -> u32 {
        match self {
            Self::Rg11b10Float => 6,
            Self::R8Snorm | Self::Rg8Snorm | Self::Rgba8Snorm => 7,
            Self::R8Unorm | Self::Rg8Unorm | Self::Rgba8Unorm | Self::Bgra8Unorm => 8,
            Self::Rgb9e5 => 9,
            Self::R16Float | Self::Rg16Float | Self::Rgba16Float => 11,
            Self::R16Snorm | Self::Rg16Snorm | Self::Rgba16Snorm => 15,
            Self::R16Unorm | Self::Rg16Unorm | Self::Rgba16Unorm => 16,
            Self::R32Float | Self::Rg32Float | Self::Rgba32Float => 24,
        }
    }

    /// Returns the short name, as used by the program's `--format`.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// Returns the format with this name, ignoring case: the short name, or that of DXGI or Vulkan with or
    /// without its prefix.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let core = lower.strip_prefix("dxgi_format_").or_else(|| lower.strip_prefix("vk_format_"));
        let core = core.unwrap_or(&lower);
        let is_named = |format: &&Self| {
            let (short, dxgi, vulkan) = format.names();
            let is_srgb = match core.strip_suffix("_srgb") {
                Some(rest) => format.has_srgb() && (rest == dxgi || format!("{rest}_unorm") == vulkan),
                None => false,
            };
            [short, dxgi, vulkan].contains(&core) || is_srgb
        };
        Self::ALL.iter().find(is_named).copied()
    }

    /// Returns the short name, and the names of the linear format in DXGI and Vulkan, in lower case and
    /// without their prefixes.
    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::R8Unorm => ("r8", "r8_unorm", "r8_unorm"),
            Self::R8Snorm => ("r8s", "r8_snorm", "r8_snorm"),
            Self::Rg8Unorm => ("rg8", "r8g8_unorm", "r8g8_unorm"),
            Self::Rg8Snorm => ("rg8s", "r8g8_snorm", "r8g8_snorm"),
            Self::Rgba8Unorm => ("rgba8", "r8g8b8a8_unorm", "r8g8b8a8_unorm"),
            Self::Rgba8Snorm => ("rgba8s", "r8g8b8a8_snorm", "r8g8b8a8_snorm"),
            Self::Bgra8Unorm => ("bgra8", "b8g8r8a8_unorm", "b8g8r8a8_unorm"),
            Self::R16Unorm => ("r16", "r16_unorm", "r16_unorm"),
            Self::R16Snorm => ("r16s", "r16_snorm", "r16_snorm"),
            Self::Rg16Unorm => ("rg16", "r16g16_unorm", "r16g16_unorm"),
            Self::Rg16Snorm => ("rg16s", "r16g16_snorm", "r16g16_snorm"),
            Self::Rgba16Unorm => ("rgba16", "r16g16b16a16_unorm", "r16g16b16a16_unorm"),
            Self::Rgba16Snorm => ("rgba16s", "r16g16b16a16_snorm", "r16g16b16a16_snorm"),
            Self::R16Float => ("r16f", "r16_float", "r16_sfloat"),
            Self::Rg16Float => ("rg16f", "r16g16_float", "r16g16_sfloat"),
            Self::Rgba16Float => ("rgba16f", "r16g16b16a16_float", "r16g16b16a16_sfloat"),
            Self::R32Float => ("r32f", "r32_float", "r32_sfloat"),
            Self::Rg32Float => ("rg32f", "r32g32_float", "r32g32_sfloat"),
            Self::Rgba32Float => ("rgba32f", "r32g32b32a32_float", "r32g32b32a32_sfloat"),
            Self::Rgb9e5 => ("rgb9e5", "r9g9b9e5_sharedexp", "e5b9g9r9_ufloat_pack32"),
            Self::Rg11b10Float => ("rg11b10f", "r11g11b10_float", "b10g11r11_ufloat_pack32"),
        }
    }
}

impl fmt::Display for PlainFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back() {
        for &format in PlainFormat::ALL {
            let (short, dxgi, vulkan) = format.names();
            for name in [short.to_owned(), format!("DXGI_FORMAT_{dxgi}"), format!("VK_FORMAT_{vulkan}")] {
                assert_eq!(PlainFormat::of_name(&name.to_uppercase()), Some(format), "{name}");
            }
        }
        let of_name = PlainFormat::of_name;
        assert_eq!(of_name("DXGI_FORMAT_B8G8R8A8_UNORM_SRGB"), Some(PlainFormat::Bgra8Unorm));
        assert_eq!(of_name("VK_FORMAT_R8G8B8A8_SRGB"), Some(PlainFormat::Rgba8Unorm));
        for name in ["DXGI_FORMAT_R8_UNORM_SRGB", "VK_FORMAT_R8_SRGB", "rgba8_srgb", "rgba9", ""] {
            assert_eq!(of_name(name), None, "{name}");
        }
    }

    #[test]
    fn sizes_do_not_overflow() {
        assert_eq!(PlainFormat::Rg8Unorm.image_bytes(3, 5), 30);
        assert_eq!(PlainFormat::Rgba32Float.image_bytes(u32::MAX, u32::MAX), u64::MAX);
    }
}
