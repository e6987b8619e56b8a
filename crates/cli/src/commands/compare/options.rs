//! Options of comparisons.

use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{RoundingRule, ToneMap};

/// Options of a comparison of images.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareOptions {
    /// Rounding of the decoder for textures. Default: [`RoundingRule::Real`].
    pub rounding_rule: RoundingRule,
    /// Minimum alpha of a visible texel of the first image. Default: 128.
    pub alpha_threshold: u8,
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
    /// Returns the options of the reader, with this limit of memory in bytes.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        self.reading.clone().with(|o| {
            o.max_memory = max_memory;
            o.single_floats = true;
        })
    }
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            rounding_rule: RoundingRule::Real,
            alpha_threshold: 128,
            visible: false,
            normals: false,
            flip: false,
            level: 0,
            reading: ImageReadOptions::default(),
            tone_map: ToneMap::default(),
        }
    }
}
