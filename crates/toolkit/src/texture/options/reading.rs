//! Options of the readers of pictures.

use super::TextureOptions;
use crate::texture::plain::channel_type;
use brickwork_image::image_file::{ImageReadOptions, PictureUse};
use brickwork_texture::{ChannelType, ColorSpace, TextureFormat};

impl TextureOptions {
    /// Returns the options of the reader of image files, with this limit of memory in bytes.
    ///
    /// [Data](PictureUse::Data) and [premultiplied](Self::premultiplied) pictures keep the numbers of the
    /// file, even if their colours are multiplied by alpha.
    /// A tone curve or primaries other than those of sRGB (`gAMA`, `cHRM`, `cICP`, ICC profiles) count for
    /// colours only. They do not count for other uses than [`PictureUse::Unknown`] and
    /// [`PictureUse::Color`], if the options state the colour space or transfer function of the pictures, or
    /// for integers that are always linear. Single floats are kept for formats that store them, and become
    /// half floats for all others.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        let keeps_alpha = self.usage == PictureUse::Data || self.encode.alpha_is_data || self.premultiplied;
        self.reader(max_memory).with(|o| {
            o.stored_alpha = keeps_alpha;
            o.stored_colors = self.keeps_colors();
        })
    }

    /// Returns the options of the reader of pictures whose channels are packed. Channels are numbers, which
    /// alpha does not multiply and which have neither tone curve nor primaries.
    pub(in crate::texture) fn read_options_of_channels(&self, max_memory: u64) -> ImageReadOptions {
        self.reader(max_memory).with(|o| {
            o.stored_alpha = true;
            o.stored_colors = true;
        })
    }

    /// Returns the options of the reader of the normal map of a roughness map.
    pub(in crate::texture) fn read_options_of_normals(&self, max_memory: u64) -> ImageReadOptions {
        self.reader(max_memory).with(|o| o.stored_colors = true)
    }

    fn reader(&self, max_memory: u64) -> ImageReadOptions {
        self.reading.clone().with(|o| {
            o.max_memory = max_memory;
            o.single_floats = self.stores_singles();
        })
    }

    /// True if the chosen format stores single floats.
    fn stores_singles(&self) -> bool {
        let format = self.format.format().and_then(TextureFormat::plain);
        format.is_some_and(|format| channel_type(format) == ChannelType::F32)
    }

    /// True if the tone curve and primaries that a file states do not count: for pictures other than colours,
    /// for those whose colour space or transfer function the options state, and for integers that are always
    /// linear. Formats of floats store light, which PQ and HLG state.
    fn keeps_colors(&self) -> bool {
        let format = self.format.format();
        let is_linear = format.is_some_and(|format| !format.has_srgb())
            || self.format.color_space() == Some(ColorSpace::Linear);
        let is_light = format.is_some_and(TextureFormat::is_float);
        self.are_data()
            || self.encode.alpha_is_data
            || self.color_space.is_some()
            || self.assign_oetf.is_some()
            || is_linear && !is_light && self.convert_oetf.is_none()
    }
}
