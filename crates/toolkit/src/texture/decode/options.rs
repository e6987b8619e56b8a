//! Options of decoding.

use brickwork_texture::{ChannelType, DecodeOptions, ImageIndex, RoundingRule};

/// Options of [`decode_file`](super::decode_file) and [`decode_image`](super::decode_image).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureDecodeOptions {
    index: ImageIndex,
    rounding_rule: RoundingRule,
}

/// Note about half floats decoded to 8 bits.
pub(in crate::texture) const CLAMPED: &str = "half floats are clamped to 0 to 1";

/// Returns the options that decode images as a viewer displays them, to texels of 8 bits. Comparisons and
/// decoded files therefore agree.
pub(in crate::texture) fn as_displayed(rule: RoundingRule, max_memory: u64) -> DecodeOptions {
    DecodeOptions::new()
        .with_rounding_rule(rule)
        .with_max_memory(max_memory)
        .with_channel_type(ChannelType::U8)
        .with_display(true)
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

    /// Returns the index of the image in the texture.
    pub const fn index(&self) -> ImageIndex {
        self.index
    }

    /// Returns the rounding of the decoder.
    pub const fn rounding_rule(&self) -> RoundingRule {
        self.rounding_rule
    }
}
