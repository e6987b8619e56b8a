//! Report of `report`, which writes an HTML page.

use super::{AuditKind, ComparedImage, FileEntry, HdrMetricsReport, MetricsReport, NormalMetricsReport};
use serde::Serialize;

/// Report of `report`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct HtmlReport {
    /// The command: `report`.
    pub command: &'static str,
    /// The page's path.
    pub output: String,
    /// Size of the page.
    pub file_bytes: u64,
    /// The original.
    pub original: ComparedImage,
    /// The textures, in the order of the command line.
    pub textures: Vec<HtmlReportTexture>,
    /// Texels along each side that a pixel of the page's pictures shows: 1, 2, 4, …. Figures are those of all
    /// texels.
    pub reduction: u32,
    /// Violated limits, each after the texture's file, and limits on measures that no texture has.
    pub failures: Vec<String>,
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
}

/// Report of `report` for two folders.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct HtmlFoldersReport {
    /// The command: `report`.
    pub command: &'static str,
    /// The page's path.
    pub output: String,
    /// Size of the page.
    pub file_bytes: u64,
    /// The folder of the originals.
    pub a: String,
    /// The folder of the textures.
    pub b: String,
    /// Pairs of files with the same path without extension: those that failed, then the worst ones first.
    pub pairs: Vec<FileEntry<HtmlReportPair>>,
    /// Paths without extension that only the first folder has.
    pub only_in_a: Vec<String>,
    /// Paths without extension that only the second folder has.
    pub only_in_b: Vec<String>,
    /// Number of files in subfolders of the first folder that were not compared because `-r` was not given.
    pub left_out_in_a: usize,
    /// Number of files in subfolders of the second folder that were not compared.
    pub left_out_in_b: usize,
    /// Number of pairs without pictures, because the page has a limit. They are the last ones.
    pub without_pictures: usize,
    /// Violated limits, each after the texture's file, and limits on measures that no texture has.
    pub failures: Vec<String>,
    /// Facts about the page that the user may not expect. Those about a pair are in its entry.
    pub notes: Vec<String>,
}

/// A pair of files of `report`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct HtmlReportPair {
    /// Path below the folders without extension.
    pub name: String,
    /// The original.
    pub original: ComparedImage,
    /// The texture.
    #[serde(flatten)]
    pub texture: HtmlReportTexture,
    /// Texels along each side that a pixel of the pair's pictures shows; `null` without pictures.
    pub reduction: Option<u32>,
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
}

/// A texture of `report`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct HtmlReportTexture {
    /// The file.
    pub image: ComparedImage,
    /// Size of the file; `null` for standard input.
    pub file_bytes: Option<u64>,
    /// Size of the blocks of all images; `null` for an image file.
    pub data_bytes: Option<u64>,
    /// Bits of the blocks per texel; `null` for an image file.
    pub bits_per_texel: Option<f64>,
    /// Differences of all texels.
    #[serde(flatten)]
    pub metrics: MetricsReport,
    /// Differences of visible texels, if a format of 1-bit alpha may make texels transparent, or others hide
    /// their colours; else `null`.
    pub visible_metrics: Option<MetricsReport>,
    /// Differences of half floats, if an image has any; else `null`.
    pub hdr_metrics: Option<HdrMetricsReport>,
    /// Angles between normals, if an image is BC5; else `null`.
    pub normal_metrics: Option<NormalMetricsReport>,
    /// Kind of texture: that of its measures, of either file's name, or of its format and colour space.
    pub kind: AuditKind,
    /// Violated limits.
    pub failures: Vec<String>,
    /// Seconds of encoding, as `--encode-report` states; else `null`.
    pub encode_seconds: Option<f64>,
}
