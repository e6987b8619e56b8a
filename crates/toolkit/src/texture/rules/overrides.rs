//! Options that override those of all rules.

use super::{keys::KEYS, setting::Setting, value::Value};
use crate::texture::TextureOptions;

/// Options that override those of all targets and rules, for every picture: those of a command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    origin: String,
    settings: Vec<Setting>,
}

impl Overrides {
    /// Returns no options. `origin` names their source in messages, such as `the command line`.
    pub fn new(origin: &str) -> Self {
        Self { origin: origin.to_owned(), settings: Vec::new() }
    }

    /// Returns the keys of all options, which are those of rules.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        KEYS.iter().map(|key| key.name)
    }

    /// Adds an option, by a key of rules. `value` is the text of its value; `true` and `false` are those of
    /// TOML.
    ///
    /// # Errors
    /// The expected value, or that there is no such key.
    pub fn add(&mut self, key: &str, value: &str) -> Result<(), String> {
        let value = match value {
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            text => Value::Text(text.to_owned()),
        };
        let setting = Setting::new(key, value).ok_or_else(|| format!("there is no key \"{key}\""))?;
        setting.apply(TextureOptions::new())?;
        let index = if setting.is_first() { 0 } else { self.settings.len() };
        self.settings.insert(index, setting);
        Ok(())
    }

    /// Returns the name of the source, if there is an option.
    pub(super) fn origin(&self) -> Option<&str> {
        (!self.settings.is_empty()).then_some(&self.origin)
    }

    /// True if one of the options is the `kind`.
    pub(super) fn have_kind(&self) -> bool {
        self.settings.iter().any(Setting::is_first)
    }

    pub(super) fn settings(&self) -> &[Setting] {
        &self.settings
    }
}
