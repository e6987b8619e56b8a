//! Presentation of numbers, results and progress, and the JSON reports as types.
//!
//! Each command prints one of these with `--json`. `schema` returns the JSON Schema of each, in which the
//! comments on the fields are the descriptions.

mod audit;
mod console;
mod convert;
mod device;
mod files;
mod html;
mod metrics;
mod names;
mod progress;
mod schema;
mod settings;
mod text;
mod texture;
mod texture_encode;
mod texture_header;
mod validate;
mod volume;
mod volume_info;
mod volume_stats;

pub use audit::{
    AuditAdvice, AuditFinding, AuditKind, AuditReport, AuditRule, AuditTotals, AuditTrial, AuditUse,
    AuditedFile, AuditedModel, EmbeddedImage,
};
pub use brickwork_toolkit::report::{Bytes, counted, printable};
pub use console::{be_verbose, complain, complain_in_lines, detail, note};
pub use convert::{ExtractedFileReport, TextureAssembleReport, TextureConvertReport, TextureExtractReport};
pub use device::{AdapterReport, DevicesReport, TiledLevelReport, TiledTextureReport, TilingReport};
pub use files::{BatchSummary, FileAction, FileEntry, FileError, FilesReport, PlanReport, UntouchedFile};
pub use html::{HtmlFoldersReport, HtmlReport, HtmlReportPair, HtmlReportTexture};
pub use metrics::{HdrMetricsReport, MetricsReport, NormalMetricsReport, SpecialValues};
pub use names::{dimensions_name, stated_color_space_name};
pub use progress::{Bar, with_progress, with_stages};
pub use schema::{REPORTS, schema};
pub use settings::{Settings, settings_in_words};
pub use text::{Decibels, Pace, Ratio};
pub use texture::{
    CompareFoldersReport, CompareReport, ComparedImage, ComparedLevelReport, FileInfoReport, ImageInfoReport,
    ModeCounts, TextureDecodeReport, TextureInfoReport,
};
pub use texture_encode::{PackedChannelReport, RdoTargetReport, TextureEncodeReport};
pub use texture_header::TextureHeaderReport;
pub use validate::TextureValidateReport;
pub use volume::{
    BrickSampleReport, ComparedVolume, VolumeAxis, VolumeChannelReport, VolumeCompareReport,
    VolumeConvertReport, VolumeEncodeReport, VolumeExtractReport, VolumeMode, VolumeRenderReport,
    VolumeSliceReport, VolumeVerifyReport, VolumesVerifyReport,
};
pub use volume_info::{BwvInfoReport, OtherVolumeInfoReport, StatisticsReport};
pub use volume_stats::{PartStatisticsReport, ValuesReport, VolumeStatisticsReport};
