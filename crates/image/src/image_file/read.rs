//! Reads image files of any supported format as pictures. The first bytes determine the format, and each
//! format has one decoder.

use super::{
    FileFormat, ImageReadError, Picture,
    budget::Budget,
    decoded::Decoded,
    exr,
    failure::Failure,
    feature::ImageFeature,
    foreign::{self, Foreign},
    helper_thread, jpeg, part, png, radiance, tga, through_image, tiff,
    tracked_reader::{BufReadSeek, TrackedReader},
    webp,
};
use crate::Task;
use brickwork_base::task_io::TaskReader;
use std::{
    io::{BufRead, Seek},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Options of [`read`].
///
/// ```
/// use brickwork_image::image_file::ImageReadOptions;
///
/// let options = ImageReadOptions::new().with_max_memory(64 << 20);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImageReadOptions {
    max_memory: u64,
    dds_ten_bit_masks: DdsTenBitMasks,
    stored_alpha: bool,
    stored_colors: bool,
    single_floats: bool,
}

/// Meaning of the 10-bit channel masks in a DDS file without a DX10 header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DdsTenBitMasks {
    /// Red and blue are swapped, because D3DX and texconv write the masks that way.
    #[default]
    Swapped,
    /// The masks apply as the file states them.
    Stated,
}

impl ImageReadOptions {
    /// Returns the default options.
    pub const fn new() -> Self {
        Self {
            max_memory: 4 << 30,
            dds_ten_bit_masks: DdsTenBitMasks::Swapped,
            stored_alpha: false,
            stored_colors: false,
            single_floats: false,
        }
    }

    /// Sets the maximum memory, in bytes, that texels and decoder may occupy together at any time. The actual
    /// use may deviate by 1 MiB, because of the decoder's windows and tables. The reader's own buffer does
    /// not count.
    ///
    /// All memory that a decoder may need is counted before it starts. For example, a lossy WebP is refused
    /// below 16 MiB, however small its picture. Default: 4 GiB.
    #[must_use]
    pub const fn with_max_memory(self, max_memory: u64) -> Self {
        Self { max_memory, ..self }
    }

    /// Sets the meaning of 10-bit masks in DDS files. Default: [`DdsTenBitMasks::Swapped`].
    #[must_use]
    pub const fn with_dds_ten_bit_masks(self, dds_ten_bit_masks: DdsTenBitMasks) -> Self {
        Self { dds_ten_bit_masks, ..self }
    }

    /// Keeps the colours of files that store them multiplied by alpha: EXR, associated alpha in TIFF, `DXT2`
    /// and `DXT4`, and DX10 and KTX2 headers that state it. This is for pictures whose alpha is a channel
    /// like the others. [`Picture::is_divided`] is then false, and the colours of these files are not
    /// converted, as with [`with_stored_colors`](Self::with_stored_colors). Default: `false`, which divides
    /// the colours by alpha, so that [`Texels`](super::Texels) have straight alpha.
    #[must_use]
    pub const fn with_stored_alpha(self, stored_alpha: bool) -> Self {
        Self { stored_alpha, ..self }
    }

    /// Keeps the numbers of files that state another tone curve than that of sRGB, or other primaries than
    /// those of Rec. 709: by a `gAMA`, `cHRM` or `cICP` chunk of PNG, or by an ICC profile of RGB or grey.
    /// This is for pictures whose numbers are no colours. Primaries of EXR and Radiance HDR files are always
    /// converted.
    ///
    /// Default: `false`, which converts integers to sRGB of 16 bits, linear integers to linear ones of 16
    /// bits, and floats, PQ and HLG to linear light in floats, all with the primaries of Rec. 709. Colours
    /// outside of sRGB are clipped in integers. Notes report each of these.
    #[must_use]
    pub const fn with_stored_colors(self, stored_colors: bool) -> Self {
        Self { stored_colors, ..self }
    }

    /// Keeps numbers that half floats round: floats of 32 bits in EXR, TIFF, DDS and KTX2 files, integers in
    /// EXR files, the numbers of Radiance HDR, and light of PQ and HLG. The texels are then
    /// [`Texels::RgbF32`] or [`Texels::RgbaF32`], which take 4 bytes per channel. Half floats and the other
    /// floats of DDS and KTX2 stay half floats. Default: `false`, which rounds to half floats:
    /// [`Picture::overflow_count`] counts the finite numbers beyond ±65504.
    ///
    /// [`Texels::RgbF32`]: super::Texels::RgbF32
    /// [`Texels::RgbaF32`]: super::Texels::RgbaF32
    #[must_use]
    pub const fn with_single_floats(self, single_floats: bool) -> Self {
        Self { single_floats, ..self }
    }

    /// Returns the meaning of 10-bit masks in DDS files.
    pub const fn dds_ten_bit_masks(&self) -> DdsTenBitMasks {
        self.dds_ten_bit_masks
    }

    /// True if colours that a file stores multiplied by alpha are kept.
    pub const fn stored_alpha(&self) -> bool {
        self.stored_alpha
    }

    /// True if numbers with another tone curve or other primaries than those of sRGB are kept.
    pub const fn stored_colors(&self) -> bool {
        self.stored_colors
    }

    /// True if numbers that half floats round are kept as single floats.
    pub const fn single_floats(&self) -> bool {
        self.single_floats
    }

    /// Returns the maximum memory of texels and decoder, in bytes.
    pub const fn max_memory(&self) -> u64 {
        self.max_memory
    }
}

