//! The place to which a group is written, file by file: a folder, or a ZIP archive.

use brickwork_base::Task;
use brickwork_volume::VolumeWriteError;
use rawzip::{ZipArchiveWriter, path::EntryPath};
use std::{
    fs::{self, File},
    io::{self, BufWriter, IntoInnerError, Read as _, Seek as _, SeekFrom, Write},
    path::Path,
};

/// Comment of an archive whose first entries are all of the metadata (OME-Zarr's RFC-9).
const COMMENT: &str = r#"{"ome":{"version":"0.5","zipFile":{"centralDirectory":{"jsonFirst":true}}}}"#;

/// A folder, or an archive in the making.
pub enum Sink<'a> {
    Folder(&'a Path),
    /// Archive of entries without compression.
    Archive {
        archive: ZipArchiveWriter<Counted<'a>>,
        scratch: &'a Path,
        later: Option<Later>,
    },
}

/// Chunks of smaller levels, in a temporary file.
pub struct Later {
    file: BufWriter<File>,
    byte_count: u64,
    /// Level, key, offset and size of each chunk.
    chunks: Vec<(usize, String, u64, usize)>,
}

/// A writer that counts the bytes.
pub struct Counted<'a> {
    inner: &'a mut dyn Write,
    byte_count: u64,
}

impl<'a> Sink<'a> {
    /// Returns an archive that is written to `inner`. `scratch` is a folder for a temporary file.
    pub fn archive(inner: &'a mut dyn Write, scratch: &'a Path) -> Self {
        let mut archive = ZipArchiveWriter::new(Counted { inner, byte_count: 0 });
        archive.set_comment(COMMENT);
        Self::Archive { archive, scratch, later: None }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn put(&mut self, key: &str, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Folder(folder) => put_file(folder, key, bytes),
            Self::Archive { archive, .. } => {
                let file = archive.new_file(EntryPath::verbatim(key.as_bytes()));
                let (mut entry, config) = file.start().map_err(into_io)?;
                let mut writer = config.wrap(&mut entry);
                writer.write_all(bytes)?;
                let (_, descriptor) = writer.finish().map_err(into_io)?;
                entry.finish(descriptor).map(|_| ()).map_err(into_io)
            }
        }
    }

    /// Writes the file of a chunk of a level. In an archive, those of smaller levels follow at the end, one
    /// level after the other.
    ///
    /// # Errors
    /// I/O errors.
    pub fn put_chunk(&mut self, level: usize, key: String, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Archive { scratch, later, .. } if level > 0 => {
                let later = match later {
                    Some(later) => later,
                    None => later.insert(Later {
                        file: BufWriter::new(tempfile::tempfile_in(scratch)?),
                        byte_count: 0,
                        chunks: Vec::new(),
                    }),
                };
                later.chunks.push((level, key, later.byte_count, bytes.len()));
                later.byte_count += bytes.len() as u64;
                later.file.write_all(bytes)
            }
            _ => self.put(&key, bytes),
        }
    }

    /// Writes the end of an archive. Returns the bytes of it; 0 for a folder.
    ///
    /// # Errors
    /// I/O errors, and [`VolumeWriteError::Cancelled`].
    pub fn finish(mut self, task: &Task<'_>) -> Result<u64, VolumeWriteError> {
        let later = match &mut self {
            Self::Folder(_) => return Ok(0),
            Self::Archive { later, .. } => later.take(),
        };
        if let Some(Later { file, mut chunks, .. }) = later {
            let mut file = file.into_inner().map_err(IntoInnerError::into_error)?;
            chunks.sort_by_key(|&(level, ..)| level);
            let mut bytes = Vec::new();
            for (_, key, offset, size) in chunks {
                task.check()?;
                bytes.resize(size, 0);
                file.seek(SeekFrom::Start(offset))?;
                file.read_exact(&mut bytes)?;
                self.put(&key, &bytes)?;
            }
        }
        match self {
            Self::Folder(_) => Ok(0),
            Self::Archive { archive, .. } => Ok(archive.finish().map_err(into_io)?.byte_count),
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
