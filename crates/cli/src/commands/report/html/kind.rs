//! Kind of a texture that is compared.

use crate::report::{AuditKind, CompareReport};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::ColorSpace;
use brickwork_toolkit::{report::color_space_name, texture::use_of_name};

impl AuditKind {
    /// Returns the kind of a texture of which `channel_count` channels are compared: HDR and normals that are
    /// measured as such, else the kind that the name of either file states, else that of the number of
    /// channels and the texture's colour space.
    pub(super) fn of_compared(report: &CompareReport, channel_count: usize) -> Self {
        if report.hdr_metrics.is_some() {
            return Self::Hdr;
        }
        if channel_count == 2 {
            return Self::Normal;
        }
        match use_of_name(&report.b.file).or_else(|| use_of_name(&report.a.file)) {
            Some(PictureUse::Normals) => Self::Normal,
            _ if channel_count == 1 => Self::OneChannel,
            Some(PictureUse::OneChannel) => Self::OneChannel,
            Some(PictureUse::Data) => Self::Data,
            Some(PictureUse::Color) => Self::Color,
            _ if report.b.color_space == color_space_name(ColorSpace::Srgb) => Self::Color,
            _ => Self::Data,
        }
    }
}
