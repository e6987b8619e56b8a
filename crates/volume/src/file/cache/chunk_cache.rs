//! The chunks of one file in memory: where each is, and how it gets there.

use super::{mip_level::MipLevelShape, open_chunk::OpenChunk, queue::ChunkQueue, slot::Slot};
use crate::{
    BrickAddress, VolumeReadError,
    file::{
        read::{Body, BrickBody, ChunkPart, OpenFile},
        table::Table,
    },
};
use std::sync::{Mutex, PoisonError};

/// The chunks of one file that are in memory.
#[derive(Debug)]
pub(super) struct ChunkCache {
    pub mip_levels: Vec<MipLevelShape>,
    /// Slots by mip level and chunk.
    pub slots: Box<[Slot]>,
    pub queue: Mutex<ChunkQueue>,
}

impl ChunkCache {
    /// Creates a cache without chunks, for at most `limit` bytes of them.
    pub fn new(file: OpenFile, limit: usize) -> Self {
        Self::with(file, ChunkQueue::new(limit, most_bytes(file)))
    }

    /// Returns a cache with an empty queue.
    pub fn with(file: OpenFile, queue: ChunkQueue) -> Self {
        let (mut mip_levels, mut count) = (Vec::new(), 0);
        for mip_level in 0..file.header.mip_levels {
            mip_levels.push(MipLevelShape::new(file, mip_level, count));
            if let Body::Bricks(body) = file.body {
                count += body.index.mip_levels[mip_level].chunks.len();
            }
        }
        let slots = (0..count).map(|_| Slot::default()).collect();
        Self { mip_levels, slots, queue: Mutex::new(queue) }
    }

    /// Returns the number of bytes of memory that the chunks take.
    pub fn resident_bytes(&self) -> usize {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).byte_count()
    }

    /// Returns the chunk of a brick, and the brick's number in the chunk.
    #[inline]
    pub fn place(&self, body: &BrickBody, brick: BrickAddress, component: usize) -> (ChunkPart, usize) {
        let shape = &self.mip_levels[brick.mip_level];
        let (place, number) = shape.place(brick, component);
        (body.chunk_at(shape.grid, brick.mip_level, place), number)
    }

    /// Returns the slot of a chunk, and its number.
    #[inline]
    pub fn slot(&self, part: ChunkPart) -> (usize, &Slot) {
        let number = self.mip_levels[part.mip_level].first_slot + part.number;
        (number, &self.slots[number])
    }

    /// Returns the result of `with` for a chunk, which is read and verified if it is not in memory.
    pub fn with_chunk<R>(
        &self,
        file: OpenFile,
        body: &BrickBody,
        part: ChunkPart,
        with: impl FnOnce(&OpenChunk) -> Result<R, VolumeReadError>,
    ) -> Result<R, VolumeReadError> {
        let (slot_number, slot) = self.slot(part);
        if let Some(chunk) = slot.load().chunk() {
            return with(chunk);
        }
        self.read_chunk(file, body, part, slot_number, with)
    }

    /// Reads and verifies the chunk of a slot and keeps it there, unless another thread has done so.
    #[cold]
    fn read_chunk<R>(
        &self,
        file: OpenFile,
        body: &BrickBody,
        part: ChunkPart,
        slot_number: usize,
        with: impl FnOnce(&OpenChunk) -> Result<R, VolumeReadError>,
    ) -> Result<R, VolumeReadError> {
        let slot = &self.slots[slot_number];
        let reading = slot.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chunk) = slot.load().chunk() {
            return with(chunk);
        }
        let lookup = file.table(body, part)?.and_then(Table::lookup);
        let chunk = OpenChunk::new(file.chunk(body, part)?, lookup).ok_or_else(|| part.broken())?;
        let chunk = slot.put(chunk);
        drop(reading);
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).add(&self.slots, slot_number, &chunk);
        with(&chunk)
    }
}

/// Returns an upper bound of the memory of all chunks of a file.
pub(super) fn most_bytes(file: OpenFile) -> usize {
    let Body::Bricks(body) = file.body else { return 0 };
    let chunks = body.index.mip_levels.iter().flat_map(|mip_level| &mip_level.chunks);
    chunks.fold(0, |sum: usize, chunk| {
        sum.saturating_add(OpenChunk::most_bytes(chunk.part.byte_count as usize))
    })
}
