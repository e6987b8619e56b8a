//! Filters of mip levels and of resized images, and texels past an edge.

use crate::names::impl_from_str;

/// Filter of a mip level or of a resized image.
///
/// The radius is in texels of the smaller image: of the result if the image shrinks, else of the source. The
/// box's radius is always in texels of the result.
///
/// Filters with a radius of 2 or 3 have negative weights. Edges stay sharper, and may overshoot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MipFilter {
    /// Mean of the area that the texel covers. If an even side is halved, a texel covers two texels; on an
    /// odd side, it covers three, the outer ones weighted by the covered share (the polyphase box filter).
    #[default]
    Box,
    /// Triangle of radius 1, also called bilinear or tent.
    Triangle,
    /// Sinc of radius 3 in a Kaiser window with α = 4, as in NVIDIA Texture Tools.
    Kaiser,
    /// Mitchell's and Netravali's cubic spline with B = C = 1/3, of radius 2. It also blurs a little.
    Mitchell,
    /// Catmull–Rom spline, of radius 2, also called bicubic.
    CatmullRom,
    /// Sinc of radius 3 in a sinc window.
    Lanczos3,
}

impl MipFilter {
    /// All filters.
    pub const ALL: &[Self] =
        &[Self::Box, Self::Triangle, Self::Kaiser, Self::Mitchell, Self::CatmullRom, Self::Lanczos3];

    /// Returns the name, as used by the program's `--mip-filter`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Triangle => "triangle",
            Self::Kaiser => "kaiser",
            Self::Mitchell => "mitchell",
            Self::CatmullRom => "catmull-rom",
            Self::Lanczos3 => "lanczos3",
        }
    }
}

impl_from_str!(MipFilter);

/// Extreme of the texels that a texel of a mip level or of a resized image covers, in each channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum MipExtreme {
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

impl MipExtreme {
    /// Both.
    pub const ALL: &[Self] = &[Self::Min, Self::Max];

    /// Returns the name, as used by the program's `--mip-filter`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

impl_from_str!(MipExtreme);

/// Texels past an edge of an image, as a filter reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MipWrap {
    /// The texel at the edge.
    #[default]
    Clamp,
    /// The texels at the opposite edge, for tiles.
    Repeat,
    /// The image mirrored at the edge. The texel at the edge occurs twice.
    Mirror,
}

impl MipWrap {
    /// All kinds.
    pub const ALL: &[Self] = &[Self::Clamp, Self::Repeat, Self::Mirror];

    /// Returns the name, as used by the program's `--mip-wrap`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clamp => "clamp",
            Self::Repeat => "repeat",
            Self::Mirror => "mirror",
        }
    }
}

impl_from_str!(MipWrap);
