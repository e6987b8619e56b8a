//! Reads image files of any supported format as pictures. The first bytes determine the format, and each
//! format has one decoder.

use super::{
    FileFormat, ImageReadError, ImageReadOptions, Picture, bmp,
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
    let is_one_step = matches!(format, FileFormat::Jpeg | FileFormat::Webp | FileFormat::Exr);
    let picture = if is_one_step && helper_thread::is_useful(task) {
        let options = options.clone();
        helper_thread::decode_there(&mut reader, format, task, move |reader| {
            decode_picture(reader, format, &options, &Task::new())
        })
    } else {
        decode_picture(&mut reader, format, options, task)
    };
    task.check()?;
    let mut picture = picture?;
    picture.part = part::of(format, options, &mut reader);
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
    let budget = Budget::new(options.max_memory, source.length(), task);
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
    let keeps_singles = options.single_floats;
    match format {
        FileFormat::Png => png::decode(source, budget),
        FileFormat::Jpeg => jpeg::decode(source, budget),
        FileFormat::Tga => tga::decode(source, budget),
        FileFormat::Bmp => bmp::decode(source, budget),
        FileFormat::Tiff => tiff::decode(source, keeps_singles, budget),
        FileFormat::Webp => webp::decode(source, budget),
        FileFormat::Gif => through_image::decode_gif(source, budget),
        FileFormat::Pnm => through_image::decode_pnm(source, budget),
        FileFormat::Dds | FileFormat::Ktx2 | FileFormat::Astc => {
            let text = "textures are not read here; brickwork-texture reads their pictures";
            Err(Failure::Unsupported(ImageFeature::Other(text.to_owned())))
        }
        FileFormat::Exr => exr::decode(source, options, budget),
        FileFormat::Hdr => radiance::decode(source, keeps_singles, budget),
    }
}
