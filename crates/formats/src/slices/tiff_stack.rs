//! TIFF stacks: each page is a slice of grey, RGB, RGBA, or 2 to 4 samples without a given meaning. All pages
//! have the same size and type. Samples may be side by side or in planes. ImageJ, tifffile or OME-XML may
//! state the channel, slice and frame of each page. Pages of several channels then become the channels of
//! voxels.

mod chunk_guard;
mod contiguous;
mod dense;
mod directories;
mod lsm;
mod metamorph;
mod page;
mod pages;
mod shaped;
mod single;
mod tiff_file;

use crate::{
    FormatError, GeometryFault, Note, OpenedVolume, PageStackFeature, PartsNote, SliceShape, VolumeFormat,
    header::{format_header::set_metadata, geometry::Field, units::Scale},
    opened::source::Source,
    slices::{
        palette::Palette,
        slice::{interleave, named},
    },
    streams::reopening_reader::ReopeningReader,
    words::digits,
};
use brickwork_volume::{ByteOrder, Header, MAX_CHANNELS, ShapeError, Stage, Task, VoxelType};
pub(crate) use single::{exif_note, read_single};

use contiguous::Contiguous;
use directories::Directories;
use page::{read_page, shape};
use pages::{Calibration, PageParts, Pages};
use serde_json::json;
use std::{path::Path, sync::Arc};
use tiff::{ColorType, TiffError, tags::Tag};
use tiff_file::{File, decoder};

/// Opens a file. Examines all pages, but decodes none yet. Reports the number of pages examined.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    open_source(Source::File(path.to_owned()), None, task)
}

