//! The files of a Zarr folder, by their keys.

use crate::FormatError;
use std::{
    error::Error,
    fs::{self, File},
    io::{self, ErrorKind, Read as _, Seek as _, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

/// A folder whose files are read by their keys, paths with slashes. Links that lead out of it are refused.
#[derive(Clone)]
pub struct Folder {
    root: PathBuf,
}

/// An open file of the folder, and its size when it was opened.
pub struct KeyFile {
    file: File,
    pub byte_count: u64,
}

impl Folder {
    /// Returns the folder at `path`, which may be a link.
    ///
    /// # Errors
    /// An I/O error if there is no folder.
    pub fn new(path: &Path) -> io::Result<Self> {
        let root = path.canonicalize()?;
        if root.is_dir() {
            return Ok(Self { root });
        }
        Err(io::Error::new(ErrorKind::NotADirectory, "is a file, expected a folder"))
    }

    /// Opens a file; returns `None` if there is none.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] if the file is outside of the folder or not regular, [`FormatError::Io`] if it
    /// cannot be opened.
    pub fn open(&self, key: &str) -> Result<Option<KeyFile>, FormatError> {
        let path = self.root.join(key);
        let found = match path.canonicalize() {
            Ok(found) => found,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                // A missing chunk has the fill value. A link to nothing is damage.
                let is_link = path.symlink_metadata().is_ok();
                return if is_link { Err(fault(key, "is a link to nothing")) } else { Ok(None) };
            }
            Err(error) => return Err(failure(key, &error)),
        };
        if !found.starts_with(&self.root) {
            return Err(fault(key, "is a link out of the folder"));
        }
        let metadata = fs::metadata(&found).map_err(|error| failure(key, &error))?;
        // Opening a pipe could wait for ever.
        if !metadata.is_file() {
            return Err(fault(key, "is not a regular file"));
        }
        let file = File::open(&found).map_err(|error| failure(key, &error))?;
        Ok(Some(KeyFile { file, byte_count: metadata.len() }))
    }

    /// Reads a whole file of at most `limit` bytes; returns `None` if there is none.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open), and [`FormatError::Zarr`] if the file is larger.
    pub fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>, FormatError> {
        let Some(mut file) = self.open(key)? else { return Ok(None) };
        if file.byte_count > limit {
            let reason = format!("has {} bytes, more than the {limit} that it can need", file.byte_count);
            return Err(fault(key, reason));
        }
        let bytes = file.read(0..file.byte_count);
        bytes.map(Some).map_err(|error| failure(key, &error))
    }

    /// Returns the entries of the folder with this key.
    ///
    /// # Errors
    /// I/O errors.
    pub fn entries(&self, key: &str) -> io::Result<fs::ReadDir> {
        fs::read_dir(self.root.join(key))
    }

    /// Returns the names of the folders in it, sorted.
    ///
    /// # Errors
    /// I/O errors.
    pub fn members(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if entry.path().is_dir() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }
}

impl KeyFile {
    /// Reads a range of bytes, fewer if the file ends within it. Memory grows with the bytes read.
    ///
    /// # Errors
    /// I/O errors.
    pub fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(range.start))?;
        let mut bytes = Vec::new();
        (&self.file).take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Returns the error of an entry with the given key.
pub fn fault(key: &str, reason: impl Into<Box<dyn Error + Send + Sync>>) -> FormatError {
    FormatError::Zarr { key: key.to_owned(), reason: reason.into() }
}

/// Returns an error of the operating system with the key of the file.
pub fn failure(key: &str, error: &io::Error) -> FormatError {
    FormatError::Io(io::Error::new(error.kind(), format!("{key}: {error}")))
}
