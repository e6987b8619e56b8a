//! Copies of numbers at any strides into dense slices.
//!
//! The plain algorithm: for each row of a slice, copy each number from its place. In some arrays, neighbours
//! along z or y are closer in memory than those along x: in Fortran order, z is fastest. There, each number
//! of a row comes from another cache line, and the next rows need the same lines. Departures:
//!
//! 1. Rows are copied together with their neighbours along that axis: those of a slice (y), or the same row
//!    of all slices (z).
//! 2. They are copied in square tiles, whose side is a cache line of numbers. A tile reads along the axis,
//!    transposes the numbers in a buffer, and writes along the rows. Each line is read and written at once.
//!    This matters if distances are powers of two: then all lines of a tile share a set of the cache.
//! 3. The tiles along the axis are the inner loop: lines that two tiles share are read twice in a row.

use super::{RowShape, Strides, moved};
use crate::{Cancelled, Task};
use std::ops::Range;

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// Minimum number of bytes of a slice in a band along z. Fewer bytes give more threads work, more bytes need
/// fewer pieces.
const PIECE_BYTES: usize = 1 << 12;

/// Axis along which neighbours are closest in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    X,
    Y,
    Z,
}

/// Rows of dense slices that are filled together: a slice, or the same rows of all slices.
pub(crate) struct Band<'a> {
    axis: Axis,
    /// Indices of the first row and the first slice in the whole.
    y: usize,
    z: usize,
    /// Bytes of the rows of each slice.
    slices: Vec<&'a mut [u8]>,
}

/// Numbers of a tile: one row for each step along the axis.
type Tile<const N: usize, const SIDE: usize> = [[[u8; N]; SIDE]; SIDE];

