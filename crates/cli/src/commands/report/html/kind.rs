//! Kind of a texture.

use crate::report::{AuditKind, CompareReport};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::ColorSpace;
use brickwork_toolkit::{report::color_space_name, texture::use_of_name};

impl AuditKind {
    /// Returns the kind of a texture whose use materials state; `None` for an unknown use.
    pub fn of_stated(usage: PictureUse, is_hdr: bool) -> Option<Self> {
        Some(match usage {
            PictureUse::Normals => Self::Normal,
            PictureUse::OneChannel => Self::OneChannel,
            PictureUse::Data => Self::Data,
            PictureUse::Color if is_hdr => Self::Hdr,
            PictureUse::Color => Self::Color,
            _ => return None,
        })
    }

    /// Returns the kind of a texture with this number of stored channels: HDR and normals with two channels,
    /// else the use that a name states, else that of one channel or colours. `None` if nothing states it.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A material's statement precedes the number of channels; a name does not.
    #[test]
    fn materials_state_the_kind() {
        use PictureUse::{Color, Data, Normals, OneChannel, Unknown};
        let stated = |usage| AuditKind::of_stated(usage, false);
        assert_eq!([stated(Data), stated(OneChannel)], [Some(AuditKind::Data), Some(AuditKind::OneChannel)]);
        assert_eq!([stated(Normals), stated(Color)], [Some(AuditKind::Normal), Some(AuditKind::Color)]);
        assert_eq!([stated(Unknown), AuditKind::of_stated(Unknown, true)], [None; 2]);
        assert_eq!(AuditKind::of_stated(Data, true), Some(AuditKind::Data));
        assert_eq!(AuditKind::of_stated(Color, true), Some(AuditKind::Hdr));
        assert_eq!(AuditKind::of_texture(false, 2, Some(Data), false), Some(AuditKind::Normal));
        assert_eq!(AuditKind::of_texture(true, 1, Some(Data), false), Some(AuditKind::Hdr));
    }
}
