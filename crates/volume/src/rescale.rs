//! Physical values: the meaning of stored numbers, such as Hounsfield units, as far as the metadata contains
//! it.
//!
//! The metadata keeps DICOM's rescale slope and intercept (PS3.3, C.11.1), NIfTI's `scl_slope` and
//! `scl_inter`, MetaImage's `ElementToIntensityFunctionSlope` and `…Offset`, and ImageJ's line of calibration
//! under the name of the format.
//! Stored numbers are never changed implicitly; [`rescale_stream`](crate::rescale_stream) applies the rule.

mod padding;

use crate::{Header, Selection, VoxelKind};
use serde_json::{Map, Value};
use std::ops::Range;

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

    /// Returns the stored number of a physical value, which need not be whole.
    pub fn stored(self, physical: f64) -> f64 {
        (physical - self.intercept) / self.slope
    }
}

/// The conversion of a volume's numbers to physical values.
#[derive(Clone, Debug, PartialEq)]
pub struct Rescaling {
    /// One for the whole volume, or one per slice along z, as in series of PET: of one frame if all frames
    /// have the same, else of all frames, one after the other.
    lines: Vec<Rescale>,
    /// Slices per frame.
    depth: usize,
    unit: Option<String>,
}

impl Rescaling {
    /// Returns the line of the slice at `z` of a frame, in the volume itself and not in a smaller mip level.
    pub fn at(&self, frame: usize, z: usize) -> Rescale {
        let place = frame.saturating_mul(self.depth).saturating_add(z);
        self.lines[place % self.lines.len()]
    }

    /// Returns the line that holds for the whole volume; `None` if slices or frames differ.
    pub fn uniform(&self) -> Option<Rescale> {
        self.lines.iter().all(|line| *line == self.lines[0]).then_some(self.lines[0])
    }

    /// Returns the lines of all slices, frame by frame. If all frames or all slices have the same, they are
    /// listed once.
    pub fn lines(&self) -> &[Rescale] {
        &self.lines
    }

    /// Returns the unit of physical values, if it is known, such as `HU`.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Returns the lines of slices of a mip level, as in [`lines`](Self::lines). A slice of a smaller level
    /// is the mean of several. Returns `None` if these differ: the mean then has no line.
    fn lines_of(&self, frames: Range<usize>, slices: Range<usize>, mip_level: usize) -> Option<Vec<Rescale>> {
        if self.lines.len() == 1 {
            return Some(self.lines.clone());
        }
        let frame_count = self.lines.len() / self.depth;
        let frames = if frame_count == 1 { 0..1 } else { frames.start..frames.end.min(frame_count) };
        let step = 1usize.checked_shl(mip_level as u32).unwrap_or(usize::MAX);
        let slices = slices.start..slices.end.min(self.depth.div_ceil(step));
        let line = |frame, z: usize| {
            let start = z.saturating_mul(step);
            let first = self.at(frame, start);
            let mut covered = start..start.saturating_add(step).min(self.depth);
            covered.all(|z| self.at(frame, z) == first).then_some(first)
        };
        frames.flat_map(|frame| slices.clone().map(move |z| (frame, z))).map(|(f, z)| line(f, z)).collect()
    }
}

/// Fields that hold slope and intercept, by the object of the metadata that contains them. A field holds a
/// number, or a list with one per slice. A list of the slices of all frames has the name in the plural.
const FIELDS: [(&str, &str, &str); 4] = [
    ("dicom", "RescaleSlope", "RescaleIntercept"),
    ("nifti", "scl_slope", "scl_inter"),
    ("metaimage", "ElementToIntensityFunctionSlope", "ElementToIntensityFunctionOffset"),
    ("tiff", "CalibrationSlope", "CalibrationIntercept"),
];

/// Returns the name of a field for the slices of all frames.
fn plural(name: &str) -> String {
    format!("{name}s")
}

