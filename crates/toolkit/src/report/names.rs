//! Names of enums in reports.

use brickwork_texture::{AlphaMode, ColorSpace, TextureKind};

/// Returns `sRGB` or `linear`.
pub fn color_space_name(color_space: ColorSpace) -> &'static str {
    match color_space {
        ColorSpace::Srgb => "sRGB",
        ColorSpace::Linear => "linear",
    }
}

/// Returns [`color_space_name`], or `unknown` for a file that does not state its colour space.
pub fn stated_color_space_name(color_space: Option<ColorSpace>) -> &'static str {
    color_space.map_or("unknown", color_space_name)
}

/// Returns `opaque`, `straight` or `premultiplied`.
pub fn alpha_mode_name(alpha_mode: AlphaMode) -> &'static str {
    match alpha_mode {
        AlphaMode::Opaque => "opaque",
        AlphaMode::Straight => "straight",
        AlphaMode::Premultiplied => "premultiplied",
        _ => "another",
    }
}

/// Returns `2d`, `cube` or `3d`.
pub fn dimensions_name(kind: TextureKind) -> &'static str {
    match kind {
        TextureKind::D2 => "2d",
        TextureKind::Cube => "cube",
        TextureKind::D3 => "3d",
        _ => "other",
    }
}
