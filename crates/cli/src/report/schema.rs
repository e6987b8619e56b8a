//! JSON Schema of the reports.

use super::{
    AuditReport, BenchPapersReport, BwvInfoReport, CompareFoldersReport, CompareReport, DevicesReport,
    FileInfoReport, FilesReport, HtmlFoldersReport, HtmlReport, OtherVolumeInfoReport, TextureAssembleReport,
    TextureConvertReport, TextureDecodeReport, TextureEncodeReport, TextureExtractReport,
    TextureValidateReport, TilingReport, VolumeCompareReport, VolumeConvertReport, VolumeEncodeReport,
    VolumeExtractReport, VolumeRenderReport, VolumeSliceReport, VolumeVerifyReport, VolumesVerifyReport,
};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

/// Commands that print a report, in the order of the program's help.
pub const REPORTS: [&str; 22] = [
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
    "devices",
    "tiling",
    "bench papers",
];

/// Returns the JSON Schema (draft 2020-12) of the document that `command` prints with `--json`; `None` if it
/// prints none. `command` is one of [`REPORTS`].
///
/// ```
/// use brickwork_toolkit::report::schema;
///
/// let schema = schema("encode").ok_or("no such report")?;
/// assert_eq!(schema["properties"]["files"]["type"], "array");
/// # Ok::<(), &str>(())
/// ```
pub fn schema(command: &str) -> Option<Value> {
    Some(match command {
        "encode" => of::<FilesReport<TextureEncodeReport>>(command),
        "assemble" => of::<FilesReport<TextureAssembleReport>>(command),
        "decode" => of::<FilesReport<TextureDecodeReport>>(command),
        "extract" => of::<TextureExtractReport>(command),
        "convert" => of::<FilesReport<TextureConvertReport>>(command),
        "info" => of::<FilesReport<FileInfoReport>>(command),
        "validate" => of::<FilesReport<TextureValidateReport>>(command),
        "compare" => of::<Compare>(command),
        "report" => of::<Page>(command),
        "audit" => of::<AuditReport>(command),
        "devices" => of::<DevicesReport>(command),
        "tiling" => of::<TilingReport>(command),
        "bench papers" => of::<BenchPapersReport>(command),
        "volume encode" => of::<VolumeEncodeReport>(command),
        "volume decode" | "volume extract" => of::<VolumeExtractReport>(command),
        "volume convert" => of::<VolumeConvertReport>(command),
        "volume info" => of::<VolumeInfo>(command),
        "volume slice" => of::<VolumeSliceReport>(command),
        "volume render" => of::<VolumeRenderReport>(command),
        "volume verify" => of::<VolumeVerify>(command),
        "volume compare" => of::<VolumeCompareReport>(command),
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

fn of<T: JsonSchema>(command: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), format!("brickwork {command} --json").into());
    schema.to_value()
}
