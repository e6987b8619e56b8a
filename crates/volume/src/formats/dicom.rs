//! DICOM series: files of one slice each, put in order by where they lie (DICOM PS3.3, C.7.6.2).
//!
//! Grey and RGB of 8 or 16 bits, in the uncompressed transfer syntaxes, deflated, as RLE Lossless or as
//! lossless JPEG. Stored values are kept as they are; the rescale slope and intercept go to the metadata. The
//! patient's name and ID do not.

mod guard;
mod jpeg;
mod order;
mod rle;
mod slice_file;

use super::{
    FormatError, OpenedVolume, SlicesError, VolumeFormat,
    reopening_reader::ReopeningReader,
    slice::{Shape, name_of, named},
};
use crate::{ByteOrder, Spacing};
use serde_json::{Map, Value, json};
use slice_file::SliceFile;
use std::path::{Path, PathBuf};

/// Opens one file as a volume of one slice.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path) -> Result<OpenedVolume, FormatError> {
    volume(vec![SliceFile::read(path)?])
}

/// Opens the DICOM files among `files` as a series. Files without the extension .dcm may be something else.
///
/// # Errors
/// [`FormatError`]; [`SlicesError`] if the files are of several series, or one is missing.
pub fn open_files(files: &[PathBuf]) -> Result<OpenedVolume, FormatError> {
    let mut slices: Vec<SliceFile> = Vec::new();
    for path in files.iter().filter(|path| slice_file::is_dicom(path)) {
        slices.push(SliceFile::read(path).map_err(named(name_of(path)))?);
    }
    if slices.is_empty() {
        return Err(SlicesError::None.into());
    }
    let mut series: Vec<(&str, String)> = Vec::new();
    for slice in &slices {
        if series.iter().all(|(uid, _)| *uid != slice.series) {
            series.push((&slice.series, format!("{} ({})", slice.series, name_of(&slice.path))));
        }
    }
    if series.len() > 1 {
        return Err(SlicesError::Series(series.into_iter().map(|(_, text)| text).collect()).into());
    }
    volume(slices)
}

fn volume(mut slices: Vec<SliceFile>) -> Result<OpenedVolume, FormatError> {
    let geometry = order::sort(&mut slices)?;
    let first = slices[0].shape;
    for slice in &slices {
        slice.shape.check(first).map_err(named(name_of(&slice.path)))?;
    }
    let mut header = first.header(slices.len())?;
    let slice_bytes = first.header(1)?.raw_bytes()? as usize;
    let [x, y] = slices[0].pixel_spacing.unwrap_or([1.0; 2]);
    header.spacing = Spacing { x, y, z: geometry.step };
    header.origin = geometry.origin;
    header.orientation = geometry.orientation;
    header.metadata = json!({ "dicom": metadata(&slices) }).to_string();
    let paths: Vec<PathBuf> = slices.into_iter().map(|slice| slice.path).collect();
    let files = paths.clone();
    let voxels = ReopeningReader::of_slices(paths.len(), slice_bytes, move || {
        let paths = paths.clone();
        move |index, bytes| {
            let path = &paths[index];
            read_slice(path, first, bytes).map_err(named(name_of(path)))
        }
    });
    Ok(OpenedVolume::from_files(VolumeFormat::Dicom, header, ByteOrder::Little, voxels, files))
}

fn read_slice(path: &Path, first: Shape, bytes: &mut Vec<u8>) -> Result<(), FormatError> {
    slice_file::read_pixels(path, bytes)?.check(first)
}

/// What the slices say besides their voxels: one value if all agree, else one per slice.
fn metadata(slices: &[SliceFile]) -> Map<String, Value> {
    let mut all = Map::new();
    for key in slices[0].attributes.keys() {
        let values: Vec<Value> =
            slices.iter().map(|slice| slice.attributes.get(key).cloned().unwrap_or_default()).collect();
        let same = values.iter().all(|value| *value == values[0]);
        all.insert(key.clone(), if same { values[0].clone() } else { values.into() });
    }
    all
}
