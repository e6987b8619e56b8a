//! Empty space: the cells without anything visible, and the distance of a ray through them.
//!
//! A *cell* is where samples have their first corner in one brick: half a voxel after the brick, and as many
//! cells as bricks. Its other corners may be in the next bricks along each axis, so its range is that of up
//! to eight bricks. Labels are not interpolated: their cells are the bricks. A *block* is 4×4×4 cells.

use super::{
    RenderError,
    bricks::{DisplayBricks, brick_dims, ranges_by_layer},
};
use crate::{Cancelled, Dims, Stage, Task, steps::Steps};

/// A position shifted right by this is its cell.
pub const CELL_BITS: u32 = 18;

/// A position shifted right by this is its block.
pub const BLOCK_BITS: u32 = CELL_BITS + 2;

/// The least and the largest display value of every cell and block.
#[derive(Clone, Debug)]
pub struct CellRanges {
    /// Dims in cells.
    pub(super) dims: Dims,
    /// Dims in blocks.
    pub(super) block_dims: Dims,
    pub(super) cells: Vec<[u16; 2]>,
    pub(super) blocks: Vec<[u16; 2]>,
}

impl CellRanges {
    /// Returns the ranges of a volume. `is_interpolated` is true if cells reach into the next bricks.
    ///
    /// # Errors
    /// [`RenderError::Memory`], [`RenderError::Cancelled`].
    pub fn new(
        bricks: &dyn DisplayBricks,
        is_interpolated: bool,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let dims = brick_dims(bricks.dims());
        let steps = Steps::new(task, Stage::Preparing, dims.z as u64);
        let mut cells = ranges_by_layer(dims, &steps, |z, layer| {
            for (y, row) in layer.chunks_exact_mut(dims.x).enumerate() {
                steps.check()?;
                for (x, range) in row.iter_mut().enumerate() {
                    *range = bricks.range([x as u32, y as u32, z as u32]);
                }
            }
            if is_interpolated {
                widen(layer, 1, dims.x);
                widen(layer, dims.x, dims.y);
            }
            Ok(())
        })?;
        let layer = dims.x * dims.y;
        let block_dims = brick_dims(dims);
        let mut blocks = vec![[u16::MAX, 0]; block_dims.x * block_dims.y * block_dims.z];
        for z in 0..dims.z {
            steps.check()?;
            if is_interpolated && z + 1 < dims.z {
                widen(&mut cells[z * layer..][..2 * layer], layer, 2);
            }
            let places = (0..dims.y).flat_map(|y| (0..dims.x).map(move |x| (x, y)));
            for (range, (x, y)) in cells[z * layer..].iter().zip(places) {
                let block = &mut blocks[block_dims.index(x / 4, y / 4, z / 4)];
                *block = joined(*block, *range);
            }
        }
        Ok(Self { dims, block_dims, cells, blocks })
    }
}

fn joined([a, b]: [u16; 2], [c, d]: [u16; 2]) -> [u16; 2] {
    [a.min(c), b.max(d)]
}

/// Widens each range by the next one, `stride` further, along an axis of `side` ranges.
fn widen(ranges: &mut [[u16; 2]], stride: usize, side: usize) {
    for line in ranges.chunks_exact_mut(stride * side) {
        for i in 0..stride * (side - 1) {
            line[i] = joined(line[i], line[i + stride]);
        }
    }
}

/// A bit per cell and per block: whether a sample there may show.
#[derive(Clone, Debug)]
pub struct Occupancy {
    /// Dims in cells.
    pub(super) dims: Dims,
    /// Dims in blocks.
    pub(super) block_dims: Dims,
    /// 32 cells per word, x fastest, the first in the lowest bit.
    pub(super) cells: Vec<u32>,
    /// A bit per block, in the same form as the cells.
    pub(super) blocks: Vec<u32>,
}

impl Occupancy {
    /// Returns the cells and blocks for whose ranges `shows` is true.
    pub fn new(
        ranges: &CellRanges,
        shows: impl Fn([u16; 2]) -> bool,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        let word = |ranges: &[[u16; 2]]| {
            ranges.iter().enumerate().fold(0, |word, (i, &range)| word | u32::from(shows(range)) << i)
        };
        let (dims, block_dims) = (ranges.dims, ranges.block_dims);
        let mut cells: Vec<u32> = Vec::with_capacity(ranges.cells.len().div_ceil(32));
        for ranges in ranges.cells.chunks(1 << 16) {
            task.check()?;
            cells.extend(ranges.chunks(32).map(word));
        }
        let mut blocks = vec![0; (block_dims.x * block_dims.y * block_dims.z).div_ceil(32)];
        for (at, word) in cells.iter().enumerate().filter(|(_, word)| **word != 0) {
            for bit in (0..32).filter(|bit| word >> bit & 1 != 0) {
                let (x, y, z) = dims.position(32 * at + bit);
                let block = block_dims.index(x / 4, y / 4, z / 4);
                blocks[block / 32] |= 1 << (block % 32);
            }
        }
        Ok(Self { dims, block_dims, cells, blocks })
    }

