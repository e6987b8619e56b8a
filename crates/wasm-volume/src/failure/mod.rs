//! Errors.

use brickwork_volume::{ChunkError, ErrorKind, ShapeError};

#[cfg(feature = "volumes")]
mod volumes;

/// Result of a call, as a number for the host (`web/src/wasm/instance.ts`). Numbers are never reused,
/// and have one meaning in both modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    /// The caller requested something impossible.
    Argument = 1,
    /// There is not enough memory.
    Limit = 2,
    /// The module failed. This is a fault of the module.
    Internal = 3,
    /// The file is damaged, or of an unsupported kind.
    File = 4,
}

/// An error: its status and its text.
#[derive(Debug)]
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    /// Returns an error of the caller.
    pub fn argument(text: impl Into<String>) -> Self {
        Self { status: Status::Argument, text: text.into() }
    }

    /// Returns an error of memory that does not suffice.
    pub fn limit(text: impl Into<String>) -> Self {
        Self { status: Status::Limit, text: text.into() }
    }

    fn of(kind: ErrorKind, text: String) -> Self {
        let status = match kind {
            ErrorKind::Argument => Status::Argument,
            ErrorKind::Invalid | ErrorKind::Unsupported | ErrorKind::Io => Status::File,
            ErrorKind::Limit => Status::Limit,
            // Devices and cancellation do not exist here. (The enum may grow.)
            _ => Status::Internal,
        };
        Self { status, text }
    }
}

impl From<ChunkError> for Failure {
    fn from(error: ChunkError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Self::argument(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::of(ErrorKind::of_io(&error), error.to_string())
    }
}
