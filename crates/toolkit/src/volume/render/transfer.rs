//! Transfer functions: presets, and files of points.

use crate::volume::{Transfer, TransferFault, ValueKind, VolumeError, values};
use brickwork_base::regular_file;
use brickwork_volume::render::{Preset, TransferFunction, TransferPoint};
use serde::Deserialize;
use std::{path::PathBuf, str::FromStr};

/// Maximum size of a file of points.
const MAX_BYTES: u64 = 16 << 20;

/// A preset or a file of points.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum TransferChoice {
    /// A preset, fitted to the volume.
    Preset(Preset),
    /// A file of points.
    File(PathBuf),
}

impl FromStr for TransferChoice {
    type Err = String;

    /// Parses the name of a preset, or else a path.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(preset) => Ok(Self::Preset(preset)),
            Err(_) if text.contains(['.', '/', '\\']) => Ok(Self::File(PathBuf::from(text))),
            Err(expected) => Err(format!("{expected}, or a file such as transfer.json")),
        }
    }
}

/// File of points, as described in docs/json.md.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    values: Option<ValueKind>,
    points: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    value: f64,
    color: String,
    opacity: f64,
}

impl TransferChoice {
    /// Returns the colours and opacities, and reads their file.
    ///
    /// # Errors
    /// [`VolumeError::Transfer`] if the file cannot be read or is invalid.
    pub fn open(&self) -> Result<Transfer, VolumeError> {
        let path = match self {
            Self::Preset(preset) => return Ok(Transfer::Preset(*preset)),
            Self::File(path) => path,
        };
        let failed = |reason| VolumeError::Transfer { path: path.clone(), reason };
        let bytes = regular_file::read(path, MAX_BYTES).map_err(|error| failed(TransferFault::Io(error)))?;
        let text =
            std::str::from_utf8(&bytes).map_err(|error| failed(TransferFault::Invalid(error.to_string())))?;
        transfer_points(text).map_err(|reason| failed(TransferFault::Invalid(reason)))
    }
}

/// Returns the transfer function of the JSON text of docs/json.md.
///
/// # Errors
/// The reason why the text is none.
pub fn transfer_points(text: &str) -> Result<Transfer, String> {
    let file: File =
        serde_json::from_str(text).map_err(|error| format!("not a transfer function: {error}"))?;
    let points = file.points.into_iter().enumerate().map(|(index, Point { value, color, opacity })| {
        let reason =
            |reason| format!("point {index} of the transfer function: the colour {color:?}: {reason}");
        let [red, green, blue, _] = values::color(&color).map_err(reason)?.map(f64::from);
        Ok(TransferPoint { value, color: [red, green, blue], opacity })
    });
    let points = points.collect::<Result<Vec<_>, String>>()?;
    let function = TransferFunction::new(points).map_err(|error| error.to_string())?;
    Ok(Transfer::Function { function, values: file.values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_points() {
        for (field, kind) in [
            ("", None),
            (r#""values": "stored", "#, Some(ValueKind::Stored)),
            (r#""values": "physical", "#, Some(ValueKind::Physical)),
        ] {
            let text = format!(
                r##"{{ {field}"points": [
                    {{ "value": -100, "color": "black", "opacity": 0 }},
                    {{ "value": 1e3, "color": "#ff8000", "opacity": 0.5 }}
                ] }}"##
            );
            let Ok(Transfer::Function { function, values }) = transfer_points(&text) else {
                panic!("{text}")
            };
            assert_eq!((function.points()[1].value, function.points()[1].color[0]), (1000.0, 1.0));
            assert_eq!(values, kind);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, word) in [
            ("", "not a transfer function"),
            (r#"{ "points": [] }"#, "empty"),
            (r#"{ "points": [{ "value": 1, "color": "black" }] }"#, "opacity"),
            (r#"{ "points": [{ "value": 1, "color": "grun", "opacity": 1 }] }"#, "\"grun\""),
            (r#"{ "points": [{ "value": 1, "color": "black", "opacity": 7 }] }"#, "point 0"),
            (r#"{ "points": [], "name": 3 }"#, "name"),
            (r#"{ "points": [], "values": "HU" }"#, "physical"),
        ] {
            let reason = transfer_points(text).expect_err("refused");
            assert!(reason.contains(word), "{text}: {reason}");
        }
    }

    #[test]
    fn presets_come_before_files() {
        let transfer = |text: &str| text.parse::<TransferChoice>();
        assert_eq!(transfer("mri"), Ok(TransferChoice::Preset(Preset::Mri)));
        assert_eq!(transfer("mri.json"), Ok(TransferChoice::File("mri.json".into())));
        assert!(transfer("mir").expect_err("neither").contains("ct-bone, ct-skin, mri, fire, grey"));
    }
}
