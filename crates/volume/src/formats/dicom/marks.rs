//! Fields that tell apart slices at the same position: times, echoes, diffusion weightings.

use super::fields::{Fields, MAX_NUMBERS};
use crate::formats::header_text::short;
use dicom_dictionary_std::tags;
use dicom_object::Tag;
use std::{cmp::Ordering, fmt};

/// Value of a field: its numbers, or else its text.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Numbers(Vec<f64>),
    Text(String),
}

impl Mark {
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

    /// Returns a time in seconds: a number of milliseconds, or as text a time of day, `HHMMSS.FFFFFF` (PS3.5,
    /// 6.2, TM).
    pub fn seconds(&self) -> Option<f64> {
        match self {
            Self::Numbers(numbers) => numbers.first().map(|number| number / 1000.0),
            Self::Text(text) => {
                let digits =
                    |range: std::ops::Range<usize>| text.get(range)?.parse::<u8>().ok().map(f64::from);
                let seconds: f64 = text.get(4..)?.trim().parse().ok()?;
                Some(3600.0 * digits(0..2)? + 60.0 * digits(2..4)? + seconds)
            }
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
const DIFFUSION: Option<Tag> = Some(tags::MR_DIFFUSION_SEQUENCE);
const CONTENT: Option<Tag> = Some(tags::FRAME_CONTENT_SEQUENCE);
const SEGMENT_GROUP: Option<Tag> = Some(tags::SEGMENT_IDENTIFICATION_SEQUENCE);
const CARDIAC: Option<Tag> = Some(tags::CARDIAC_SYNCHRONIZATION_SEQUENCE);

/// Siemens' private tag of a b-value.
const SIEMENS_B_VALUE: Tag = Tag(0x0019, 0x100C);

/// All such fields, temporal positions first.
pub const FIELDS: [MarkField; 14] = [
    field(
        "TemporalPosition",
        &[(CONTENT, tags::TEMPORAL_POSITION_INDEX), (None, tags::TEMPORAL_POSITION_IDENTIFIER)],
    ),
    field("EchoTime", &[(ECHO, tags::EFFECTIVE_ECHO_TIME), (None, tags::ECHO_TIME)]),
    field("EchoNumbers", &[(None, tags::ECHO_NUMBERS)]),
    field("DiffusionBValue", &[(DIFFUSION, tags::DIFFUSION_B_VALUE), (None, SIEMENS_B_VALUE)]),
    field("DiffusionGradientOrientation", &[(None, tags::DIFFUSION_GRADIENT_ORIENTATION)]),
    field("InversionTime", &[(None, tags::INVERSION_TIME)]),
    field("FlipAngle", &[(None, tags::FLIP_ANGLE)]),
    field("ImageType", &[(None, tags::COMPLEX_IMAGE_COMPONENT), (None, tags::IMAGE_TYPE)]),
    field("ReferencedSegmentNumber", &[(SEGMENT_GROUP, tags::REFERENCED_SEGMENT_NUMBER)]),
    field("TriggerTime", &[(CARDIAC, tags::NOMINAL_CARDIAC_TRIGGER_DELAY_TIME), (None, tags::TRIGGER_TIME)]),
    field("FrameReferenceTime", &[(None, tags::FRAME_REFERENCE_TIME)]),
    field("AcquisitionNumber", &[(None, tags::ACQUISITION_NUMBER)]),
    field("AcquisitionDateTime", &[(CONTENT, tags::FRAME_ACQUISITION_DATE_TIME)]),
    field("AcquisitionTime", &[(None, tags::ACQUISITION_TIME)]),
];

/// Indices of fields in [`FIELDS`].
pub const TEMPORAL_POSITION: usize = 0;
pub const ECHO_TIME: usize = 1;
pub const ECHO_NUMBERS: usize = 2;
pub const B_VALUE: usize = 3;
pub const SEGMENT: usize = 8;
/// Index of the first field that also differs between slices acquired one after the other.
pub const FIRST_OF_SLICES: usize = 9;

impl Fields<'_> {
    /// Returns the values of [`FIELDS`].
    pub fn marks(&self) -> [Option<Mark>; FIELDS.len()] {
        FIELDS.each_ref().map(|field| {
            let places = field.places.iter();
            let text = places.filter_map(|&(group, tag)| self.text(group, tag, field.name)).next()?.text;
            // Times of day stay text: "093000" and "093000.5" then sort correctly.
            let is_time_of_day = field.name.starts_with("Acquisition") && field.name.ends_with("Time");
            let numbers: Option<Vec<f64>> = text.split('\\').map(|part| part.trim().parse().ok()).collect();
            Some(match numbers.filter(|_| !is_time_of_day) {
                Some(mut numbers) => {
                    numbers.truncate(MAX_NUMBERS);
                    Mark::Numbers(numbers)
                }
                None => Mark::Text(short(&text)),
            })
        })
    }
}
