//! Outputs: files that are written completely or not at all, and standard output.

use super::{BatchError, BatchFault, FileId};
use brickwork_base::whole_file::{Existing, Target, folder_of};
use brickwork_toolkit::report::path_text;
use std::{
    fs,
    io::{self, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
};

/// Bytes that are buffered before they are passed to the system: writers of containers and PNG write in small
/// pieces.
const BUFFER_BYTES: usize = 1 << 20;

/// An output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// The file at this path.
    File(PathBuf),
}

impl Output {
    /// Returns standard output for `-`, else the file at `path`.
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdout } else { Self::File(path.to_owned()) }
    }

    /// Returns the output's name for reports and messages.
    pub fn name(&self) -> String {
        match self {
            Self::Stdout => "standard output".to_owned(),
            Self::File(path) => path_text(path),
        }
    }

    /// Returns the path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }

    /// True if the output is a file with this extension, ignoring case.
    pub fn has_extension(&self, extension: &str) -> bool {
        let Self::File(path) = self else { return false };
        path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
    }

    /// Checks everything that can be checked before the work begins, so that an hour of encoding does not end
    /// in "already exists".
    ///
    /// # Errors
    /// [`BatchError`] if the output exists and must not be replaced, if it is a folder, a terminal or one of
    /// `inputs`, or if no file can be created in its folder.
    pub fn check(&self, existing: Existing, inputs: &[FileId]) -> Result<(), BatchError> {
        self.replaces(existing, inputs)?;
        let Self::File(path) = self else { return Ok(()) };
        let target = self.target(path)?;
        if target.is_special() {
            return Ok(());
        }
        // Creating a file shows if the folder accepts one.
        target.create().map(drop).map_err(|error| BatchError::io(self.name(), error))
    }

    /// True if writing the output would replace a file. Devices and pipes are not replaced. Changes nothing.
    ///
    /// # Errors
    /// As [`check`](Self::check), except that the folder need not exist.
    pub fn replaces(&self, existing: Existing, inputs: &[FileId]) -> Result<bool, BatchError> {
        let Self::File(path) = self else {
            return if io::stdout().is_terminal() {
                Err(BatchError::of_plan(BatchFault::TerminalOutput))
            } else {
                Ok(false)
            };
        };
        if !folder_of(path).try_exists().map_err(|error| BatchError::io(self.name(), error))? {
            return Ok(false);
        }
        let target = self.target(path)?;
        if FileId::of(path).is_some_and(|id| inputs.contains(&id)) {
            return Err(BatchError::new(self.name(), BatchFault::OutputIsInput));
        }
        match existing {
            _ if target.is_special() || !target.is_file() => Ok(false),
            Existing::Replace => Ok(true),
            Existing::Keep => Err(BatchError::new(self.name(), BatchFault::Exists)),
        }
    }

    /// Checks that the extension is not that of a format other than PNG. A name without an extension passes.
    ///
    /// # Errors
    /// [`BatchFault::NotPng`].
    pub fn check_png(&self) -> Result<(), BatchError> {
        let Self::File(path) = self else { return Ok(()) };
        match path.extension() {
            Some(extension) if !extension.eq_ignore_ascii_case("png") && !path.is_dir() => {
                let extension = extension.display().to_string();
                Err(BatchError::new(self.name(), BatchFault::NotPng { extension }))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a file is named as a PNG: for jobs whose outputs may also be named by a folder, so that a
    /// name without an extension is a mistake. A device or pipe may have any name.
    ///
    /// # Errors
    /// [`BatchFault::NotPng`], [`BatchFault::NoExtension`].
    pub fn check_png_name(&self) -> Result<(), BatchError> {
        match self {
            Self::File(path) if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) => Ok(()),
            Self::File(path) if path.extension().is_none() => {
                Err(BatchError::new(self.name(), BatchFault::NoExtension))
            }
            _ => self.check_png(),
        }
    }

    /// Checks that the output's name ends in `.exr`, or is one for a PNG file.
    ///
    /// # Errors
    /// [`BatchFault::NotPicture`], [`BatchFault::NoExtension`].
    pub fn check_picture_name(&self) -> Result<(), BatchError> {
        if self.has_extension("exr") {
            return Ok(());
        }
        self.check_png_name().map_err(|error| match error.fault() {
            BatchFault::NotPng { extension } => {
                BatchError::new(self.name(), BatchFault::NotPicture { extension: extension.clone() })
            }
            _ => error,
        })
    }

    /// Calls `write` with a sink for the whole output, and returns the number of bytes that it wrote.
    ///
    /// # Errors
    /// The error of `write`, or that of the system, for example if the reader of standard output is gone. An
    /// existing file is then unchanged.
    pub fn write<E: From<BatchError>>(
        &self,
        existing: Existing,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<u64, E> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => BatchError::new(self.name(), BatchFault::Exists),
            _ => BatchError::io(self.name(), error),
        };
        let path = match self {
            Self::Stdout => return write_all(io::stdout().lock(), write, failed),
            Self::File(path) => path,
        };
        let target = self.target(path)?;
        if target.is_file() && existing == Existing::Keep {
            return Err(BatchError::new(self.name(), BatchFault::Exists).into());
        }
        let mut file = target.create().map_err(failed)?;
        let byte_count = write_all(&mut file, write, failed)?;
        file.commit(existing).map_err(failed)?;
        Ok(byte_count)
    }

    fn target(&self, path: &Path) -> Result<Target, BatchError> {
        Target::of(path).map_err(|error| BatchError::io(self.name(), error))
    }
}

