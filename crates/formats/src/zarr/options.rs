//! Options and results of writing and verifying Zarr folders, with and without the feature `zarr`.

use crate::{BrickPolicy, Note};
use brickwork_volume::{BrickSize, Dims};
use std::path::Path;

/// Form in which OME-Zarr is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ZarrForm {
    /// Folder, by [`write_zarr`](crate::write_zarr).
    Folder,
    /// ZIP archive, by [`write_zarr_archive`](crate::write_zarr_archive).
    Archive,
}

impl ZarrForm {
    /// Returns the form to write under this name: a folder for `.zarr`, an archive for `.ozx`.
    pub fn to_write(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let forms = [("zarr", Self::Folder), ("ozx", Self::Archive)];
        forms.into_iter().find(|(name, _)| extension.eq_ignore_ascii_case(name)).map(|(_, form)| form)
    }
}

/// Options for writing an OME-Zarr group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ZarrOptions {
    /// Dims of a chunk. They are cut to those of the volume. Default: 64×64×64.
    pub chunk: Dims,
    /// Dims of a shard, a file of several chunks. Default: `None`, a file for each chunk.
    pub shard: Option<Dims>,
    /// Policy for the size of bricks. Default: [`BrickPolicy::Auto`]; for a pipe, that is 8×8×8.
    pub brick: BrickPolicy,
    /// Maximum number of bytes of voxels in memory: for each level, slices as deep as a chunk, or as a shard,
    /// and their halves; files while they are compressed, at least one. Default: no limit.
    pub max_memory: Option<u64>,
}

impl Default for ZarrOptions {
    fn default() -> Self {
        Self { chunk: Dims::cube(64), shard: None, brick: BrickPolicy::Auto, max_memory: None }
    }
}

impl ZarrOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// The result of writing an OME-Zarr group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenZarr {
    /// Size of the bricks.
    pub brick: BrickSize,
    /// Bytes of all files.
    pub file_bytes: u64,
}

/// The result of verifying a Zarr folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ZarrCheck {
    /// Number of chunks, also those that are not stored.
    pub chunks: u64,
    /// Number of chunks that are not stored: they have the fill value.
    pub missing: u64,
    /// Damaged chunks: keys and reasons.
    pub errors: Vec<String>,
    /// Notes, such as on files that are not chunks.
    pub notes: Vec<Note>,
}
