//! Tone curves of files.

use super::TextureOptions;
use brickwork_texture::{ColorSpace, image_file::PictureUse};

impl TextureOptions {
    /// True if the tone curve that a file states does not count: for pictures other than colours, for those
    /// whose colour space or transfer function the options state, and for textures that are always linear.
    pub(super) fn keeps_curves(&self) -> bool {
        let are_numbers =
            matches!(self.usage, PictureUse::Data | PictureUse::Normals | PictureUse::OneChannel);
        let is_linear = self.format.format().is_some_and(|format| !format.has_srgb())
            || self.format.color_space() == Some(ColorSpace::Linear);
        are_numbers
            || self.color_space.is_some()
            || self.assigned_transfer.is_some()
            || is_linear && self.converted_color_space.is_none()
    }
}
