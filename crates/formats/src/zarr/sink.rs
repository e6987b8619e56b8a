//! The place to which a group is written, file by file: a folder, or a ZIP archive.

use rawzip::{ZipArchiveWriter, path::EntryPath};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// Comment of an archive whose first entries are all of the metadata (OME-Zarr's RFC-9).
const COMMENT: &str = r#"{"ome":{"version":"0.5","zipFile":{"centralDirectory":{"jsonFirst":true}}}}"#;

/// A folder, or an archive in the making.
pub enum Sink<'a> {
    Folder(&'a Path),
    /// Archive of entries without compression.
    Archive(ZipArchiveWriter<Counted<'a>>),
}

/// A writer that counts the bytes.
pub struct Counted<'a> {
    inner: &'a mut dyn Write,
    byte_count: u64,
}

impl<'a> Sink<'a> {
    /// Returns an archive that is written to `inner`.
    pub fn archive(inner: &'a mut dyn Write) -> Self {
        let mut archive = ZipArchiveWriter::new(Counted { inner, byte_count: 0 });
        archive.set_comment(COMMENT);
        Self::Archive(archive)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn put(&mut self, key: &str, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Folder(folder) => put_file(folder, key, bytes),
            Self::Archive(archive) => {
                let file = archive.new_file(EntryPath::verbatim(key.as_bytes()));
                let (mut entry, config) = file.start().map_err(into_io)?;
                let mut writer = config.wrap(&mut entry);
                writer.write_all(bytes)?;
                let (_, descriptor) = writer.finish().map_err(into_io)?;
                entry.finish(descriptor).map(|_| ()).map_err(into_io)
            }
        }
    }

    /// Writes the end of an archive. Returns the bytes of it; 0 for a folder.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(self) -> io::Result<u64> {
        match self {
            Self::Folder(_) => Ok(0),
            Self::Archive(archive) => Ok(archive.finish().map_err(into_io)?.byte_count),
        }
    }
}

/// Writes a new file of a folder, and the folders above it.
///
/// # Errors
/// I/O errors.
pub fn put_file(folder: &Path, key: &str, bytes: &[u8]) -> io::Result<()> {
    let path = folder.join(key);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(&path)?.write_all(bytes)
}

fn into_io(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) => error,
        kind => io::Error::other(kind.to_string()),
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.byte_count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
