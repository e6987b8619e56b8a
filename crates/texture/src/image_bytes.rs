//! Images of texels whose type is known only at run time.

use crate::{ChannelType, Image, ImageError, ImageView, Texel, TexelType};
use half::f16;

impl<'a> ImageView<'a, u8> {
    /// Returns an image of texels in bytes whose type is known only at run time. Rows start `bytes_per_row`
    /// bytes apart. Channels have the machine's byte order.
    ///
    /// ```
    /// use brickwork_texture::{ImageView, TexelType};
    ///
    /// let bytes = [0u8; 2 * 3 * 5];
    /// let image = ImageView::from_bytes(TexelType::RGB8, &bytes, 2, 5, 6)?;
    /// assert_eq!(image.size(), [2, 5]);
    /// # Ok::<(), brickwork_texture::ImageError>(())
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
        let view = match (texel_type.channel_type(), texel_type.channel_count()) {
            (ChannelType::U8, 1) => view::<u8>,
            (ChannelType::U8, 2) => view::<[u8; 2]>,
            (ChannelType::U8, 3) => view::<[u8; 3]>,
            (ChannelType::U8, _) => view::<[u8; 4]>,
            (ChannelType::U16, 1) => view::<u16>,
            (ChannelType::U16, 2) => view::<[u16; 2]>,
            (ChannelType::U16, 3) => view::<[u16; 3]>,
            (ChannelType::U16, _) => view::<[u16; 4]>,
            (ChannelType::F16, 1) => view::<f16>,
            (ChannelType::F16, 2) => view::<[f16; 2]>,
            (ChannelType::F16, 3) => view::<[f16; 3]>,
            (ChannelType::F16, _) => view::<[f16; 4]>,
            (ChannelType::F32, 1) => view::<f32>,
            (ChannelType::F32, 2) => view::<[f32; 2]>,
            (ChannelType::F32, 3) => view::<[f32; 3]>,
            (ChannelType::F32, _) => view::<[f32; 4]>,
        };
        view(bytes, width, height, bytes_per_row)
    }
}

fn view<T: Texel>(
    bytes: &[u8],
    width: u32,
    height: u32,
    bytes_per_row: usize,
) -> Result<Box<dyn Image + '_>, ImageError> {
    let texel_bytes = size_of::<T>();
    if !bytes_per_row.is_multiple_of(texel_bytes) {
        return Err(ImageError::BytesPerRow { bytes_per_row, texel_bytes });
    }
    let whole = &bytes[..bytes.len() - bytes.len() % texel_bytes];
    let texels: &[T] = bytemuck::try_cast_slice(whole)
        .map_err(|_| ImageError::Unaligned { alignment: align_of::<T>() as u32 })?;
    Ok(Box::new(ImageView::with_stride(texels, width, height, bytes_per_row / texel_bytes)?))
}

#[cfg(test)]
mod tests {
    use super::*;

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
