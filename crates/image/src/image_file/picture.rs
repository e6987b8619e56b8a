//! A decoded picture.

use super::FileFormat;
use crate::{AlphaProduct, premultiply};
use crate::{
    Cancelled, ChannelType, ColorSpace, Image, ImageError, ImageView, Task, TexelType,
    owned_image::OwnedImage,
};
use half::f16;

/// Texels of a [`Picture`]: `width · height` of them, row by row from top to bottom without gaps. Alpha is
/// straight, unless [`ImageReadOptions::with_stored_alpha`] keeps the colours of the file. Values of 16 and
/// 32 bits have the machine's byte order. Readers return single floats only if
/// [`ImageReadOptions::with_single_floats`] requests them.
///
/// [`ImageReadOptions::with_stored_alpha`]: super::ImageReadOptions::with_stored_alpha
/// [`ImageReadOptions::with_single_floats`]: super::ImageReadOptions::with_single_floats
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
}

/// Origin of a picture's colour space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColorSpaceOrigin {
    /// The file states it or other tone curves, or its numbers are floats, which are linear.
    Stated,
    /// The reader assumed sRGB, because the file does not state a colour space.
    Assumed,
}

/// A picture read from a file, or a copy of texels in memory.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Picture {
    /// Width in texels, after orientation.
    pub width: u32,
    /// Height in texels, after orientation.
    pub height: u32,
    /// The texels. Grey with alpha becomes RGBA, palettes become RGB or RGBA, CMYK becomes RGB, and 1 to 4
    /// bits become 8.
    pub texels: Texels,
    /// Type of the channels in the file. It differs from that of the texels if 8-bit integers became 16-bit
    /// ones or floats, because their colours were converted, or if single floats became half floats.
    pub stored_channel_type: ChannelType,
    /// The format of the file; `None` for texels in memory ([`of_image`](Self::of_image)).
    pub file_format: Option<FileFormat>,
    /// Colour space of the texels.
    pub color_space: ColorSpace,
    /// Origin of the colour space.
    pub color_space_origin: ColorSpaceOrigin,
    /// Reason for the colour space in a few words: `PNG sRGB chunk`, `JPEG without ICC profile: sRGB
    /// assumed`.
    pub color_space_reason: String,
    /// True if the file states PQ or HLG, and the reader made linear light of them, in units of diffuse white
    /// (203 cd/m²). [`converted`](Self::converted) does not change this.
    pub is_hdr_signal: bool,
    /// True if the file has an alpha channel, or a palette entry or colour that is transparent. Any GIF file
    /// or block may have transparent texels. For these, true if this file has one.
    pub has_alpha: bool,
    /// True if every alpha is the maximum, or if there is no alpha.
    pub is_opaque: bool,
    /// True if the file stores colours multiplied by alpha.
    pub is_premultiplied: bool,
    /// True if the reader divided the colours by alpha, because the file stores them multiplied by it. Where
    /// alpha is 0, they are those of the file.
    pub is_divided: bool,
    /// Part of the file that was read, in a few words: `the first of 12 frames`, `the first of 6 faces, 10
    /// mip levels`. `None` if the picture is all there is.
    pub part: Option<String>,
    /// Faults of the file that the reader tolerated: one short sentence each, without a period.
    pub notes: Vec<String>,
    /// Number of clamps to ±65504: of finite numbers as they are read, of results of the conversion to Rec.
    /// 709, and of [`converted`](Self::converted). A number may count in each. Notes have the same counts. 0
    /// for single floats, which are not clamped.
    pub overflow_count: u64,
}

impl Texels {
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

impl Picture {
    /// Returns the picture as an image for encoders and metrics without copying it.
    ///
    /// ```
    /// use brickwork_image::{Image, Task, image_file::{ImageReadOptions, read}};
    ///
    /// let file = std::io::Cursor::new(b"P3 2 1 255 1 2 3 4 5 6");
    /// let picture = read(file, None, &ImageReadOptions::default(), &Task::new())?;
    /// let mut buffer = [[0; 4]; 2];
    /// assert_eq!(picture.view()?.row_rgba8(0, &mut buffer), [[1, 2, 3, 255], [4, 5, 6, 255]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageError`] for a picture constructed with too few texels.
    pub fn view(&self) -> Result<Box<dyn Image + '_>, ImageError> {
        self.texels.view(self.width, self.height)
    }

    /// Returns the picture as an image that owns its texels.
    ///
    /// # Errors
    /// [`ImageError`] for a picture constructed with too few texels.
    pub fn into_image(self) -> Result<Box<dyn Image>, ImageError> {
        self.view()?;
        Ok(Box::new(OwnedImage { texels: self.texels, size: [self.width, self.height] }))
    }

    /// Returns the display name of the file's format, such as `PNG`; `memory` for texels in memory.
    pub fn format_name(&self) -> &'static str {
        self.file_format.map_or("memory", FileFormat::name)
    }

    /// True if the file does not state its colour space, and the reader assumed sRGB.
    pub fn is_color_space_assumed(&self) -> bool {
        self.color_space_origin == ColorSpaceOrigin::Assumed
    }

    /// Returns the picture with colours multiplied by alpha, in its type, rounded to nearest. If the colours
    /// are sRGB, light is multiplied (IEC 61966-2-1). Colours become 0 where alpha is 0. Pictures without
    /// alpha stay as they are. The properties of the file do not change.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn premultiplied(mut self, color_space: ColorSpace, task: &Task<'_>) -> Result<Self, Cancelled> {
        task.check()?;
        let product = AlphaProduct::of(color_space == ColorSpace::Srgb);
        match &mut self.texels {
            Texels::Rgba8(texels) => task.in_pieces(texels, |texels| premultiply(texels, product))?,
            Texels::Rgba16(texels) => task.in_pieces(texels, |texels| premultiply(texels, product))?,
            Texels::RgbaF16(texels) => task.in_pieces(texels, |texels| premultiply(texels, product))?,
            Texels::RgbaF32(texels) => task.in_pieces(texels, |texels| premultiply(texels, product))?,
            Texels::Grey8(_) | Texels::Rgb8(_) | Texels::Grey16(_) | Texels::Rgb16(_) => {}
            Texels::RgbF16(_) | Texels::RgbF32(_) => {}
        }
        Ok(self)
    }
}
