//! Images of texels whose type is known only at run time.

use crate::{Image, ImageError, ImageView, TexelType, image_view::needed_texels};

/// An image of texels in bytes.
struct ByteImage<'a> {
    texel_type: TexelType,
    bytes: &'a [u8],
    size: [u32; 2],
    /// Distance from the start of a row to the start of the next.
    bytes_per_row: usize,
}

impl<'a> ImageView<'a, u8> {
    /// Returns an image of texels in bytes whose type is known only at run time. Rows start `bytes_per_row`
    /// bytes apart. Channels have the machine's byte order.
    ///
    /// ```
    /// use brickwork_image::{ImageView, TexelType};
    ///
    /// let bytes = [0u8; 2 * 3 * 5];
    /// let image = ImageView::from_bytes(TexelType::RGB8, &bytes, 2, 5, 6)?;
    /// assert_eq!(image.size(), [2, 5]);
    /// # Ok::<(), brickwork_image::ImageError>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0, `bytes_per_row` is below a row's bytes or not a multiple of a texel's,
    /// there are too few bytes, or they do not start at a multiple of a channel's bytes.
    pub fn from_bytes(
        texel_type: TexelType,
        bytes: &'a [u8],
        width: u32,
        height: u32,
        bytes_per_row: usize,
    ) -> Result<Box<dyn Image + 'a>, ImageError> {
        let texel_bytes = texel_type.bytes() as usize;
        if !bytes_per_row.is_multiple_of(texel_bytes) {
            return Err(ImageError::BytesPerRow { bytes_per_row, texel_bytes });
        }
        let alignment = texel_type.channel_type().bytes();
        if !bytes.as_ptr().addr().is_multiple_of(alignment as usize) {
            return Err(ImageError::Unaligned { alignment });
        }
        let needed = needed_texels(width, height, bytes_per_row / texel_bytes)?;
        let given = bytes.len() / texel_bytes;
        if needed > given as u64 {
            return Err(ImageError::TooShort { needed, given });
        }
        Ok(Box::new(ByteImage { texel_type, bytes, size: [width, height], bytes_per_row }))
    }
}

impl Image for ByteImage<'_> {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn texel_type(&self) -> TexelType {
        self.texel_type
    }

    fn bytes_of_row(&self, y: u32) -> &[u8] {
        let row_bytes = self.size[0] as usize * self.texel_type.bytes() as usize;
        &self.bytes[y as usize * self.bytes_per_row..][..row_bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChannelType;

    #[test]
    fn bytes_are_texels_of_any_type() {
        let words: Vec<u32> = (0..96).map(|i| i * 0x0203_0507 + 0x3c00_3c00).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        for &channel_type in ChannelType::ALL {
            for texel_type in (1..5).map(|count| TexelType::new(channel_type, count).unwrap()) {
                let pitch = 5 * texel_type.bytes() as usize;
                let image = ImageView::from_bytes(texel_type, bytes, 3, 2, pitch).unwrap();
                assert_eq!((image.size(), image.texel_type()), ([3, 2], texel_type));
                let row = image.bytes_of_row(1);
                assert_eq!(row, &bytes[pitch..][..3 * texel_type.bytes() as usize]);
                let error =
                    |bytes, pitch| ImageView::from_bytes(texel_type, bytes, 3, 2, pitch).err().unwrap();
                let texel_bytes = texel_type.bytes() as usize;
                let short = &bytes[..8 * texel_bytes - 1];
                assert_eq!(error(short, pitch), ImageError::TooShort { needed: 8, given: 7 });
                if texel_bytes > 1 {
                    let bytes_per_row = pitch + 1;
                    assert_eq!(
                        error(bytes, bytes_per_row),
                        ImageError::BytesPerRow { bytes_per_row, texel_bytes }
                    );
                }
                if channel_type != ChannelType::U8 {
                    let alignment = channel_type.bytes();
                    assert_eq!(error(&bytes[1..], pitch), ImageError::Unaligned { alignment });
                }
            }
        }
        let texels = [[1u16, 2, 3], [65535, 257, 0]];
        let of_bytes = TexelType::of::<[u16; 3]>();
        let image = ImageView::from_bytes(of_bytes, bytemuck::cast_slice(&texels), 2, 1, 12).unwrap();
        let mut buffer = [[0; 4]; 2];
        assert_eq!(image.row_rgba8(0, &mut buffer), [[0, 0, 0, 255], [255, 1, 0, 255]]);
        assert!(TexelType::new(ChannelType::U8, 0).is_none() && TexelType::new(ChannelType::U8, 5).is_none());
    }
}
