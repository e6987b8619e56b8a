//! Channels of pictures.

use brickwork_image::image_file::Texels;

/// Channel of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureChannel {
    /// Red; of grey pictures, also green and blue.
    #[default]
    Red,
    /// Green; of grey pictures, also red and blue.
    Green,
    /// Blue; of grey pictures, also red and green.
    Blue,
    /// Alpha.
    Alpha,
}

impl PictureChannel {
    /// All channels.
    pub const ALL: &[Self] = &[Self::Red, Self::Green, Self::Blue, Self::Alpha];

    /// Returns the name, as used by the program's `--channel`: `r`, `g`, `b` or `a`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "r",
            Self::Green => "g",
            Self::Blue => "b",
            Self::Alpha => "a",
        }
    }

    /// Returns the index of the channel in a texel.
    pub(in crate::texture) const fn index(self) -> usize {
        match self {
            Self::Red => 0,
            Self::Green => 1,
            Self::Blue => 2,
            Self::Alpha => 3,
        }
    }

    /// Returns the letter of the channel in [`TextureFormat::channels`](brickwork_texture::TextureFormat).
    pub(in crate::texture) const fn letter(self) -> char {
        match self {
            Self::Red => 'R',
            Self::Green => 'G',
            Self::Blue => 'B',
            Self::Alpha => 'A',
        }
    }

    /// Returns true for each channel of these texels that has the numbers of this channel.
    pub(in crate::texture) fn mask(self, texels: &Texels) -> [bool; 4] {
        let is_grey = matches!(texels, Texels::Grey8(_) | Texels::Grey16(_));
        match self {
            Self::Alpha => [false, false, false, true],
            _ if is_grey => [true, true, true, false],
            Self::Red => [true, false, false, false],
            Self::Green => [false, true, false, false],
            Self::Blue => [false, false, true, false],
        }
    }
}
