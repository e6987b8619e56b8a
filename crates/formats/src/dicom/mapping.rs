//! Physical values that RescaleSlope does not state: RealWorldValueMappingSequence (PS3.3, C.7.6.16.2.11) and
//! ModalityLUTSequence (PS3.3, C.11.1). A table is used if it is a straight line.

use super::{fields::Fields, lookup::table};
use crate::{
    FormatError,
    header::{geometry::Field, header_text::short},
};
use dicom_dictionary_std::tags;
use dicom_object::{InMemDicomObject, Tag};

/// Line from stored numbers to physical values.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub slope: f64,
    pub intercept: f64,
    /// Unit of physical values, if it is known.
    pub unit: Option<String>,
    /// True if it is the table of the modality.
    is_table: bool,
}

/// Physical values of a slice, beside RescaleSlope and RescaleIntercept.
#[derive(Clone, Debug, PartialEq)]
pub enum Mapping {
    /// None, or the same as RescaleSlope.
    None,
    /// These.
    Line(Line),
    /// The field of this name states them, but not as the line that is used.
    NotApplied(&'static str),
}

const REAL_WORLD: &str = "RealWorldValueMappingSequence";
const MODALITY: &str = "ModalityLUTSequence";

impl Fields<'_> {
    /// Returns the mapping for all frames; `range` has the smallest and the largest possible number.
    pub fn mapping_of_file(&self, range: [i64; 2]) -> Mapping {
        if let Some(item) = first_item(self.object(), tags::MODALITY_LUT_SEQUENCE) {
            let line = modality_line(item, range[0] < 0).filter(|(_, ends)| {
                // Numbers beyond the table have the value at its end.
                ends[0] <= range[0] && ends[1] >= range[1]
            });
            return line.map_or(Mapping::NotApplied(MODALITY), |(line, _)| Mapping::Line(line));
        }
        real_world_mapping(self.shared_items(tags::REAL_WORLD_VALUE_MAPPING_SEQUENCE))
    }

    /// Returns the mapping of the frame, which is `of_file` unless the frame has its own. `rescale` is the
    /// slope and intercept that the frame states.
    ///
    /// # Errors
    /// [`FormatError::Geometry`] if a slope is zero.
    pub fn mapping(&self, of_file: &Mapping, rescale: Option<[f64; 2]>) -> Result<Mapping, FormatError> {
        let own = self.own_items(tags::REAL_WORLD_VALUE_MAPPING_SEQUENCE).map(real_world_mapping);
        let found = own.unwrap_or_else(|| of_file.clone());
        let Mapping::Line(line) = &found else { return Ok(found) };
        let text = line.slope.to_string();
        Field { name: "RealWorldValueSlope", text: &text }.slope(line.slope)?;
        Ok(match rescale {
            None | Some([1.0, 0.0]) => found,
            Some(rescale) if rescale == [line.slope, line.intercept] => Mapping::None,
            Some(_) => Mapping::NotApplied(if line.is_table { MODALITY } else { REAL_WORLD }),
        })
    }
}

/// Returns the mapping of items, which is a line if all are the same one.
fn real_world_mapping(items: &[InMemDicomObject]) -> Mapping {
    let lines: Vec<Option<Line>> = items.iter().map(real_world_line).collect();
    let Some(first) = lines.first() else { return Mapping::None };
    let key = |line: &Option<Line>| line.as_ref().map(|line| [line.slope, line.intercept]);
    match first {
        Some(line) if lines.iter().all(|other| key(other) == key(first)) => Mapping::Line(line.clone()),
        _ => Mapping::NotApplied(REAL_WORLD),
    }
}

fn first_item(object: &InMemDicomObject, sequence: Tag) -> Option<&InMemDicomObject> {
    object.get(sequence)?.items()?.first()
}

fn number(item: &InMemDicomObject, tag: Tag) -> Option<f64> {
    item.get(tag)?.to_float64().ok().filter(|number| number.is_finite())
}

fn real_world_line(item: &InMemDicomObject) -> Option<Line> {
    let unit = first_item(item, tags::MEASUREMENT_UNITS_CODE_SEQUENCE)
        .and_then(|code| code.get(tags::CODE_VALUE)?.to_str().ok())
        .and_then(|code| match code.trim() {
            // Codes of UCUM: no unit, Hounsfield units.
            "" | "1" => None,
            "[hnsf'U]" => Some("HU".to_owned()),
            other => Some(short(other)),
        });
    let slope = number(item, tags::REAL_WORLD_VALUE_SLOPE);
    let intercept = number(item, tags::REAL_WORLD_VALUE_INTERCEPT);
    if let (Some(slope), Some(intercept)) = (slope, intercept) {
        return Some(Line { slope, intercept, unit, is_table: false });
    }
    let values = item.get(tags::REAL_WORLD_VALUE_LUT_DATA)?.to_multi_float64().ok()?;
    let first = number(item, tags::REAL_WORLD_VALUE_FIRST_VALUE_MAPPED)?;
    let [slope, intercept] = line_through(&values, first)?;
    Some(Line { slope, intercept, unit, is_table: false })
}

/// Returns the line of a table of the modality, and the first and the last number in the table.
fn modality_line(item: &InMemDicomObject, is_signed: bool) -> Option<(Line, [i64; 2])> {
    let descriptor = item.get(tags::LUT_DESCRIPTOR)?.to_multi_int::<i64>().ok()?;
    let [count, first, bits] = descriptor[..] else { return None };
    let count = if count & 0xffff == 0 { 1 << 16 } else { count & 0xffff };
    let first = if is_signed { i64::from(first as i16) } else { first & 0xffff };
    let bytes = item.get(tags::LUT_DATA)?.to_bytes().ok()?;
    let values: Vec<f64> = table(&bytes, count as usize, bits)?.into_iter().map(f64::from).collect();
    let [slope, intercept] = line_through(&values, first as f64)?;
    let unit = item.get(tags::MODALITY_LUT_TYPE).and_then(|unit| unit.to_str().ok());
    let unit = unit.map(|unit| short(unit.trim()));
    Some((Line { slope, intercept, unit, is_table: true }, [first, first + count - 1]))
}

/// Returns slope and intercept of the line through all values, the first of which is that of the number
/// `first`.
fn line_through(values: &[f64], first: f64) -> Option<[f64; 2]> {
    let (&start, &end) = (values.first()?, values.last()?);
    let slope = (end - start) / (values.len() - 1) as f64;
    let near = 1e-9 * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let is_line =
        values.iter().enumerate().all(|(i, value)| (start + slope * i as f64 - value).abs() <= near);
    (is_line && slope.is_normal()).then_some([slope, start - slope * first])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_table_is_a_line() {
        assert_eq!(line_through(&[1000.0, 997.0, 994.0], 0.0), Some([-3.0, 1000.0]));
        assert_eq!(line_through(&[0.5, 1.0], -2.0), Some([0.5, 1.5]));
        for other in [&[0.0, 1.0, 4.0][..], &[1.0], &[1.0, 1.0], &[], &[f64::NAN, 1.0]] {
            assert_eq!(line_through(other, 0.0), None, "{other:?}");
        }
    }
}
