//! Reports about the parts of textures: `assemble`, `extract` and `convert`.

use super::TextureEncodeReport;
use serde::Serialize;

/// One file of `convert`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureConvertReport {
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// The container: `dds` or `ktx2`.
    pub container: &'static str,
    /// The block format, such as `bc1`.
    pub format: &'static str,
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
    pub levels: u32,
    /// Colour space: `sRGB`, `linear`, or `unknown` where a legacy DDS header does not state it.
    pub color_space: &'static str,
    /// Level of Zstandard, or `null`.
    pub zstd: Option<i32>,
    /// Size of the blocks of all images.
    pub data_bytes: u64,
    /// Size of the file.
    pub file_bytes: u64,
    /// Facts that the user may not expect, such as properties that the container does not state.
    pub notes: Vec<String>,
}

/// Report of `extract`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureExtractReport {
    /// The command: `extract`.
    pub command: &'static str,
    /// The texture's path.
    pub input: String,
    /// The block format, such as `bc1`.
    pub format: &'static str,
    /// The files that were written.
    pub files: Vec<ExtractedFileReport>,
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
}

/// One file of `extract`. An axis that is `null` is whole.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ExtractedFileReport {
    /// The file's path.
    pub output: String,
    /// Mip level.
    pub level: Option<u32>,
    /// Array layer.
    pub layer: Option<u32>,
    /// Face of a cube: 0 to 5 for +X, −X, +Y, −Y, +Z, −Z.
    pub face: Option<u32>,
    /// Slice of a 3D texture.
    pub slice: Option<u32>,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Size of the file.
    pub file_bytes: u64,
}

/// One file of `assemble`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureAssembleReport {
    /// The inputs' paths, in the order of their images.
    pub inputs: Vec<String>,
    /// The output's path.
    pub output: String,
    /// The container: `dds` or `ktx2`.
    pub container: &'static str,
    /// The block format, such as `bc1`.
    pub format: &'static str,
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
    pub levels: u32,
    /// Source of a cube's faces, such as `faces by name` or `horizontal cross`; else `null`.
    pub face_source: Option<String>,
    /// Colour space: `sRGB`, `linear`, or `unknown` where a legacy DDS header does not state it.
    pub color_space: &'static str,
    /// Alpha: `opaque`, `straight` or `premultiplied`.
    pub alpha_mode: &'static str,
    /// Size of the blocks of all images.
    pub data_bytes: u64,
    /// Size of the file.
    pub file_bytes: u64,
    /// The report of `encode` about all images; `null` if textures were joined without encoding.
    pub encode: Option<TextureEncodeReport>,
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
}
