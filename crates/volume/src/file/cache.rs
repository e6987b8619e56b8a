//! Single bricks of a `.bwv` file, from groups that stay in memory once they were verified.
//!
//! [`VolumeFile::read`] reads and verifies a group for each call. Who asks for brick after brick, as a ray caster does, pays
//! for that once here, and then only for the brick. Groups that were not asked for lately make room for others: they stand in
//! a queue, and the first in it goes unless it was used since it came there ("second chance").

use super::{
    BrickSize, ReadAt, Selection, VolumeFile,
    index::groups,
    open_group::{BRICK_SIDE, OpenGroup},
    paper::Bricks,
    parts::Part,
    reader::{Body, broken},
    table::Table,
};
use crate::{Dims, ReadError, Region, ShapeError, Voxel};
use std::{
    collections::VecDeque,
    fs::File,
    sync::{
        Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// Which brick of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Brick {
    /// Its column, in bricks.
    pub x: usize,
    /// Its row.
    pub y: usize,
    /// Its layer.
    pub z: usize,
    /// The level, 0 being the volume itself. Default: 0.
    pub level: usize,
    /// The frame. Default: 0.
    pub frame: usize,
    /// The channel. Default: 0.
    pub channel: usize,
}

impl Brick {
    /// The brick in column `x`, row `y`, layer `z` of the first channel of the first frame.
    pub const fn at(x: usize, y: usize, z: usize) -> Self {
        Self { x, y, z, level: 0, frame: 0, channel: 0 }
    }
}

/// A [`VolumeFile`] that gives single bricks and keeps verified groups in memory.
///
/// Threads may share it: those that read the same group do not wait for each other. Of the profile guthe2016 nothing is kept.
///
/// ```
/// # use brickwork_volume::*;
/// # let dims = Dims::new(40, 30, 20);
/// # let voxels: Vec<u16> = (0..40 * 30 * 20).collect();
/// # let mut bytes = Vec::new();
/// # let view = VolumeView::new(&voxels, dims)?;
/// # encode(view, &Header::new(VoxelType::U16, dims), &EncodeOptions::default(), &mut bytes)?;
/// let cache = BrickCache::new(VolumeFile::new(bytes)?, 64 << 20);
/// let mut brick = [0u16; 64];
/// cache.read_brick(Brick::at(2, 1, 3), &mut brick)?;
/// assert_eq!(brick[0], voxels[8 + 40 * (4 + 30 * 12)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BrickCache<S = File> {
    file: VolumeFile<S>,
    limit: usize,
    /// The first slot of each level.
    level_slots: Vec<usize>,
    /// By level and group.
    slots: Box<[Slot]>,
    resident: Mutex<Resident>,
}

#[derive(Debug, Default)]
struct Slot {
    group: RwLock<Option<OpenGroup>>,
    /// Whether the group was read from since it was put at the end of the queue.
    used: AtomicBool,
}

/// The groups in memory, and the bytes they take.
#[derive(Debug, Default)]
struct Resident {
    queue: VecDeque<usize>,
    byte_count: usize,
}

impl<S: ReadAt> BrickCache<S> {
    /// Bricks of `file`. Groups take `limit_bytes` of memory at most, and one group for each thread that reads; beside that a
    /// slot for each group of the file is kept, of a few words.
    pub fn new(file: VolumeFile<S>, limit_bytes: usize) -> Self {
        let (mut level_slots, mut count) = (Vec::new(), 0);
        if let Body::Bricks { index, .. } = &file.body {
            for level in &index.levels {
                level_slots.push(count);
                count += level.groups.len();
            }
        }
        let slots = (0..count).map(|_| Slot::default()).collect();
        Self { file, limit: limit_bytes, level_slots, slots, resident: Mutex::default() }
    }

    /// The file.
    pub const fn file(&self) -> &VolumeFile<S> {
        &self.file
    }

    /// Returns the file; all groups are dropped.
    pub fn into_file(self) -> VolumeFile<S> {
        self.file
    }

    /// How many bricks a level has along each axis.
    pub fn bricks(&self, level: usize) -> Dims {
        self.file.header().level_dims(level).covered_by(self.file.header().brick.side())
    }

