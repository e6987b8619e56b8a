//! Texels of a picture.

use crate::{ChannelType, Image, ImageError, ImageView, TexelType};
use half::f16;

/// Texels of a [`Picture`](super::Picture): `width · height` of them, row by row from top to bottom without
/// gaps. Alpha is straight, unless [`ImageReadOptions::stored_alpha`] keeps the colours of the file.
/// Values of 16 and 32 bits have the machine's byte order. Readers return single floats only if
/// [`ImageReadOptions::single_floats`] requests them.
///
/// [`ImageReadOptions::stored_alpha`]: super::ImageReadOptions::stored_alpha
/// [`ImageReadOptions::single_floats`]: super::ImageReadOptions::single_floats
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Texels {
    /// 8-bit grey.
    Grey8(Vec<u8>),
    /// 8-bit red, green, blue.
    Rgb8(Vec<[u8; 3]>),
    /// 8-bit red, green, blue, alpha.
    Rgba8(Vec<[u8; 4]>),
    /// 16-bit grey.
    Grey16(Vec<u16>),
    /// 16-bit red, green, blue.
    Rgb16(Vec<[u16; 3]>),
    /// 16-bit red, green, blue, alpha.
    Rgba16(Vec<[u16; 4]>),
    /// Red, green, blue in half floats, of any value.
    RgbF16(Vec<[f16; 3]>),
    /// Red, green, blue, alpha in half floats, of any value.
    RgbaF16(Vec<[f16; 4]>),
    /// Red, green, blue in single floats, of any value.
    RgbF32(Vec<[f32; 3]>),
    /// Red, green, blue, alpha in single floats, of any value.
    RgbaF32(Vec<[f32; 4]>),
}

impl Texels {
    /// Returns the number of texels.
    pub fn texel_count(&self) -> usize {
        self.byte_count() / self.texel_type().bytes() as usize
    }

    /// Returns the type of a texel.
    pub const fn texel_type(&self) -> TexelType {
        match self {
            Self::Grey8(_) => TexelType::of::<u8>(),
            Self::Rgb8(_) => TexelType::of::<[u8; 3]>(),
            Self::Rgba8(_) => TexelType::of::<[u8; 4]>(),
            Self::Grey16(_) => TexelType::of::<u16>(),
            Self::Rgb16(_) => TexelType::of::<[u16; 3]>(),
            Self::Rgba16(_) => TexelType::of::<[u16; 4]>(),
            Self::RgbF16(_) => TexelType::of::<[f16; 3]>(),
            Self::RgbaF16(_) => TexelType::of::<[f16; 4]>(),
            Self::RgbF32(_) => TexelType::of::<[f32; 3]>(),
            Self::RgbaF32(_) => TexelType::of::<[f32; 4]>(),
        }
    }

    /// Returns the channels of all texels in the machine's byte order.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Grey8(texels) => texels,
            Self::Rgb8(texels) => bytemuck::cast_slice(texels),
            Self::Rgba8(texels) => bytemuck::cast_slice(texels),
            Self::Grey16(texels) => bytemuck::cast_slice(texels),
            Self::Rgb16(texels) => bytemuck::cast_slice(texels),
            Self::Rgba16(texels) => bytemuck::cast_slice(texels),
            Self::RgbF16(texels) => bytemuck::cast_slice(texels),
            Self::RgbaF16(texels) => bytemuck::cast_slice(texels),
            Self::RgbF32(texels) => bytemuck::cast_slice(texels),
            Self::RgbaF32(texels) => bytemuck::cast_slice(texels),
        }
    }

    /// Returns the channels of all texels, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Grey8(texels) => texels,
            Self::Rgb8(texels) => bytemuck::cast_slice_mut(texels),
            Self::Rgba8(texels) => bytemuck::cast_slice_mut(texels),
            Self::Grey16(texels) => bytemuck::cast_slice_mut(texels),
            Self::Rgb16(texels) => bytemuck::cast_slice_mut(texels),
            Self::Rgba16(texels) => bytemuck::cast_slice_mut(texels),
            Self::RgbF16(texels) => bytemuck::cast_slice_mut(texels),
            Self::RgbaF16(texels) => bytemuck::cast_slice_mut(texels),
            Self::RgbF32(texels) => bytemuck::cast_slice_mut(texels),
            Self::RgbaF32(texels) => bytemuck::cast_slice_mut(texels),
        }
    }

    /// Returns the size of the texels in bytes.
    pub fn byte_count(&self) -> usize {
        self.bytes().len()
    }

    /// True if every alpha is the maximum, or if there is no alpha.
    pub fn is_opaque(&self) -> bool {
        match self {
            Self::Grey8(_) | Self::Rgb8(_) | Self::Grey16(_) | Self::Rgb16(_) => true,
            Self::RgbF16(_) | Self::RgbF32(_) => true,
            Self::Rgba8(texels) => texels.iter().all(|texel| texel[3] == u8::MAX),
            Self::Rgba16(texels) => texels.iter().all(|texel| texel[3] == u16::MAX),
            Self::RgbaF16(texels) => texels.iter().all(|texel| texel[3] == f16::ONE),
            Self::RgbaF32(texels) => texels.iter().all(|texel| texel[3] == 1.0),
        }
    }

    /// True if the channels are half floats or single floats, which may be below 0 or above 1.
    pub const fn is_float(&self) -> bool {
        matches!(self.texel_type().channel_type(), ChannelType::F16 | ChannelType::F32)
    }

    /// Returns the texels as an image of `width` × `height` without copying them.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0 or there are too few texels.
    pub fn view(&self, width: u32, height: u32) -> Result<Box<dyn Image + '_>, ImageError> {
        let texel_type = self.texel_type();
        let row_bytes = (width as usize).saturating_mul(texel_type.bytes() as usize);
        ImageView::from_bytes(texel_type, self.bytes(), width, height, row_bytes)
    }
}
