//! Head of an image file that is a slice.

use crate::{Note, SliceShape, slices::palette::Palette};
use brickwork_volume::Spacing;

/// Shape of a slice, its palette, and the statements of its text.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageHead {
    pub shape: SliceShape,
    pub palette: Option<Palette>,
    pub text: SliceText,
}

/// Statements of a TIFF file's text by ImageJ, tifffile or OME about its slice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SliceText {
    /// Spacing, and position of the first voxel.
    pub place: Option<(Spacing, [f64; 3])>,
    /// Fields of the metadata.
    pub fields: serde_json::Map<String, serde_json::Value>,
    pub notes: Vec<Note>,
}