impl Strides {
    /// Returns the parts of `out`, dense `slices` of `shape`, that [`gather`](Self::gather) fills
    /// independently.
    pub(crate) fn bands<'a>(
        &self,
        number_bytes: usize,
        shape: RowShape,
        slices: Range<usize>,
        out: &'a mut [u8],
    ) -> Vec<Band<'a>> {
        let axis = self.closest_axis(shape, slices.len());
        let row_bytes = number_bytes * shape.channels * shape.width;
        let whole = out.chunks_exact_mut(row_bytes * shape.height);
        if axis != Axis::Z {
            return slices.zip(whole).map(|(z, slice)| Band { axis, y: 0, z, slices: vec![slice] }).collect();
        }
        let (height, z) = (PIECE_BYTES.div_ceil(row_bytes), slices.start);
        let mut pieces: Vec<_> = whole.map(|slice| slice.chunks_mut(height * row_bytes)).collect();
        let band = |y| Band { axis, y, z, slices: pieces.iter_mut().filter_map(Iterator::next).collect() };
        (0..shape.height).step_by(height).map(band).collect()
    }

    /// Fills a band with numbers of `voxels`, of one frame whose shape was checked. Checks for cancellation
    /// once a slice, or a row of all slices.
    pub(crate) fn gather(
        &self,
        number_bytes: usize,
        voxels: &[u8],
        shape: RowShape,
        band: Band<'_>,
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        match number_bytes {
            1 => self.gather_numbers::<1, LINE_BYTES>(voxels, shape, band, task),
            2 => self.gather_numbers::<2, { LINE_BYTES / 2 }>(voxels, shape, band, task),
            4 => self.gather_numbers::<4, { LINE_BYTES / 4 }>(voxels, shape, band, task),
            _ => self.gather_numbers::<8, { LINE_BYTES / 8 }>(voxels, shape, band, task),
        }
    }

    fn gather_numbers<const N: usize, const SIDE: usize>(
        &self,
        voxels: &[u8],
        shape: RowShape,
        band: Band<'_>,
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let voxels = voxels.as_chunks::<N>().0;
        let row_bytes = N * shape.channels * shape.width;
        let Band { axis, y: first_row, z: first_slice, mut slices } = band;
        let rows = slices.first().map_or(0, |slice| slice.len() / row_bytes);
        let mut tile = [[[0; N]; SIDE]; SIDE];
        match axis {
            Axis::X => {
                for (z, slice) in (first_slice..).zip(slices) {
                    task.check()?;
                    for (y, row) in slice.chunks_exact_mut(row_bytes).enumerate() {
                        let first = self.place([0, 0, first_row + y, z, 0]);
                        self.gather_row(voxels, shape.channels, first, row.as_chunks_mut::<N>().0);
                    }
                }
            }
            Axis::Y => {
                for (z, slice) in (first_slice..).zip(slices) {
                    task.check()?;
                    let first = self.place([0, 0, first_row, z, 0]);
                    self.gather_tiles(voxels, shape, first, (self.y, rows), &mut tile, |y, at, numbers| {
                        slice[y * row_bytes + at..][..numbers.len()].copy_from_slice(numbers);
                    });
                }
            }
            Axis::Z => {
                for y in 0..rows {
                    task.check()?;
                    let first = self.place([0, 0, first_row + y, first_slice, 0]);
                    let along = (self.z, slices.len());
                    self.gather_tiles(voxels, shape, first, along, &mut tile, |z, at, numbers| {
                        slices[z][y * row_bytes + at..][..numbers.len()].copy_from_slice(numbers);
                    });
                }
            }
        }
        Ok(())
    }

    /// Copies a row whose first number is at `first`.
    fn gather_row<const N: usize>(
        &self,
        voxels: &[[u8; N]],
        channels: usize,
        first: usize,
        row: &mut [[u8; N]],
    ) {
        if self.has_dense_rows(channels) {
            row.copy_from_slice(&voxels[first..first + row.len()]);
            return;
        }
        for (x, voxel) in row.chunks_exact_mut(channels).enumerate() {
            let first = moved(first, self.x, x);
            for (channel, number) in voxel.iter_mut().enumerate() {
                *number = voxels[moved(first, self.channel, channel)];
            }
        }
    }

    /// Copies `count` rows in tiles. The first numbers of rows are `step` apart, that of the first row is at
    /// `first`. `put` takes the index of a row, an offset in bytes in this row, and the bytes there.
    fn gather_tiles<const N: usize, const SIDE: usize>(
        &self,
        voxels: &[[u8; N]],
        RowShape { channels, width, .. }: RowShape,
        first: usize,
        (step, count): (isize, usize),
        tile: &mut Tile<N, SIDE>,
        mut put: impl FnMut(usize, usize, &[u8]),
    ) {
        let row_numbers = channels * width;
        for start in (0..row_numbers).step_by(SIDE) {
            let columns = SIDE.min(row_numbers - start);
            for first_row in (0..count).step_by(SIDE) {
                let rows = SIDE.min(count - first_row);
                let (mut x, mut channel) = (start / channels, start % channels);
                for column in 0..columns {
                    let first = moved(moved(first, self.x, x), self.channel, channel);
                    let first = moved(first, step, first_row);
                    // Counting saves a division for each line.
                    channel += 1;
                    if channel == channels {
                        (x, channel) = (x + 1, 0);
                    }
                    if step == 1 {
                        for (row, &number) in tile.iter_mut().zip(&voxels[first..first + rows]) {
                            row[column] = number;
                        }
                    } else {
                        for (i, row) in tile.iter_mut().take(rows).enumerate() {
                            row[column] = voxels[moved(first, step, i)];
                        }
                    }
                }
                for (i, row) in tile.iter().take(rows).enumerate() {
                    put(first_row + i, start * N, row[..columns].as_flattened());
                }
            }
        }
    }

    /// Returns the axis along which neighbours are closest in memory; x if rows are dense.
    fn closest_axis(&self, shape: RowShape, depth: usize) -> Axis {
        let distance = |step: isize, count: usize| if count > 1 { step.unsigned_abs() } else { usize::MAX };
        let (x, y) = (distance(self.x, shape.width), distance(self.y, shape.height));
        let z = distance(self.z, depth);
        if self.has_dense_rows(shape.channels) || x <= y.min(z) {
            Axis::X
        } else if y <= z {
            Axis::Y
        } else {
            Axis::Z
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gathers all slices, and some of them, and compares with the copy of each number from its place.
    fn check<const N: usize>(strides: &Strides, counts: [usize; 4], memory: &[[u8; N]]) {
        let [channels, width, height, depth] = counts;
        let shape = RowShape { channels, width, height };
        for slices in [0..depth, depth / 3..depth] {
            let mut found = vec![0; N * channels * width * height * slices.len()];
            for band in strides.bands(N, shape, slices.clone(), &mut found) {
                let gathered = strides.gather(N, memory.as_flattened(), shape, band, &Task::new());
                gathered.expect("not cancelled");
            }
            let mut numbers = found.as_chunks::<N>().0.iter();
            for z in slices {
                for y in 0..height {
                    for x in 0..width {
                        for channel in 0..channels {
                            let wanted = &memory[strides.place([channel, x, y, z, 0])];
                            assert!(numbers.next() == Some(wanted), "{strides:?}, {counts:?}, {x} {y} {z}");
                        }
                    }
                }
            }
            assert!(numbers.next().is_none());
        }
    }

    /// Checks numbers of every size.
    fn check_all(strides: &Strides, counts: [usize; 4], actual: usize) {
        let [channels, x, y, z] = counts;
        strides.check([channels, x, y, z, 1], actual).expect("places in the memory");
        let mut state = 1u32;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let memory: Vec<u8> = (0..8 * actual).map(|_| byte()).collect();
        check::<1>(strides, counts, &memory.as_chunks::<1>().0[..actual]);
        check::<2>(strides, counts, &memory.as_chunks::<2>().0[..actual]);
        check::<4>(strides, counts, &memory.as_chunks::<4>().0[..actual]);
        check::<8>(strides, counts, &memory.as_chunks::<8>().0[..actual]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_strides_are_gathered(
            (x, y, z) in (1usize..70, 1usize..70, 1usize..70),
            channels in 1usize..4,
            order in Just([0usize, 1, 2, 3]).prop_shuffle(),
            flipped: [bool; 4],
            gaps in prop::array::uniform4(0usize..3),
            repeated in prop::array::uniform4(prop::bool::weighted(0.1)),
        ) {
            let counts = [channels, x, y, z];
            let (mut steps, mut first, mut extent) = ([0; 4], 0, 1);
            for axis in order {
                let step = if repeated[axis] { 0 } else { extent + gaps[axis] };
                let length = step * (counts[axis] - 1);
                extent += length;
                steps[axis] = step as isize;
                if flipped[axis] {
                    first += length;
                    steps[axis] = -steps[axis];
                }
            }
            let [channel, x, y, z] = steps;
            check_all(&Strides { first, channel, x, y, z, frame: 0 }, counts, extent);
        }
    }

    #[test]
    fn several_tiles_are_gathered() {
        // Fortran order, and y before x: along both axes of the tiles, more numbers than a tile has.
        let (x, y, z) = (67, 2, 130);
        let fortran = Strides { channel: 1, x: (y * z) as isize, y: z as isize, z: 1, ..Strides::default() };
        check_all(&fortran, [1, x, y, z], x * y * z);
        let (x, y, z) = (67, 130, 2);
        let rows = Strides { channel: 1, x: y as isize, y: 1, z: (x * y) as isize, ..Strides::default() };
        check_all(&rows, [1, x, y, z], x * y * z);
    }

    #[test]
    fn tiles_are_used_where_rows_are_scattered() {
        let shape = RowShape { channels: 1, width: 5, height: 6 };
        let axis = |[x, y, z]: [isize; 3], shape, depth| {
            Strides { channel: 1, x, y, z, ..Strides::default() }.closest_axis(shape, depth)
        };
        assert_eq!(axis([1, 5, 30], shape, 7), Axis::X);
        assert_eq!(axis([-1, 5, 30], shape, 7), Axis::X);
        assert_eq!(axis([6, 1, 30], shape, 7), Axis::Y);
        assert_eq!(axis([42, 7, 1], shape, 7), Axis::Z);
        assert_eq!(axis([42, -7, -1], shape, 7), Axis::Z);
        // One slice has no neighbours, and rows repeated along z are dense.
        assert_eq!(axis([42, 7, 1], shape, 1), Axis::Y);
        assert_eq!(axis([1, 5, 0], shape, 7), Axis::X);
        // Channels fastest, then z.
        assert_eq!(axis([126, 21, 3], RowShape { channels: 3, ..shape }, 7), Axis::Z);
    }
}
