//! Single bricks from chunks that stay in memory once they have been verified.
//!
//! [`VolumeFile::read`](super::VolumeFile::read) reads and verifies a chunk at each call. A caller that asks
//! for brick after brick, such as a ray caster, pays for that once here, and then only for the brick. Chunks
//! not used recently make room for others (`chunk_groups.rs`).

use super::{
    chunk_groups::{Resident, Slot},
    contents::{Body, BrickBody, ChunkPart, OpenFile},
    guthe2016::SectionReader,
    layout::{ChunkGrid, ChunkPlace, chunk_bricks},
    open_chunk::{Minimum, OpenChunk},
    ordinals::Ordinals,
    selection::{BrickAddress, Selection},
    table::Table,
};
use crate::{
    BrickSize, Dims, Header, Region, ShapeError, VolumeReadError, Voxel, brick::BrickBox, with_voxel_type,
};
use std::{
    array,
    sync::{Mutex, PoisonError},
};

/// Bricks whose memory is waited for at once. (A thread can hold eight chunks without counting them.)
const AT_ONCE: usize = 8;

/// The chunks of one file that are in memory.
#[derive(Debug)]
pub(super) struct ChunkCache {
    mip_levels: Vec<MipLevelShape>,
    /// By mip level and chunk.
    pub(super) slots: Box<[Slot]>,
    pub(super) resident: Mutex<Resident>,
}

/// What is asked of a mip level at each brick, and takes longer to find than to look up.
#[derive(Clone, Copy, Debug)]
struct MipLevelShape {
    dims: Dims,
    /// Bricks along each axis.
    bricks: Dims,
    /// Those of 4³ and one word that the volume has as a whole.
    quick: Dims,
    grid: ChunkGrid,
    /// The binary logarithms of the bricks along each axis of a chunk.
    chunk_shifts: [u32; 3],
    /// Its first slot.
    first_slot: usize,
}

