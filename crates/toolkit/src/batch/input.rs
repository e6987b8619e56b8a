//! Inputs: files and standard input.

use super::{BatchError, BatchFault};
use crate::report::path_text;
use brickwork_base::{Stage, Task};
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read, Seek},
    path::{Path, PathBuf},
};

/// Bytes read from a file at a time.
const BUFFER_BYTES: usize = 1 << 18;

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "bytes come from a file or a pipe")]
pub enum Input {
    /// Standard input.
    Stdin,
    /// The file at this path.
    File(PathBuf),
}

/// Bytes that can be read in any order.
pub trait ByteStream: BufRead + Seek {}

impl<S: BufRead + Seek> ByteStream for S {}

impl Input {
    /// Returns standard input for `-`, else the file at `path`.
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// Returns the input's name for reports and messages.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => path_text(path),
        }
    }

    /// Returns the extension of the file's name. It decides if the content does not: TGA has no signature.
    pub fn extension(&self) -> Option<&str> {
        match self {
            Self::Stdin => None,
            Self::File(path) => path.extension()?.to_str(),
        }
    }

    /// Returns the path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// True if the input can be opened again and reads the same. Pipes cannot.
    pub fn can_be_read_again(&self) -> bool {
        self.path().is_some_and(Path::is_file)
    }

    /// Checks that a file or folder exists. Standard input does.
    ///
    /// # Errors
    /// [`BatchError`] with the input's name.
    pub fn check_exists(&self) -> Result<(), BatchError> {
        let Some(path) = self.path() else { return Ok(()) };
        fs::metadata(path)
            .map(drop)
            .map_err(|error| BatchError::new(self.name(), BatchFault::of_metadata(error)))
    }

    /// Opens the input. Standard input and other pipes are read to the end, up to `max_memory` bytes. The
    /// task then reports [`Stage::Reading`] in bytes, without a total, and stops between two reads.
    ///
    /// # Errors
    /// [`BatchError`] with the input's name.
    pub fn open(&self, max_memory: u64, task: &Task<'_>) -> Result<Box<dyn ByteStream>, BatchError> {
        let open = || match self {
            Self::Stdin if io::stdin().is_terminal() => Err(BatchFault::TerminalInput),
            Self::Stdin => read_to_end(io::stdin().lock(), max_memory, task),
            Self::File(path) => {
                let metadata = fs::metadata(path).map_err(BatchFault::of_metadata)?;
                if metadata.is_dir() {
                    return Err(BatchFault::Folder);
                }
                let file = File::open(path)?;
                if metadata.is_file() {
                    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, file)) as Box<dyn ByteStream>)
                } else {
                    read_to_end(file, max_memory, task)
                }
            }
        };
        open().map_err(|fault| BatchError::new(self.name(), fault))
    }
}

fn read_to_end(
    mut from: impl Read,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Box<dyn ByteStream>, BatchFault> {
    let mut bytes = Vec::new();
    loop {
        task.check()?;
        task.report(Stage::Reading, bytes.len() as u64, 0);
        if from.by_ref().take(BUFFER_BYTES as u64).read_to_end(&mut bytes)? == 0 {
            return Ok(Box::new(Cursor::new(bytes)));
        }
        if bytes.len() as u64 > max_memory {
            return Err(BatchFault::TooLong { limit: max_memory });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_base::ErrorKind;

    #[test]
    fn inputs_that_cannot_be_opened_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = |path: &Path| Input::of(path).open(100, &Task::new()).err().unwrap();
        let missing = error(&folder.path().join("a.png"));
        assert!(missing.to_string().ends_with("a.png: no such file"), "{missing}");
        assert_eq!(missing.kind(), ErrorKind::Io);
        assert!(matches!(error(folder.path()).fault(), BatchFault::Folder));
        let limit = read_to_end(&[7u8; 101][..], 100, &Task::new()).err().unwrap();
        assert_eq!(limit.to_string(), "is longer than the memory limit of 100 bytes");
        assert!(read_to_end(&[7u8; 100][..], 100, &Task::new()).is_ok());
    }
}
