//! The volume that is shown: compressed in memory, with what is known of its values.

mod load;
mod narrow;
mod values;
mod watched;

pub use load::{Input, Loading, Source};
pub use values::Values;

use crate::state::LookSettings;
use brickwork_volume::{
    Dims, Header, ResidentVolume,
    render::{Display, DisplayBricks, Renderer, ResidentBricks, Up},
};
use rayon::prelude::*;
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
    pub resident: Arc<ResidentVolume>,
    /// Which axis is up, as far as the file tells.
    pub up: Up,
    /// The box in which something shows at first, from each axis' first to its last position in voxels.
    pub home: [[f64; 2]; 3],
    /// How often each value occurs.
    pub values: Values,
    display: Display,
    /// Bounds of the display values of each brick.
    ranges: Vec<[u16; 2]>,
}

impl Volume {
    /// Looks at every brick.
    fn new(header: Header, part: [usize; 2], source: Option<Arc<Source>>, resident: ResidentVolume) -> Self {
        let (display, values) = {
            let bricks = ResidentBricks::new(&resident);
            (bricks.display(), Values::new(&bricks))
        };
        let bricks = resident.bricks();
        let count = bricks.x * bricks.y * bricks.z;
        let range = |i| {
            let (x, y, z) = bricks.position(i);
            let brick = resident.brick([x, y, z]);
            brick.map_or([0; 2], |brick| display.range(brick.ordinals[0], brick.ordinals[1]))
        };
        let ranges = (0..count).into_par_iter().map(range).collect();
        let resident = Arc::new(resident);
        let Dims { x, y, z } = header.dims;
        let home = [x, y, z].map(|side| [0.0, side as f64]);
        let mut volume =
            Self { header, part, source, up: Up::default(), home, resident, values, display, ranges };
        volume.home = volume.occupied().unwrap_or(home);
        volume
    }

    /// The box in which something shows of what suits the volume.
    fn occupied(&self) -> Option<[[f64; 2]; 3]> {
        let look = LookSettings::suited_to(self).look(self).ok()?;
        let focus = Renderer::new(self, look).focus()?;
        let ends = |axis: usize| {
            let along = || focus.points().iter().map(|point| point[axis]);
            [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
        };
        Some([ends(0), ends(1), ends(2)])
    }

    /// Voxels along each axis.
    pub fn dims(&self) -> Dims {
        self.resident.dims()
    }

    /// Bytes of the voxels shown, uncompressed.
    pub fn raw_bytes(&self) -> u64 {
        let Dims { x, y, z } = self.dims();
        (x * y * z * self.header.voxel_type.byte_count()) as u64
    }
}

impl DisplayBricks for Volume {
    fn dims(&self) -> Dims {
        self.resident.dims()
    }

    fn display(&self) -> Display {
        self.display
    }

    fn range(&self, [x, y, z]: [u32; 3]) -> [u16; 2] {
        self.ranges[self.resident.bricks().index(x as usize, y as usize, z as usize)]
    }

    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
        let mut ordinals = [0; 64];
        if self.resident.brick_ordinals(brick.map(|place| place as usize), &mut ordinals).is_err() {
            return values.fill(0);
        }
        for (value, ordinal) in values.iter_mut().zip(ordinals) {
            *value = self.display.display(ordinal);
        }
    }
}

/// Voxels in memory as a volume, for tests.
#[cfg(test)]
pub fn of_voxels<T: brickwork_volume::Voxel>(
    voxels: &[T],
    header: Header,
) -> Result<Volume, brickwork_volume::VolumeReadError> {
    let view = brickwork_volume::VolumeView::new(voxels, header.dims)?;
    let resident =
        ResidentVolume::from_voxels(view, header.kind, &Default::default(), &brickwork_volume::Task::new())?;
    Ok(Volume::new(header, [0, 0], None, resident))
}
