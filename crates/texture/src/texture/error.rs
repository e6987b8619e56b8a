//! Why a texture cannot exist.

/// Why a texture cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// A dimension or count is 0, or does not fit the kind.
    #[error("{reason}")]
    Shape {
        /// What does not fit.
        reason: &'static str,
    },
    /// More mip levels than halving the size allows.
    #[error("{mip_levels} mip levels, but {width}×{height}×{depth} has at most {most}")]
    MipLevels {
        /// Mip levels asked for.
        mip_levels: u32,
        /// Mip levels there can be.
        most: u32,
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Depth in texels.
        depth: u32,
    },
    /// The data does not have the length that the shape needs.
    #[error("the shape needs {needed} bytes of blocks, {given} are there")]
    DataLength {
        /// Bytes needed; `u64::MAX` where the count does not fit.
        needed: u64,
        /// Bytes given.
        given: u64,
    },
}
