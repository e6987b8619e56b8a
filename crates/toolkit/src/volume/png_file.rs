//! Renderings as PNG files that are written completely or not at all.

use brickwork_base::whole_file::{Existing, Target};
use brickwork_texture::{
    ColorSpace, Task,
    image_file::{ImageWriteError, PngTexels, write_png},
};
use std::{
    io::{self, Write},
    path::Path,
};

/// Writes red, green, blue and alpha of each pixel, row by row, to a PNG file in sRGB. The file has no alpha
/// if all pixels are opaque. Replaces an existing file.
///
/// The data are written to a temporary, locked file beside `path`, which is then flushed to the disk and
/// renamed.
///
/// # Errors
/// [`ImageWriteError`] of the system, or if the number of pixels is not `width · height`. An existing file is
/// then unchanged.
pub fn write_rendering(
    path: &Path,
    width: u32,
    height: u32,
    pixels: &[[u8; 4]],
) -> Result<(), ImageWriteError> {
    write(path, |file| encode_rendering(file, width, height, pixels))
}

/// Encodes red, green, blue and alpha of each pixel, row by row, as a PNG file in sRGB. The file has no alpha
/// if all pixels are opaque.
///
/// # Errors
/// [`ImageWriteError`] of `sink`, or if the number of pixels is not `width · height`.
pub fn encode_rendering(
    sink: &mut dyn Write,
    width: u32,
    height: u32,
    pixels: &[[u8; 4]],
) -> Result<(), ImageWriteError> {
    let color = |&[red, green, blue, alpha]: &[u8; 4]| (alpha == 255).then_some([red, green, blue]);
    let opaque: Option<Vec<[u8; 3]>> = pixels.iter().map(color).collect();
    let texels = opaque.as_deref().map_or(PngTexels::Rgba8(pixels), PngTexels::Rgb8);
    write_png(sink, width, height, texels, ColorSpace::Srgb, &Task::new())
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
    use std::fs::{self, File, TryLockError};

    #[test]
    fn renderings_are_whole_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let mut sizes = Vec::new();
        for pixels in [vec![[7, 2, 3, 255]; 2], vec![[9, 2, 3, 0]; 6]] {
            write_rendering(&path, pixels.len() as u32, 1, &pixels).unwrap();
            let bytes = fs::read(&path).unwrap();
            assert!(bytes.starts_with(b"\x89PNG"));
            // Width in the header.
            sizes.push(u32::from_be_bytes(bytes[16..20].try_into().unwrap()));
        }
        assert_eq!(sizes, [2, 6]);
        assert!(write_rendering(&path, 3, 3, &[[0; 4]]).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let reason = write_rendering(&folder.path().join("none/a.png"), 1, 1, &[[0; 4]]).unwrap_err();
        assert!(reason.to_string().contains("does not exist"), "{reason}");
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
