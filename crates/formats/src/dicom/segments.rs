//! Segmentations (PS3.3, A.51): masks of one bit, a stack of slices per segment.

use super::{charset, fields::Fields, marks::Mark, slice_fields::MEASURES};
use crate::header::header_text::short;
use dicom_dictionary_std::tags;
use dicom_object::DefaultDicomObject;
use serde_json::{Value, json};

/// The segments of a file.
pub struct Segments {
    /// True if voxels are 0 and 1, or numbers of segments, not probabilities.
    pub are_labels: bool,
    /// True if each voxel has the number of its segment.
    pub is_map: bool,
    /// Numbers and names.
    names: Vec<(i64, String)>,
    /// Distance between slices, of which empty ones may be left out.
    pub distance: Option<f64>,
    /// Stored number of the probability or occupancy 1.
    pub maximum: Option<f64>,
}

impl Segments {
    /// Returns the segments; `None` if the file is no segmentation.
    pub fn of(object: &DefaultDicomObject) -> Option<Self> {
        let kind = object.get(tags::SEGMENTATION_TYPE)?.to_str().ok()?.trim().to_owned();
        let items =
            object.get(tags::SEGMENT_SEQUENCE).and_then(|sequence| sequence.items()).unwrap_or_default();
        let names = items.iter().filter_map(|item| {
            let number = item.get(tags::SEGMENT_NUMBER)?.to_int().ok()?;
            let name = item.get(tags::SEGMENT_LABEL).and_then(|label| label.to_str().ok());
            Some((number, short(charset::decoded(object, &name.unwrap_or_default()).trim())))
        });
        let (are_labels, is_map) = (kind != "FRACTIONAL", kind == "LABELMAP");
        let number = |group, tag, name| {
            let found = Fields::of(object, 0).numbers(group, tag, name).ok().flatten();
            found.map(|(_, [number])| number.abs()).filter(|number| number.is_normal())
        };
        let maximum = number(None, tags::MAXIMUM_FRACTIONAL_VALUE, "MaximumFractionalValue");
        Some(Self {
            are_labels,
            is_map,
            names: names.collect(),
            distance: number(MEASURES, tags::SPACING_BETWEEN_SLICES, "SpacingBetweenSlices"),
            maximum: maximum.filter(|_| !are_labels),
        })
    }

    /// Describes the segments of a volume: frame, value of the voxels, and name. `marks` has each frame's
    /// number of the segment.
    pub fn described<'a>(&self, marks: impl Iterator<Item = Option<&'a Mark>>) -> Value {
        if self.is_map {
            let of = |(number, name): &(i64, String)| json!({ "layer": 0, "value": number, "name": name });
            return self.names.iter().map(of).collect();
        }
        let layers = marks.enumerate().filter_map(|(layer, mark)| match mark {
            Some(Mark::Numbers(numbers)) => {
                let (_, name) = self.names.iter().find(|(number, _)| [*number as f64] == numbers[..])?;
                Some(json!({ "layer": layer, "value": 1, "name": name }))
            }
            _ => None,
        });
        layers.collect()
    }
}
