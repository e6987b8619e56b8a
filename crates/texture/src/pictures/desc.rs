//! Textures that pictures become.

use crate::{AlphaMode, BlockFormat, ColorSpace, EncodeOptions, TextureDesc, TextureFormat};
use brickwork_image::image_file::Picture;

impl TextureDesc {
    /// Returns the 2D texture in `format` that a picture becomes when encoded with `options`, without mip
    /// levels.
    ///
    /// The texture has the picture's colour space if the format has an sRGB form, else it is linear. It is
    /// opaque if the picture is opaque or its alpha is not kept. Otherwise, it has straight alpha.
    ///
    /// ```
    /// use brickwork_image::image_file::{ImageReadOptions, read};
    /// use brickwork_texture::{BlockFormat, EncodeOptions, Encoder, Task, TextureDesc, encode_texture};
    ///
    /// let file = std::io::Cursor::new(b"P3 2 1 255 1 2 3 4 5 6");
    /// let picture = read(file, None, &ImageReadOptions::default(), &Task::new())?;
    /// let options = EncodeOptions::default();
    /// let desc = TextureDesc::of_picture(&picture, BlockFormat::Bc1, &options);
    /// let texture = encode_texture(&Encoder::default(), &*picture.view()?, &desc, &options, &Task::new())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_picture(picture: &Picture, format: impl Into<TextureFormat>, options: &EncodeOptions) -> Self {
        let format: TextureFormat = format.into();
        let keeps_alpha = match format {
            TextureFormat::Block(BlockFormat::Bc1) => options.bc1.alpha_threshold > 0,
            _ => format.has_alpha(),
        };
        let is_opaque = picture.is_opaque || !keeps_alpha;
        Self::new_2d(format, picture.width, picture.height)
            .with_color_space(if format.has_srgb() { picture.color_space } else { ColorSpace::Linear })
            .with_alpha_mode(if is_opaque { AlphaMode::Opaque } else { AlphaMode::Straight })
    }
}
