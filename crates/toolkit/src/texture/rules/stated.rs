//! Use of a picture that is stated, and the use that follows from its channels and its normal map.

use super::keys::finished;
use crate::texture::{TextureOptions, packing::packed_options};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::ColorSpace;

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

impl TextureOptions {
    /// Returns options with the use of the pictures that follows from the others, as for the program: options
    /// of normal maps state that the pictures are normal maps; sRGB and transfer functions, that they are
    /// colours; colours that are packed and a normal map, that they are data, unless their use is stated.
    #[must_use]
    pub fn with_derived_use(self) -> Self {
        let options = finished(self, true);
        StatedUse::of(&options).derived(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::{ChannelPacking, NormalOptions, PictureChannel};

    #[test]
    fn other_options_state_the_use() {
        let usage = |options: TextureOptions| {
            let options = options.with_derived_use();
            (options.usage(), options.color_space())
        };
        let new = TextureOptions::new;
        assert_eq!(usage(new()), (PictureUse::Unknown, None));
        let (srgb, linear) = (Some(ColorSpace::Srgb), Some(ColorSpace::Linear));
        assert_eq!(usage(new().with_color_space(srgb)), (PictureUse::Color, srgb));
        assert_eq!(usage(new().with_converted_color_space(linear)), (PictureUse::Color, None));
        let flipped = new().with_normals(NormalOptions::new().with_flip_y(true));
        assert_eq!(usage(flipped), (PictureUse::Normals, None));
        assert_eq!(usage(new().with_roughness_from_normals(true)), (PictureUse::Data, linear));
        let one_channel = new().with_usage(PictureUse::OneChannel).with_roughness_from_normals(true);
        assert_eq!(usage(one_channel), (PictureUse::OneChannel, None));
        let red = ChannelPacking::new().with_channel(PictureChannel::Red, PictureChannel::Alpha);
        assert_eq!(usage(new().with_packing(red)), (PictureUse::Data, linear));
        assert_eq!(usage(new().with_packing(red).with_color_space(srgb)), (PictureUse::Color, srgb));
        let alpha = ChannelPacking::new().with_channel(PictureChannel::Alpha, PictureChannel::Red);
        assert_eq!(usage(new().with_packing(alpha)), (PictureUse::Unknown, None));
    }
}
