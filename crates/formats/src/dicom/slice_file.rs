//! A file of a series: one slice, or several frames that are slices.

use super::{
    charset,
    guard::{self, Pixels},
    layout::Layout,
    lookup::Lookup,
    mapping::Mapping,
    meta::{self, Meta},
    mosaic::Mosaic,
    segments::Segments,
    transfer_syntax::{self, EXPLICIT},
};
use crate::{FormatError, Note, SliceShape, header::header_text::short, opened::source::Source};
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, OpenFileOptions, Tag, file::ReadPreamble};
use std::{
    io::{Cursor, Read as _, Seek as _, SeekFrom},
    path::Path,
};

/// Identifier, number and description of a series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesHead {
    pub uid: String,
    pub number: Option<i64>,
    pub description: String,
}

impl SeriesHead {
    pub fn of(object: &DefaultDicomObject) -> Self {
        let text = |tag| text_of(object, tag).unwrap_or_default();
        let description = charset::decoded(object, &text(tags::SERIES_DESCRIPTION));
        Self {
            uid: short(&text(tags::SERIES_INSTANCE_UID)),
            number: text(tags::SERIES_NUMBER).parse().ok(),
            description: short(description.trim()),
        }
    }

    /// Returns the series of a file whose voxels cannot be read, with the number of its columns and rows.
    /// `None` if nothing of the file can be read.
    pub fn of_unreadable(source: &Source) -> Option<(Self, [usize; 2])> {
        let mut meta = meta::read(source).ok()?;
        // Packed voxels follow explicit elements (PS3.5, A.4).
        if transfer_syntax::packing(&meta.syntax).is_none() {
            EXPLICIT.clone_into(&mut meta.syntax);
        }
        guard::check_elements(source, &meta).ok()?;
        let object = open(source, &meta, |options| options.read_until(tags::PIXEL_DATA)).ok()?;
        let series = Self::of(&object);
        let side = |tag| object.get(tag).and_then(|side| side.to_int::<u16>().ok()).unwrap_or(0).into();
        (!series.uid.is_empty()).then(|| (series, [side(tags::COLUMNS), side(tags::ROWS)]))
    }
}

/// Returns the text of an element, without white space around it.
pub fn text_of(object: &DefaultDicomObject, tag: Tag) -> Option<String> {
    object.get(tag).and_then(|element| element.to_str().ok()).map(|text| text.trim().to_owned())
}

/// Properties that the slices of a file share.
pub struct SliceFile {
    pub source: Source,
    pub meta: Meta,
    pub name: String,
    pub series: SeriesHead,
    /// Identifier of the file's content.
    pub instance: String,
    pub instance_number: Option<i64>,
    pub shape: SliceShape,
    pub frame_count: usize,
    pub pixels: Pixels,
    pub layout: Layout,
    pub palette: Option<Lookup>,
    /// Segments of a segmentation, if the file is one.
    pub segments: Option<Segments>,
    /// Layout of the slices, if they are tiles of one image.
    pub mosaic: Option<Mosaic>,
    /// Physical values of all frames, beside RescaleSlope.
    pub mapping: Mapping,
    /// Note on the character set of the file's texts.
    pub charset_note: Option<Note>,
    /// True if the file's list of the times of frames is damaged.
    pub has_damaged_times: bool,
    /// True if the compression may have changed the voxels.
    pub may_be_lossy: bool,
    /// Bytes after the voxels, except the one that makes their count even.
    pub surplus_bytes: u64,
    /// Identifier of the image of which the file is a part, and the number of its parts (PS3.3,
    /// C.7.6.16.2.2.4).
    pub concatenation: Option<(String, usize)>,
}

/// True if a file of a folder is meant to be DICOM, by its extension or its first bytes.
pub fn is_dicom(path: &Path) -> bool {
    if is_directory_file(path) {
        return false;
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dcm")) {
        return true;
    }
    meta::is_at_start_of(path)
}

/// True for the file that lists the other files of a medium (PS3.10, 8).
pub fn is_directory_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("DICOMDIR"))
}

impl SliceFile {
    /// True if the file is a part of the divided image with this identifier.
    pub fn is_part_of(&self, uid: &str) -> bool {
        self.concatenation.as_ref().is_some_and(|(own, _)| own == uid)
    }

    /// True if luma and differences of colour become red, green and blue.
    pub fn is_ybr(&self) -> bool {
        self.layout.is_ybr
    }

    /// Returns a number of a field as the voxels with this number are read; `None` for colours.
    pub fn as_stored(&self, number: i64) -> Option<i64> {
        let is_grey = self.palette.is_none() && self.shape.channels == 1;
        is_grey.then(|| self.layout.trimmed_number(number))
    }

    /// Returns the bytes of an image as it is stored without packing: one slice, or all slices of a mosaic.
    pub fn image_bytes(&self) -> u64 {
        self.layout.stored_bytes(1).unwrap_or(u64::MAX)
    }
}

/// Opens a file that was checked.
pub fn open(
    source: &Source,
    meta: &Meta,
    options: impl FnOnce(OpenFileOptions) -> OpenFileOptions,
) -> Result<DefaultDicomObject, FormatError> {
    let mut file = source.open()?;
    file.seek(SeekFrom::Start(meta.start))?;
    let options = options(OpenFileOptions::new().read_preamble(ReadPreamble::Never));
    let bytes = Cursor::new(meta.clean_start()).chain(file);
    options.from_reader(bytes).map_err(|error| guard::decoder(&error))
}
