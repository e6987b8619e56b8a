//! `.bwv` files: volumes in bricks on disk. docs/volume-format.md is normative.

mod cache;
mod group;
mod header;
mod index;
mod open_group;
mod reader;
mod source;
mod table;
mod writer;

pub use cache::BrickCache;
pub use header::{BrickSize, Header, Profile};
pub use reader::VolumeFile;
pub use source::ReadAt;
pub use writer::{EncodeOptions, VolumeWriter, encode};

pub(crate) use table::Scan;

/// Superblocks along each side of a group.
pub(crate) const GROUP_SIDE: usize = 2;
