//! Properties of PNG files.

/// Property of a PNG file that is not supported in a folder of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PngFeature {
    /// Colours by the index of a palette.
    #[error("a PNG with a palette")]
    Palette,
    /// Samples of 1, 2 or 4 bits.
    #[error("a PNG of {0} bits per sample")]
    Bits(u8),
}