impl MipLevelShape {
    /// The chunk of a brick, and which of the chunk's bricks it is, x fastest. (As `Chunk::brick_number`, but
    /// without a look at the chunk, whose memory may be far away.)
    #[inline]
    fn place(&self, brick: BrickAddress, component: usize) -> (ChunkPlace, usize) {
        let BrickAddress { x, y, z, frame, .. } = brick;
        let [a, b, c] = self.chunk_shifts;
        let place = ChunkPlace { x: x >> a, y: y >> b, component, slab: frame * self.grid.dims.z + (z >> c) };
        let within = |i: usize, shift: u32| i & ((1 << shift) - 1);
        (place, within(x, a) | (within(y, b) | within(z, c) << b) << a)
    }
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
        Self::with(file, Resident::new(limit, most_bytes(file)))
    }

    /// The same with `resident`, which is empty.
    pub fn with(file: OpenFile, resident: Resident) -> Self {
        let (mut mip_levels, mut count) = (Vec::new(), 0);
        for mip_level in 0..file.header.mip_levels {
            let dims = file.header.mip_level_dims(mip_level);
            let Dims { x, y, z } = chunk_bricks(file.header.brick, dims);
            let is_quick = file.header.brick == BrickSize::Four && file.header.voxel_type.word_count() == 1;
            mip_levels.push(MipLevelShape {
                dims,
                quick: if is_quick {
                    Dims::new(dims.x / 4, dims.y / 4, dims.z / 4)
                } else {
                    Dims::new(0, 0, 0)
                },
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
        Self { mip_levels, slots, resident: Mutex::new(resident) }
    }

    /// Bytes that chunks take in memory now.
    pub fn resident_bytes(&self) -> usize {
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).byte_count()
    }

    /// Fills `voxels`, bytes aligned for their type, with the numbers of each brick's channel.
    pub fn read_bricks(
        &self,
        file: OpenFile,
        bricks: &[BrickAddress],
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        for &brick in bricks {
            self.check(file, brick)?;
        }
        let length = check_length(file, bricks.len(), voxels)?;
        for (bricks, voxels) in bricks.chunks(AT_ONCE).zip(voxels.chunks_mut(AT_ONCE * length)) {
            let mut is_done = [false; AT_ONCE];
            if let ([_, _, ..], Body::Bricks(body)) = (bricks, file.body) {
                self.read_together(file, body, bricks, voxels, &mut is_done)?;
            }
            let left = bricks.iter().zip(voxels.chunks_exact_mut(length)).zip(is_done);
            for ((&brick, voxels), _) in left.filter(|(_, is_done)| !is_done) {
                if self.read_quickly(file.header, brick, voxels).is_none() {
                    self.read_checked(file, brick, voxels)?;
                }
            }
        }
        Ok(())
    }

    /// [`read_bricks`](Self::read_bricks) of one.
    pub fn read_brick(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        match self.read_quickly(file.header, brick, voxels) {
            Some(()) => Ok(()),
            None => self.read_slowly(file, brick, voxels),
        }
    }

    /// [`read_brick`](Self::read_brick) of any one.
    #[cold]
    #[inline(never)]
    fn read_slowly(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        self.check(file, brick)?;
        check_length(file, 1, voxels)?;
        self.read_checked(file, brick, voxels)
    }

    /// [`read_brick`](Self::read_brick) of a whole one of 4³ and one word whose chunk is in memory and whose
    /// record is where its number says, as that of nearly every brick is: few instructions, so that the
    /// processor is soon at the next brick, and waits for its memory, too.
    #[inline]
    fn read_quickly(&self, header: &Header, brick: BrickAddress, voxels: &mut [u8]) -> Option<()> {
        let BrickAddress { x, y, z, mip_level, frame, channel } = brick;
        let shape = self.mip_levels.get(mip_level)?;
        let is_there = shape.quick.contains((x, y, z)) && frame < header.frames && channel < header.channels;
        if !is_there || voxels.len() != 64 * header.voxel_type.byte_count() {
            return None;
        }
        let (place, number) = shape.place(brick, channel);
        let loaded = self.slots.get(shape.first_slot + shape.grid.number(place))?.load();
        let mut values = [0; 64];
        let min = loaded.chunk()?.quick_brick(number, &mut values)?;
        with_voxel_type!(header.voxel_type, T => add::<T>(voxels, &values, min));
        Some(())
    }

    /// Checks that there is such a brick.
    fn check(&self, file: OpenFile, brick: BrickAddress) -> Result<(), VolumeReadError> {
        let BrickAddress { x, y, z, mip_level: level, frame, channel } = brick;
        let frames = Some(frame..frame.saturating_add(1));
        file.check(&Selection { mip_level: level, frames, channel: Some(channel) })?;
        let bricks = self.mip_levels[level].bricks;
        if !bricks.contains((x, y, z)) {
            let end = |i: usize| i.saturating_add(1);
            let region = Region { x: x..end(x), y: y..end(y), z: z..end(z) };
            return Err(ShapeError::Outside { region, dims: bricks }.into());
        }
        Ok(())
    }

    /// All words of a brick that is there, into as many voxels as it has.
    #[inline]
    fn read_checked(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        for word in 0..file.header.voxel_type.word_count() {
            match file.header.brick {
                BrickSize::Four => self.read_word::<64>(file, brick, word, voxels)?,
                BrickSize::Eight => self.read_word::<512>(file, brick, word, voxels)?,
                BrickSize::Flat => self.read_word::<256>(file, brick, word, voxels)?,
            }
        }
        Ok(())
    }

    /// Reads those of up to [`AT_ONCE`] bricks that can be decoded by fours, and marks them. Of the others,
    /// what reading them will look at is brought near: one brick waits for three accesses to memory, one
    /// after the other, and several wait for them together. (Of a brick of two words this is the first.)
    fn read_together(
        &self,
        file: OpenFile,
        body: &BrickBody,
        bricks: &[BrickAddress],
        voxels: &mut [u8],
        is_done: &mut [bool; AT_ONCE],
    ) -> Result<(), VolumeReadError> {
        let (size, voxel_type) = (file.header.brick, file.header.voxel_type);
        // In two steps: finding a chunk is an exchange, after which a processor starts over with loads.
        let chunks: [_; AT_ONCE] = array::from_fn(|i| {
            let &brick = bricks.get(i)?;
            let (part, number) = self.place(body, brick, brick.channel * voxel_type.word_count());
            Some((self.slot(part).1.load(), part, number))
        });
        let near = |i: usize| {
            let (chunk, part, number) = chunks[i].as_ref()?;
            Some((chunk.chunk()?, *part, *number))
        };
        for (chunk, _, number) in (0..AT_ONCE).filter_map(near) {
            chunk.touch(number);
        }
        if size != BrickSize::Four || voxel_type.word_count() != 1 {
            return Ok(());
        }
        let (mut narrow, mut count) = ([0; AT_ONCE], 0);
        for (i, &brick) in bricks.iter().enumerate() {
            let is_whole = self.inside(size, brick).is_some_and(BrickBox::is_whole);
            if is_whole && near(i).is_some_and(|(chunk, _, number)| chunk.is_narrow(number)) {
                narrow[count] = i;
                count += 1;
            }
        }
        let length = size.voxel_count() * voxel_type.byte_count();
        for &four in narrow[..count].as_chunks::<4>().0 {
            let [Some(a), Some(b), Some(c), Some(d)] = four.map(near) else { continue };
            let four_chunks = [a, b, c, d].map(|(chunk, _, number)| (chunk, number));
            let mut values = [[0; 64]; 4];
            // (A damaged one is named where it is read by itself.)
            let Some(fields) = OpenChunk::four_bricks(four_chunks, &mut values) else { continue };
            for (k, i) in four.into_iter().enumerate() {
                let ordinals = ordinals(file, body, [a, b, c, d][k].1, fields[k])?;
                let voxels = &mut voxels[i * length..(i + 1) * length];
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, 0, &values[k], ordinals));
                is_done[i] = true;
            }
        }
        Ok(())
    }

    /// The chunk of a brick, and which of the chunk's bricks it is.
    #[inline]
    fn place(&self, body: &BrickBody, brick: BrickAddress, component: usize) -> (ChunkPart, usize) {
        let shape = &self.mip_levels[brick.mip_level];
        let (place, number) = shape.place(brick, component);
        (body.chunk_at(shape.grid, brick.mip_level, place), number)
    }

    /// What of a brick lies in the volume.
    #[inline]
    fn inside(&self, size: BrickSize, brick: BrickAddress) -> Option<BrickBox> {
        let BrickAddress { x, y, z, mip_level, .. } = brick;
        let side = size.dims();
        BrickBox::at(size, (x * side.x, y * side.y, z * side.z), self.mip_levels[mip_level].dims)
    }

    /// The slot of a chunk, and its number.
    #[inline]
    fn slot(&self, part: ChunkPart) -> (usize, &Slot) {
        let number = self.mip_levels[part.mip_level].first_slot + part.number;
        (number, &self.slots[number])
    }

    /// One word of [`read_brick`](Self::read_brick), of a brick of `COUNT` voxels that lies in the volume.
    fn read_word<const COUNT: usize>(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        word: usize,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
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
        let (part, number) = self.place(body, brick, component);
        let inside = self.inside(file.header.brick, brick).ok_or_else(|| part.broken())?;
        self.with_chunk(file, body, part, |chunk| {
            if COUNT == 64 && inside.is_whole() && chunk.is_narrow(number) {
                let mut values = [0; 64];
                let minimum = chunk.narrow_brick(number, &mut values).ok_or_else(|| part.broken())?;
                let ordinals = ordinals(file, body, part, minimum)?;
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, word, &values, ordinals));
            } else {
                let mut values = [0; COUNT];
                let minimum =
                    chunk.brick((x, y, z), number, inside, &mut values).ok_or_else(|| part.broken())?;
                let ordinals = ordinals(file, body, part, minimum)?;
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, word, &values, ordinals));
            }
            Ok(())
        })
    }

    /// What `with` makes of a chunk, which is read and verified if it is not in memory.
    fn with_chunk<R>(
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
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).add(&self.slots, slot_number, &chunk);
        with(&chunk)
    }
}

