//! Voxels somewhere in memory: the distances between neighbours.

mod gather;

use crate::{Cancelled, Dims, ShapeError, Task};

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
        let mut place = self.first;
        let mut i = 0;
        while i < 5 {
            place = moved(place, steps[i], index[i]);
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
                let start = moved(start, self.x, x);
                for (channel, &number) in voxel.iter().enumerate() {
                    voxels[moved(start, self.channel, channel)] = number;
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
                        voxels[moved(start, self.x, x)] = number;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the lowest place of the numbers of one frame, if they fill a stretch of memory. Axes may have
    /// any order and direction; the channels of a voxel are side by side. The shape was checked.
    pub(crate) fn stretch_start(&self, dims: Dims, channels: usize) -> Option<usize> {
        if channels > 1 && self.channel != 1 {
            return None;
        }
        let mut axes = [(self.x, dims.x), (self.y, dims.y), (self.z, dims.z)];
        axes.sort_unstable_by_key(|(step, _)| step.unsigned_abs());
        let (mut start, mut length) = (self.first, channels);
        for (step, count) in axes.into_iter().filter(|&(_, count)| count > 1) {
            if step.unsigned_abs() != length {
                return None;
            }
            if step < 0 {
                start -= length * (count - 1);
            }
            length *= count;
        }
        Some(start)
    }

    /// True if the numbers of a row are one after the other.
    const fn has_dense_rows(&self, channels: usize) -> bool {
        self.channel == 1 && self.x == channels as isize
    }
}

/// Returns the place that is `count` steps from `place`. (The sum may wrap on the way; modulo 2⁶⁴ it is
/// right.)
const fn moved(place: usize, step: isize, count: usize) -> usize {
    place.wrapping_add((step as usize).wrapping_mul(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_has_no_gaps() {
        let dims = Dims::new(4, 3, 2);
        let start = |strides: Strides| strides.stretch_start(dims, 1);
        let dense = Strides { first: 5, ..Strides::dense(dims, 1) };
        let fortran = Strides { x: 6, y: 2, z: 1, ..dense };
        assert_eq!((start(dense), start(fortran)), (Some(5), Some(5)));
        assert_eq!(start(Strides { first: 8, x: -1, ..dense }), Some(5));
        assert_eq!(start(Strides { first: 6, z: -1, ..fortran }), Some(5));
        assert_eq!(start(Strides { y: 5, z: 15, ..dense }), None);
        assert_eq!(start(Strides { z: 0, ..dense }), None);
        assert_eq!(start(Strides { z: 4, ..dense }), None);
        // The step along an axis of one voxel has no meaning.
        let slice = Dims { z: 1, ..dims };
        assert_eq!(Strides { z: 77, ..dense }.stretch_start(slice, 1), Some(5));
        // Channels side by side, and one after the other.
        assert_eq!(Strides::dense(dims, 3).stretch_start(dims, 3), Some(0));
        let planes = Strides { channel: 24, ..Strides::dense(dims, 1) };
        assert_eq!(planes.stretch_start(dims, 3), None);
    }

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
