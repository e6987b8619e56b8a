//! The volume that is shown: compressed in memory, with what is known of its values.

mod load;
mod values;
mod watched;

pub use load::{Input, Loading, Source};
pub use values::Values;

use crate::state::LookSettings;
use brickwork_volume::{
    Dims, Header, ResidentVolume, Task,
    render::{Display, DisplayBricks as _, RenderError, Renderer, ResidentBricks, Up},
};
use std::sync::Arc;

/// One frame and channel of a volume.
pub struct Volume {
    /// What the file says.
    pub header: Header,
    /// The frame and the channel.
    pub part: [usize; 2],
    /// Where other frames and channels come from.
    pub source: Option<Arc<Source>>,
    /// The bricks.
    pub bricks: Arc<ResidentBricks>,
    /// Which axis is up, as far as the file tells.
    pub up: Up,
    /// The box in which something shows at first, from each axis' first to its last position in voxels.
    pub home: [[f64; 2]; 3],
    /// How often each value occurs.
    pub values: Values,
}

impl Volume {
    /// Looks at every brick.
    fn new(
        header: Header,
        part: [usize; 2],
        source: Option<Arc<Source>>,
        resident: ResidentVolume,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let bricks = Arc::new(ResidentBricks::new(Arc::new(resident), task)?);
        let values = Values::new(&*bricks, task)?;
        let Dims { x, y, z } = header.dims;
        let home = [x, y, z].map(|side| [0.0, side as f64]);
        let mut volume = Self { header, part, source, up: Up::default(), home, bricks, values };
        volume.home = volume.occupied(task)?.unwrap_or(home);
        Ok(volume)
    }

    /// The box in which something shows of what suits the volume.
    fn occupied(&self, task: &Task<'_>) -> Result<Option<[[f64; 2]; 3]>, RenderError> {
        let Ok(look) = LookSettings::suited_to(self).look(self) else { return Ok(None) };
        let Some(focus) = Renderer::new(self.bricks.clone(), look, task)?.focus(task)? else {
            return Ok(None);
        };
        let ends = |axis: usize| {
            let along = || focus.points().iter().map(|point| point[axis]);
            [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
        };
        Ok(Some([ends(0), ends(1), ends(2)]))
    }

    /// Voxels along each axis.
    pub fn dims(&self) -> Dims {
        self.bricks.dims()
    }

    /// From display values to numbers.
    pub fn display(&self) -> Display {
        self.bricks.display()
    }

    /// Bytes of memory of the compressed volume.
    pub fn byte_count(&self) -> usize {
        self.bricks.volume().byte_count()
    }

    /// Bytes of the voxels shown, uncompressed.
    pub fn raw_bytes(&self) -> u64 {
        let Dims { x, y, z } = self.dims();
        (x * y * z * self.header.voxel_type.byte_count()) as u64
    }
}

/// Voxels in memory as a volume, for tests.
#[cfg(test)]
pub fn of_voxels<T: brickwork_volume::Voxel>(
    voxels: &[T],
    header: Header,
) -> Result<Volume, Box<dyn std::error::Error>> {
    let view = brickwork_volume::VolumeView::new(voxels, header.dims)?;
    let resident = ResidentVolume::from_voxels(view, header.kind, &Default::default(), &Task::new())?;
    Ok(Volume::new(header, [0, 0], None, resident, &Task::new())?)
}
