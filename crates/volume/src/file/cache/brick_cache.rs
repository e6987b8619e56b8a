//! Single bricks of a `.bwv` file: the typed interface of [`ChunkCache`].

use super::chunk_cache::ChunkCache;
use crate::{BrickAddress, Dims, ReadAt, Task, VolumeFile, VolumeReadError, Voxel};
use std::fs::File;

/// A [`VolumeFile`] that gives single bricks and keeps verified chunks in memory.
///
/// Threads may share it: those that read the same chunk do not wait for each other. It keeps
/// nothing of files with the profile guthe2016.
///
/// ```
/// # use brickwork_volume::*;
/// # let dims = Dims::new(40, 30, 20);
/// # let voxels: Vec<u16> = (0..40 * 30 * 20).collect();
/// # let mut bytes = Vec::new();
/// # let view = VolumeView::new(&voxels, dims)?;
/// # encode(view, &Header::new(VoxelType::U16, dims), &BwvOptions::default(), &mut bytes, &Task::new())?;
/// let cache = BrickCache::new(VolumeFile::new(bytes)?, 64 << 20);
/// let mut brick = [0u16; 64];
/// cache.read_brick(BrickAddress::at(2, 1, 3), &mut brick)?;
/// assert_eq!(brick[0], voxels[8 + 40 * (4 + 30 * 12)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BrickCache<S = File> {
    file: VolumeFile<S>,
    chunks: ChunkCache,
}

impl<S: ReadAt> BrickCache<S> {
    /// Makes a cache of the bricks of `file`. Chunks take at most `limit_bytes` of memory, plus one chunk for
    /// each thread that reads, plus a slot of 128 bytes for each chunk of the file. A chunk in memory takes
    /// up to 1.5 times its bytes in the file, counting eight more bytes for each brick: 7.5 bits per voxel
    /// for a file with 4.7. Most 4³ bricks are kept in a form that needs no decoding. With a limit of 64 MiB
    /// or more, chunks use large pages if the system offers them (Linux). Reading is fastest if the limit has
    /// room for all chunks.
    pub fn new(file: VolumeFile<S>, limit_bytes: usize) -> Self {
        let chunks = ChunkCache::new(file.as_open(), limit_bytes);
        Self { file, chunks }
    }

    /// Returns the file.
    pub const fn file(&self) -> &VolumeFile<S> {
        &self.file
    }

    /// Returns the file; all chunks are dropped.
    pub fn into_file(self) -> VolumeFile<S> {
        self.file
    }

    /// Returns the number of bricks of a mip level along each axis.
    pub fn bricks(&self, mip_level: usize) -> Dims {
        self.file.as_open().bricks(mip_level)
    }

    /// Returns the size in bytes of the chunks in memory.
    pub fn resident_bytes(&self) -> usize {
        self.chunks.resident_bytes()
    }

    /// Fills `voxels` with the numbers of a brick's channel, x fastest: 4³, or 8³. Those beyond the volume's
    /// edge are unspecified.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the type is not the file's, there is no such brick, `voxels` has another
    /// length, memory runs out, or the brick's chunk is damaged.
    pub fn read_brick<T: Voxel>(&self, brick: BrickAddress, voxels: &mut [T]) -> Result<(), VolumeReadError> {
        self.file.check_type::<T>()?;
        self.chunks.read_brick(self.file.as_open(), brick, bytemuck::cast_slice_mut(voxels))
    }

    /// Fills `voxels` with the numbers of several bricks, one brick after the other, each in the order of
    /// [`read_brick`](Self::read_brick). This is faster than single calls for bricks that are far apart,
    /// because their memory is waited for together. Works on the calling thread and reports nothing.
    ///
    /// # Errors
    /// The errors of [`read_brick`](Self::read_brick). If one of the bricks does not exist, or the length of
    /// `voxels` is not that of all bricks together, nothing is read. Otherwise, bricks before a damaged chunk
    /// are read. [`VolumeReadError::Cancelled`] if the caller cancelled the call; some bricks are then read.
    pub fn read_bricks<T: Voxel>(
        &self,
        bricks: &[BrickAddress],
        voxels: &mut [T],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        self.file.check_type::<T>()?;
        self.chunks.read_bricks(self.file.as_open(), bricks, bytemuck::cast_slice_mut(voxels), task)
    }
}
