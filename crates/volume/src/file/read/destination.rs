//! Copies of brick values to the voxels of a region in memory.

use super::{brick_values::BrickValues, ordinals::Ordinals};
use crate::{Dims, Region, Voxel, VoxelType, file::layout::Position, simd::prefetch, with_voxel_type};
use std::ops::Range;

/// One component of the part of a region that a row of chunks covers, to be filled.
pub(super) struct Destination<'r, 'v> {
    pub region: &'r Region,
    pub voxel_type: VoxelType,
    /// The first y and z of this part.
    pub first: (usize, usize),
    /// The bytes of the region's voxels slice by slice, from the first y on, aligned for their type.
    pub slices: Vec<&'v mut [u8]>,
    /// Numbers per voxel, and which is meant.
    pub channels: usize,
    pub channel: usize,
    /// The word of the number.
    pub word: usize,
}

/// Bytes of a line of a processor's cache.
const LINE: usize = 64;

impl Destination<'_, '_> {
    /// Puts the values of the brick of `dims` voxels at `corner`, or of several if all are the same.
    pub fn put(&mut self, corner: Position, dims: Dims, values: BrickValues, ordinals: Ordinals) {
        with_voxel_type!(self.voxel_type, T => self.put_typed::<T>(corner, dims, values, ordinals));
    }

    /// Fills the part of the box of `dims` voxels at `corner` that is inside the region with an ordinal.
    pub fn fill(&mut self, corner: Position, dims: Dims, ordinal: u32) {
        with_voxel_type!(self.voxel_type, T => {
            if self.has_plain_rows() {
                self.fill_rows(corner, dims, bytemuck::bytes_of(&T::from_ordinal(ordinal.into())));
            } else {
                self.fill_typed::<T>(corner, dims, ordinal);
            }
        });
    }

    /// True if a row of a slice is all of this component: voxels are one number of one word.
    pub fn has_plain_rows(&self) -> bool {
        self.channels == 1 && self.voxel_type.word_count() == 1
    }

    /// Works like [`fill`](Self::fill) for plain rows, with the bytes of a voxel.
    fn fill_rows(&mut self, (x, y, z): Position, dims: Dims, voxel: &[u8]) {
        let region = self.region;
        let (from, to) = (region.x.start.max(x), region.x.end.min(x + dims.x));
        let rows = region.y.start.max(y) - self.first.0..region.y.end.min(y + dims.y) - self.first.0;
        // In bytes: from row to row, the filled part of a row, and where that of the first row starts.
        let (pitch, row) = (region.x.len() * voxel.len(), (to - from) * voxel.len());
        let first = rows.start * pitch + (from - region.x.start) * voxel.len();
        for z in region.z.start.max(z)..region.z.end.min(z + dims.z) {
            let slice = &mut *self.slices[z - self.first.1];
            if row == pitch {
                fill_memory(&mut slice[first..][..rows.len() * pitch], voxel);
                continue;
            }
            fill_memory(&mut slice[first..][..row], voxel);
            for start in (1..rows.len()).map(|y| first + y * pitch) {
                // All lines have as many voxels, as in `put_rows`.
                (0..row).step_by(LINE).for_each(|i| prefetch(slice, start + row + i));
                slice.copy_within(first..first + row, start);
            }
        }
    }

    /// Works like [`fill`](Self::fill) for any voxels.
    fn fill_typed<T: Voxel>(&mut self, (x, y, z): Position, dims: Dims, ordinal: u32) {
        let region = self.region;
        let width = region.x.len();
        let (from, to) = (region.x.start.max(x), region.x.end.min(x + dims.x));
        for z in region.z.start.max(z)..region.z.end.min(z + dims.z) {
            let slice: &mut [T] = bytemuck::cast_slice_mut(self.slices[z - self.first.1]);
            for y in region.y.start.max(y)..region.y.end.min(y + dims.y) {
                let start = (y - self.first.0) * width + from - region.x.start;
                let row = &mut slice[start * self.channels..(start + to - from) * self.channels];
                for voxel in row.iter_mut().skip(self.channel).step_by(self.channels) {
                    *voxel = voxel.with_word(self.word, ordinal);
                }
            }
        }
    }

