//! 4×4×4 bricks with the index of where each is: their minima, ranges and byte counts, themselves coded as
//! bricks.

use crate::{bits::width, brick};

/// Bricks along each side of a superblock.
pub(crate) const SIDE: usize = 4;

/// Bricks in a superblock.
pub(crate) const BRICKS: usize = SIDE * SIDE * SIDE;

/// The bricks of a superblock before they are coded, in raster order, x fastest, as their voxels are.
pub(crate) struct SuperblockValues<'a> {
    pub brick_side: usize,
    pub minima: [u32; BRICKS],
    pub ranges: [u32; BRICKS],
    /// The voxels of all bricks, the minima taken off.
    pub values: &'a [u32],
}

/// Where the bricks of a superblock are.
pub(crate) struct SuperblockIndex {
    pub minima: [u32; BRICKS],
    pub ranges: [u32; BRICKS],
    /// Where each brick's bytes start; those of brick i end where those of i + 1 start.
    pub starts: [u32; BRICKS + 1],
}

/// Appends the bytes of a superblock to `out`. `scratch` is overwritten.
pub(crate) fn encode(superblock: &SuperblockValues, scratch: &mut Vec<u8>, out: &mut Vec<u8>) {
    let voxels = superblock.brick_side.pow(3);
    scratch.clear();
    let mut lengths = [0; BRICKS];
    for (i, values) in superblock.values.chunks_exact(voxels).enumerate() {
        let start = scratch.len();
        if superblock.ranges[i] > 0 {
            brick::encode::brick(values, superblock.ranges[i], superblock.brick_side, scratch);
        }
        lengths[i] = (scratch.len() - start) as u32;
    }
    if scratch.is_empty() && superblock.minima == [superblock.minima[0]; BRICKS] {
        put_number(out, superblock.minima[0], true);
        return;
    }
    for fields in [&superblock.minima, &superblock.ranges, &lengths] {
        put_fields(fields, out);
    }
    out.extend_from_slice(scratch);
}

/// Appends 64 fields: the least, how far the largest lies above it, and unless that is 0 a brick of what is
/// left.
pub(crate) fn put_fields(fields: &[u32; BRICKS], out: &mut Vec<u8>) {
    let min = fields.iter().fold(u32::MAX, |min, &field| min.min(field));
    let max = fields.iter().fold(0, |max, &field| max.max(field));
    put_number(out, min, false);
    put_number(out, max - min, false);
    if max > min {
        brick::encode::brick(&fields.map(|field| field - min), max - min, 4, out);
    }
}

/// A byte of the number's byte count, and the number; the byte's top bit marks a superblock of one value.
fn put_number(out: &mut Vec<u8>, number: u32, constant: bool) {
    let count = width(number).div_ceil(8) as u8;
    out.push(count | u8::from(constant) << 7);
    out.extend_from_slice(&number.to_le_bytes()[..usize::from(count)]);
}

impl SuperblockIndex {
    /// Reads the index of the superblock whose bytes are `start..end` of `bytes`, which go on for
    /// [`PADDING`](brick::PADDING) bytes at least. `None` if they break the format's rules.
    pub fn read(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let mut at = start;
        let (first, constant) = take_number(bytes, &mut at)?;
        let mut index =
            Self { minima: [first; BRICKS], ranges: [0; BRICKS], starts: [end as u32; BRICKS + 1] };
        if constant {
            return (at == end).then_some(index);
        }
        let mut lengths = [0; BRICKS];
        at = start;
        for fields in [&mut index.minima, &mut index.ranges, &mut lengths] {
            take_fields(bytes, &mut at, fields)?;
        }
        let mut start = u64::try_from(at).ok()?;
        for (place, length) in index.starts.iter_mut().zip(lengths) {
            *place = u32::try_from(start).ok()?;
            start += u64::from(length);
        }
        if start != end as u64 {
            return None;
        }
        index.starts[BRICKS] = u32::try_from(start).ok()?;
        for i in 0..BRICKS {
            if (index.ranges[i] == 0) != (lengths[i] == 0) {
                return None;
            }
        }
        Some(index)
    }

    /// Decodes brick `i` into `values`, without its minimum. `None` if its bytes break the format's rules.
    #[inline]
    pub fn brick(&self, bytes: &[u8], i: usize, brick_side: usize, values: &mut [u32]) -> Option<()> {
        if self.ranges[i] == 0 {
            values.fill(0);
            return Some(());
        }
        let start = self.starts[i] as usize;
        let end = brick::decode::brick(bytes, start, self.ranges[i], brick_side, values)?;
        (end == self.starts[i + 1] as usize).then_some(())
    }

    /// Decodes four bricks of 4³ voxels with ranges of 1 to [`MAX_NARROW`](brick::MAX_NARROW), as
    /// [`brick`](Self::brick) does one.
    #[inline]
    pub fn four_bricks(&self, bytes: &[u8], which: [usize; 4], values: &mut [[u16; 64]; 4]) -> Option<()> {
        let starts = which.map(|i| self.starts[i] as usize);
        let ends = which.map(|i| self.starts[i + 1] as usize);
        let ranges = which.map(|i| self.ranges[i]);
        (brick::decode::four_bricks(bytes, starts, ranges, values)? == ends).then_some(())
    }
}

/// Reads what [`put_fields`] wrote at `at`, and moves it on.
pub(crate) fn take_fields(bytes: &[u8], at: &mut usize, fields: &mut [u32; BRICKS]) -> Option<()> {
    let (min, _) = take_number(bytes, at).filter(|number| !number.1)?;
    let (range, _) = take_number(bytes, at).filter(|number| !number.1)?;
    min.checked_add(range)?;
    if range == 0 {
        fields.fill(min);
        return Some(());
    }
    *at = brick::decode::brick(bytes, *at, range, 4, fields)?;
    for field in fields {
        *field = min.wrapping_add(*field);
    }
    Some(())
}

fn take_number(bytes: &[u8], at: &mut usize) -> Option<(u32, bool)> {
    let head = *bytes.get(*at)?;
    let count = usize::from(head & 0x7f);
    let mut number = [0; 4];
    number.get_mut(..count)?.copy_from_slice(bytes.get(*at + 1..*at + 1 + count)?);
    *at += 1 + count;
    Some((u32::from_le_bytes(number), head & 0x80 != 0))
}
