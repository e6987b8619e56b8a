//! 4×4×4 bricks with the index of where each is: their minima, ranges and byte counts, themselves coded as
//! bricks.

use crate::{
    BrickSize, Dims,
    bits::width,
    brick::{self, BrickBox},
};

/// Bricks along each side of a superblock.
pub(crate) const SIDE: usize = 4;

/// Bricks in a superblock.
pub(crate) const BRICKS: usize = SIDE * SIDE * SIDE;

/// The part of a superblock that lies in the volume: a box at its first corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuperblockBox {
    brick: BrickSize,
    /// In voxels.
    inside: Dims,
}

impl SuperblockBox {
    /// What of the superblock whose first corner is voxel `corner` lies in a volume of `dims`. None if
    /// nothing does.
    pub fn at(brick: BrickSize, corner: (usize, usize, usize), dims: Dims) -> Option<Self> {
        Some(Self { brick, inside: dims.clip(corner, brick.dims().times(SIDE))? })
    }

    /// The size of its bricks.
    pub const fn size(self) -> BrickSize {
        self.brick
    }

    /// What of brick `i` lies in the volume. None if nothing does.
    #[inline]
    pub fn brick(self, i: usize) -> Option<BrickBox> {
        let (x, y, z) = Dims::cube(SIDE).position(i);
        let side = self.brick.dims();
        BrickBox::at(self.brick, (x * side.x, y * side.y, z * side.z), self.inside)
    }

    /// Those of the 64 bricks that lie in the volume, in part at least.
    fn fields(self) -> BrickBox {
        let count = self.inside.covered_by(self.brick.dims());
        BrickBox::at(BrickSize::Four, (0, 0, 0), count).expect("the first brick")
    }
}

/// The bricks of a superblock before they are coded, in raster order, x fastest, as their voxels are. What
/// lies outside the volume is not looked at.
pub(crate) struct SuperblockValues<'a> {
    pub part: SuperblockBox,
    pub minima: [u32; BRICKS],
    pub ranges: [u32; BRICKS],
    /// The voxels of all bricks, the minima taken off; those of a brick that lie outside repeat its edge.
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
    let voxels = superblock.part.brick.voxel_count();
    scratch.clear();
    let mut lengths = [0; BRICKS];
    let mut is_constant = true;
    for (i, values) in superblock.values.chunks_exact(voxels).enumerate() {
        let Some(part) = superblock.part.brick(i) else { continue };
        let start = scratch.len();
        if superblock.ranges[i] > 0 {
            brick::encode::brick(values, superblock.ranges[i], part, scratch);
        }
        lengths[i] = (scratch.len() - start) as u32;
        is_constant &= superblock.ranges[i] == 0 && superblock.minima[i] == superblock.minima[0];
    }
    if is_constant {
        put_number(out, superblock.minima[0], true);
        return;
    }
    for fields in [&superblock.minima, &superblock.ranges, &lengths] {
        put_fields(fields, superblock.part.fields(), out);
    }
    out.extend_from_slice(scratch);
}

/// Appends a field for each brick of `part`: the least, how far the largest lies above it, and unless that is
/// 0 a brick of what is left.
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

/// A byte of the number's byte count, and the number; the byte's top bit marks a superblock of one value.
fn put_number(out: &mut Vec<u8>, number: u32, constant: bool) {
    let count = width(number).div_ceil(8) as u8;
    out.push(count | u8::from(constant) << 7);
    out.extend_from_slice(&number.to_le_bytes()[..usize::from(count)]);
}

impl SuperblockIndex {
    /// Reads the index of the superblock whose bytes are `start..end` of `bytes`, which go on for
    /// [`PADDING`](brick::PADDING) bytes at least. `None` if they break the format's rules. Bricks outside
    /// the volume have range 0.
    pub fn read(bytes: &[u8], start: usize, end: usize, part: SuperblockBox) -> Option<Self> {
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
            take_fields(bytes, &mut at, fields, part.fields())?;
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

    /// Decodes brick `i`, of which `part` lies in the volume, into `values`, without its minimum. `None` if
    /// its bytes break the format's rules.
    #[inline]
    pub fn brick(&self, bytes: &[u8], i: usize, part: BrickBox, values: &mut [u32]) -> Option<()> {
        if self.ranges[i] == 0 {
            values.fill(0);
            return Some(());
        }
        let start = self.starts[i] as usize;
        let end = brick::decode::brick(bytes, start, self.ranges[i], part, values)?;
        (end == self.starts[i + 1] as usize).then_some(())
    }

    /// Decodes four whole bricks of 4³ voxels with ranges of 1 to [`MAX_NARROW`](brick::MAX_NARROW), as
    /// [`brick`](Self::brick) does one.
    #[inline]
    pub fn four_bricks(&self, bytes: &[u8], which: [usize; 4], values: &mut [[u16; 64]; 4]) -> Option<()> {
        let starts = which.map(|i| self.starts[i] as usize);
        let ends = which.map(|i| self.starts[i + 1] as usize);
        let ranges = which.map(|i| self.ranges[i]);
        (brick::decode::four_bricks(bytes, starts, ranges, values)? == ends).then_some(())
    }
}

/// Reads what [`put_64_fields`] wrote at `at`, and moves it on.
pub(crate) fn take_64_fields(bytes: &[u8], at: &mut usize, fields: &mut [u32; BRICKS]) -> Option<()> {
    take_fields(bytes, at, fields, BrickBox::whole(BrickSize::Four))
}

/// Reads what [`put_fields`] wrote at `at`, and moves it on. Fields outside are 0.
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

fn take_number(bytes: &[u8], at: &mut usize) -> Option<(u32, bool)> {
    let head = *bytes.get(*at)?;
    let count = usize::from(head & 0x7f);
    let mut number = [0; 4];
    number.get_mut(..count)?.copy_from_slice(bytes.get(*at + 1..*at + 1 + count)?);
    *at += 1 + count;
    Some((u32::from_le_bytes(number), head & 0x80 != 0))
}
