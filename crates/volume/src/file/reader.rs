//! Reading a `.bwv` file: any region, and only the groups it touches.

use super::{
    GROUP_SIDE, ReadAt,
    group::{Group, Values},
    header::{FIXED_BYTES, Header, Profile},
    index::{Index, groups},
    paper::{Bricks, Sections},
    parts::{self, FOOTER_BYTES, Part},
    place::{Place, meets},
    table::Table,
};
use crate::{DecodeError, Dims, ReadError, Region, ShapeError, Voxel, guthe2016, superblock};
use std::{fs::File, ops::Range, path::Path, sync::OnceLock};

/// Which voxels of a file, besides where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The level, 0 being the volume itself. Default: 0.
    pub level: usize,
    /// The frames, or all. Default: all.
    pub frames: Option<Range<usize>>,
    /// The only channel, or all side by side. Default: all.
    pub channel: Option<usize>,
}

/// An open `.bwv` file.
#[derive(Debug)]
pub struct VolumeFile<S = File> {
    pub(super) source: S,
    pub(super) header: Header,
    file_bytes: u64,
    pub(super) body: Body,
}

/// What the profile has between header and footer.
#[derive(Debug)]
pub(super) enum Body {
    Bricks { index: Index, tables: Vec<OnceLock<Table>> },
    Guthe2016(Sections),
}

impl VolumeFile<File> {
    /// Opens the file at `path` and reads its header and index.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::new(File::open(path)?)
    }
}

impl<S: ReadAt> VolumeFile<S> {
    /// Reads header and index. Their memory is bounded by the length of the file, whatever the header says.
    ///
    /// `source` may also be the bytes of a file, those of a memory map among them; whoever maps a file must see to it that
    /// nobody shortens it.
    ///
    /// # Errors
    /// [`ReadError`] if the file breaks the format's rules, or from `source`.
    pub fn new(source: S) -> Result<Self, ReadError> {
        let file_bytes = source.byte_count()?;
        let least = (FIXED_BYTES + FOOTER_BYTES) as u64;
        let mut fixed = [0; FIXED_BYTES];
        let there = file_bytes.min(FIXED_BYTES as u64) as usize;
        source.read_exact_at(&mut fixed[..there], 0)?;
        let metadata_bytes = Header::metadata_bytes(&fixed)?;
        let least = least + metadata_bytes as u64;
        if file_bytes < least {
            return Err(DecodeError::Short { part: "the file", need: least, have: file_bytes }.into());
        }
        let mut metadata = vec![0; metadata_bytes];
        source.read_exact_at(&mut metadata, FIXED_BYTES as u64)?;
        let header = Header::from_bytes(&fixed, metadata)?;
        let mut footer = [0; FOOTER_BYTES];
        source.read_exact_at(&mut footer, file_bytes - FOOTER_BYTES as u64)?;
        let (offset, byte_count, crc) = parts::index_place(&footer, Header::crc(&fixed), file_bytes)?;
        // The place lies in the file, so this is no more than the file has.
        let need = match header.profile {
            Profile::Bricks => Index::byte_count(&header, 0),
            Profile::Guthe2016 { .. } => Sections::least_bytes(&header),
        };
        let need = need.unwrap_or(u64::MAX);
        if byte_count < need {
            return Err(DecodeError::Short { part: "the index", need, have: byte_count }.into());
        }
        let mut bytes = memory(byte_count)?;
        bytes.resize(byte_count as usize, 0);
        source.read_exact_at(&mut bytes, offset)?;
        let header_bytes = (FIXED_BYTES + metadata_bytes) as u64;
        let body = match header.profile {
            Profile::Bricks => {
                let index = Index::from_bytes(&bytes, crc, offset, &header, header_bytes)?;
                let tables = index.tables.iter().map(|_| OnceLock::new()).collect();
                Body::Bricks { index, tables }
            }
            Profile::Guthe2016 { .. } => {
                Body::Guthe2016(Sections::from_bytes(&bytes, crc, offset, &header, header_bytes)?)
            }
        };
        Ok(Self { source, header, file_bytes, body })
    }

    /// What the volume is.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the whole file.
    pub const fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// Bytes of the groups: bricks with the index within each superblock. With the profile guthe2016: of the bricks, without
    /// the offset volume.
    pub fn group_bytes(&self) -> u64 {
        match &self.body {
            Body::Bricks { index, .. } => {
                let groups = index.levels.iter().flat_map(|level| &level.groups);
                groups.map(|group| u64::from(group.byte_count)).sum()
            }
            Body::Guthe2016(sections) => sections.counts().0,
        }
    }

