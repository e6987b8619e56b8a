//! Errors by operation. Their [`ErrorKind`] names who can act on them.

use crate::{Cancelled, ErrorKind, FilePart, ShapeError, VoxelType};
use std::{error::Error, fmt, io, path::PathBuf};

/// Compressed bytes that break the format's rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BwvError {
    /// The first bytes are not those of a `.bwv` file.
    #[error("not a .bwv file: its first bytes differ")]
    NotAVolume,
    /// A version of the format that this library does not know.
    #[error("version {0} of the .bwv format is not supported")]
    Version(u16),
    /// Bytes that end too early or too late.
    #[error("{part} has {have} bytes, expected {need}")]
    Short {
        /// The part that was being read.
        part: &'static str,
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// A value that no encoder writes.
    #[error("{part} at byte {offset} holds {value}, which is not allowed")]
    Value {
        /// The part that was being read.
        part: &'static str,
        /// The position, counted from the start of the stream.
        offset: u64,
        /// The value found.
        value: u64,
    },
    /// The file does not end with a footer.
    #[error("the file ends at byte {0} without a footer: it was cut short or never finished")]
    Cut(u64),
    /// Bytes that are not those which were written.
    #[error("{part} at byte {offset} is damaged: its checksum differs")]
    Checksum {
        /// The part of the file.
        part: FilePart,
        /// The start of the part in the file.
        offset: u64,
    },
    /// Bytes with the right checksum that no encoder writes.
    #[error("{part} at byte {offset} breaks the format's rules")]
    Structure {
        /// The part of the file.
        part: FilePart,
        /// The start of the part in the file.
        offset: u64,
    },
    /// The shape in the header is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl BwvError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Version(_) => ErrorKind::Unsupported,
            Self::NotAVolume
            | Self::Short { .. }
            | Self::Value { .. }
            | Self::Cut(_)
            | Self::Checksum { .. }
            | Self::Structure { .. }
            | Self::Shape(_) => ErrorKind::Invalid,
        }
    }
}

/// Reason why a `.bwv` file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeReadError {
    /// A file that was opened by its path.
    #[error("{}: {reason}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The reason.
        reason: Box<VolumeReadError>,
    },
    /// The file breaks its format's rules.
    #[error(transparent)]
    Format(#[from] BwvError),
    /// The caller requested a region, mip level, frame or channel that the file does not have, or gave a
    /// slice of another length.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The caller requested another type than that of the file.
    #[error("the voxels are {have}, not {asked}")]
    Type {
        /// The file's type.
        have: VoxelType,
        /// The requested type.
        asked: VoxelType,
    },
    /// The request is supported only in the profile bricks.
    #[error("not supported for files of the profile guthe2016")]
    Profile,
    /// Request of the caller for which there is not enough memory.
    #[error("{0} bytes of memory are not available")]
    Memory(u64),
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The system's error.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for VolumeReadError {
    fn from(error: io::Error) -> Self {
        error.downcast().map_or_else(Self::Io, Self::Cancelled)
    }
}

impl VolumeReadError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::File { reason, .. } => reason.kind(),
            Self::Format(error) => error.kind(),
            Self::Shape(_) | Self::Type { .. } => ErrorKind::Argument,
            Self::Cancelled(_) => ErrorKind::Cancelled,
            Self::Profile => ErrorKind::Unsupported,
            Self::Memory(_) => ErrorKind::Limit,
            Self::Io(error) => ErrorKind::of_io(error),
        }
    }
}

/// Reason why the raw voxels of a stream could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelStreamError {
    /// The header is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Stream with more or fewer bytes than the header requires.
    #[error(
        "expected {need} bytes of voxels, {}",
        if have > need { "but there are more".to_owned() } else { format!("but there are {have}") }
    )]
    Length {
        /// Number of bytes by the header.
        need: u64,
        /// Number of bytes that came; one too many means any larger number.
        have: u64,
    },
    /// The voxels come from a `.bwv` file, which could not be read.
    #[error(transparent)]
    Bwv(VolumeReadError),
    /// The voxels come from a file of another format, which could not be read.
    #[error(transparent)]
    Foreign(ForeignError),
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// An I/O error, or one of a stream that unpacks.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for VoxelStreamError {
    /// Unwraps errors that Brickwork's streams put into I/O errors.
    fn from(error: io::Error) -> Self {
        let error = match error.downcast() {
            Ok(error) => return Self::Bwv(error),
            Err(error) => error,
        };
        let error = match error.downcast() {
            Ok(cancelled) => return Self::Cancelled(cancelled),
            Err(error) => error,
        };
        match error.downcast() {
            Ok(error) => Self::Foreign(error),
            Err(error) => Self::Io(error),
        }
    }
}

