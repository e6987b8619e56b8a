//! Slices of volumes in memory.
//!
//! | file | contents |
//! |---|---|
//! | `plane.rs` | axes of the volume in the image |
//! | `labels.rs` | names and colours of labels |
//! | `numbers.rs` | the numbers of a region of an open volume |
//! | `display.rs` | a slice of a volume in memory, in grey or in the colours of labels |

mod display;
mod labels;
#[cfg(feature = "files")]
pub(super) mod numbers;
mod plane;

pub use display::{SliceColors, SliceValues};
pub use labels::{Label, labels};
#[cfg(feature = "files")]
pub use labels::{label_color_of, labels_of_part};
pub use plane::{SliceAxis, SlicePlane};
