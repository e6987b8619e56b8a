//! Texture: the blocks or plain texels of every layer, face and mip level, with the properties that
//! containers store.

mod desc;
mod display;
mod error;
mod image_index;
mod join;
mod part;
mod subresource;

pub use desc::{AlphaMode, TextureDesc, TextureKind};
pub(crate) use desc::{check_shape, full_mip_levels};
pub use display::{Swizzle, SwizzleSource, TextureOrientation};
pub use error::{ImageAxis, NoSuchImage, ShapeFault, TextureError};
pub use image_index::ImageIndex;
pub use join::{JoinAs, JoinError};
pub use part::{PartError, TexturePart};
pub use subresource::Subresource;

/// Images with layers, faces and mip levels, in blocks or plain texels.
///
/// The data is ordered as in DDS: layer by layer; in a layer, face by face; in a face, mip level by mip level
/// from the largest; in a mip level of a 3D texture, slice by slice; in a slice, row by row. Rows have no
/// padding, and numbers have the lower byte first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    desc: TextureDesc,
    data: Vec<u8>,
    notes: Vec<String>,
    /// Sorted by key.
    key_values: Vec<(String, Vec<u8>)>,
}

impl Texture {
    /// Creates the texture that `desc` describes, with the blocks or plain texels in `data`.
    ///
    /// # Errors
    /// [`TextureError`] if no such texture can exist, or the length of `data` is not
    /// [`TextureDesc::data_bytes`].
    pub fn new(desc: TextureDesc, data: Vec<u8>) -> Result<Self, TextureError> {
        desc.check()?;
        let (needed, given) = (desc.data_bytes(), data.len() as u64);
        if needed != given {
            return Err(TextureError::DataLength { needed, given });
        }
        Ok(Self { desc, data, notes: Vec::new(), key_values: Vec::new() })
    }

    /// Returns the description: format, shape, mip levels, colour space and alpha.
    pub fn desc(&self) -> &TextureDesc {
        &self.desc
    }

    /// Returns faults of the file that a reader tolerated: one short sentence each, without a period.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(crate) fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// Returns the key/value pairs of a KTX2 file, sorted by key, which are written to the next one. Values
    /// of text end with a 0. Pairs that the description states (`KTXorientation`, `KTXswizzle`) or that each
    /// writer sets (`KTXwriter`, `KTXwriterScParams`) are not among them.
    pub fn key_values(&self) -> &[(String, Vec<u8>)] {
        &self.key_values
    }

    pub(crate) fn with_key_values(self, key_values: Vec<(String, Vec<u8>)>) -> Self {
        Self { key_values, ..self }
    }

    /// Replaces the description. The data stays the same.
    ///
    /// # Errors
    /// [`TextureError`] if no such texture can exist, or it would have another number of bytes.
    pub fn with_desc(self, desc: TextureDesc) -> Result<Self, TextureError> {
        let texture = Self::new(desc, self.data)?;
        Ok(Self { notes: self.notes, key_values: self.key_values, ..texture })
    }

    /// Returns all data, in the order above.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Returns all data, in the order above.
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// Returns the data of one face of one mip level, with all slices.
    ///
    /// # Errors
    /// [`NoSuchImage`] if `layer`, `face` or `mip_level` does not exist.
    pub fn image(&self, layer: u32, face: u32, mip_level: u32) -> Result<&[u8], NoSuchImage> {
        self.desc.check_image(ImageIndex { layer, face, mip_level, slice: 0 })?;
        Ok(&self.data[self.desc.image_range(layer, face, mip_level)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockFormat;

    #[test]
    fn images_lie_layer_face_mip_level() {
        let desc = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2).with_full_mips();
        let blocks: Vec<_> = (0..2 * 6 * 7).flat_map(|block| [block as u8; 8]).collect();
        let texture = Texture::new(desc, blocks.clone()).unwrap();
        // A face has 4 + 1 + 1 + 1 blocks.
        assert_eq!(texture.image(1, 2, 1).unwrap(), [(6 + 2) * 7 + 4; 8]);
        assert_eq!(texture.image(0, 0, 0).unwrap().len(), 32);
        let error = |layer, face, level| texture.image(layer, face, level).unwrap_err().to_string();
        assert_eq!(error(2, 0, 0), "there is no layer 2, only 0 to 1");
        assert_eq!(error(0, 6, 0), "there is no face 6, only 0 to 5");
        assert_eq!(error(0, 0, u32::MAX), "there is no mip level 4294967295, only 0 to 3");
        assert_eq!(texture.data(), blocks);
    }

    #[test]
    fn blocks_of_another_length_are_refused() {
        let desc = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2).with_full_mips();
        let error = Texture::new(desc, vec![0; 8]).unwrap_err();
        assert_eq!(error.to_string(), "the shape needs 672 bytes, 8 are there");
        assert!(Texture::new(desc.with_mip_levels(5), vec![0; 672]).is_err());
    }
}
