//! An option of a target, a rule or a command line, and the options that exclude each other.

use super::{
    keys::{FIRST, KEYS},
    value::Value,
};
use crate::texture::TextureOptions;

/// Pairs of options that exclude each other, as on the command line. Both in one table are an error. In two
/// tables, the later one counts.
const EXCLUSIVE: [[&str; 2]; 15] = [
    ["real-time", "quality"],
    ["real-time", "modes"],
    ["real-time", "weights"],
    ["rdo", "target-psnr"],
    ["rdo", "target-size"],
    ["target-psnr", "target-size"],
    ["weigh-by-alpha", "rdo"],
    ["weigh-by-alpha", "target-psnr"],
    ["weigh-by-alpha", "target-size"],
    ["premultiply", "weigh-by-alpha"],
    ["premultiply", "keep-coverage"],
    ["no-three-color", "transparent-black"],
    ["opaque", "alpha-threshold"],
    ["assign-oetf", "color-space"],
    ["convert-oetf", "color-space"],
];

/// Options that state that the pictures are normal maps. Together with another `kind`, they are an error in
/// one table. In two tables, the later one counts.
const NORMALS: [&str; 2] = ["normal-flip-y", "from-height"];

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
    /// The value and what is expected. Values were checked when they were read.
    pub fn apply(&self, options: TextureOptions) -> Result<TextureOptions, String> {
        (KEYS[self.key].set)(options, &self.value).map_err(|reason| self.value.fault(reason))
    }

    /// True if both options are used, and only one of them can be.
    pub fn excludes(&self, other: &Self) -> bool {
        let are_partners = partners(self.name()).any(|name| name == other.name());
        let contradict = |a: &Self, b: &Self| a.denies_normals() && NORMALS.contains(&b.name());
        let are_exclusive = are_partners || contradict(self, other) || contradict(other, self);
        are_exclusive && self.is_used() && other.is_used()
    }

    /// True for a `kind` other than those of normal maps.
    fn denies_normals(&self) -> bool {
        let kinds = ["auto", "normal"];
        self.is_first() && !matches!(&self.value, Value::Text(kind) if kinds.contains(&kind.as_str()))
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

/// Returns the settings that count, in their order. A setting is excluded by the last value of a later key,
/// unless that value is not used or itself excluded. Only the last [`FIRST`] counts, because it sets several
/// options.
pub(super) fn effective<'a>(settings: &[&'a Setting]) -> Vec<&'a Setting> {
    // By the keys of the settings after the current one.
    let (mut is_seen, mut is_active) = ([false; KEYS.len()], [false; KEYS.len()]);
    let mut kept = Vec::new();
    for setting in settings.iter().rev() {
        let is_excluded = partners(setting.name()).filter_map(key_of).any(|key| is_active[key]);
        let is_last = !is_seen[setting.key];
        if is_last {
            is_seen[setting.key] = true;
            is_active[setting.key] = setting.is_used() && !is_excluded;
        }
        if !is_excluded && (is_last || !setting.is_first()) {
            kept.push(*setting);
        }
    }
    kept.reverse();
    kept
}
