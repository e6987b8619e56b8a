//! Reading: an open file, regions of it, checks and statistics.
//!
//! | data | becomes | in |
//! |---|---|---|
//! | byte ranges that a caller fetches | a source of bytes | `supplied.rs`, `ranges.rs` |
//! | a source of bytes | header and index: [`Contents`](contents::Contents) | `source.rs`, `contents.rs` |
//! | a chunk's index entry | verified bytes, the places of superblocks | `open_file.rs`, `chunk.rs` |
//! | a section's index entry (guthe2016) | verified pieces, their bricks | `section_reader.rs` |
//! | superblocks | the values of bricks | `chunk.rs`, `four_bricks.rs`, `brick_values.rs` |
//! | values | ordinals, by the rank table | `ordinals.rs` |
//! | chunks along x | stretches, filled with an ordinal in common | `chunk_stretch.rs` |
//! | ordinals of a region | voxels at their places | `region.rs`, `destination.rs`, `strided.rs` |
//! | ordinals of many boxes | the same, each chunk once | `windows.rs` |
//! | all chunks | errors; counts | `verify.rs`, `statistics.rs` |
//!
//! [`VolumeFile`] (`reader.rs`) is the typed interface of all that.

mod brick_values;
mod chunk;
mod chunk_stretch;
mod contents;
mod destination;
mod four_bricks;
mod open_file;
mod ordinals;
mod ranges;
mod reader;
mod region;
mod section_reader;
mod source;
mod statistics;
mod strided;
mod supplied;
mod verify;
mod windows;

pub use contents::PartCounts;
pub use reader::VolumeFile;
pub use source::ReadAt;
pub use statistics::{GroupStatistics, Statistics};
pub use supplied::SuppliedBytes;

pub(super) use brick_values::BrickValues;
pub(super) use chunk::Chunk;
pub(crate) use chunk::{ChunkCoding, SuperblockPlace};
pub(crate) use contents::{Body, BrickBody};
pub(crate) use open_file::{ChunkPart, OpenFile};
pub(super) use ordinals::{Lookup, Ordinals};
pub(crate) use section_reader::SectionReader;
