//! All rows of the table, and the options that differ from their defaults.

use super::{OptionRow, Syntax, TextureOptions, Value, rows::TABLE};

impl OptionRow {
    /// Returns all options, in the order of the program's help.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        TABLE.iter().copied().flatten()
    }

    /// Returns the option with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|row| row.name == name)
    }

    /// Returns the program's name for a value that is used: that of a flag with this meaning, or its own.
    pub(in crate::texture) fn name_of(&self, value: &Value) -> Option<&'static str> {
        let means = |row: &&Self| {
            matches!(row.syntax, Syntax::Flag)
                && row.means.is_some_and(|(name, text)| name == self.name && value.text() == Ok(text))
        };
        Self::all().find(means).map(|row| row.name).or(self.is_of_program().then_some(self.name))
    }
}

impl TextureOptions {
    /// Returns the options that differ from their defaults, in the order of the table.
    pub fn used(&self) -> impl Iterator<Item = (&'static OptionRow, Value)> {
        OptionRow::all().filter_map(|row| Some((row, row.get(self)?)))
    }

    /// Returns the options that differ from their defaults, without those that refuse an automatic change.
    /// These need nothing and exclude nothing.
    pub(in crate::texture) fn demanded(&self) -> impl Iterator<Item = (&'static OptionRow, Value)> {
        self.used().filter(|(_, value)| *value != Value::Flag(false))
    }
}
