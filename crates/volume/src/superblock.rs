//! Superblocks: 4×4×4 bricks with the index of their positions. The index has the bricks' minima, ranges and
//! byte counts, themselves coded as bricks.

use crate::{
    BrickSize, Dims,
    bits::width,
    brick::{self, BrickBox, BrickEncoder},
    patterns::{PatternPlaces, Patterns},
};
use std::borrow::Cow;

/// Bricks along each side of a superblock.
pub(crate) const SIDE: usize = 4;

/// Bricks in a superblock.
pub(crate) const BRICKS: usize = SIDE * SIDE * SIDE;

/// The part of a superblock in the volume: a box at its first corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuperblockBox {
    brick: BrickSize,
    /// Dims in voxels.
    inside: Dims,
}

impl SuperblockBox {
    /// Returns the part in a volume of `dims` of the superblock whose first corner is voxel `corner`. `None`
    /// if it is empty.
    pub fn at(brick: BrickSize, corner: (usize, usize, usize), dims: Dims) -> Option<Self> {
        Some(Self { brick, inside: dims.clip(corner, brick.dims().times(SIDE))? })
    }

    /// Returns the size of its bricks.
    pub const fn size(self) -> BrickSize {
        self.brick
    }

    /// Returns the part of brick `i` in the volume. `None` if it is empty.
    #[inline]
    pub fn brick(self, i: usize) -> Option<BrickBox> {
        let (x, y, z) = Dims::cube(SIDE).position(i);
        let side = self.brick.dims();
        BrickBox::at(self.brick, (x * side.x, y * side.y, z * side.z), self.inside)
    }

    /// Returns the number of bricks along each axis that are at least partly in the volume.
    pub const fn bricks_inside(self) -> Dims {
        self.inside.covered_by(self.brick.dims())
    }

    /// Returns the box of the fields: one field per brick.
    fn fields(self) -> BrickBox {
        BrickBox::at(BrickSize::Four, (0, 0, 0), self.bricks_inside()).expect("the first brick")
    }
}

/// The bricks of a superblock before they are coded, in raster order, x fastest, as their voxels are. Voxels
/// outside the volume are not read.
pub(crate) struct SuperblockValues<'a> {
    pub part: SuperblockBox,
    pub minima: [u32; BRICKS],
    pub ranges: [u32; BRICKS],
    /// The voxels of all bricks, minus the minima; those of a brick outside the volume repeat its edge.
    pub values: &'a [u32],
    pub encode: BrickEncoder,
}

/// A superblock whose bricks are coded.
pub(crate) struct CodedSuperblock {
    part: SuperblockBox,
    minima: [u32; BRICKS],
    ranges: [u32; BRICKS],
    /// Bytes of each brick.
    lengths: [u32; BRICKS],
    /// The bricks one after the other.
    bricks: Vec<u8>,
}

impl CodedSuperblock {
    /// Codes the bricks.
    pub fn new(superblock: &SuperblockValues) -> Self {
        let &SuperblockValues { part, minima, ranges, values, encode } = superblock;
        let mut coded = Self { part, minima, ranges, lengths: [0; BRICKS], bricks: Vec::new() };
        for (i, values) in values.chunks_exact(part.brick.voxel_count()).enumerate() {
            let Some(part) = part.brick(i).filter(|_| ranges[i] > 0) else { continue };
            let start = coded.bricks.len();
            encode(values, ranges[i], part, &mut coded.bricks);
            coded.lengths[i] = (coded.bricks.len() - start) as u32;
        }
        coded
    }

    /// Returns the bytes of the coded bricks.
    pub fn bricks(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.bricks[..];
        self.lengths.iter().filter(|&&length| length > 0).map(move |&length| {
            let (brick, others) = rest.split_at(length as usize);
            rest = others;
            brick
        })
    }

