//! Failures of the program: one line of text and the exit code.

use brickwork_formats::OpenError;
use brickwork_image::image_file::ImageWriteError;
use brickwork_toolkit::{device::DeviceError, volume::VolumeError};
use brickwork_volume::ErrorKind;
use std::{fmt, io, path::Path, process::ExitCode};

/// Exit codes; the numbers are those of `brickwork`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The command line or an environment variable is invalid.
    Usage = 1,
    /// A file could not be found, read or written.
    Io = 2,
    /// An input file breaks its format's rules.
    Invalid = 3,
    /// Missing display, failure of the GPU, or lack of memory.
    Runtime = 4,
    /// The file needs something that Brickwork cannot do.
    Unsupported = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A failure, printed as `subject: reason`.
#[derive(Clone, Debug)]
pub struct Failure {
    pub exit: Exit,
    subject: Option<String>,
    reason: String,
}

impl Failure {
    /// Returns a failure that concerns no file.
    pub fn new(exit: Exit, reason: impl fmt::Display) -> Self {
        // The number of a system error means little to most readers; its text has the same meaning.
        let text = reason.to_string();
        let reason = text.split(" (os error").next().unwrap_or_default().to_owned();
        Self { exit, subject: None, reason }
    }

    /// Names the file that the failure concerns, unless it has a name.
    pub fn of(mut self, path: &Path) -> Self {
        self.subject.get_or_insert(path.display().to_string());
        self
    }

    fn of_kind(kind: ErrorKind, reason: impl fmt::Display) -> Self {
        let exit = match kind {
            ErrorKind::Argument => Exit::Usage,
            ErrorKind::Invalid => Exit::Invalid,
            ErrorKind::Unsupported => Exit::Unsupported,
            ErrorKind::Limit => Exit::Runtime,
            ErrorKind::Io => Exit::Io,
            _ => Exit::Runtime,
        };
        Self::new(exit, reason)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::new(Exit::Io, error)
    }
}

impl From<ImageWriteError> for Failure {
    fn from(error: ImageWriteError) -> Self {
        Self::of_kind(error.kind(), error)
    }
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        Self::of_kind(error.kind(), error)
    }
}

impl From<VolumeError> for Failure {
    fn from(error: VolumeError) -> Self {
        match error {
            VolumeError::Open(error) => error.into(),
            error => Self::of_kind(error.kind(), error),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        if let OpenError::Undescribed = error {
            let reason =
                "raw voxels say neither their dims nor their type; brickwork volume encode takes both";
            return Self::new(Exit::Usage, reason);
        }
        let kind = error.kind();
        match error.voxel_file() {
            Some((path, reason)) => Self::of_kind(reason.kind(), reason).of(path),
            None => Self::of_kind(kind, error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        if let Some(subject) = &self.subject {
            line = format!("{subject}: ");
        }
        line += &self.reason;
        // Names and reasons come from outside; they must not break the line or control a terminal.
        let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        f.write_str(&line.chars().map(escaped).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_one_line() {
        let failure = Failure::new(Exit::Io, "no\nsense (os error 2)").of(Path::new("a\u{1b}.bwv"));
        assert_eq!(failure.to_string(), "a\\u{1b}.bwv: no\\nsense");
    }
}
