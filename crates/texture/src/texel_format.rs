//! Forms in which encoders take texels.

use crate::ChannelType;
#[cfg(feature = "gpu")]
use crate::TexelType;

/// Form in which encoders take texels, for any type in the image: four channels, red first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TexelFormat {
    /// 8 bits per channel, from [`Texel::to_rgba8`](crate::Texel::to_rgba8).
    #[default]
    Rgba8,
    /// 16 bits per channel, from [`Texel::to_rgba16`](crate::Texel::to_rgba16).
    Rgba16,
    /// Half floats, from [`Texel::to_rgba_f16`](crate::Texel::to_rgba_f16).
    RgbaF16,
}

impl TexelFormat {
    /// All forms.
    pub const ALL: &[Self] = &[Self::Rgba8, Self::Rgba16, Self::RgbaF16];

    /// Returns the type of the four channels.
    pub const fn channel_type(self) -> ChannelType {
        match self {
            Self::Rgba8 => ChannelType::U8,
            Self::Rgba16 => ChannelType::U16,
            Self::RgbaF16 => ChannelType::F16,
        }
    }

    /// Returns the size of one texel in bytes: 4 or 8.
    pub const fn texel_bytes(self) -> u32 {
        match self {
            Self::Rgba8 => 4,
            Self::Rgba16 | Self::RgbaF16 => 8,
        }
    }

    /// Returns the type of the texels.
    #[cfg(feature = "gpu")]
    pub(crate) const fn texel_type(self) -> TexelType {
        match self {
            Self::Rgba8 => TexelType::of::<[u8; 4]>(),
            Self::Rgba16 => TexelType::of::<[u16; 4]>(),
            Self::RgbaF16 => TexelType::of::<[half::f16; 4]>(),
        }
    }
}

impl From<TexelFormat> for ChannelType {
    fn from(format: TexelFormat) -> Self {
        format.channel_type()
    }
}
