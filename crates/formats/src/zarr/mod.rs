//! Zarr arrays (versions 2 and 3) and OME-Zarr groups in local folders and ZIP archives, with the feature
//! `zarr`.
//!
//! | file | contents |
//! |---|---|
//! | `store.rs`, `folder.rs`, `archive.rs`, `fault.rs` | files by their keys, in a folder or an archive |
//! | `chunk_files.rs` | the files of chunks that exist |
//! | `array.rs` | an array: its metadata, its chunks as voxels |
//! | `shards.rs`, `bytes_codec.rs`, `blosc.rs`, `bounded.rs` | from a file to the bytes of a chunk |
//! | `axes.rs`, `node.rs`, `omero.rs`, `group.rs` | axes, scales, channels, levels: the volume of a folder |
//! | `reader.rs` | the voxels as a stream |
//! | `verify.rs` | a check of all stored chunks |
//! | `write.rs`, `layout.rs`, `levels.rs`, `pyramid.rs`, `sink.rs` | a volume as a group of OME-Zarr 0.5 |

#[cfg(feature = "zarr")]
mod archive;
#[cfg(feature = "zarr")]
mod array;
#[cfg(feature = "zarr")]
mod axes;
#[cfg(feature = "zarr")]
mod blosc;
#[cfg(feature = "zarr")]
mod bounded;
#[cfg(feature = "zarr")]
mod bytes_codec;
#[cfg(feature = "zarr")]
mod chunk_files;
#[cfg(feature = "zarr")]
mod fault;
#[cfg(feature = "zarr")]
mod folder;
#[cfg(feature = "zarr")]
mod group;
#[cfg(feature = "zarr")]
mod layout;
#[cfg(feature = "zarr")]
mod levels;
#[cfg(not(feature = "zarr"))]
mod no_zarr;
#[cfg(feature = "zarr")]
mod node;
#[cfg(feature = "zarr")]
mod omero;
mod open;
mod options;
#[cfg(feature = "zarr")]
mod pyramid;
#[cfg(feature = "zarr")]
mod reader;
#[cfg(feature = "zarr")]
mod shards;
#[cfg(feature = "zarr")]
mod sink;
#[cfg(feature = "zarr")]
mod store;
#[cfg(all(test, feature = "zarr"))]
mod tests;
#[cfg(feature = "zarr")]
mod verify;
#[cfg(feature = "zarr")]
mod write;

#[cfg(feature = "zarr")]
pub(crate) use group::open_levels_of_bytes;
#[cfg(feature = "zarr")]
pub use group::open_zarr_levels;
#[cfg(not(feature = "zarr"))]
pub use no_zarr::{open_zarr_levels, verify_zarr, write_zarr, write_zarr_archive};
pub use open::is_zarr;
pub(crate) use open::open_level;
#[cfg(feature = "zarr")]
pub(crate) use open::open_level_of_bytes;
pub use options::{WrittenZarr, ZarrCheck, ZarrForm, ZarrOptions};
#[cfg(feature = "zarr")]
pub use verify::verify_zarr;
#[cfg(feature = "zarr")]
pub use write::{write_zarr, write_zarr_archive};

/// True if this build reads and writes Zarr folders and archives: it has the feature `zarr`.
pub const HAS_ZARR: bool = cfg!(feature = "zarr");