    fn put_typed<T: Voxel>(&mut self, corner: Position, dims: Dims, values: BrickValues, ordinals: Ordinals) {
        match ordinals {
            // Added in 16 bits, so that more values are added at the same time.
            Ordinals::From(base) if size_of::<T>() <= 2 => {
                let ordinal = |value| u32::from((base as u16).wrapping_add(value as u16));
                self.put_with::<T>(corner, dims, values, ordinal);
            }
            Ordinals::From(base) => {
                self.put_with::<T>(corner, dims, values, |value| base.wrapping_add(value));
            }
            Ordinals::Of(min, lookup) => {
                let ordinal = |value| lookup[usize::from(min.wrapping_add(value) as u16)];
                self.put_with::<T>(corner, dims, values, ordinal);
            }
        }
    }

    #[inline(always)]
    fn put_with<T: Voxel>(
        &mut self,
        (x, y, z): Position,
        dims: Dims,
        values: BrickValues,
        ordinal: impl Fn(u32) -> u32,
    ) {
        let region = self.region;
        let width = region.x.len();
        let is_whole = |start: usize, side: usize, range: &Range<usize>| {
            range.start <= start && start + side <= range.end
        };
        if self.channels == 1
            && T::TYPE.word_count() == 1
            && is_whole(x, dims.x, &region.x)
            && is_whole(y, dims.y, &region.y)
            && is_whole(z, dims.z, &region.z)
        {
            let start = (y - self.first.0) * width + x - region.x.start;
            let slices = &mut self.slices[z - self.first.1..];
            return put_whole(slices, start, width, dims, values, |value| {
                T::from_ordinal(ordinal(value).into())
            });
        }
        let from = region.x.start.max(x);
        let to = region.x.end.min(x + dims.x);
        for z in region.z.start.max(z)..region.z.end.min(z + dims.z) {
            let slice: &mut [T] = bytemuck::cast_slice_mut(self.slices[z - self.first.1]);
            for y in region.y.start.max(y)..region.y.end.min(y + dims.y) {
                let row = dims.index(0, y % dims.y, z % dims.z);
                let start = (y - self.first.0) * width + from - region.x.start;
                let voxels = &mut slice[start * self.channels..];
                let voxels = voxels.iter_mut().skip(self.channel).step_by(self.channels);
                for (i, voxel) in (row + from % dims.x..row + from % dims.x + to - from).zip(voxels) {
                    *voxel = voxel.with_word(self.word, ordinal(values.get(i)));
                }
            }
        }
    }
}

/// Fills memory with a voxel's bytes by `memset` or `memcpy`. Common ones write whole lines of long pieces
/// without reading them first.
fn fill_memory(memory: &mut [u8], voxel: &[u8]) {
    /// Size in bytes of the longest piece that is copied: it fits a core's first cache, and is long.
    const MAX_PIECE: usize = 8 << 10;
    if voxel.iter().all(|&byte| byte == voxel[0]) {
        memory.fill(voxel[0]);
        return;
    }
    let mut filled = voxel.len();
    memory[..filled].copy_from_slice(voxel);
    while filled < memory.len() {
        let (piece, rest) = memory.split_at_mut(filled);
        let count = filled.min(MAX_PIECE).min(rest.len());
        rest[..count].copy_from_slice(&piece[..count]);
        filled += count;
    }
}

/// Puts a whole brick into `slices` of rows of `width`, from place `start` of each on.
#[inline(always)]
fn put_whole<T: Voxel>(
    slices: &mut [&mut [u8]],
    start: usize,
    width: usize,
    dims: Dims,
    values: BrickValues,
    voxel: impl Fn(u32) -> T,
) {
    match values {
        BrickValues::Constant => put_constant(&mut slices[..dims.z], start, width, dims, voxel(0)),
        BrickValues::Bytes(values) => {
            put_rows::<_, _, 4, 64>(slices, start, width, values, |&value| voxel(value.into()));
        }
        BrickValues::EightBytes(values) => {
            put_rows::<_, _, 8, 64>(slices, start, width, values, |&value| voxel(value.into()));
        }
        BrickValues::Narrow(values) => {
            put_rows::<_, _, 4, 64>(slices, start, width, values, |&value| voxel(value.into()));
        }
        BrickValues::Four(values) => {
            put_rows::<_, _, 4, 64>(slices, start, width, values, |&value| voxel(value));
        }
        BrickValues::Eight(values) => {
            put_rows::<_, _, 8, 64>(slices, start, width, values, |&value| voxel(value));
        }
        BrickValues::Flat(values) => {
            put_rows::<_, _, 16, 256>(slices, start, width, values, |&value| voxel(value));
        }
    }
}

