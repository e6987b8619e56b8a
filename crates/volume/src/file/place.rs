//! Putting the values of bricks where a region's voxels lie in memory.

use super::group::Values;
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
    /// Puts the values of the brick of `side` voxels at `corner`, as ordinals that `ordinal` makes of them.
    #[inline(always)]
    pub fn put(
        &mut self,
        (x, y, z): (usize, usize, usize),
        side: usize,
        values: Values,
        ordinal: impl Fn(u32) -> u32,
    ) {
        let region = self.region;
        let width = region.x.len();
        let is_whole = |start: usize, range: &Range<usize>| range.start <= start && start + side <= range.end;
        if self.channels == 1
            && T::TYPE.plane_count() == 1
            && is_whole(x, &region.x)
            && is_whole(y, &region.y)
            && is_whole(z, &region.z)
        {
            let start = (y - self.first.0) * width + x - region.x.start;
            let slices = &mut self.slices[z - self.first.1..];
            return put_whole(slices, start, width, side, values, |value| {
                T::from_ordinal(ordinal(value).into())
            });
        }
        let from = region.x.start.max(x);
        let to = region.x.end.min(x + side);
        for z in region.z.start.max(z)..region.z.end.min(z + side) {
            for y in region.y.start.max(y)..region.y.end.min(y + side) {
                let row = side * (y % side + side * (z % side));
                let start = (y - self.first.0) * width + from - region.x.start;
                let voxels = &mut self.slices[z - self.first.1][start * self.channels..];
                let voxels = voxels.iter_mut().skip(self.channel).step_by(self.channels);
                for (i, voxel) in (row + from % side..row + from % side + to - from).zip(voxels) {
                    *voxel = voxel.with_plane(self.plane, ordinal(values.get(i)));
                }
            }
        }
    }
}

/// Puts a whole brick into `slices` of rows of `width`, from place `start` of each on.
#[inline(always)]
fn put_whole<T: Voxel>(
    slices: &mut [&mut [T]],
    start: usize,
    width: usize,
    side: usize,
    values: Values,
    voxel: impl Fn(u32) -> T,
) {
    match (values, side) {
        (Values::Constant, 4) => put_rows(slices, start, width, &[[voxel(0); 4]; 16], |&row| row),
        (Values::Constant, _) => put_rows(slices, start, width, &[[voxel(0); 8]; 64], |&row| row),
        (Values::Narrow(values), 4) => {
            let rows = values.as_chunks::<4>().0;
            put_rows(slices, start, width, rows, |row| row.map(|value| voxel(value.into())));
        }
        (Values::Narrow(values), _) => {
            let rows = values.as_chunks::<8>().0;
            put_rows(slices, start, width, rows, |row| row.map(|value| voxel(value.into())));
        }
        (Values::Wide(values), 4) => {
            put_rows(slices, start, width, values.as_chunks::<4>().0, |row| row.map(&voxel));
        }
        (Values::Wide(values), _) => {
            put_rows(slices, start, width, values.as_chunks::<8>().0, |row| row.map(&voxel));
        }
    }
}

/// Puts the `rows` of a brick of `SIDE`³ voxels.
#[inline(always)]
fn put_rows<T: Voxel, V, const SIDE: usize>(
    slices: &mut [&mut [T]],
    start: usize,
    width: usize,
    rows: &[[V; SIDE]],
    voxels: impl Fn(&[V; SIDE]) -> [T; SIDE],
) {
    for (slice, rows) in slices.iter_mut().zip(rows.as_chunks::<SIDE>().0) {
        for (y, row) in rows.iter().enumerate() {
            let start = start + y * width;
            let out: &mut [T; SIDE] = (&mut slice[start..start + SIDE]).try_into().expect("a row");
            *out = voxels(row);
        }
    }
}

/// Whether the cube of `side` voxels at `corner` has a voxel of `region`.
pub(super) fn meets(region: &Region, (x, y, z): (usize, usize, usize), side: usize) -> bool {
    let meets = |start: usize, range: &Range<usize>| start < range.end && range.start < start + side;
    meets(x, &region.x) && meets(y, &region.y) && meets(z, &region.z)
}
