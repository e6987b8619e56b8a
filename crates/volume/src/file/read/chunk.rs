//! A chunk read and verified: the unit of reading, and its bricks.
//!
//! A chunk of one value has no bytes. Other chunks are the byte counts of their superblocks and the
//! superblocks, or their raw values, if these are not longer.

use super::{brick_values::BrickValues, contents::memory};
use crate::{
    BrickSize, Dims, VolumeReadError,
    brick::{BrickBox, MAX_NARROW, MAX_VOXELS, PADDING},
    file::{
        chunk_box::ChunkBox,
        layout::{Position, brick_corner},
        parts::ALIGNMENT,
    },
    patterns::{PatternPlaces, Patterns},
    superblock::{BRICKS, SIDE, SuperblockBox, SuperblockIndex},
};

/// Place of a superblock in the volume and in its chunk.
pub(in crate::file) struct SuperblockPlace {
    /// Corner in voxels.
    pub corner: Position,
    /// Part inside the volume.
    pub part: SuperblockBox,
    /// First byte in the chunk, and the byte after the last one.
    pub start: usize,
    pub end: usize,
}

/// Coding of a chunk.
pub(in crate::file) enum ChunkCoding {
    /// One value.
    Constant(u32),
    /// Raw values.
    Raw,
    Superblocks(Vec<SuperblockPlace>),
}

/// A chunk's bytes, or those of some superblocks, and how they are coded. The patterns that they may refer to
/// and [`PADDING`] zeros follow the bytes.
pub(in crate::file) struct Chunk {
    pub bytes: Vec<u8>,
    pub coding: ChunkCoding,
    pub patterns: Option<PatternPlaces>,
    place: ChunkBox,
}

impl Chunk {
    /// Returns the chunk at `place` from its bytes, its slab's patterns, and its only value if there is just
    /// one; `None` if they break the format's rules.
    pub fn new(
        bytes: Vec<u8>,
        place: ChunkBox,
        patterns: Option<&Patterns>,
        constant: Option<u32>,
    ) -> Option<Self> {
        let coding = match constant {
            Some(value) => {
                if !bytes.is_empty() {
                    return None;
                }
                ChunkCoding::Constant(value)
            }
            None if bytes.len() == place.raw_bytes() => ChunkCoding::Raw,
            None => ChunkCoding::Superblocks(superblock_places(&bytes, place)?),
        };
        Some(Self::padded(bytes, coding, place, patterns))
    }

    /// Returns the chunk at `place` without the superblocks that `wanted` refuses by their corner and dims,
    /// from all of its bytes, which are of several values. `None` if they break the format's rules.
    ///
    /// # Errors
    /// [`VolumeReadError::Memory`].
    pub fn of_superblocks(
        all: &[u8],
        place: ChunkBox,
        patterns: Option<&Patterns>,
        wanted: impl Fn(Position, Dims) -> bool,
    ) -> Result<Option<Self>, VolumeReadError> {
        if all.len() == place.raw_bytes() {
            let mut bytes = memory(all.len() as u64)?;
            bytes.extend_from_slice(all);
            return Ok(Self::new(bytes, place, patterns, None));
        }
        let Some(mut superblocks) = superblock_places(all, place) else { return Ok(None) };
        let dims = place.brick.dims().times(SIDE);
        superblocks.retain(|superblock| wanted(superblock.corner, dims));
        let count: usize = superblocks.iter().map(|superblock| superblock.end - superblock.start).sum();
        let mut bytes = memory((count + patterns.map_or(0, Patterns::byte_count)) as u64)?;
        for superblock in &mut superblocks {
            let start = bytes.len();
            bytes.extend_from_slice(&all[superblock.start..superblock.end]);
            (superblock.start, superblock.end) = (start, bytes.len());
        }
        Ok(Some(Self::padded(bytes, ChunkCoding::Superblocks(superblocks), place, patterns)))
    }

    /// Appends the patterns and the padding to the bytes of a chunk.
    fn padded(mut bytes: Vec<u8>, coding: ChunkCoding, place: ChunkBox, patterns: Option<&Patterns>) -> Self {
        let has_bricks = matches!(coding, ChunkCoding::Superblocks(_));
        let patterns = patterns.filter(|_| has_bricks).map(|patterns| patterns.append_to(&mut bytes));
        bytes.resize(bytes.len() + PADDING, 0);
        Self { bytes, coding, patterns, place }
    }

    /// Returns the first voxel.
    pub const fn corner(&self) -> Position {
        self.place.corner()
    }

    /// Returns the index in the chunk, x fastest, of the brick at `place`: its column, row and layer among
    /// the bricks of the volume.
    #[inline]
    pub fn brick_number(&self, place: Position) -> usize {
        let ChunkBox { sides, first_brick, .. } = self.place;
        let (x, y, z) = (place.0 - first_brick.0, place.1 - first_brick.1, place.2 - first_brick.2);
        sides.times(SIDE).index(x, y, z)
    }

    /// Returns the same for the brick whose first voxel is at `corner`.
    #[inline]
    pub fn brick_number_at(&self, (x, y, z): Position) -> usize {
        let side = self.place.brick.dims();
        self.brick_number((x / side.x, y / side.y, z / side.z))
    }