/// Opens a file of which, if `channel` is given, only that channel is read. Channels that are samples of a
/// page are all read.
///
/// # Errors
/// [`FormatError`].
pub(crate) fn open_source(
    source: Source,
    channel: Option<usize>,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let mut directories = Directories::of(&source)?;
    let mut file = first_page(&source, &directories)?;
    let first_index = directories.pages.first().copied().unwrap_or(0);
    let first = shape(&mut file, &directories, first_index)?;
    let is_ycbcr = matches!(file.colortype()?, ColorType::YCbCr(_));
    let description = description(&mut file);
    let resolution = Resolution::of(&mut file)?;
    let palette = if directories.has_palette { Some(color_map(&mut file)?) } else { None };
    check_pages(&mut file, &mut directories, first, task)?;
    let page_count = directories.pages.len();
    let is_little = file.byte_order() == tiff::tags::ByteOrder::LittleEndian;
    let metamorph = metamorph::read(&source, directories.metamorph, is_little)?;
    let metamorph = metamorph.filter(|said| page_count == 1 || said.slices * said.frames != page_count);
    let is_metamorph = metamorph.is_some();
    let lsm = lsm::read(&source, directories.lsm, page_count)?;
    let said = match (metamorph.or(lsm), description.as_deref()) {
        (Some(said), _) => Some(said),
        (None, text) => text.and_then(|text| described(text, page_count, first)).transpose()?,
    };
    let parts = said.as_ref().and_then(|said| said.parts);
    let (image, image_count) = match parts {
        Some(PageParts { count, size: [width, height], .. }) => {
            (SliceShape { width, height, channels: 1, ..first }, page_count * count)
        }
        None => (first, page_count),
    };
    let images = said.as_ref().map_or(image_count, |said| said.plane_count().unwrap_or(usize::MAX));
    // Packed rows have fields that state whole bytes, so `Contiguous` would take them for voxels.
    let is_split = is_metamorph && page_count > 1;
    let contiguous = match images == image_count || is_split || directories.dense(first_index).is_some() {
        true => None,
        false => Contiguous::find(&mut file, &source, image, images)?,
    };
    if images != image_count && contiguous.is_none() && is_metamorph {
        return Err(PageStackFeature::MetaMorph(images).into());
    }
    if images != image_count && contiguous.is_none() {
        return Err(PageStackFeature::Images { images, pages: page_count }.into());
    }
    let said = match (said, channel) {
        (Some(said), Some(index)) if said.channels > 1 && image.channels == 1 => {
            Some(said.with_channel(index)?)
        }
        (_, Some(index)) if index > 0 && image.channels == 1 => {
            return Err(ShapeError::Selected { what: "channel", index, count: 1 }.into());
        }
        (said, _) => said,
    };
    let mut header = header(image, image_count, said.as_ref(), &resolution)?;
    let mut notes = said.as_ref().map_or(Vec::new(), |said| said.notes.clone());
    notes.extend(resolution.note(said.as_ref()));
    let thumbnails = directories.thumbnail_count;
    notes.extend((thumbnails > 0).then_some(Note::Thumbnails { count: thumbnails }));
    let masks = directories.mask_count;
    notes.extend((masks > 0).then_some(Note::Masks { count: masks }));
    notes.extend(directories.orientation().map(|value| Note::Orientation { field: "Orientation", value }));
    let has_other_order = said.is_none() && directories.has_other_order();
    notes.extend(has_other_order.then_some(Note::Parts(PartsNote::PageNumbers)));
    notes.extend(is_ycbcr.then_some(Note::FromYbr));
    notes.extend(directories.is_white_zero.then_some(Note::WhiteIsZero));
    let mut metadata = serde_json::Map::new();
    if let Some(said) = &said {
        metadata.extend(physical_values(said, image, &mut notes));
    }
    metadata.extend(description.map(|text| ("ImageDescription".to_owned(), text.into())));
    if let Some((colors, note)) = palette.and_then(|palette| palette.described()) {
        metadata.insert("palette".to_owned(), colors);
        notes.push(note);
    }
    set_metadata(&mut header, json!({ "tiff": metadata }));
    if let Some(said) = said.as_ref().filter(|said| said.channel_names.len() == header.channels) {
        header = header.with_channels("tiff", &said.channel_names, &[]);
    }
    let files = source.files();
    let channels = said.as_ref().map_or(1, |said| said.channels);
    let slice_count = header.dims.z * header.frames;
    let slice_bytes = channels * image.byte_count(source.byte_count()?)?;
    let directories = Arc::new(directories);
    let said = Arc::new(said);
    let voxels = ReopeningReader::of_slices(slice_count, slice_bytes, move || {
        let (said, contiguous) = (said.clone(), contiguous.clone());
        let mut reader = PageReader {
            source: source.clone(),
            directories: directories.clone(),
            first,
            file: None,
            index: 0,
            wholes: vec![None; channels],
        };
        let mut page = Vec::new();
        move |index, bytes| {
            for plane in index * channels..(index + 1) * channels {
                let number = said.as_ref().as_ref().map_or(plane, |said| said.page(plane));
                let read = if channels == 1 { &mut *bytes } else { &mut page };
                let (number, result) = match (&contiguous, &parts) {
                    (Some(images), _) => (number, images.read(&reader.source, image, number, read)),
                    (None, Some(parts)) => {
                        let result = reader.read_part(parts, number, plane % channels, read);
                        (number / parts.count, result)
                    }
                    (None, None) => (number, reader.read(number, read)),
                };
                result.map_err(named(format!("page {}", number + 1)))?;
                if channels > 1 {
                    bytes.try_reserve(page.len()).map_err(|_| FormatError::Memory(page.len() as u64))?;
                    bytes.extend_from_slice(&page);
                }
            }
            if channels > 1 { interleave(bytes, SliceShape { channels, ..image }) } else { Ok(()) }
        }
    });
    let volume = OpenedVolume::from_files(VolumeFormat::Tiff, header, ByteOrder::NATIVE, voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Returns the text of the page.
fn description(file: &mut File) -> Option<String> {
    file.find_tag(Tag::ImageDescription).ok().flatten().and_then(|value| value.into_string().ok())
}

/// Parses the text of the first of `page_count` pages; returns `None` for a text of another program.
fn described(text: &str, page_count: usize, first: SliceShape) -> Option<Result<Pages, FormatError>> {
    pages::of_imagej(text, page_count)
        .or_else(|| pages::of_ome(text, page_count, first.channels))
        .or_else(|| shaped::of_tifffile(text, page_count, first))
}

/// Returns the fields of the metadata that state physical values, or adds a note if they cannot be stated.
fn physical_values(
    said: &Pages,
    first: SliceShape,
    notes: &mut Vec<Note>,
) -> serde_json::Map<String, serde_json::Value> {
    let mut fields = serde_json::Map::new();
    // ImageJ calibrates grey of 8 and 16 bits only.
    let is_calibrated = first.channels == 1 && matches!(first.voxel_type, VoxelType::U8 | VoxelType::U16);
    match said.calibration {
        Some(Calibration::Line([intercept, slope])) if is_calibrated => {
            fields.insert("CalibrationSlope".to_owned(), slope.into());
            fields.insert("CalibrationIntercept".to_owned(), intercept.into());
        }
        Some(Calibration::Line(_)) => notes.push(Note::CalibrationFunction { number: 0 }),
        Some(Calibration::Other(number)) => notes.push(Note::CalibrationFunction { number }),
        None => {}
    }
    fields
}

/// Opens a file at the first page of its stack.
fn first_page(source: &Source, directories: &Directories) -> Result<File, FormatError> {
    let mut file = decoder(source, &directories.patches)?;
    match directories.pages.first() {
        Some(&index) if index > 0 => file.seek_to_image(index)?,
        _ => {}
    }
    Ok(file)
}

/// Checks that all pages are like the first, at which `file` is.
fn check_pages(
    file: &mut File,
    directories: &mut Directories,
    first: SliceShape,
    task: &Task<'_>,
) -> Result<(), FormatError> {
    let mut index = directories.pages.first().copied().unwrap_or(0);
    while file.more_images() {
        task.check()?;
        task.report(Stage::Reading, index as u64 + 1, 0);
        let name = |index: usize| named(format!("page {}", index + 1));
        file.next_image().map_err(|error| name(index + 1)(error.into()))?;
        index += 1;
        if directories.is_page(index) {
            let shape = shape(file, directories, index).and_then(|shape| shape.check(first));
            shape.map_err(name(index))?;
        }
    }
    Ok(())
}

/// Returns the palette of the page, with colours of 8 bits.
fn color_map(file: &mut File) -> Result<Palette, FormatError> {
    let parts = file.find_tag_unsigned_vec::<u16>(Tag::ColorMap)?.ok_or(FormatError::Missing("ColorMap"))?;
    // Programs that write 8 bits leave the upper ones zero.
    let shift = if parts.iter().all(|&part| part < 256) { 0 } else { 8 };
    let count = parts.len() / 3;
    let color = |i| [0, 1, 2].map(|channel| (parts[channel * count + i] >> shift) as u8);
    Ok(Palette((0..count).map(color).collect()))
}

/// The header of a stack of `count` pages.
fn header(
    first: SliceShape,
    count: usize,
    said: Option<&Pages>,
    resolution: &Resolution,
) -> Result<Header, FormatError> {
    let Some(said) = said else { return first.header(count) };
    if said.channels > 1 && first.channels > 1 || said.channels > MAX_CHANNELS {
        return Err(PageStackFeature::Channels { channels: said.channels, samples: first.channels }.into());
    }
    let shape = SliceShape { channels: first.channels.max(said.channels), ..first };
    let mut header = shape.header(said.slices)?.with(|header| header.frames = said.frames);
    header.raw_bytes()?;
    let mut spacing = said.spacing;
    if said.uses_resolution {
        let units = said.units.unwrap_or([resolution.unit; 2]);
        for (axis, spacing) in spacing.iter_mut().enumerate().take(2) {
            *spacing = Some(resolution.spacing(axis, units[axis])?);
        }
        if said.units.is_none() {
            spacing[2] = spacing[2].map(|depth| resolution.unit.of(depth));
        }
    }
    let [x, y, z] = spacing.map(|length| length.unwrap_or(1.0));
    header.spacing = brickwork_volume::Spacing { x, y, z };
    for (axis, length) in [x, y, z].into_iter().enumerate() {
        // Not negative zero.
        header.origin[axis] = 0.0 - said.origin[axis] * length;
    }
    header.frame_spacing = said.frame_spacing.filter(|_| said.frames > 1).unwrap_or(0.0);
    Ok(header)
}

/// Pixels per inch of screens and printers.
const USUAL_DPI: [f64; 10] = [72.0, 96.0, 100.0, 150.0, 200.0, 240.0, 300.0, 400.0, 600.0, 1200.0];

/// Resolution from the tags.
struct Resolution {
    /// Pixels per unit along x and y, each as a count and a divisor.
    pixels: [Option<(u32, u32)>; 2],
    /// Scale from the unit to millimetres.
    unit: Scale,
}

impl Resolution {
    /// Reads the tags like ImageJ: 72 per inch counts as unknown.
    ///
    /// # Errors
    /// [`FormatError`] if a tag is present but cannot be read.
    fn of(file: &mut File) -> Result<Self, FormatError> {
        let mut rational = |tag, name: &str| match file.find_tag(tag)? {
            None => Ok(None),
            Some(tiff::decoder::ifd::Value::Rational(count, unit)) => Ok(Some((count, unit))),
            Some(other) => Err(FormatError::Number { field: name.to_owned(), value: format!("{other:?}") }),
        };
        let pixels = [rational(Tag::XResolution, "XResolution")?, rational(Tag::YResolution, "YResolution")?];
        let is_72 =
            |(count, divisor): (u32, u32)| divisor != 0 && u64::from(count) == 72 * u64::from(divisor);
        Ok(match file.find_tag_unsigned::<u16>(Tag::ResolutionUnit)? {
            Some(2) if pixels[0].is_some_and(is_72) => Self { pixels: [None; 2], unit: Scale::ONE },
            Some(2) => Self { pixels, unit: Scale::Times(25.4) },
            Some(3) => Self { pixels, unit: Scale::Times(10.0) },
            _ => Self { pixels, unit: Scale::ONE },
        })
    }

    /// Returns a note on a distance between pixels that the tags state, but `said` does not take. Programs
    /// for pictures write that of a screen or a printer.
    fn note(&self, said: Option<&Pages>) -> Option<Note> {
        if self.unit == Scale::ONE
            || said.is_some_and(|said| said.uses_resolution || said.spacing[0].is_some())
        {
            return None;
        }
        let [x, y] = [self.spacing(0, self.unit).ok()?, self.spacing(1, self.unit).ok()?];
        let is_usual = USUAL_DPI.iter().any(|dpi| (25.4 / x - dpi).abs() < 0.5) && (x - y).abs() < 1e-3 * x;
        let is_stated = self.pixels.iter().all(Option::is_some);
        (is_stated && !is_usual).then(|| Note::Resolution { x: digits(x), y: digits(y) })
    }

    /// Returns the distance between pixels along an axis; one unit if it is not given.
    fn spacing(&self, axis: usize, unit: Scale) -> Result<f64, FormatError> {
        let Some((count, divisor)) = self.pixels[axis] else { return Ok(unit.of(1.0)) };
        let text = format!("{count}/{divisor}");
        let field = Field { name: ["XResolution", "YResolution"][axis], text: &text };
        if count == 0 || divisor == 0 {
            return Err(field.refused(GeometryFault::NotPositive));
        }
        field.length(unit.of(f64::from(divisor) / f64::from(count)))
    }
}

/// Reads pages in any order.
struct PageReader {
    source: Source,
    directories: Arc<Directories>,
    first: SliceShape,
    /// The open file, at a directory.
    file: Option<File>,
    index: usize,
    /// For each channel, the page whose images were read last, and its voxels.
    wholes: Vec<Option<(usize, Vec<u8>)>>,
}

impl PageReader {
    /// Reads an image of a channel into `bytes`, of pages with several.
    fn read_part(
        &mut self,
        parts: &PageParts,
        number: usize,
        channel: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let page = number / parts.count;
        let whole = match self.wholes[channel].take() {
            Some((index, whole)) if index == page => whole,
            other => {
                let mut whole = other.map_or(Vec::new(), |(_, whole)| whole);
                self.read(page, &mut whole)?;
                whole
            }
        };
        parts.copy(number % parts.count, &whole, self.first.voxel_type.byte_count(), bytes);
        self.wholes[channel] = Some((page, whole));
        Ok(())
    }

    /// Reads a page into `bytes`.
    fn read(&mut self, page: usize, bytes: &mut Vec<u8>) -> Result<(), FormatError> {
        bytes.clear();
        let pages = &self.directories.pages;
        let index = pages[page];
        let file = match &mut self.file {
            Some(file) if index == self.index + 1 => {
                file.next_image()?;
                file
            }
            Some(file) => {
                file.seek_to_image(index)?;
                file
            }
            none => {
                let file = none.insert(decoder(&self.source, &self.directories.patches)?);
                if index > 0 {
                    // The reader finds pages again once it has seen them all.
                    file.seek_to_image(pages.last().copied().unwrap_or(index).max(index))?;
                    file.seek_to_image(index)?;
                }
                file
            }
        };
        self.index = index;
        shape(file, &self.directories, index)?.check(self.first)?;
        read_page(file, (self.first, self.directories.dense(index)), self.source.byte_count()?, bytes)
    }
}

impl From<TiffError> for FormatError {
    fn from(error: TiffError) -> Self {
        match error {
            // The offset is 2⁶³ or more, which no file can have.
            TiffError::IoError(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
                Self::Decoder(error.into())
            }
            TiffError::IoError(error) => Self::Io(error),
            // The reason alone, without "format error:" and "unsupported error:".
            TiffError::FormatError(error) => Self::Decoder(error.into()),
            TiffError::UnsupportedError(error) => Self::Decoder(error.into()),
            error => Self::Decoder(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::ErrorKind;
    use tiff::{TiffUnsupportedError, tags::CompressionMethod};

    #[test]
    fn an_offset_beyond_every_file_is_the_file_s_fault() {
        let mut file =
            std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).expect("a file");
        let error = std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(u64::MAX)).expect_err("too far");
        assert_eq!(FormatError::from(TiffError::IoError(error)).kind(), ErrorKind::Invalid);
    }

    #[test]
    fn errors_are_reasons() {
        let method = CompressionMethod::ZSTD;
        let error = TiffError::UnsupportedError(TiffUnsupportedError::UnsupportedCompressionMethod(method));
        assert_eq!(FormatError::from(error).to_string(), "compression method ZSTD is unsupported");
    }
}
