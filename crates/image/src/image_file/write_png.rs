//! PNG encoding with the `png` crate, which gives access to the colour chunks.

use super::Texels;
use crate::{Cancelled, ColorSpace, ErrorKind, Stage, Task};
use std::io::{self, Write};

/// Texels for [`write_png`], row by row from top to bottom.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "every match must handle a new kind of PNG")]
pub enum PngTexels<'a> {
    /// 8-bit grey.
    Grey8(&'a [u8]),
    /// 8-bit red, green, blue.
    Rgb8(&'a [[u8; 3]]),
    /// 8-bit red, green, blue and straight alpha.
    Rgba8(&'a [[u8; 4]]),
    /// 16-bit grey. This and the other 16-bit values have the machine's byte order.
    Grey16(&'a [u16]),
    /// 16-bit red, green, blue.
    Rgb16(&'a [[u16; 3]]),
    /// 16-bit red, green, blue and straight alpha.
    Rgba16(&'a [[u16; 4]]),
}

impl<'a> PngTexels<'a> {
    /// Returns the texels of a picture; `None` if they are floats, which PNG cannot store. A
    /// [`ToneMap`](crate::ToneMap) makes 8 bits of half floats.
    pub fn of(texels: &'a Texels) -> Option<Self> {
        Some(match texels {
            Texels::Grey8(texels) => Self::Grey8(texels),
            Texels::Rgb8(texels) => Self::Rgb8(texels),
            Texels::Rgba8(texels) => Self::Rgba8(texels),
            Texels::Grey16(texels) => Self::Grey16(texels),
            Texels::Rgb16(texels) => Self::Rgb16(texels),
            Texels::Rgba16(texels) => Self::Rgba16(texels),
            Texels::RgbF16(_) | Texels::RgbaF16(_) | Texels::RgbF32(_) | Texels::RgbaF32(_) => return None,
        })
    }
}

/// Bytes that are compressed between two checks for cancellation.
const STEP_BYTES: usize = 1 << 16;

/// The bytes to store.
enum Stored<'a> {
    Bytes(&'a [u8]),
    /// Values of 16 bits. PNG stores the high byte first.
    Wide(&'a [u16]),
}

/// The reason why a PNG was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageWriteError {
    /// There are not `width · height` texels, or a side is 0 or above PNG's maximum (2³¹ − 1).
    #[error("{width}×{height} texels cannot be written from {given}")]
    Size {
        /// Requested width in texels.
        width: u32,
        /// Requested height in texels.
        height: u32,
        /// Number of texels given.
        given: usize,
    },
    /// The bytes could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The caller cancelled the [`Task`].
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl ImageWriteError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Size { .. } => ErrorKind::Argument,
            Self::Io(error) => ErrorKind::of_io(error),
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}

/// Writes a PNG with an sRGB chunk, or with gAMA 1.0 if the texels are linear, or with neither if the colour
/// space is unknown (`None`).
///
/// Rows are compressed as they are written, without a copy of the texels. The writer is flushed. Progress is
/// reported in bytes of texels.
///
/// ```
/// use brickwork_image::{ColorSpace, Task, image_file::{PngTexels, write_png}};
///
/// let mut file = Vec::new();
/// let texels = PngTexels::Rgb8(&[[1, 2, 3], [4, 5, 6]]);
/// write_png(&mut file, 2, 1, texels, ColorSpace::Srgb, &Task::new())?;
/// assert!(file.starts_with(b"\x89PNG"));
/// # Ok::<(), brickwork_image::image_file::ImageWriteError>(())
/// ```
///
/// # Errors
/// [`ImageWriteError`]. The bytes that the writer has received by then are not a complete PNG.
pub fn write_png<W: Write>(
    mut writer: W,
    width: u32,
    height: u32,
    texels: PngTexels<'_>,
    color_space: impl Into<Option<ColorSpace>>,
    task: &Task<'_>,
) -> Result<(), ImageWriteError> {
    write(&mut writer, [width, height], texels, color_space.into(), task)
}

fn write(
    writer: &mut dyn Write,
    [width, height]: [u32; 2],
    texels: PngTexels<'_>,
    color_space: Option<ColorSpace>,
    task: &Task<'_>,
) -> Result<(), ImageWriteError> {
    let (color, count, stored) = match texels {
        PngTexels::Grey8(texels) => (png::ColorType::Grayscale, texels.len(), Stored::Bytes(texels)),
        PngTexels::Rgb8(texels) => (png::ColorType::Rgb, texels.len(), Stored::Bytes(texels.as_flattened())),
        PngTexels::Rgba8(texels) => {
            (png::ColorType::Rgba, texels.len(), Stored::Bytes(texels.as_flattened()))
        }
        PngTexels::Grey16(texels) => (png::ColorType::Grayscale, texels.len(), Stored::Wide(texels)),
        PngTexels::Rgb16(texels) => (png::ColorType::Rgb, texels.len(), Stored::Wide(texels.as_flattened())),
        PngTexels::Rgba16(texels) => {
            (png::ColorType::Rgba, texels.len(), Stored::Wide(texels.as_flattened()))
        }
    };
    let most = i32::MAX as u32;
    let is_possible = (1..=most).contains(&width) && (1..=most).contains(&height);
    if !is_possible || count as u64 != u64::from(width) * u64::from(height) {
        return Err(ImageWriteError::Size { width, height, given: count });
    }
    let mut encoder = png::Encoder::new(&mut *writer, width, height);
    encoder.set_color(color);
    encoder.set_depth(match stored {
        Stored::Bytes(_) => png::BitDepth::Eight,
        Stored::Wide(_) => png::BitDepth::Sixteen,
    });
    match color_space {
        Some(ColorSpace::Srgb) => encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual),
        Some(ColorSpace::Linear) => encoder.set_source_gamma(png::ScaledFloat::from_scaled(100_000)),
        None => {}
    }
    let io_error = |error| match error {
        png::EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    };
    let mut file = encoder.write_header().map_err(io_error)?;
    let mut stream = file.stream_writer().map_err(io_error)?;
    let total = match stored {
        Stored::Bytes(bytes) => bytes.len(),
        Stored::Wide(values) => size_of_val(values),
    } as u64;
    let mut done = 0;
    let mut step = |bytes: &[u8]| -> Result<(), ImageWriteError> {
        task.check()?;
        stream.write_all(bytes)?;
        done += bytes.len() as u64;
        task.report(Stage::Writing, done, total);
        Ok(())
    };
    match stored {
        Stored::Bytes(bytes) => bytes.chunks(STEP_BYTES).try_for_each(step)?,
        Stored::Wide(values) => values.chunks(STEP_BYTES / 2).try_for_each(|values| {
            let bytes: Vec<[u8; 2]> = values.iter().map(|value| value.to_be_bytes()).collect();
            step(bytes.as_flattened())
        })?,
    }
    stream.finish().map_err(io_error)?;
    file.finish().map_err(io_error)?;
    writer.flush()?;
    Ok(())
}
