//! Fields and keys of a source in NRRD, which the metadata keeps and the writer writes again.

use brickwork_volume::Header;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Fields with one value.
const PLAIN: [&str; 3] = ["content", "sample units", "measurement frame"];

/// Fields with a value per axis.
const PER_AXIS: [&str; 4] = ["thicknesses", "centers", "centerings", "labels"];

/// Fields of a source in NRRD that the metadata keeps.
pub struct Kept(Map<String, Value>);

impl Kept {
    pub fn of(header: &Header) -> Self {
        let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
        Self(metadata["nrrd"].as_object().cloned().unwrap_or_default())
    }

    /// Returns the text of a field; `None` if it does not fit on one line.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().filter(|text| is_line(text))
    }

    /// Returns the kinds of the axes, if they match the axes that are written, channels and frames included.
    pub fn kinds(&self, has_channels: bool, has_frames: bool) -> Option<Vec<&str>> {
        let kinds: Vec<&str> = self.field("kinds")?.split_whitespace().collect();
        let is_space = |kind: &&str| matches!(kind.to_ascii_lowercase().as_str(), "domain" | "space");
        let x = usize::from(has_channels);
        let fits = kinds.len() == x + 3 + usize::from(has_frames)
            && kinds[x..x + 3].iter().all(is_space)
            && kinds[..x].iter().chain(&kinds[x + 3..]).all(|kind| !is_space(kind));
        fits.then_some(kinds)
    }

    /// Returns the lines of the fields that the geometry does not replace. The array has `axis_count` axes,
    /// the space has `dimension` axes.
    pub fn field_lines(&self, axis_count: usize, dimension: usize) -> String {
        let mut lines = String::new();
        for name in PLAIN.into_iter().chain(PER_AXIS) {
            let Some(text) = self.field(name) else { continue };
            let count = match name {
                "labels" => text.matches('"').count() / 2,
                _ => text.split_whitespace().count(),
            };
            let fits = match name {
                "measurement frame" => text.matches('(').count() == dimension,
                _ if PER_AXIS.contains(&name) => count == axis_count,
                _ => true,
            };
            if fits {
                let _ = writeln!(lines, "{name}: {text}");
            }
        }
        if let Some(units) = self.field("space units") {
            // A fourth axis is time, in seconds.
            match (units.matches('"').count() / 2, dimension) {
                (3, 4) => drop(writeln!(lines, "space units: {units} \"s\"")),
                (count, _) if count == dimension => drop(writeln!(lines, "space units: {units}")),
                _ => {}
            }
        }
        lines
    }

    /// Returns the lines of the keys.
    pub fn key_lines(&self) -> String {
        let mut lines = String::new();
        for (key, value) in self.keys() {
            if is_line(key) && is_line(value) && !key.contains(":=") && !key.starts_with('#') {
                let _ = writeln!(lines, "{key}:={value}");
            }
        }
        lines
    }

    /// Returns the names of the fields and keys that only NRRD has.
    pub fn names(&self) -> Vec<String> {
        let fields = PLAIN.into_iter().filter(|name| self.field(name).is_some()).map(str::to_owned);
        fields.chain(self.keys().map(|(key, _)| key.to_owned())).collect()
    }

    /// Returns the keys and their values.
    fn keys(&self) -> impl Iterator<Item = (&str, &str)> {
        let keys = self.0.get("keys").and_then(Value::as_object);
        keys.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
    }
}

/// True if the text fits on one line, and is not empty.
fn is_line(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\n', '\r'])
}
