//! Decoded texels in the form of a PNG file.

use brickwork_image::image_file::{PngTexels, Texels};
use brickwork_texture::{Swizzle, TextureDesc, ToneMap, half::f16};

/// Decoded texels.
#[derive(Clone, Debug)]
pub(super) enum PngImage {
    /// Texels of blocks, 8 bits per channel: grey, RGB or RGBA by the number of channels.
    Blocks(Vec<u8>, usize),
    /// Texels without compression.
    Plain(Texels),
    /// Floats as a tone map displays them: 8-bit sRGB, and the number of channels.
    Mapped(Vec<u8>, usize),
    /// Half floats, for an EXR file.
    Halves(Vec<[f16; 4]>),
    /// Single floats, for an EXR file.
    Singles(Vec<[f32; 4]>),
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
    pub fn texels(&self) -> Option<PngTexels<'_>> {
        match self {
            Self::Blocks(bytes, 1) => Some(PngTexels::Grey8(bytes)),
            Self::Blocks(bytes, 3) | Self::Mapped(bytes, 3) => Some(PngTexels::Rgb8(bytes.as_chunks().0)),
            Self::Blocks(bytes, _) | Self::Mapped(bytes, _) => Some(PngTexels::Rgba8(bytes.as_chunks().0)),
            Self::Plain(texels) => PngTexels::of(texels),
            Self::Halves(_) | Self::Singles(_) => None,
        }
    }

    /// Returns half floats as the tone map displays them: RGB, or RGBA if any texel is not opaque.
    pub fn mapped<T>(texels: &[T], rgba: impl Fn(&T) -> [f16; 4], map: &ToneMap) -> Self {
        let table = map.table();
        let channels = if texels.iter().any(|texel| rgba(texel)[3] < f16::ONE) { 4 } else { 3 };
        let mut bytes = Vec::with_capacity(texels.len() * channels);
        for texel in texels {
            let [colors @ .., alpha] = rgba(texel);
            bytes.extend(colors.map(|color| table[usize::from(color.to_bits())]));
            if channels == 4 {
                bytes.push((alpha.to_f32().clamp(0.0, 1.0) * 255.0).round() as u8);
            }
        }
        Self::Mapped(bytes, channels)
    }

    /// Returns the name of the format of plain texels, such as `rgb8`.
    pub fn plain_name(texels: &Texels) -> &'static str {
        match PngTexels::of(texels) {
            Some(PngTexels::Grey8(_)) => "r8",
            Some(PngTexels::Rgb8(_)) => "rgb8",
            Some(PngTexels::Rgba8(_)) => "rgba8",
            Some(PngTexels::Grey16(_)) => "r16",
            Some(PngTexels::Rgb16(_)) => "rgb16",
            Some(PngTexels::Rgba16(_)) => "rgba16",
            None => match texels {
                Texels::RgbaF16(_) => "rgba16f",
                Texels::RgbF32(_) => "rgb32f",
                Texels::RgbaF32(_) => "rgba32f",
                _ => "rgb16f",
            },
        }
    }

    /// True if the file has alpha. EXR files have none.
    pub fn has_alpha(&self) -> bool {
        matches!(self.texels(), Some(PngTexels::Rgba8(_) | PngTexels::Rgba16(_)))
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
            let image = PngImage::of_blocks(texels.to_vec(), &TextureDesc::new_2d(format, 1, 1));
            let PngImage::Blocks(_, channels) = image else { panic!("no blocks") };
            ["", "r8", "", "rgb8", "rgba8"][channels]
        };
        assert_eq!(name(&[[1, 2, 3, 255], [4, 5, 6, 0]], BlockFormat::Bc1), "rgba8");
        assert_eq!(name(&[[1, 2, 3, 255], [4, 5, 6, 255]], BlockFormat::Bc7), "rgb8");
        assert_eq!(name(&[[1, 0, 0, 255]], BlockFormat::Bc4Unorm), "r8");
        assert_eq!(name(&[[1, 2, 0, 255]], BlockFormat::Bc5Unorm), "rgb8");
    }
}
