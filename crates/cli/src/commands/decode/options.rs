//! Options of decoding.

use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{ChannelType, DecodeOptions, ImageIndex, RoundingRule, TextureFormat, ToneMap};

/// Options of [`decode_file`](super::decode_file) and [`decode_image`](super::decode_image).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureDecodeOptions {
    /// Image of the texture. Default: the first.
    pub index: ImageIndex,
    /// Rounding of the decoder. Default: [`RoundingRule::Real`].
    pub rounding_rule: RoundingRule,
    /// Tone map that makes 8 bits of floats. Default: [`ToneMap::default`].
    pub tone_map: ToneMap,
    /// True to keep half floats and single floats, for EXR files, instead of applying the tone map. Default:
    /// false.
    pub half_floats: bool,
    /// True to fill blue of BC5 with z of the normal, computed from x and y. Default: false.
    pub restored_z: bool,
    /// True to decode all mip levels to one picture: level 0, and the others in a column right of it.
    /// Default: false, the level of the index.
    pub all_levels: bool,
    /// Options of the readers of pictures.
    pub reading: ImageReadOptions,
}

/// Returns the options that decode blocks as a viewer displays them, to texels of 8 bits or, for BC6H, half
/// floats. Comparisons and decoded files therefore agree.
pub fn as_displayed(format: TextureFormat, rule: RoundingRule, max_memory: u64) -> DecodeOptions {
    let channel_type = if format.is_float() { ChannelType::F16 } else { ChannelType::U8 };
    DecodeOptions::default().with(|o| {
        o.rounding_rule = rule;
        o.max_memory = max_memory;
        o.channel_type = Some(channel_type);
        o.display = true;
    })
}

impl TextureDecodeOptions {
    /// Returns the options of the reader, with this limit of memory in bytes.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        self.reading.clone().with(|o| {
            o.max_memory = max_memory;
            o.single_floats = true;
        })
    }
}
