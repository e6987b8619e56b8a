//! All emitted files.

use crate::{
    EmitError,
    code::{Data, module},
    containers::container_module,
    filters::{filter_module, normal_module},
    format::format_module,
    mips::mip_module,
    parts::Parts,
    tables::Tables,
    volume::volume_files,
};
use brickwork_texture::{AstcFootprint, BlockFormat, TexelFormat};

/// Formats of each file.
const FORMATS: [(&str, &[BlockFormat]); 9] = [
    ("bc1", &[BlockFormat::Bc1]),
    ("bc2", &[BlockFormat::Bc2]),
    ("bc3", &[BlockFormat::Bc3]),
    ("bc4", &[BlockFormat::Bc4Unorm, BlockFormat::Bc4Snorm]),
    ("bc5", &[BlockFormat::Bc5Unorm, BlockFormat::Bc5Snorm]),
    ("bc6h", &[BlockFormat::Bc6hUfloat, BlockFormat::Bc6hSfloat]),
    ("bc7", &[BlockFormat::Bc7]),
    (
        "etc",
        &[
            BlockFormat::Etc2Rgb,
            BlockFormat::Etc2RgbA1,
            BlockFormat::Etc2Rgba,
            BlockFormat::EacR11Unorm,
            BlockFormat::EacR11Snorm,
            BlockFormat::EacRg11Unorm,
            BlockFormat::EacRg11Snorm,
        ],
    ),
    ("astc", &[BlockFormat::Astc(AstcFootprint::B4x4)]),
];

/// A file of the web package.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EmittedFile {
    /// Path in `web/src/generated`, with `/` between folders.
    pub path: String,
    /// TypeScript.
    pub text: String,
}

/// Returns all files, sorted by path. Their contents depend only on this workspace's code.
///
/// # Errors
/// [`EmitError`] if a chain, parameters or a header cannot be data.
pub fn emit() -> Result<Vec<EmittedFile>, EmitError> {
    let mut files = Vec::new();
    let mut add = |path: String, text: String| files.push(EmittedFile { path: path + ".ts", text });
    let (mut parts, mut tables) = (Parts::default(), Tables::default());
    for (name, formats) in FORMATS {
        add(format!("formats/{name}"), format_module(name, formats, &mut parts, &mut tables)?);
    }
    for (name, texels) in [("mips", TexelFormat::Rgba8), ("mips-halves", TexelFormat::RgbaF16)] {
        add(format!("mips/{name}"), mip_module(texels, name, &mut parts, &mut tables)?);
    }
    for (name, texels) in [("filters", TexelFormat::Rgba8), ("filters-halves", TexelFormat::RgbaF16)] {
        add(format!("mips/{name}"), filter_module(texels, name, &mut parts)?);
    }
    add("mips/normals".to_owned(), normal_module("normals", &mut parts)?);
    let imports = [("type Parts".to_owned(), "../../data.js".to_owned())];
    for (group, parts) in parts.groups() {
        let entries = parts.iter().map(|(name, wgsl)| (name.clone(), Data::Text(wgsl.clone()))).collect();
        add(format!("parts/{group}"), module(&imports, "Parts", &Data::Object(entries)));
    }
    for (name, text) in tables.modules() {
        add(format!("tables/{name}"), text);
    }
    add("containers".to_owned(), container_module()?);
    for (path, text) in volume_files() {
        add(path, text);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}
