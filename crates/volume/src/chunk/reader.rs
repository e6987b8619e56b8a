//! From the bytes of a chunk, or some of them, to voxels of any region.

use super::{
    encode::little_endian,
    error::ChunkError,
    index::{ChunkIndex, IndexContents, PARTS_AT},
    shape::ChunkShape,
    tail::{self, MAX_BYTES, Tail},
};
use crate::{
    BrickSize, Dims, ReadAt, Region, Selection, Strides, SuppliedBytes, Task, Threads, VolumeFile,
    VolumeReadError, file::MAGIC,
};
use std::ops::Range;

/// Maximum number of bytes between two ranges that are requested as one. A request of an object store costs
/// more time than these bytes.
const MAX_GAP_BYTES: u64 = 4096;

/// An open Zarr chunk. Its source is the chunk's bytes, of any alignment, or [`SuppliedBytes`] that the
/// caller fetches.
///
/// ```
/// # use brickwork_volume::*;
/// # let shape = ChunkShape::new(VoxelType::U16, Dims::new(70, 40, 33));
/// # let voxels: Vec<u16> = (0..70 * 40 * 33).map(|i: u32| i as u16).collect();
/// # let view = AnyView::new(bytemuck::cast_slice(&voxels), shape.voxel_type(), shape.dims(), 1)?;
/// # let stored = encode_chunk(&view, &ChunkOptions::new(BrickSize::Four), &Task::new())?;
/// # let fetch = |range: std::ops::Range<u64>| stored[range.start as usize..range.end as usize].to_vec();
/// # let fetch_last = |count: u64| stored[stored.len().saturating_sub(count as usize)..].to_vec();
/// // The index: one request, or two for a very large chunk.
/// let mut last = fetch_last(4096);
/// match ChunkReader::suffix_bytes(&last) {
///     Some(count) if count > last.len() as u64 => last = fetch_last(count),
///     Some(_) => {}
///     // A `.bwv` file: all bytes are needed.
///     None => last = fetch_last(u64::MAX),
/// }
/// let reader = ChunkReader::from_suffix(last, &shape)?;
/// // A region: one more.
/// let region = Region { x: 0..9, y: 30..40, z: 5..6 };
/// for range in reader.ranges(&region)? {
///     reader.supply(range.start, fetch(range))?;
/// }
/// let (mut found, strides) = (vec![0u16; 90], Strides::dense(region.dims(), 1));
/// reader.read_region(&region, bytemuck::cast_slice_mut(&mut found), &strides, &Task::new())?;
/// # assert_eq!(found[..9], voxels[70 * (30 + 40 * 5)..][..9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChunkReader<S> {
    shape: ChunkShape,
    brick: BrickSize,
    /// Box at the first voxel that is not all fill value.
    extent: Dims,
    /// Bytes of a voxel outside the extent, as in memory.
    fill: Vec<u8>,
    contents: Contents<S>,
}

/// Stored voxels.
#[derive(Debug)]
enum Contents<S> {
    /// Bytes of the only voxel, as in memory.
    Constant(Vec<u8>, S),
    /// The extent, as a volume.
    Bricks(Box<VolumeFile<S>>),
}

/// Decodes a whole Zarr chunk into `voxels`, numbers in this machine's byte order, with any alignment.
/// Strides count numbers; [`Strides::frame`] is ignored. Works on the calling thread, and reports the rows of
/// inner chunks or the slices decoded.
///
/// # Errors
/// The errors of [`ChunkReader::new`] and [`ChunkReader::read_region`].
pub fn decode_chunk(
    bytes: &[u8],
    shape: &ChunkShape,
    voxels: &mut [u8],
    strides: &Strides,
    task: &Task<'_>,
) -> Result<(), ChunkError> {
    ChunkReader::new(bytes, shape)?.read_region(&Region::all(shape.dims()), voxels, strides, task)
}

