//! The chunks in memory, and the order in which they are dropped.
//!
//! Chunks form a queue, and the first in it is dropped unless it has been used since it was queued ("second
//! chance"). Large caches queue them by groups, whose records are moved together into memory of large pages:
//! a TLB miss costs a processor about as much as the read itself, and the TLB covers only some megabytes
//! of small pages. A group's memory is freed as a whole; chunks that stay are copied out.
//!
//! If there is room for all chunks of the file, none is dropped, and there is no queue.

use super::{
    large_pages::{PAGE_BYTES, large_pages},
    open_chunk::OpenChunk,
    slot::Slot,
};
use bytes::Bytes;
use std::{collections::VecDeque, mem, sync::atomic::Ordering};

/// Bytes of the chunks of a group at most.
const GROUP_BYTES: usize = 4 << 20;

/// Minimum number of chunks in a group; fewer chunks stay separate, because the rest of a group's memory is
/// not used.
const MIN_CHUNKS: usize = 16;

/// Caches of fewer bytes have no groups, which would be too large a part of them.
const MIN_GROUPED_BYTES: usize = 16 * GROUP_BYTES;

/// Chunks that are queued together.
#[derive(Debug, Default)]
struct Group {
    slots: Vec<usize>,
    byte_count: usize,
}

/// The chunks in memory, and the bytes they take.
#[derive(Debug)]
pub(super) struct ChunkQueue {
    limit: usize,
    /// Maximum size in bytes of the chunks of a group; 0 if chunks stay separate.
    group_bytes: usize,
    /// True if there is room for every chunk, so that none is dropped.
    keeps_all: bool,
    queue: VecDeque<Group>,
    /// Chunks of the next group, not queued yet.
    young: Group,
    byte_count: usize,
    /// Chunks that were added.
    added: usize,
}

impl ChunkQueue {
    /// Creates an empty queue, for chunks of at most `limit` bytes, of a file whose chunks take at most
    /// `all_bytes`.
    pub fn new(limit: usize, all_bytes: usize) -> Self {
        let is_grouped = cfg!(target_os = "linux") && limit >= MIN_GROUPED_BYTES;
        let group_bytes = if is_grouped { GROUP_BYTES } else { 0 };
        Self { keeps_all: limit - group_bytes >= all_bytes, ..Self::with_groups(limit, group_bytes) }
    }

    fn with_groups(limit: usize, group_bytes: usize) -> Self {
        // While a group moves, its chunks are in memory twice.
        let limit = limit - group_bytes;
        Self {
            limit,
            group_bytes,
            keeps_all: false,
            queue: VecDeque::new(),
            young: Group::default(),
            byte_count: 0,
            added: 0,
        }
    }

    pub const fn byte_count(&self) -> usize {
        self.byte_count
    }

    /// Adds the chunk that was put into the slot of this number, and makes room for it.
    pub fn add(&mut self, slots: &[Slot], number: usize, chunk: &OpenChunk) {
        self.push(slots, number, chunk.memory_bytes());
        self.added += 1;
        if self.keeps_all && self.added == slots.len() {
            // All chunks are in memory, so none is added to this group.
            self.close_group(slots);
        }
        // Two rounds: the first clears the marks of used chunks, the second drops chunks. More rounds are
        // needed only if other threads use them meanwhile. A thread that reads from a chunk keeps it until it
        // is done.
        for _ in 0..2 * (self.queue.len() + 1) {
            if self.byte_count <= self.limit {
                return;
            }
            debug_assert!(!self.keeps_all);
            let group = self.queue.pop_front().unwrap_or_else(|| mem::take(&mut self.young));
            self.byte_count -= group.byte_count;
            for number in group.slots {
                let slot = &slots[number];
                if !slot.used.swap(false, Ordering::Relaxed) {
                    slot.chunk.store(None);
                } else if let Some(chunk) = slot.chunk.load_full() {
                    let chunk = if chunk.is_moved() { slot.put(chunk.with_own_memory()) } else { chunk };
                    self.push(slots, number, chunk.memory_bytes());
                }
            }
        }
    }

    fn push(&mut self, slots: &[Slot], number: usize, byte_count: usize) {
        self.byte_count += byte_count;
        if byte_count > self.group_bytes / MIN_CHUNKS {
            if self.keeps_all {
                if let Some(chunk) = slots[number].chunk.load_full() {
                    slots[number].keep(chunk.with_own_memory());
                }
                return;
            }
            self.queue.push_back(Group { slots: vec![number], byte_count });
            return;
        }
        if self.young.byte_count + byte_count > self.group_bytes {
            self.close_group(slots);
        }
        self.young.slots.push(number);
        self.young.byte_count += byte_count;
    }

    /// Queues the young ones.
    fn close_group(&mut self, slots: &[Slot]) {
        let group = mem::take(&mut self.young);
        self.move_together(slots, &group);
        if !self.keeps_all {
            self.queue.push_back(group);
        }
    }

