//! Report of `report`, which writes an HTML page.

use super::{ComparedImage, HdrMetricsReport, MetricsReport, NormalMetricsReport};
use serde::Serialize;

/// Report of `report`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
}

/// A texture of `report`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Differences of half floats, if an image has any; else `null`.
    pub hdr_metrics: Option<HdrMetricsReport>,
    /// Angles between normals, if an image is BC5; else `null`.
    pub normal_metrics: Option<NormalMetricsReport>,
    /// Seconds of encoding, as `--encode-report` states; else `null`.
    pub encode_seconds: Option<f64>,
}
