//! Conversion of images to the data of a texture: a codec of blocks, or a plain format.

use crate::{
    ChannelType, EncodeOptions, PlainFormat, TexelFormat, TextureDesc, TextureFormat, bc::BlockCoder,
    codecs::codec_of, passes, plain::native_channels,
};

/// Conversion of images to the data of a texture.
#[derive(Clone, Copy)]
pub(crate) enum Coder {
    Blocks(BlockCoder),
    Plain(PlainFormat),
}

impl Coder {
    /// Returns the conversion to a texture.
    pub fn of(desc: &TextureDesc) -> Self {
        match desc.format {
            TextureFormat::Block(format) => {
                Self::Blocks(BlockCoder { codec: codec_of(format), color_space: desc.color_space })
            }
            TextureFormat::Plain(format) => Self::Plain(format),
        }
    }

    /// Returns the type of the channels in which the mip levels of images with such channels are made.
    pub fn level_channels(self, image: ChannelType) -> ChannelType {
        match self {
            Self::Blocks(BlockCoder { codec, .. }) if codec.deep.is_some() && image == ChannelType::U16 => {
                image
            }
            Self::Blocks(BlockCoder { codec, .. }) => codec.texels.channel_type(),
            Self::Plain(format) => native_channels(format),
        }
    }

    /// True if colours are dithered before they are encoded. Plain formats ignore [`EncodeOptions::dither`].
    pub fn dithers(self, options: &EncodeOptions) -> bool {
        match self {
            Self::Blocks(BlockCoder { codec, .. }) => options.dither && codec.texels == TexelFormat::Rgba8,
            Self::Plain(_) => false,
        }
    }

    /// Returns the size of one block, or of one plain texel, in bytes.
    pub fn block_bytes(self) -> usize {
        match self {
            Self::Blocks(BlockCoder { codec, .. }) => codec.block_bytes,
            Self::Plain(format) => format.texel_bytes(),
        }
    }

    /// Returns the number of passes over an image.
    pub fn passes(self, options: &EncodeOptions) -> u64 {
        match self {
            Self::Blocks(BlockCoder { codec, .. }) => passes::count(codec, options),
            Self::Plain(_) => 1,
        }
    }
}
