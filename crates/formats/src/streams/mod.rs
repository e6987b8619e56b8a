//! Streams of stored bytes, from the voxels of a file to those of a volume.
//!
//! | file | contents |
//! |---|---|
//! | `reopening_reader.rs`, `file_list.rs` | readers that start again, and voxels in several files |
//! | `unpacked.rs`, `gzip.rs`, `text_numbers.rs` | compressed voxels and voxels as text |
//! | `limited.rs` | streams that end after the voxels |
//! | `widened.rs` | half floats, and two voxels in a byte |
//! | `planes.rs`, `permuted.rs` | planes of channels; axes in other orders |

pub(crate) mod file_list;
pub(crate) mod gzip;
pub(crate) mod limited;
pub(crate) mod permuted;
pub(crate) mod planes;
#[cfg_attr(not(feature = "io"), allow(dead_code, reason = "slices need the feature"))]
pub(crate) mod reopening_reader;
pub(crate) mod text_numbers;
pub(crate) mod unpacked;
pub(crate) mod widened;
