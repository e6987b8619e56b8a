//! The choice of a format.

use brickwork_base::ErrorKind;
use brickwork_texture::{BlockFormat, ColorSpace, TextureFormat, UnknownTextureFormat};
use std::str::FromStr;

/// A block format or plain format with the other properties that its name states, or [`AUTO`](Self::AUTO). It
/// is parsed from `auto`, from short names such as `bc1` and `rgba8`, and from DXGI and Vulkan names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatChoice {
    format: Option<TextureFormat>,
    color_space: Option<ColorSpace>,
    is_without_alpha: bool,
}

impl FormatChoice {
    /// The block format that suits the pictures, from
    /// [`suggest_format`](brickwork_texture::pictures::suggest_format), or its counterpart in another
    /// [family](super::FormatFamily).
    pub const AUTO: Self = Self { format: None, color_space: None, is_without_alpha: false };

    /// Returns the choice of `format`.
    pub fn of(format: impl Into<TextureFormat>) -> Self {
        Self { format: Some(format.into()), ..Self::AUTO }
    }

    /// Returns the format; none for [`AUTO`](Self::AUTO).
    pub const fn format(&self) -> Option<TextureFormat> {
        self.format
    }

    /// Returns the colour space that the name states: `DXGI_FORMAT_BC1_UNORM_SRGB` states one, `bc1` does
    /// not.
    pub const fn color_space(&self) -> Option<ColorSpace> {
        self.color_space
    }

    /// True if the name states that there is no alpha, such as `VK_FORMAT_BC1_RGB_UNORM_BLOCK`.
    pub const fn is_without_alpha(&self) -> bool {
        self.is_without_alpha
    }
}

/// A name that is not a [`FormatChoice`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a format to encode to; expected auto, {names}")]
#[non_exhaustive]
pub struct UnknownFormatChoice {
    /// The given name.
    pub name: String,
    /// The names of the formats.
    names: String,
}

/// Returns the names of formats that images are encoded to, as a list in words.
fn encoded_names() -> String {
    let encoded = TextureFormat::all().filter(|format| format.block().is_none_or(BlockFormat::has_encoder));
    let names: Vec<_> = encoded.map(TextureFormat::name).collect();
    format!("{}, or a DXGI_FORMAT_ or VK_FORMAT_ name", names.join(", "))
}

impl UnknownFormatChoice {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

impl FromStr for FormatChoice {
    type Err = UnknownFormatChoice;

    fn from_str(name: &str) -> Result<Self, UnknownFormatChoice> {
        if name == "auto" {
            return Ok(Self::AUTO);
        }
        let unknown =
            |error: UnknownTextureFormat| UnknownFormatChoice { names: encoded_names(), name: error.name };
        let format = name.parse::<TextureFormat>().map_err(unknown)?;
        Ok(Self {
            format: Some(format),
            color_space: ColorSpace::of_format_name(name),
            is_without_alpha: name.to_ascii_uppercase().contains("BC1_RGB_"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::{BlockFormat, PlainFormat};

    #[test]
    fn names_may_state_a_color_space() {
        let srgb: FormatChoice = "DXGI_FORMAT_BC1_UNORM_SRGB".parse().unwrap();
        assert_eq!(
            srgb,
            FormatChoice { color_space: Some(ColorSpace::Srgb), ..FormatChoice::of(BlockFormat::Bc1) }
        );
        assert_eq!("bc1".parse(), Ok(FormatChoice::of(BlockFormat::Bc1)));
        let linear: FormatChoice = "VK_FORMAT_BC7_UNORM_BLOCK".parse().unwrap();
        assert_eq!(linear.color_space(), Some(ColorSpace::Linear));
        assert!("VK_FORMAT_BC1_RGB_UNORM_BLOCK".parse::<FormatChoice>().unwrap().is_without_alpha());
        assert_eq!("auto".parse(), Ok(FormatChoice::AUTO));
        let plain: FormatChoice = "VK_FORMAT_R8G8B8A8_SRGB".parse().unwrap();
        let rgba8 = FormatChoice::of(PlainFormat::Rgba8Unorm);
        assert_eq!(plain, FormatChoice { color_space: Some(ColorSpace::Srgb), ..rgba8 });
        let error = "jpeg".parse::<FormatChoice>().unwrap_err().to_string();
        assert!(error.contains("bc7") && error.contains("rgb9e5"), "{error}");
    }
}
