//! `.bwv` files: volumes in bricks on disk. docs/volume-format.md is normative.

mod cache;
mod group;
mod header;
mod index;
mod level;
mod open_group;
mod paper;
mod parts;
mod place;
mod reader;
mod source;
mod statistics;
mod table;
mod verify;
mod writer;

pub use cache::{Brick, BrickCache};
pub use header::{BrickSize, Header, Kind, Profile};
pub use reader::{Selection, VolumeFile};
pub use source::ReadAt;
pub use statistics::{Eights, Statistics};
pub use writer::{EncodeOptions, VolumeWriter, encode};

pub(crate) use table::Scans;

/// Superblocks along each side of a group.
pub(crate) const GROUP_SIDE: usize = 2;
