//! Description of a volume, in NumPy's order of axes.

use brickwork_volume::{self as volume, BrickSize, Region, Rescale, Selection, VoxelKind};
use pyo3::{exceptions::PyValueError, prelude::*};

/// Description of a volume.
#[pyclass(frozen)]
#[derive(Clone, Debug)]
pub struct Header(pub volume::Header);

#[pymethods]
impl Header {
    /// Name of NumPy's type.
    #[getter]
    const fn dtype(&self) -> &'static str {
        self.0.voxel_type.numpy_name()
    }

    /// Number of frames; z, y, x of a mip level; number of channels.
    fn shape(&self, mip_level: usize) -> (usize, usize, usize, usize, usize) {
        let dims = self.0.mip_level_dims(mip_level);
        (self.0.frames, dims.z, dims.y, dims.x, self.0.channels)
    }

    /// Number of mip levels.
    #[getter]
    const fn mip_levels(&self) -> usize {
        self.0.mip_levels
    }

    /// Size of bricks.
    #[getter]
    const fn brick(&self) -> &'static str {
        brick_name(self.0.brick)
    }

    /// True for labels.
    #[getter]
    fn labels(&self) -> bool {
        self.0.kind == VoxelKind::Labels
    }

    /// Distances between voxels along z, y, x.
    #[getter]
    const fn spacing(&self) -> (f64, f64, f64) {
        let spacing = self.0.spacing;
        (spacing.z, spacing.y, spacing.x)
    }

    /// Seconds between frames, or 0.
    #[getter]
    const fn frame_spacing(&self) -> f64 {
        self.0.frame_spacing
    }

    /// Centre of voxel (0, 0, 0) in the world.
    #[getter]
    const fn origin(&self) -> [f64; 3] {
        self.0.origin
    }

    /// Directions of z, y and x in the world.
    #[getter]
    const fn directions(&self) -> [[f64; 3]; 3] {
        let [a, b, c, d, e, f, g, h, i] = self.0.orientation;
        [[g, h, i], [d, e, f], [a, b, c]]
    }

    /// Description of a mip level as a volume: its distances between voxels, and its position.
    fn at_level(&self, mip_level: usize) -> Self {
        let region = Region::all(self.0.mip_level_dims(mip_level));
        Self(self.0.of_part(&Selection { mip_level, ..Selection::default() }, &region))
    }

    /// Slope and intercept from stored numbers to physical values, if all slices have the same.
    #[getter]
    fn rescale(&self) -> Option<(f64, f64)> {
        let Rescale { slope, intercept } = self.0.rescaling()?.uniform()?;
        Some((slope, intercept))
    }

    /// Other metadata, as the text of a JSON object.
    #[getter]
    fn metadata(&self) -> &str {
        &self.0.metadata
    }
}

/// Returns the size of bricks by its name, or `None` for the smallest result.
///
/// # Errors
/// `ValueError` for other names.
pub fn brick_of(name: &str) -> PyResult<Option<BrickSize>> {
    match name {
        "auto" => Ok(None),
        "4" => Ok(Some(BrickSize::Four)),
        "8" => Ok(Some(BrickSize::Eight)),
        "16x16x1" => Ok(Some(BrickSize::Flat)),
        other => Err(PyValueError::new_err(format!(
            "brick is {other:?}; it must be \"auto\", \"4\", \"8\" or \"16x16x1\""
        ))),
    }
}

/// Returns the name of a size of bricks.
pub const fn brick_name(brick: BrickSize) -> &'static str {
    match brick {
        BrickSize::Four => "4",
        BrickSize::Eight => "8",
        BrickSize::Flat => "16x16x1",
        _ => "unknown",
    }
}
