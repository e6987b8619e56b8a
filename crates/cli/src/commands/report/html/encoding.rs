//! Records of how textures were encoded: the JSON report of `encode`.

use super::HtmlReportError;
use brickwork_base::Task;
use brickwork_toolkit::batch::{BatchError, Input};
use serde_json::Value;
use std::{
    collections::HashSet,
    ffi::OsStr,
    io::Read as _,
    path::{Component, Path, PathBuf},
};

/// Largest report that is read, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Records of how textures were encoded, by the paths of their files. A record is used only for a file with
/// the same format and size in bytes.
#[derive(Clone, Debug, Default)]
pub struct EncodingRecords {
    list: Vec<EncodingRecord>,
    has_reports: bool,
}

/// Record of one texture.
#[derive(Clone, Debug)]
pub(super) struct EncodingRecord {
    output: String,
    format: String,
    file_bytes: u64,
    /// Quality and λ in a few words.
    pub settings: String,
    pub seconds: f64,
    pub device: String,
}

/// A texture of a page, whose record is searched for.
#[derive(Clone, Copy)]
pub(super) struct EncodedFile<'a> {
    pub name: &'a str,
    pub format: &'a str,
    /// Size of the file; none for standard input.
    pub file_bytes: Option<u64>,
}

impl EncodingRecord {
    /// True if the file has the format and size that were recorded. If not, the record is that of another
    /// file with this name, or the file was written again.
    fn fits(&self, file: &EncodedFile<'_>) -> bool {
        self.format == file.format && Some(self.file_bytes) == file.file_bytes
    }
}

impl EncodingRecords {
    /// Returns no records.
    pub const fn new() -> Self {
        Self { list: Vec::new(), has_reports: false }
    }

    /// Reads the report that `encode --json` printed, and adds its textures. Files that were not written
    /// have the record of their encoding if they are from a cache.
    ///
    /// # Errors
    /// [`HtmlReportError`], which names the file, if it cannot be read or is another document.
    pub fn add_file(&mut self, input: &Input, task: &Task<'_>) -> Result<(), HtmlReportError> {
        task.check().map_err(BatchError::from)?;
        let stream = input.open(MAX_BYTES, task)?;
        let mut bytes = Vec::new();
        let read = stream.take(MAX_BYTES).read_to_end(&mut bytes);
        read.map_err(|error| BatchError::io(input.name(), error))?;
        task.check().map_err(BatchError::from)?;
        let records = records_of(&bytes);
        self.list.extend(records.ok_or_else(|| HtmlReportError::NoEncodeReport { input: input.name() })?);
        self.has_reports = true;
        Ok(())
    }

    /// True if a report was read, possibly one without records.
    pub(super) const fn has_reports(&self) -> bool {
        self.has_reports
    }

    /// Returns the records of a page's textures. A texture has the record of its path, else the only one of
    /// its file name, if format and size are equal. The latter is not used if it is that of another texture
    /// of the page, or might be.
    pub(super) fn of_textures(&self, files: &[EncodedFile<'_>]) -> Vec<Option<EncodingRecord>> {
        let names: Vec<&str> = files.iter().map(|file| file.name).collect();
        // The last record of a path counts.
        let mut seen = HashSet::new();
        let records = self.list.iter().rev().filter(|record| seen.insert(plain(&record.output)));
        let records: Vec<&EncodingRecord> = records.collect();
        let of_path = |name: &str| records.iter().position(|record| is_same_path(&record.output, name));
        let file = |name: &str| Path::new(name).file_name().map(OsStr::to_owned);
        let of_name = |name: &str| {
            let mut others = names.iter().filter(|other| of_path(other).is_none());
            let is_ambiguous = others.any(|other| file(other) == file(name) && !is_same_path(other, name));
            let is_of_another =
                |record: &EncodingRecord| names.iter().any(|other| is_same_path(other, &record.output));
            let mut same = records.iter().filter(|record| file(&record.output) == file(name));
            same.next().filter(|record| same.next().is_none() && !is_ambiguous && !is_of_another(record))
        };
        let record = |wanted: &EncodedFile<'_>| {
            let record = match of_path(wanted.name) {
                Some(index) => Some(records[index]),
                None => of_name(wanted.name).copied(),
            };
            record.filter(|record| record.fits(wanted)).cloned()
        };
        files.iter().map(record).collect()
    }
}

/// Returns a path without parts such as `./`.
fn plain(path: &str) -> PathBuf {
    Path::new(path).components().filter(|part| *part != Component::CurDir).collect()
}

