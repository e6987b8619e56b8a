//! Options of comparisons.

use brickwork_image::image_file::{DdsTenBitMasks, ImageReadOptions};
use brickwork_texture::{RoundingRule, ToneMap};

/// Options of a comparison of images.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompareOptions {
    rounding_rule: RoundingRule,
    alpha_threshold: u8,
    visible: bool,
    normals: bool,
    flip: bool,
    level: u32,
    dds_ten_bit_masks: DdsTenBitMasks,
    tone_map: ToneMap,
}

impl CompareOptions {
    /// Returns the defaults.
    pub fn new() -> Self {
        Self {
            rounding_rule: RoundingRule::Real,
            alpha_threshold: 128,
            visible: false,
            normals: false,
            flip: false,
            level: 0,
            dds_ten_bit_masks: DdsTenBitMasks::Swapped,
            tone_map: ToneMap::default(),
        }
    }

    /// Sets the rounding of the decoder for textures. Default: [`RoundingRule::Real`].
    #[must_use]
    pub const fn with_rounding_rule(self, rounding_rule: RoundingRule) -> Self {
        Self { rounding_rule, ..self }
    }

    /// Sets the minimum alpha of a visible texel of the first image. Default: 128.
    #[must_use]
    pub const fn with_alpha_threshold(self, alpha_threshold: u8) -> Self {
        Self { alpha_threshold, ..self }
    }

    /// Adds a measurement of only the visible texels. By default, it is added only if BC1 may make texels
    /// transparent.
    #[must_use]
    pub const fn with_visible(self, visible: bool) -> Self {
        Self { visible, ..self }
    }

    /// Measures the angles between normals, which are in red, green and blue. They are always measured if an
    /// image is BC5. Default: false.
    #[must_use]
    pub const fn with_normals(self, normals: bool) -> Self {
        Self { normals, ..self }
    }

    /// Measures ꟻLIP, unless an image has half floats. Default: false.
    #[must_use]
    pub const fn with_flip(self, flip: bool) -> Self {
        Self { flip, ..self }
    }

    /// Sets the mip level of textures. Other images have only mip level 0. Default: 0.
    #[must_use]
    pub const fn with_level(self, level: u32) -> Self {
        Self { level, ..self }
    }

    /// Sets the meaning of 10-bit masks in DDS files of plain texels. Default: [`DdsTenBitMasks::Swapped`].
    #[must_use]
    pub const fn with_dds_ten_bit_masks(self, dds_ten_bit_masks: DdsTenBitMasks) -> Self {
        Self { dds_ten_bit_masks, ..self }
    }

    /// Sets the tone map for the picture of differences between images of half floats. Default:
    /// [`ToneMap::default`].
    #[must_use]
    pub const fn with_tone_map(self, tone_map: ToneMap) -> Self {
        Self { tone_map, ..self }
    }

    /// Returns the rounding of the decoder for textures.
    pub const fn rounding_rule(&self) -> RoundingRule {
        self.rounding_rule
    }

    /// Returns the minimum alpha of a visible texel of the first image.
    pub const fn alpha_threshold(&self) -> u8 {
        self.alpha_threshold
    }

    /// True if the visible texels are always measured separately.
    pub const fn visible(&self) -> bool {
        self.visible
    }

    /// True if the angles between normals are measured.
    pub const fn normals(&self) -> bool {
        self.normals
    }

    /// True if ꟻLIP is measured.
    pub const fn flip(&self) -> bool {
        self.flip
    }

    /// Returns the mip level of textures.
    pub const fn level(&self) -> u32 {
        self.level
    }

    /// Returns the tone map for the picture of differences between images of half floats.
    pub const fn tone_map(&self) -> &ToneMap {
        &self.tone_map
    }

    /// Returns the options of the reader, with this limit of memory in bytes.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        ImageReadOptions::default().with(|o| {
            o.max_memory = max_memory;
            o.dds_ten_bit_masks = self.dds_ten_bit_masks;
            o.single_floats = true;
        })
    }
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self::new()
    }
}
