//! Physical values: the meaning of stored numbers, such as Hounsfield units, as far as the metadata contains
//! it.
//!
//! The metadata keeps DICOM's rescale slope and intercept (PS3.3, C.11.1), NIfTI's `scl_slope` and
//! `scl_inter`, MetaImage's `ElementToIntensityFunctionSlope` and `…Offset`, and ImageJ's line of calibration
//! under the name of the format.
//! Stored numbers are never changed implicitly; `formats::rescale` applies the rule.

mod padding;

use crate::Header;
use serde_json::{Map, Value};

/// A line from stored numbers to physical values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a line has two numbers")]
pub struct Rescale {
    /// The factor of stored numbers; neither 0 nor infinite.
    pub slope: f64,
    /// The addend of the product.
    pub intercept: f64,
}

impl Rescale {
    /// Stored numbers are the physical values.
    pub const IDENTITY: Self = Self { slope: 1.0, intercept: 0.0 };

    /// Returns the physical value of a stored number.
    pub fn of(self, stored: f64) -> f64 {
        stored * self.slope + self.intercept
    }
}

/// The conversion of a volume's numbers to physical values.
#[derive(Clone, Debug, PartialEq)]
pub struct Rescaling {
    /// One for the whole volume, or one per slice along z, as in series of PET.
    slices: Vec<Rescale>,
    unit: Option<String>,
}

impl Rescaling {
    /// Returns the line of the slice at `z`, in the volume itself and not in a smaller mip level.
    pub fn at(&self, z: usize) -> Rescale {
        self.slices[z.min(self.slices.len() - 1)]
    }

    /// Returns the line that holds for the whole volume; `None` if slices differ.
    pub fn uniform(&self) -> Option<Rescale> {
        self.slices.iter().all(|rescale| *rescale == self.slices[0]).then_some(self.slices[0])
    }

    /// Returns the unit of physical values, if it is known, such as `HU`.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }
}

/// Fields that hold slope and intercept, by the object of the metadata that contains them.
const FIELDS: [(&str, &str, &str); 4] = [
    ("dicom", "RescaleSlope", "RescaleIntercept"),
    ("nifti", "scl_slope", "scl_inter"),
    ("metaimage", "ElementToIntensityFunctionSlope", "ElementToIntensityFunctionOffset"),
    ("tiff", "CalibrationSlope", "CalibrationIntercept"),
];

impl Header {
    /// Returns the conversion of stored numbers to physical values; `None` if it is unknown, or if they are
    /// the same.
    pub fn rescaling(&self) -> Option<Rescaling> {
        let metadata: Value = serde_json::from_str(&self.metadata).ok()?;
        let slices = FIELDS.into_iter().find_map(|(format, slope, intercept)| {
            let fields = metadata[format].as_object()?;
            let (slope, intercept) = (fields.get(slope), fields.get(intercept));
            if slope.is_none() && intercept.is_none() {
                return None;
            }
            let is_list = |value: Option<&Value>| value.is_some_and(Value::is_array);
            let count = if is_list(slope) || is_list(intercept) { self.dims.z } else { 1 };
            let slices = (0..count)
                .map(|z| Some(Rescale { slope: at(slope, z, 1.0)?, intercept: at(intercept, z, 0.0)? }));
            let slices: Vec<Rescale> = slices.collect::<Option<_>>()?;
            slices.iter().all(|rescale| rescale.slope != 0.0).then_some(slices)
        })?;
        if slices.iter().all(|rescale| *rescale == Rescale::IDENTITY) {
            return None;
        }
        let dicom = &metadata["dicom"];
        let unit = match (dicom["RescaleType"].as_str().map(str::trim), dicom["Modality"].as_str()) {
            (Some("US" | ""), _) => None,
            (Some(unit), _) => Some(unit.to_owned()),
            // "Hounsfield units are assumed" of CT.
            (None, Some("CT")) => Some("HU".to_owned()),
            (None, _) => None,
        };
        Some(Rescaling { slices, unit })
    }

    /// Removes from the metadata the fields that [`rescaling`](Self::rescaling) uses, after it was applied.
    pub(crate) fn forget_rescaling(&mut self) {
        let rescaling = self.rescaling();
        let convert = |stored: f64| match &rescaling {
            Some(rescaling) => rescaling.uniform().map(|line| line.of(stored)),
            None => Some(stored),
        };
        self.edit_metadata(|format, fields| {
            if format == "dicom" {
                padding::convert(fields, convert);
            }
            for (other, slope, intercept) in FIELDS {
                if format == other {
                    fields.remove(slope);
                    fields.remove(intercept);
                }
            }
            // Bits of the stored numbers.
            fields.remove("BitsStored");
        });
    }

