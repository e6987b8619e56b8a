//! Facts about a comparison that its user may not expect.

use brickwork_texture::{ColorSpace, RoundingRule};
use brickwork_toolkit::report::color_space_name;
use std::fmt;

/// A fact about a comparison that its user may not expect. It is displayed in one line, without a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareNote {
    /// The format of a texture stores fewer channels than red, green and blue.
    StoredChannels {
        /// Name of the input.
        input: String,
        /// The stored channels: `R` or `RG`.
        channels: &'static str,
        /// Rule by which the values of blocks were rounded; none for plain texels.
        rounding_rule: Option<RoundingRule>,
    },
    /// A texture has several images, of which the first is compared with the only one of the other input.
    FirstImage {
        /// Name of the input.
        input: String,
    },
    /// All images of both textures are compared.
    AllImages {
        /// Number of images of each.
        count: u32,
    },
    /// The reader tolerated a fault of the file.
    Fault {
        /// Name of the input.
        input: String,
        /// The fault.
        note: String,
    },
    /// The images have different colour spaces. Their stored numbers are compared.
    ColorSpaces {
        /// The colour spaces of the first and the second image.
        color_spaces: [ColorSpace; 2],
    },
}

impl CompareNote {
    /// Returns the name of the input that the note concerns; none if it concerns both.
    pub fn input(&self) -> Option<&str> {
        match self {
            Self::StoredChannels { input, .. } | Self::FirstImage { input } | Self::Fault { input, .. } => {
                Some(input)
            }
            Self::AllImages { .. } | Self::ColorSpaces { .. } => None,
        }
    }

    /// Returns the note without the name of the input.
    pub fn fact(&self) -> String {
        match self {
            Self::StoredChannels { channels, rounding_rule, .. } => {
                let stored = if *channels == "R" { "red is" } else { "red and green are" };
                let rule = rounding_rule.map(|rule| format!(" ({} decoder)", rule.name()));
                format!("only {stored} stored and compared{}", rule.unwrap_or_default())
            }
            Self::Fault { note, .. } => note.clone(),
            Self::FirstImage { .. } => "only the first image of the texture is compared".to_owned(),
            Self::AllImages { count } => format!("all {count} images of the textures are compared"),
            Self::ColorSpaces { color_spaces } => {
                let [a, b] = color_spaces.map(color_space_name);
                format!("the colour spaces differ ({a} and {b}); the stored numbers are compared")
            }
        }
    }
}

impl fmt::Display for CompareNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.input() {
            Some(input) => write!(f, "{input}: {}", self.fact()),
            None => f.write_str(&self.fact()),
        }
    }
}
