//! Reading: an open file, regions of it, checks and statistics.
//!
//! | data | becomes | in |
//! |---|---|---|
//! | a source of bytes | header and index: [`Contents`](contents::Contents) | `source.rs`, `contents.rs` |
//! | the index's entry of a chunk | verified bytes, and the places of superblocks in them | `open_file.rs`, `chunk.rs` |
//! | the index's entry of a section (profile guthe2016) | verified pieces, and their bricks | `section_reader.rs` |
//! | superblocks | the values of bricks | `chunk.rs`, `brick_values.rs` |
//! | values | ordinals, by the rank table | `ordinals.rs` |
//! | ordinals of a region | voxels where they belong in memory | `region.rs`, `destination.rs` |
//! | all chunks | errors; counts; a volume in memory | `verify.rs`, `statistics.rs`, `lay_out.rs` |
//!
//! [`VolumeFile`] (`reader.rs`) is the typed interface of all that.

mod brick_values;
mod chunk;
mod contents;
mod destination;
mod lay_out;
mod open_file;
mod ordinals;
mod reader;
mod region;
mod section_reader;
mod source;
mod statistics;
mod verify;

pub use contents::PartCounts;
pub use reader::VolumeFile;
pub use source::ReadAt;
pub use statistics::{GroupStatistics, Statistics};

pub(super) use brick_values::BrickValues;
pub(super) use chunk::{Chunk, ChunkCoding, SuperblockPlace};
pub(super) use contents::{Body, BrickBody};
pub(super) use open_file::{ChunkPart, OpenFile};
pub(super) use ordinals::{Lookup, Ordinals};
pub(super) use section_reader::SectionReader;