    /// Appends the bytes of the superblock to `out`, with references to `patterns`.
    pub fn write(&self, patterns: Option<&Patterns>, out: &mut Vec<u8>) {
        let is_there = |i: &usize| self.part.brick(*i).is_some();
        if (0..BRICKS).filter(is_there).all(|i| self.ranges[i] == 0 && self.minima[i] == self.minima[0]) {
            put_number(out, self.minima[0], true);
            return;
        }
        let (mut lengths, mut bricks) = (self.lengths, Cow::Borrowed(&self.bricks));
        if let Some(patterns) = patterns {
            let mut referring = Vec::with_capacity(self.bricks.len());
            let mut lengths = lengths.iter_mut().filter(|length| **length > 0);
            for (brick, length) in self.bricks().zip(&mut lengths) {
                match patterns.number(brick) {
                    Some(number) => {
                        *length = 0;
                        referring.push(number);
                    }
                    None => referring.extend_from_slice(brick),
                }
            }
            bricks = Cow::Owned(referring);
        }
        for fields in [&self.minima, &self.ranges, &lengths] {
            put_fields(fields, self.part.fields(), out);
        }
        out.extend_from_slice(&bricks);
    }
}

/// Appends a field for each brick of `part`: the minimum, the distance to the maximum, and unless that is 0 a
/// brick of the differences.
fn put_fields(fields: &[u32; BRICKS], part: BrickBox, out: &mut Vec<u8>) {
    let mut fields = *fields;
    if !part.is_whole() {
        part.repeat_edge(&mut fields);
    }
    let min = fields.iter().fold(u32::MAX, |min, &field| min.min(field));
    let max = fields.iter().fold(0, |max, &field| max.max(field));
    put_number(out, min, false);
    put_number(out, max - min, false);
    if max > min {
        brick::encode::brick(&fields.map(|field| field - min), max - min, part, out);
    }
}

/// Appends 64 fields.
pub(crate) fn put_64_fields(fields: &[u32; BRICKS], out: &mut Vec<u8>) {
    put_fields(fields, BrickBox::whole(BrickSize::Four), out);
}

/// Writes a byte with the number's byte count, and the number. The byte's top bit marks a superblock of one
/// value.
fn put_number(out: &mut Vec<u8>, number: u32, constant: bool) {
    let count = width(number).div_ceil(8) as u8;
    out.push(count | u8::from(constant) << 7);
    out.extend_from_slice(&number.to_le_bytes()[..usize::from(count)]);
}

/// The places of a superblock's bricks.
pub(crate) struct SuperblockIndex {
    pub minima: [u32; BRICKS],
    pub ranges: [u32; BRICKS],
    /// First byte of each coded brick, and the byte after its last one; unspecified for others.
    pub starts: [u32; BRICKS],
    pub ends: [u32; BRICKS],
    /// Bytes of the bricks and references in the superblock.
    pub brick_bytes: u32,
    /// True if all voxels have the value of `minima[0]`.
    pub is_constant: bool,
}

impl SuperblockIndex {
    /// The index of a superblock whose bricks are all zeros.
    pub const ZEROS: Self = Self {
        minima: [0; BRICKS],
        ranges: [0; BRICKS],
        starts: [0; BRICKS],
        ends: [0; BRICKS],
        brick_bytes: 0,
        is_constant: false,
    };

    /// Sets the index to that of the superblock in bytes `start..end` of `bytes`, which refers to `patterns`.
    /// At least [`PADDING`](brick::PADDING) bytes must follow. Returns `None` if the bytes break the format's
    /// rules. Bricks outside the volume have range 0. (It is read in place: moving a kilobyte just after
    /// writing it makes the processor wait.)
    pub fn read(
        &mut self,
        bytes: &[u8],
        start: usize,
        end: usize,
        part: SuperblockBox,
        patterns: Option<&PatternPlaces>,
    ) -> Option<()> {
        let mut at = start;
        let (first, constant) = take_number(bytes, &mut at)?;
        self.is_constant = constant;
        if constant {
            self.minima.fill(first);
            self.ranges.fill(0);
            self.brick_bytes = 0;
            return (at == end).then_some(());
        }
        let mut lengths = [0; BRICKS];
        at = start;
        for fields in [&mut self.minima, &mut self.ranges, &mut lengths] {
            take_fields(bytes, &mut at, fields, part.fields())?;
        }
        let mut start = u32::try_from(at).ok()?;
        let first = start;
        for (i, &length) in lengths.iter().enumerate() {
            let place = match (self.ranges[i], length) {
                (0, 0) => continue,
                (0, _) => return None,
                (_, 0) => {
                    let number = *bytes.get(start as usize)?;
                    start += 1;
                    patterns?.get(number)?
                }
                (_, length) => {
                    let place = (start, start.checked_add(length)?);
                    start = place.1;
                    place
                }
            };
            (self.starts[i], self.ends[i]) = place;
        }
        self.brick_bytes = start - first;
        (start as usize == end).then_some(())
    }

