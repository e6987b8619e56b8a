//! Reports of outputs that are not made again, and plans.
//!
//! The report of an output is a separate object of the cache, whose key is made of the output's.

use super::{Incremental, digest::Digest, digest::Digesting};
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
    /// Names of the first input and of the output, which notes may contain.
    pub names: [String; 2],
    /// The notes, as they are printed, and their kinds.
    pub notes: Vec<(String, String)>,
    /// Entry in `--json`.
    pub report: Value,
}

impl Kept {
    /// Returns the same for files with other names and another target: equal contents may have several.
    fn renamed(mut self, names: [String; 2], target: Option<&str>) -> Self {
        let renamed =
            |text: &str| match self.names.iter().position(|old| text.starts_with(&format!("{old}: "))) {
                Some(index) => names[index].clone() + &text[self.names[index].len()..],
                None => text.to_owned(),
            };
        self.notes.iter_mut().for_each(|(_, text)| *text = renamed(text));
        let notes = self.report.get_mut("notes").and_then(Value::as_array_mut);
        for note in notes.into_iter().flatten() {
            *note = renamed(note.as_str().unwrap_or_default()).into();
        }
        for (key, value) in [("input", names[0].clone().into()), ("output", names[1].clone().into())] {
            self.report[key] = value;
        }
        self.report["target"] = target.into();
        self.names = names;
        self
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
    /// Keeps the report of an output with this key.
    pub(super) fn keep(&self, key: &Digest, kept: &Kept) {
        let key = key_of_report(key);
        let Some(object) = self.cache.create(&key) else { return };
        let mut object = Digesting::new(object);
        let bytes = serde_json::to_vec(kept).unwrap_or_default();
        match object.write_all(&bytes) {
            Ok(()) => {
                let (object, digest, _) = object.finish();
                self.cache.commit(object, &key, &digest);
            }
            Err(error) => self.cache.fail(&error),
        }
    }

    /// Returns the report of the output with this key, for these names and target. None if the cache does not
    /// have it.
    pub(super) fn kept(&self, key: &Digest, names: [String; 2], target: Option<&str>) -> Option<Kept> {
        let key = key_of_report(key);
        let object = self.cache.find(&key)?;
        let mut bytes = Vec::new();
        let is_whole = object.byte_count <= MAX_BYTES && object.copy_to(&mut bytes, &Task::new()).ok()?;
        let kept = if is_whole { serde_json::from_slice::<Kept>(&bytes).ok() } else { None };
        if kept.is_none() {
            self.cache.remove(&key);
        }
        Some(kept.filter(|kept| kept.report.is_object())?.renamed(names, target))
    }
}

fn key_of_report(key: &Digest) -> Digest {
    Digest::of_parts(&[b"report", &key.0])
}
