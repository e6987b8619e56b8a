//! Reports about the headers of textures whose texels are not read.

use super::dimensions_name;
use brickwork_texture::{TextureKind, container::Ktx2Header};
use brickwork_toolkit::report::color_space_name;
use serde::Serialize;
use std::collections::BTreeMap;

/// A KTX2 file in a format that is not read, such as Basis Universal.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureHeaderReport {
    /// The file's path.
    pub file: String,
    /// Size of the file.
    pub file_bytes: u64,
    /// The container: `ktx2`.
    pub container: &'static str,
    /// The format in the container's own words, such as `Basis Universal UASTC`.
    pub format_name: String,
    /// `2d`, `cube` or `3d`.
    pub dimensions: &'static str,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Slices of a 3D texture, else 1.
    pub depth: u32,
    /// Layers of an array, else 1.
    pub layers: u32,
    /// 6 for a cube, else 1.
    pub faces: u32,
    /// Number of mip levels.
    pub level_count: u32,
    /// Colour space: `sRGB` or `linear`.
    pub color_space: &'static str,
    /// True if colours are multiplied by alpha.
    pub premultiplied: bool,
    /// The supercompression's name, or `null`.
    pub supercompression: Option<String>,
    /// Size of all mip levels in the file.
    pub data_bytes: u64,
    /// KTX2's keys, with their values as text.
    pub key_values: BTreeMap<String, String>,
    /// Reason why there is no more.
    pub notes: Vec<String>,
}

impl TextureHeaderReport {
    /// Returns the report of a file with this header.
    pub fn new(file: String, file_bytes: u64, header: Ktx2Header) -> Self {
        let [width, height, depth] = header.size;
        Self {
            file,
            file_bytes,
            container: "ktx2",
            format_name: header.format_name,
            dimensions: dimensions_name(header.kind),
            width,
            height,
            depth,
            layers: header.layers,
            faces: if header.kind == TextureKind::Cube { 6 } else { 1 },
            level_count: header.mip_levels,
            color_space: color_space_name(header.color_space),
            premultiplied: header.is_premultiplied,
            supercompression: header.supercompression,
            data_bytes: header.data_bytes,
            key_values: header.key_values.into_iter().collect(),
            notes: vec!["only the header of this format is read".to_owned()],
        }
    }
}
