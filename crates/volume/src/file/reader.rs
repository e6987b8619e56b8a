//! Reading a `.bwv` file: any region, and only the groups it touches.

use super::{
    GROUP_SIDE, ReadAt,
    group::{Group, Values},
    header::{FIXED_BYTES, Header},
    index::{FOOTER_BYTES, Index, Part, groups},
    table::Table,
};
use crate::{DecodeError, Dims, ReadError, Region, Voxel, superblock};
use std::{fs::File, ops::Range, path::Path, sync::OnceLock};

/// An open `.bwv` file.
#[derive(Debug)]
pub struct VolumeFile<S = File> {
    source: S,
    header: Header,
    file_bytes: u64,
    index: Index,
    tables: Vec<OnceLock<Table>>,
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
        let header_crc: [u8; 4] = fixed[164..168].try_into().expect("four bytes");
        let mut footer = [0; FOOTER_BYTES];
        source.read_exact_at(&mut footer, file_bytes - FOOTER_BYTES as u64)?;
        let (offset, byte_count, crc) = Index::place(&footer, header_crc, file_bytes)?;
        // The place lies in the file, so this is no more than the file has.
        let need = Index::byte_count(&header, 0).unwrap_or(u64::MAX);
        if byte_count < need {
            return Err(DecodeError::Short { part: "the index", need, have: byte_count }.into());
        }
        let mut bytes = memory(byte_count)?;
        bytes.resize(byte_count as usize, 0);
        source.read_exact_at(&mut bytes, offset)?;
        let header_bytes = (FIXED_BYTES + metadata_bytes) as u64;
        let index = Index::from_bytes(&bytes, crc, offset, &header, header_bytes)?;
        let tables = index.tables.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { source, header, file_bytes, index, tables })
    }

    /// What the volume is.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the whole file.
    pub const fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// Bytes of the groups: bricks with the index within each superblock.
    pub fn group_bytes(&self) -> u64 {
        self.index.groups.iter().map(|group| u64::from(group.byte_count)).sum()
    }

    /// How many groups and rank tables there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.index.groups.len(), self.index.tables.len())
    }

    /// The voxels of `region`, x fastest.
    ///
    /// # Errors
    /// [`ReadError`] if the type is not the file's, the region reaches outside, memory runs out, or the groups it touches
    /// are damaged.
    pub fn read<T: Voxel>(&self, region: &Region) -> Result<Vec<T>, ReadError> {
        region.check(self.header.dims)?;
        let byte_count = region.dims().byte_count(size_of::<T>())? as u64;
        let mut voxels = Vec::new();
        let count = region.dims().voxel_count()?;
        voxels.try_reserve_exact(count).map_err(|_| ReadError::Memory(byte_count))?;
        voxels.resize(count, T::zeroed());
        self.read_into(region, &mut voxels)?;
        Ok(voxels)
    }

    /// Fills `voxels` with those of `region`, x fastest.
    ///
    /// # Errors
    /// As [`read`](Self::read), and if `voxels` has another length than the region; `voxels` then holds anything.
    pub fn read_into<T: Voxel>(&self, region: &Region, voxels: &mut [T]) -> Result<(), ReadError> {
        if T::TYPE != self.header.voxel_type {
            return Err(ReadError::Type { have: self.header.voxel_type, asked: T::TYPE });
        }
        region.check(self.header.dims)?;
        let dims = region.dims();
        let expected = dims.voxel_count()?;
        if voxels.len() != expected {
            return Err(crate::ShapeError::Length { dims, expected, actual: voxels.len() }.into());
        }
        // A job is a row of groups: for each slice, the rows of voxels it covers.
        let side = self.group_side();
        let touched = |range: &Range<usize>| range.start / side..range.end.div_ceil(side);
        let rows = touched(&region.y);
        let mut jobs: Vec<(usize, usize, Vec<&mut [T]>)> = Vec::new();
        for z in touched(&region.z) {
            jobs.extend(rows.clone().map(|y| (y, z, Vec::new())));
        }
        for (z, mut slice) in region.z.clone().zip(voxels.chunks_exact_mut(dims.x * dims.y)) {
            let first = (z / side - region.z.start / side) * rows.len();
            for (row, job) in rows.clone().zip(&mut jobs[first..]) {
                let from = region.y.start.max(row * side);
                let to = region.y.end.min((row + 1) * side);
                let (part, rest) = slice.split_at_mut((to - from) * dims.x);
                job.2.push(part);
                slice = rest;
            }
        }
        let work = |(y, z, slices): (usize, usize, Vec<&mut [T]>)| self.read_row(region, y, z, slices);
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            jobs.into_par_iter().try_for_each(work)
        }
        #[cfg(not(feature = "rayon"))]
        jobs.into_iter().try_for_each(work)
    }

    /// Voxels along each side of a group.
    fn group_side(&self) -> usize {
        self.header.brick.side() * superblock::SIDE * GROUP_SIDE
    }

    /// Reads the part of `region` in row `y`, layer `z` of groups; `slices` are the region's voxels there, slice by slice.
    fn read_row<T: Voxel>(
        &self,
        region: &Region,
        y: usize,
        z: usize,
        mut slices: Vec<&mut [T]>,
    ) -> Result<(), ReadError> {
        let side = self.group_side();
        let brick_side = self.header.brick.side();
        let lookup = self.table(z)?.and_then(Table::lookup);
        let first = (region.x.start, region.y.start.max(y * side), region.z.start.max(z * side));
        let width = region.dims().x;
        let meets =
            |start: usize, side: usize, range: &Range<usize>| start < range.end && range.start < start + side;
        for x in region.x.start / side..region.x.end.div_ceil(side) {
            let number = groups(&self.header).index(x, y, z);
            let group = self.group(number, (x, y, z))?;
            let wanted = |(x, y, z): (usize, usize, usize), side: usize| {
                meets(x, side, &region.x) && meets(y, side, &region.y) && meets(z, side, &region.z)
            };
            let read = group.bricks(brick_side, wanted, |(x, y, z), min, range, values| {
                let is_whole = |start: usize, range: &Range<usize>| {
                    range.start <= start && start + brick_side <= range.end
                };
                let rank_to_ordinal =
                    |rank: u32| lookup.map_or(rank, |lookup| lookup[usize::from(rank as u16)]);
                let base = rank_to_ordinal(min);
                if is_whole(x, &region.x) && is_whole(y, &region.y) && is_whole(z, &region.z) {
                    let slices = &mut slices[z - first.2..];
                    let start = (y - first.1) * width + x - first.0;
                    // Most bricks have ranks without gaps between their ordinals.
                    let last = rank_to_ordinal(min.wrapping_add(range));
                    return if last.wrapping_sub(base) == range && size_of::<T>() <= 2 {
                        // In 16 bits, so that more are added at once.
                        let ordinal = |value| u32::from((base as u16).wrapping_add(value as u16));
                        put_brick(slices, start, width, brick_side, values, ordinal);
                    } else if last.wrapping_sub(base) == range {
                        put_brick(slices, start, width, brick_side, values, |value| base.wrapping_add(value));
                    } else {
                        let ordinal = |value| rank_to_ordinal(min.wrapping_add(value));
                        put_brick(slices, start, width, brick_side, values, ordinal);
                    };
                }
                let from = region.x.start.max(x);
                let to = region.x.end.min(x + brick_side);
                for z in region.z.start.max(z)..region.z.end.min(z + brick_side) {
                    for y in region.y.start.max(y)..region.y.end.min(y + brick_side) {
                        let row = brick_side * (y % brick_side + brick_side * (z % brick_side));
                        let start = (y - first.1) * width + from - first.0;
                        let out = &mut slices[z - first.2][start..][..to - from];
                        for (i, voxel) in (row + from % brick_side..).zip(out) {
                            *voxel = T::from_ordinal(rank_to_ordinal(min.wrapping_add(values.get(i))));
                        }
                    }
                }
            });
            read.ok_or_else(|| self.broken(number))?;
        }
        Ok(())
    }

    /// Reads and verifies a group.
    fn group(&self, number: usize, place: (usize, usize, usize)) -> Result<Group, ReadError> {
        let part = self.index.groups[number];
        let bytes = self.part(part, || format!("group {number}"))?;
        let group = Group::new(bytes, self.header.dims, self.header.brick.side(), place);
        group.ok_or_else(|| self.broken(number))
    }

    fn broken(&self, number: usize) -> ReadError {
        let offset = self.index.groups[number].offset;
        DecodeError::Structure { part: format!("group {number}"), offset }.into()
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

    /// The rank table of a slab, read on first use.
    fn table(&self, slab: usize) -> Result<Option<&Table>, ReadError> {
        let Some(number) = (self.index.slabs[slab] as usize).checked_sub(1) else {
            return Ok(None);
        };
        let cell = &self.tables[number];
        if cell.get().is_none() {
            let part = self.index.tables[number];
            let bytes = self.part(part, || format!("rank table {number}"))?;
            let table = Table::from_bytes(bytes).ok_or_else(|| DecodeError::Structure {
                part: format!("rank table {number}"),
                offset: part.offset,
            })?;
            // Another thread may have been first, with the same.
            let _ = cell.set(table);
        }
        Ok(cell.get())
    }

    /// Reads everything, and returns what is wrong: nothing, for a sound file. Header and index were verified on opening.
    ///
    /// # Errors
    /// [`ReadError::Io`] and [`ReadError::Memory`].
    pub fn verify(&self) -> Result<Vec<DecodeError>, ReadError> {
        let dims = groups(&self.header);
        let collect = |result: Result<(), ReadError>| match result {
            Ok(()) => Ok(None),
            Err(ReadError::Format(error)) => Ok(Some(error)),
            Err(other) => Err(other),
        };
        let mut errors = Vec::new();
        let mut seen = vec![false; self.tables.len()];
        for slab in 0..dims.z {
            let number = self.index.slabs[slab] as usize;
            if number > 0 && !std::mem::replace(&mut seen[number - 1], true) {
                errors.extend(collect(self.table(slab).map(drop))?);
            }
        }
        let verify = |number: usize| {
            let place = (number % dims.x, number / dims.x % dims.y, number / dims.x / dims.y);
            let volume = self.header.dims;
            let inside = |(x, y, z): (usize, usize, usize), _| x < volume.x && y < volume.y && z < volume.z;
            collect(self.group(number, place).and_then(|group| {
                let read = group.bricks(self.header.brick.side(), inside, |_, _, _, _| {});
                read.ok_or_else(|| self.broken(number))
            }))
        };
        #[cfg(feature = "rayon")]
        let groups: Result<Vec<_>, _> = {
            use rayon::prelude::*;
            (0..self.index.groups.len()).into_par_iter().map(verify).collect()
        };
        #[cfg(not(feature = "rayon"))]
        let groups: Result<Vec<_>, _> = (0..self.index.groups.len()).map(verify).collect();
        errors.extend(groups?.into_iter().flatten());
        Ok(errors)
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

/// Puts a whole brick into `slices` of rows of `width`, from place `start` of each on.
#[inline(always)]
fn put_brick<T: Voxel>(
    slices: &mut [&mut [T]],
    start: usize,
    width: usize,
    brick_side: usize,
    values: Values,
    ordinal: impl Fn(u32) -> u32,
) {
    match (values, brick_side) {
        (Values::Constant, _) => {
            let voxel = T::from_ordinal(ordinal(0));
            match brick_side {
                4 => put(slices, start, width, &[[voxel; 4]; 16], |&row| row),
                _ => put(slices, start, width, &[[voxel; 8]; 64], |&row| row),
            }
        }
        (Values::Narrow(values), 4) => {
            let voxel = |value: u16| T::from_ordinal(ordinal(value.into()));
            put::<_, _, 4>(slices, start, width, values.as_chunks().0, |row| row.map(voxel));
        }
        (Values::Narrow(values), _) => {
            let voxel = |value: u16| T::from_ordinal(ordinal(value.into()));
            put::<_, _, 8>(slices, start, width, values.as_chunks().0, |row| row.map(voxel));
        }
        (Values::Wide(values), 4) => {
            let voxel = |value: u32| T::from_ordinal(ordinal(value));
            put::<_, _, 4>(slices, start, width, values.as_chunks().0, |row| row.map(voxel));
        }
        (Values::Wide(values), _) => {
            let voxel = |value: u32| T::from_ordinal(ordinal(value));
            put::<_, _, 8>(slices, start, width, values.as_chunks().0, |row| row.map(voxel));
        }
    }
}

/// Puts the `rows` of a brick of `SIDE`³ voxels.
#[inline(always)]
fn put<T: Voxel, V, const SIDE: usize>(
    slices: &mut [&mut [T]],
    start: usize,
    width: usize,
    rows: &[[V; SIDE]],
    voxels: impl Fn(&[V; SIDE]) -> [T; SIDE],
) {
    for (slice, rows) in slices.iter_mut().zip(rows.as_chunks::<SIDE>().0) {
        for (y, row) in rows.iter().enumerate() {
            let start = start + y * width;
            let out: &mut [T; SIDE] = (&mut slice[start..start + SIDE]).try_into().expect("a row");
            *out = voxels(row);
        }
    }
}

/// An empty vector with room for `byte_count` bytes and a little more.
fn memory(byte_count: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let count =
        usize::try_from(byte_count).unwrap_or(usize::MAX).saturating_add(crate::brick::decode::PADDING);
    bytes.try_reserve_exact(count).map_err(|_| ReadError::Memory(byte_count))?;
    Ok(bytes)
}
