//! What comes out of a decoder.

use super::{FileFormat, Picture, Texels, budget::Budget, failure::Failure, orient};
use crate::ColorSpace;
use image::metadata::Orientation;

/// What a decoder yields.
pub(super) struct Decoded {
    pub size: [u32; 2],
    pub texels: Texels,
    pub has_alpha: bool,
    pub orientation: Orientation,
    pub color: (ColorSpace, String),
}

impl Decoded {
    pub fn into_picture(self, file_format: FileFormat, budget: &Budget<'_>) -> Result<Picture, Failure> {
        let (texels, [width, height]) = orient::apply(self.texels, self.size, self.orientation, budget)?;
        let (color_space, color_space_reason) = self.color;
        let is_opaque = texels.is_opaque();
        let has_alpha = self.has_alpha;
        Ok(Picture {
            width,
            height,
            texels,
            file_format,
            color_space,
            color_space_reason,
            has_alpha,
            is_opaque,
            part: None,
        })
    }
}
