//! Options of comparisons.

use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{EncodeOptions, RoundingRule, TextureFormat, ToneMap};
use brickwork_toolkit::texture::PsnrScope;

/// Options of a comparison of images.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// Rounding of the decoder for textures. Default: that of `made_by`, else [`RoundingRule::Real`].
    pub rounding_rule: Option<RoundingRule>,
    /// Minimum alpha of a visible texel of the first image. Default: that of `made_by` in formats of 1-bit
    /// alpha, else 128.
    pub alpha_threshold: Option<u8>,
    /// Options of the encoder that made the second image of the first, if they are known. Default: `None`.
    pub made_by: Option<EncodeOptions>,
    /// True to add a measurement of only the visible texels. Default: false; it is then added only if a
    /// format of 1-bit alpha may make texels transparent.
    pub visible: bool,
    /// True to measure the angles between normals, which are in red, green and blue. They are always measured
    /// if an image is BC5. Default: false.
    pub normals: bool,
    /// True to measure ꟻLIP, unless an image has half floats. Default: false.
    pub flip: bool,
    /// Mip level of textures. Other images have only mip level 0. Default: 0.
    pub level: u32,
    /// Options of the readers of pictures.
    pub reading: ImageReadOptions,
    /// Tone map for the picture of differences between images of half floats. Default: [`ToneMap::default`].
    pub tone_map: ToneMap,
}

impl CompareOptions {
    /// Returns these options for an image that an encoder with these options made of the other.
    #[must_use]
    pub fn made_by(&self, options: EncodeOptions) -> Self {
        Self { made_by: Some(options), ..self.clone() }
    }

    /// Returns the rounding of the decoder for textures.
    pub fn decoder(&self) -> RoundingRule {
        let made_by = || self.made_by.map_or(RoundingRule::Real, |options| options.rounding_rule);
        self.rounding_rule.unwrap_or_else(made_by)
    }

    /// Returns the minimum alpha of a visible texel, in a comparison with a texture of this format.
    pub(super) fn threshold(&self, format: TextureFormat) -> u8 {
        let made_by = || PsnrScope::alpha_threshold(format, &self.made_by.unwrap_or_default());
        self.alpha_threshold.unwrap_or_else(made_by)
    }
    /// Returns the options of the reader, with this limit of memory in bytes.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        self.reading.clone().with(|o| {
            o.max_memory = max_memory;
            o.single_floats = true;
        })
    }
}
