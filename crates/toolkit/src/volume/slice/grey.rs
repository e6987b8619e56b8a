//! A slice of an open volume in grey.

use super::{
    SlicePlane,
    picture::{Picture, true_size},
};
use crate::{
    report::VolumeAxis,
    volume::{VolumeError, VolumePart},
};
use brickwork_base::Task;
use brickwork_volume::{Header, Region, VoxelKind};

/// An axis of a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there are three")]
pub enum Axis {
    /// The fastest axis in memory.
    X,
    /// The axis of rows.
    Y,
    /// The axis of slices.
    #[default]
    Z,
}

impl From<Axis> for VolumeAxis {
    fn from(axis: Axis) -> Self {
        match axis {
            Axis::X => Self::X,
            Axis::Y => Self::Y,
            Axis::Z => Self::Z,
        }
    }
}

/// Options of a slice. Default: the middle slice across z, in true proportions with the head up, from the
/// slice's smallest to its largest value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SliceOptions {
    axis: Axis,
    index: Option<usize>,
    window: Option<[f64; 2]>,
    is_stored: bool,
}

impl SliceOptions {
    /// Returns the default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the axis that the slice is perpendicular to. Default: z.
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
    /// else stored numbers. Default: `None`, the slice's smallest and largest value.
    #[must_use]
    pub fn with_window(self, window: Option<[f64; 2]>) -> Self {
        Self { window, ..self }
    }

    /// Makes one pixel of each voxel, in the order in which they are stored. Default: false, pictures have
    /// true proportions and the head up.
    #[must_use]
    pub fn with_stored_pixels(self, is_stored: bool) -> Self {
        Self { is_stored, ..self }
    }

    /// Returns the index of the slice of a volume.
    ///
    /// # Errors
    /// [`VolumeError::NoSlice`] if there is no such slice.
    pub fn index(&self, header: &Header) -> Result<usize, VolumeError> {
        let count = self.plane().count(header.dims);
        let index = self.index.unwrap_or(count / 2);
        if index < count { Ok(index) } else { Err(VolumeError::NoSlice { index, count }) }
    }

    fn plane(&self) -> SlicePlane {
        SlicePlane::stored(match self.axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        })
    }
}

/// A slice in grey.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GreySlice {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Grey pixels, row by row.
    pub pixels: Vec<u8>,
    /// The index of the slice along its axis.
    pub index: usize,
    /// The values that became black and white; `None` if no value is finite.
    pub window: Option<[f64; 2]>,
    /// The unit of physical values, if it is known.
    pub unit: Option<String>,
    /// Width and height of a pixel in millimetres, if they are known.
    pub pixel_millimetres: Option<[f64; 2]>,
}

impl VolumePart {
    /// Reads a slice: the chunks of a `.bwv` file that it touches, of other formats all slices up to it.
    ///
    /// # Errors
    /// [`VolumeError`] if there is no such slice, the voxels cannot be read, or the picture is too large in
    /// true proportions.
    pub fn slice(self, options: &SliceOptions, task: &Task<'_>) -> Result<GreySlice, VolumeError> {
        let (index, plane) = (options.index(self.header())?, options.plane());
        let mut region = Region::all(self.header().dims);
        *[&mut region.x, &mut region.y, &mut region.z][plane.normal] = index..index + 1;
        let (header, mip_level) = (self.header().clone(), self.mip_level());
        let rescaling = self.whole_header().rescaling();
        let mut values = self.read_numbers(&region, task)?;
        let size = plane.size(header.dims);
        if let Some(rescaling) = &rescaling {
            let slice_of = |row: usize| if plane.normal == 2 { index } else { row };
            for (row, values) in values.chunks_exact_mut(size[0]).enumerate() {
                // A slice of a smaller mip level covers several slices: the values of the first apply.
                let line = rescaling.at(slice_of(row) << mip_level);
                values.iter_mut().for_each(|value| *value = line.of(*value));
            }
        }
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let range = || Some([finite().reduce(f64::min)?, finite().reduce(f64::max)?]);
        let window = options.window.or_else(range);
        let [low, high] = window.unwrap_or_default();
        let scale = if high > low { 255.0 / (high - low) } else { 0.0 };
        // NaN is black, like values below the window.
        let pixels = values.iter().map(|value| ((value - low) * scale).round() as u8).collect();
        let mut picture = Picture { width: size[0], height: size[1], pixels };
        let spacing = plane.spacing(header.spacing);
        if !options.is_stored {
            if plane.upright(&header).down.is_flipped {
                picture.flip();
            }
            let [width, height] = true_size(size, spacing)
                .map_err(|[width, height]| VolumeError::LargeSlice { width, height })?;
            if [width, height] != size {
                picture = picture.stretched(width, height, header.kind == VoxelKind::Labels);
            }
        }
        let Picture { width, height, pixels } = picture;
        let millimetres =
            [spacing[0] * size[0] as f64 / width as f64, spacing[1] * size[1] as f64 / height as f64];
        let has_size =
            header.is_anatomical() && millimetres.iter().all(|side| side.is_normal() && *side > 0.0);
        let unit = rescaling.as_ref().and_then(|rescaling| rescaling.unit().map(str::to_owned));
        let pixel_millimetres = has_size.then_some(millimetres);
        Ok(GreySlice { width, height, pixels, index, window, unit, pixel_millimetres })
    }
}
