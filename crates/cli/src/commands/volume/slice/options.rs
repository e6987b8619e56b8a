//! Options of a slice of an open volume.

use brickwork_toolkit::volume::{SlicePlane, VolumeError};
use brickwork_volume::Header;

/// Axis perpendicular to a slice: one of the volume's axes, x the fastest in memory, or one of the patient's:
/// from feet to head with the front up; from front to back, and from right to left with the front on the
/// left, both with the head up.
// (Comments on variants would be help.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Axis {
    X,
    Y,
    #[default]
    Z,
    Axial,
    Coronal,
    Sagittal,
}

/// Options of a slice. Default: the middle slice across z, in true proportions with the head up, in a
/// suitable window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SliceOptions {
    /// Axis perpendicular to the slice. For an axis of the patient, the nearest axis of the volume is used.
    /// Default: z.
    pub axis: Axis,
    /// Index of the slice along its axis. Default: `None`, the middle slice.
    pub index: Option<usize>,
    /// Values that are black and white. They are physical values if the file states how to compute them, else
    /// stored numbers. Default: `None`, which means the window of DICOM, else the slice's values without the
    /// smallest and the largest half percent.
    pub window: Option<[f64; 2]>,
    /// True to treat the values of the window as stored numbers. Default: false.
    pub stored_values: bool,
    /// True to make one pixel of each voxel, in storage order. Default: false, which means true proportions
    /// and the head up.
    pub stored_pixels: bool,
    /// True to draw letters at the edges of the picture: right, left, anterior, posterior, superior and
    /// inferior of the patient. Default: false.
    pub marks: bool,
}

impl SliceOptions {
    /// Returns the index of the slice of a volume.
    ///
    /// # Errors
    /// [`VolumeError::NoSlice`] if there is no such slice; [`VolumeError::NoDirections`] for marks or a plane
    /// of the patient if the scan's directions are not known.
    pub fn index(&self, header: &Header) -> Result<usize, VolumeError> {
        let is_of_patient = matches!(self.axis, Axis::Axial | Axis::Coronal | Axis::Sagittal);
        if (is_of_patient || self.marks) && !header.is_anatomical() {
            return Err(VolumeError::NoDirections);
        }
        let count = self.plane(header).count(header.dims);
        let index = self.index.unwrap_or(count / 2);
        if index < count { Ok(index) } else { Err(VolumeError::NoSlice { index, count }) }
    }

    /// Returns the plane of the slice as displayed.
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
