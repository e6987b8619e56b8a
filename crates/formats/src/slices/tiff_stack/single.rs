//! TIFF files of one page: slices, and Exif.

use super::{
    Directories, File, Resolution, Source, color_map, described, description, first_page, header,
    physical_values, read_page, shape,
};
use crate::{
    FormatError, Note, SliceShape, TiffFeature,
    slices::image_head::{ImageHead, SliceText},
};
use brickwork_volume::Task;
use std::path::Path;

/// Returns a note if Exif, which is a TIFF file, turns its image.
pub(crate) fn exif_note(exif: &[u8]) -> Option<Note> {
    let source = Source::of_stream(&mut &exif[..], None, &Task::new()).ok()?;
    let value = Directories::of(&source).ok()?.orientation()?;
    Some(Note::Orientation { field: "Orientation of Exif", value })
}

/// Reads the only page of a file.
pub(crate) fn read_single(path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<ImageHead, FormatError> {
    let source = Source::File(path.to_owned());
    let directories = Directories::of(&source)?;
    let mut pages = first_page(&source, &directories)?;
    let index = directories.pages.first().copied().unwrap_or(0);
    let shape = shape(&mut pages, &directories, index)?;
    if directories.pages.len() > 1 {
        return Err(TiffFeature::Pages.into());
    }
    let mut text = SliceText::default();
    match bytes {
        Some(bytes) => {
            read_page(&mut pages, (shape, directories.dense(index)), source.byte_count()?, bytes)?;
        }
        None => {
            text = slice_text(&mut pages, shape)?;
            let orientation = directories.orientation();
            text.notes.extend(orientation.map(|value| Note::Orientation { field: "Orientation", value }));
        }
    }
    let palette = if directories.has_palette { Some(color_map(&mut pages)?) } else { None };
    Ok(ImageHead { shape, palette, text })
}

/// Returns what the text of a file of one page states, if it describes no other pages.
fn slice_text(file: &mut File, shape: SliceShape) -> Result<SliceText, FormatError> {
    let said = description(file).and_then(|text| described(&text, 1, shape));
    let Some(Ok(said)) = said.filter(|said| said.as_ref().is_ok_and(|said| said.plane_count() == Some(1)))
    else {
        let notes = Resolution::of(file).ok().and_then(|found| found.note(None)).into_iter().collect();
        return Ok(SliceText { notes, ..SliceText::default() });
    };
    let mut notes = said.notes.clone();
    let fields = physical_values(&said, shape, &mut notes);
    let header = header(shape, 1, Some(&said), &Resolution::of(file)?)?;
    Ok(SliceText { place: Some((header.spacing, header.origin)), fields, notes })
}
