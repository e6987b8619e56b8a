//! Options of a slice of an open volume.

use super::SlicePlane;
use crate::volume::VolumeError;
use brickwork_volume::Header;

/// The axis that a slice is perpendicular to: one of the volume, or one of the patient's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there are three of either kind")]
pub enum Axis {
    /// The fastest axis in memory.
    X,
    /// The axis of rows.
    Y,
    /// The axis of slices.
    #[default]
    Z,
    /// From feet to head: the front is up.
    Axial,
    /// From front to back: the head is up.
    Coronal,
    /// From right to left: the head is up, and the front is on the left.
    Sagittal,
}

/// Options of a slice. Default: the middle slice across z, in true proportions with the head up, in a window
/// that suits it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SliceOptions {
    axis: Axis,
    index: Option<usize>,
    pub(super) window: Option<[f64; 2]>,
    pub(super) stored_values: bool,
    pub(super) stored_pixels: bool,
}

impl SliceOptions {
    /// Returns the default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the axis that the slice is perpendicular to. Those of the patient are the axes of the volume that
    /// are nearest to them. Default: z.
    #[must_use]
    pub fn with_axis(self, axis: Axis) -> Self {
        Self { axis, ..self }
    }

    /// Sets the index of the slice along its axis. Default: `None`, the middle one.
    #[must_use]
    pub fn with_index(self, index: Option<usize>) -> Self {
        Self { index, ..self }
    }

    /// Sets the values that are black and white: physical values where the file says how to compute them,
    /// else stored numbers. Default: `None`, the window of DICOM, else the slice's values without the
    /// smallest and the largest half percent.
    #[must_use]
    pub fn with_window(self, window: Option<[f64; 2]>) -> Self {
        Self { window, ..self }
    }

    /// Takes the numbers of the window for stored numbers. Default: false.
    #[must_use]
    pub fn with_stored_values(self, stored_values: bool) -> Self {
        Self { stored_values, ..self }
    }

    /// Makes one pixel of each voxel, in the order in which they are stored. Default: false, pictures have
    /// true proportions and the head up.
    #[must_use]
    pub fn with_stored_pixels(self, stored_pixels: bool) -> Self {
        Self { stored_pixels, ..self }
    }

    /// Returns the index of the slice of a volume.
    ///
    /// # Errors
    /// [`VolumeError::NoSlice`] if there is no such slice; [`VolumeError::NoDirections`] for a plane of the
    /// patient if the scan's directions are not known.
    pub fn index(&self, header: &Header) -> Result<usize, VolumeError> {
        if matches!(self.axis, Axis::Axial | Axis::Coronal | Axis::Sagittal) && !header.is_anatomical() {
            return Err(VolumeError::NoDirections);
        }
        let count = self.plane(header).count(header.dims);
        let index = self.index.unwrap_or(count / 2);
        if index < count { Ok(index) } else { Err(VolumeError::NoSlice { index, count }) }
    }

    /// Returns the plane of the slice, as the picture shows it.
    pub(super) fn plane(&self, header: &Header) -> SlicePlane {
        let stored = |axis| {
            let plane = SlicePlane::stored(axis);
            if self.stored_pixels { plane } else { plane.upright(header) }
        };
        let anatomical = SlicePlane::anatomical(header);
        let patient =
            |plane: SlicePlane| if self.stored_pixels { SlicePlane::stored(plane.normal) } else { plane };
        match self.axis {
            Axis::X => stored(0),
            Axis::Y => stored(1),
            Axis::Z => stored(2),
            Axis::Axial => patient(anatomical[0]),
            Axis::Coronal => patient(anatomical[1]),
            Axis::Sagittal => patient(anatomical[2]),
        }
    }
}
