//! Kind of a texture.

use crate::report::{AuditKind, CompareReport};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::ColorSpace;
use brickwork_toolkit::{report::color_space_name, texture::use_of_name};

impl AuditKind {
    /// Returns the kind of a texture with this number of stored channels: HDR and normals with two channels,
    /// else the use that materials or a name state, else that of one channel or colours. `None` if nothing
    /// states it.
    pub fn of_texture(
        is_hdr: bool,
        channel_count: usize,
        usage: Option<PictureUse>,
        is_srgb: bool,
    ) -> Option<Self> {
        Some(match usage {
            _ if is_hdr => Self::Hdr,
            _ if channel_count == 2 => Self::Normal,
            Some(PictureUse::Normals) => Self::Normal,
            _ if channel_count == 1 => Self::OneChannel,
            Some(PictureUse::OneChannel) => Self::OneChannel,
            Some(PictureUse::Data) => Self::Data,
            Some(PictureUse::Color) => Self::Color,
            _ if is_srgb => Self::Color,
            _ => return None,
        })
    }

    /// Returns the kind of a texture of which `channel_count` channels are compared, by the name of either
    /// file. Without another statement, it is data.
    pub(super) fn of_compared(report: &CompareReport, channel_count: usize) -> Self {
        let usage = use_of_name(&report.b.file).or_else(|| use_of_name(&report.a.file));
        let is_srgb = report.b.color_space == color_space_name(ColorSpace::Srgb);
        let is_hdr = report.hdr_metrics.is_some();
        Self::of_texture(is_hdr, channel_count, usage, is_srgb).unwrap_or(Self::Data)
    }
}
