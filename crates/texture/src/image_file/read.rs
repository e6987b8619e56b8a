//! Reads any image file as a picture: the format is told by the first bytes, each has one decoder.

use super::{
    FileFormat, Picture, ReadError, budget::Budget, dds, decoded::Decoded, failure::Failure, jpeg, ktx2,
    part, png, through_image, tiff, tracked_reader::TrackedReader, webp,
};
use std::{
    io::{BufRead, Seek},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The options of [`read`].
///
/// ```
/// use brickwork_texture::image_file::ReadOptions;
///
/// let mut options = ReadOptions::default();
/// options.max_memory = 64 << 20;
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Bytes that texels and decoder may take together at any time, give or take 1 MiB for the decoder's
    /// windows and tables; the reader's own buffer is not counted. All that a decoder may need is counted
    /// before it starts, so a lossy WebP, for example, is refused below 16 MiB however small it is. Default:
    /// 4 GiB.
    pub max_memory: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_memory: 4 << 30 }
    }
}

/// Reads the picture in a file from its first byte, wherever the reader is.
///
/// The first bytes tell the format; `extension` (`"tga"`, ignoring case, with or without a dot) decides only
/// if they do not, as in some TGA files. The first frame of an animation is read, and the largest mip level
/// of the first layer, face or slice of a DDS or KTX2 texture; [`Picture::part`] says so. Orientation tags
/// (Exif, TIFF, `KTXorientation`) are applied. Texels are decoded into the vector that [`Picture`] holds, so
/// at most one copy of them exists, except that TIFF, animations and pictures turned by 90° need two.
///
/// ```
/// use brickwork_texture::image_file::{ReadOptions, Texels, read};
///
/// let file = std::io::Cursor::new(b"P3 2 1 255 1 2 3 4 5 6");
/// let picture = read(file, None, &ReadOptions::default())?;
/// assert!(matches!(picture.texels, Texels::Rgb8(texels) if texels == [[1, 2, 3], [4, 5, 6]]));
/// # Ok::<(), brickwork_texture::image_file::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`]. A decoder that panics on a damaged file is caught and reported as [`ReadError::Panicked`]
/// where panics unwind; the application's panic hook still runs, because a library must not replace it.
pub fn read<R: BufRead + Seek>(
    mut reader: R,
    extension: Option<&str>,
    options: &ReadOptions,
) -> Result<Picture, ReadError> {
    let mut source = TrackedReader::new(&mut reader).map_err(ReadError::Io)?;
    let first_bytes = source.first_bytes().map_err(ReadError::Io)?;
    if first_bytes.is_empty() {
        return Err(ReadError::Empty);
    }
    let claimed = extension.and_then(FileFormat::of_extension);
    let format = FileFormat::detect(&first_bytes)
        .or(claimed.filter(|&claimed| claimed == FileFormat::Tga))
        .ok_or_else(|| ReadError::Unknown {
        claimed,
        first_bytes: first_bytes.iter().copied().take(4).collect(),
    })?;
    let state = source.state();
    let budget = Budget::new(options.max_memory, source.length());
    let decoded = catch_unwind(AssertUnwindSafe(|| decode(format, source, &budget)));
    let Ok(decoded) = decoded else { return Err(ReadError::Panicked { format }) };
    let mut picture = decoded
        .and_then(|decoded| decoded.into_picture(format, &budget))
        .map_err(|failure| state.error(format, failure, budget.limit))?;
    picture.part = part::of(format, &mut reader);
    Ok(picture)
}

fn decode(format: FileFormat, source: TrackedReader<'_>, budget: &Budget) -> Result<Decoded, Failure> {
    match format {
        FileFormat::Png => png::decode(source, budget),
        FileFormat::Jpeg => jpeg::decode(source, budget),
        FileFormat::Tga => through_image::decode_tga(source, budget),
        FileFormat::Bmp => through_image::decode_bmp(source, budget),
        FileFormat::Tiff => tiff::decode(source, budget),
        FileFormat::Webp => webp::decode(source, budget),
        FileFormat::Gif => through_image::decode_gif(source, budget),
        FileFormat::Pnm => through_image::decode_pnm(source, budget),
        FileFormat::Dds => dds::decode(source, budget),
        FileFormat::Ktx2 => ktx2::decode(source, budget),
    }
}