impl Default for ImageReadOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads the picture in a file, from the first byte of the stream. Progress is the largest position in the
/// file so far.
///
/// The first bytes determine the format. `extension` (`"tga"`, ignoring case, with or without a dot) decides
/// only if they do not, as in some TGA files.
///
/// The first frame of an animation is read. [`Picture::part`] reports this. Orientation tags (Exif, TIFF) are
/// applied. DDS and KTX2 files are textures, whose pictures `pictures::read` of brickwork-texture reads.
///
/// Texels are decoded into the vector that [`Picture`] holds, so memory contains at most one copy of them.
/// TIFF, animations and pictures turned by 90° need two copies.
///
/// ```
/// use brickwork_image::{Task, image_file::{ImageReadOptions, Texels, read}};
///
/// let file = std::io::Cursor::new(b"P3 2 1 255 1 2 3 4 5 6");
/// let picture = read(file, None, &ImageReadOptions::default(), &Task::new())?;
/// assert!(matches!(picture.texels, Texels::Rgb8(texels) if texels == [[1, 2, 3], [4, 5, 6]]));
/// # Ok::<(), brickwork_image::image_file::ImageReadError>(())
/// ```
///
/// JPEG and WebP files are decoded in one step that cannot be interrupted. A second thread decodes them if
/// the task has a token and specifies [`Threads::Pool`](crate::Threads::Pool). A cancelled call then returns
/// at once, and the thread keeps its memory until the step ends. On the calling thread alone, and on wasm32,
/// a cancelled call returns after the step.
///
/// # Errors
/// [`ImageReadError`]. Where panics unwind, a decoder's panic on a damaged file is caught and reported as
/// [`ImageReadError::Panicked`]. The application's panic hook still runs, because a library must not replace
/// it.
pub fn read<R: BufRead + Seek>(
    reader: R,
    extension: Option<&str>,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<Picture, ImageReadError> {
    let mut reader = TaskReader::new(reader, task)?;
    let first_bytes = TrackedReader::new(&mut reader)?.first_bytes()?;
    if first_bytes.is_empty() {
        return Err(ImageReadError::Empty);
    }
    let claimed = extension.and_then(FileFormat::of_extension);
    let format = match (FileFormat::detect(&first_bytes), foreign::of(&first_bytes)) {
        (Some(format), _) => format,
        (None, Some(Foreign { name, advice })) => return Err(ImageReadError::Foreign { name, advice }),
        (None, None) if claimed == Some(FileFormat::Tga) => FileFormat::Tga,
        (None, None) => {
            let first_bytes = first_bytes.iter().copied().take(4).collect();
            return Err(ImageReadError::Unknown { claimed, first_bytes });
        }
    };
    let options = *options;
    let is_one_step = matches!(format, FileFormat::Jpeg | FileFormat::Webp | FileFormat::Exr);
    let picture = if is_one_step && helper_thread::is_useful(task) {
        helper_thread::decode_there(&mut reader, format, task, move |reader| {
            decode_picture(reader, format, &options, &Task::new())
        })
    } else {
        decode_picture(&mut reader, format, &options, task)
    };
    task.check()?;
    let mut picture = picture?;
    picture.part = part::of(format, &mut reader);
    // `part::of` treats an error of the reader as damage.
    task.check()?;
    Ok(picture)
}

/// Decodes the picture in a file of this format.
fn decode_picture(
    reader: &mut dyn BufReadSeek,
    format: FileFormat,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<Picture, ImageReadError> {
    picture_by(reader, format, options, task, &mut |source, budget| decode(format, source, options, budget))
}

/// Returns the picture that `decode` makes of a file of this format: upright, with straight alpha, and with
/// colours in Rec. 709, as [`read`] does. `decode` receives the file from its first byte.
///
/// # Errors
/// [`ImageReadError`]. Where panics unwind, a panic of `decode` is [`ImageReadError::Panicked`].
pub fn picture_by(
    reader: &mut dyn BufReadSeek,
    format: FileFormat,
    options: &ImageReadOptions,
    task: &Task<'_>,
    decode: &mut dyn FnMut(TrackedReader<'_>, &Budget<'_>) -> Result<Decoded, Failure>,
) -> Result<Picture, ImageReadError> {
    let source = TrackedReader::new(reader)?;
    let state = source.state();
    let budget = Budget::new(options.max_memory(), source.length(), task);
    let decoded = catch_unwind(AssertUnwindSafe(|| decode(source, &budget)));
    let Ok(decoded) = decoded else { return Err(ImageReadError::Panicked { format }) };
    decoded
        .and_then(|decoded| decoded.into_picture(format, options, &budget))
        .map_err(|failure| state.error(format, failure, budget.limit))
}

fn decode(
    format: FileFormat,
    source: TrackedReader<'_>,
    options: &ImageReadOptions,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let keeps_singles = options.single_floats();
    match format {
        FileFormat::Png => png::decode(source, budget),
        FileFormat::Jpeg => jpeg::decode(source, budget),
        FileFormat::Tga => tga::decode(source, budget),
        FileFormat::Bmp => through_image::decode_bmp(source, budget),
        FileFormat::Tiff => tiff::decode(source, keeps_singles, budget),
        FileFormat::Webp => webp::decode(source, budget),
        FileFormat::Gif => through_image::decode_gif(source, budget),
        FileFormat::Pnm => through_image::decode_pnm(source, budget),
        FileFormat::Dds | FileFormat::Ktx2 => {
            let text = "textures are not read here; brickwork-texture reads their pictures";
            Err(Failure::Unsupported(ImageFeature::Other(text.to_owned())))
        }
        FileFormat::Exr => exr::decode(source, keeps_singles, budget),
        FileFormat::Hdr => radiance::decode(source, keeps_singles, budget),
    }
}
