//! Names of enums in reports.

use brickwork_texture::{AlphaMode, ColorSpace};

/// Returns `sRGB` or `linear`.
pub fn color_space_name(color_space: ColorSpace) -> &'static str {
    match color_space {
        ColorSpace::Srgb => "sRGB",
        ColorSpace::Linear => "linear",
    }
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
