//! Use of a picture that is stated, and the use that follows from its channels and its normal map.

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
        Self { usage: options.usage, color_space: options.color_space }
    }

    /// Returns options with the use that follows from the stated one, from their packed channels and from
    /// their normal map. Roughness maps are data, unless another use is stated.
    pub fn derived(self, options: TextureOptions) -> TextureOptions {
        let stated = TextureOptions { usage: self.usage, color_space: self.color_space, ..options };
        let mut options = packed_options(stated, options.packing);
        if options.roughness_from_normals && options.usage == PictureUse::Unknown {
            (options.usage, options.color_space) = (PictureUse::Data, Some(ColorSpace::Linear));
        }
        options
    }
}

/// Returns options whose use follows from the others: options of normal maps state that the pictures are
/// normal maps, and sRGB or a transfer function that they are colours. A stated format overrides the kind of
/// one channel, unless `keeps_kind`; [`TextureOptions::check`] then refuses both.
pub(super) fn finished(options: TextureOptions, keeps_kind: bool) -> TextureOptions {
    let is_given = options.format.format().is_some();
    let usage = match options.usage {
        _ if options.normals.state_normals() => PictureUse::Normals,
        PictureUse::OneChannel if is_given && !keeps_kind => PictureUse::Unknown,
        PictureUse::Unknown if options.color_space == Some(ColorSpace::Srgb) || options.has_transfer() => {
            PictureUse::Color
        }
        usage => usage,
    };
    let is_linear = options.encode.normals && options.color_space.is_none();
    let color_space = if is_linear { Some(ColorSpace::Linear) } else { options.color_space };
    TextureOptions { usage, color_space, ..options }
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
            (options.usage, options.color_space)
        };
        let new = TextureOptions::default;
        assert_eq!(usage(new()), (PictureUse::Unknown, None));
        let (srgb, linear) = (Some(ColorSpace::Srgb), Some(ColorSpace::Linear));
        assert_eq!(usage(TextureOptions { color_space: srgb, ..new() }), (PictureUse::Color, srgb));
        assert_eq!(usage(TextureOptions { convert_oetf: linear, ..new() }), (PictureUse::Color, None));
        let flipped =
            TextureOptions { normals: NormalOptions { flip_y: true, ..NormalOptions::default() }, ..new() };
        assert_eq!(usage(flipped), (PictureUse::Normals, None));
        assert_eq!(
            usage(TextureOptions { roughness_from_normals: true, ..new() }),
            (PictureUse::Data, linear)
        );
        let one_channel =
            TextureOptions { usage: PictureUse::OneChannel, roughness_from_normals: true, ..new() };
        assert_eq!(usage(one_channel), (PictureUse::OneChannel, None));
        let red = ChannelPacking::new().with_channel(PictureChannel::Red, PictureChannel::Alpha);
        assert_eq!(usage(TextureOptions { packing: red, ..new() }), (PictureUse::Data, linear));
        assert_eq!(
            usage(TextureOptions { packing: red, color_space: srgb, ..new() }),
            (PictureUse::Color, srgb)
        );
        let alpha = ChannelPacking::new().with_channel(PictureChannel::Alpha, PictureChannel::Red);
        assert_eq!(usage(TextureOptions { packing: alpha, ..new() }), (PictureUse::Unknown, None));
    }
}
