//! Slices of volumes as images.
//!
//! | file | contents |
//! |---|---|
//! | `plane.rs` | axes of the volume in the image |
//! | `options.rs` | axis, index, window |
//! | `image.rs` | a slice of an open volume as an image, which reads only the needed data |
//! | `window.rs` | values that are black and white |
//! | `labels.rs` | names and colours of labels |
//! | `marks.rs` | letters of the patient's sides |
//! | `numbers.rs` | the numbers of a region of an open volume |
//! | `picture.rs` | pixels: turned, and stretched to true proportions |
//! | `display.rs` | a slice of a volume in memory, in grey or in the colours of labels |

mod display;
#[cfg(feature = "files")]
mod image;
mod labels;
#[cfg(feature = "files")]
mod marks;
#[cfg(feature = "files")]
pub(super) mod numbers;
#[cfg(feature = "files")]
mod options;
#[cfg(feature = "files")]
mod picture;
mod plane;
#[cfg(feature = "files")]
mod window;

pub use display::{SliceColors, SliceValues};
#[cfg(feature = "files")]
pub use image::{SliceImage, SlicePixels};
pub use labels::{Label, labels};
#[cfg(feature = "files")]
pub use options::{Axis, SliceOptions};
pub use plane::{SliceAxis, SlicePlane};