impl<S: ReadAt> ChunkReader<S> {
    /// Reads the index of a chunk of this shape. A `.bwv` file of this shape is accepted, too.
    ///
    /// # Errors
    /// [`ChunkError`] if the bytes break the format's rules, or from `source`.
    pub fn new(source: S, shape: &ChunkShape) -> Result<Self, ChunkError> {
        shape.check()?;
        let byte_count = source.byte_count()?;
        let (mut first, mut last) = ([0], [0]);
        if byte_count > 0 {
            source.read_exact_at(&mut first, 0)?;
            source.read_exact_at(&mut last, byte_count - 1)?;
        }
        if first[0] == MAGIC[0] {
            return Self::from_bwv(source, shape);
        }
        if byte_count > 0 && first[0] != tail::VERSION && first[0] == last[0] & 0x0f {
            return Err(ChunkError::Version(first[0]));
        }
        let (index, need) = read_index(&source, byte_count, shape)?;
        if need != byte_count {
            return Err(ChunkError::Length { need, have: byte_count });
        }
        check_first(first[0])?;
        Ok(Self::from_index(index, source, need, shape))
    }

    fn from_bwv(source: S, shape: &ChunkShape) -> Result<Self, ChunkError> {
        let file = VolumeFile::new(source)?;
        let header = file.header();
        let have = ChunkShape::new(header.voxel_type, header.dims).with_channels(header.channels);
        if have != *shape {
            return Err(ChunkError::Shape { have, expected: *shape });
        }
        if header.frames != 1 {
            return Err(ChunkError::Frames(header.frames));
        }
        let (brick, extent) = (header.brick, header.dims);
        Ok(Self {
            shape: *shape,
            brick,
            extent,
            fill: Vec::new(),
            contents: Contents::Bricks(Box::new(file)),
        })
    }

    fn from_index(index: ChunkIndex, source: S, byte_count: u64, shape: &ChunkShape) -> Self {
        let ChunkIndex { brick, extent, fill, contents } = index;
        let in_memory = |numbers: &[u8]| little_endian(numbers, shape.voxel_type());
        let contents = match contents {
            IndexContents::Constant(voxel) => Contents::Constant(in_memory(&voxel), source),
            IndexContents::Parts(index, _) => {
                let header = shape.header(brick, extent);
                Contents::Bricks(Box::new(VolumeFile::from_index(source, header, byte_count, index)))
            }
        };
        let fill = in_memory(&fill).repeat(shape.channels());
        Self { shape: *shape, brick, extent, fill, contents }
    }

    /// Returns the chunk's shape.
    pub const fn shape(&self) -> &ChunkShape {
        &self.shape
    }

    /// Returns the size of the chunk's bricks.
    pub const fn brick(&self) -> BrickSize {
        self.brick
    }

    /// Returns the source of the chunk's bytes.
    pub fn source(&self) -> &S {
        match &self.contents {
            Contents::Constant(_, source) => source,
            Contents::Bricks(file) => file.source(),
        }
    }

    /// Returns the number of bricks that were decoded since opening. Bricks in inner chunks of one value are
    /// not counted.
    pub fn bricks_decoded(&self) -> u64 {
        match &self.contents {
            Contents::Constant(..) => 0,
            Contents::Bricks(file) => file.bricks_decoded(),
        }
    }

    /// Copies the voxels of `region` to their places in `voxels`, numbers in this machine's byte order, with
    /// any alignment. Strides count numbers; [`Strides::frame`] is ignored. Other bytes of `voxels` stay.
    /// Works on the calling thread, and reports the rows of inner chunks or the slices decoded. Memory: if
    /// the strides are not dense or `voxels` is not aligned, the region's part of a slab.
    ///
    /// # Errors
    /// [`ChunkError::Read`] if the region is empty or extends beyond the chunk, the strides lead out of
    /// `voxels`, bytes were not supplied, memory runs out, or the inner chunks that the region touches are
    /// damaged. Some voxels may then have been copied.
    pub fn read_region(
        &self,
        region: &Region,
        voxels: &mut [u8],
        strides: &Strides,
        task: &Task<'_>,
    ) -> Result<(), ChunkError> {
        let task = &task.with_threads(Threads::Calling);
        let Some(inside) = self.fill_padding(region, voxels, strides, task)? else { return Ok(()) };
        match &self.contents {
            Contents::Constant(voxel, _) => {
                let number_bytes = self.shape.voxel_type().byte_count();
                Ok(strides.fill(number_bytes, voxel, inside.dims(), [0; 3], voxels, task)?)
            }
            Contents::Bricks(file) => {
                let frame = Strides::dense(inside.dims(), self.shape.channels()).frame;
                let strides = Strides { frame, ..*strides };
                Ok(file.read_bytes_into(&Selection::default(), &inside, voxels, &strides, task)?)
            }
        }
    }

