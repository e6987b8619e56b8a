//! `.bwv` files: volumes in bricks on disk. docs/volume-format.md is normative.

mod cache;
mod chunk;
mod chunk_cache;
mod chunk_groups;
mod contents;
mod destination;
mod encode_chunk;
mod encode_slab;
mod guthe2016;
mod halve;
mod header;
mod index;
mod lay_out;
mod layout;
mod open_chunk;
mod options;
mod ordinals;
mod parts;
mod reader;
mod region;
mod scan;
mod selection;
mod source;
mod statistics;
mod strides;
mod table;
mod untyped_writer;
mod verify;
mod writer;

pub use cache::BrickCache;
pub use contents::PartCounts;
pub use header::{Header, Profile, VoxelKind};
pub use options::BwvOptions;
pub use reader::VolumeFile;
pub use selection::{BrickAddress, Selection};
pub use source::ReadAt;
pub use statistics::{GroupStatistics, Statistics};
pub use strides::Strides;
pub use writer::{VolumeWriter, encode};

pub(crate) use scan::Scans;
