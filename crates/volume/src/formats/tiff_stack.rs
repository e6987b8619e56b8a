//! TIFF stacks: each page is a slice of grey, RGB, RGBA, or 2 to 4 samples without a given meaning. All pages
//! have the same size and type. Samples may be side by side or in planes. ImageJ or OME-XML may state the
//! channel, slice and frame of each page. Pages of several channels then become the channels of voxels.

mod pages;

use super::{
    FormatError, OpenedVolume, PageStackFeature, SliceShape, TiffColor, TiffFeature, VolumeFormat,
    geometry::{Field, GeometryFault},
    reopening_reader::ReopeningReader,
    slice::{interleave, named, resize},
    source::{ReadSeek, Source},
    units::Scale,
};
use crate::{ByteOrder, Header, MAX_CHANNELS, Stage, Task, VoxelType};
use pages::Pages;
use std::{io::BufReader, path::Path};
use tiff::{
    ColorType, TiffError,
    decoder::{Decoder, Limits},
    tags::Tag,
};

type File = Decoder<BufReader<Box<dyn ReadSeek>>>;

/// Opens a file. Examines all pages, but decodes none yet. Reports the number of pages examined.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    open_source(Source::File(path.to_owned()), task)
}

pub(super) fn open_source(source: Source, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    let mut file = decoder(&source)?;
    let first = shape(&mut file)?;
    let description = file.find_tag(Tag::ImageDescription).ok().flatten().and_then(|v| v.into_string().ok());
    let resolution = Resolution::of(&mut file)?;
    let mut count = 1;
    while file.more_images() {
        task.check()?;
        task.report(Stage::Reading, count as u64, 0);
        let name = || named(format!("page {}", count + 1));
        file.next_image().map_err(|error| name()(error.into()))?;
        shape(&mut file).and_then(|shape| shape.check(first)).map_err(name())?;
        count += 1;
    }
    let said = description.as_deref().and_then(|text| {
        pages::of_imagej(text, count).or_else(|| pages::of_ome(text, count, first.channels))
    });
    let said = said.transpose()?;
    let mut header = header(first, count, said.as_ref(), &resolution)?;
    let notes = said.as_ref().map_or(Vec::new(), |said| said.notes.clone());
    if let Some(description) = description {
        header.metadata = serde_json::json!({ "tiff": { "ImageDescription": description } }).to_string();
    }
    let files = source.files();
    // Pages of one channel, if they are in this order, are read one after the other.
    let channels = said.as_ref().map_or(1, |said| said.channels);
    let order =
        said.map(|said| said.order).filter(|order| order.iter().enumerate().any(|(i, page)| i != *page));
    let slice_bytes = channels * first.byte_count(source.byte_count()?)?;
    let voxels = ReopeningReader::of_slices(count / channels, slice_bytes, move || {
        let (source, order, mut file) = (source.clone(), order.clone(), None);
        let mut page = Vec::new();
        move |index, bytes| {
            for plane in index * channels..(index + 1) * channels {
                let number = order.as_ref().map_or(plane, |order| order[plane]);
                let name = named(format!("page {}", number + 1));
                let jump = order.as_ref().map(|order| (number, order.len()));
                let read = if channels == 1 { &mut *bytes } else { &mut page };
                read_next(&source, &mut file, jump, first, read).map_err(name)?;
                if channels > 1 {
                    bytes.try_reserve(page.len()).map_err(|_| FormatError::Memory(page.len() as u64))?;
                    bytes.extend_from_slice(&page);
                }
            }
            if channels > 1 { interleave(bytes, SliceShape { channels, ..first }) } else { Ok(()) }
        }
    });
    let volume = OpenedVolume::from_files(VolumeFormat::Tiff, header, ByteOrder::NATIVE, voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Returns the header of a stack of `count` pages.
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
    let mut header = Header { frames: said.frames, ..shape.header(said.slices)? };
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
    header.spacing = crate::Spacing { x, y, z };
    header.frame_spacing = said.frame_spacing.filter(|_| said.frames > 1).unwrap_or(0.0);
    Ok(header)
}

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

/// Reads the page after the previous one, or the page `jump.0` of `jump.1` pages.
fn read_next(
    source: &Source,
    file: &mut Option<File>,
    jump: Option<(usize, usize)>,
    first: SliceShape,
    bytes: &mut Vec<u8>,
) -> Result<(), FormatError> {
    bytes.clear();
    let file = match (file, jump) {
        (Some(file), None) => {
            file.next_image()?;
            file
        }
        (Some(file), Some((page, _))) => {
            file.seek_to_image(page)?;
            file
        }
        (none, None) => none.insert(decoder(source)?),
        (none, Some((page, count))) => {
            let file = none.insert(decoder(source)?);
            // The reader can seek to a page only after it has seen all pages.
            file.seek_to_image(count - 1)?;
            file.seek_to_image(page)?;
            file
        }
    };
    shape(file)?.check(first)?;
    read_page(file, first, source.byte_count()?, bytes)
}

/// Reads the only page of a file.
pub(super) fn read_single(path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<SliceShape, FormatError> {
    let source = Source::File(path.to_owned());
    let mut pages = decoder(&source)?;
    let shape = shape(&mut pages)?;
    if pages.more_images() {
        return Err(TiffFeature::Pages.into());
    }
    if let Some(bytes) = bytes {
        read_page(&mut pages, shape, source.byte_count()?, bytes)?;
    }
    Ok(shape)
}

fn read_page(
    pages: &mut File,
    shape: SliceShape,
    file_bytes: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), FormatError> {
    resize(bytes, shape.byte_count(file_bytes)?)?;
    pages.read_image_bytes(bytes)?;
    let in_planes = pages.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
    if in_planes && shape.channels > 1 { interleave(bytes, shape) } else { Ok(()) }
}

fn decoder(source: &Source) -> Result<File, FormatError> {
    let most = usize::try_from(source.byte_count()?).unwrap_or(usize::MAX);
    let mut limits = Limits::default();
    // The limit is the file's size, if that exceeds the default.
    limits.decoding_buffer_size = limits.decoding_buffer_size.max(most);
    limits.intermediate_buffer_size = limits.intermediate_buffer_size.max(most);
    limits.ifd_value_size = limits.ifd_value_size.max(most);
    Ok(Decoder::new(source.open()?)?.with_limits(limits))
}

fn shape(pages: &mut File) -> Result<SliceShape, FormatError> {
    let (width, height) = pages.dimensions()?;
    let color = pages.colortype()?;
    let unsupported = |feature: TiffFeature| Err(feature.into());
    let (bits, channels) = match color {
        ColorType::Gray(bits) => (bits, 1),
        ColorType::RGB(bits) => (bits, 3),
        ColorType::RGBA(bits) => (bits, 4),
        ColorType::Multiband { bit_depth, num_samples } => (bit_depth, usize::from(num_samples)),
        _ => return unsupported(TiffFeature::Color(unsupported_color(color))),
    };
    // The reader leaves out samples that are neither colour nor alpha.
    let samples = pages.find_tag_unsigned::<u16>(Tag::SamplesPerPixel)?.unwrap_or(1);
    if usize::from(samples) != channels || channels > MAX_CHANNELS {
        return unsupported(TiffFeature::Samples { samples, colors: channels });
    }
    let formats = pages.find_tag_unsigned_vec::<u16>(Tag::SampleFormat)?.unwrap_or_default();
    let format = formats.first().copied().unwrap_or(1);
    if formats.iter().any(|&other| other != format) {
        return unsupported(TiffFeature::MixedFormats);
    }
    let voxel_type = match (format, bits) {
        (1, 8) => VoxelType::U8,
        (2, 8) => VoxelType::I8,
        (1, 16) => VoxelType::U16,
        (2, 16) => VoxelType::I16,
        (1, 32) => VoxelType::U32,
        (2, 32) => VoxelType::I32,
        (3, 32) => VoxelType::F32,
        (1, 64) => VoxelType::U64,
        (2, 64) => VoxelType::I64,
        (3, 64) => VoxelType::F64,
        _ => return unsupported(TiffFeature::Type { bits, format }),
    };
    // The reader takes tiles of the second plane for rows below the first plane, and panics.
    let in_planes = pages.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
    if in_planes && channels > 1 && pages.find_tag(Tag::TileWidth)?.is_some() {
        return unsupported(TiffFeature::PlanarTiles);
    }
    // Its values would be inverted.
    if pages.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation)? == Some(0) {
        return unsupported(TiffFeature::WhiteIsZero);
    }
    Ok(SliceShape { width: width as usize, height: height as usize, voxel_type, channels })
}

/// Returns the name of an unsupported colour type.
fn unsupported_color(color: ColorType) -> TiffColor {
    match color {
        ColorType::Palette(_) => TiffColor::Palette,
        ColorType::GrayA(_) => TiffColor::GreyAlpha,
        ColorType::CMYK(_) => TiffColor::Cmyk,
        ColorType::CMYKA(_) => TiffColor::CmykAlpha,
        ColorType::YCbCr(_) => TiffColor::YCbCr,
        ColorType::Lab(_) => TiffColor::Lab,
        _ => TiffColor::Other,
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
            error => Self::Decoder(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn an_offset_beyond_every_file_is_the_file_s_fault() {
        let mut file =
            std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).expect("a file");
        let error = std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(u64::MAX)).expect_err("too far");
        assert_eq!(FormatError::from(TiffError::IoError(error)).kind(), ErrorKind::Invalid);
    }
}
