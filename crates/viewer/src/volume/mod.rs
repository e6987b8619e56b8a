//! The loaded volume: compressed in memory, with the frequencies of its values.

mod load;
mod values;

pub use load::{Input, Loading};
pub use values::Values;

use brickwork_toolkit::volume::{CompressedInput, LoadedVolume, LookOptions, Scene};
use brickwork_volume::{
    Dims, ErrorKind, Header, Task,
    render::{Display, RenderError, Up},
};
use std::sync::Arc;

/// One frame and channel of a volume.
pub struct Volume {
    /// The voxels.
    pub loaded: Arc<LoadedVolume>,
    /// The frame and the channel.
    pub part: [usize; 2],
    /// The file, if it has other frames and channels.
    pub source: Option<CompressedInput>,
    /// The box in which something shows at first, from each axis' first to its last position in voxels.
    pub home: [[f64; 2]; 3],
    /// The frequencies of values.
    pub values: Values,
}

impl Volume {
    /// Looks at every brick.
    fn new(
        loaded: LoadedVolume,
        part: [usize; 2],
        source: Option<CompressedInput>,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let loaded = Arc::new(loaded);
        let values = Values::new(&loaded, task)?;
        let Dims { x, y, z } = loaded.dims();
        let whole = [x, y, z].map(|side| [0.0, side as f64]);
        let home = occupied(&loaded, task)?.unwrap_or(whole);
        Ok(Self { loaded, part, source, home, values })
    }

    /// Returns the header of the frame and channel.
    pub fn header(&self) -> &Header {
        self.loaded.header()
    }

    /// Returns the axis that is up, unless the user chooses another one.
    pub fn up(&self) -> Up {
        self.loaded.up()
    }

    /// Returns the voxels along each axis.
    pub fn dims(&self) -> Dims {
        self.loaded.dims()
    }

    /// Returns the conversion from display values to numbers.
    pub fn display(&self) -> Display {
        self.loaded.display()
    }

    /// Returns the number of bytes of memory of the compressed volume.
    pub fn byte_count(&self) -> usize {
        self.loaded.resident().map_or(0, |volume| volume.byte_count())
    }

    /// Returns the number of bytes of the voxels shown, uncompressed.
    pub fn raw_bytes(&self) -> u64 {
        let Dims { x, y, z } = self.dims();
        (x * y * z * self.header().voxel_type.byte_count()) as u64
    }
}

/// Returns the box of everything visible with the look that suits the volume.
fn occupied(volume: &Arc<LoadedVolume>, task: &Task<'_>) -> Result<Option<[[f64; 2]; 3]>, RenderError> {
    let scene = match Scene::new(Arc::clone(volume), &LookOptions::default(), task) {
        Ok(scene) => scene,
        // Nothing suits a volume of one value.
        Err(error) if error.kind() == ErrorKind::Argument => return Ok(None),
        Err(error) => return Err(error),
    };
    let Some(focus) = scene.camera(task)?.focus else { return Ok(None) };
    let ends = |axis: usize| {
        let along = || focus.points().iter().map(|point| point[axis]);
        [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
    };
    Ok(Some([ends(0), ends(1), ends(2)]))
}

/// Returns the voxels in memory as a volume, for tests.
#[cfg(test)]
pub fn of_voxels<T: brickwork_volume::Voxel>(
    voxels: &[T],
    header: Header,
) -> Result<Volume, Box<dyn std::error::Error>> {
    let (view, task) = (brickwork_volume::VolumeView::new(voxels, header.dims)?, Task::new());
    let resident =
        brickwork_volume::ResidentVolume::from_voxels(view, header.kind, &Default::default(), &task)?;
    let loaded = LoadedVolume::of_resident(header, Up::default(), resident, &task)?;
    Ok(Volume::new(loaded, [0, 0], None, &task)?)
}