    /// How many groups and rank tables there are. With the profile guthe2016: pieces under a checksum, and no tables.
    pub fn counts(&self) -> (usize, usize) {
        match &self.body {
            Body::Bricks { index, tables } => {
                (index.levels.iter().map(|level| level.groups.len()).sum(), tables.len())
            }
            Body::Guthe2016(sections) => (sections.counts().1, 0),
        }
    }

    /// The voxels of `region` of all frames and channels: channels run fastest, then x, y, z and the frames.
    ///
    /// # Errors
    /// [`ReadError`] if the type is not the file's, the region reaches outside, memory runs out, or the groups it touches
    /// are damaged.
    pub fn read<T: Voxel>(&self, region: &Region) -> Result<Vec<T>, ReadError> {
        self.read_selected(&Selection::default(), region)
    }

    /// Fills `voxels` with those of `region`, in the order of [`read`](Self::read).
    ///
    /// # Errors
    /// As [`read`](Self::read), and if `voxels` has another length than the region; `voxels` then holds anything.
    pub fn read_into<T: Voxel>(&self, region: &Region, voxels: &mut [T]) -> Result<(), ReadError> {
        self.read_selected_into(&Selection::default(), region, voxels)
    }

    /// The voxels of `region` of the level, frames and channels selected, in the order of [`read`](Self::read). The region is
    /// one of the level.
    ///
    /// # Errors
    /// As [`read`](Self::read), and if the file does not have what is selected.
    pub fn read_selected<T: Voxel>(
        &self,
        selection: &Selection,
        region: &Region,
    ) -> Result<Vec<T>, ReadError> {
        let (frames, channels) = self.check(selection)?;
        region.check(self.header.level_dims(selection.level))?;
        let count = region.dims().number_count(channels.len())?.checked_mul(frames.len());
        let byte_count = count.and_then(|count| count.checked_mul(size_of::<T>()));
        let (Some(count), Some(byte_count)) = (count, byte_count) else {
            return Err(ShapeError::TooLarge(region.dims()).into());
        };
        let mut voxels = Vec::new();
        voxels.try_reserve_exact(count).map_err(|_| ReadError::Memory(byte_count as u64))?;
        voxels.resize(count, T::zeroed());
        self.read_selected_into(selection, region, &mut voxels)?;
        Ok(voxels)
    }