    /// Moves the records of a group into memory of large pages, if the system has some.
    fn move_together(&self, slots: &[Slot], group: &Group) {
        let chunks: Vec<_> =
            group.slots.iter().filter_map(|&i| Some((&slots[i], slots[i].chunk.load_full()?))).collect();
        let Some(mut memory) = large_pages(self.group_bytes + PAGE_BYTES) else { return };
        let first = memory.as_ptr().align_offset(PAGE_BYTES);
        let mut at = first;
        for (_, chunk) in &chunks {
            let records = &chunk.records;
            memory[at..at + records.len()].copy_from_slice(records);
            at += records.len();
        }
        let memory = Bytes::from_owner(memory);
        let mut at = first;
        for (slot, chunk) in chunks {
            let end = at + chunk.records.len();
            let moved = chunk.moved_to(memory.slice(at..end));
            if self.keeps_all {
                slot.keep(moved);
            } else {
                slot.put(moved);
            }
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        BrickAddress, BrickSize, BwvOptions, Dims, Header, Task, VolumeFile, VolumeView, VoxelType, encode,
        file::cache::chunk_cache::{ChunkCache, most_bytes},
    };
    use std::collections::BTreeSet;

    /// Keeps all chunks of a cache with room for them.
    #[test]
    fn chunks_stay_where_there_is_room() {
        let dims = Dims::new(100, 80, 60);
        let voxels: Vec<u16> =
            (0..100 * 80 * 60).map(|i: u32| (i.wrapping_mul(0x9e37_79b1) >> 26) as u16).collect();
        let mut bytes = Vec::new();
        let header = Header::new(VoxelType::U16, dims).with(|header| header.brick = BrickSize::Four);
        let view = VolumeView::new(&voxels, dims).expect("the right length");
        encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
        let file = VolumeFile::new(bytes).expect("our own file");
        let cache = ChunkCache::new(file.as_open(), usize::MAX);
        for round in 0..2 {
            for i in 0..25 * 20 * 15 {
                let (x, y, z) = Dims::new(25, 20, 15).position(i);
                let mut brick = [0u16; 64];
                cache
                    .read_brick(
                        file.as_open(),
                        BrickAddress::at(x, y, z),
                        bytemuck::cast_slice_mut(&mut brick),
                    )
                    .expect("our own file");
                for (j, &voxel) in brick.iter().enumerate() {
                    let (dx, dy, dz) = Dims::cube(4).position(j);
                    let expected = voxels[dims.index(4 * x + dx, 4 * y + dy, 4 * z + dz)];
                    assert_eq!(voxel, expected, "round {round}: {j} of {x} {y} {z}");
                }
            }
            let kept: Vec<_> = cache.slots.iter().filter_map(Slot::kept).collect();
            assert_eq!(kept.len(), cache.slots.len());
            assert!(cache.slots.iter().all(|slot| slot.chunk.load().is_none()));
            let memory_bytes: usize = kept.iter().map(|chunk| chunk.memory_bytes()).sum();
            assert_eq!(memory_bytes, cache.resident_bytes());
            assert!(memory_bytes <= most_bytes(file.as_open()));
        }
    }

    /// Groups of 20 chunks or so in a cache with room for half of a volume's.
    #[test]
    fn groups_go_and_used_chunks_stay() {
        let dims = Dims::cube(160);
        let count = dims.voxel_count().expect("small dims") as u32;
        let voxels: Vec<u16> = (0..count).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 21) as u16).collect();
        let mut bytes = Vec::new();
        let header = Header::new(VoxelType::U16, dims).with(|header| header.brick = BrickSize::Four);
        let view = VolumeView::new(&voxels, dims).expect("the right length");
        encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
        let file = VolumeFile::new(bytes).expect("our own file");
        let chunk_bytes = file.chunk_bytes() as usize / file.counts().chunks;
        let (limit, group_bytes) = (file.chunk_bytes() as usize * 2 / 3, chunk_bytes * 20);
        let cache = ChunkCache::with(file.as_open(), ChunkQueue::with_groups(limit, group_bytes));
        let read = |x: usize, y: usize, z: usize| {
            let mut brick = [0u16; 64];
            let address = BrickAddress::at(x, y, z);
            cache
                .read_brick(file.as_open(), address, bytemuck::cast_slice_mut(&mut brick))
                .expect("our own file");
            let first = voxels[dims.index(4 * x, 4 * y, 4 * z)];
            let last = voxels[dims.index(4 * x + 3, 4 * y + 3, 4 * z + 3)];
            assert_eq!((brick[0], brick[63]), (first, last), "{x} {y} {z}");
        };
        let in_memory = || cache.slots.iter().filter_map(|slot| slot.chunk.load_full()).collect::<Vec<_>>();
        let (mut most, mut moved) = (0, 0);
        for pass in 0..2 {
            for chunk in 0..5 * 5 * 5 {
                let (x, y, z) = Dims::cube(5).position(chunk);
                read(8 * x + pass, 8 * y, 8 * z);
                // The first chunk is used all the time.
                read(3, 5, 7);
                let chunks = in_memory();
                assert!(cache.resident_bytes() <= limit - group_bytes);
                assert_eq!(
                    chunks.iter().map(|chunk| chunk.memory_bytes()).sum::<usize>(),
                    cache.resident_bytes()
                );
                most = most.max(chunks.len());
                let shared = chunks.iter().filter(|chunk| chunk.is_moved());
                moved = moved.max(shared.clone().count());
                // No chunk keeps the memory of a group that is gone.
                let memories: BTreeSet<_> =
                    shared.map(|chunk| chunk.records.as_ptr() as usize >> 21).collect();
                assert!(memories.len() <= cache.queue.lock().expect("no panic").queue.len());
                assert!(cache.slots[0].chunk.load().is_some());
            }
        }
        assert!((40..80).contains(&most), "{most} of 125 chunks");
        assert_eq!(moved > 20, cfg!(target_os = "linux"), "{moved} of {most}");
    }
}
