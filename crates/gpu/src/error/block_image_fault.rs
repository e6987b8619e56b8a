//! Faults of descriptions of images of blocks.

use wgpu::TextureFormat;

/// The reason why there is no image of blocks with such a description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockImageFault {
    /// The format has no blocks of 4×4 texels in 8 or 16 bytes.
    #[error("{0:?} is no BC format")]
    Format(TextureFormat),
    /// A side is 0, there are no mip levels, or more than halving allows.
    #[error("{size:?} texels have no {mip_levels} mip levels")]
    MipLevels {
        /// Width and height in texels.
        size: [u32; 2],
        /// Number of mip levels.
        mip_levels: u32,
    },
}
