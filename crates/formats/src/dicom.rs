//! DICOM series: files with one slice or several frames each, sorted by their positions (DICOM PS3.3, C.7.6.2
//! and C.7.6.16).
//!
//! The module reads grey and RGB voxels of 8, 16 or 32 bits: uncompressed, deflated, RLE Lossless or lossless
//! JPEG; with the feature `dicom-jpegs`, JPEG-LS, JPEG 2000 and HTJ2K. Masks of one bit become bytes.
//! Palettes and YBR_FULL become RGB. Other stored values are kept. The metadata receives the rescale slope
//! and intercept, but not the patient's name and ID. Where several slices have the same position and a field
//! tells them apart, they are frames.
//!
//! | file | contents |
//! |---|---|
//! | `transfer_syntax.rs`, `meta.rs`, `guard.rs` | the start of a file, and its elements, checked |
//! | `layout.rs`, `lookup.rs`, `palette_segments.rs` | stored numbers, palettes |
//! | `fields.rs`, `charset.rs`, `marks.rs`, `mapping.rs` | fields of a frame |
//! | `diffusion.rs`, `acquired.rs`, `midnight.rs` | diffusion weighting; times |
//! | `stacking.rs`, `mosaic.rs`, `segments.rs`, `tiles.rs` | frames as slices |
//! | `slice_file.rs`, `slice.rs`, `slice_fields.rs`, `read.rs` | a file's slices, without voxels |
//! | `choose.rs`, `order.rs`, `frames.rs`, `empty_slices.rs` | slices of a series, in order |
//! | `incomplete.rs` | the error of series with absent slices |
//! | `frame_reader.rs`, `rle.rs`, `sample.rs` | voxels |
//! | `jpeg/`, `jpeg_ls/`, `jpeg_frame.rs`, `jpeg2000/` | decoders of JPEG formats |

mod acquired;
mod charset;
mod choose;
mod diffusion;
mod empty_slices;
mod fields;
mod frame_reader;
mod frames;
mod guard;
mod incomplete;
mod jpeg;
#[cfg(feature = "dicom-jpegs")]
mod jpeg2000;
mod jpeg_frame;
#[cfg(feature = "dicom-jpegs")]
mod jpeg_ls;
mod layout;
mod lookup;
mod mapping;
mod marks;
mod meta;
mod midnight;
mod mosaic;
mod order;
mod palette_segments;
mod read;
mod rle;
mod sample;
mod segments;
mod slice;
mod slice_fields;
mod slice_file;
mod stacking;
#[cfg(test)]
mod test_images;
mod tiles;
mod transfer_syntax;

use crate::{
    FormatError, Note, OpenedVolume, PartsNote, VolumeFormat, VolumeOpenOptions,
    header::format_header::set_metadata,
    opened::source::Source,
    slices::slice::{files_in, name_of, named, resize},
    streams::reopening_reader::ReopeningReader,
    words::digits,
};
use brickwork_volume::{ByteOrder, ErrorKind, Spacing, Stage, Task, VoxelKind};
use choose::{Unreadable, choose};
use frame_reader::Frames;
use frames::{Ordered, are_times, in_order, seconds_between};
use marks::{ACQUISITION_TIME, FIELDS, SEGMENT};
use order::Geometry;
use serde_json::{Map, Value, json};
use slice::Slice;
use slice_file::{SeriesHead, SliceFile};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Opens one file: a volume of one slice, or of the file's frames. For a DICOMDIR, opens the folder that
/// contains it.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, options: &VolumeOpenOptions, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    open_source(Source::File(path.to_owned()), options, task)
}

pub(crate) fn open_source(
    source: Source,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    task.check()?;
    if let Source::File(path) = &source
        && slice_file::is_directory_file(path)
    {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        return open_folder(folder.unwrap_or(Path::new(".")), options, task);
    }
    let slices = SliceFile::read(source)?;
    if slices.is_empty() {
        return Err(FormatError::Missing("PixelData"));
    }
    chosen_volume(slices, Vec::new(), options)
}

/// Maximum depth of the subfolders that are searched.
const MAX_DEPTH: usize = 16;