    /// Copies the voxels of many regions to windows of `window` voxels, which follow each other in `voxels`,
    /// in C order. Each region is paired with the position of its first voxel in `voxels`, counted in voxels.
    /// If the places of two regions overlap, either may remain. Byte order and alignment are those of
    /// [`read_region`](Self::read_region). Each inner chunk is read and verified once. Works on the calling
    /// thread, and reports the inner chunks decoded. Memory: 32 MiB of regions and those in one inner chunk.
    ///
    /// # Errors
    /// The errors of [`read_region`](Self::read_region).
    pub fn read_regions(
        &self,
        regions: &[(Region, usize)],
        window: Dims,
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), ChunkError> {
        let channels = self.shape.channels();
        let dense = Strides::dense(window, channels);
        let strides = |place: usize| Strides { first: place.saturating_mul(channels), ..dense };
        let Contents::Bricks(file) = &self.contents else {
            return regions
                .iter()
                .try_for_each(|(region, place)| self.read_region(region, voxels, &strides(*place), task));
        };
        if let [(region, place)] = regions {
            return self.read_region(region, voxels, &strides(*place), task);
        }
        let task = &task.with_threads(Threads::Calling);
        let mut stored = Vec::with_capacity(regions.len());
        for (region, place) in regions {
            let inside = self.fill_padding(region, voxels, &strides(*place), task)?;
            stored.extend(inside.map(|inside| (inside, *place)));
        }
        Ok(file.read_boxes(&stored, window, voxels, task)?)
    }

    /// Fills the part of a region outside the extent. Returns the rest, which starts where the region does,
    /// or `None` if there is none.
    fn fill_padding(
        &self,
        region: &Region,
        voxels: &mut [u8],
        strides: &Strides,
        task: &Task<'_>,
    ) -> Result<Option<Region>, ChunkError> {
        region.check(self.shape.dims())?;
        let (dims, channels) = (region.dims(), self.shape.channels());
        let number_bytes = self.shape.voxel_type().byte_count();
        let counts = [channels, dims.x, dims.y, dims.z, 1];
        strides.check(counts, voxels.len() / number_bytes)?;
        let inside = self.inside(region);
        let stored = inside.dims();
        // The region outside the extent: whole slices, rows of the other slices, ends of the other rows.
        let (x, y, z) = (dims.x - stored.x, dims.y - stored.y, dims.z - stored.z);
        let outside = [
            ([0, 0, stored.z], Dims::new(dims.x, dims.y, z)),
            ([0, stored.y, 0], Dims::new(dims.x, y, stored.z)),
            ([stored.x, 0, 0], Dims::new(x, stored.y, stored.z)),
        ];
        for (first, part) in outside {
            strides.fill(number_bytes, &self.fill, part, first, voxels, task)?;
        }
        Ok(inside.check(self.extent).is_ok().then_some(inside))
    }

    /// Returns the part of a region in the extent, which starts where the region does. It may be empty.
    fn inside(&self, region: &Region) -> Region {
        let clip = |range: &Range<usize>, side: usize| range.start..range.end.min(side.max(range.start));
        Region {
            x: clip(&region.x, self.extent.x),
            y: clip(&region.y, self.extent.y),
            z: clip(&region.z, self.extent.z),
        }
    }
}

