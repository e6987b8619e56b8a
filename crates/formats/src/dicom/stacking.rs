//! Places and times of the frames of a file that has one position: fields of the file that number its frames
//! (PS3.3, C.7.6.6, C.8.4.8 and C.8.8.3).

use super::{
    fields::{Fields, Text},
    marks::{FIRST_VECTOR, Mark, TEMPORAL_POSITION},
    slice_file::Slice,
};
use crate::{FormatError, geometry::cross};
use dicom_core::value::PrimitiveValue;
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, Tag};

/// Vectors that number the frames of nuclear medicine in other ways than by slices, in the order of the marks
/// from [`FIRST_VECTOR`] on. In a file, the first varies slowest.
pub const VECTORS: [(Tag, &str); 8] = [
    (tags::ENERGY_WINDOW_VECTOR, "EnergyWindowVector"),
    (tags::DETECTOR_VECTOR, "DetectorVector"),
    (tags::PHASE_VECTOR, "PhaseVector"),
    (tags::ROTATION_VECTOR, "RotationVector"),
    (tags::RR_INTERVAL_VECTOR, "RRIntervalVector"),
    (tags::TIME_SLOT_VECTOR, "TimeSlotVector"),
    (tags::ANGULAR_VIEW_VECTOR, "AngularViewVector"),
    (tags::TIME_SLICE_VECTOR, "TimeSliceVector"),
];

/// Index of the detector's mark.
const DETECTOR: usize = FIRST_VECTOR + 1;

/// Arrangement of the frames of a file, by its fields.
pub enum Stacking {
    /// Frames follow each other in time, at one place.
    Cine,
    /// Frames are numbered by vectors.
    Vectors {
        /// Index of each frame's slice, from 0; `None` if no vector numbers slices: all frames are pictures
        /// at one place.
        slices: Option<Vec<f64>>,
        /// Indices of marks, and their numbers for each frame.
        others: Vec<(usize, Vec<f64>)>,
    },
    /// Frames are slices at these distances from the first.
    Offsets(Vec<f64>),
    /// Frames are slices at equal distances.
    Even,
}

impl Stacking {
    /// Reads the fields of a file of `frame_count` frames.
    ///
    /// # Errors
    /// [`FormatError::Geometry`] if a vector does not have one number for each frame.
    pub fn of(object: &DefaultDicomObject, frame_count: usize) -> Result<Self, FormatError> {
        let fields = Fields::of(object, 0);
        let pointer = object.get(tags::FRAME_INCREMENT_POINTER).and_then(|e| e.value().primitive());
        let pointed: &[Tag] = match pointer {
            Some(PrimitiveValue::Tags(tags)) => tags,
            _ => &[],
        };
        if pointed.iter().any(|tag| matches!(*tag, tags::FRAME_TIME | tags::FRAME_TIME_VECTOR)) {
            return Ok(Self::Cine);
        }
        let numbers = |text: &Text| text.field().finite_numbers(frame_count, '\\');
        let vector = |tag, name| -> Result<Option<Vec<f64>>, FormatError> {
            let text = if pointed.contains(&tag) { fields.text(None, tag, name) } else { None };
            text.as_ref().map(numbers).transpose()
        };
        let slices = vector(tags::SLICE_VECTOR, "SliceVector")?;
        let mut others = Vec::new();
        for (index, (tag, name)) in VECTORS.into_iter().enumerate() {
            others.extend(vector(tag, name)?.map(|numbers| (FIRST_VECTOR + index, numbers)));
        }
        if slices.is_some() || !others.is_empty() {
            let slices = slices.map(|all| all.iter().map(|number| number - 1.0).collect());
            return Ok(Self::Vectors { slices, others });
        }
        match fields.text(None, tags::GRID_FRAME_OFFSET_VECTOR, "GridFrameOffsetVector") {
            Some(text) if frame_count > 1 => {
                let offsets = numbers(&text)?;
                Ok(Self::Offsets(offsets.iter().map(|offset| offset - offsets[0]).collect()))
            }
            Some(_) | None => Ok(Self::Even),
        }
    }

    /// Returns the index of a frame's detector, from 0.
    pub fn detector(&self, frame: usize) -> usize {
        match self {
            Self::Vectors { others, .. } => {
                let numbers = others.iter().find(|(place, _)| *place == DETECTOR).map(|(_, numbers)| numbers);
                numbers.map_or(0, |numbers| (numbers[frame] - 1.0).max(0.0) as usize)
            }
            Self::Cine | Self::Offsets(_) | Self::Even => 0,
        }
    }

    /// True if the frames are slices that vectors number: the position is then that of the detector's first
    /// slice.
    pub fn is_numbered(&self) -> bool {
        matches!(self, Self::Vectors { slices: Some(_), .. })
    }
}

impl Fields<'_> {
    /// Sets the position of one of several frames; `distance` is the signed distance between slices.
    pub fn place(
        &self,
        slice: &mut Slice,
        stacking: &Stacking,
        distance: Option<f64>,
    ) -> Result<(), FormatError> {
        let frame = slice.frame;
        slice.number = Some(self.in_stack_position().unwrap_or(frame as i64));
        if let Stacking::Cine = stacking {
            slice.number = Some(0);
            slice.marks[TEMPORAL_POSITION] = Some(Mark::Numbers(vec![frame as f64]));
            slice.time_step = self.milliseconds(tags::FRAME_TIME, "FrameTime")?;
            return Ok(());
        }
        if let Stacking::Vectors { slices, others } = stacking {
            slice.number = Some(slices.as_ref().map_or(0, |slices| slices[frame] as i64));
            for (place, numbers) in others {
                slice.marks[*place] = Some(Mark::Numbers(vec![numbers[frame]]));
            }
        }
        if self.has_own_position() {
            return Ok(());
        }
        // The file has the position of the first frame. The others follow along the normal, at the listed
        // offsets or at even distances.
        let (Some(first), Some([a, b, c, d, e, f])) = (slice.position, slice.directions) else {
            return Ok(());
        };
        let index = match stacking {
            Stacking::Cine | Stacking::Vectors { slices: None, .. } => return Ok(()),
            Stacking::Offsets(_) => 0.0,
            Stacking::Vectors { slices: Some(slices), .. } => slices[frame],
            Stacking::Even => frame as f64,
        };
        let along = match stacking {
            Stacking::Offsets(offsets) => offsets[frame],
            Stacking::Cine | Stacking::Vectors { .. } | Stacking::Even => {
                slice.is_placed_by_thickness = true;
                let distance = distance.unwrap_or(1.0);
                // Only in nuclear medicine is the sign the direction of the stack (PS3.3, C.8.4.15).
                let modality = self.text(None, tags::MODALITY, "Modality");
                let is_nuclear = modality.is_some_and(|modality| modality.text == "NM");
                (if is_nuclear { distance } else { distance.abs() }) * index
            }
        };
        let normal = cross([a, b, c], [d, e, f]);
        slice.position = Some([0, 1, 2].map(|axis| first[axis] + along * normal[axis]));
        Ok(())
    }
}
