//! Writing: slabs of voxels to chunks, tables and the index.
//!
//! | data | becomes | in |
//! |---|---|---|
//! | voxels, in any portions | whole slabs of each mip level | `untyped_writer.rs`, `halve.rs` |
//! | a slab's voxels | rank tables, where they save bytes | `scan.rs` |
//! | a slab's voxels | the values of chunks; patterns, by a sample of them | `encode_slab.rs` |
//! | a chunk's values | its bytes | `encode_chunk.rs` |
//! | tables, chunks, sections | the file, its index and footer | `untyped_writer.rs` |
//!
//! [`VolumeWriter`], [`encode`] and [`encode_any`] (`writer.rs`) are the interface of all that.

mod encode_chunk;
mod encode_slab;
mod halve;
mod options;
mod scan;
mod untyped_writer;
mod writer;

pub use halve::halve_axes;
pub use options::BwvOptions;
pub use writer::{VolumeWriter, encode, encode_any};

pub(crate) use scan::Scans;
pub(crate) use writer::encode_parts;
