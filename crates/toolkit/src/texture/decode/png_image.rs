//! Decoded texels in the form of a PNG file.

use brickwork_texture::{
    Swizzle, TextureDesc,
    image_file::{PngTexels, Texels},
};

/// Decoded texels.
#[derive(Clone, Debug)]
pub(super) enum PngImage {
    /// Texels of blocks, 8 bits per channel: grey, RGB or RGBA by the number of channels.
    Blocks(Vec<u8>, usize),
    /// Texels of a texture that is not block-compressed.
    Plain(Texels),
}

impl PngImage {
    /// Creates an image from texels of blocks. It is grey for BC4 without a swizzle, and has no alpha if
    /// every texel is opaque.
    pub fn of_blocks(texels: Vec<[u8; 4]>, desc: &TextureDesc) -> Self {
        let channels = match desc.format.channels() {
            "R" if desc.swizzle == Swizzle::IDENTITY => 1,
            _ if texels.iter().any(|texel| texel[3] != 255) => 4,
            _ => 3,
        };
        let mut bytes = texels.into_flattened();
        keep_channels(&mut bytes, channels);
        Self::Blocks(bytes, channels)
    }

    /// Returns the texels for the writer of PNG files.
    pub fn texels(&self) -> PngTexels<'_> {
        match self {
            Self::Blocks(bytes, 1) => PngTexels::Grey8(bytes),
            Self::Blocks(bytes, 3) => PngTexels::Rgb8(bytes.as_chunks().0),
            Self::Blocks(bytes, _) => PngTexels::Rgba8(bytes.as_chunks().0),
            Self::Plain(texels) => texels.into(),
        }
    }

    /// Returns the format of the texels, such as `rgb8`.
    pub fn format_name(&self) -> &'static str {
        match self.texels() {
            PngTexels::Grey8(_) => "r8",
            PngTexels::Rgb8(_) => "rgb8",
            PngTexels::Rgba8(_) => "rgba8",
            PngTexels::Grey16(_) => "r16",
            PngTexels::Rgb16(_) => "rgb16",
            PngTexels::Rgba16(_) => "rgba16",
        }
    }

    /// True if the PNG has alpha.
    pub fn has_alpha(&self) -> bool {
        matches!(self.texels(), PngTexels::Rgba8(_) | PngTexels::Rgba16(_))
    }
}

/// Keeps the first `count` channels of RGBA, in place.
fn keep_channels(bytes: &mut Vec<u8>, count: usize) {
    let texel_count = bytes.len() / 4;
    for texel in 1..texel_count {
        bytes.copy_within(texel * 4..texel * 4 + count, texel * count);
    }
    bytes.truncate(texel_count * count);
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::BlockFormat;

    #[test]
    fn channels_are_dropped_in_place() {
        let mut bytes = vec![1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255];
        keep_channels(&mut bytes, 3);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let mut bytes = vec![1, 0, 0, 255, 4, 0, 0, 255, 7, 0, 0, 255];
        keep_channels(&mut bytes, 1);
        assert_eq!(bytes, [1, 4, 7]);
    }

    #[test]
    fn alpha_and_grey_are_kept_where_there_are_any() {
        let name = |texels: &[[u8; 4]], format| {
            PngImage::of_blocks(texels.to_vec(), &TextureDesc::new_2d(format, 1, 1)).format_name()
        };
        assert_eq!(name(&[[1, 2, 3, 255], [4, 5, 6, 0]], BlockFormat::Bc1), "rgba8");
        assert_eq!(name(&[[1, 2, 3, 255], [4, 5, 6, 255]], BlockFormat::Bc7), "rgb8");
        assert_eq!(name(&[[1, 0, 0, 255]], BlockFormat::Bc4Unorm), "r8");
        assert_eq!(name(&[[1, 2, 0, 255]], BlockFormat::Bc5Unorm), "rgb8");
    }
}
