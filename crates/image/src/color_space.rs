//! Colour spaces.

/// Colour space of the stored numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "samplers of GPUs know no third")]
pub enum ColorSpace {
    /// sRGB: samplers convert red, green and blue from its transfer function.
    Srgb,
    /// Linear: samplers return the numbers unchanged.
    Linear,
}

impl ColorSpace {
    /// Returns the colour space that a DXGI or Vulkan format name states: sRGB if it contains `SRGB`, linear
    /// if it contains `UNORM`, and `None` for short names such as `bc1`.
    pub fn of_format_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        if lower.contains("srgb") {
            Some(Self::Srgb)
        } else if lower.contains("unorm") {
            Some(Self::Linear)
        } else {
            None
        }
    }
}