fn write_all<E: From<BatchError>>(
    to: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    failed: impl FnOnce(io::Error) -> BatchError,
) -> Result<u64, E> {
    let mut writer = Counting { inner: BufWriter::with_capacity(BUFFER_BYTES, to), byte_count: 0 };
    write(&mut writer)?;
    writer.flush().map_err(failed)?;
    Ok(writer.byte_count)
}

/// A writer that counts the bytes.
struct Counting<W> {
    inner: W,
    byte_count: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.byte_count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Another program may write the file after it was checked.
    #[test]
    fn a_file_that_appears_while_writing_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dds");
        let output = Output::of(&path);
        let write = |existing| {
            output.write(existing, |sink| {
                let io = |error| BatchError::io("a.dds", error);
                fs::write(&path, b"another's").map_err(io)?;
                sink.write_all(b"ours").map_err(io)
            })
        };
        let error = write(Existing::Keep).unwrap_err();
        assert!(matches!(error.fault(), BatchFault::Exists), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"another's");
        assert_eq!(write(Existing::Replace).unwrap(), 4);
        assert_eq!(fs::read(&path).unwrap(), b"ours");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn outputs_are_checked_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dds");
        let output = Output::of(&path);
        assert!(!output.replaces(Existing::Keep, &[]).unwrap());
        assert_eq!(output.check(Existing::Keep, &[]).err().map(|error| error.to_string()), None);
        fs::write(&path, b"old").unwrap();
        assert!(matches!(output.check(Existing::Keep, &[]).unwrap_err().fault(), BatchFault::Exists));
        assert!(output.replaces(Existing::Replace, &[]).unwrap());
        let inputs = [FileId::of(&path).unwrap()];
        let error = output.check(Existing::Replace, &inputs).unwrap_err();
        assert!(matches!(error.fault(), BatchFault::OutputIsInput));
        let named = |name: &str| Output::of(&folder.path().join(name)).check_png_name();
        assert!(named("a.PNG").is_ok());
        assert!(matches!(named("a").unwrap_err().fault(), BatchFault::NoExtension));
        assert!(matches!(named("a.jpg").unwrap_err().fault(), BatchFault::NotPng { .. }));
        let pictures = |name: &str| Output::of(&folder.path().join(name)).check_picture_name();
        assert!(pictures("a.exr").is_ok() && pictures("a.png").is_ok());
        let error = pictures("a.tif").unwrap_err().to_string();
        assert!(error.ends_with("a.tif: only PNG and EXR are written, not .tif"), "{error}");
        assert!(matches!(pictures("a").unwrap_err().fault(), BatchFault::NoExtension));
        // An existing folder is not a file to be named.
        assert!(Output::of(folder.path()).check_png_name().is_ok());
        let error = Output::of(&path).check_png().unwrap_err().to_string();
        assert!(error.ends_with("a.dds: only PNG is written, not .dds"), "{error}");
    }
}
