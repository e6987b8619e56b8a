//! An option of a target, a rule or a command line, and the options that exclude each other.

use crate::texture::{Doors, Exclusion, OptionRow, TextureOptions, Value};
use std::collections::HashMap;

/// The option that is applied before the others of its table, because it sets the defaults of some.
const FIRST: &str = "kind";

/// An option and its value.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    row: &'static OptionRow,
    value: Value,
}

impl Setting {
    /// Returns the option; none if none with this name is set.
    pub fn new(name: &str, value: Value) -> Option<Self> {
        let row = OptionRow::named(name).filter(|row| row.is_key() || row.doors == Doors::Bindings);
        Some(Self { row: row?, value })
    }

    /// Returns the option with the value of a text: `true` and `false` are those of TOML.
    pub fn of_text(name: &str, text: &str) -> Option<Self> {
        let value = match text {
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            text => Value::Text(text.to_owned()),
        };
        Self::new(name, value)
    }

    /// Returns the option's row.
    pub const fn row(&self) -> &'static OptionRow {
        self.row
    }

    /// Returns the key's name.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// True if the option is applied before the others of its table.
    pub fn is_first(&self) -> bool {
        self.name() == FIRST
    }

    /// Sets the option.
    ///
    /// # Errors
    /// The value and what is expected. Values were checked when they were read.
    pub fn apply(&self, options: &mut TextureOptions) -> Result<(), String> {
        self.row.set(options, &self.value).map_err(|reason| self.value.fault(reason))
    }

    /// True if both options are used, and only one of them can be.
    pub fn excludes(&self, other: &Self) -> bool {
        (self.names(other) || other.names(self)) && self.is_used() && other.is_used()
    }

    /// True if the other option is among those that this one excludes.
    fn names(&self, other: &Self) -> bool {
        self.row.exclusions.iter().any(|exclusion| {
            let is_allowed = match exclusion {
                Exclusion::GivenUnless(_, values) => {
                    values.iter().any(|&value| other.value.text() == Ok(value))
                }
                _ => false,
            };
            exclusion.name() == other.name() && !is_allowed
        })
    }

    /// False for a value such as `real-time = false`.
    fn is_used(&self) -> bool {
        self.value != Value::Flag(false)
    }
}

/// Returns the names of two settings that exclude each other.
pub(super) fn exclusive(settings: &[Setting]) -> Option<[&'static str; 2]> {
    settings.iter().enumerate().find_map(|(index, setting)| {
        let other = settings[..index].iter().find(|other| setting.excludes(other))?;
        Some([other.name(), setting.name()])
    })
}

/// Sorts settings in the order of the table, [`FIRST`] before the others.
pub(super) fn sort_for_use(settings: &mut [Setting]) {
    let index = |setting: &Setting| OptionRow::all().position(|row| row.name == setting.name());
    settings.sort_by_cached_key(|setting| (!setting.is_first(), index(setting)));
}

/// Returns the keys of all options.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    OptionRow::all().filter(|row| row.is_key()).map(|row| row.name)
}

/// Returns the row of a key.
pub(super) fn key_row(name: &str) -> Option<&'static OptionRow> {
    OptionRow::named(name).filter(|row| row.is_key())
}

/// True if two keys exclude each other with any values. Options of normal maps and another kind are
/// an error in one table; in two tables, the later one counts.
fn are_partners(a: &OptionRow, b: &OptionRow) -> bool {
    let names = |a: &OptionRow, b: &OptionRow| {
        let is_partner = |exclusion: &Exclusion| !matches!(exclusion, Exclusion::GivenUnless(..));
        a.exclusions.iter().any(|exclusion| is_partner(exclusion) && exclusion.name() == b.name)
    };
    names(a, b) || names(b, a)
}

/// Returns the settings that count, in their order. A setting is excluded by the last value of a later key,
/// unless that value is not used or itself excluded. Only the last [`FIRST`] counts, because it sets several
/// options.
pub(super) fn effective<'a>(settings: &[&'a Setting]) -> Vec<&'a Setting> {
    // The keys of the settings after the current one. True if the last value is used and not excluded.
    let mut later: HashMap<&str, (&OptionRow, bool)> = HashMap::new();
    let mut kept = Vec::new();
    for setting in settings.iter().rev() {
        let is_excluded = later.values().any(|(row, is_active)| *is_active && are_partners(row, setting.row));
        let is_last = !later.contains_key(setting.name());
        if is_last {
            later.insert(setting.name(), (setting.row, setting.is_used() && !is_excluded));
        }
        if !is_excluded && (is_last || !setting.is_first()) {
            kept.push(*setting);
        }
    }
    kept.reverse();
    kept
}