/// What the values of a brick with this minimum stand for, in a chunk.
#[inline]
fn ordinals<'t>(
    file: OpenFile<'t>,
    body: &'t BrickBody,
    part: ChunkPart,
    minimum: Minimum,
) -> Result<Ordinals<'t>, VolumeReadError> {
    match minimum {
        Minimum::Ordinal(min) => Ok(Ordinals::From(min)),
        Minimum::Rank { min, range } => {
            Ok(Ordinals::new(file.table(body, part)?.and_then(Table::lookup), min, range))
        }
    }
}

/// The memory of all chunks of a file, or more.
pub(super) fn most_bytes(file: OpenFile) -> usize {
    let Body::Bricks(body) = file.body else { return 0 };
    let chunks = body.index.mip_levels.iter().flat_map(|mip_level| &mip_level.chunks);
    chunks.fold(0, |sum: usize, chunk| {
        sum.saturating_add(OpenChunk::most_bytes(chunk.part.byte_count as usize))
    })
}

/// Checks that `voxels` has room for `count` bricks and no more, and returns how many bytes one takes.
fn check_length(file: OpenFile, count: usize, voxels: &[u8]) -> Result<usize, ShapeError> {
    let (dims, each) = (file.header.brick.dims(), file.header.voxel_type.byte_count());
    let length = file.header.brick.voxel_count() * each;
    if voxels.len() != count * length {
        return Err(ShapeError::Length {
            dims,
            expected: count * length / each,
            actual: voxels.len() / each,
        });
    }
    Ok(length)
}

/// Puts 64 values of one word, with a minimum that is an ordinal, into `voxels`.
#[inline(always)]
fn add<T: Voxel>(voxels: &mut [u8], values: &[u16; 64], min: u32) {
    let voxels: &mut [T] = bytemuck::cast_slice_mut(voxels);
    for (voxel, &value) in voxels.iter_mut().zip(values) {
        *voxel = T::from_ordinal(min.wrapping_add(value.into()).into());
    }
}

/// Puts the ordinals of some values as this word into `voxels`.
fn fill<T: Voxel>(voxels: &mut [u8], word: usize, values: &[impl Copy + Into<u32>], ordinals: Ordinals) {
    let voxels: &mut [T] = bytemuck::cast_slice_mut(voxels);
    let values = values.iter().map(|&value| value.into());
    match ordinals {
        Ordinals::From(base) => {
            for (voxel, value) in voxels.iter_mut().zip(values) {
                *voxel = voxel.with_word(word, base.wrapping_add(value));
            }
        }
        Ordinals::Of(min, lookup) => {
            for (voxel, value) in voxels.iter_mut().zip(values) {
                *voxel = voxel.with_word(word, lookup[usize::from(min.wrapping_add(value) as u16)]);
            }
        }
    }
}
