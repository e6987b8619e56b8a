//! Options and results of writing and verifying Zarr folders, with and without the feature `zarr`.

use crate::{BrickPolicy, Note};
use brickwork_volume::{BrickSize, Dims};

/// Options for writing an OME-Zarr group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZarrOptions {
    pub(super) chunk: Dims,
    pub(super) shard: Option<Dims>,
    pub(super) brick: BrickPolicy,
    pub(super) max_memory: Option<u64>,
}

impl Default for ZarrOptions {
    fn default() -> Self {
        Self { chunk: Dims::cube(64), shard: None, brick: BrickPolicy::Auto, max_memory: None }
    }
}

impl ZarrOptions {
    /// Returns the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the dims of a chunk. They are cut to those of the volume. Default: 64×64×64.
    #[must_use]
    pub const fn with_chunk(self, chunk: Dims) -> Self {
        Self { chunk, ..self }
    }

    /// Sets the dims of a shard, a file of several chunks. Default: `None`, a file for each chunk.
    #[must_use]
    pub const fn with_shard(self, shard: Option<Dims>) -> Self {
        Self { shard, ..self }
    }

    /// Sets the policy for the size of bricks. Default: [`BrickPolicy::Auto`]; for a pipe, that is 8×8×8.
    #[must_use]
    pub const fn with_brick(self, brick: BrickPolicy) -> Self {
        Self { brick, ..self }
    }

    /// Limits the bytes of voxels in memory: slices as deep as a chunk, or as a shard, and files while they
    /// are compressed, at least one. Default: no limit.
    #[must_use]
    pub const fn with_max_memory(self, max_memory: Option<u64>) -> Self {
        Self { max_memory, ..self }
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