/// Puts a box whose voxels are all `voxel` into whole `slices`: one brick, or several of them.
fn put_constant<T: Voxel>(slices: &mut [&mut [u8]], start: usize, width: usize, dims: Dims, voxel: T) {
    // Rows of a length that is known when this is compiled take a few stores; others, a call each. (For
    // WebAssembly, the copies of this code for each length and type are too large.)
    const BY_LENGTH: bool = !cfg!(target_arch = "wasm32");
    match dims.x {
        4 if BY_LENGTH => put_same_rows::<_, 4>(slices, start, width, dims.y, voxel),
        8 if BY_LENGTH => put_same_rows::<_, 8>(slices, start, width, dims.y, voxel),
        12 if BY_LENGTH => put_same_rows::<_, 12>(slices, start, width, dims.y, voxel),
        16 if BY_LENGTH => put_same_rows::<_, 16>(slices, start, width, dims.y, voxel),
        32 if BY_LENGTH => put_same_rows::<_, 32>(slices, start, width, dims.y, voxel),
        64 if BY_LENGTH => put_same_rows::<_, 64>(slices, start, width, dims.y, voxel),
        _ => {
            for slice in slices {
                let slice: &mut [T] = bytemuck::cast_slice_mut(slice);
                for y in 0..dims.y {
                    slice[start + y * width..][..dims.x].fill(voxel);
                }
            }
        }
    }
}

/// Puts `count` rows of `WIDTH` voxels that are all the same into each slice.
#[inline(always)]
fn put_same_rows<T: Voxel, const WIDTH: usize>(
    slices: &mut [&mut [u8]],
    start: usize,
    width: usize,
    count: usize,
    voxel: T,
) {
    let row = [voxel; WIDTH];
    let (row_bytes, pitch) = (size_of_val(&row), width * size_of::<T>());
    let starts_line = start * size_of::<T>() % LINE < row_bytes;
    for slice in slices {
        if starts_line {
            // As in `put_rows`.
            for at in (0..count).map(|y| start * size_of::<T>() + y * pitch) {
                (0..row_bytes).step_by(LINE).for_each(|i| prefetch(slice, at + i + LINE));
            }
        }
        let slice: &mut [T] = bytemuck::cast_slice_mut(slice);
        for rows in slice[start..].chunks_mut(width).take(count) {
            rows[..WIDTH].copy_from_slice(&row);
        }
    }
}

/// Puts the `values` of a brick in rows of `WIDTH`: as many in each slice, but that flat ones have one slice
/// of them all.
#[inline(always)]
fn put_rows<T: Voxel, V, const WIDTH: usize, const PIECE: usize>(
    slices: &mut [&mut [u8]],
    start: usize,
    width: usize,
    values: &[V],
    voxel: impl Fn(&V) -> T,
) {
    // Whole slices, as many as make up a piece. (All voxels of a piece before any row: together they take few
    // instructions.)
    let in_slice = WIDTH * WIDTH;
    // Rows are far apart in memory, and the first write to a cache line waits for that line. The first brick
    // of those that share a line prefetches the next line of each row.
    let starts_line = start * size_of::<T>() % LINE < WIDTH * size_of::<T>();
    for (slices, values) in slices.chunks_mut(PIECE / in_slice).zip(values.as_chunks::<PIECE>().0) {
        let mut voxels = [T::zeroed(); PIECE];
        for (made, value) in voxels.iter_mut().zip(values) {
            *made = voxel(value);
        }
        for (slice, voxels) in slices.iter_mut().zip(voxels.chunks_exact(in_slice)) {
            if starts_line {
                for at in (0..WIDTH).map(|y| (start + y * width) * size_of::<T>()) {
                    (0..WIDTH * size_of::<T>()).step_by(LINE).for_each(|i| prefetch(slice, at + i + LINE));
                }
            }
            let slice: &mut [T] = bytemuck::cast_slice_mut(slice);
            for (y, row) in voxels.as_chunks::<WIDTH>().0.iter().enumerate() {
                slice[start + y * width..][..WIDTH].copy_from_slice(row);
            }
        }
    }
}

/// Returns true if the box of `dims` at `corner` has a voxel of `region`.
pub(super) fn meets(region: &Region, (x, y, z): Position, dims: Dims) -> bool {
    let meets =
        |start: usize, side: usize, range: &Range<usize>| start < range.end && range.start < start + side;
    meets(x, dims.x, &region.x) && meets(y, dims.y, &region.y) && meets(z, dims.z, &region.z)
}
