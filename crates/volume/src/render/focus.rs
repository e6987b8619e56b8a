//! The part of a volume that fills the rendering.

use super::space::Occupancy;
use crate::{Cancelled, Dims, Task};

/// Side in cells of small volumes, in which half a cell that is cut off can be seen.
const SMALL_CELLS: usize = 32;

/// The part that fills a rendering: points within its edges, and the middle of the box around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Focus {
    middle: [f64; 3],
    points: Vec<[f64; 3]>,
}

impl Focus {
    /// Returns the box of a whole volume.
    pub fn all(dims: Dims) -> Self {
        let sides = [dims.x, dims.y, dims.z].map(|side| side as f64);
        Self::of_box(sides.map(|side| [0.0, side]))
    }

    /// Returns a box of voxels: the start and the end along each axis.
    pub fn of_box(ends: [[f64; 2]; 3]) -> Self {
        let points = (0..8).map(|i| [ends[0][i & 1], ends[1][i >> 1 & 1], ends[2][i >> 2]]).collect();
        Self { middle: ends.map(|[first, last]| (first + last) / 2.0), points }
    }

    /// Returns the occupied cells of a volume of `dims` voxels, except outliers: along each axis, a
    /// thousandth of them on either side. `None` if none are. Points are the ends of each row of cells, which
    /// have the convex hull of all.
    pub(super) fn of_occupied(
        occupancy: &Occupancy,
        dims: Dims,
        task: &Task<'_>,
    ) -> Result<Option<Self>, Cancelled> {
        let cells = occupancy.dims();
        let sides = [cells.x, cells.y, cells.z];
        let mut counts = sides.map(|side| vec![0u64; side]);
        let occupied = || {
            let rows = (0..cells.z).flat_map(|z| (0..cells.y).map(move |y| (y, z)));
            // After a cancellation, the rest is skipped.
            let rows = rows.take_while(|_| !task.is_cancelled());
            let places = rows.flat_map(|(y, z)| (0..cells.x).map(move |x| [x, y, z]));
            places.filter(|place| occupancy.has_cell(place.map(|place| place as u32)))
        };
        for place in occupied() {
            for (counts, place) in counts.iter_mut().zip(place) {
                counts[place] += 1;
            }
        }
        let kept = counts.map(|counts| {
            let few = counts.iter().sum::<u64>() / 1000;
            let mut sum = 0;
            let mut is_few = |count: &&u64| {
                sum += **count;
                sum <= few
            };
            let first = counts.iter().take_while(&mut is_few).count();
            sum = 0;
            let mut is_few = |count: &&u64| {
                sum += **count;
                sum <= few
            };
            let last = counts.iter().rev().take_while(&mut is_few).count();
            first..counts.len() - last
        });
        let voxels = [dims.x, dims.y, dims.z].map(|side| side as f64);
        let is_small = kept.iter().all(|kept| kept.len() < SMALL_CELLS);
        // The points of a row of cells.
        let points_of = |[first, last]: [[usize; 3]; 2]| -> Vec<[f64; 3]> {
            let at =
                |axis: usize, place: usize, part: f64| (4.0 * place as f64 + part).clamp(0.0, voxels[axis]);
            if !is_small {
                // Samples that show are anywhere in a cell: the middle represents them.
                return [first, last]
                    .map(|place| std::array::from_fn(|axis| at(axis, place[axis], 2.5)))
                    .into();
            }
            // The first cells also have the half voxel before them.
            let start = |axis: usize| if first[axis] == 0 { 0.0 } else { at(axis, first[axis], 0.5) };
            let ends: [[f64; 2]; 3] = std::array::from_fn(|axis| [start(axis), at(axis, last[axis], 4.5)]);
            Self::of_box(ends).points
        };
        let is_kept = |place: &[usize; 3]| (0..3).all(|axis| kept[axis].contains(&place[axis]));
        let mut points: Vec<[f64; 3]> = Vec::new();
        let mut row: Option<[[usize; 3]; 2]> = None;
        for place in occupied().filter(is_kept) {
            match &mut row {
                Some([_, last]) if last[1..] == place[1..] => *last = place,
                _ => {
                    points.extend(row.into_iter().flat_map(points_of));
                    row = Some([place, place]);
                }
            }
        }
        points.extend(row.into_iter().flat_map(points_of));
        task.check()?;
        let middle = std::array::from_fn(|axis| {
            let along = || points.iter().map(|point| point[axis]);
            f64::midpoint(along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max))
        });
        Ok((!points.is_empty()).then_some(Self { middle, points }))
    }

    /// Returns the middle, in voxels.
    pub const fn middle(&self) -> [f64; 3] {
        self.middle
    }

    /// Returns the points, in voxels.
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CancelToken, VolumeView, VoxelKind,
        render::{RawBricks, space::CellRanges},
    };

    #[test]
    fn a_focus_is_around_what_shows() {
        let dims = Dims::new(40, 30, 20);
        let voxels: Vec<u8> = (0..40 * 30 * 20)
            .map(|i| {
                let (x, y, z) = dims.position(i);
                if (12..28).contains(&x) && (8..16).contains(&y) && z > 11 { 9 } else { 0 }
            })
            .collect();
        let (view, task) = (VolumeView::new(&voxels, dims).expect("a volume"), Task::new());
        let bricks = RawBricks::copy_of(&view, 0, VoxelKind::Intensity, &task).expect("a channel");
        let ranges = CellRanges::new(&bricks, false, &task).expect("not cancelled");
        let focus_above = |least| {
            let occupancy = Occupancy::new(&ranges, |[_, largest]| largest > least, &task)?;
            Focus::of_occupied(&occupancy, dims, &task)
        };
        let focus = focus_above(0).expect("not cancelled").expect("something shows");
        assert_eq!(focus.middle(), [(12.5 + 28.5) / 2.0, (8.5 + 16.5) / 2.0, (12.5 + 20.0) / 2.0]);
        // Four rows of cells, with the corners of each.
        assert_eq!(focus.points().len(), 4 * 8);
        assert_eq!(focus_above(9), Ok(None));
        assert_eq!(Focus::all(dims).middle(), [20.0, 15.0, 10.0]);
    }

    #[test]
    fn a_small_volume_shows_its_first_and_last_half_voxels() {
        let (dims, task) = (Dims::new(8, 8, 5), Task::new());
        let voxels = vec![9u8; 8 * 8 * 5];
        let view = VolumeView::new(&voxels, dims).expect("a volume");
        let bricks = RawBricks::copy_of(&view, 0, VoxelKind::Intensity, &task).expect("a channel");
        let ranges = CellRanges::new(&bricks, false, &task).expect("not cancelled");
        let occupancy = Occupancy::new(&ranges, |_| true, &task).expect("not cancelled");
        let focus = Focus::of_occupied(&occupancy, dims, &task).expect("not cancelled").expect("voxels");
        for (axis, side) in [8.0, 8.0, 5.0].into_iter().enumerate() {
            let along = || focus.points().iter().map(|point| point[axis]);
            assert_eq!(along().fold(f64::INFINITY, f64::min), 0.0, "{axis}");
            assert_eq!(along().fold(0.0, f64::max), side, "{axis}");
        }
        let token = CancelToken::new();
        token.cancel();
        let cancelled = Focus::of_occupied(&occupancy, dims, &Task::new().with_cancel(&token));
        assert_eq!(cancelled, Err(Cancelled));
    }
}
