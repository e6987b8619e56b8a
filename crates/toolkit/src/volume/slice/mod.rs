//! Slices of volumes as pictures.
//!
//! | file | contents |
//! |---|---|
//! | `plane.rs` | axes of the volume in the picture |
//! | `grey.rs` | a slice of an open volume, in grey, of which no more is read than it needs |
//! | `numbers.rs` | the numbers of a region of an open volume |
//! | `picture.rs` | grey pixels: flipped, and stretched to true proportions |
//! | `display.rs` | a slice of a volume in memory, in grey or in the colours of labels |

mod display;
mod grey;
pub(super) mod numbers;
mod picture;
mod plane;

pub use display::{SliceColors, SliceValues};
pub use grey::{Axis, GreySlice, SliceOptions};
pub use plane::{SliceAxis, SlicePlane};