/// True if two paths are the same, apart from parts such as `./`.
fn is_same_path(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

/// Returns the textures of a report; `None` if it is another document.
fn records_of(json: &[u8]) -> Option<Vec<EncodingRecord>> {
    let report: Value = serde_json::from_slice(json).ok()?;
    if report.get("command")? != "encode" {
        return None;
    }
    let files = report.get("files")?.as_array()?;
    Some(files.iter().filter_map(record_of).collect())
}

/// Returns the record of a file that was written, or of the encoding of one that was kept.
fn record_of(file: &Value) -> Option<EncodingRecord> {
    let file = file.get("result").unwrap_or(file);
    let text = |key| file.get(key).and_then(Value::as_str);
    let mut settings = match file.get("real_time").and_then(Value::as_u64) {
        Some(level) => format!("real time, level {level}"),
        None => format!("quality {}", text("quality")?),
    };
    if let Some(lambda) = file.get("rdo").and_then(Value::as_f64).filter(|&lambda| lambda > 0.0) {
        settings += &format!(", RDO λ {lambda}");
    }
    let device = match text("adapter") {
        Some(adapter) => adapter.to_owned(),
        None => format!("CPU, {} threads", file.get("threads")?.as_u64()?),
    };
    let seconds = file.get("encode_seconds")?.as_f64()?;
    let [output, format] = [text("output")?, text("format")?].map(str::to_owned);
    let file_bytes = file.get("file_bytes")?.as_u64()?;
    Some(EncodingRecord { output, format, file_bytes, settings, seconds, device })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_by_path_or_unique_name() {
        let file = |output: &str, rdo: f32| {
            format!(
                r#"{{"output": "{output}", "format": "bc7", "file_bytes": 164, "quality": "high",
                "rdo": {rdo}, "adapter": null, "threads": 4, "encode_seconds": 0.5, "real_time": null}}"#
            )
        };
        let files = [file("out/a.dds", 2.0), file("b/x.dds", 0.0), file("c/x.dds", 0.0)].join(",");
        let failed = r#"{"error": {"exit_code": 2, "message": "gone"}}"#;
        let kept =
            format!(r#"{{"output": "k.dds", "action": "from-cache", "result": {}}}"#, file("k.dds", 0.0));
        let not_recorded = r#"{"output": "l.dds", "action": "up-to-date", "result": null}"#;
        let files = [files, failed.to_owned(), kept, not_recorded.to_owned()].join(",");
        let text = format!(r#"{{"command": "encode", "files": [{files}]}}"#);
        let list = records_of(text.as_bytes()).unwrap();
        let records = EncodingRecords { list, has_reports: true };
        assert_eq!(records.list.len(), 4);
        let written = |name| EncodedFile { name, format: "bc7", file_bytes: Some(164) };
        let of = |names: &[&'static str]| -> Vec<Option<String>> {
            let files: Vec<_> = names.iter().map(|&name| written(name)).collect();
            records.of_textures(&files).into_iter().map(|record| Some(record?.output)).collect()
        };
        let output = |output: &str| Some(output.to_owned());
        let record = records.of_textures(&[written("elsewhere/a.dds")]).remove(0).unwrap();
        assert_eq!((record.settings.as_str(), record.seconds), ("quality high, RDO λ 2", 0.5));
        assert_eq!(record.device, "CPU, 4 threads");
        assert_eq!(of(&["c/x.dds", "./b//x.dds"]), [output("c/x.dds"), output("b/x.dds")]);
        assert_eq!(of(&["d/x.dds", "y.dds", "l.dds", "k.dds"]), [None, None, None, output("k.dds")]);
        // The record is that of another texture, or might be.
        assert_eq!(of(&["old/a.dds", "out/a.dds"]), [None, output("out/a.dds")]);
        assert_eq!(of(&["old/a.dds", "new/a.dds"]), [None, None]);
        assert_eq!(of(&["old/a.dds", "old/a.dds"]), [output("out/a.dds"), output("out/a.dds")]);
        // The file is another, or was written again.
        let file = written("out/a.dds");
        let others = [
            EncodedFile { format: "bc3", ..file },
            EncodedFile { file_bytes: Some(180), ..file },
            EncodedFile { file_bytes: None, ..file },
        ];
        assert!(others.iter().all(|&other| records.of_textures(&[other])[0].is_none()));
        assert!(records_of(br#"{"command": "decode", "files": []}"#).is_none());
        assert!(records_of(b"{").is_none());
    }
}
