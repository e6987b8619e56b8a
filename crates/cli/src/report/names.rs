//! Names of enums in reports.

use brickwork_texture::{ColorSpace, TextureKind};
use brickwork_toolkit::report::color_space_name;

/// Returns [`color_space_name`], or `unknown` for a file that does not state its colour space.
pub fn stated_color_space_name(color_space: Option<ColorSpace>) -> &'static str {
    color_space.map_or("unknown", color_space_name)
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
