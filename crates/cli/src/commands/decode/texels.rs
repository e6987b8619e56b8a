//! Decoded texels as PNG holds them.

use brickwork_texture::{
    BlockFormat,
    image_file::{PngTexels, Texels},
};

/// Decoded texels.
pub enum Decoded {
    /// Of blocks: grey, RGB or RGBA by the number of channels.
    Blocks(Vec<u8>, usize),
    /// Of a texture that is not block-compressed.
    Plain(Texels),
}

impl Decoded {
    /// The texels of blocks in `format`: grey for BC4, without alpha if every texel is opaque.
    pub fn of_blocks(texels: Vec<[u8; 4]>, format: BlockFormat) -> Self {
        let channels = match format.channels() {
            "R" => 1,
            _ if texels.iter().any(|texel| texel[3] != 255) => 4,
            _ => 3,
        };
        let mut bytes = texels.into_flattened();
        keep_channels(&mut bytes, channels);
        Self::Blocks(bytes, channels)
    }

    /// For the writer of PNG files.
    pub fn png(&self) -> PngTexels<'_> {
        match self {
            Self::Blocks(bytes, 1) => PngTexels::Grey8(bytes),
            Self::Blocks(bytes, 3) => PngTexels::Rgb8(bytes.as_chunks().0),
            Self::Blocks(bytes, _) => PngTexels::Rgba8(bytes.as_chunks().0),
            Self::Plain(texels) => texels.into(),
        }
    }

    /// Whether the PNG has alpha.
    pub fn has_alpha(&self) -> bool {
        matches!(self.png(), PngTexels::Rgba8(_) | PngTexels::Rgba16(_))
    }

    /// The channels of the PNG.
    pub fn channels_name(&self) -> &'static str {
        match self.png() {
            PngTexels::Grey8(_) => "grey",
            PngTexels::Rgb8(_) => "RGB",
            PngTexels::Rgba8(_) => "RGBA",
            PngTexels::Grey16(_) => "16-bit grey",
            PngTexels::Rgb16(_) => "16-bit RGB",
            PngTexels::Rgba16(_) => "16-bit RGBA",
        }
    }
}

/// The format of plain texels.
pub fn format_name(texels: &Texels) -> &'static str {
    match texels {
        Texels::Grey8(_) => "r8",
        Texels::Rgb8(_) => "rgb8",
        Texels::Rgba8(_) => "rgba8",
        Texels::Grey16(_) => "r16",
        Texels::Rgb16(_) => "rgb16",
        Texels::Rgba16(_) => "rgba16",
        _ => "plain",
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

    #[test]
    fn channels_are_dropped_in_place() {
        let mut bytes = vec![1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255];
        keep_channels(&mut bytes, 3);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let mut bytes = vec![1, 0, 0, 255, 4, 0, 0, 255, 7, 0, 0, 255];
        keep_channels(&mut bytes, 1);
        assert_eq!(bytes, [1, 4, 7]);
    }
}
