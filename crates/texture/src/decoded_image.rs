//! One image of a texture to texels.

use crate::{DecodeError, Decoder, ImageIndex, Texture, decode_into};

/// Texels of one image in 8-bit RGBA.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodedImage {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// The texels, row by row from top to bottom without gaps.
    pub texels: Vec<[u8; 4]>,
}

impl Texture {
    /// Decodes one image, rounding as `decoder` does. Its texels and all blocks may together take at most
    /// `max_memory` bytes.
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, Decoder, ImageIndex, Texture, TextureDesc};
    ///
    /// let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 8).with_full_mips();
    /// let texture = Texture::new(desc, vec![0; desc.data_bytes() as usize])?;
    /// let index = ImageIndex { mip_level: 1, ..ImageIndex::default() };
    /// let image = texture.decode(index, Decoder::Exact, 4 << 30)?;
    /// assert_eq!((image.width, image.height, image.texels[0]), (4, 4, [0, 0, 0, 255]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DecodeError`] if there is no such image, no decoder for the format, or too little memory.
    pub fn decode(
        &self,
        index: ImageIndex,
        decoder: Decoder,
        max_memory: u64,
    ) -> Result<DecodedImage, DecodeError> {
        let desc = self.desc();
        desc.check_image(index)?;
        let [width, height, _] = desc.mip_level_size(index.mip_level);
        let texel_count = u64::from(width) * u64::from(height);
        let needed = texel_count.saturating_mul(4).saturating_add(self.data().len() as u64);
        let too_large = |limit| DecodeError::TooLarge { needed, limit };
        if needed > max_memory {
            return Err(too_large(max_memory));
        }
        let texel_count = usize::try_from(texel_count).map_err(|_| too_large(usize::MAX as u64))?;
        let mut texels = Vec::new();
        texels.try_reserve_exact(texel_count).map_err(|_| too_large(isize::MAX as u64))?;
        texels.resize(texel_count, [0; 4]);
        let slice_bytes = desc.format.image_bytes(width, height) as usize;
        let slices = self.image(index.layer, index.face, index.mip_level)?;
        let blocks = &slices[index.slice as usize * slice_bytes..][..slice_bytes];
        decode_into(desc.format, blocks, width, height, decoder, &mut texels)?;
        Ok(DecodedImage { width, height, texels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockFormat, TextureDesc};

    #[test]
    fn images_that_are_not_there_are_named() {
        let desc = TextureDesc::new_3d(BlockFormat::Bc1, 4, 4, 8).with_mip_levels(2);
        // Each slice has a colour of its own.
        let data = (0..desc.data_bytes() / 8).flat_map(|slice| [slice as u8, 0, 0, 0, 0, 0, 0, 0]).collect();
        let texture = Texture::new(desc, data).unwrap();
        let decode = |mip_level, slice, max_memory| {
            let index = ImageIndex { mip_level, slice, ..ImageIndex::default() };
            texture.decode(index, Decoder::Exact, max_memory)
        };
        let blue = |slice: u32| (slice * 255 + 15) / 31;
        assert_eq!(decode(0, 5, 160).unwrap().texels, [[0, 0, blue(5) as u8, 255]; 16]);
        assert_eq!(decode(1, 3, 160).unwrap().texels, [[0, 0, blue(8 + 3) as u8, 255]; 4]);
        let error = |mip_level, slice| decode(mip_level, slice, 160).unwrap_err().to_string();
        assert_eq!(error(1, 4), "there is no slice 4, only 0 to 3");
        assert_eq!(error(2, 0), "there is no mip level 2, only 0 to 1");
        let index = ImageIndex { layer: 1, ..ImageIndex::default() };
        let error = texture.decode(index, Decoder::Exact, 160).unwrap_err();
        assert_eq!(error.to_string(), "there is no layer 1, only layer 0");
        let error = decode(0, 0, 159).unwrap_err();
        assert_eq!(
            error.to_string(),
            "blocks and texels need 160 bytes of memory, above the limit of 159 bytes"
        );
    }
}
