//! Rule files for engines, with the names of their textures.

use super::RULE_FILE;
use std::{fmt, str::FromStr};

/// An engine that has a rule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// Unreal Engine.
    Unreal,
    /// Unity.
    Unity,
    /// Godot 4.
    Godot,
    /// Bevy, and glTF.
    Bevy,
}

impl Engine {
    /// All engines, in the order of declaration.
    pub const ALL: &[Self] = &[Self::Unreal, Self::Unity, Self::Godot, Self::Bevy];

    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreal => "unreal",
            Self::Unity => "unity",
            Self::Godot => "godot",
            Self::Bevy => "bevy",
        }
    }

    /// Returns the contents of a [rule file](RULE_FILE) with comments: names, kinds, normal maps, packed
    /// channels and colours.
    pub const fn rules(self) -> &'static str {
        match self {
            Self::Unreal => include_str!("unreal.toml"),
            Self::Unity => include_str!("unity.toml"),
            Self::Godot => include_str!("godot.toml"),
            Self::Bevy => include_str!("bevy.toml"),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(", ");
        let found = Self::ALL.iter().find(|engine| engine.name().eq_ignore_ascii_case(name)).copied();
        found.ok_or_else(|| format!("there is no {RULE_FILE} for \"{name}\"; the engines are {}", names()))
    }
}