/// Opens the DICOM files in a folder and its subfolders.
///
/// # Errors
/// The errors of [`open_files`].
pub fn open_folder(
    folder: &Path,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        task.check()?;
        files.extend(files_in(&folder)?);
        for entry in std::fs::read_dir(&folder)?.filter(|_| depth < MAX_DEPTH) {
            let entry = entry?;
            // Links to folders are not followed: they may lead back.
            if entry.file_type()?.is_dir() && !name_of(&entry.path()).starts_with('.') {
                folders.push((entry.path(), depth + 1));
            }
        }
    }
    files.sort();
    open_files(&files, options, task)
}

/// Opens the DICOM files among `files` as a series. Files without the extension .dcm may be other files.
/// Files without voxels and copies of other files are left out, with a note. Reports the number of files
/// examined.
///
/// # Errors
/// [`FormatError`]. [`SlicesError`](crate::SlicesError) if the files belong to several series and none is
/// chosen, or if a slice is missing.
pub fn open_files(
    files: &[PathBuf],
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let mut slices: Vec<Slice> = Vec::new();
    let (mut empty, mut copies, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    let mut by_key: HashMap<_, Vec<usize>> = HashMap::new();
    for (number, path) in files.iter().enumerate() {
        task.check()?;
        if slice_file::is_dicom(path) {
            let source = Source::File(path.clone());
            let read = match SliceFile::read(source.clone()) {
                Ok(read) => Some(read),
                Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Invalid) => {
                    let series = SeriesHead::of_unreadable(&source);
                    unreadable.push(Unreadable { name: name_of(path), series, error });
                    None
                }
                Err(error) => return Err(named(name_of(path))(error)),
            };
            match read.as_deref().map(<[Slice]>::first) {
                None => {}
                Some(None) => empty.push(name_of(path)),
                Some(Some(first)) => {
                    let same = first.copy_key().map(|key| by_key.entry(key).or_default());
                    if same.as_deref().is_some_and(|all| all.iter().any(|&i| slices[i].is_copy_of(first))) {
                        copies.push(name_of(path));
                    } else {
                        same.into_iter().for_each(|all| all.push(slices.len()));
                        slices.extend(read.into_iter().flatten());
                    }
                }
            }
        }
        task.report(Stage::Reading, number as u64 + 1, files.len() as u64);
    }
    let mut volume = chosen_volume(slices, unreadable, options)?;
    volume.notes.extend((!empty.is_empty()).then_some(Note::NoVoxels { files: empty }));
    volume.notes.extend((!copies.is_empty()).then_some(Note::Copies { files: copies }));
    Ok(volume)
}

/// Opens the chosen series among the slices.
fn chosen_volume(
    slices: Vec<Slice>,
    unreadable: Vec<Unreadable>,
    options: &VolumeOpenOptions,
) -> Result<OpenedVolume, FormatError> {
    let mut divided = divided_images(&slices);
    let (slices, note) = choose(slices, unreadable, options)?;
    divided.retain(|(uid, _), _| slices.iter().any(|slice| slice.file.is_part_of(uid)));
    let mut volume = volume(slices, options)?;
    volume.notes.extend(note);
    let missing = divided.into_iter().map(|((_, total), files)| (files.len(), total));
    let missing = missing.filter(|(found, total)| found < total);
    let note = |(found, total)| Note::Parts(PartsNote::MissingFiles { found, total });
    volume.notes.extend(missing.map(note).next());
    Ok(volume)
}

/// Returns the images that were divided into several files, each with its number of files, and the files that
/// are present.
fn divided_images(slices: &[Slice]) -> BTreeMap<(String, usize), BTreeSet<*const SliceFile>> {
    let mut images: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for slice in slices {
        let image = slice.file.concatenation.clone();
        image.into_iter().for_each(|image| {
            images.entry(image).or_default().insert(Arc::as_ptr(&slice.file));
        });
    }
    images
}

