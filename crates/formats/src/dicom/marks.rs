//! Fields that tell apart slices at the same position: times, echoes, diffusion weightings.

use super::fields::{CONTENT, Fields, MAX_NUMBERS};
use crate::header::header_text::short;
use dicom_dictionary_std::tags;
use dicom_object::Tag;
use serde_json::Value;
use std::{cmp::Ordering, fmt};

/// Value of a field: its numbers, or else its text.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Numbers(Vec<f64>),
    Text(String),
}

/// Returns the mark of numbers; 0 has no sign.
pub fn numbers_mark(mut numbers: Vec<f64>) -> Mark {
    numbers.truncate(MAX_NUMBERS);
    Mark::Numbers(numbers.into_iter().map(|number| number + 0.0).collect())
}

impl Mark {
    /// Reads a value between backslashes: numbers, or else text.
    pub fn of_text(text: &str) -> Self {
        let numbers: Option<Vec<f64>> = text.split('\\').map(|part| part.trim().parse().ok()).collect();
        numbers.map_or_else(|| Self::Text(short(text)), numbers_mark)
    }

    /// Returns the value for the metadata.
    pub fn described(&self) -> Value {
        match self {
            Self::Numbers(numbers) if numbers.len() == 1 => numbers[0].into(),
            Self::Numbers(numbers) => numbers.clone().into(),
            Self::Text(text) => text.clone().into(),
        }
    }

    /// Compares two values by a total order: numbers before text.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Numbers(a), Self::Numbers(b)) => {
                let first = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
                first.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Numbers(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Numbers(_)) => Ordering::Greater,
        }
    }

    /// True if both are equal, or are numbers that differ by at most 1 %.
    pub fn is_near(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Numbers(a), Self::Numbers(b)) => {
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 0.01 * a.abs().max(b.abs());
                a.len() == b.len() && a.iter().zip(b).all(near)
            }
            _ => self == other,
        }
    }

    /// True if both are directions whose parts differ by at most 0.01.
    fn is_near_direction(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Numbers(a), Self::Numbers(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 0.01)
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(numbers) => {
                f.write_str(&numbers.iter().map(f64::to_string).collect::<Vec<_>>().join("\\"))
            }
            Self::Text(text) => f.write_str(&short(text)),
        }
    }
}

/// A field that may tell slices apart: its name, and the groups and tags under which it may occur. The first
/// one present counts.
pub struct MarkField {
    pub name: &'static str,
    places: &'static [(Option<Tag>, Tag)],
}

const fn field(name: &'static str, places: &'static [(Option<Tag>, Tag)]) -> MarkField {
    MarkField { name, places }
}

const ECHO: Option<Tag> = Some(tags::MR_ECHO_SEQUENCE);
const SEGMENT_GROUP: Option<Tag> = Some(tags::SEGMENT_IDENTIFICATION_SEQUENCE);
const CARDIAC: Option<Tag> = Some(tags::CARDIAC_SYNCHRONIZATION_SEQUENCE);

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

/// All such fields, temporal positions first.
pub const FIELDS: [MarkField; 26] = [
    field(
        "TemporalPosition",
        &[(CONTENT, tags::TEMPORAL_POSITION_INDEX), (None, tags::TEMPORAL_POSITION_IDENTIFIER)],
    ),
    field("EchoTime", &[(ECHO, tags::EFFECTIVE_ECHO_TIME), (None, tags::ECHO_TIME)]),
    field("EchoNumbers", &[(None, tags::ECHO_NUMBERS)]),
    // These three have functions that read them.
    field("DiffusionBValue", &[]),
    field("DiffusionGradientOrientation", &[]),
    field("DiffusionDirection", &[]),
    field("InversionTime", &[(None, tags::INVERSION_TIME)]),
    field("FlipAngle", &[(None, tags::FLIP_ANGLE)]),
    field("ImageType", &[(None, tags::COMPLEX_IMAGE_COMPONENT), (None, tags::IMAGE_TYPE)]),
    field("ReferencedSegmentNumber", &[(SEGMENT_GROUP, tags::REFERENCED_SEGMENT_NUMBER)]),
    // The vectors of frames of nuclear medicine are read in `stacking`.
    field(VECTORS[0].1, &[]),
    field(VECTORS[1].1, &[]),
    field(VECTORS[2].1, &[]),
    field(VECTORS[3].1, &[]),
    field(VECTORS[4].1, &[]),
    field(VECTORS[5].1, &[]),
    field(VECTORS[6].1, &[]),
    field(VECTORS[7].1, &[]),
    field("TriggerTime", &[(CARDIAC, tags::NOMINAL_CARDIAC_TRIGGER_DELAY_TIME), (None, tags::TRIGGER_TIME)]),
    field("FrameReferenceTime", &[(None, tags::FRAME_REFERENCE_TIME)]),
    // The start of the frame in milliseconds, which `stacking` adds up.
    field("FrameTimeVector", &[]),
    field("ActualFrameDuration", &[]),
    field("AcquisitionNumber", &[(None, tags::ACQUISITION_NUMBER)]),
    field(
        "AcquisitionDateTime",
        &[(CONTENT, tags::FRAME_ACQUISITION_DATE_TIME), (None, tags::ACQUISITION_DATE_TIME)],
    ),
    field("AcquisitionTime", &[(None, tags::ACQUISITION_TIME)]),
    field("InstanceNumber", &[(None, tags::INSTANCE_NUMBER)]),
];

