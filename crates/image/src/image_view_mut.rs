//! Texels that a decoder writes.

use crate::{ChannelType, ImageError, image_view::needed_texels};
use half::f16;

/// Mutably borrowed RGBA texels.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "decoders need code for each type")]
pub enum TexelsMut<'a> {
    /// 8 bits per channel.
    Rgba8(&'a mut [[u8; 4]]),
    /// 16 bits per channel.
    Rgba16(&'a mut [[u16; 4]]),
    /// Half floats.
    RgbaF16(&'a mut [[f16; 4]]),
    /// Single floats.
    RgbaF32(&'a mut [[f32; 4]]),
}

impl TexelsMut<'_> {
    /// Returns the number of texels.
    pub fn len(&self) -> usize {
        match self {
            Self::Rgba8(texels) => texels.len(),
            Self::Rgba16(texels) => texels.len(),
            Self::RgbaF16(texels) => texels.len(),
            Self::RgbaF32(texels) => texels.len(),
        }
    }

    /// True if there are no texels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a mut [[u8; 4]]> for TexelsMut<'a> {
    fn from(texels: &'a mut [[u8; 4]]) -> Self {
        Self::Rgba8(texels)
    }
}

impl<'a> From<&'a mut [[u16; 4]]> for TexelsMut<'a> {
    fn from(texels: &'a mut [[u16; 4]]) -> Self {
        Self::Rgba16(texels)
    }
}

impl<'a> From<&'a mut [[f16; 4]]> for TexelsMut<'a> {
    fn from(texels: &'a mut [[f16; 4]]) -> Self {
        Self::RgbaF16(texels)
    }
}

impl<'a> From<&'a mut [[f32; 4]]> for TexelsMut<'a> {
    fn from(texels: &'a mut [[f32; 4]]) -> Self {
        Self::RgbaF32(texels)
    }
}

/// A mutably borrowed image, which decoders write.
///
/// Rows go from top to bottom, texels from left to right. `stride` texels are between the starts of two rows;
/// those between the end of a row and the start of the next are not written.
///
/// ```
/// use brickwork_image::{ImageViewMut, TexelsMut};
///
/// let mut texels = [[0u8; 4]; 16];
/// let mut image = ImageViewMut::new(&mut texels[..], 4, 4)?;
/// if let TexelsMut::Rgba8(texels) = image.texels_mut() {
///     texels[5] = [255; 4];
/// }
/// assert_eq!(texels[5], [255; 4]);
/// # Ok::<(), brickwork_image::ImageError>(())
/// ```
#[derive(Debug)]
pub struct ImageViewMut<'a> {
    texels: TexelsMut<'a>,
    width: u32,
    height: u32,
    stride: usize,
}

impl<'a> ImageViewMut<'a> {
    /// Returns an image whose rows follow each other without gaps.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0 or there are fewer than `width · height` texels.
    pub fn new(texels: impl Into<TexelsMut<'a>>, width: u32, height: u32) -> Result<Self, ImageError> {
        Self::with_stride(texels, width, height, width as usize)
    }

    /// Returns an image whose rows start `stride` texels apart. The last row need not be padded.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0, `stride` is below `width`, or there are too few texels.
    pub fn with_stride(
        texels: impl Into<TexelsMut<'a>>,
        width: u32,
        height: u32,
        stride: usize,
    ) -> Result<Self, ImageError> {
        let texels = texels.into();
        let needed = needed_texels(width, height, stride)?;
        if needed > texels.len() as u64 {
            return Err(ImageError::TooShort { needed, given: texels.len() });
        }
        Ok(Self { texels, width, height, stride })
    }

    /// Returns an image of RGBA texels in bytes, whose rows start `bytes_per_row` bytes apart. Channels have
    /// the machine's byte order.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0, `bytes_per_row` is below a row's bytes or no multiple of a texel's,
    /// there are too few bytes, or they do not start at a multiple of a channel's bytes.
    pub fn from_bytes(
        channel_type: ChannelType,
        bytes: &'a mut [u8],
        width: u32,
        height: u32,
        bytes_per_row: usize,
    ) -> Result<Self, ImageError> {
        let texel_bytes = 4 * channel_type.bytes() as usize;
        if !bytes_per_row.is_multiple_of(texel_bytes) {
            return Err(ImageError::BytesPerRow { bytes_per_row, texel_bytes });
        }
        let whole = bytes.len() - bytes.len() % texel_bytes;
        let bytes = &mut bytes[..whole];
        let unaligned = |_| ImageError::Unaligned { alignment: channel_type.bytes() };
        let texels = match channel_type {
            ChannelType::U8 => TexelsMut::Rgba8(bytemuck::try_cast_slice_mut(bytes).map_err(unaligned)?),
            ChannelType::U16 => TexelsMut::Rgba16(bytemuck::try_cast_slice_mut(bytes).map_err(unaligned)?),
            ChannelType::F16 => TexelsMut::RgbaF16(bytemuck::try_cast_slice_mut(bytes).map_err(unaligned)?),
            ChannelType::F32 => TexelsMut::RgbaF32(bytemuck::try_cast_slice_mut(bytes).map_err(unaligned)?),
        };
        Self::with_stride(texels, width, height, bytes_per_row / texel_bytes)
    }

    /// Returns the width in texels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in texels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of texels from the start of a row to the start of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the texels, with those between the rows.
    pub fn texels_mut(&mut self) -> &mut TexelsMut<'a> {
        &mut self.texels
    }
}
