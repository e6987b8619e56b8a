//! Folders of slices: each a PNG, TIFF, BMP or JPEG file of grey or colour, in the order of their names,
//! `slice9` before `slice10`, or a DICOM series.

use crate::{
    FormatError, Note, OpenedVolume, SlicesError, VolumeFormat, VolumeOpenOptions,
    format_header::set_metadata,
    reopening_reader::ReopeningReader,
    slice::{name_of, named},
    slice_image::ImageFormat,
    slice_names,
};
use brickwork_volume::{Stage, Task};
use std::path::{Path, PathBuf};

/// Opens a folder. Without PNG and TIFF files it is read as DICOM, with its subfolders, with the feature
/// `dicom`; without these, as BMP or JPEG. Every file's header is read, no slice yet. Hidden files, and those
/// with other extensions, are left out; slices whose names do not belong to the others are left out with a
/// note. Reports the files examined.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, options: &VolumeOpenOptions, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    let mut volume = open_files(path, &files(path)?, options, task)?;
    volume.format = VolumeFormat::Folder;
    volume.files.insert(0, path.to_owned());
    Ok(volume)
}

fn open_files(
    folder: &Path,
    files: &[PathBuf],
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let of = |formats: [ImageFormat; 2]| -> Vec<(PathBuf, ImageFormat)> {
        let known = files.iter().filter_map(|file| Some((file.clone(), ImageFormat::of(file)?)));
        known.filter(|(_, format)| formats.contains(format)).collect()
    };
    let slices = of([ImageFormat::Png, ImageFormat::Tiff]);
    if !slices.is_empty() {
        return open_images(slices, options, task);
    }
    // Previews are often beside DICOM files.
    let previews = of([ImageFormat::Bmp, ImageFormat::Jpeg]);
    #[cfg(feature = "dicom")]
    match crate::dicom::open_folder(folder, options, task) {
        Err(FormatError::Slices(SlicesError::None)) if !previews.is_empty() => {}
        opened => return opened,
    }
    let _ = folder;
    open_images(previews, options, task)
}

/// Opens slices in image files.
fn open_images(
    slices: Vec<(PathBuf, ImageFormat)>,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let Some((first_path, format)) = slices.first().cloned() else { return Err(SlicesError::None.into()) };
    if let Some((other, _)) = slices.iter().find(|slice| slice.1 != format) {
        return Err(SlicesError::Formats(name_of(&first_path), name_of(other)).into());
    }
    let (paths, mut notes) = slice_names::select(slices.into_iter().map(|slice| slice.0).collect(), options)?;
    let first_path = paths[0].clone();
    let first = format.read(&first_path, None).map_err(named(name_of(&first_path)))?;
    let mut other_text = None;
    for (number, path) in paths.iter().enumerate().skip(1) {
        task.check()?;
        task.report(Stage::Reading, number as u64, paths.len() as u64);
        let head = format.read(path, None).and_then(|head| {
            head.shape.check(first.shape)?;
            Ok(head)
        });
        let head = head.map_err(named(name_of(path)))?;
        if head.text != first.text && other_text.is_none() {
            other_text = Some(Note::SliceTexts { file: name_of(path) });
        }
        if head.palette != first.palette {
            return Err(SlicesError::Palettes(name_of(&first_path), name_of(path)).into());
        }
    }
    let first_shape = first.shape;
    let mut header = first_shape.header(paths.len())?;
    let mut metadata = serde_json::Map::new();
    if let Some((colors, note)) = first.palette.and_then(|palette| palette.described()) {
        metadata.insert("palette".to_owned(), colors);
        notes.push(note);
    }
    header.spacing = first.text.spacing.unwrap_or(header.spacing);
    notes.extend(first.text.notes);
    notes.extend(other_text);
    let mut kept = serde_json::json!({ "images": metadata });
    if !first.text.fields.is_empty() {
        kept["tiff"] = first.text.fields.into();
    }
    set_metadata(&mut header, kept);
    notes.extend((format == ImageFormat::Jpeg).then_some(Note::LossySlices));
    let slice_bytes = first_shape.header(1)?.raw_bytes()? as usize;
    let files = paths.clone();
    let voxels = ReopeningReader::of_slices(paths.len(), slice_bytes, move || {
        let paths = paths.clone();
        move |index, bytes| {
            let path = &paths[index];
            let head = format.read(path, Some(bytes));
            head.and_then(|head| head.shape.check(first_shape)).map_err(named(name_of(path)))
        }
    });
    let volume = OpenedVolume::from_files(VolumeFormat::Folder, header, format.byte_order(), voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Returns the files of a folder that are not hidden, sorted by name.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, FormatError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if !name_of(&path).starts_with('.') && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
