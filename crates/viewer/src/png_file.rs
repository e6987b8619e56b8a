//! Pictures as PNG files that exist as a whole or not at all.

use crate::failure::{Exit, Failure};
use std::{
    fs,
    io::{self, BufWriter, Write as _},
    path::Path,
};

/// Writes red, green, blue and alpha to `path`: to a temporary file beside it, which is flushed to the disk
/// and then renamed. Replaces what was there.
///
/// # Errors
/// [`Failure`] of the system, which names `path`.
pub fn write(path: &Path, width: u32, height: u32, pixels: &[[u8; 4]]) -> Result<(), Failure> {
    write_bytes(path, width, height, pixels.as_flattened())
        .map_err(|error| Failure::new(Exit::Io, error).of(path))
}

fn write_bytes(path: &Path, width: u32, height: u32, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link: what it stands for is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder; expected a file"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let reason = format!("the folder {} does not exist", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, reason));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".brickwork-").suffix(".tmp");
    // Temporary files are private by default; this one is to be an ordinary one.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    let mut buffer = BufWriter::new(&mut file);
    let mut encoder = png::Encoder::new(&mut buffer, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()?;
    buffer.flush()?;
    drop(buffer);
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_whole_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.png");
        for grey in [7, 9] {
            write(&path, 2, 1, &[[grey, 2, 3, 255], [4, 5, 6, 255]]).expect("a file");
            let file = io::BufReader::new(fs::File::open(&path).expect("the file"));
            let mut reader = png::Decoder::new(file).read_info().expect("PNG");
            let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
            reader.next_frame(&mut bytes).expect("pixels");
            assert_eq!(bytes, [grey, 2, 3, 255, 4, 5, 6, 255]);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
        let missing = folder.path().join("none/a.png");
        let reason = write(&missing, 1, 1, &[[0; 4]]).expect_err("no folder").to_string();
        assert!(reason.contains("does not exist"), "{reason}");
    }
}
