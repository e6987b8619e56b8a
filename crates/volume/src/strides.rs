//! Voxels somewhere in memory: the distances between neighbours.

use crate::{Cancelled, Dims, ShapeError, Task};
use std::ops::Range;

/// Places of numbers in a slice, counted in numbers. A step may be negative, or 0. Default: all 0.
///
/// A dense array of `dims` voxels with `n` channels has the steps 1, n, n × dims.x, n × dims.x × dims.y and
/// n × dims.x × dims.y × dims.z, which [`Strides::dense`] returns. An array with z fastest, as `ndarray`
/// stores one indexed `[[x, y, z]]`, has dims.y × dims.z for x, dims.z for y, 1 for z. An array flipped along
/// an axis has a negative step there, and `first` is the place of its last number along that axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a step along each axis that a volume has")]
pub struct Strides {
    /// Place of the first channel of voxel (0, 0, 0) of the first frame.
    pub first: usize,
    /// Step from a channel to the next.
    pub channel: isize,
    /// Step from a voxel to the next along x.
    pub x: isize,
    /// Step from a row to the next.
    pub y: isize,
    /// Step from a slice to the next.
    pub z: isize,
    /// Step from a frame to the next.
    pub frame: isize,
}

/// Rows of voxels, each of `channels` × `width` numbers; `height` of them are a slice.
#[derive(Clone, Copy)]
pub(crate) struct RowShape {
    pub channels: usize,
    pub width: usize,
    pub height: usize,
}

impl Strides {
    /// Returns the strides of dense volumes of `dims` voxels, one after the other, with the `channels` of a
    /// voxel side by side. Steps that cannot be represented become the largest possible.
    pub const fn dense(dims: Dims, channels: usize) -> Self {
        const fn step(count: usize) -> isize {
            if count > isize::MAX as usize { isize::MAX } else { count as isize }
        }
        let row = channels.saturating_mul(dims.x);
        let slice = row.saturating_mul(dims.y);
        let frame = slice.saturating_mul(dims.z);
        Self { first: 0, channel: 1, x: step(channels), y: step(row), z: step(slice), frame: step(frame) }
    }

    const fn steps(&self) -> [isize; 5] {
        [self.channel, self.x, self.y, self.z, self.frame]
    }

    /// Checks that all positions are among `actual` numbers, for these counts of channels, voxels along x, y
    /// and z, and frames; none of them is 0.
    pub(crate) fn check(&self, counts: [usize; 5], actual: usize) -> Result<(), ShapeError> {
        let (mut least, mut most) = (self.first as i128, self.first as i128);
        for (step, count) in self.steps().into_iter().zip(counts) {
            let way = (step as i128).saturating_mul(count as i128 - 1);
            (least, most) = (least.saturating_add(way.min(0)), most.saturating_add(way.max(0)));
        }
        let fits = least >= 0 && most < actual as i128;
        if fits {
            return Ok(());
        }
        let [first, last] = [least, most].map(|place| {
            let nearest = place.clamp(i64::MIN.into(), i64::MAX.into());
            nearest as i64
        });
        Err(ShapeError::Strides { first, last, actual })
    }

    /// Returns the position of a number by channel, x, y, z and frame, in a checked shape.
    pub(crate) const fn place(&self, index: [usize; 5]) -> usize {
        let steps = self.steps();
        // (The sum is a place of the slice, so it is right modulo 2⁶⁴.)
        let mut place = self.first;
        let mut i = 0;
        while i < 5 {
            place = place.wrapping_add((steps[i] as usize).wrapping_mul(index[i]));
            i += 1;
        }
        place
    }

    /// Copies the numbers of `slab`, rows of `shape`, to their places in `voxels`. `first` is the index of
    /// the slab's first number in the whole, whose shape was checked. Checks for cancellation once a slice.
    pub(crate) fn scatter(
        &self,
        number_bytes: usize,
        slab: &[u8],
        shape: RowShape,
        first: [usize; 5],
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        match number_bytes {
            1 => self.scatter_numbers::<1>(slab, shape, first, voxels, task),
            2 => self.scatter_numbers::<2>(slab, shape, first, voxels, task),
            4 => self.scatter_numbers::<4>(slab, shape, first, voxels, task),
            _ => self.scatter_numbers::<8>(slab, shape, first, voxels, task),
        }
    }

    fn scatter_numbers<const N: usize>(
        &self,
        slab: &[u8],
        shape: RowShape,
        [channel, x, y, z, frame]: [usize; 5],
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let (slab, voxels) = (slab.as_chunks::<N>().0, voxels.as_chunks_mut::<N>().0);
        for (i, row) in slab.chunks_exact(shape.channels * shape.width).enumerate() {
            if i % shape.height == 0 {
                task.check()?;
            }
            let start = self.place([channel, x, y + i % shape.height, z + i / shape.height, frame]);
            if self.has_dense_rows(shape.channels) {
                voxels[start..start + row.len()].copy_from_slice(row);
                continue;
            }
            for (x, voxel) in row.chunks_exact(shape.channels).enumerate() {
                let start = start.wrapping_add((self.x as usize).wrapping_mul(x));
                for (channel, &number) in voxel.iter().enumerate() {
                    voxels[start.wrapping_add((self.channel as usize).wrapping_mul(channel))] = number;
                }
            }
        }
        Ok(())
    }

