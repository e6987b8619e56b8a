//! Properties of BMP and JPEG files.

/// Property of a BMP or JPEG file that is not supported in a folder of slices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageFeature {
    /// Bits per texel of BMP.
    #[error("a BMP of {0} bits per texel")]
    BmpBits(u16),
    /// Compression of BMP, or its masks of colours.
    #[error("a BMP of compression {0} like this")]
    BmpCompression(u32),
    /// Colour space of JPEG, by its name.
    #[error("a JPEG in the colour space {0}")]
    JpegColors(String),
}
