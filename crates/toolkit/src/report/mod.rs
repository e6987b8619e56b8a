//! The program's JSON reports as types.
//!
//! Each command of `brickwork` prints one of these with `--json`. With the feature `schema`, `schema` returns
//! the JSON Schema of each, in which the comments on the fields are the descriptions.

// Every producer of a report fills in every field, so that a new key breaks the build where it is missing.
#![allow(clippy::exhaustive_structs)]

mod audit;
mod convert;
mod device;
mod escape;
mod files;
mod html;
mod metrics;
mod names;
mod numbers;
mod printable;
#[cfg(feature = "schema")]
mod schema;
mod texture;
mod texture_encode;
mod texture_header;
mod validate;
mod volume;
mod volume_info;

pub use audit::{
    AuditAdvice, AuditFinding, AuditKind, AuditReport, AuditRule, AuditTotals, AuditTrial, AuditUse,
    AuditedFile, AuditedModel, EmbeddedImage,
};
pub use convert::{ExtractedFileReport, TextureAssembleReport, TextureConvertReport, TextureExtractReport};
pub use device::{AdapterReport, DevicesReport, TiledLevelReport, TiledTextureReport, TilingReport};
pub(crate) use escape::{escaped, filled};
pub use files::{BatchSummary, FileAction, FileEntry, FileError, FilesReport, UntouchedFile};
pub use html::{HtmlFoldersReport, HtmlReport, HtmlReportPair, HtmlReportTexture};
pub use metrics::{
    ChannelErrors, HdrMetricsReport, MetricsReport, NormalMetricsReport, PerChannel, SpecialValues,
};
pub use names::{alpha_mode_name, color_space_name, dimensions_name, stated_color_space_name};
pub use numbers::{Bytes, counted};
pub use printable::{path_text, printable};
#[cfg(feature = "schema")]
pub use schema::{REPORTS, schema, schema_of};
pub use texture::{
    CompareFoldersReport, CompareReport, ComparedImage, ComparedLevelReport, FileInfoReport, ImageInfoReport,
    MipLevelReport, ModeCounts, TextureDecodeReport, TextureInfoReport,
};
pub use texture_encode::{PackedChannelReport, RdoTargetReport, TextureEncodeReport};
pub use texture_header::TextureHeaderReport;
pub use validate::{FindingReport, TextureValidateReport};
pub use volume::{
    BrickSampleReport, ComparedVolume, VolumeAxis, VolumeCompareReport, VolumeConvertReport,
    VolumeEncodeReport, VolumeExtractReport, VolumeMode, VolumeRenderReport, VolumeSliceReport,
    VolumeVerifyReport, VolumesVerifyReport,
};
pub use volume_info::{
    BwvInfoReport, OtherVolumeInfoReport, RescaleReport, RiceGroupCounts, StatisticsReport,
};
