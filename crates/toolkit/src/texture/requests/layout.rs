//! Position of each picture in a texture.

/// Images of a texture that the inputs contain. Their order is that of the texture's blocks: layer by layer,
/// face by face, mip level by mip level, slice by slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextureLayout {
    /// One 2D image, or the layers of an array if there are several inputs.
    #[default]
    Layers,
    /// The faces of a cube, in the order +X, −X, +Y, −Y, +Z, −Z. There are six inputs, or six for each cube
    /// of an array.
    Faces,
    /// The slices of a 3D texture.
    Slices,
}

impl TextureLayout {
    /// All layouts.
    pub const ALL: &[Self] = &[Self::Layers, Self::Faces, Self::Slices];

    /// Returns the name, such as `layers`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layers => "layers",
            Self::Faces => "faces",
            Self::Slices => "slices",
        }
    }
}
