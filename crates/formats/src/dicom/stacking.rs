//! Places and times of the frames of a file that has one position: fields of the file that number its frames
//! (PS3.3, C.7.6.6, C.8.4.8 and C.8.8.3).

use super::{
    fields::{Fields, Text},
    marks::{ACTUAL_FRAME_DURATION, FIRST_VECTOR, PHASE, TIME_SLICE, VECTORS},
};
use crate::FormatError;
use dicom_core::value::PrimitiveValue;
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, InMemDicomObject, Tag};

/// Index of the detector's mark.
const DETECTOR: usize = FIRST_VECTOR + 1;

/// Arrangement of the frames of a file, by its fields.
pub enum Stacking {
    /// Frames follow each other in time, at one place.
    Cine {
        /// Start of each frame in milliseconds, unless the file states one distance.
        starts: Option<Vec<f64>>,
        /// True if the list of the distances is not one number for each frame.
        is_damaged: bool,
    },
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
        let numbers = |text: &Text| text.field().finite_numbers(frame_count, '\\');
        if pointed.iter().any(|tag| matches!(*tag, tags::FRAME_TIME | tags::FRAME_TIME_VECTOR)) {
            let has_vector = pointed.contains(&tags::FRAME_TIME_VECTOR);
            let text = fields.text(None, tags::FRAME_TIME_VECTOR, "FrameTimeVector");
            // Programs cut long lists short; the times are then unknown.
            let steps = text.filter(|_| has_vector).and_then(|text| numbers(&text).ok());
            let start = |start: &mut f64, step: f64| {
                *start += step;
                Some(*start)
            };
            return Ok(Self::Cine {
                is_damaged: has_vector && steps.is_none(),
                starts: steps.map(|steps| steps.into_iter().scan(0.0, start).collect()),
            });
        }
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
            if let Some(starts) = starts_in_phases(object, &others, frame_count) {
                others.push((ACTUAL_FRAME_DURATION, starts));
            }
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
            Self::Cine { .. } | Self::Offsets(_) | Self::Even => 0,
        }
    }

    /// True if the times of frames are unknown because their list is damaged.
    pub fn has_damaged_times(&self) -> bool {
        matches!(self, Self::Cine { is_damaged: true, .. })
    }

    /// True if the frames are slices that vectors number: the position is then that of the detector's first
    /// slice.
    pub fn is_numbered(&self) -> bool {
        matches!(self, Self::Vectors { slices: Some(_), .. })
    }
}

/// Returns the start of each frame in milliseconds, by the phases of a dynamic study of nuclear medicine
/// (PS3.3, C.8.4.14).
fn starts_in_phases(
    object: &DefaultDicomObject,
    vectors: &[(usize, Vec<f64>)],
    frame_count: usize,
) -> Option<Vec<f64>> {
    let vector = |place: usize| vectors.iter().find(|(other, _)| *other == place).map(|(_, all)| all);
    let times = vector(TIME_SLICE)?;
    let mut phases = Vec::new();
    let mut start = 0.0;
    for item in object.get(tags::PHASE_INFORMATION_SEQUENCE)?.items()? {
        let number = |tag: Tag| number(item, tag);
        let step = number(tags::ACTUAL_FRAME_DURATION)? + number(tags::PAUSE_BETWEEN_FRAMES).unwrap_or(0.0);
        start += number(tags::PHASE_DELAY).unwrap_or(0.0);
        phases.push((start, step));
        start += step * number(tags::NUMBER_OF_FRAMES_IN_PHASE).unwrap_or(0.0);
    }
    let start_of = |frame: usize| {
        let index = vector(PHASE).map_or(1.0, |all| all[frame]) - 1.0;
        let index = (index >= 0.0 && index.fract() == 0.0).then_some(index as usize)?;
        let (start, step) = phases.get(index)?;
        Some(start + (times[frame] - 1.0) * step)
    };
    (0..frame_count).map(start_of).collect()
}

fn number(item: &InMemDicomObject, tag: Tag) -> Option<f64> {
    item.get(tag)?.to_float64().ok().filter(|number| number.is_finite())
}
