//! DICOM series: files of one slice or several frames each, put in order by where they lie (DICOM PS3.3,
//! C.7.6.2 and C.7.6.16).
//!
//! Grey and RGB of 8, 16 or 32 bits, in the uncompressed transfer syntaxes, deflated, as RLE Lossless or as
//! lossless JPEG. Stored values are kept as they are; the rescale slope and intercept go to the metadata. The
//! patient's name and ID do not. Where slices lie in the same places again and again, and the file numbers
//! the times, they are frames.

mod fields;
mod guard;
mod jpeg;
mod order;
mod rle;
mod slice_file;

use super::{
    FormatError, Note, OpenedVolume, SlicesError, VolumeFormat,
    reopening_reader::ReopeningReader,
    slice::{name_of, named},
    source::Source,
};
use crate::{ByteOrder, Header, Spacing, Stage, Task};
use order::Geometry;
use serde_json::{Map, Value, json};
use slice_file::{Frames, Slice, SliceFile};
use std::path::{Path, PathBuf};

/// Opens one file: a volume of one slice, or of its frames.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    open_source(Source::File(path.to_owned()), task)
}

pub(super) fn open_source(source: Source, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    task.check()?;
    let slices = SliceFile::read(source)?;
    if slices.is_empty() {
        return Err(FormatError::Missing("PixelData"));
    }
    volume(slices)
}

/// Opens the DICOM files among `files` as a series. Files without the extension .dcm may be something else.
/// Files without voxels and copies of others are left out, with a note.
/// Reports the files examined.
///
/// # Errors
/// [`FormatError`]; [`SlicesError`] if the files are of several series, or one is missing.
pub fn open_files(files: &[PathBuf], task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    let mut slices: Vec<Slice> = Vec::new();
    let (mut empty, mut copies) = (Vec::new(), Vec::new());
    for (number, path) in files.iter().enumerate() {
        task.check()?;
        if slice_file::is_dicom(path) {
            let read = SliceFile::read(Source::File(path.clone())).map_err(named(name_of(path)))?;
            match read.first() {
                None => empty.push(name_of(path)),
                Some(first) if slices.iter().any(|slice| slice.is_copy_of(first)) => {
                    copies.push(name_of(path));
                }
                Some(_) => slices.extend(read),
            }
        }
        task.report(Stage::Reading, number as u64 + 1, files.len() as u64);
    }
    if slices.is_empty() {
        return Err(SlicesError::None.into());
    }
    let mut series: Vec<(&str, String)> = Vec::new();
    for Slice { file, .. } in &slices {
        if series.iter().all(|(uid, _)| *uid != file.series) {
            series.push((&file.series, format!("{} ({})", file.series, file.name)));
        }
    }
    if series.len() > 1 {
        return Err(SlicesError::Series(series.into_iter().map(|(_, text)| text).collect()).into());
    }
    let mut volume = volume(slices)?;
    volume.notes.extend((!empty.is_empty()).then_some(Note::NoVoxels { files: empty }));
    volume.notes.extend((!copies.is_empty()).then_some(Note::Copies { files: copies }));
    Ok(volume)
}

fn volume(slices: Vec<Slice>) -> Result<OpenedVolume, FormatError> {
    order::check_alike(&slices)?;
    let (slices, frames, geometry) = in_order(slices)?;
    let first = slices[0].file.shape;
    for slice in &slices {
        slice.file.shape.check(first).map_err(named(slice.name()))?;
    }
    let mut header = Header { frames, ..first.header(slices.len() / frames)? };
    header.raw_bytes()?;
    let slice_bytes = first.header(1)?.raw_bytes()? as usize;
    let [x, y] = slices[0].pixel_spacing.unwrap_or([1.0; 2]);
    header.spacing = Spacing { x, y, z: geometry.step };
    header.origin = geometry.origin;
    header.orientation = geometry.orientation;
    if frames > 1 {
        let step = slices[0].time_step.filter(|&step| step.is_normal() && step > 0.0);
        header.frame_spacing = step.unwrap_or(0.0);
    }
    let notes = notes(&slices[0], &geometry);
    header.metadata = json!({ "dicom": metadata(&slices, frames) }).to_string();
    let mut files: Vec<PathBuf> = slices.iter().flat_map(|slice| slice.file.source.files()).collect();
    files.dedup();
    let places: Vec<_> = slices.into_iter().map(|slice| (slice.file, slice.frame)).collect();
    let voxels = ReopeningReader::of_slices(places.len(), slice_bytes, move || {
        let (places, mut opened) = (places.clone(), None::<Frames>);
        move |index, bytes| {
            let (file, frame) = &places[index];
            let mut read = || {
                if !opened.as_ref().is_some_and(|frames| frames.serves(file, *frame)) {
                    opened = Some(Frames::open(file)?);
                }
                opened.as_mut().map_or(Ok(()), |frames| frames.read(*frame, bytes))
            };
            read().map_err(named(file.name.clone()))
        }
    });
    let volume = OpenedVolume::from_files(VolumeFormat::Dicom, header, ByteOrder::Little, voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Returns notes on fields of the first slice, which count for all slices.
fn notes(first: &Slice, geometry: &Geometry) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(first.detector_field.map(|field| Note::DetectorSpacing { field }));
    let zero = first.zero_thickness.filter(|_| geometry.is_of_one_slice || first.is_placed_by_thickness);
    notes.extend(zero.map(|field| Note::NoSliceDistance { field }));
    notes
}

/// The slices in the order of the volume, how many frames they make, and where these lie.
fn in_order(mut slices: Vec<Slice>) -> Result<(Vec<Slice>, usize, Geometry), FormatError> {
    let mut times: Vec<Option<i64>> = slices.iter().map(|slice| slice.time).collect();
    times.sort();
    times.dedup();
    let frames = times.len();
    if frames > 1 && times[0].is_some() && slices.len().is_multiple_of(frames) {
        let depth = slices.len() / frames;
        slices.sort_by_key(|slice| slice.time);
        let is_even = slices.chunks(depth).all(|frame| frame.iter().all(|slice| slice.time == frame[0].time));
        if is_even {
            let mut places = slices.chunks_mut(depth).map(order::sort);
            let first = places.next().unwrap_or(Err(SlicesError::None.into()));
            if let Ok(first) = first
                && places.all(|place| place.is_ok_and(|place| place.is_at(&first)))
            {
                return Ok((slices, frames, first));
            }
        }
        // Slices that were taken one after the other have a time each, too.
        slices.sort_by_key(|slice| (slice.file.name.clone(), slice.frame));
    }
    let geometry = order::sort(&mut slices)?;
    Ok((slices, 1, geometry))
}

/// What the slices say besides their voxels: one value if all agree, else one per slice.
fn metadata(slices: &[Slice], frames: usize) -> Map<String, Value> {
    let mut all = Map::new();
    for key in slices[0].attributes.keys() {
        let values: Vec<Value> =
            slices.iter().map(|slice| slice.attributes.get(key).cloned().unwrap_or_default()).collect();
        let same = values.iter().all(|value| *value == values[0]);
        // Slope and intercept that change in time have no place in the header, which knows those of slices.
        let key =
            if same || frames == 1 || !key.starts_with("Rescale") { key.clone() } else { format!("{key}s") };
        all.insert(key, if same { values[0].clone() } else { values.into() });
    }
    all
}
