//! Reasons why a texture, or an image of it, cannot exist.

use crate::{ErrorKind, TextureFormat};
use std::fmt;

/// Reason why a texture cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// A dimension or count is 0, or does not fit the kind.
    #[error(transparent)]
    Shape(#[from] ShapeFault),
    /// There are more mip levels than halving the size allows.
    #[error("{mip_levels} mip levels, but {width}×{height}×{depth} has at most {most}")]
    MipLevels {
        /// Requested number of mip levels.
        mip_levels: u32,
        /// Largest number of mip levels.
        most: u32,
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Depth in texels.
        depth: u32,
    },
    /// The colour space is sRGB, and no sampler converts the numbers of the format.
    #[error("{format} has no sRGB variant")]
    NoSrgb {
        /// The format.
        format: TextureFormat,
    },
    /// The data does not have the length that the shape needs.
    #[error("the shape needs {needed} bytes, {given} are there")]
    DataLength {
        /// Bytes needed; `u64::MAX` if the number does not fit.
        needed: u64,
        /// Bytes given.
        given: u64,
    },
}

impl TextureError {
    /// Returns the kind, which is always [`ErrorKind::Argument`]. For a file, see
    /// [`ContainerError::kind`](crate::container::ContainerError::kind).
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

/// First rule that a shape breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeFault {
    /// Width, height or depth is 0.
    #[error("a side of the texture is 0")]
    NoTexels,
    /// The number of layers or of mip levels is 0.
    #[error("a texture needs at least one layer and one mip level")]
    NoImages,
    /// Width and height of a cube differ.
    #[error("the faces of a cube are not square")]
    OblongCube,
    /// The depth of a 2D texture or a cube is not 1.
    #[error("only a 3D texture has a depth")]
    Depth,
    /// A 3D texture has more than one layer.
    #[error("a 3D texture has no layers")]
    Layers,
}

/// Error of selecting an image that a texture does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no {axis} {asked}, only {}",
    if *last == 0 { format!("{axis} 0") } else { format!("0 to {last}") }
)]
#[non_exhaustive]
pub struct NoSuchImage {
    /// Index that is too large.
    pub axis: ImageAxis,
    /// Value of the index.
    pub asked: u32,
    /// Largest valid value.
    pub last: u32,
}

impl NoSuchImage {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

/// Kind of index that selects an image of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "textures have no other numbers")]
pub enum ImageAxis {
    /// Array layer.
    Layer,
    /// Face of a cube.
    Face,
    /// Mip level.
    MipLevel,
    /// Slice of a 3D texture.
    Slice,
}

impl fmt::Display for ImageAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Layer => "layer",
            Self::Face => "face",
            Self::MipLevel => "mip level",
            Self::Slice => "slice",
        })
    }
}
