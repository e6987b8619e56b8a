//! A decoded picture.

use super::{FileFormat, Texels, owned_image::OwnedImage};
use crate::{AlphaProduct, Cancelled, ChannelType, ColorSpace, Image, ImageError, Task, dilate, premultiply};

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

    /// Gives transparent texels the colours of the nearest others ([`dilate`]), and returns the number of
    /// colours that changed. `repeats` states for x and y if the picture is a tile.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn dilate(&mut self, repeats: [bool; 2], task: &Task<'_>) -> Result<u64, Cancelled> {
        let width = self.width as usize;
        match &mut self.texels {
            Texels::Rgba8(texels) => dilate(texels, width, repeats, task),
            Texels::Rgba16(texels) => dilate(texels, width, repeats, task),
            Texels::RgbaF16(texels) => dilate(texels, width, repeats, task),
            Texels::RgbaF32(texels) => dilate(texels, width, repeats, task),
            Texels::Grey8(_) | Texels::Rgb8(_) | Texels::Grey16(_) | Texels::Rgb16(_) => Ok(0),
            Texels::RgbF16(_) | Texels::RgbF32(_) => Ok(0),
        }
    }
}
