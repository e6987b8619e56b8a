//! Options with which a texture was encoded, in reports: those that the table of options describes.

use brickwork_toolkit::texture::{JsonSetting, OptionRow, SettingText, UsedOptions};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

/// Options with which a texture was encoded, in JSON reports: the [`JsonSetting`]s of the table.
#[derive(Clone, Debug)]
pub struct Settings(Vec<(&'static str, serde_json::Value)>);

/// Returns the settings of the table, in its order.
fn json_settings() -> impl Iterator<Item = JsonSetting> {
    OptionRow::all().filter_map(|row| row.json)
}

impl Settings {
    /// Returns the settings of a texture.
    pub fn of(used: &UsedOptions<'_>) -> Self {
        Self(json_settings().map(|setting| (setting.key, (setting.value)(used))).collect())
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
        let mut properties = serde_json::Map::new();
        for setting in json_settings() {
            let schema = serde_json::from_str::<serde_json::Map<_, _>>(setting.schema);
            let mut schema = schema.expect("rows have schemas in JSON");
            schema.insert("description".to_owned(), setting.doc.into());
            properties.insert(setting.key.to_owned(), schema.into());
        }
        let required: Vec<_> = json_settings().map(|setting| setting.key).collect();
        schemars::json_schema!({ "type": "object", "properties": properties, "required": required })
    }
}

/// Returns the settings that are not usual, in a few words: about pictures and alpha, and about blocks. Names
/// of files are as given.
pub fn settings_in_words(used: &UsedOptions<'_>) -> [Vec<String>; 2] {
    let [mut of_pictures, mut of_blocks] = [Vec::new(), Vec::new()];
    for text in OptionRow::all().filter_map(|row| row.text) {
        match text {
            SettingText::Picture(in_words) => of_pictures.extend(in_words(used)),
            SettingText::Blocks(in_words) => of_blocks.extend(in_words(used)),
        }
    }
    [of_pictures, of_blocks]
}
