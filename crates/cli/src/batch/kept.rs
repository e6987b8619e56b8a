//! Reports of outputs that are not made again, and plans.
//!
//! The report of an output is a separate object of the cache, whose key is made of the output's.

use super::{
    Incremental, Job,
    digest::{Digest, Digesting},
};
use crate::report::PlanReport;
use brickwork_base::Task;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Write as _;

/// Maximum size of a report in bytes.
const MAX_BYTES: u64 = 1 << 24;

/// The notes and the report of an output that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The notes, as they are printed, and their kinds.
    pub notes: Vec<(String, String)>,
    /// Entry in `--json`.
    pub report: Value,
}

/// An object of the cache.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// Names of the inputs and of the output, which the report and the notes contain.
    names: Vec<String>,
    #[serde(flatten)]
    kept: Kept,
}

impl Stored {
    /// Returns the report for the files and the target of another job: equal contents may have several names.
    /// None if a name becomes two, because a file was used twice.
    fn renamed(self, job: &Job) -> Option<Kept> {
        let Self { names: old, kept: Kept { mut notes, mut report } } = self;
        let names = Names { old: &old, new: &job.names() };
        if !report.is_object() || !names.are_unique() {
            return None;
        }
        for (_, text) in &mut notes {
            names.rename("notes", text);
        }
        names.rename_all("", &mut report);
        report["target"] = job.target.as_deref().into();
        Some(Kept { notes, report })
    }
}

/// Names of the same files in two runs.
struct Names<'a> {
    old: &'a [String],
    new: &'a [String],
}

impl Names<'_> {
    fn pairs(&self) -> impl Iterator<Item = (&String, &String)> {
        self.old.iter().zip(self.new)
    }

    /// True if there is one new name for each old one.
    fn are_unique(&self) -> bool {
        let is_unique = |(old, new)| self.pairs().all(|(other, name)| other != old || name == new);
        self.old.len() == self.new.len() && self.pairs().all(is_unique)
    }

    /// Renames the files in a value of a report and in the values below it.
    fn rename_all(&self, key: &str, value: &mut Value) {
        match value {
            Value::String(text) => self.rename(key, text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.rename_all(key, value)),
            Value::Object(values) => values.iter_mut().for_each(|(key, value)| self.rename_all(key, value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Renames the file in a text of a report, which the key determines: a path, or a note that begins with
    /// one.
    fn rename(&self, key: &str, text: &mut String) {
        let is_rest: fn(&str) -> bool = match key {
            "input" | "output" | "level_files" | "roughness_from" => str::is_empty,
            "notes" => |rest| rest.starts_with(": "),
            _ => return,
        };
        let renamed = |(old, new): (&String, &String)| {
            text.strip_prefix(old.as_str()).filter(|rest| is_rest(rest)).map(|rest| format!("{new}{rest}"))
        };
        if let Some(renamed) = self.pairs().find_map(renamed) {
            *text = renamed;
        }
    }
}

/// Results of a dry run of a job.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The decisions.
    pub plan: PlanReport,
    /// The notes, as they are printed, and their kinds.
    pub notes: Vec<(String, String)>,
    /// The decisions in words.
    pub text: String,
}

impl Incremental {
    /// Keeps the report of the output of a job with this key.
    pub(super) fn keep(&self, key: &Digest, kept: &Kept, job: &Job) {
        let key = key_of_report(key);
        let Some(object) = self.cache.create(&key) else { return };
        let mut object = Digesting::new(object);
        let stored = Stored { names: job.names(), kept: kept.clone() };
        let bytes = serde_json::to_vec(&stored).unwrap_or_default();
        match object.write_all(&bytes) {
            Ok(()) => {
                let (object, digest, _) = object.finish();
                self.cache.commit(object, &key, &digest);
            }
            Err(error) => self.cache.fail(&error),
        }
    }

    /// Returns the report of the output with this key, for the files and the target of a job. None if the
    /// cache does not have it.
    pub(super) fn kept(&self, key: &Digest, job: &Job) -> Option<Kept> {
        let key = key_of_report(key);
        let object = self.cache.find(&key)?;
        let mut bytes = Vec::new();
        let is_whole = object.byte_count <= MAX_BYTES && object.copy_to(&mut bytes, &Task::new()).ok()?;
        let stored = if is_whole { serde_json::from_slice::<Stored>(&bytes).ok() } else { None };
        if stored.is_none() {
            self.cache.remove(&key);
        }
        stored?.renamed(job)
    }
}

fn key_of_report(key: &Digest) -> Digest {
    Digest::of_parts(&[b"report", &key.0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Output;
    use brickwork_toolkit::batch::Input;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn each_file_has_its_new_name() {
        let job = |inputs: &[&str], output: &str| {
            let inputs = inputs.iter().map(|name| Input::of(Path::new(name))).collect();
            Job { target: Some("phone".to_owned()), ..Job::new(inputs, Output::of(Path::new(output))) }
        };
        let report = json!({
            "input": "a", "output": "a.dds", "target": null, "format": "a", "level_files": ["b"],
            "packed_channels": {"g": {"input": "b", "channel": "a"}}, "notes": ["b: a note", "a"],
        });
        let stored = |inputs: &[&str]| Stored {
            names: job(inputs, "a.dds").names(),
            kept: Kept { notes: vec![("b".to_owned(), "b: a note".to_owned())], report: report.clone() },
        };
        // The names are exchanged.
        let renamed = stored(&["a", "b"]).renamed(&job(&["b", "a"], "b.dds")).unwrap();
        let expected = json!({
            "input": "b", "output": "b.dds", "target": "phone", "format": "a", "level_files": ["a"],
            "packed_channels": {"g": {"input": "a", "channel": "a"}}, "notes": ["a: a note", "a"],
        });
        assert_eq!(renamed.report, expected);
        assert_eq!(renamed.notes, [("b".to_owned(), "a: a note".to_owned())]);
        // A name that becomes two, and two that become one.
        assert_eq!(stored(&["a", "a"]).renamed(&job(&["b", "c"], "b.dds")), None);
        assert!(stored(&["a", "b"]).renamed(&job(&["c", "c"], "b.dds")).is_some());
    }
}
