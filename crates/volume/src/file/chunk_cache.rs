//! Single bricks from chunks that stay in memory once they have been verified.
//!
//! [`VolumeFile::read`](super::VolumeFile::read) reads and verifies a chunk at each call. A caller that asks
//! for brick after brick, such as a ray caster, pays for that once here, and then only for the brick. Chunks
//! not used recently make room for others: they form a queue, and the first in it is dropped unless it has
//! been used since it was queued ("second chance").

use super::{
    contents::{Body, BrickBody, ChunkPart, OpenFile},
    guthe2016::SectionReader,
    layout::{ChunkGrid, ChunkPlace, chunk_bricks},
    open_chunk::OpenChunk,
    ordinals::Ordinals,
    selection::{BrickAddress, Selection},
    table::Table,
};
use crate::{BrickSize, Dims, ReadError, Region, ShapeError, Voxel, brick::BrickBox, with_voxel_type};
use arc_swap::ArcSwapOption;
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// The chunks of one file that are in memory.
#[derive(Debug)]
pub(super) struct ChunkCache {
    limit: usize,
    mip_levels: Vec<MipLevelShape>,
    /// By mip level and chunk.
    slots: Box<[Slot]>,
    resident: Mutex<Resident>,
}

/// What is asked of a mip level at each brick, and takes longer to find than to look up.
#[derive(Clone, Copy, Debug)]
struct MipLevelShape {
    dims: Dims,
    /// Bricks along each axis.
    bricks: Dims,
    grid: ChunkGrid,
    /// The binary logarithms of the bricks along each axis of a chunk.
    chunk_shifts: [u32; 3],
    /// Its first slot.
    first_slot: usize,
}

#[derive(Debug, Default)]
struct Slot {
    /// Readers take no lock, and write to no memory that they share: two threads read at twice the speed of
    /// one.
    chunk: ArcSwapOption<OpenChunk>,
    /// Whether the chunk was read from since it was put at the end of the queue.
    used: AtomicBool,
    /// Held by the thread that reads the chunk from the file.
    reading: Mutex<()>,
}

/// The chunks in memory, and the bytes they take.
#[derive(Debug, Default)]
struct Resident {
    queue: VecDeque<usize>,
    byte_count: usize,
}

impl OpenFile<'_> {
    /// How many bricks a mip level has along each axis.
    pub fn bricks(self, mip_level: usize) -> Dims {
        self.header.mip_level_dims(mip_level).covered_by(self.header.brick.dims())
    }
}

impl ChunkCache {
    /// No chunks of `file` yet; later ones of `limit` bytes at most.
    pub fn new(file: OpenFile, limit: usize) -> Self {
        let (mut mip_levels, mut count) = (Vec::new(), 0);
        for mip_level in 0..file.header.mip_levels {
            let dims = file.header.mip_level_dims(mip_level);
            let Dims { x, y, z } = chunk_bricks(file.header.brick, dims);
            mip_levels.push(MipLevelShape {
                dims,
                bricks: file.bricks(mip_level),
                grid: ChunkGrid::new(file.header, mip_level),
                chunk_shifts: [x, y, z].map(usize::ilog2),
                first_slot: count,
            });
            if let Body::Bricks(body) = file.body {
                count += body.index.mip_levels[mip_level].chunks.len();
            }
        }
        let slots = (0..count).map(|_| Slot::default()).collect();
        Self { limit, mip_levels, slots, resident: Mutex::default() }
    }