    /// Gives each voxel of a box, whose corner has the index `first` in the whole, the bytes `voxel`: as many
    /// numbers as channels. The shape was checked. Checks for cancellation once a slice.
    pub(crate) fn fill(
        &self,
        number_bytes: usize,
        voxel: &[u8],
        part: Dims,
        first: [usize; 3],
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        match number_bytes {
            1 => self.fill_numbers::<1>(voxel, part, first, voxels, task),
            2 => self.fill_numbers::<2>(voxel, part, first, voxels, task),
            4 => self.fill_numbers::<4>(voxel, part, first, voxels, task),
            _ => self.fill_numbers::<8>(voxel, part, first, voxels, task),
        }
    }

    fn fill_numbers<const N: usize>(
        &self,
        voxel: &[u8],
        part: Dims,
        [x, y, z]: [usize; 3],
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        if part.x == 0 || part.y == 0 {
            return Ok(());
        }
        let (voxel, voxels) = (voxel.as_chunks::<N>().0, voxels.as_chunks_mut::<N>().0);
        for z in z..z + part.z {
            task.check()?;
            for y in y..y + part.y {
                for (channel, &number) in voxel.iter().enumerate() {
                    let start = self.place([channel, x, y, z, 0]);
                    if voxel.len() == 1 && self.x == 1 {
                        voxels[start..start + part.x].fill(number);
                        continue;
                    }
                    for x in 0..part.x {
                        voxels[start.wrapping_add((self.x as usize).wrapping_mul(x))] = number;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the number of slices that [`gather_slices`](Self::gather_slices) copies together: as many as a
    /// cache line of 64 bytes has numbers if neighbours along z are closer in memory than those along x, else
    /// 1.
    pub(crate) const fn slice_group(&self, number_bytes: usize, channels: usize) -> usize {
        if channels == 1 && self.z.unsigned_abs() < self.x.unsigned_abs() { 64 / number_bytes } else { 1 }
    }

    /// Fills `out` with the numbers of some slices of `voxels`, of one frame whose shape was checked. More
    /// than one slice requires one channel. Checks for cancellation once a slice, or a row of several slices.
    pub(crate) fn gather_slices(
        &self,
        number_bytes: usize,
        voxels: &[u8],
        shape: RowShape,
        slices: Range<usize>,
        out: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        match number_bytes {
            1 => self.gather_numbers::<1>(voxels, shape, slices, out, task),
            2 => self.gather_numbers::<2>(voxels, shape, slices, out, task),
            4 => self.gather_numbers::<4>(voxels, shape, slices, out, task),
            _ => self.gather_numbers::<8>(voxels, shape, slices, out, task),
        }
    }

    fn gather_numbers<const N: usize>(
        &self,
        voxels: &[u8],
        shape: RowShape,
        slices: Range<usize>,
        out: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let (voxels, out) = (voxels.as_chunks::<N>().0, out.as_chunks_mut::<N>().0);
        if slices.len() > 1 {
            return self.gather_along_z(voxels, shape, slices.start, out, task);
        }
        task.check()?;
        for (y, row) in out.chunks_exact_mut(shape.channels * shape.width).enumerate() {
            let start = self.place([0, 0, y, slices.start, 0]);
            if self.has_dense_rows(shape.channels) {
                row.copy_from_slice(&voxels[start..start + row.len()]);
                continue;
            }
            for (x, voxel) in row.chunks_exact_mut(shape.channels).enumerate() {
                let start = start.wrapping_add((self.x as usize).wrapping_mul(x));
                for (channel, number) in voxel.iter_mut().enumerate() {
                    *number = voxels[start.wrapping_add((self.channel as usize).wrapping_mul(channel))];
                }
            }
        }
        Ok(())
    }

    /// Reads along z first, as arrays in Fortran order are stored. Slice by slice, each number would come
    /// from another cache line.
    fn gather_along_z<const N: usize>(
        &self,
        voxels: &[[u8; N]],
        shape: RowShape,
        first: usize,
        out: &mut [[u8; N]],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        for row in 0..shape.height {
            task.check()?;
            for x in 0..shape.width {
                let start = self.place([0, x, row, first, 0]);
                for (z, slice) in out.chunks_exact_mut(shape.width * shape.height).enumerate() {
                    slice[row * shape.width + x] =
                        voxels[start.wrapping_add((self.z as usize).wrapping_mul(z))];
                }
            }
        }
        Ok(())
    }

    /// True if the numbers of a row are one after the other.
    const fn has_dense_rows(&self, channels: usize) -> bool {
        self.channel == 1 && self.x == channels as isize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_beyond_the_slice_are_refused() {
        let dims = Dims::new(4, 3, 2);
        let dense = Strides::dense(dims, 2);
        let counts = [2, 4, 3, 2, 1];
        assert_eq!(dense.check(counts, 48), Ok(()));
        assert_eq!(dense.check(counts, 47), Err(ShapeError::Strides { first: 0, last: 47, actual: 47 }));
        // Flipped along x: from the last voxel of the row to the first.
        let flipped = Strides { first: 6, x: -2, ..dense };
        assert_eq!(flipped.check(counts, 48), Ok(()));
        let before = Strides { first: 5, ..flipped };
        assert_eq!(before.check(counts, 48), Err(ShapeError::Strides { first: -1, last: 46, actual: 48 }));
        // Nothing overflows.
        for step in [isize::MIN, isize::MAX] {
            let far = Strides { first: usize::MAX, channel: step, x: step, y: step, z: step, frame: step };
            assert!(far.check([usize::MAX; 5], usize::MAX).is_err());
        }
    }
}
