//! JSON Schema of the reports.

use super::{
    AuditReport, BwvInfoReport, CompareFoldersReport, CompareReport, DevicesReport, FileInfoReport,
    FilesReport, HtmlFoldersReport, HtmlReport, OtherVolumeInfoReport, TextureAssembleReport,
    TextureConvertReport, TextureDecodeReport, TextureEncodeReport, TextureExtractReport,
    TextureValidateReport, TilingReport, VolumeCompareReport, VolumeConvertReport, VolumeEncodeReport,
    VolumeExtractReport, VolumeRenderReport, VolumeSliceReport, VolumeStatisticsReport, VolumeVerifyReport,
    VolumesVerifyReport,
};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

/// Commands that print a report, in the order of the program's help.
pub const REPORTS: &[&str] = &[
    "encode",
    "assemble",
    "decode",
    "extract",
    "convert",
    "info",
    "validate",
    "compare",
    "report",
    "audit",
    "volume encode",
    "volume decode",
    "volume extract",
    "volume convert",
    "volume info",
    "volume slice",
    "volume render",
    "volume verify",
    "volume compare",
    "volume stats",
    "devices",
    "tiling",
    #[cfg(feature = "papers")]
    "bench papers",
];

/// Returns the JSON Schema (draft 2020-12) of the document that `command` prints with `--json`; `None` if it
/// prints none. `command` is one of [`REPORTS`].
pub fn schema(command: &str) -> Option<Value> {
    Some(match command {
        "encode" => schema_of::<FilesReport<TextureEncodeReport>>(command),
        "assemble" => schema_of::<FilesReport<TextureAssembleReport>>(command),
        "decode" => schema_of::<FilesReport<TextureDecodeReport>>(command),
        "extract" => schema_of::<TextureExtractReport>(command),
        "convert" => schema_of::<FilesReport<TextureConvertReport>>(command),
        "info" => schema_of::<FilesReport<FileInfoReport>>(command),
        "validate" => schema_of::<FilesReport<TextureValidateReport>>(command),
        "compare" => schema_of::<Compare>(command),
        "report" => schema_of::<Page>(command),
        "audit" => schema_of::<AuditReport>(command),
        "devices" => schema_of::<DevicesReport>(command),
        "tiling" => schema_of::<TilingReport>(command),
        "volume encode" => schema_of::<VolumeEncodeReport>(command),
        "volume decode" | "volume extract" => schema_of::<VolumeExtractReport>(command),
        "volume convert" => schema_of::<VolumeConvertReport>(command),
        "volume info" => schema_of::<VolumeInfo>(command),
        "volume slice" => schema_of::<VolumeSliceReport>(command),
        "volume render" => schema_of::<VolumeRenderReport>(command),
        "volume verify" => schema_of::<VolumeVerify>(command),
        "volume compare" => schema_of::<VolumeCompareReport>(command),
        "volume stats" => schema_of::<VolumeStatisticsReport>(command),
        #[cfg(feature = "papers")]
        "bench papers" => schema_of::<brickwork_papers::bench::BenchPapersReport>(command),
        _ => return None,
    })
}

/// The documents of `compare`, of two files and of two folders.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, clippy::large_enum_variant, reason = "only its schema is used")]
enum Compare {
    Files(CompareReport),
    Folders(CompareFoldersReport),
}

/// The documents of `report`, of one original and of two folders.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Page {
    Textures(HtmlReport),
    Folders(HtmlFoldersReport),
}

/// The documents of `volume info`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, clippy::large_enum_variant, reason = "only its schema is used")]
enum VolumeInfo {
    Bwv(BwvInfoReport),
    Other(OtherVolumeInfoReport),
}

/// The documents of `volume verify`, of one file and of several.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum VolumeVerify {
    One(VolumeVerifyReport),
    Several(VolumesVerifyReport),
}

/// Returns the JSON Schema of the document `T` that `command` prints.
fn schema_of<T: JsonSchema>(command: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), format!("brickwork {command} --json").into());
    schema.to_value()
}
