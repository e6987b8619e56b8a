//! Rule files for engines, with the names of their textures.

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

    /// Returns the contents of a [rule file](super::RULE_FILE) with comments: names, kinds, normal maps,
    /// packed channels and colours.
    pub const fn rules(self) -> &'static str {
        match self {
            Self::Unreal => include_str!("unreal.toml"),
            Self::Unity => include_str!("unity.toml"),
            Self::Godot => include_str!("godot.toml"),
            Self::Bevy => include_str!("bevy.toml"),
        }
    }
}