/// Indices of fields in [`FIELDS`].
pub const TEMPORAL_POSITION: usize = 0;
const ECHO_TIME: usize = 1;
const ECHO_NUMBERS: usize = 2;
const B_VALUE: usize = 3;
const GRADIENT: usize = 4;
/// Direction along the axes of the scan.
const SCAN_GRADIENT: usize = 5;
pub const SEGMENT: usize = 9;
/// Index of the first of [`VECTORS`].
pub const FIRST_VECTOR: usize = 10;
/// Indices of the phase of a dynamic study, and of the time within the phase.
pub const PHASE: usize = FIRST_VECTOR + 2;
pub const TIME_SLICE: usize = FIRST_VECTOR + 7;
/// Index of the first field that also differs between slices acquired one after the other.
pub const FIRST_OF_SLICES: usize = FIRST_VECTOR + VECTORS.len();
/// Index of the start of a frame by the durations of those before it.
pub const FRAME_TIME_VECTOR: usize = FIRST_OF_SLICES + 2;
pub const ACTUAL_FRAME_DURATION: usize = FRAME_TIME_VECTOR + 1;
/// Index of the first field that states when a slice was acquired.
pub const ACQUISITION_NUMBER: usize = ACTUAL_FRAME_DURATION + 1;
/// Index of the time of day of the acquisition, whose day [`Slice::acquired`](super::Slice) has.
pub const ACQUISITION_TIME: usize = ACQUISITION_NUMBER + 2;
/// Index of the field that numbers all slices.
pub const INSTANCE_NUMBER: usize = FIELDS.len() - 1;

/// Fields with one value in all slices of a frame.
pub const OF_ONE_KIND: [usize; 6] = [ECHO_TIME, ECHO_NUMBERS, B_VALUE, GRADIENT, SCAN_GRADIENT, SEGMENT];

/// True for a field of diffusion. Frames of different diffusion weightings are in the order of acquisition.
pub fn is_diffusion(place: usize) -> bool {
    matches!(place, B_VALUE | GRADIENT | SCAN_GRADIENT)
}

/// True if two slices can belong to one frame by their values of this field.
pub fn is_one_kind(place: usize, a: Option<&Mark>, b: Option<&Mark>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) if matches!(place, GRADIENT | SCAN_GRADIENT) => a.is_near_direction(b),
        (Some(a), Some(b)) => a.is_near(b),
        (a, b) => a.is_none() == b.is_none(),
    }
}

/// Compares values of a field; slices without one come first.
pub fn order_of(a: Option<&Mark>, b: Option<&Mark>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.order(b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

impl Fields<'_> {
    /// Returns the values of [`FIELDS`].
    pub fn marks(&self) -> [Option<Mark>; FIELDS.len()] {
        let mut marks = FIELDS.each_ref().map(|field| {
            let places = field.places.iter();
            let text = places.filter_map(|&(group, tag)| self.text(group, tag, field.name)).next()?.text;
            // Times of day stay text: "093000" and "093000.5" then sort correctly.
            let is_time_of_day = field.name.starts_with("Acquisition") && field.name.ends_with("Time");
            Some(if is_time_of_day { Mark::Text(short(&text)) } else { Mark::of_text(&text) })
        });
        marks[B_VALUE] = self.b_value();
        marks[GRADIENT] = self.gradient();
        marks[SCAN_GRADIENT] = self.scan_gradient();
        marks
    }
}
