//! One mip level.

use super::MipError;
use crate::{ChannelType, Image, TexelType};
use half::f16;

/// One level of a mip chain, which is also an [`Image`].
#[derive(Clone, Debug, PartialEq)]
pub struct MipLevel {
    width: u32,
    height: u32,
    texels: MipTexels,
}

/// The texels of a [`MipLevel`], row by row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MipTexels {
    /// 8-bit RGBA.
    Rgba8(Vec<[u8; 4]>),
    /// 16-bit RGBA.
    Rgba16(Vec<[u16; 4]>),
    /// RGBA in half floats.
    RgbaF16(Vec<[f16; 4]>),
    /// RGBA in single floats.
    RgbaF32(Vec<[f32; 4]>),
}

impl MipTexels {
    /// Returns the type of the four channels.
    pub fn channel_type(&self) -> ChannelType {
        self.texel_type().channel_type()
    }

    fn texel_type(&self) -> TexelType {
        match self {
            Self::Rgba8(_) => TexelType::of::<[u8; 4]>(),
            Self::Rgba16(_) => TexelType::of::<[u16; 4]>(),
            Self::RgbaF16(_) => TexelType::of::<[f16; 4]>(),
            Self::RgbaF32(_) => TexelType::of::<[f32; 4]>(),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Rgba8(texels) => bytemuck::cast_slice(texels),
            Self::Rgba16(texels) => bytemuck::cast_slice(texels),
            Self::RgbaF16(texels) => bytemuck::cast_slice(texels),
            Self::RgbaF32(texels) => bytemuck::cast_slice(texels),
        }
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Rgba8(texels) => bytemuck::cast_slice_mut(texels),
            Self::Rgba16(texels) => bytemuck::cast_slice_mut(texels),
            Self::RgbaF16(texels) => bytemuck::cast_slice_mut(texels),
            Self::RgbaF32(texels) => bytemuck::cast_slice_mut(texels),
        }
    }
}

impl MipLevel {
    /// Returns the width in texels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in texels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the `width · height` texels, row by row.
    pub fn texels(&self) -> &MipTexels {
        &self.texels
    }

    /// Returns the `width · height` texels, row by row.
    pub fn into_texels(self) -> MipTexels {
        self.texels
    }

    pub(crate) fn texels_mut(&mut self) -> &mut MipTexels {
        &mut self.texels
    }

    /// Returns a copy.
    ///
    /// # Errors
    /// [`MipError::OutOfMemory`] if memory cannot be allocated.
    pub(crate) fn copy(&self) -> Result<Self, MipError> {
        let mut copy = Self::new([self.width, self.height], self.texels.channel_type())?;
        match (&mut copy.texels, &self.texels) {
            (MipTexels::Rgba8(copy), MipTexels::Rgba8(texels)) => copy.copy_from_slice(texels),
            (MipTexels::Rgba16(copy), MipTexels::Rgba16(texels)) => copy.copy_from_slice(texels),
            (MipTexels::RgbaF16(copy), MipTexels::RgbaF16(texels)) => copy.copy_from_slice(texels),
            (MipTexels::RgbaF32(copy), MipTexels::RgbaF32(texels)) => copy.copy_from_slice(texels),
            _ => unreachable!("both have one type"),
        }
        Ok(copy)
    }

    /// Returns the mip level after an image of this width, height and depth, or one slice of it, filled with
    /// zeros.
    ///
    /// # Errors
    /// [`MipError`] if the image has more than 2⁴⁰ texels, or memory cannot be allocated. Up to 2⁴⁰ texels,
    /// sums fit 64 bits: 40 of weights, 8 of alpha, 16 of linear light.
    pub(crate) fn after(
        size @ [width, height, _]: [u32; 3],
        channels: ChannelType,
    ) -> Result<Self, MipError> {
        let texels = size.into_iter().fold(1u64, |texels, side| texels.saturating_mul(side.into()));
        if texels > 1 << 40 {
            return Err(MipError::TooManyTexels { size });
        }
        Self::new([width, height].map(halved), channels)
    }

    /// Returns an image filled with zeros, in RGBA with channels of this type, with this width and height,
    /// each at least 1.
    ///
    /// # Errors
    /// [`MipError::OutOfMemory`] if memory cannot be allocated.
    pub(crate) fn new([width, height]: [u32; 2], channels: ChannelType) -> Result<Self, MipError> {
        let count = u64::from(width) * u64::from(height);
        let texels = match channels {
            ChannelType::U8 => MipTexels::Rgba8(zeroed(count)?),
            ChannelType::U16 => MipTexels::Rgba16(zeroed(count)?),
            ChannelType::F16 => MipTexels::RgbaF16(zeroed(count)?),
            ChannelType::F32 => MipTexels::RgbaF32(zeroed(count)?),
        };
        Ok(Self { width, height, texels })
    }
}

/// Returns `count` zeros.
fn zeroed<T: bytemuck::Zeroable>(count: u64) -> Result<Vec<T>, MipError> {
    let needed = count.saturating_mul(size_of::<T>() as u64);
    let zeros =
        usize::try_from(count).ok().and_then(|count| bytemuck::allocation::try_zeroed_vec(count).ok());
    zeros.ok_or(MipError::OutOfMemory { needed })
}

impl Image for MipLevel {
    fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    fn texel_type(&self) -> TexelType {
        self.texels.texel_type()
    }

    fn bytes_of_row(&self, y: u32) -> &[u8] {
        let row_bytes = self.width as usize * self.texel_type().bytes() as usize;
        &self.texels.bytes()[y as usize * row_bytes..][..row_bytes]
    }
}

/// Returns a side of the next mip level.
pub(crate) fn halved(side: u32) -> u32 {
    (side / 2).max(1)
}
