//! The files of a Zarr folder, by their keys.

use super::fault::{failure, fault};
use crate::FormatError;
use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

/// A folder whose files are read by their keys, paths with slashes. Links that lead out of it are refused.
#[derive(Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Returns the folder at `path`, which may be a link.
    ///
    /// # Errors
    /// An I/O error if there is nothing.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { root: path.canonicalize()? })
    }

    /// Opens a file, and returns its size; returns `None` if there is none.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] if the file is outside of the folder or not regular, [`FormatError::Io`] if it
    /// cannot be opened.
    pub fn open(&self, key: &str) -> Result<Option<(File, u64)>, FormatError> {
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
        Ok(Some((file, metadata.len())))
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
    pub fn folders(&self) -> io::Result<Vec<String>> {
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
