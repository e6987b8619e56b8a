//! Options of decoding.

use brickwork_image::image_file::{DdsTenBitMasks, ImageReadOptions};
use brickwork_texture::{ChannelType, DecodeOptions, ImageIndex, RoundingRule, TextureFormat, ToneMap};

/// Options of [`decode_file`](super::decode_file) and [`decode_image`](super::decode_image).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureDecodeOptions {
    index: ImageIndex,
    rounding_rule: RoundingRule,
    tone_map: ToneMap,
    half_floats: bool,
    restored_z: bool,
    all_levels: bool,
    dds_ten_bit_masks: DdsTenBitMasks,
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
    /// Returns the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects an image of the texture. Default: the first.
    #[must_use]
    pub const fn with_index(self, index: ImageIndex) -> Self {
        Self { index, ..self }
    }

    /// Sets the rounding of the decoder. Default: [`RoundingRule::Real`].
    #[must_use]
    pub const fn with_rounding_rule(self, rounding_rule: RoundingRule) -> Self {
        Self { rounding_rule, ..self }
    }

    /// Sets the tone map that makes 8 bits of floats. Default: [`ToneMap::default`].
    #[must_use]
    pub const fn with_tone_map(self, tone_map: ToneMap) -> Self {
        Self { tone_map, ..self }
    }

    /// Keeps half floats and single floats, for EXR files, instead of applying the tone map. Default: false.
    #[must_use]
    pub const fn with_half_floats(self, half_floats: bool) -> Self {
        Self { half_floats, ..self }
    }

    /// Fills blue of BC5 with z of the normal, computed from x and y. Default: false.
    #[must_use]
    pub const fn with_restored_z(self, restored_z: bool) -> Self {
        Self { restored_z, ..self }
    }

    /// True if blue of BC5 is z of the normal.
    pub const fn restored_z(&self) -> bool {
        self.restored_z
    }

    /// Decodes all mip levels to one picture: level 0, and the others in a column right of it. Default:
    /// false, the level of the index.
    #[must_use]
    pub const fn with_all_levels(self, all_levels: bool) -> Self {
        Self { all_levels, ..self }
    }

    /// True if all mip levels become one picture.
    pub const fn all_levels(&self) -> bool {
        self.all_levels
    }

    /// Returns the tone map of floats.
    pub const fn tone_map(&self) -> ToneMap {
        self.tone_map
    }

    /// True if half floats and single floats are kept.
    pub const fn half_floats(&self) -> bool {
        self.half_floats
    }

    /// Sets the meaning of 10-bit masks in DDS files of plain texels. Default: [`DdsTenBitMasks::Swapped`].
    #[must_use]
    pub const fn with_dds_ten_bit_masks(self, dds_ten_bit_masks: DdsTenBitMasks) -> Self {
        Self { dds_ten_bit_masks, ..self }
    }

    /// Returns the index of the image in the texture.
    pub const fn index(&self) -> ImageIndex {
        self.index
    }

    /// Returns the options of the reader, with this limit of memory in bytes.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        ImageReadOptions::default().with(|o| {
            o.max_memory = max_memory;
            o.dds_ten_bit_masks = self.dds_ten_bit_masks;
            o.single_floats = true;
        })
    }

    /// Returns the rounding of the decoder.
    pub const fn rounding_rule(&self) -> RoundingRule {
        self.rounding_rule
    }
}