impl VoxelStreamError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Shape(_) => ErrorKind::Argument,
            Self::Length { .. } => ErrorKind::Invalid,
            Self::Bwv(error) => error.kind(),
            Self::Foreign(error) => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
            Self::Io(error) => ErrorKind::of_io(error),
        }
    }
}

/// Error of a reader of another format, within the [`io::Error`] of its stream of voxels.
#[derive(Debug)]
pub struct ForeignError {
    kind: ErrorKind,
    error: Box<dyn Error + Send + Sync>,
}

impl ForeignError {
    /// Returns the error of a reader, with its kind.
    pub fn new(kind: ErrorKind, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind, error: error.into() }
    }

    /// Returns the error's kind: who can act on it.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for ForeignError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// Reason why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeWriteError {
    /// The voxels do not fit the header, or the header is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Voxels of another type than that of the header.
    #[error("the header says {have}, the voxels are {given}")]
    Type {
        /// The header's type.
        have: VoxelType,
        /// The type given.
        given: VoxelType,
    },
    /// More or fewer voxels than the dims require.
    #[error(
        "expected {need} bytes of voxels, {}",
        if have > need { "but there are more".to_owned() } else { format!("but there are {have}") }
    )]
    Count {
        /// Number of bytes by the dims.
        need: u64,
        /// Number of bytes that came; one too many means any larger number.
        have: u64,
    },
    /// The voxels come from a stream that could not be read.
    #[error(transparent)]
    Voxels(#[from] VoxelStreamError),
    /// A slab takes more memory than [`BwvOptions::max_memory`](crate::BwvOptions::max_memory) allows.
    #[error("a slab of its voxels takes {need} bytes of memory, more than the {limit} allowed")]
    OverLimit {
        /// Bytes that a slab takes.
        need: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Slab for which there is not enough memory.
    #[error("{0} bytes of memory are not available")]
    Memory(u64),
    /// Smaller mip levels of slices with different slopes or intercepts: the means of their stored numbers
    /// have no physical values.
    #[error(
        "slopes or intercepts differ from slice to slice, so means of stored numbers have no physical \
         values: apply them first (`brickwork volume convert --rescale`), or write one level"
    )]
    MixedLevels,
    /// Metadata that the format does not take.
    #[error("the metadata takes {0} bytes, more than 16 MiB")]
    Metadata(usize),
    /// The caller cancelled the call. The output is incomplete.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The system's error for the sink.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for VolumeWriteError {
    fn from(error: io::Error) -> Self {
        error.downcast().map_or_else(Self::Io, Self::Cancelled)
    }
}

impl VolumeWriteError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Shape(_) | Self::Type { .. } | Self::Count { .. } => ErrorKind::Argument,
            Self::Voxels(error) => error.kind(),
            Self::MixedLevels | Self::Metadata(_) => ErrorKind::Unsupported,
            Self::OverLimit { .. } | Self::Memory(_) => ErrorKind::Limit,
            Self::Cancelled(_) => ErrorKind::Cancelled,
            Self::Io(_) => ErrorKind::Io,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_go_to_other_threads() {
        fn check<E: Error + Send + Sync + 'static>() {}
        check::<ShapeError>();
        check::<BwvError>();
        check::<VolumeReadError>();
        check::<VoxelStreamError>();
        check::<VolumeWriteError>();
        check::<crate::CompareError>();
    }

    #[test]
    fn what_a_stream_wraps_is_taken_out_again() {
        let wrapped = |error: Box<dyn Error + Send + Sync>| {
            VoxelStreamError::from(io::Error::new(io::ErrorKind::InvalidData, error))
        };
        let memory = wrapped(VolumeReadError::Memory(7).into());
        assert!(matches!(memory, VoxelStreamError::Bwv(VolumeReadError::Memory(7))), "{memory:?}");
        assert_eq!(memory.kind(), ErrorKind::Limit);
        let unsupported = wrapped(ForeignError::new(ErrorKind::Unsupported, "a new format").into());
        assert_eq!(unsupported.kind(), ErrorKind::Unsupported);
        assert_eq!(unsupported.to_string(), "a new format");
        let text = wrapped("damaged".into());
        assert_eq!((text.kind(), text.to_string()), (ErrorKind::Invalid, "damaged".to_owned()));
        let cancelled = VoxelStreamError::from(io::Error::other(Cancelled));
        assert!(matches!(cancelled, VoxelStreamError::Cancelled(_)), "{cancelled:?}");
        let full = VoxelStreamError::from(io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(full.kind(), ErrorKind::Io);
    }
}
