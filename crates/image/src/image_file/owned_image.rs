//! Texels that an image owns.

use super::Texels;
use crate::{Image, TexelType};

/// An image whose texels are row by row without gaps.
pub(super) struct OwnedImage {
    pub texels: Texels,
    pub size: [u32; 2],
}

impl Image for OwnedImage {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn texel_type(&self) -> TexelType {
        self.texels.texel_type()
    }

    fn bytes_of_row(&self, y: u32) -> &[u8] {
        let row_bytes = self.size[0] as usize * self.texel_type().bytes() as usize;
        &self.texels.bytes()[y as usize * row_bytes..][..row_bytes]
    }
}