    /// Bytes that chunks take in memory now.
    pub fn resident_bytes(&self) -> usize {
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).byte_count
    }

    /// Fills `voxels`, bytes aligned for their type, with the numbers of a brick's channel.
    pub fn read_brick(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        voxels: &mut [u8],
    ) -> Result<(), ReadError> {
        let header = file.header;
        let BrickAddress { x, y, z, mip_level: level, frame, channel } = brick;
        let frames = Some(frame..frame.saturating_add(1));
        file.check(&Selection { mip_level: level, frames, channel: Some(channel) })?;
        let bricks = self.mip_levels[level].bricks;
        if !bricks.contains((x, y, z)) {
            let end = |i: usize| i.saturating_add(1);
            let region = Region { x: x..end(x), y: y..end(y), z: z..end(z) };
            return Err(ShapeError::Outside { region, dims: bricks }.into());
        }
        let dims = header.brick.dims();
        let (expected, bytes_each) = (header.brick.voxel_count(), header.voxel_type.byte_count());
        if voxels.len() != expected * bytes_each {
            let actual = voxels.len() / bytes_each;
            return Err(ShapeError::Length { dims, expected, actual }.into());
        }
        for word in 0..header.voxel_type.word_count() {
            match header.brick {
                BrickSize::Four => self.read_word::<64>(file, brick, word, voxels)?,
                BrickSize::Eight => self.read_word::<512>(file, brick, word, voxels)?,
                BrickSize::Flat => self.read_word::<256>(file, brick, word, voxels)?,
            }
        }
        Ok(())
    }

    /// One word of [`read_brick`](Self::read_brick), of a brick of `COUNT` voxels that lies in the volume.
    fn read_word<const COUNT: usize>(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        word: usize,
        voxels: &mut [u8],
    ) -> Result<(), ReadError> {
        let BrickAddress { x, y, z, mip_level: level, frame, channel } = brick;
        let voxel_type = file.header.voxel_type;
        let component = channel * voxel_type.word_count() + word;
        let body = match file.body {
            Body::Bricks(body) => body,
            Body::Guthe2016(sections) => {
                let section = sections.get(file.header, level, frame, component);
                let ordinals = SectionReader::new(file.source, section)?.brick(x, y, z)?;
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, word, &ordinals, Ordinals::From(0)));
                return Ok(());
            }
        };
        let MipLevelShape { dims, grid, chunk_shifts: shifts, .. } = self.mip_levels[level];
        let size = file.header.brick;
        let slab = frame * grid.dims.z + (z >> shifts[2]);
        let place = ChunkPlace { x: x >> shifts[0], y: y >> shifts[1], component, slab };
        let part = body.chunk_at(grid, level, place);
        let lookup = file.table(body, part)?.and_then(Table::lookup);
        let mut values = [0; COUNT];
        let corner = (x * size.dims().x, y * size.dims().y, z * size.dims().z);
        let inside = BrickBox::at(size, corner, dims).ok_or_else(|| part.broken())?;
        let (min, range) = match part.constant() {
            Some(value) => (value, 0),
            None => self.with_chunk(file, body, part, |chunk| {
                // (As `Chunk::brick_number`, but without a look at the chunk, whose memory may be far away.)
                let [i, j, k] = [0, 1, 2].map(|axis| [x, y, z][axis] & ((1 << shifts[axis]) - 1));
                let number = i + ((j + (k << shifts[1])) << shifts[0]);
                chunk.brick((x, y, z), number, inside, &mut values).ok_or_else(|| part.broken())
            })?,
        };
        let ordinals = Ordinals::new(lookup, min, range);
        with_voxel_type!(voxel_type, T => fill::<T>(voxels, word, &values, ordinals));
        Ok(())
    }

    /// What `with` makes of a chunk, which is read and verified if it is not in memory.
    fn with_chunk<R>(
        &self,
        file: OpenFile,
        body: &BrickBody,
        part: ChunkPart,
        with: impl FnOnce(&OpenChunk) -> Result<R, ReadError>,
    ) -> Result<R, ReadError> {
        let slot_number = self.mip_levels[part.mip_level].first_slot + part.number;
        let slot = &self.slots[slot_number];
        if let Some(chunk) = &*slot.chunk.load() {
            // (A store to a word that other threads read slows them down; a load does not.)
            if !slot.used.load(Ordering::Relaxed) {
                slot.used.store(true, Ordering::Relaxed);
            }
            return with(chunk);
        }
        let chunk = self.read_chunk(file, body, part, slot_number)?;
        with(&chunk)
    }

    /// Reads and verifies the chunk of a slot and keeps it there, unless another thread has done so.
    #[cold]
    fn read_chunk(
        &self,
        file: OpenFile,
        body: &BrickBody,
        part: ChunkPart,
        slot_number: usize,
    ) -> Result<Arc<OpenChunk>, ReadError> {
        let slot = &self.slots[slot_number];
        let reading = slot.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chunk) = slot.chunk.load_full() {
            return Ok(chunk);
        }
        let chunk = OpenChunk::new(file.chunk(body, part)?);
        let chunk = Arc::new(chunk.ok_or_else(|| part.broken())?);
        slot.chunk.store(Some(Arc::clone(&chunk)));
        drop(reading);
        let mut resident = self.resident.lock().unwrap_or_else(PoisonError::into_inner);
        resident.queue.push_back(slot_number);
        resident.byte_count += chunk.memory_bytes();
        self.make_room(&mut resident);
        Ok(chunk)
    }

    /// Drops chunks until they fit.
    fn make_room(&self, resident: &mut Resident) {
        // Twice around: once to clear the marks of the used ones, once to drop them. More rounds are needed
        // only if other threads use them meanwhile. A thread that is reading from a chunk keeps it until it
        // is done.
        for _ in 0..2 * resident.queue.len() {
            if resident.byte_count <= self.limit {
                return;
            }
            let Some(number) = resident.queue.pop_front() else { return };
            let slot = &self.slots[number];
            if slot.used.swap(false, Ordering::Relaxed) {
                resident.queue.push_back(number);
            } else if let Some(chunk) = slot.chunk.swap(None) {
                resident.byte_count = resident.byte_count.saturating_sub(chunk.memory_bytes());
            }
        }
    }
}

/// Puts the ordinals of some values as this word into `voxels`.
fn fill<T: Voxel>(voxels: &mut [u8], word: usize, values: &[u32], ordinals: Ordinals) {
    let voxels: &mut [T] = bytemuck::cast_slice_mut(voxels);
    match ordinals {
        Ordinals::From(base) => {
            for (voxel, value) in voxels.iter_mut().zip(values) {
                *voxel = voxel.with_word(word, base.wrapping_add(*value));
            }
        }
        Ordinals::Of(min, lookup) => {
            for (voxel, value) in voxels.iter_mut().zip(values) {
                *voxel = voxel.with_word(word, lookup[usize::from(min.wrapping_add(*value) as u16)]);
            }
        }
    }
}