    /// Fills `voxels` as [`read_selected`](Self::read_selected) does.
    ///
    /// # Errors
    /// As [`read_selected`](Self::read_selected), and if `voxels` has another length; `voxels` then holds anything.
    pub fn read_selected_into<T: Voxel>(
        &self,
        selection: &Selection,
        region: &Region,
        voxels: &mut [T],
    ) -> Result<(), ReadError> {
        if T::TYPE != self.header.voxel_type {
            return Err(ReadError::Type { have: self.header.voxel_type, asked: T::TYPE });
        }
        let (frames, channels) = self.check(selection)?;
        region.check(self.header.level_dims(selection.level))?;
        let dims = region.dims();
        let numbers = dims.number_count(channels.len())?;
        let expected = numbers.saturating_mul(frames.len());
        if voxels.len() != expected {
            return Err(ShapeError::Length { dims, expected, actual: voxels.len() }.into());
        }
        // A job is a row of groups: for each slice, the rows of voxels it covers.
        let side = self.group_side();
        let touched = |range: &Range<usize>| range.start / side..range.end.div_ceil(side);
        let rows = touched(&region.y);
        let width = dims.x * channels.len();
        let mut jobs: Vec<Job<T>> = Vec::new();
        for (frame, voxels) in frames.zip(voxels.chunks_exact_mut(numbers)) {
            let first_job = jobs.len();
            for z in touched(&region.z) {
                jobs.extend(rows.clone().map(|y| Job { frame, y, z, slices: Vec::new() }));
            }
            for (z, mut slice) in region.z.clone().zip(voxels.chunks_exact_mut(width * dims.y)) {
                let first = first_job + (z / side - region.z.start / side) * rows.len();
                for (row, job) in rows.clone().zip(&mut jobs[first..]) {
                    let from = region.y.start.max(row * side);
                    let to = region.y.end.min((row + 1) * side);
                    let (part, rest) = slice.split_at_mut((to - from) * width);
                    job.slices.push(part);
                    slice = rest;
                }
            }
        }
        let work = |job: Job<T>| self.read_row(selection.level, channels.clone(), region, job);
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            jobs.into_par_iter().try_for_each(work)
        }
        #[cfg(not(feature = "rayon"))]
        jobs.into_iter().try_for_each(work)
    }

    /// The frames and channels that are selected, if the file has them.
    pub(crate) fn check(&self, selection: &Selection) -> Result<(Range<usize>, Range<usize>), ShapeError> {
        let Header { levels, frames: frame_count, channels, .. } = self.header;
        if selection.level >= levels {
            return Err(ShapeError::Selected { what: "level", index: selection.level, count: levels });
        }
        let frames = selection.frames.clone().unwrap_or(0..frame_count);
        if frames.is_empty() || frames.end > frame_count {
            let index = frames.end.saturating_sub(1).max(frames.start);
            return Err(ShapeError::Selected { what: "frame", index, count: frame_count });
        }
        match selection.channel {
            None => Ok((frames, 0..channels)),
            Some(channel) if channel < channels => Ok((frames, channel..channel + 1)),
            Some(index) => Err(ShapeError::Selected { what: "channel", index, count: channels }),
        }
    }

    /// Voxels along each side of a group. The paper's scheme has none; rows of voxels are then read as if it had.
    fn group_side(&self) -> usize {
        self.header.brick.side() * superblock::SIDE * GROUP_SIDE
    }

    /// Reads a job's part of `region`, every channel.
    fn read_row<T: Voxel>(
        &self,
        level: usize,
        channels: Range<usize>,
        region: &Region,
        job: Job<T>,
    ) -> Result<(), ReadError> {
        let side = self.group_side();
        let planes = T::TYPE.plane_count();
        let first = (region.y.start.max(job.y * side), region.z.start.max(job.z * side));
        let Job { frame, y, z, slices } = job;
        let mut place = Place { region, first, slices, channels: channels.len(), channel: 0, plane: 0 };
        for channel in channels.clone() {
            for plane in 0..planes {
                (place.channel, place.plane) = (channel - channels.start, plane);
                let component = channel * planes + plane;
                match &self.body {
                    Body::Bricks { index, .. } => {
                        self.read_groups(index, level, frame, component, (y, z), &mut place)?;
                    }
                    Body::Guthe2016(sections) => {
                        let bricks =
                            Bricks::new(&self.source, sections, &self.header, level, frame, component)?;
                        read_paper(bricks, (y * side, z * side), side, &mut place)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads what `place` wants of the groups in row `y`, layer `z`.
    fn read_groups<T: Voxel>(
        &self,
        index: &Index,
        level: usize,
        frame: usize,
        component: usize,
        (y, z): (usize, usize),
        place: &mut Place<T>,
    ) -> Result<(), ReadError> {
        let side = self.group_side();
        let brick_side = self.header.brick.side();
        let groups = groups(&self.header, level);
        let slab = frame * groups.z + z;
        let lookup = self.table(level, slab, component)?.and_then(Table::lookup);
        let region = place.region;
        for x in region.x.start / side..region.x.end.div_ceil(side) {
            let components = self.header.component_count();
            let (number, part) = index.levels[level].group(groups, components, slab, component, x, y);
            let group = self.group(level, number, part, (x, y, z))?;
            let wanted = |corner: (usize, usize, usize), side: usize| meets(region, corner, side);
            let read = group.bricks(brick_side, wanted, |corner, min, range, values| {
                let ordinal = |rank: u32| lookup.map_or(rank, |lookup| lookup[usize::from(rank as u16)]);
                // Most bricks have ranks without gaps between their ordinals.
                let base = ordinal(min);
                let has_gaps = ordinal(min.wrapping_add(range)).wrapping_sub(base) != range;
                if !has_gaps && size_of::<T>() <= 2 {
                    // In 16 bits, so that more are added at once.
                    let ordinal = |value| u32::from((base as u16).wrapping_add(value as u16));
                    place.put(corner, brick_side, values, ordinal);
                } else if !has_gaps {
                    place.put(corner, brick_side, values, |value| base.wrapping_add(value));
                } else {
                    place.put(corner, brick_side, values, |value| ordinal(min.wrapping_add(value)));
                }
            });
            read.ok_or_else(|| broken(level, number, part))?;
        }
        Ok(())
    }

    /// Reads and verifies a group.
    pub(super) fn group(
        &self,
        level: usize,
        number: usize,
        part: Part,
        place: (usize, usize, usize),
    ) -> Result<Group, ReadError> {
        let bytes = self.part(part, || group_name(level, number))?;
        let group = Group::new(bytes, self.header.level_dims(level), self.header.brick.side(), place);
        group.ok_or_else(|| broken(level, number, part))
    }

    /// Reads a part of the file and compares its checksum.
    fn part(&self, part: Part, name: impl Fn() -> String) -> Result<Vec<u8>, ReadError> {
        // Parts lie in the file, so this is no more than the file has.
        let mut bytes = memory(part.byte_count.into())?;
        bytes.resize(part.byte_count as usize, 0);
        self.source.read_exact_at(&mut bytes, part.offset)?;
        if crc32c::crc32c(&bytes) != part.crc {
            return Err(DecodeError::Checksum { part: name(), offset: part.offset }.into());
        }
        Ok(bytes)
    }

    /// The rank table of a component of a slab, read on first use.
    pub(super) fn table(
        &self,
        level: usize,
        slab: usize,
        component: usize,
    ) -> Result<Option<&Table>, ReadError> {
        let Body::Bricks { index, tables } = &self.body else {
            return Ok(None);
        };
        match index.levels[level].slabs[slab].tables[component].checked_sub(1) {
            None => Ok(None),
            Some(number) => self.numbered_table(index, tables, number as usize).map(Some),
        }
    }

    /// A rank table, read on first use.
    pub(super) fn numbered_table<'t>(
        &self,
        index: &Index,
        tables: &'t [OnceLock<Table>],
        number: usize,
    ) -> Result<&'t Table, ReadError> {
        if let Some(table) = tables[number].get() {
            return Ok(table);
        }
        let part = index.tables[number];
        let name = || format!("rank table {number}");
        let table = Table::from_bytes(self.part(part, name)?, self.header.voxel_type);
        let table = table.ok_or_else(|| DecodeError::Structure { part: name(), offset: part.offset })?;
        // Another thread may have been first, with the same.
        Ok(tables[number].get_or_init(|| table))
    }

    /// How many slices are stored together: 32, or 64 with bricks of 8³. Regions that start and end at multiples read nothing
    /// twice.
    pub fn slab_depth(&self) -> usize {
        self.group_side()
    }

    /// The volume's dims.
    pub const fn dims(&self) -> Dims {
        self.header.dims
    }
}

/// A row of groups of one frame, and for each slice the rows of voxels it covers.
struct Job<'v, T> {
    frame: usize,
    y: usize,
    z: usize,
    slices: Vec<&'v mut [T]>,
}

/// Reads what `place` wants of the bricks from voxel (y, z) on, for `side` voxels.
fn read_paper<S: ReadAt, T: Voxel>(
    mut bricks: Bricks<S>,
    (y, z): (usize, usize),
    side: usize,
    place: &mut Place<T>,
) -> Result<(), ReadError> {
    let bricks_of = |range: &Range<usize>| range.start / guthe2016::SIDE..range.end.div_ceil(guthe2016::SIDE);
    let part = |range: &Range<usize>, from: usize| range.start.max(from)..range.end.min(from + side);
    for z in bricks_of(&part(&place.region.z, z)) {
        for y in bricks_of(&part(&place.region.y, y)) {
            for x in bricks_of(&place.region.x) {
                let ordinals = bricks.brick(x, y, z)?;
                let corner = (x * guthe2016::SIDE, y * guthe2016::SIDE, z * guthe2016::SIDE);
                place.put(corner, guthe2016::SIDE, Values::Wide(&ordinals), |ordinal| ordinal);
            }
        }
    }
    Ok(())
}

fn group_name(level: usize, number: usize) -> String {
    match level {
        0 => format!("group {number}"),
        _ => format!("group {number} of level {level}"),
    }
}

pub(super) fn broken(level: usize, number: usize, part: Part) -> ReadError {
    DecodeError::Structure { part: group_name(level, number), offset: part.offset }.into()
}

/// An empty vector with room for `byte_count` bytes and a little more.
fn memory(byte_count: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let count =
        usize::try_from(byte_count).unwrap_or(usize::MAX).saturating_add(crate::brick::decode::PADDING);
    bytes.try_reserve_exact(count).map_err(|_| ReadError::Memory(byte_count))?;
    Ok(bytes)
}
