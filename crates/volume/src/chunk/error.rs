//! Reason why a Zarr chunk could not be read.

use crate::{Cancelled, ChunkShape, ErrorKind, ShapeError, VolumeReadError};

/// Reason why a Zarr chunk could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// Bytes that are neither a chunk nor a `.bwv` file, or were cut short.
    #[error(
        "its {place} byte is {value:#04x}: not a chunk of the codec brickwork, or one that was cut short"
    )]
    NotAChunk {
        /// `first` or `last`.
        place: &'static str,
        /// The byte.
        value: u8,
    },
    /// A version of the chunk format that this library does not know.
    #[error("version {0} of the chunk format is not supported")]
    Version(u8),
    /// Chunk with fewer or more bytes than its index requires.
    #[error("the chunk has {have} bytes, expected {need}: it was cut short or extended")]
    Length {
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// The index is not the one that was written.
    #[error("the chunk's index is damaged: its checksum differs")]
    Checksum,
    /// An index with the right checksum that no encoder writes.
    #[error("the chunk's index breaks the format's rules: {field} at byte {offset} of the index is {value}")]
    Index {
        /// The field.
        field: &'static str,
        /// The position, counted from the start of the index.
        offset: u64,
        /// The value found.
        value: u64,
    },
    /// Chunk of another shape than the array's metadata states.
    #[error("the chunk holds {have}, but the array's chunks are {expected}")]
    Shape {
        /// The shape found.
        have: ChunkShape,
        /// The shape that the caller expects.
        expected: ChunkShape,
    },
    /// A `.bwv` file of several frames.
    #[error("the chunk is a .bwv file of {0} frames; a chunk has one")]
    Frames(usize),
    /// The parts are damaged, the caller's region or strides do not fit, or memory ran out.
    #[error(transparent)]
    Read(#[from] VolumeReadError),
}

impl ChunkError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Version(_) => ErrorKind::Unsupported,
            Self::NotAChunk { .. }
            | Self::Length { .. }
            | Self::Checksum
            | Self::Index { .. }
            | Self::Shape { .. }
            | Self::Frames(_) => ErrorKind::Invalid,
            Self::Read(error) => error.kind(),
        }
    }
}

impl From<ShapeError> for ChunkError {
    fn from(error: ShapeError) -> Self {
        Self::Read(error.into())
    }
}

impl From<Cancelled> for ChunkError {
    fn from(error: Cancelled) -> Self {
        Self::Read(error.into())
    }
}

impl From<std::io::Error> for ChunkError {
    fn from(error: std::io::Error) -> Self {
        Self::Read(error.into())
    }
}
