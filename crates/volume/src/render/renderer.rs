//! A volume prepared for rendering: its look, and the cells that can be visible.

use super::{
    RenderError,
    bricks::DisplayBricks,
    focus::Focus,
    look::{Look, LookMode},
    rays::MAX_SIDE,
    space::{CellRanges, Occupancy},
};
use crate::{Cancelled, Task};
use std::{fmt, sync::Arc};

/// A volume and its look, for rendering any number of views.
pub struct Renderer {
    bricks: Arc<dyn DisplayBricks>,
    look: Look,
    background: [f32; 4],
    ranges: Arc<CellRanges>,
    occupancy: Occupancy,
    is_skipping: bool,
}

impl fmt::Debug for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer").field("look", &self.look).finish_non_exhaustive()
    }
}

impl Renderer {
    /// Prepares a volume for rendering over a transparent background. Reads the range of each brick, and
    /// keeps it: 4 bytes per brick.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] if a side is above [`MAX_SIDE`](super::MAX_SIDE), [`RenderError::Shape`] if
    /// one is 0, [`RenderError::Memory`], [`RenderError::Cancelled`].
    pub fn new(bricks: Arc<dyn DisplayBricks>, look: Look, task: &Task<'_>) -> Result<Self, RenderError> {
        let dims = bricks.dims();
        dims.voxel_count()?;
        if dims.x.max(dims.y).max(dims.z) > MAX_SIDE as usize {
            return Err(RenderError::TooLarge(dims));
        }
        let ranges = Arc::new(CellRanges::new(&*bricks, look.is_interpolated(), task)?);
        Ok(Self::of_ranges(bricks, look, ranges, task)?)
    }

    fn of_ranges(
        bricks: Arc<dyn DisplayBricks>,
        look: Look,
        ranges: Arc<CellRanges>,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        let occupancy = match &look.0 {
            LookMode::Mip { .. } => Occupancy::new(&ranges, |_| true, task),
            LookMode::Dvr { table } => Occupancy::new(&ranges, |range| table.shows(range), task),
            LookMode::Iso { threshold, .. } => {
                Occupancy::new(&ranges, |[_, largest]| u32::from(largest) << 8 >= *threshold, task)
            }
            LookMode::Labels { labels } => Occupancy::new(&ranges, |range| labels.has_any(range), task),
        }?;
        Ok(Self { bricks, look, background: [0.0; 4], ranges, occupancy, is_skipping: true })
    }

    /// Prepares the same volume with another look, over a transparent background. Ranges of bricks are not
    /// read again, except between labels and other looks.
    ///
    /// # Errors
    /// [`RenderError::Memory`], [`RenderError::Cancelled`].
    pub fn with_look(&self, look: Look, task: &Task<'_>) -> Result<Self, RenderError> {
        if look.is_interpolated() != self.look.is_interpolated() {
            return Self::new(Arc::clone(&self.bricks), look, task);
        }
        Ok(Self::of_ranges(Arc::clone(&self.bricks), look, Arc::clone(&self.ranges), task)?)
    }

    /// Takes red, green, blue and straight alpha, from 0 to 1, as the background.
    #[must_use]
    pub fn with_background(self, background: [f32; 4]) -> Self {
        Self { background, ..self }
    }

    /// Visits all cells, also invisible ones, for tests and measurements. The renderings are the same.
    #[must_use]
    pub fn without_skipping(self) -> Self {
        Self { occupancy: Occupancy::full(self.bricks.dims()), is_skipping: false, ..self }
    }

    /// Returns the bricks.
    pub fn bricks(&self) -> &dyn DisplayBricks {
        &*self.bricks
    }

    /// Returns the look.
    pub const fn look(&self) -> &Look {
        &self.look
    }

    /// Returns the background: red, green, blue and straight alpha.
    pub const fn background(&self) -> [f32; 4] {
        self.background
    }

    /// Returns the parts where something may show.
    pub const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Returns the focus for a camera: the clearly visible cells, without outliers. For maximum intensity
    /// projection these are cells with values above the lower quarter of the table. `None` if nothing is
    /// visible.
    ///
    /// # Errors
    /// [`RenderError::Cancelled`].
    pub fn focus(&self, task: &Task<'_>) -> Result<Option<Focus>, RenderError> {
        let of = |shows: &dyn Fn([u16; 2]) -> bool| {
            let occupancy = Occupancy::new(&self.ranges, shows, task)?;
            Focus::of_occupied(&occupancy, self.bricks.dims(), task)
        };
        Ok(match &self.look.0 {
            LookMode::Mip { table } => {
                let least = table.first() + table.span() / 4;
                of(&|[_, largest]| u32::from(largest) << 8 >= least)
            }
            LookMode::Dvr { table } => of(&|range| table.shows_well(range)),
            LookMode::Iso { .. } | LookMode::Labels { .. } => {
                Focus::of_occupied(&self.occupancy, self.bricks.dims(), task)
            }
        }?)
    }

    /// Returns the ranges by which maximum intensity projection skips cells.
    pub(super) fn skipped_ranges(&self) -> Option<&CellRanges> {
        self.is_skipping.then_some(&*self.ranges)
    }
}
