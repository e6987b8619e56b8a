//! Slices of volumes, and their pixels.
//!
//! | file | contents |
//! |---|---|
//! | `plane.rs` | axes of the volume in the image |
//! | `labels.rs` | names and colours of labels |
//! | `numbers.rs` | the numbers of a region of an open volume |
//! | `picture.rs`, `pixels.rs` | proportions; pixels of a slice as a PNG file |
//! | `display.rs` | a slice of a volume in memory, in grey or in the colours of labels |

mod display;
mod labels;
#[cfg(feature = "files")]
pub(super) mod numbers;
#[cfg(feature = "files")]
pub(super) mod picture;
#[cfg(feature = "files")]
mod pixels;
mod plane;

pub use display::{SliceColors, SliceValues};
pub use labels::{Label, labels};
#[cfg(feature = "files")]
pub use labels::{label_color_of, labels_of_part};
#[cfg(feature = "files")]
pub use pixels::{SlicePixels, encode_slice};
pub use plane::{SliceAxis, SlicePlane};
