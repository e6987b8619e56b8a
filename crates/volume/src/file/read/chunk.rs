//! A chunk read and verified: the unit of reading, and its bricks.
//!
//! A chunk of one value has no bytes. Other chunks are the byte counts of their superblocks and the
//! superblocks, or their raw values, if these are not longer.

use super::{
    brick_values::BrickValues, contents::memory, destination::meets, four_bricks::FourBricksAtATime,
};
use crate::{
    BrickSize, Dims, Region, VolumeReadError,
    brick::{
        BrickBox, MAX_NARROW, MAX_VOXELS, PADDING,
        byte_bricks::{EightByteBrick, MAX_BYTE},
    },
    file::{
        chunk_box::ChunkBox,
        layout::{Position, brick_corner},
        parts::ALIGNMENT,
    },
    patterns::{PatternPlaces, Patterns},
    simd,
    superblock::{BRICKS, SIDE, SuperblockBox, SuperblockIndex, only_value},
};
use std::ops::Range;

/// Place of a superblock in the volume and in its chunk.
pub(crate) struct SuperblockPlace {
    /// Corner in voxels.
    pub corner: Position,
    /// Part inside the volume.
    pub part: SuperblockBox,
    /// First byte in the chunk, and the byte after the last one.
    pub start: usize,
    pub end: usize,
}

/// A value is frequent if at least one in so many superblocks is all of it. With a larger number, more chunks
/// are filled, and their other superblocks are written twice (`brick/notes.md`).
const FREQUENT_ONE_IN: usize = 4;

/// Coding of a chunk.
pub(crate) enum ChunkCoding {
    /// One value.
    Constant(u32),
    /// Raw values.
    Raw,
    Superblocks(Vec<SuperblockPlace>),
}

/// A chunk's bytes, or those of some superblocks, and how they are coded. The patterns that they may refer to
/// and [`PADDING`] zeros follow the bytes.
pub(crate) struct Chunk {
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

    /// Returns the value of the first superblock of one value, if it is frequent among the superblocks that
    /// were read.
    pub fn frequent_value(&self) -> Option<u32> {
        let ChunkCoding::Superblocks(superblocks) = &self.coding else { return None };
        let values = superblocks.iter().map(|superblock| only_value(&self.bytes, superblock.start));
        let first = values.clone().flatten().next()?;
        let count = values.filter(|&value| value == Some(first)).count();
        (count * FREQUENT_ONE_IN >= superblocks.len()).then_some(first)
    }

    /// Calls `with` for each brick with voxels in `region`, or for each brick if there is none: with the
    /// corner in voxels, the minimum, the range, and the voxels without the minimum. Bricks of one value are
    /// joined to boxes; `with` also takes the bricks of a box along each axis. Returns `None` if bytes break
    /// the format's rules.
    pub fn bricks(
        &self,
        region: Option<&Region>,
        mut with: impl FnMut(Position, Dims, u32, u32, BrickValues),
    ) -> Option<()> {
        let brick = self.place.brick;
        let one = Dims::cube(1);
        let mut values = [0; MAX_VOXELS];
        let ChunkCoding::Superblocks(superblocks) = &self.coding else {
            let wanted = |corner: Position| region.is_none_or(|region| meets(region, corner, brick.dims()));
            for (corner, part) in self.plain_bricks().filter(|(corner, _)| wanted(*corner)) {
                let (min, range) = self.plain_brick(corner, part, &mut values[..brick.voxel_count()]);
                let values =
                    if range == 0 { BrickValues::Constant } else { BrickValues::wide(brick, &values) };
                with(corner, one, min, range, values);
            }
            return Some(());
        };
        let mut index = SuperblockIndex::ZEROS;
        // Whole bricks of 4³ are decoded four at a time.
        let (mut bytes, mut narrow) = (FourBricksAtATime::default(), FourBricksAtATime::default());
        let mut eight_bytes = [0; MAX_VOXELS];
        let largest_byte = if simd::has_byte_lanes() { MAX_BYTE } else { 0 };
        for &SuperblockPlace { corner, part, start, end } in superblocks {
            let [xs, ys, zs] = touched_bricks(region, corner, part);
            if xs.is_empty() || ys.is_empty() || zs.is_empty() {
                continue;
            }
            index.read(&self.bytes, start, end, part, self.patterns.as_ref())?;
            if index.is_constant {
                let first = brick_corner(corner, brick, Dims::cube(SIDE).index(xs.start, ys.start, zs.start));
                let dims = Dims::new(xs.len(), ys.len(), zs.len());
                with(first, dims, index.minima[0], 0, BrickValues::Constant);
                continue;
            }
            for (z, y) in zs.flat_map(|z| ys.clone().map(move |y| (z, y))) {
                let mut x = xs.start;
                while x < xs.end {
                    let i = Dims::cube(SIDE).index(x, y, z);
                    let (min, range) = (index.minima[i], index.ranges[i]);
                    let corner = brick_corner(corner, brick, i);
                    x += 1;
                    if range == 0 {
                        let first = x - 1;
                        while x < xs.end && index.is_value(i + x - first, min) {
                            x += 1;
                        }
                        with(corner, Dims::new(x - first, 1, 1), min, 0, BrickValues::Constant);
                        continue;
                    }
                    let part = part.brick(i)?;
                    let is_whole = part.is_whole();
                    let (start, end) = (index.starts[i] as usize, index.ends[i] as usize);
                    if is_whole && brick == BrickSize::Four && range <= MAX_NARROW {
                        let four = if range <= largest_byte { &mut bytes } else { &mut narrow };
                        if four.add(corner, min, range, start..end) {
                            four.decode(&self.bytes, range <= largest_byte, &mut with)?;
                        }
                        continue;
                    }
                    if is_whole && brick == BrickSize::Eight && range <= largest_byte {
                        let (bytes, values) = (&self.bytes[..], &mut eight_bytes);
                        if (EightByteBrick { bytes, start, end, range, values }).decode()? {
                            with(corner, one, min, range, BrickValues::EightBytes(&eight_bytes));
                            continue;
                        }
                    }
                    index.brick(&self.bytes, i, part, &mut values[..brick.voxel_count()])?;
                    with(corner, one, min, range, BrickValues::wide(brick, &values));
                }
            }
        }
        bytes.decode(&self.bytes, true, &mut with)?;
        narrow.decode(&self.bytes, false, &mut with)
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

/// Returns the bricks of a superblock along each axis that have voxels in `region`, or all that are inside
/// the volume if there is none.
fn touched_bricks(region: Option<&Region>, corner: Position, part: SuperblockBox) -> [Range<usize>; 3] {
    let (inside, side) = (part.bricks_inside(), part.size().dims());
    let Some(region) = region else { return [0..inside.x, 0..inside.y, 0..inside.z] };
    let touched = |range: &Range<usize>, corner: usize, side: usize, inside: usize| {
        let end = range.end.saturating_sub(corner).div_ceil(side);
        range.start.saturating_sub(corner) / side..end.min(inside)
    };
    [
        touched(&region.x, corner.0, side.x, inside.x),
        touched(&region.y, corner.1, side.y, inside.y),
        touched(&region.z, corner.2, side.z, inside.z),
    ]
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
