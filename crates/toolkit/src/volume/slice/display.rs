//! A slice of a volume in memory, in grey or in the colours of labels.

use super::SlicePlane;
#[cfg(feature = "files")]
use brickwork_base::Threads;
use brickwork_base::{Cancelled, Task};
use brickwork_volume::render::{Display, DisplayBricks, label_color};
#[cfg(feature = "files")]
use rayon::prelude::*;

/// Number of values between two checks for cancellation.
const VALUES_AT_A_TIME: usize = 1 << 18;

/// Display values of a slice, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SliceValues {
    /// Values per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The display values.
    pub values: Vec<u16>,
}

/// Colours of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SliceColors {
    /// Black at the first number, and white at the second.
    Window([f64; 2]),
    /// Labels in distinct colours; 0 is black.
    Labels,
}

impl SlicePlane {
    /// Decodes slice `index` from the bricks that it intersects. An index outside the volume means the last
    /// slice. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn read(
        &self,
        bricks: &dyn DisplayBricks,
        index: usize,
        task: &Task<'_>,
    ) -> Result<SliceValues, Cancelled> {
        let dims = bricks.dims();
        let index = index.min(self.count(dims) - 1);
        let [width, height] = self.size(dims);
        let mut values = vec![0; width * height];
        // Rows of bricks in the order of the volume. Flips are applied last.
        let decode_row = |(row, values): (usize, &mut [u16])| -> Result<(), Cancelled> {
            task.check()?;
            let mut brick = [index / 4; 3];
            brick[self.down.axis] = row;
            for column in 0..width.div_ceil(4) {
                brick[self.across.axis] = column;
                let mut found = [0; 64];
                bricks.brick(brick.map(|place| place as u32), &mut found);
                for (y, line) in values.chunks_exact_mut(width).enumerate() {
                    for (x, value) in line[4 * column..].iter_mut().take(4).enumerate() {
                        let mut at = [index % 4; 3];
                        (at[self.across.axis], at[self.down.axis]) = (x, y);
                        *value = found[at[0] + 4 * at[1] + 16 * at[2]];
                    }
                }
            }
            Ok(())
        };
        match task.threads() {
            #[cfg(feature = "files")]
            Threads::Pool => values.par_chunks_mut(4 * width).enumerate().try_for_each(decode_row)?,
            _ => values.chunks_mut(4 * width).enumerate().try_for_each(decode_row)?,
        }
        if self.across.is_flipped {
            values.chunks_exact_mut(width).for_each(<[u16]>::reverse);
        }
        if self.down.is_flipped {
            let rows: Vec<_> = values.chunks_exact(width).rev().collect();
            values = rows.concat();
        }
        Ok(SliceValues { width, height, values })
    }
}

impl SliceValues {
    /// Returns red, green, blue and alpha of all pixels. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn colors(
        &self,
        display: &Display,
        colors: SliceColors,
        task: &Task<'_>,
    ) -> Result<Vec<[u8; 4]>, Cancelled> {
        match colors {
            SliceColors::Window(window) => {
                let [low, high] = window.map(|value| display.of_value(value));
                let span = (high - low).max(1e-9);
                let grey =
                    |value: u16| ((f64::from(value) - low) / span * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
                self.map(|value| [grey(value), grey(value), grey(value), 255], task)
            }
            SliceColors::Labels => {
                let color = |label: u16| {
                    let [red, green, blue] = if label == 0 { [0; 3] } else { label_color(label) };
                    [red, green, blue, 255]
                };
                self.map(color, task)
            }
        }
    }

    fn map(&self, color: impl Fn(u16) -> [u8; 4], task: &Task<'_>) -> Result<Vec<[u8; 4]>, Cancelled> {
        let mut colors = Vec::with_capacity(self.values.len());
        for values in self.values.chunks(VALUES_AT_A_TIME) {
            task.check()?;
            colors.extend(values.iter().map(|&value| color(value)));
        }
        Ok(colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_base::CancelToken;
    use brickwork_volume::{Dims, Header, VolumeView, VoxelKind, VoxelType, render::RawBricks};

    use std::{
        sync::Mutex,
        thread::{self, ThreadId},
    };

    const DIMS: Dims = Dims::new(7, 6, 5);

    fn bricks() -> RawBricks {
        let voxels: Vec<u16> = (0..210).collect();
        let view = VolumeView::new(&voxels, DIMS).expect("a volume");
        RawBricks::copy_of(&view, 0, VoxelKind::Intensity, &Task::new()).expect("a channel")
    }

    #[test]
    fn slices_are_the_voxels() {
        let turned = [0.1, 0.99, 0.0, 0.0, 0.1, -0.99, -0.99, 0.1, 0.1];
        for orientation in [Header::new(VoxelType::U8, DIMS).orientation, turned] {
            let header = Header::new(VoxelType::U16, DIMS).with(|header| header.orientation = orientation);
            for plane in SlicePlane::anatomical(&header) {
                for index in 0..plane.count(DIMS) {
                    let slice = plane.read(&bricks(), index, &Task::new()).expect("not cancelled");
                    assert_eq!([slice.width, slice.height], plane.size(DIMS));
                    for (i, &value) in slice.values.iter().enumerate() {
                        let pixel = [i % slice.width, i / slice.width];
                        let [x, y, z] = plane.voxel(DIMS, index, pixel);
                        assert_eq!(usize::from(value), DIMS.index(x, y, z), "{plane:?} {index} {pixel:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn reading_works_on_the_calling_thread_if_asked_and_stops() {
        struct Watched(RawBricks, Mutex<Vec<ThreadId>>);
        impl DisplayBricks for Watched {
            fn dims(&self) -> Dims {
                self.0.dims()
            }
            fn display(&self) -> Display {
                self.0.display()
            }
            fn range(&self, brick: [u32; 3]) -> [u16; 2] {
                self.0.range(brick)
            }
            fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
                self.1.lock().unwrap().push(thread::current().id());
                self.0.brick(brick, values);
            }
        }
        let (plane, watched) = (SlicePlane::stored(2), Watched(bricks(), Mutex::default()));
        let task = Task::new().with_threads(Threads::Calling);
        plane.read(&watched, 0, &task).unwrap();
        let token = CancelToken::new();
        token.cancel();
        for task in [task, Task::new()] {
            let task = task.with_cancel(&token);
            assert_eq!(plane.read(&watched, 0, &task), Err(Cancelled));
            let slice = SliceValues { width: 1, height: 1, values: vec![0] };
            assert_eq!(slice.colors(&watched.display(), SliceColors::Labels, &task), Err(Cancelled));
        }
        assert_eq!(*watched.1.lock().unwrap(), [thread::current().id(); 4]);
    }

    #[test]
    fn windows_and_labels_have_colours() {
        let slice = SliceValues { width: 4, height: 1, values: vec![0, 50, 100, 60000] };
        let display = Display::new(VoxelType::U16, VoxelKind::Intensity, 0.0, 0.0);
        let greys = slice.colors(&display, SliceColors::Window([50.0, 150.0]), &Task::new()).unwrap();
        assert_eq!(greys.iter().map(|c| c[0]).collect::<Vec<_>>(), [0, 0, 128, 255]);
        let colors = slice.colors(&display, SliceColors::Labels, &Task::new()).unwrap();
        assert_eq!(colors[0], [0, 0, 0, 255]);
        assert_ne!(colors[1], colors[2]);
    }
}