impl ChunkReader<SuppliedBytes> {
    /// Returns the number of bytes at the end of a chunk that opening it requires, from its last bytes; 4 KiB
    /// are enough for most chunks. `None` if the chunk is a `.bwv` file: then all bytes are required.
    pub fn suffix_bytes(last: &[u8]) -> Option<u64> {
        if tail::ends_bwv(last.last()) {
            return None;
        }
        // Errors are those of `from_suffix`.
        Some(Tail::read(last).map_or(last.len() as u64, |tail| tail.suffix_bytes()))
    }

    /// Reads the index of a chunk of this shape from its last bytes, at least as many as
    /// [`suffix_bytes`](Self::suffix_bytes) returns. The size of the whole chunk follows from the index.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn from_suffix(last: Vec<u8>, shape: &ChunkShape) -> Result<Self, ChunkError> {
        shape.check()?;
        let have = last.len() as u64;
        if tail::ends_bwv(last.last()) {
            let source = SuppliedBytes::new(have);
            source.supply(0, last)?;
            return Self::new(source, shape);
        }
        let (index, need) = read_index(&last, have, shape)?;
        if need < have {
            return Err(ChunkError::Length { need, have });
        }
        if need == have {
            check_first(last[0])?;
        }
        let source = SuppliedBytes::new(need);
        source.supply(need - have, last)?;
        Ok(Self::from_index(index, source, need, shape))
    }

    /// Returns the byte ranges to supply before `region` is read: ascending, without bytes that were
    /// supplied before. Ranges with less than 4 KiB between them are joined.
    ///
    /// # Errors
    /// [`ChunkError::Read`] if the region is empty or extends beyond the chunk.
    pub fn ranges(&self, region: &Region) -> Result<Vec<Range<u64>>, ChunkError> {
        region.check(self.shape.dims())?;
        let inside = self.inside(region);
        let Contents::Bricks(file) = &self.contents else { return Ok(Vec::new()) };
        if inside.check(self.extent).is_err() {
            return Ok(Vec::new());
        }
        let ranges = file.ranges(&Selection::default(), &inside)?;
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in file.source().missing(&ranges) {
            match joined.last_mut() {
                Some(last) if range.start - last.end < MAX_GAP_BYTES => last.end = range.end,
                _ => joined.push(range),
            }
        }
        Ok(joined)
    }

    /// Supplies the bytes of the chunk from `offset` on.
    ///
    /// # Errors
    /// [`ChunkError::Read`] if the bytes extend beyond the end of the chunk.
    pub fn supply(&self, offset: u64, bytes: impl Into<Vec<u8>>) -> Result<(), ChunkError> {
        Ok(self.source().supply(offset, bytes)?)
    }
}

/// Returns the index, from the last `have` bytes of a chunk, and the number of bytes of the whole chunk.
fn read_index(source: &dyn ReadAt, have: u64, shape: &ChunkShape) -> Result<(ChunkIndex, u64), ChunkError> {
    let mut last = [0; MAX_BYTES];
    let last = &mut last[..have.min(MAX_BYTES as u64) as usize];
    source.read_exact_at(last, have - last.len() as u64)?;
    let tail = Tail::read(last)?;
    let need = tail.suffix_bytes();
    let start = have.checked_sub(need).ok_or(ChunkError::Length { need, have })?;
    let mut bytes = Vec::new();
    // No more than there are.
    let count = tail.index_bytes as usize;
    bytes.try_reserve_exact(count).map_err(|_| VolumeReadError::Memory(tail.index_bytes))?;
    bytes.resize(count, 0);
    source.read_exact_at(&mut bytes, start)?;
    tail.check(&bytes)?;
    let index = ChunkIndex::from_bytes(&bytes, shape)?;
    let end = match &index.contents {
        IndexContents::Constant(_) => PARTS_AT,
        IndexContents::Parts(_, end) => *end,
    };
    Ok((index, end + need))
}

/// Checks the first byte of a chunk.
const fn check_first(value: u8) -> Result<(), ChunkError> {
    if value == tail::VERSION { Ok(()) } else { Err(ChunkError::NotAChunk { place: "first", value }) }
}
