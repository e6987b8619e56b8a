//! Use of a picture that is stated, and the use that follows from its channels and its normal map.

use crate::texture::{TextureOptions, packing::packed_options};
use brickwork_texture::{ColorSpace, image_file::PictureUse};

/// Use and colour space that options state, apart from those that follow from packed channels or from the
/// normal map of a roughness map.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatedUse {
    usage: PictureUse,
    color_space: Option<ColorSpace>,
}

impl StatedUse {
    /// Returns the use and the colour space of options.
    pub const fn of(options: &TextureOptions) -> Self {
        Self { usage: options.usage(), color_space: options.color_space() }
    }

    /// Returns options with the use that follows from the stated one, from their packed channels and from
    /// their normal map. Roughness maps are data, unless another use is stated.
    pub fn derived(self, options: TextureOptions) -> TextureOptions {
        let stated = options.with_usage(self.usage).with_color_space(self.color_space);
        let options = packed_options(stated, options.packing());
        if options.roughness_from_normals() && options.usage() == PictureUse::Unknown {
            return options.with_usage(PictureUse::Data).with_color_space(Some(ColorSpace::Linear));
        }
        options
    }
}