fn volume(mut slices: Vec<Slice>, options: &VolumeOpenOptions) -> Result<OpenedVolume, FormatError> {
    order::check_alike(&slices)?;
    let absent = absent_fields(&slices);
    let is_located = order::place_by_location(&mut slices);
    empty_slices::fill(&mut slices);
    let is_over_midnight = midnight::compare(&mut slices);
    let ordered = in_order(slices, options.allow_gaps)?;
    let Ordered { slices, frame_count: frames, geometry, fields } = ordered;
    let first = slices[0].file.shape;
    for slice in &slices {
        slice.file.shape.check(first).map_err(named(slice.name()))?;
    }
    let mut header = first.header(slices.len() / frames)?.with(|header| header.frames = frames);
    header.raw_bytes()?;
    let slice_bytes = first.header(1)?.raw_bytes()? as usize;
    let held_bytes = slices.iter().map(|slice| slice.file.image_bytes()).max().unwrap_or(0);
    if let Some(limit) = options.max_memory.filter(|&limit| held_bytes > limit) {
        return Err(FormatError::OverLimit { need: held_bytes, limit });
    }
    let [x, y] = slices[0].pixel_spacing.unwrap_or([1.0, slices[0].aspect.unwrap_or(1.0)]);
    header.spacing = Spacing { x, y, z: geometry.step };
    header.origin = if is_located { [0.0; 3] } else { geometry.origin };
    header.orientation = geometry.orientation;
    let mut own = metadata(&slices, frames);
    let mut notes = notes(&slices[0], &geometry);
    notes.extend(
        ["PhotometricInterpretation", "RescaleType"].iter().filter_map(|field| meanings(&slices, field)),
    );
    match slices[0].time_step.filter(|&step| frames > 1 && step.is_normal() && step > 0.0) {
        Some(step) => header.frame_spacing = step,
        None => {
            let (step, note) = seconds_between(&slices, frames, &fields);
            header.frame_spacing = step;
            notes.extend(note);
        }
    }
    let is_by_time = header.frame_spacing > 0.0 || fields.contains(&FIELDS[ACQUISITION_TIME].name);
    notes.extend((frames > 1 && is_over_midnight && is_by_time).then_some(Note::OverMidnight));
    if !absent.is_empty() {
        own.insert("not_stated".to_owned(), absent.clone().into());
    }
    notes.extend(not_stated(absent, &slices[0], header.dims.z, &geometry, is_located));
    notes.extend(slices.iter().find_map(|slice| slice.file.charset_note.clone()));
    let not_applied = slices.iter().find_map(|slice| slice.mapping_not_applied);
    notes.extend(not_applied.map(|field| Note::MappingNotApplied { field }));
    notes.extend(slices.iter().any(|slice| slice.has_table).then_some(Note::TableNotApplied));
    let is_damaged = slices.iter().any(|slice| slice.file.has_damaged_times);
    let times = || Note::FieldsNotKept { source: "DICOM", fields: vec!["FrameTimeVector".to_owned()] };
    notes.extend(is_damaged.then(times));
    let count = slices.iter().filter(|slice| slice.frame == 0).map(|slice| slice.file.surplus_bytes).sum();
    notes.extend((count > 0).then_some(Note::BytesAfterVoxels { count }));
    notes.extend(slices.iter().any(|slice| slice.file.is_ybr()).then_some(Note::FromYbr));
    notes.extend(slices.iter().any(|slice| slice.file.may_be_lossy).then_some(Note::LossyFrames));
    if let Some(segments) = &slices[0].file.segments {
        if segments.are_labels {
            header.kind = VoxelKind::Labels;
        }
        let first_slices = slices.iter().step_by(header.dims.z);
        let described = segments.described(first_slices.map(|slice| slice.marks[SEGMENT].as_ref()));
        own.insert("segments".to_owned(), described);
    }
    if let Some(described) = frames::described(&slices, header.dims.z, &fields) {
        own.insert("frames".to_owned(), described);
    }
    if frames > 1 && !are_times(&fields) {
        notes.push(Note::Frames { count: frames, fields });
    }
    set_metadata(&mut header, json!({ "dicom": own }));
    let mut files: Vec<PathBuf> = slices.iter().flat_map(|slice| slice.file.source.files()).collect();
    files.dedup();
    let places: Vec<_> = slices.into_iter().map(|slice| (slice.file, slice.frame, slice.is_empty)).collect();
    let voxels = ReopeningReader::of_slices(places.len(), slice_bytes, move || {
        let (places, mut opened) = (places.clone(), None::<Frames>);
        move |index, bytes| {
            let (file, frame, is_empty) = &places[index];
            if *is_empty {
                return resize(bytes, slice_bytes);
            }
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

/// Returns notes on fields of the first slice, which hold for all slices.
fn notes(first: &Slice, geometry: &Geometry) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(first.detector_field.map(|field| Note::DetectorSpacing { field }));
    let aspect = first.aspect.filter(|_| first.pixel_spacing.is_none());
    notes.extend(aspect.map(|aspect| Note::PixelAspect { aspect: digits(aspect) }));
    let zero = first.zero_thickness.filter(|_| geometry.is_of_one_slice || first.is_placed_by_thickness);
    notes.extend(zero.map(|field| Note::NoSliceDistance { field }));
    notes.extend((!geometry.gaps.is_empty()).then(|| Note::Gaps { places: geometry.gaps.clone() }));
    notes
}

/// Returns a note if slices have other values of a field that states the meaning of their numbers.
fn meanings(slices: &[Slice], field: &'static str) -> Option<Note> {
    let mut values: Vec<[String; 2]> = Vec::new();
    for slice in slices {
        let Some(value) = slice.attributes.get(field).and_then(Value::as_str) else { continue };
        if values.iter().all(|[other, _]| other != value) {
            values.push([value.to_owned(), slice.name()]);
        }
    }
    (values.len() > 1).then_some(Note::Parts(PartsNote::Meanings { field, values }))
}

/// Returns the names of fields of the geometry that no slice states, or not every one.
fn absent_fields(slices: &[Slice]) -> Vec<&'static str> {
    let absent = [
        ("PixelSpacing", slices.iter().any(|slice| slice.pixel_spacing.is_none())),
        ("ImagePositionPatient", slices.iter().any(|slice| slice.position.is_none() || slice.is_of_volume)),
        (
            "ImageOrientationPatient",
            slices.iter().any(|slice| slice.directions.is_none() || slice.is_of_volume),
        ),
    ];
    absent.into_iter().filter(|(_, is_absent)| *is_absent).map(|(name, _)| name).collect()
}

/// Returns a note on the fields of the geometry that are absent.
fn not_stated(
    mut absent: Vec<&'static str>,
    first: &Slice,
    depth: usize,
    geometry: &Geometry,
    is_located: bool,
) -> Option<Note> {
    let is_by_thickness = geometry.is_of_one_slice || first.is_placed_by_thickness;
    if depth > 1 && is_by_thickness && first.thickness.is_none() && first.zero_thickness.is_none() {
        absent.push("SliceThickness");
    }
    let distance = match () {
        () if is_located => Some("SliceLocation"),
        () if depth > 1 && first.is_of_volume => Some("ImagePositionVolume"),
        () if depth > 1 && geometry.is_of_one_slice && first.thickness.is_some() => Some("SliceThickness"),
        () => None,
    };
    (!absent.is_empty()).then_some(Note::NotStated { fields: absent, distance })
}

/// Returns the slices' attributes: one value if all slices agree, else one per slice.
fn metadata(slices: &[Slice], frames: usize) -> Map<String, Value> {
    let mut all = Map::new();
    let is_rescale = |key: &&String| key.starts_with("Rescale");
    let others = slices.iter().flat_map(|slice| slice.attributes.keys().filter(is_rescale));
    let keys: BTreeSet<&String> = slices[0].attributes.keys().chain(others).collect();
    for key in keys {
        let values: Vec<Value> =
            slices.iter().map(|slice| slice.attributes.get(key).cloned().unwrap_or_default()).collect();
        let same = values.iter().all(|value| *value == values[0]);
        // `Header::rescaling` finds the slopes and intercepts of the slices of all frames by these names.
        let key = if same || frames == 1 || !is_rescale(&key) { key.clone() } else { format!("{key}s") };
        all.insert(key, if same { values[0].clone() } else { values.into() });
    }
    all
}