    /// Bytes that groups take in memory now.
    pub fn resident_bytes(&self) -> usize {
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).byte_count
    }

    /// Fills `voxels` with the numbers of a brick's channel, x fastest: 4³, or 8³. Those beyond the volume's edge mean
    /// nothing.
    ///
    /// # Errors
    /// [`ReadError`] if the type is not the file's, there is no such brick, `voxels` has another length, memory runs out, or
    /// the brick's group is damaged.
    pub fn read_brick<T: Voxel>(&self, brick: Brick, voxels: &mut [T]) -> Result<(), ReadError> {
        let header = self.file.header();
        if T::TYPE != header.voxel_type {
            return Err(ReadError::Type { have: header.voxel_type, asked: T::TYPE });
        }
        let Brick { x, y, z, level, frame, channel } = brick;
        let frames = Some(frame..frame.saturating_add(1));
        self.file.check(&Selection { level, frames, channel: Some(channel) })?;
        let bricks = self.bricks(level);
        if x >= bricks.x || y >= bricks.y || z >= bricks.z {
            let end = |i: usize| i.saturating_add(1);
            let region = Region { x: x..end(x), y: y..end(y), z: z..end(z) };
            return Err(ShapeError::Outside { region, dims: bricks }.into());
        }
        let side = header.brick.side();
        if voxels.len() != side.pow(3) {
            let (expected, actual) = (side.pow(3), voxels.len());
            return Err(ShapeError::Length { dims: Dims::new(side, side, side), expected, actual }.into());
        }
        let planes = T::TYPE.plane_count();
        for plane in 0..planes {
            let component = channel * planes + plane;
            match header.brick {
                BrickSize::Four => self.read_plane::<T, 64>(brick, component, plane, voxels)?,
                BrickSize::Eight => self.read_plane::<T, 512>(brick, component, plane, voxels)?,
            }
        }
        Ok(())
    }

    /// One plane of [`read_brick`](Self::read_brick), of a brick of `COUNT` voxels that lies in the volume.
    fn read_plane<T: Voxel, const COUNT: usize>(
        &self,
        brick: Brick,
        component: usize,
        plane: usize,
        voxels: &mut [T],
    ) -> Result<(), ReadError> {
        let Brick { x, y, z, level, frame, .. } = brick;
        let (source, header) = (&self.file.source, self.file.header());
        let index = match &self.file.body {
            Body::Bricks { index, .. } => index,
            Body::Guthe2016(sections) => {
                let mut bricks = Bricks::new(source, sections, header, level, frame, component)?;
                for (voxel, ordinal) in voxels.iter_mut().zip(bricks.brick(x, y, z)?) {
                    *voxel = voxel.with_plane(plane, ordinal);
                }
                return Ok(());
            }
        };
        let side = BRICK_SIDE;
        let groups = groups(header, level);
        let place = (x / side, y / side, z / side);
        let slab = frame * groups.z + place.2;
        let components = header.component_count();
        let (number, part) = index.levels[level].group(groups, components, slab, component, place.0, place.1);
        let lookup = self.file.table(level, slab, component)?.and_then(Table::lookup);
        let slot = &self.slots[self.level_slots[level] + number];
        let mut values = [0; COUNT];
        let mut read = |group: &OpenGroup| {
            let brick = group.brick((x % side, y % side, z % side), &mut values);
            brick.ok_or_else(|| broken(level, number, part))
        };
        let group = slot.group.read().unwrap_or_else(PoisonError::into_inner);
        let (min, range) = match &*group {
            Some(group) => {
                // (A store to a word that other threads read costs them time; a load does not.)
                if !slot.used.load(Ordering::Relaxed) {
                    slot.used.store(true, Ordering::Relaxed);
                }
                read(group)?
            }
            None => {
                drop(group);
                self.open(level, number, part, place, read)?
            }
        };
        let ordinal = |rank: u32| lookup.map_or(rank, |lookup| lookup[usize::from(rank as u16)]);
        // Most bricks have ranks without gaps between their ordinals.
        let base = ordinal(min);
        let has_gaps = ordinal(min.wrapping_add(range)).wrapping_sub(base) != range;
        for (voxel, value) in voxels.iter_mut().zip(values) {
            let ordinal = if has_gaps { ordinal(min.wrapping_add(value)) } else { base.wrapping_add(value) };
            *voxel = voxel.with_plane(plane, ordinal);
        }
        Ok(())
    }

    /// Reads and verifies a group, keeps it, and returns what `with` makes of it.
    fn open<R>(
        &self,
        level: usize,
        number: usize,
        part: Part,
        place: (usize, usize, usize),
        with: impl FnOnce(&OpenGroup) -> Result<R, ReadError>,
    ) -> Result<R, ReadError> {
        let slot_number = self.level_slots[level] + number;
        let mut slot = self.slots[slot_number].group.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(group) = &*slot {
            // Another thread was first.
            return with(group);
        }
        let group = self.file.group(level, number, part, place)?;
        let group = OpenGroup::new(group, self.file.header().brick.side());
        let group = group.ok_or_else(|| broken(level, number, part))?;
        let result = with(&group)?;
        let byte_count = group.memory_bytes();
        *slot = Some(group);
        drop(slot);
        let mut resident = self.resident.lock().unwrap_or_else(PoisonError::into_inner);
        resident.queue.push_back(slot_number);
        resident.byte_count += byte_count;
        self.make_room(&mut resident);
        Ok(result)
    }

    /// Drops groups until they fit.
    fn make_room(&self, resident: &mut Resident) {
        // Twice around: once to take back what was said for the used ones, once to drop them. More is only asked for by
        // other threads that use them meanwhile.
        for _ in 0..2 * resident.queue.len() {
            if resident.byte_count <= self.limit {
                return;
            }
            let Some(number) = resident.queue.pop_front() else { return };
            let slot = &self.slots[number];
            let used = slot.used.swap(false, Ordering::Relaxed);
            // A group that is being read from stays.
            match slot.group.try_write() {
                Ok(mut group) if !used => {
                    let byte_count = group.take().map_or(0, |group| group.memory_bytes());
                    resident.byte_count = resident.byte_count.saturating_sub(byte_count);
                }
                _ => resident.queue.push_back(number),
            }
        }
    }
}
