//! Renderings as PNG files that are written completely or not at all.

use brickwork_base::{
    Cancelled,
    whole_file::{Existing, Target},
};
use brickwork_image::image_file::{ImageWriteError, PngTexels, write_png};
use brickwork_texture::{ColorSpace, Stage, Task};
use std::{
    io::{self, Write},
    path::Path,
};

/// Number of pixels between two checks for cancellation.
const PIXELS_AT_A_TIME: usize = 1 << 18;

/// Writes red, green, blue and alpha of each pixel, row by row, to a PNG file in sRGB. The file has no alpha
/// if all pixels are opaque. Replaces an existing file.
///
/// The data are written to a temporary, locked file beside `path`, which is then flushed to the disk and
/// renamed.
///
/// # Errors
/// [`ImageWriteError`] of the system, if the number of pixels is not `width · height`, or if the task is
/// cancelled. An existing file is then unchanged.
pub fn write_rendering(
    path: &Path,
    width: u32,
    height: u32,
    pixels: &[[u8; 4]],
    task: &Task<'_>,
) -> Result<(), ImageWriteError> {
    write(path, |file| encode_rendering(file, width, height, pixels, task))
}

/// Encodes red, green, blue and alpha of each pixel, row by row, as a PNG file in sRGB. The file has no alpha
/// if all pixels are opaque.
///
/// # Errors
/// [`ImageWriteError`] of `sink`, if the number of pixels is not `width · height`, or if the task is
/// cancelled.
pub fn encode_rendering(
    sink: &mut dyn Write,
    width: u32,
    height: u32,
    pixels: &[[u8; 4]],
    task: &Task<'_>,
) -> Result<(), ImageWriteError> {
    let opaque = opaque(pixels, task)?;
    let texels = opaque.as_deref().map_or(PngTexels::Rgba8(pixels), PngTexels::Rgb8);
    write_png(sink, width, height, texels, ColorSpace::Srgb, task)
}

/// Returns red, green and blue of each pixel, or `None` if a pixel is not opaque.
fn opaque(pixels: &[[u8; 4]], task: &Task<'_>) -> Result<Option<Vec<[u8; 3]>>, Cancelled> {
    let mut colors = Vec::with_capacity(pixels.len());
    for part in pixels.chunks(PIXELS_AT_A_TIME) {
        task.check()?;
        task.report(Stage::Preparing, colors.len() as u64, pixels.len() as u64);
        if part.iter().any(|pixel| pixel[3] != 255) {
            return Ok(None);
        }
        colors.extend(part.iter().map(|&[red, green, blue, _]| [red, green, blue]));
    }
    Ok(Some(colors))
}

fn write(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> Result<(), ImageWriteError>,
) -> Result<(), ImageWriteError> {
    let mut file = io::BufWriter::new(Target::of(path)?.create()?);
    content(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(file.commit(Existing::Replace)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_base::{CancelToken, Progress};
    use std::{
        fs::{self, File, TryLockError},
        sync::atomic::{AtomicUsize, Ordering},
    };

    #[test]
    fn renderings_are_whole_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let mut sizes = Vec::new();
        for pixels in [vec![[7, 2, 3, 255]; 2], vec![[9, 2, 3, 0]; 6]] {
            write_rendering(&path, pixels.len() as u32, 1, &pixels, &Task::new()).unwrap();
            let bytes = fs::read(&path).unwrap();
            assert!(bytes.starts_with(b"\x89PNG"));
            // Width in the header.
            sizes.push(u32::from_be_bytes(bytes[16..20].try_into().unwrap()));
        }
        assert_eq!(sizes, [2, 6]);
        assert!(write_rendering(&path, 3, 3, &[[0; 4]], &Task::new()).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let path = folder.path().join("none/a.png");
        let reason = write_rendering(&path, 1, 1, &[[0; 4]], &Task::new()).unwrap_err();
        assert!(reason.to_string().contains("does not exist"), "{reason}");
    }

    /// Tests that an existing file is kept, and that no other file remains in its folder.
    #[test]
    fn a_cancelled_file_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, "kept").unwrap();
        let pixels = vec![[1, 2, 3, 255]; 1024 * 512];
        for stage in [Stage::Preparing, Stage::Writing] {
            let (token, reports) = (CancelToken::new(), AtomicUsize::new(0));
            let cancel = |progress: Progress| {
                if progress.stage == stage {
                    reports.fetch_add(1, Ordering::Relaxed);
                    token.cancel();
                }
            };
            let task = Task::new().with_progress(&cancel).with_cancel(&token);
            let error = write_rendering(&path, 1024, 512, &pixels, &task).unwrap_err();
            assert!(matches!(error, ImageWriteError::Cancelled(_)), "{error}");
            assert_eq!(reports.into_inner(), 1, "{stage}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"kept");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Other processes remove temporary files that are not locked.
    #[test]
    fn files_are_locked_while_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut is_locked = false;
        write(&folder.path().join("a.png"), |_| {
            let mut names = fs::read_dir(folder.path())?;
            let temporary = File::open(names.next().expect("a temporary file")?.path())?;
            is_locked = matches!(temporary.try_lock(), Err(TryLockError::WouldBlock));
            Ok(())
        })
        .unwrap();
        assert!(is_locked);
    }
}
