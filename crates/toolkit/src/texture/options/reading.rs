//! Options of the readers of pictures.

use super::TextureOptions;
use crate::texture::plain::channel_type;
use brickwork_texture::{
    ChannelType, ColorSpace, TextureFormat,
    image_file::{ImageReadOptions, PictureUse},
};

impl TextureOptions {
    /// Returns the options of the reader of image files, with this limit of memory in bytes.
    ///
    /// [Data](PictureUse::Data) keep the numbers of the file, even if their colours are multiplied by alpha.
    /// A tone curve other than that of sRGB (`gAMA`, `cICP`, ICC profiles) counts for colours only. It does
    /// not count for other uses than [`PictureUse::Unknown`] and [`PictureUse::Color`], if the options state
    /// the colour space or transfer function of the pictures, or for textures that are always linear. Single
    /// floats are kept for formats that store them, and become half floats for all others.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        let is_alpha_data = self.usage == PictureUse::Data || self.encode.alpha_is_data();
        self.reader(max_memory).with_stored_alpha(is_alpha_data).with_stored_curves(self.keeps_curves())
    }

    /// Returns the options of the reader of pictures whose channels are packed. Channels are numbers, which
    /// alpha does not multiply and which have no tone curve.
    pub(in crate::texture) fn read_options_of_channels(&self, max_memory: u64) -> ImageReadOptions {
        self.reader(max_memory).with_stored_alpha(true).with_stored_curves(true)
    }

    /// Returns the options of the reader of the normal map of a roughness map.
    pub(in crate::texture) fn read_options_of_normals(&self, max_memory: u64) -> ImageReadOptions {
        self.reader(max_memory).with_stored_curves(true)
    }

    fn reader(&self, max_memory: u64) -> ImageReadOptions {
        ImageReadOptions::new()
            .with_max_memory(max_memory)
            .with_dds_ten_bit_masks(self.dds_ten_bit_masks)
            .with_single_floats(self.stores_singles())
    }

    /// True if the chosen format stores single floats.
    fn stores_singles(&self) -> bool {
        let format = self.format.format().and_then(TextureFormat::plain);
        format.is_some_and(|format| channel_type(format) == ChannelType::F32)
    }

    /// True if the tone curve that a file states does not count: for pictures other than colours, for those
    /// whose colour space or transfer function the options state, and for textures that are always linear.
    fn keeps_curves(&self) -> bool {
        let are_numbers =
            matches!(self.usage, PictureUse::Data | PictureUse::Normals | PictureUse::OneChannel);
        let is_linear = self.format.format().is_some_and(|format| !format.has_srgb())
            || self.format.color_space() == Some(ColorSpace::Linear);
        are_numbers
            || self.encode.alpha_is_data()
            || self.color_space.is_some()
            || self.assigned_transfer.is_some()
            || is_linear && self.converted_color_space.is_none()
    }
}
