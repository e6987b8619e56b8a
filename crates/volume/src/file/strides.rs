//! Voxels somewhere in memory: how far apart neighbours are.

use crate::Dims;

/// How far apart numbers lie in a slice, counted in numbers. Default: all 0.
///
/// A dense array of `dims` voxels with `n` channels has the strides 1, n, n × dims.x, n × dims.x × dims.y and
/// n × dims.x × dims.y × dims.z, which [`Strides::dense`] gives. One that is stored with z fastest, as
/// `ndarray` stores an array indexed `[[x, y, z]]`, has dims.y × dims.z for x, dims.z for y, 1 for z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strides {
    /// Where the first number goes.
    pub first: usize,
    /// From a channel to the next.
    pub channel: usize,
    /// From a voxel to the next along x.
    pub x: usize,
    /// From a row to the next.
    pub y: usize,
    /// From a slice to the next.
    pub z: usize,
    /// From a frame to the next.
    pub frame: usize,
}

impl Strides {
    /// Those of volumes of `dims` voxels, one after the other, of which each voxel has its `channels` side by
    /// side.
    pub const fn dense(dims: Dims, channels: usize) -> Self {
        let Dims { x, y, z } = dims;
        let row = channels.saturating_mul(x);
        let slice = row.saturating_mul(y);
        Self { first: 0, channel: 1, x: channels, y: row, z: slice, frame: slice.saturating_mul(z) }
    }

    const fn steps(&self) -> [usize; 5] {
        [self.channel, self.x, self.y, self.z, self.frame]
    }

    /// The place after the last, of so many channels, voxels along x, y and z, and frames, none of them 0.
    pub(super) fn end(&self, counts: [usize; 5]) -> Option<usize> {
        let places = self.steps().into_iter().zip(counts).map(|(step, count)| step.checked_mul(count - 1));
        places.fold(self.first.checked_add(1), |end, place| end?.checked_add(place?))
    }

    /// Puts the numbers of `slab`, so many channels, voxels and rows to a slice, where they belong. `first`
    /// is where it starts in the whole. All places must lie before [`end`](Self::end).
    pub(super) fn scatter<T: Copy>(
        &self,
        slab: &[T],
        [channels, width, height]: [usize; 3],
        first: [usize; 5],
        voxels: &mut [T],
    ) {
        let start: usize = self.steps().iter().zip(first).map(|(step, place)| step * place).sum();
        for (i, row) in slab.chunks_exact(channels * width).enumerate() {
            let row_start = self.first + start + self.y * (i % height) + self.z * (i / height);
            for (x, voxel) in row.chunks_exact(channels).enumerate() {
                for (channel, &number) in voxel.iter().enumerate() {
                    voxels[row_start + self.x * x + self.channel * channel] = number;
                }
            }
        }
    }
}
