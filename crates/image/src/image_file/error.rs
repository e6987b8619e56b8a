//! Errors of readers of image files.

use super::{FileFormat, ImageFault, ImageFeature, words::one_line};
use crate::{Cancelled, ErrorKind};
use brickwork_base::ByteCount;
use brickwork_base::task_io::cancelled;
use std::{fmt, io};

/// The reason why a file was not read. Each message is one line without the file's name.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImageReadError {
    /// The file has no bytes.
    Empty,
    /// The first bytes are not those of a known format.
    Unknown {
        /// The format that the extension names, if there is one.
        claimed: Option<FileFormat>,
        /// The first bytes, at most four.
        first_bytes: Vec<u8>,
    },
    /// The file has a known format that is not read. Its extension does not count.
    #[non_exhaustive]
    Foreign {
        /// Name of the format, or description of the file: `AVIF`, `A pointer of Git LFS, not the file`.
        name: &'static str,
        /// Way to an image that is read, in the imperative.
        advice: &'static str,
    },
    /// The file is damaged or truncated, or was never valid.
    Malformed {
        /// Format that the file claims.
        format: FileFormat,
        /// Byte offset in the file, if known: position of the fault, or position up to which the decoder had
        /// read.
        at: Option<u64>,
        /// The fault.
        fault: ImageFault,
    },
    /// The file uses a feature that Brickwork cannot read.
    Unsupported {
        /// The file's format.
        format: FileFormat,
        /// The feature.
        feature: ImageFeature,
    },
    /// Reading needs more memory than is allowed.
    Limit {
        /// Bytes needed, if known; `u64::MAX` if the number does not fit.
        needed: Option<u64>,
        /// [`ImageReadOptions::max_memory`](super::ImageReadOptions::max_memory).
        limit: u64,
    },
    /// The system has less memory than the limit allows.
    OutOfMemory {
        /// Bytes requested.
        needed: u64,
    },
    /// The decoder panicked. This is a bug, even if the file is damaged.
    Panicked {
        /// The file's format.
        format: FileFormat,
    },
    /// An error of a reader outside of this crate.
    Other {
        /// The kind.
        kind: ErrorKind,
        /// The error.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The bytes could not be read.
    Io(io::Error),
    /// The caller cancelled the [`Task`](crate::Task).
    Cancelled(Cancelled),
}

impl From<io::Error> for ImageReadError {
    fn from(error: io::Error) -> Self {
        cancelled(&error).map_or(Self::Io(error), Self::Cancelled)
    }
}

impl From<Cancelled> for ImageReadError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl ImageReadError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Empty | Self::Malformed { .. } | Self::Panicked { .. } => ErrorKind::Invalid,
            // The extension promises a format that the file does not have.
            Self::Unknown { claimed: Some(_), .. } => ErrorKind::Invalid,
            Self::Unknown { claimed: None, .. } | Self::Foreign { .. } | Self::Unsupported { .. } => {
                ErrorKind::Unsupported
            }
            Self::Limit { .. } | Self::OutOfMemory { .. } => ErrorKind::Limit,
            Self::Other { kind, .. } => *kind,
            Self::Io(_) => ErrorKind::Io,
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}

impl fmt::Display for ImageReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::Unknown { claimed, first_bytes } => {
                match claimed {
                    Some(format) => write!(f, "not a {} file: it starts with", format.name())?,
                    None => f.write_str("not an image in a known format: it starts with")?,
                }
                first_bytes.iter().try_for_each(|byte| write!(f, " {byte:02x}"))
            }
            Self::Foreign { name, advice } => write!(f, "{name} is not supported: {advice}"),
            Self::Malformed { format, at: Some(at), fault } => {
                write!(f, "{}, at about byte {at}: {fault}", format.name())
            }
            Self::Malformed { format, at: None, fault } => write!(f, "{}: {fault}", format.name()),
            Self::Unsupported { format, feature } => write!(f, "{}: {feature}", format.name()),
            Self::Limit { needed: Some(needed), limit } => {
                let (needed, limit) = (ByteCount(*needed), ByteCount(*limit));
                write!(f, "needs {needed} of memory, above the limit of {limit}")
            }
            Self::Limit { needed: None, limit } => {
                write!(f, "needs more memory than the limit of {}", ByteCount(*limit))
            }
            Self::OutOfMemory { needed } => {
                write!(f, "needs {} of memory, which the system does not have", ByteCount(*needed))
            }
            Self::Panicked { format } => {
                write!(f, "{}: the decoder panicked; please report this bug, with the file", format.name())
            }
            Self::Other { error, .. } => error.fmt(f),
            Self::Io(error) => f.write_str(&one_line(&error.to_string())),
            Self::Cancelled(cancelled) => cancelled.fmt(f),
        }
    }
}

impl std::error::Error for ImageReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Other { error, .. } => error.source(),
            Self::Empty
            | Self::Unknown { .. }
            | Self::Foreign { .. }
            | Self::Malformed { .. }
            | Self::Unsupported { .. }
            | Self::Limit { .. }
            | Self::OutOfMemory { .. }
            | Self::Panicked { .. }
            | Self::Cancelled(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_short_sentences() {
        let message = |error: ImageReadError| error.to_string();
        assert_eq!(
            message(ImageReadError::Unknown { claimed: None, first_bytes: vec![0, 1, 2, 255] }),
            "not an image in a known format: it starts with 00 01 02 ff"
        );
        let format = FileFormat::Png;
        assert_eq!(
            message(ImageReadError::Unknown { claimed: Some(format), first_bytes: vec![7] }),
            "not a PNG file: it starts with 07"
        );
        assert_eq!(
            message(ImageReadError::Malformed { format, at: Some(1234), fault: ImageFault::NoMarker }),
            "PNG, at about byte 1234: a marker is missing"
        );
        assert_eq!(
            message(ImageReadError::Limit { needed: Some(3_518_437_208_883), limit: 4 << 30 }),
            "needs 3.2 TiB of memory, above the limit of 4 GiB"
        );
    }
}
