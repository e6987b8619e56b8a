//! Number of mip levels of a texture.

use brickwork_texture::TextureDesc;

/// A number of mip levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MipLevels {
    /// Down to 1×1.
    Full,
    /// At most this many, including mip level 0. 0 counts as 1.
    AtMost(u32),
}

impl MipLevels {
    /// Returns the number of mip levels of a texture with this shape.
    pub(in crate::texture) fn of(self, desc: &TextureDesc) -> u32 {
        match self {
            Self::Full => desc.full_mip_levels(),
            Self::AtMost(count) => count.clamp(1, desc.full_mip_levels()),
        }
    }
}
