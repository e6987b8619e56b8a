//! TIFF stacks: each page a slice of grey, all of one size and type.

use super::{
    FormatError, VoxelSource,
    slice::{Shape, named, resize},
};
use crate::{ByteOrder, Dims, Header, VoxelType, raw::NATIVE};
use std::{fs::File, io::BufReader, path::Path};
use tiff::{
    ColorType, TiffError,
    decoder::{Decoder, Limits},
    tags::Tag,
};

type Pages = Decoder<BufReader<File>>;

/// Opens a file: what the volume is, the order of its bytes, and its voxels. All pages are looked at, none is decoded yet.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path) -> Result<(Header, ByteOrder, VoxelSource), FormatError> {
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
    let mut header = Header::new(first.voxel_type, Dims::new(first.width, first.height, count));
    if let Some(description) = description {
        header.metadata = serde_json::json!({ "tiff": { "ImageDescription": description } }).to_string();
    }
    let path = path.to_owned();
    let slice_bytes = first.byte_count(std::fs::metadata(&path)?.len())?;
    let source = VoxelSource::of_slices(count, slice_bytes, move || {
        let path = path.clone();
        let mut pages = None;
        move |index, bytes| {
            let name = named(format!("page {}", index + 1));
            read_next(&path, &mut pages, first, bytes).map_err(name)
        }
    });
    Ok((header, NATIVE, source))
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
    Ok(pages.read_image_bytes(bytes)?)
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
    let ColorType::Gray(bits) = color else { return unsupported(format!("the colour type {color:?}")) };
    let format = pages.find_tag_unsigned_vec::<u16>(Tag::SampleFormat)?;
    let format = format.and_then(|formats| formats.first().copied()).unwrap_or(1);
    let voxel_type = match (format, bits) {
        (1, 8) => VoxelType::U8,
        (2, 8) => VoxelType::I8,
        (1, 16) => VoxelType::U16,
        (2, 16) => VoxelType::I16,
        (1, 32) => VoxelType::U32,
        (2, 32) => VoxelType::I32,
        (3, 32) => VoxelType::F32,
        _ => return unsupported(format!("grey of {bits} bits in sample format {format}")),
    };
    // Its values would come turned round.
    if pages.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation)? == Some(0) {
        return unsupported("grey where white is zero".to_owned());
    }
    Ok(Shape { width: width as usize, height: height as usize, voxel_type })
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
