//! A slice without its voxels, with the fields that place it.

use super::{
    acquired::Acquired,
    marks::{FIELDS, Mark},
    mosaic::Mosaic,
    slice_file::SliceFile,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A slice without its voxels: a whole file, or one frame of a file.
#[derive(Clone)]
pub struct Slice {
    pub file: Arc<SliceFile>,
    /// Index of the frame in the file.
    pub frame: usize,
    /// True if all voxels are zero, because the file has no frame for this slice of a segment.
    pub is_empty: bool,
    /// Position of the first voxel's centre.
    pub position: Option<[f64; 3]>,
    /// Directions of x and y.
    pub directions: Option<[f64; 6]>,
    /// True if position and directions are in the frame of reference of the volume, not of the patient.
    pub is_of_volume: bool,
    /// Distance between voxels along x and y.
    pub pixel_spacing: Option<[f64; 2]>,
    /// Height of a voxel divided by its width, if it is not 1.
    pub aspect: Option<f64>,
    /// Name of the field that states the distance, unless that is PixelSpacing.
    pub detector_field: Option<&'static str>,
    /// Distance to the next slice, as a single slice states it.
    pub thickness: Option<f64>,
    /// Name of the field that states a distance of zero, if no other field states one.
    pub zero_thickness: Option<&'static str>,
    /// True if the position follows from `thickness`.
    pub is_placed_by_thickness: bool,
    pub number: Option<i64>,
    /// Identifier of the stack, where a file or series has several.
    pub stack: Option<String>,
    /// Values of the fields that tell apart slices at the same position.
    pub marks: [Option<Mark>; FIELDS.len()],
    /// When the slice was acquired.
    pub acquired: Option<Acquired>,
    /// Seconds between times.
    pub time_step: Option<f64>,
    /// Place along an unknown line, in millimetres.
    pub location: Option<f64>,
    /// Name of a field that states physical values but is not applied.
    pub mapping_not_applied: Option<&'static str>,
    /// True if a table states the contrast, and no window does.
    pub has_table: bool,
    pub attributes: Map<String, Value>,
}

impl Slice {
    /// True if both are the same slice with the same content. The identifier alone does not decide: programs
    /// may give all slices the same one.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        self.copy_key().is_some()
            && self.copy_key() == other.copy_key()
            && self.marks == other.marks
            && self.directions == other.directions
            && self.file.shape == other.file.shape
            && self.attributes == other.attributes
    }

    /// Returns the key that copies of a slice share; `None` if a copy of this slice cannot be recognised.
    pub fn copy_key(&self) -> Option<CopyKey> {
        let is_placed = self.position.is_some() || self.number.is_some();
        let position = self.position.map(|position| position.map(f64::to_bits));
        let instance = Some(self.file.instance.clone()).filter(|uid| is_placed && !uid.is_empty())?;
        Some((instance, self.file.series.uid.clone(), self.frame, self.number, position))
    }

    /// Returns the approximate size in memory in bytes, without parts that slices of a file share.
    pub fn byte_count(&self) -> u64 {
        let attribute = |(name, value): (&String, &Value)| {
            let value = match value {
                Value::String(text) => text.len(),
                Value::Array(numbers) => size_of_val(&numbers[..]),
                _ => 0,
            };
            name.len() + size_of::<(String, Value)>() + value
        };
        let mark = |mark: &Mark| match mark {
            Mark::Numbers(numbers) => size_of_val(&numbers[..]),
            Mark::Text(text) => text.len(),
        };
        let marks: usize = self.marks.iter().flatten().map(mark).sum();
        (size_of::<Self>() + marks + self.attributes.iter().map(attribute).sum::<usize>()) as u64
    }

    /// Returns the slice of a tile of a mosaic; this slice has the fields of the file.
    pub fn of_tile(mut self, mosaic: &Mosaic, tile: usize) -> Self {
        self.frame = tile;
        self.number = Some(tile as i64);
        self.is_placed_by_thickness = true;
        if let (Some(first), Some(directions)) = (self.position, self.directions) {
            let (spacing, thickness) =
                (self.pixel_spacing.unwrap_or([1.0; 2]), self.thickness.unwrap_or(1.0));
            let position = mosaic.position(tile, self.file.shape, first, directions, spacing, thickness);
            self.position = Some(position);
        }
        self
    }

    /// Returns the slice's name for messages.
    pub fn name(&self) -> String {
        if self.file.frame_count == 1 {
            return self.file.name.clone();
        }
        format!("{}, frame {}", self.file.name, self.frame + 1)
    }
}

/// Identifiers of the instance and the series, index of the frame, instance number, and position.
type CopyKey = (String, String, usize, Option<i64>, Option<[u64; 3]>);