    /// True if brick `i` is a reference, in the superblock that ends at byte `end`.
    pub fn is_reference(&self, i: usize, end: usize) -> bool {
        self.starts[i] as usize >= end
    }

    /// Decodes brick `i`, whose box in the volume is `part`, into `values`, without its minimum. `None` if
    /// its bytes break the format's rules.
    #[inline]
    pub fn brick(&self, bytes: &[u8], i: usize, part: BrickBox, values: &mut [u32]) -> Option<()> {
        if self.ranges[i] == 0 {
            values.fill(0);
            return Some(());
        }
        let end = brick::decode::brick(bytes, self.starts[i] as usize, self.ranges[i], part, values)?;
        (end == self.ends[i] as usize).then_some(())
    }

    /// True if all voxels of brick `i` have this value.
    #[inline]
    pub fn is_value(&self, i: usize, value: u32) -> bool {
        self.ranges[i] == 0 && self.minima[i] == value
    }
}

/// Reads the output of [`put_64_fields`] at `at`, and advances `at`.
pub(crate) fn take_64_fields(bytes: &[u8], at: &mut usize, fields: &mut [u32; BRICKS]) -> Option<()> {
    take_fields(bytes, at, fields, BrickBox::whole(BrickSize::Four))
}

/// Reads the output of [`put_fields`] at `at`, and advances `at`. Fields outside are 0.
fn take_fields(bytes: &[u8], at: &mut usize, fields: &mut [u32; BRICKS], part: BrickBox) -> Option<()> {
    let (min, _) = take_number(bytes, at).filter(|number| !number.1)?;
    let (range, _) = take_number(bytes, at).filter(|number| !number.1)?;
    min.checked_add(range)?;
    if range == 0 {
        fields.fill(0);
    } else {
        *at = brick::decode::brick(bytes, *at, range, part, fields)?;
    }
    for (i, field) in fields.iter_mut().enumerate() {
        let is_inside = part.is_whole() || part.inside().contains(Dims::cube(SIDE).position(i));
        *field = if is_inside { min.wrapping_add(*field) } else { 0 };
    }
    Some(())
}

/// Returns the value of the superblock that starts at byte `start` if all its voxels have that value. (Its
/// end is not checked: [`SuperblockIndex::read`] does that.)
#[inline]
pub(crate) fn only_value(bytes: &[u8], start: usize) -> Option<u32> {
    take_number(bytes, &mut { start }).filter(|&(_, is_constant)| is_constant).map(|(value, _)| value)
}

fn take_number(bytes: &[u8], at: &mut usize) -> Option<(u32, bool)> {
    let head = *bytes.get(*at)?;
    let count = usize::from(head & 0x7f);
    let mut number = [0; 4];
    number.get_mut(..count)?.copy_from_slice(bytes.get(*at + 1..*at + 1 + count)?);
    *at += 1 + count;
    Some((u32::from_le_bytes(number), head & 0x80 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Refuses a byte after the last brick, and a missing one.
    #[test]
    fn a_superblock_is_as_long_as_its_bricks() {
        let part = SuperblockBox::at(BrickSize::Four, (0, 0, 0), Dims::new(6, 5, 1)).expect("inside");
        for constant in [true, false] {
            let values: Vec<u32> =
                (0..64 * BRICKS as u32).map(|i| if constant { 0 } else { i % 64 }).collect();
            let (minima, mut ranges) = ([7; BRICKS], [0; BRICKS]);
            if !constant {
                ranges.fill(63);
            }
            let coded = CodedSuperblock::new(&SuperblockValues {
                part,
                minima,
                ranges,
                values: &values,
                encode: brick::encode::brick,
            });
            let mut bytes = vec![1, 2, 3];
            coded.write(None, &mut bytes);
            let end = bytes.len();
            bytes.resize(end + brick::PADDING, 0);
            let read = |end| { SuperblockIndex::ZEROS }.read(&bytes, 3, end, part, None).is_some();
            assert!(read(end), "{constant}");
            assert!(!read(end - 1) && !read(end + 1) && !read(end + 40), "{constant}");
        }
    }
}
