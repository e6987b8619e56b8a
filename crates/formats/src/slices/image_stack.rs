//! Image files as slices of a volume, in the order of their names.

use crate::{
    FormatError, Note, OpenedVolume, SlicesError, VolumeFormat, VolumeOpenOptions,
    header::format_header::set_metadata,
    slices::{
        slice::{name_of, named},
        slice_image::ImageFormat,
        slice_names,
    },
    streams::reopening_reader::ReopeningReader,
};
use brickwork_volume::{Stage, Task};
use std::path::PathBuf;

/// Opens slices in image files.
pub fn open_images(
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
    if let Some((spacing, origin)) = first.text.place {
        (header.spacing, header.origin) = (spacing, origin);
    }
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
