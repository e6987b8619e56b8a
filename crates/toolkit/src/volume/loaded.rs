//! A volume in memory, ready for rendering.

use super::VolumeError;
use brickwork_base::Task;
use brickwork_volume::{
    AnyVoxels, Dims, Header, ResidentVolume,
    render::{Display, DisplayBricks, RawBricks, RenderError, ResidentBricks, Survey, Up, WideLabel},
};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// One frame and channel of a volume in memory, ready for rendering: either compressed, or as voxels.
pub struct LoadedVolume {
    header: Header,
    up: Up,
    bricks: Arc<dyn DisplayBricks>,
    resident: Option<Arc<ResidentVolume>>,
    renumbered: Vec<(u32, WideLabel)>,
    survey: OnceLock<Survey>,
}

impl fmt::Debug for LoadedVolume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedVolume").field("header", &self.header).finish_non_exhaustive()
    }
}

impl LoadedVolume {
    /// Prepares a compressed volume. `header` contains its spacing and directions.
    ///
    /// # Errors
    /// As [`ResidentBricks::new`].
    pub fn of_resident(
        header: Header,
        up: Up,
        volume: ResidentVolume,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        let volume = Arc::new(volume);
        let bricks = Arc::new(ResidentBricks::new(Arc::clone(&volume), task)?);
        Ok(Self::new(header, up, bricks, Some(volume)))
    }

    pub(super) fn of_voxels(
        header: Header,
        up: Up,
        voxels: Arc<AnyVoxels>,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        let bricks = Arc::new(RawBricks::new(voxels, header.dims, 1, 0, header.kind, task)?);
        Ok(Self::new(header, up, bricks, None))
    }

    fn new(
        header: Header,
        up: Up,
        bricks: Arc<dyn DisplayBricks>,
        resident: Option<Arc<ResidentVolume>>,
    ) -> Self {
        Self { header, up, bricks, resident, renumbered: Vec::new(), survey: OnceLock::new() }
    }

    pub(super) fn with_renumbered(self, renumbered: Vec<(u32, WideLabel)>) -> Self {
        Self { renumbered, ..self }
    }

    /// Returns the header of the frame and channel. Its type is that of the file, even if 64-bit numbers
    /// became 32-bit numbers.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of voxels along each axis.
    pub fn dims(&self) -> Dims {
        self.bricks.dims()
    }

    /// Returns the axis that points up in renderings, unless the user chooses another one.
    pub const fn up(&self) -> Up {
        self.up
    }

    /// Returns the map from display values to numbers.
    pub fn display(&self) -> Display {
        self.bricks.display()
    }

    /// Returns the bricks of display values.
    pub const fn bricks(&self) -> &Arc<dyn DisplayBricks> {
        &self.bricks
    }

    /// Returns the compressed volume, or `None` if the voxels are not compressed.
    pub const fn resident(&self) -> Option<&Arc<ResidentVolume>> {
        self.resident.as_ref()
    }

    /// Returns 64-bit labels whose number changed, in the order of their values, as pairs of new number and
    /// label.
    pub fn renumbered(&self) -> &[(u32, WideLabel)] {
        &self.renumbered
    }

    /// Returns the values' frequencies, which are counted when they are first needed.
    ///
    /// # Errors
    /// [`RenderError::Cancelled`].
    pub fn survey(&self, task: &Task<'_>) -> Result<&Survey, RenderError> {
        if let Some(survey) = self.survey.get() {
            return Ok(survey);
        }
        let survey = Survey::new(&*self.bricks, task)?;
        Ok(self.survey.get_or_init(|| survey))
    }
}
