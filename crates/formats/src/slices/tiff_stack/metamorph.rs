//! Stacks of MetaMorph (STK): a TIFF file of one directory, whose planes follow each other without a gap.
//! Private tags, UIC1Tag to UIC4Tag, state their number, distances and times. (Molecular Devices, "MetaMorph
//! Stack (STK) Image File Format"; the fields used here are also described by tifffile and Bio-Formats.)
//!
//! The counts of these tags are numbers of planes or of pairs, not of values, so the `tiff` crate does not
//! read them.

use super::pages::{PageOrder, Pages, filled};
use crate::{
    FormatError, Note, PageStackFeature,
    header::{
        geometry::Field,
        header_text::short,
        units::{self, Unit},
    },
    opened::source::Source,
};
use std::io::{Read as _, Seek as _, SeekFrom};

pub const UIC1: u64 = 33628;
pub const UIC2: u64 = 33629;
pub const UIC3: u64 = 33630;

/// Fields of UIC1Tag: 1 if the file states distances, distances along x and y, and the name of their unit.
const SPATIAL_CALIBRATION: u32 = 3;
const X_CALIBRATION: u32 = 4;
const Y_CALIBRATION: u32 = 5;
const CALIBRATION_UNITS: u32 = 6;

/// Bytes of a plane in UIC2Tag: its distance as a fraction, day and time of its creation and of its change.
const PLANE_BYTES: u64 = 24;

/// Maximum number of planes and of pairs. Each is read into memory.
const MOST: u64 = 1 << 20;

const MILLISECONDS_PER_DAY: f64 = 86_400_000.0;

/// The private tags of the first directory: the count and the position of their values.
#[derive(Clone, Copy, Default)]
pub struct Tags {
    pub pairs: Option<(u64, u64)>,
    pub planes: Option<(u64, u64)>,
    pub wavelengths: Option<(u64, u64)>,
}

/// A plane in UIC2Tag.
struct Plane {
    distance: f64,
    /// Time of its creation in milliseconds.
    time: f64,
}

/// Reads the description of a stack; `None` if the file is none, or of a single plane.
///
/// # Errors
/// [`FormatError`] if the values are outside the file or unusable, or the stack has several wavelengths.
pub fn read(source: &Source, tags: Tags, is_little: bool) -> Result<Option<Pages>, FormatError> {
    let Some((count, at)) = tags.planes.filter(|&(count, _)| count > 1) else { return Ok(None) };
    if count > MOST {
        return Err(FormatError::Number { field: "UIC2Tag".to_owned(), value: format!("{count} planes") });
    }
    let file = Numbers { source, is_little };
    let planes: Vec<Plane> = file
        .read(at, count * PLANE_BYTES)?
        .chunks_exact(6)
        .map(|plane| Plane {
            distance: fraction(plane[0], plane[1]).abs(),
            time: f64::from(plane[2]) * MILLISECONDS_PER_DAY + f64::from(plane[3]),
        })
        .collect();
    if let Some((wavelength_count, at)) = tags.wavelengths.filter(|tag| tag.0 == count) {
        let wavelengths = file.read(at, wavelength_count * 8)?;
        let first = fraction(wavelengths[0], wavelengths[1]);
        if wavelengths.chunks_exact(2).any(|pair| fraction(pair[0], pair[1]) != first) {
            return Err(PageStackFeature::MetaMorphWavelengths.into());
        }
    }
    let mut notes = Vec::new();
    let [x, y] = file.calibration(tags, &mut notes)?;
    let mut pages = Pages { slices: planes.len(), channels: 1, frames: 1, ..Pages::default() };
    let distance = planes.iter().map(|plane| plane.distance).find(|&distance| distance != 0.0);
    let steps = planes.windows(2).map(|pair| pair[1].time - pair[0].time);
    if distance.is_none() && steps.clone().all(|step| step > 0.0) {
        (pages.slices, pages.frames) = (1, planes.len());
        let seconds = steps.sum::<f64>() / 1e3 / (planes.len() - 1) as f64;
        pages.frame_spacing = Some(seconds);
    }
    // Distances between planes are in micrometres.
    let z = match distance {
        Some(distance) => {
            let text = distance.to_string();
            Some(Field { name: "UIC2Tag", text: &text }.length(distance / 1e3)?)
        }
        None => None,
    };
    let is_even = |distance: f64| planes[1..].iter().all(|plane| (plane.distance - distance).abs() < 1e-3);
    if let Some(distance) = distance.filter(|&distance| !is_even(distance)) {
        notes.push(Note::UnevenSlices { field: "UIC2Tag", millimetres: (distance / 1e3).to_string() });
    }
    pages.order = PageOrder::Steps([1, 1, 1]);
    pages.spacing = filled([x, y, z], pages.slices, &mut notes);
    pages.notes = notes;
    Ok(Some(pages))
}

/// Numbers of 32 bits in a file.
struct Numbers<'a> {
    source: &'a Source,
    is_little: bool,
}

impl Numbers<'_> {
    fn bytes(&self, at: u64, byte_count: u64) -> Result<Vec<u8>, FormatError> {
        let have = self.source.byte_count()?;
        let need = at.saturating_add(byte_count);
        if need > have {
            return Err(FormatError::Length { part: "the file of a MetaMorph stack", need, have });
        }
        let mut file = self.source.open()?;
        file.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::new();
        file.take(byte_count).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn read(&self, at: u64, byte_count: u64) -> Result<Vec<u32>, FormatError> {
        let bytes = self.bytes(at, byte_count)?;
        let number = if self.is_little { u32::from_le_bytes } else { u32::from_be_bytes };
        Ok(bytes.as_chunks::<4>().0.iter().map(|bytes| number(*bytes)).collect())
    }

    /// Returns the distances along x and y in millimetres, if they are stated.
    fn calibration(&self, tags: Tags, notes: &mut Vec<Note>) -> Result<[Option<f64>; 2], FormatError> {
        let Some((count, at)) = tags.pairs.filter(|&(count, _)| count <= MOST) else { return Ok([None; 2]) };
        let pairs = self.read(at, count * 8)?;
        let value = |id: u32| pairs.chunks_exact(2).find(|pair| pair[0] == id).map(|pair| pair[1]);
        if value(SPATIAL_CALIBRATION) == Some(0) {
            return Ok([None; 2]);
        }
        let name = match value(CALIBRATION_UNITS) {
            Some(at) => {
                let length = self.read(at.into(), 4)?[0];
                let name = self.bytes(u64::from(at) + 4, u64::from(length.min(64)))?;
                // Latin-1, with a zero at the end.
                name.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect()
            }
            None => String::new(),
        };
        let unit = units::length(&name);
        if unit == Unit::Unknown {
            notes.push(Note::UnknownUnit { field: "CalibrationUnits", unit: short(&name) });
        }
        let length = |id: u32, field: &'static str| {
            let Some(at) = value(id) else { return Ok(None) };
            let parts = self.read(at.into(), 8)?;
            let text = format!("{}/{}", parts[0], parts[1]);
            let field = Field { name: field, text: &text };
            field.length(unit.scale().of(fraction(parts[0], parts[1]))).map(Some)
        };
        Ok([length(X_CALIBRATION, "XCalibration")?, length(Y_CALIBRATION, "YCalibration")?])
    }
}

/// Returns a fraction of integers with a sign; 0 if it has no denominator.
fn fraction(numerator: u32, denominator: u32) -> f64 {
    let [numerator, denominator] = [numerator, denominator].map(|number| f64::from(number as i32));
    if denominator == 0.0 { 0.0 } else { numerator / denominator }
}