impl Header {
    /// Returns the conversion of stored numbers to physical values; `None` if it is unknown, or if they are
    /// the same.
    pub fn rescaling(&self) -> Option<Rescaling> {
        let metadata: Value = serde_json::from_str(&self.metadata).ok()?;
        let lines = FIELDS.into_iter().find_map(|(format, slope, intercept)| {
            let fields = metadata[format].as_object()?;
            let field = |name: &str| fields.get(name).or_else(|| fields.get(&plural(name)));
            let (slope, intercept) = (field(slope), field(intercept));
            if slope.is_none() && intercept.is_none() {
                return None;
            }
            let lists = [slope, intercept].into_iter().flatten().filter_map(Value::as_array);
            let all = self.dims.z.checked_mul(self.frames)?;
            if lists.clone().any(|list| list.len() != self.dims.z && list.len() != all) {
                return None;
            }
            let count = lists.map(Vec::len).max().unwrap_or(1);
            let line = |place| {
                Some(Rescale { slope: at(slope, place, 1.0)?, intercept: at(intercept, place, 0.0)? })
            };
            let lines: Vec<Rescale> = (0..count).map(line).collect::<Option<_>>()?;
            lines.iter().all(|line| line.slope != 0.0).then_some(lines)
        })?;
        if lines.iter().all(|line| *line == Rescale::IDENTITY) {
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
        Some(Rescaling { lines, depth: self.dims.z, unit })
    }

    /// True if intensities of a frame have slopes or intercepts that differ from slice to slice. Their stored
    /// numbers are then not in the order of the physical values.
    pub fn is_rescaled_by_slice(&self) -> bool {
        // Only equal lines have a mean of all slices.
        self.has_mixed_level(usize::BITS as usize)
    }

    /// True if voxels of a mip level are means of intensities with different slopes or intercepts. Such means
    /// have no physical value. Writers refuse these levels.
    pub fn has_mixed_level(&self, mip_level: usize) -> bool {
        let all = 0..usize::MAX;
        mip_level > 0
            && self.kind == VoxelKind::Intensity
            && self.rescaling().is_some_and(|found| found.lines_of(all.clone(), all, mip_level).is_none())
    }

    /// Returns this header without the slopes and intercepts of physical values.
    #[must_use]
    pub fn without_rescaling(mut self) -> Self {
        self.edit_metadata(|format, fields| {
            for (_, slope, intercept) in FIELDS.into_iter().filter(|(other, ..)| format == *other) {
                for name in [slope, intercept] {
                    fields.remove(name);
                    fields.remove(&plural(name));
                }
            }
        });
        self
    }

    /// Returns this header after [`rescaling`](Self::rescaling) was applied.
    pub(crate) fn with_physical_values(self) -> Self {
        let rescaling = self.rescaling();
        let convert = |stored: f64| match &rescaling {
            Some(rescaling) => rescaling.uniform().map(|line| line.of(stored)),
            None => Some(stored),
        };
        let mut header = self.without_rescaling();
        header.edit_metadata(|format, fields| {
            if format == "dicom" {
                padding::convert(fields, convert);
            }
            // Bits of the stored numbers.
            fields.remove("BitsStored");
        });
        header
    }

    /// Restricts lists of slopes and intercepts in the header of a part to its frames, and to the slices
    /// `z` of its mip level. Removes them if such slices are means of slices that differ.
    pub(crate) fn keep_rescaling_of(&mut self, whole: &Self, selection: &Selection, z: &Range<usize>) {
        let frames = selection.frames.clone().unwrap_or(0..whole.frames);
        if selection.mip_level == 0 && z.len() == whole.dims.z && frames.len() == whole.frames {
            return;
        }
        let Some(rescaling) = whole.rescaling().filter(|rescaling| rescaling.lines.len() > 1) else { return };
        let lines = rescaling.lines_of(frames, z.clone(), selection.mip_level).unwrap_or_default();
        let listed = |of: &dyn Fn(&Rescale) -> f64| -> Value {
            let numbers: Vec<f64> = lines.iter().map(of).collect();
            if numbers.iter().all(|number| *number == numbers[0]) {
                numbers[0].into()
            } else {
                numbers.into()
            }
        };
        self.edit_metadata(|format, fields| {
            for (_, slope, intercept) in FIELDS.into_iter().filter(|(other, ..)| format == *other) {
                for (name, is_slope) in [(slope, true), (intercept, false)] {
                    let had = [fields.remove(name), fields.remove(&plural(name))];
                    if lines.is_empty() || had.iter().all(Option::is_none) {
                        continue;
                    }
                    let value = listed(&|line| if is_slope { line.slope } else { line.intercept });
                    let is_by_frame = value.as_array().is_some_and(|list| list.len() > z.len());
                    fields.insert(if is_by_frame { plural(name) } else { name.to_owned() }, value);
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

/// Returns the finite number of a field, or of its item for the slice at `place`; `otherwise` if the field
/// has none. The slices of one frame may be listed for all frames.
fn at(field: Option<&Value>, place: usize, otherwise: f64) -> Option<f64> {
    let number = match field {
        None | Some(Value::Null) => return Some(otherwise),
        Some(Value::Array(items)) => {
            return at(items.get(place.checked_rem(items.len())?), 0, otherwise);
        }
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
            assert_eq!(header(metadata).with_physical_values().rescaling(), None);
        }
    }

    #[test]
    fn slices_may_differ_and_parts_keep_their_own() {
        let whole = header(r#"{"dicom":{"RescaleSlope":[1.0,2.0,4.0],"RescaleIntercept":-1.0}}"#);
        let found = whole.rescaling().expect("three slopes");
        assert_eq!(
            (found.uniform(), found.at(0, 1), found.at(0, 2).of(3.0)),
            (None, Rescale { slope: 2.0, intercept: -1.0 }, 11.0)
        );
        assert!(whole.is_rescaled_by_slice() && whole.has_mixed_level(1) && !whole.has_mixed_level(0));
        assert!(!whole.clone().with(|header| header.kind = VoxelKind::Labels).is_rescaled_by_slice());
        let region = Region { x: 0..1, y: 0..1, z: 1..3 };
        let part = whole.of_part(&Selection::default(), &region).rescaling().expect("two slopes");
        assert_eq!((part.at(0, 0).slope, part.at(0, 1).slope), (2.0, 4.0));
        // The mean of slices with different slopes has none.
        let smaller = Selection { mip_level: 1, ..Selection::default() };
        let region = Region { x: 0..1, y: 0..1, z: 0..2 };
        assert_eq!(whole.of_part(&smaller, &region).rescaling(), None);
        let pairs = header(r#"{"dicom":{"RescaleSlope":[2.0,2.0,4.0],"RescaleIntercept":-1.0}}"#);
        let halved = pairs.of_part(&smaller, &region).rescaling().expect("slopes of pairs");
        assert_eq!((halved.at(0, 0).slope, halved.at(0, 1).slope, halved.lines().len()), (2.0, 4.0, 2));
        assert!(!pairs.has_mixed_level(1) && pairs.has_mixed_level(2));
        // Lists of other lengths are ignored.
        assert_eq!(header(r#"{"dicom":{"RescaleSlope":[1.0,2.0]}}"#).rescaling(), None);
        assert_eq!(header(r#"{"dicom":{"RescaleSlope":[1.0,2.0,3.0,4.0]}}"#).rescaling(), None);
    }

    #[test]
    fn frames_may_differ() {
        let frames = |metadata: &str| header(metadata).with(|header| header.frames = 2);
        let whole = frames(r#"{"dicom":{"RescaleSlopes":[1,2,3,4,5,6],"RescaleIntercept":[7,8,9]}}"#);
        let found = whole.rescaling().expect("six slopes");
        assert_eq!(found.at(1, 0), Rescale { slope: 4.0, intercept: 7.0 });
        assert_eq!(found.at(0, 2), Rescale { slope: 3.0, intercept: 9.0 });
        assert!(found.uniform().is_none() && whole.is_rescaled_by_slice());
        assert_eq!(whole.clone().with_physical_values().rescaling(), None);
        let second = Selection { frames: Some(1..2), ..Selection::default() };
        let part = whole.of_part(&second, &Region { x: 0..1, y: 0..1, z: 1..3 });
        let found = part.rescaling().expect("two slopes");
        assert_eq!((found.at(0, 0).slope, found.at(0, 1).of(1.0)), (5.0, 15.0));
        let part = whole.of_part(&Selection::default(), &Region { x: 0..1, y: 0..1, z: 2..3 });
        let found = part.rescaling().expect("a slope for each frame");
        assert_eq!((found.at(0, 0).slope, found.at(1, 0).slope), (3.0, 6.0));
        // Slopes that differ only between frames do not mix.
        let by_frame = frames(r#"{"dicom":{"RescaleSlopes":[2,2,2,4,4,4]}}"#);
        assert!(!by_frame.is_rescaled_by_slice() && !by_frame.has_mixed_level(2));
        let smaller = Selection { mip_level: 1, frames: Some(1..2), channel: None };
        let part = by_frame.of_part(&smaller, &Region { x: 0..1, y: 0..1, z: 0..2 });
        assert_eq!(part.rescaling().and_then(|found| found.uniform()).map(|line| line.slope), Some(4.0));
    }
}
