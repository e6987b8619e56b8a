//! Slices of volumes.
//!
//! | file | contents |
//! |---|---|
//! | `plane.rs` | axes of the volume in the image |
//! | `labels.rs` | names and colours of labels |
//! | `numbers.rs` | the numbers of a region of an open volume |
//! | `options.rs`, `image.rs` | options of a slice; a slice of an open volume as an image |
//! | `picture.rs`, `window.rs`, `marks.rs` | proportions; greys; letters at the edges |
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
pub use image::{SliceImage, SlicePixels, encode_slice, read_slice};
pub use labels::{Label, labels};
#[cfg(feature = "files")]
pub use labels::{label_color_of, labels_of_part};
#[cfg(feature = "files")]
pub use options::{SliceOptions, SliceOrientation};
#[cfg(feature = "files")]
pub(super) use picture::Picture;
pub use plane::{SliceAxis, SlicePlane};
