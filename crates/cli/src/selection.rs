//! Images of a texture that options select.

use crate::values;

/// Images of one axis of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Not stated. A picture is of the first image; a texture has all images.
    #[default]
    Open,
    /// One image.
    One(u32),
    /// Each image, in a separate file.
    Each,
}

/// Parses `all` or a number.
pub fn number(text: &str) -> Result<Selection, String> {
    match text.parse() {
        _ if text == "all" => Ok(Selection::Each),
        Ok(number) => Ok(Selection::One(number)),
        Err(_) => Err("expected \"all\" or a whole number".to_owned()),
    }
}

/// Parses `all` or a face.
pub fn face(text: &str) -> Result<Selection, String> {
    if text == "all" { Ok(Selection::Each) } else { values::face(text).map(Selection::One) }
}
