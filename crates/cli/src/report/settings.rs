//! Options with which a texture was encoded, in reports: those that the table of options describes.

use brickwork_toolkit::texture::{OptionRow, UsedOptions};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

/// Options with which a texture was encoded, in JSON reports, in the table's order.
#[derive(Clone, Debug)]
pub struct Settings(Vec<(&'static str, serde_json::Value)>);

impl Settings {
    /// Returns the settings of a texture.
    pub fn of(used: &UsedOptions<'_>) -> Self {
        Self(OptionRow::all().filter_map(|row| row.json(used)).collect())
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

impl schemars::JsonSchema for Settings {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Settings".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let properties: serde_json::Map<_, _> = OptionRow::all()
            .filter_map(OptionRow::json_schema)
            .map(|(key, schema)| (key.to_owned(), schema))
            .collect();
        let required: Vec<_> =
            OptionRow::all().filter_map(OptionRow::json_schema).map(|(key, _)| key).collect();
        schemars::json_schema!({ "type": "object", "properties": properties, "required": required })
    }
}

/// Returns the settings that are not usual, in a few words: about pictures and alpha, and about blocks. Names
/// of files are as given.
pub fn settings_in_words(used: &UsedOptions<'_>) -> [Vec<String>; 2] {
    let all: Vec<_> = OptionRow::all().map(|row| row.in_words(used)).collect();
    [0, 1].map(|place| all.iter().filter_map(|words| words[place].clone()).collect())
}
