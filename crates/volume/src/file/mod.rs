//! `.bwv` files: volumes in bricks on disk. docs/volume-format.md is normative.
//!
//! | folder | contents |
//! |---|---|
//! | `write/` | voxels to a file |
//! | `read/` | a file to voxels of any region; checks, statistics |
//! | `cache/` | single bricks from chunks kept in memory |
//! | here | the format itself: header, index, tables, the positions of chunks, selections |
//!
//! `cache/` uses `read/`; neither uses `write/`.

mod cache;
mod chunk_box;
mod guthe2016;
mod header;
mod index;
mod layout;
mod parts;
mod read;
mod selection;
mod table;
mod write;

pub use cache::BrickCache;
pub use header::{Header, MAGIC, Profile, VoxelKind};
pub use read::{GroupStatistics, PartCounts, ReadAt, Statistics, SuppliedBytes, VolumeFile};
pub use selection::{BrickAddress, Selection};
pub use write::{BwvOptions, VolumeWriter, encode, encode_any, halve_axes};

#[cfg(feature = "kernel-inputs")]
pub(crate) use chunk_box::ChunkBox;
pub(crate) use guthe2016::Sections;
pub(crate) use index::{ChunkEntry, FileIndex, MipLevelParts, SlabParts};
pub(crate) use layout::{ChunkGrid, ChunkPlace, Position, brick_corner, chunk_dims, corner_after};
pub(crate) use parts::Part;
pub(crate) use read::{Body, BrickBody, ChunkCoding, ChunkPart, OpenFile, SectionReader, SuperblockPlace};
pub(crate) use write::{Scans, encode_parts};
