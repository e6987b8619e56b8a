//! An option of a target, a rule or a command line, and the options that exclude each other.

use super::{
    keys::{FIRST, KEYS},
    value::Value,
};
use crate::texture::TextureOptions;

/// Pairs of options that exclude each other, as on the command line. Both in one table are an error. In two
/// tables, the later one counts.
const EXCLUSIVE: [[&str; 2]; 11] = [
    ["real-time", "quality"],
    ["real-time", "modes"],
    ["real-time", "weights"],
    ["rdo", "target-psnr"],
    ["rdo", "target-size"],
    ["target-psnr", "target-size"],
    ["weigh-by-alpha", "rdo"],
    ["weigh-by-alpha", "target-psnr"],
    ["weigh-by-alpha", "target-size"],
    ["no-three-color", "transparent-black"],
    ["opaque", "alpha-threshold"],
];

/// A key of an option, and its value.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// Index of the key in [`KEYS`].
    key: usize,
    value: Value,
}

impl Setting {
    /// Returns the option; none if there is no such key.
    pub fn new(name: &str, value: Value) -> Option<Self> {
        Some(Self { key: key_of(name)?, value })
    }

    /// Returns the key's name.
    pub fn name(&self) -> &'static str {
        KEYS[self.key].name
    }

    /// True if the option is applied before the others of its table.
    pub fn is_first(&self) -> bool {
        self.name() == FIRST
    }

    /// Returns the options with the value.
    ///
    /// # Errors
    /// The expected value. Values were checked when they were read.
    pub fn apply(&self, options: TextureOptions) -> Result<TextureOptions, String> {
        (KEYS[self.key].set)(options, &self.value)
    }

    /// True if both options are used, and only one of them can be.
    pub fn excludes(&self, other: &Self) -> bool {
        self.is_used() && other.is_used() && partners(self.name()).any(|name| name == other.name())
    }

    /// False for a value such as `real-time = false`.
    fn is_used(&self) -> bool {
        self.value != Value::Flag(false)
    }
}

fn key_of(name: &str) -> Option<usize> {
    KEYS.iter().position(|key| key.name == name)
}

/// Returns the keys that exclude a key.
fn partners(name: &'static str) -> impl Iterator<Item = &'static str> {
    EXCLUSIVE.iter().filter_map(move |&[a, b]| match name {
        _ if name == a => Some(b),
        _ if name == b => Some(a),
        _ => None,
    })
}

/// Returns the settings that count, in their order: those that the last value of a later key does not
/// exclude.
pub(super) fn effective<'a>(settings: &[&'a Setting]) -> Vec<&'a Setting> {
    let mut last = [None; KEYS.len()];
    for (index, setting) in settings.iter().enumerate() {
        last[setting.key] = Some(index);
    }
    let is_excluded = |index: usize, setting: &Setting| {
        let mut later = partners(setting.name()).filter_map(|name| last[key_of(name)?]);
        later.any(|other| other > index && settings[other].is_used())
    };
    let all = settings.iter().copied().enumerate();
    all.filter(|(index, setting)| !is_excluded(*index, setting)).map(|(_, setting)| setting).collect()
}
