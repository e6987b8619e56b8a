//! Encoding and decoding by a codec that the caller names, for programs that link only some codecs
//! (`crates/wasm`). Not part of the API: all of it may change with any version.

use crate::{
    BlockFormat, ColorSpace, DecodeError, EncodeError, EncodeOptions, Encoder, ImageViewMut, RoundingRule,
    Surfaces, Task, Texture, TextureDesc,
    bc::{BlockCoder, Codec},
    codecs::codec_of,
    decode::decode_by,
    encode::{Coder, encode_texture_by},
};
use std::fmt;

/// The codec of a block format.
#[derive(Clone, Copy)]
pub struct FormatCodec {
    format: BlockFormat,
    codec: &'static Codec,
}

impl fmt::Debug for FormatCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FormatCodec").field(&self.format).finish()
    }
}

impl FormatCodec {
    /// Returns the codec of `format`. If that is a constant, an optimised program has no other codec.
    #[inline(always)]
    pub fn of(format: BlockFormat) -> Self {
        Self { format, codec: codec_of(format) }
    }

    /// Returns the format.
    pub fn format(self) -> BlockFormat {
        self.format
    }

    /// Encodes as [`encode_texture`](crate::encode_texture) does. `desc` has the codec's format.
    ///
    /// # Errors
    /// Those of [`encode_texture`](crate::encode_texture).
    pub fn encode_texture<'a>(
        self,
        encoder: &Encoder,
        surfaces: impl Into<Surfaces<'a>>,
        desc: &TextureDesc,
        options: &EncodeOptions,
        task: &Task<'_>,
    ) -> Result<Texture, EncodeError> {
        let coder = BlockCoder { codec: self.codec, color_space: desc.color_space };
        encode_texture_by(encoder, surfaces.into(), desc, Coder::Blocks(coder), options, task)
    }

    /// Decodes as [`decode_into`](crate::decode_into) does: ASTC as in linear textures.
    ///
    /// # Errors
    /// Those of [`decode_into`](crate::decode_into).
    pub fn decode_into(
        self,
        blocks: &[u8],
        rule: RoundingRule,
        image: &mut ImageViewMut<'_>,
        task: &Task<'_>,
    ) -> Result<(), DecodeError> {
        decode_by(self.codec, blocks, rule, ColorSpace::Linear, image, task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AstcFootprint, ImageView, encode_texture};

    /// Blocks of ASTC depend on the colour space.
    #[test]
    fn a_codec_encodes_for_the_color_space_of_the_texture() {
        let texels: Vec<[u8; 4]> =
            (0..32 * 32u32).map(|i| [i % 32 * 7, i / 32 * 5, i % 11, 255].map(|v| v as u8)).collect();
        let image = ImageView::new(&texels, 32, 32).unwrap();
        let format = BlockFormat::Astc(AstcFootprint::B4x4);
        let of = |color_space| {
            let desc = TextureDesc::of_image(&image, format).with_color_space(color_space);
            let (encoder, options, task) = (Encoder::default(), EncodeOptions::default(), Task::new());
            let codec = FormatCodec::of(format);
            let texture = codec.encode_texture(&encoder, &image, &desc, &options, &task).unwrap();
            assert_eq!(texture, encode_texture(&encoder, &image, &desc, &options, &task).unwrap());
            texture.into_data()
        };
        assert_ne!(of(ColorSpace::Linear), of(ColorSpace::Srgb));
    }
}