    /// Restricts fields per slice to the slices of `z`. Removes them if these are slices of a smaller mip
    /// level.
    pub(crate) fn keep_rescaling_of(&mut self, z: &std::ops::Range<usize>, depth: usize, mip_level: usize) {
        if mip_level == 0 && z.len() == depth || self.rescaling().is_none_or(|r| r.slices.len() == 1) {
            return;
        }
        self.edit_metadata(|_, fields| {
            for name in ["RescaleSlope", "RescaleIntercept"] {
                let Some(Value::Array(values)) = fields.get_mut(name) else { continue };
                *values = values.get(z.clone()).unwrap_or_default().to_vec();
                if mip_level > 0 {
                    fields.remove(name);
                }
            }
        });
    }

    pub(crate) fn edit_metadata(&mut self, mut edit: impl FnMut(&str, &mut Map<String, Value>)) {
        let Ok(Value::Object(mut metadata)) = serde_json::from_str(&self.metadata) else { return };
        for (format, fields) in &mut metadata {
            if let Value::Object(fields) = fields {
                edit(format, fields);
            }
        }
        self.set_metadata(Value::Object(metadata));
    }
}

/// Returns the finite number of a field, or of its item for slice `z`; `otherwise` if the field has none.
fn at(field: Option<&Value>, z: usize, otherwise: f64) -> Option<f64> {
    let number = match field {
        None | Some(Value::Null) => return Some(otherwise),
        Some(Value::Array(items)) => return at(Some(items.get(z)?), z, otherwise),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(other) => other.as_f64(),
    };
    number.filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, Region, Selection, VoxelType};

    fn header(metadata: &str) -> Header {
        Header { metadata: metadata.to_owned(), ..Header::new(VoxelType::I16, Dims::new(2, 2, 3)) }
    }

    #[test]
    fn every_format_says_it_in_its_own_words() {
        let line = |slope, intercept| Some(Rescale { slope, intercept });
        for (metadata, want, unit) in [
            ("", None, None),
            (r#"{"nifti":{"scl_slope":0.5,"scl_inter":-1.0}}"#, line(0.5, -1.0), None),
            (r#"{"nifti":{"xyzt_units":2}}"#, None, None),
            (r#"{"dicom":{"RescaleSlope":1.0,"RescaleIntercept":0.0}}"#, None, None),
            (r#"{"dicom":{"RescaleIntercept":-1024.0,"Modality":"CT"}}"#, line(1.0, -1024.0), Some("HU")),
            (r#"{"dicom":{"RescaleSlope":2.0,"Modality":"CT","RescaleType":"US"}}"#, line(2.0, 0.0), None),
            (
                r#"{"dicom":{"RescaleSlope":2.0,"Modality":"PT","RescaleType":"BQML"}}"#,
                line(2.0, 0.0),
                Some("BQML"),
            ),
            (r#"{"dicom":{"RescaleSlope":0.0}}"#, None, None),
            (r#"{"metaimage":{"ElementToIntensityFunctionSlope":"3"}}"#, line(3.0, 0.0), None),
            (r#"{"metaimage":{"ElementToIntensityFunctionSlope":"x"}}"#, None, None),
        ] {
            let found = header(metadata).rescaling();
            assert_eq!(found.as_ref().and_then(Rescaling::uniform), want, "{metadata}");
            assert_eq!(found.as_ref().and_then(Rescaling::unit), unit, "{metadata}");
            let mut forgotten = header(metadata);
            forgotten.forget_rescaling();
            assert_eq!(forgotten.rescaling(), None);
        }
    }

    #[test]
    fn slices_may_differ_and_parts_keep_their_own() {
        let whole = header(r#"{"dicom":{"RescaleSlope":[1.0,2.0,4.0],"RescaleIntercept":-1.0}}"#);
        let found = whole.rescaling().expect("three slopes");
        assert_eq!(
            (found.uniform(), found.at(1), found.at(2).of(3.0)),
            (None, Rescale { slope: 2.0, intercept: -1.0 }, 11.0)
        );
        let region = Region { x: 0..1, y: 0..1, z: 1..3 };
        let part = whole.of_part(&Selection::default(), &region).rescaling().expect("two slopes");
        assert_eq!((part.at(0).slope, part.at(1).slope), (2.0, 4.0));
        let smaller = Selection { mip_level: 1, ..Selection::default() };
        let region = Region { x: 0..1, y: 0..1, z: 0..2 };
        let halved = whole.of_part(&smaller, &region).rescaling();
        assert_eq!(halved.and_then(|r| r.uniform()), Some(Rescale { slope: 1.0, intercept: -1.0 }));
        // A list that is too short is ignored.
        assert_eq!(header(r#"{"dicom":{"RescaleSlope":[1.0,2.0]}}"#).rescaling(), None);
    }
}
