//! Headers of all formats: layout and encoding of voxels, text, geometry, units, notes for the user.

pub(crate) mod format_header;
pub(crate) mod geometry;
pub(crate) mod header_text;
pub(crate) mod mrc_note;
pub(crate) mod note;
pub(crate) mod numbers_note;
pub(crate) mod parts_note;
pub(crate) mod units;
pub(crate) mod voxel_encoding;
#[cfg(feature = "io")]
pub(crate) mod xml;
