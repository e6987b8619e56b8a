//! Putting the values of bricks where a region's voxels lie in memory.

use crate::{Region, Voxel};
use std::ops::Range;

/// One component of the part of a region that a row of groups covers, to be filled.
pub(super) struct Place<'r, 'v, T> {
    pub region: &'r Region,
    /// The first y and z of this part.
    pub first: (usize, usize),
    /// The region's voxels slice by slice, from the first y on.
    pub slices: Vec<&'v mut [T]>,
    /// Numbers a voxel, and which is meant.
    pub channels: usize,
    pub channel: usize,
    /// The plane of the number.
    pub plane: usize,
}

impl<T: Voxel> Place<'_, '_, T> {
    /// Puts the values of the brick at `corner`, as ordinals that `ordinal` makes of them.
    #[inline(always)]
    pub fn put<const SIDE: usize>(
        &mut self,
        (x, y, z): (usize, usize, usize),
        values: &[u32],
        ordinal: impl Fn(u32) -> u32,
    ) {
        let region = self.region;
        let width = region.x.len();
        let is_whole = |start: usize, range: &Range<usize>| range.start <= start && start + SIDE <= range.end;
        if self.channels == 1 && is_whole(x, &region.x) && is_whole(y, &region.y) && is_whole(z, &region.z) {
            let start = (y - self.first.0) * width + x - region.x.start;
            let slices = self.slices[z - self.first.1..].iter_mut();
            for (slice, values) in slices.zip(values.chunks_exact(SIDE * SIDE)) {
                for (y, values) in values.as_chunks::<SIDE>().0.iter().enumerate() {
                    let start = start + y * width;
                    for (voxel, value) in slice[start..start + SIDE].iter_mut().zip(values) {
                        *voxel = voxel.with_plane(self.plane, ordinal(*value));
                    }
                }
            }
            return;
        }
        let from = region.x.start.max(x);
        let to = region.x.end.min(x + SIDE);
        for z in region.z.start.max(z)..region.z.end.min(z + SIDE) {
            for y in region.y.start.max(y)..region.y.end.min(y + SIDE) {
                let row = SIDE * (y % SIDE + SIDE * (z % SIDE));
                let values = &values[row + from % SIDE..][..to - from];
                let start = (y - self.first.0) * width + from - region.x.start;
                let voxels = &mut self.slices[z - self.first.1][start * self.channels..];
                let voxels = voxels.iter_mut().skip(self.channel).step_by(self.channels);
                for (voxel, value) in voxels.zip(values) {
                    *voxel = voxel.with_plane(self.plane, ordinal(*value));
                }
            }
        }
    }
}

/// Whether the cube of `side` voxels at `corner` has a voxel of `region`.
pub(super) fn meets(region: &Region, (x, y, z): (usize, usize, usize), side: usize) -> bool {
    let meets = |start: usize, range: &Range<usize>| start < range.end && range.start < start + side;
    meets(x, &region.x) && meets(y, &region.y) && meets(z, &region.z)
}