    /// Returns every cell: nothing is skipped.
    pub fn full(dims: Dims) -> Self {
        let dims = brick_dims(dims);
        let block_dims = brick_dims(dims);
        let bits = |dims: Dims| vec![u32::MAX; (dims.x * dims.y * dims.z).div_ceil(32)];
        Self { dims, block_dims, cells: bits(dims), blocks: bits(block_dims) }
    }

    /// Returns the numbers of cells and blocks.
    #[cfg(feature = "kernel-inputs")]
    pub(super) fn counts(&self) -> [usize; 2] {
        [self.dims, self.block_dims].map(|dims| dims.x * dims.y * dims.z)
    }

    /// Returns the volume's dims in cells, which are those in bricks.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Returns a bit per cell, x fastest, the first in the lowest bit of a word. Bits after the last cell are
    /// unspecified.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Returns the dims in blocks.
    pub const fn block_dims(&self) -> Dims {
        self.block_dims
    }

    /// Returns a bit per block, as [`cells`](Self::cells).
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// True if a sample in the cell may show.
    #[inline]
    pub fn has_cell(&self, [x, y, z]: [u32; 3]) -> bool {
        has(&self.cells, self.dims.index(x as usize, y as usize, z as usize))
    }

    /// True if a sample in the block may show.
    #[inline]
    pub fn has_block(&self, [x, y, z]: [u32; 3]) -> bool {
        has(&self.blocks, self.block_dims.index(x as usize, y as usize, z as usize))
    }
}

#[inline]
fn has(bits: &[u32], index: usize) -> bool {
    bits[index / 32] >> (index % 32) & 1 != 0
}

/// Returns the number of samples from one at `at` (a position, minus half a voxel if samples are
/// interpolated) to the first one in another cell or block. The side of the cell or block is 2^`bits`; it
/// contains `place`, which is `at` inside the volume. Past the first and the last cell there is only the end
/// of the ray, so the result may be `u32::MAX`.
#[inline(always)]
pub fn samples_to_leave(at: [i32; 3], place: [u32; 3], step: [i32; 3], bits: u32) -> u32 {
    let mut least = u32::MAX;
    for axis in 0..3 {
        let s = step[axis].unsigned_abs();
        let samples = if step[axis] > 0 {
            let end = ((place[axis] >> bits) + 1) << bits;
            (end.wrapping_sub(at[axis] as u32) - 1) / s + 1
        } else if step[axis] < 0 && place[axis] >> bits > 0 {
            ((at[axis] as u32) - (place[axis] >> bits << bits)) / s + 1
        } else {
            u32::MAX
        };
        least = least.min(samples);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaps_end_at_the_first_sample_outside() {
        for side in [4, 16u32] {
            let bits = 16 + side.ilog2();
            for step in [-150_000, -65536, -1000, -1, 1, 999, 65536, 150_000] {
                for at in [-32768, 0, 5, 262_143, 262_144, 1_000_000, 1_048_576, 1_600_000] {
                    let place = at.max(0) as u32;
                    let leap = samples_to_leave([at, 0, 0], [place, 0, 0], [step, 0, 0], bits);
                    let cell = |k: i64| (i64::from(at) + k * i64::from(step)).max(0) >> bits;
                    if leap == u32::MAX {
                        assert!(step < 0 && place >> bits == 0);
                        continue;
                    }
                    assert_eq!(cell(i64::from(leap) - 1), cell(0), "{at} {step}");
                    assert_ne!(
                        (i64::from(at) + i64::from(leap) * i64::from(step)) >> bits,
                        cell(0),
                        "{at} {step}"
                    );
                }
            }
        }
    }

    #[test]
    fn ranges_reach_into_the_next_cells() {
        let mut ranges: Vec<[u16; 2]> = (0..6).map(|i| [i, i]).collect();
        widen(&mut ranges, 1, 3);
        assert_eq!(ranges, [[0, 1], [1, 2], [2, 2], [3, 4], [4, 5], [5, 5]]);
        widen(&mut ranges, 3, 2);
        assert_eq!(ranges, [[0, 4], [1, 5], [2, 5], [3, 4], [4, 5], [5, 5]]);
    }
}
