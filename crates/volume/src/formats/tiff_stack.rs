//! TIFF stacks: each page a slice of grey, RGB, RGBA, or 2 to 4 samples of no given meaning, all of one size
//! and type. Samples may lie side by side or in planes.

use super::{
    FormatError, OpenedVolume, VolumeFormat,
    reopening_reader::ReopeningReader,
    slice::{Shape, interleave, named, resize},
};
use crate::{ByteOrder, MAX_CHANNELS, VoxelType};
use std::{fs::File, io::BufReader, path::Path};
use tiff::{
    ColorType, TiffError,
    decoder::{Decoder, Limits},
    tags::Tag,
};

type Pages = Decoder<BufReader<File>>;

/// Opens a file. All pages are examined; none is decoded yet.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path) -> Result<OpenedVolume, FormatError> {
    let mut pages = decoder(path)?;
    let first = shape(&mut pages)?;
    let description = pages.find_tag(Tag::ImageDescription).ok().flatten().and_then(|v| v.into_string().ok());
    let mut count = 1;
    while pages.more_images() {
        let name = || named(format!("page {}", count + 1));
        pages.next_image().map_err(|error| name()(error.into()))?;
        shape(&mut pages).and_then(|shape| shape.check(first)).map_err(name())?;
        count += 1;
    }
    let said = description.as_deref().and_then(imagej_images);
    if said.is_some_and(|said| said != count) {
        return Err(FormatError::Unsupported("an ImageJ stack with fewer pages than images".to_owned()));
    }
    let mut header = first.header(count)?;
    if let Some(description) = description {
        header.metadata = serde_json::json!({ "tiff": { "ImageDescription": description } }).to_string();
    }
    let (files, path) = (vec![path.to_owned()], path.to_owned());
    let slice_bytes = first.byte_count(std::fs::metadata(&path)?.len())?;
    let voxels = ReopeningReader::of_slices(count, slice_bytes, move || {
        let path = path.clone();
        let mut pages = None;
        move |index, bytes| {
            let name = named(format!("page {}", index + 1));
            read_next(&path, &mut pages, first, bytes).map_err(name)
        }
    });
    Ok(OpenedVolume::from_files(VolumeFormat::Tiff, header, ByteOrder::NATIVE, voxels, files))
}

/// Reads the page after that which was read last.
fn read_next(
    path: &Path,
    pages: &mut Option<Pages>,
    first: Shape,
    bytes: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let pages = match pages {
        Some(pages) => {
            pages.next_image()?;
            pages
        }
        none => none.insert(decoder(path)?),
    };
    shape(pages)?.check(first)?;
    read_page(pages, first, std::fs::metadata(path)?.len(), bytes)
}

/// The only page of a file.
pub(super) fn read_single(path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<Shape, FormatError> {
    let mut pages = decoder(path)?;
    let shape = shape(&mut pages)?;
    if pages.more_images() {
        return Err(FormatError::Unsupported("a file of several pages among slices".to_owned()));
    }
    if let Some(bytes) = bytes {
        read_page(&mut pages, shape, std::fs::metadata(path)?.len(), bytes)?;
    }
    Ok(shape)
}

fn read_page(
    pages: &mut Pages,
    shape: Shape,
    file_bytes: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), FormatError> {
    resize(bytes, shape.byte_count(file_bytes)?)?;
    pages.read_image_bytes(bytes)?;
    let in_planes = pages.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
    if in_planes && shape.channels > 1 { interleave(bytes, shape) } else { Ok(()) }
}

fn decoder(path: &Path) -> Result<Pages, FormatError> {
    let file = File::open(path)?;
    let most = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut limits = Limits::default();
    // No more than the file holds, where it holds more than the defaults.
    limits.decoding_buffer_size = limits.decoding_buffer_size.max(most);
    limits.intermediate_buffer_size = limits.intermediate_buffer_size.max(most);
    limits.ifd_value_size = limits.ifd_value_size.max(most);
    Ok(Decoder::new(BufReader::new(file))?.with_limits(limits))
}

fn shape(pages: &mut Pages) -> Result<Shape, FormatError> {
    let (width, height) = pages.dimensions()?;
    let color = pages.colortype()?;
    let unsupported = |what: String| Err(FormatError::Unsupported(what));
    let (bits, channels) = match color {
        ColorType::Gray(bits) => (bits, 1),
        ColorType::RGB(bits) => (bits, 3),
        ColorType::RGBA(bits) => (bits, 4),
        ColorType::Multiband { bit_depth, num_samples } => (bit_depth, usize::from(num_samples)),
        _ => return unsupported(format!("the colour type {color:?}")),
    };
    // The reader leaves samples out that are neither colour nor alpha.
    let samples = pages.find_tag_unsigned::<u16>(Tag::SamplesPerPixel)?.unwrap_or(1);
    if usize::from(samples) != channels || channels > MAX_CHANNELS {
        return unsupported(format!("a voxel of {samples} samples, {color:?},"));
    }
    let formats = pages.find_tag_unsigned_vec::<u16>(Tag::SampleFormat)?.unwrap_or_default();
    let format = formats.first().copied().unwrap_or(1);
    if formats.iter().any(|&other| other != format) {
        return unsupported("a voxel of samples of several formats".to_owned());
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
        _ => return unsupported(format!("a sample of {bits} bits in sample format {format}")),
    };
    // The reader takes tiles of the second plane for rows below the first, and panics.
    let in_planes = pages.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
    if in_planes && channels > 1 && pages.find_tag(Tag::TileWidth)?.is_some() {
        return unsupported("a page of channels in planes of tiles".to_owned());
    }
    // Its values would come inverted.
    if pages.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation)? == Some(0) {
        return unsupported("grey where white is zero".to_owned());
    }
    Ok(Shape { width: width as usize, height: height as usize, voxel_type, channels })
}

/// How many slices ImageJ says it wrote: of large stacks only the first has a page.
fn imagej_images(description: &str) -> Option<usize> {
    description.strip_prefix("ImageJ=")?;
    description.lines().find_map(|line| line.strip_prefix("images=")?.trim().parse().ok())
}

impl From<TiffError> for FormatError {
    fn from(error: TiffError) -> Self {
        match error {
            TiffError::IoError(error) => Self::Io(error),
            error => Self::Decoder(error.into()),
        }
    }
}