    /// Calls `with` for each brick that `wanted` accepts, with its corner in voxels, its minimum, its
    /// range and its voxels without the minimum. Returns `None` if bytes break the format's rules.
    pub fn bricks(
        &self,
        wanted: impl Fn(Position, Dims) -> bool,
        mut with: impl FnMut(Position, u32, u32, BrickValues),
    ) -> Option<()> {
        let brick = self.place.brick;
        let mut values = [0; MAX_VOXELS];
        let ChunkCoding::Superblocks(superblocks) = &self.coding else {
            for (corner, part) in self.plain_bricks().filter(|(corner, _)| wanted(*corner, brick.dims())) {
                let (min, range) = self.plain_brick(corner, part, &mut values[..brick.voxel_count()]);
                let values =
                    if range == 0 { BrickValues::Constant } else { BrickValues::wide(brick, &values) };
                with(corner, min, range, values);
            }
            return Some(());
        };
        let (mut index, mut narrow) = (SuperblockIndex::ZEROS, [[0; 64]; 4]);
        for &SuperblockPlace { corner, part, start, end } in superblocks {
            if !wanted(corner, brick.dims().times(SIDE)) {
                continue;
            }
            index.read(&self.bytes, start, end, part, self.patterns.as_ref())?;
            let place = |i: usize| brick_corner(corner, brick, i);
            // Whole bricks of 4³ are decoded four at a time. If the last group has fewer than four, one of
            // them is repeated.
            let (mut four, mut count) = ([0; 4], 0);
            let mut decode = |four: &[usize; 4], count: usize, with: &mut dyn FnMut(usize, BrickValues)| {
                index.four_bricks(&self.bytes, four, &mut narrow)?;
                for (&i, values) in four.iter().zip(&narrow).take(count) {
                    with(i, BrickValues::Narrow(values));
                }
                Some(())
            };
            let mut with =
                |i: usize, values: BrickValues| with(place(i), index.minima[i], index.ranges[i], values);
            for i in (0..BRICKS).filter(|&i| wanted(place(i), brick.dims())) {
                let Some(part) = part.brick(i) else { continue };
                if index.ranges[i] == 0 {
                    with(i, BrickValues::Constant);
                } else if brick == BrickSize::Four && part.is_whole() && index.ranges[i] <= MAX_NARROW {
                    four[count] = i;
                    count += 1;
                    if count == 4 {
                        decode(&four, 4, &mut with)?;
                        count = 0;
                    }
                } else {
                    index.brick(&self.bytes, i, part, &mut values[..brick.voxel_count()])?;
                    with(i, BrickValues::wide(brick, &values));
                }
            }
            if count > 0 {
                let one = four[0];
                four[count..].fill(one);
                decode(&four, count, &mut with)?;
            }
        }
        Some(())
    }

    /// Returns the superblocks with voxels inside, and their corners.
    pub fn superblocks(&self) -> impl Iterator<Item = (Position, SuperblockBox)> {
        self.place.superblocks()
    }

    /// Returns the bricks of a chunk that has no superblocks, with their corners.
    pub fn plain_bricks(&self) -> impl Iterator<Item = (Position, BrickBox)> {
        let place = self.place;
        place.superblocks().flat_map(move |(corner, superblock)| {
            let corner = move |i| brick_corner(corner, place.brick, i);
            (0..BRICKS).filter_map(move |i| Some((corner(i), superblock.brick(i)?)))
        })
    }

    /// Fills `values` with those of the brick at `corner`, in voxels, without their minimum; returns the
    /// minimum and the range. For chunks without superblocks. Values outside the volume are 0.
    pub fn plain_brick(&self, corner: Position, part: BrickBox, values: &mut [u32]) -> (u32, u32) {
        values.fill(0);
        if let ChunkCoding::Constant(value) = self.coding {
            return (value, 0);
        }
        let (dims, inside, first) = (self.place.brick.dims(), self.place.inside(), self.place.corner());
        let Dims { x: width, y: height, z: depth } = part.inside();
        let value_bytes = self.place.value_bytes();
        let (mut min, mut max) = (u32::MAX, 0);
        for z in 0..depth {
            for y in 0..height {
                let start = inside.index(corner.0 - first.0, corner.1 - first.1 + y, corner.2 - first.2 + z);
                let row = &self.bytes[start * value_bytes..][..width * value_bytes];
                let filled = &mut values[dims.index(0, y, z)..][..width];
                for (value, bytes) in filled.iter_mut().zip(row.chunks_exact(value_bytes)) {
                    *value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
                    (min, max) = (min.min(*value), max.max(*value));
                }
            }
        }
        for value in values {
            *value = value.wrapping_sub(min);
        }
        (min, max - min)
    }
}

/// Returns the places of the superblocks in the bytes of a chunk; `None` if these break the format's rules.
fn superblock_places(bytes: &[u8], place: ChunkBox) -> Option<Vec<SuperblockPlace>> {
    let width = usize::from(*bytes.first()?);
    if !(1..=4).contains(&width) {
        return None;
    }
    let superblocks: Vec<_> = place.superblocks().collect();
    let mut start = 1 + width * superblocks.len();
    let mut places = Vec::with_capacity(superblocks.len());
    let lengths = bytes.get(1..start)?.chunks_exact(width);
    for ((corner, part), length) in superblocks.into_iter().zip(lengths) {
        let length = length.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
        let end = start.checked_add(length).filter(|&end| end <= bytes.len())?;
        places.push(SuperblockPlace { corner, part, start, end });
        start = end;
    }
    let rest = &bytes[start..];
    (rest.len() < ALIGNMENT && rest.iter().all(|&byte| byte == 0)).then_some(places)
}
