//! Palettes of slices. Voxels stay indices, and the colours go to the metadata.

use crate::Note;
use serde_json::Value;

/// Most colours that the metadata keeps.
const MAX_COLORS: usize = 256;

/// The colours of a palette, by index.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette(pub Vec<[u8; 3]>);

impl Palette {
    /// True if each index is the grey of its colour, so that the palette says nothing.
    fn is_grey_ramp(&self) -> bool {
        let is_grey =
            |(index, color): (usize, &[u8; 3])| color.iter().all(|&part| usize::from(part) == index);
        self.0.iter().enumerate().all(is_grey)
    }

    /// Returns the colours for the metadata, such as `"ff0000"`, and a note; `None` if the colours are those
    /// of the indices.
    pub fn described(&self) -> Option<(Value, Note)> {
        let color = |[red, green, blue]: &[u8; 3]| format!("{red:02x}{green:02x}{blue:02x}");
        let colors: Vec<Value> = self.0.iter().take(MAX_COLORS).map(|c| color(c).into()).collect();
        (!self.is_grey_ramp()).then(|| (colors.into(), Note::Palette))
    }
}
