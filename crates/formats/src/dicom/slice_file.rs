//! A file of a series: one slice, or several frames that are slices.

use super::{
    charset,
    fields::Fields,
    guard::{self, MAX_OTHER_BYTES, Packing, Pixels},
    layout::Layout,
    lookup::Lookup,
    mapping::Mapping,
    marks::{FIELDS, Mark},
    meta::{self, Meta},
    mosaic::Mosaic,
    segments::Segments,
    stacking::Stacking,
    tiles,
};
use crate::{DicomFeature, FormatError, SliceShape, header_text::short, slice::name_of, source::Source};
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, OpenFileOptions, Tag, file::ReadPreamble};
use serde_json::{Map, Value};
use std::{
    io::{Cursor, Read as _, Seek as _, SeekFrom},
    path::Path,
    sync::Arc,
};

/// Maximum number of frames in a file.
const MAX_FRAMES: u32 = 1 << 20;

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
    /// Distance between voxels along x and y.
    pub pixel_spacing: Option<[f64; 2]>,
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
    /// Seconds between times.
    pub time_step: Option<f64>,
    /// Place along an unknown line, in millimetres.
    pub location: Option<f64>,
    /// Name of a field that states physical values but is not applied.
    pub mapping_not_applied: Option<&'static str>,
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
    fn byte_count(&self) -> u64 {
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

/// Identifier, number and description of a series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesHead {
    pub uid: String,
    pub number: Option<i64>,
    pub description: String,
}

impl SeriesHead {
    fn of(object: &DefaultDicomObject) -> Self {
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
        if guard::packing(&meta.syntax).is_none() {
            guard::EXPLICIT.clone_into(&mut meta.syntax);
        }
        guard::check_elements(source, &meta).ok()?;
        let object = open(source, &meta, |options| options.read_until(tags::PIXEL_DATA)).ok()?;
        let series = Self::of(&object);
        let side = |tag| object.get(tag).and_then(|side| side.to_int::<u16>().ok()).unwrap_or(0).into();
        (!series.uid.is_empty()).then(|| (series, [side(tags::COLUMNS), side(tags::ROWS)]))
    }
}

fn text_of(object: &DefaultDicomObject, tag: Tag) -> Option<String> {
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
    /// Bytes after the voxels, except the one that makes their count even.
    pub surplus_bytes: u64,
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
    /// Reads a file up to its voxels. Returns its slices in the order of its frames, or none if it has no
    /// voxels.
    pub fn read(source: Source) -> Result<Vec<Slice>, FormatError> {
        let meta = meta::read(&source)?;
        let Some(pixels) = guard::check(&source, &meta)? else { return Ok(Vec::new()) };
        let object = open(&source, &meta, |options| options.read_until(tags::PIXEL_DATA))?;
        let layout = Layout::of(&object, pixels.packing != Packing::None)?;
        let image = layout.shape;
        let frames = Fields::of(&object, 0).frame_count()?;
        if frames == 0 || frames > MAX_FRAMES {
            return Err(DicomFeature::Frames(frames).into());
        }
        let mosaic = if frames == 1 { Mosaic::of(&object, image)? } else { None };
        let frame_count = mosaic.map_or(frames as usize, |mosaic| mosaic.count);
        let shape = mosaic.map_or(image, |mosaic| mosaic.tile(image));
        if layout.is_bits && pixels.packing == Packing::LosslessJpeg {
            return Err(DicomFeature::Bits(1).into());
        }
        // By the standard (PS3.5, 8.1.1) the lower word is first; pydicom and its files have the upper first.
        if pixels.swap && layout.shape.voxel_type.byte_count() > 2 {
            return Err(DicomFeature::WideBigEndian.into());
        }
        if tiles::are_in(&object, frames) {
            return Err(DicomFeature::Tiles.into());
        }
        let stacking = Stacking::of(&object, frames as usize)?;
        let segments = Segments::of(&object);
        // Palettes of segmentations only show the segments.
        let palette = match layout.has_palette && segments.is_none() && mosaic.is_none() {
            true => Some(Lookup::of(&object, layout.signed)?),
            false => None,
        };
        let shape = palette.as_ref().map_or(shape, |palette| palette.shape(shape));
        if pixels.packing != Packing::None && frames > 1 {
            // Each frame is a fragment with a head of eight bytes.
            let (need, have) = (8 * u64::from(frames), source.byte_count()?);
            if have < need {
                return Err(FormatError::Length { part: "the file", need, have });
            }
        }
        let mut surplus_bytes = 0;
        if pixels.packing == Packing::None {
            let need = layout.stored_bytes(frames as usize)?;
            // One more byte may make the count even. Some programs add further padding, less than a frame.
            let most = need + need / u64::from(frames) - 1;
            if !(need..=most.max(need.next_multiple_of(2))).contains(&pixels.byte_count) {
                return Err(FormatError::Length { part: "PixelData", need, have: pixels.byte_count });
            }
            if pixels.deflated_at.is_none() {
                guard::fits(pixels.start + need, source.byte_count()?)?;
            }
            surplus_bytes = pixels.byte_count - need.next_multiple_of(2).min(pixels.byte_count);
        }
        let name = match &source {
            Source::File(path) => name_of(path),
            Source::Memory(_) => "the file".to_owned(),
        };
        let series = SeriesHead::of(&object);
        let instance = text_of(&object, tags::SOP_INSTANCE_UID).unwrap_or_default();
        let instance_number = text_of(&object, tags::INSTANCE_NUMBER).and_then(|number| number.parse().ok());
        let file = Arc::new(Self {
            source,
            meta,
            name,
            series,
            instance,
            instance_number,
            shape,
            frame_count,
            pixels,
            layout,
            palette,
            segments,
            mosaic,
            mapping: Fields::of(&object, 0).mapping_of_file(layout.stored_range()),
            surplus_bytes,
        });
        if let Some(mosaic) = mosaic {
            let tile = |tile| Ok(mosaic.place(Fields::of(&object, 0).slice(&file, &stacking)?, tile, &file));
            return (0..frame_count).map(tile).collect();
        }
        let mut slices = Vec::new();
        let mut slice_bytes = 0;
        for frame in 0..frame_count {
            let slice = Fields::of(&object, frame).slice(&file, &stacking)?;
            slice_bytes += slice.byte_count();
            if slice_bytes > MAX_OTHER_BYTES {
                return Err(DicomFeature::Frames(frames).into());
            }
            slices.try_reserve(1).map_err(|_| FormatError::Memory(slice_bytes))?;
            slices.push(slice);
        }
        Ok(slices)
    }
}

impl SliceFile {
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
