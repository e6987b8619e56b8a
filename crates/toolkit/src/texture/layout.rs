//! Position of each picture in a texture.

use super::OptionsError;
use brickwork_texture::{TextureDesc, TextureFormat};

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

    /// Returns the texture whose mip level 0 has `count` images of this size.
    pub(super) fn desc(
        self,
        format: TextureFormat,
        [width, height]: [u32; 2],
        count: usize,
    ) -> Result<TextureDesc, OptionsError> {
        let too_many = |_| OptionsError::Count { layout: self, given: count };
        let count = u32::try_from(count).map_err(too_many)?;
        match self {
            _ if count == 0 => Err(OptionsError::NoPicture),
            Self::Layers => Ok(TextureDesc::new_2d(format, width, height).with_layers(count)),
            Self::Slices => Ok(TextureDesc::new_3d(format, width, height, count)),
            Self::Faces if width != height => Err(OptionsError::OblongFace { width, height }),
            Self::Faces if count.is_multiple_of(6) => {
                Ok(TextureDesc::new_cube(format, width).with_layers(count / 6))
            }
            Self::Faces => Err(OptionsError::Count { layout: self, given: count as usize }),
        }
    }
}
