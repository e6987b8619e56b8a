//! Errors of a job.

use brickwork_texture::{DecodeError, EncodeError, ErrorKind, ImageError};

/// Result of a job, as a number for the host (`web/src/wasm/instance.ts`). Numbers are never reused,
/// and have one meaning in both modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    /// The caller requested something impossible.
    Argument = 1,
    /// There is not enough memory.
    Limit = 2,
    /// The encoder failed. This is a fault of the module.
    Internal = 3,
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

    /// Returns the error of a job for which there is no memory.
    pub fn memory(byte_count: u64) -> Self {
        let text = format!("{byte_count} bytes are needed, which the module's memory does not have");
        Self { status: Status::Limit, text }
    }

    fn of(kind: ErrorKind, text: String) -> Self {
        let status = match kind {
            ErrorKind::Argument | ErrorKind::Invalid | ErrorKind::Unsupported => Status::Argument,
            ErrorKind::Limit => Status::Limit,
            // Files, devices and cancellation do not exist here. (The enum may grow.)
            _ => Status::Internal,
        };
        Self { status, text }
    }
}

impl From<EncodeError> for Failure {
    fn from(error: EncodeError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<ImageError> for Failure {
    fn from(error: ImageError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}
