//! Errors of audits.

use crate::failure::Failure;
use brickwork_base::{ByteCount, Cancelled, ErrorKind};
use brickwork_toolkit::{
    batch::BatchError,
    texture::{OptionsError, TextureJobError},
};
use std::io;

/// The reason why a file was not audited.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// An image or a texture cannot be read or encoded.
    #[error(transparent)]
    Texture(#[from] TextureJobError),
    /// A glTF file cannot be read.
    #[error("{file}: {fault}")]
    Model {
        /// Name of the glTF file, or of the image within it.
        file: String,
        /// The reason.
        fault: ModelFault,
    },
}

/// Fault of a glTF file.
#[derive(Debug, thiserror::Error)]
pub enum ModelFault {
    /// The text is not JSON, or not that of glTF.
    #[error("not glTF: {0}")]
    Json(serde_json::Error),
    /// The version of a binary glTF file.
    #[error("binary glTF version {0} is not supported; only version 2 is")]
    Version(u32),
    /// The first chunk of a binary glTF file is not JSON.
    #[error("at byte 16: the first chunk of binary glTF is not JSON")]
    FirstChunk,
    /// A part of the file ends beyond the end of the file or buffer.
    #[error("{part} ends at byte {needed}, but there are only {available}")]
    Ends {
        /// The part, such as `buffer view 3`.
        part: String,
        /// End of the part.
        needed: u64,
        /// Bytes of the file or buffer.
        available: u64,
    },
    /// An index has no element.
    #[error("there is no {0}")]
    NoElement(String),
    /// A buffer cannot be found.
    #[error("{0}")]
    Buffer(String),
    /// A buffer's file cannot be opened.
    #[error("{0}")]
    File(BatchError),
    /// A data URI is not valid Base64.
    #[error("the data URI is not valid Base64")]
    DataUri,
    /// More memory is needed than is allowed.
    #[error("needs {} of memory, above the limit of {}", ByteCount(*needed), ByteCount(*limit))]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The bytes cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl AuditError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Texture(error) => error.kind(),
            Self::Model { fault, .. } => fault.kind(),
        }
    }

    pub(super) fn of_model(file: impl Into<String>, fault: impl Into<ModelFault>) -> Self {
        Self::Model { file: file.into(), fault: fault.into() }
    }

    pub(super) fn of_options(file: &str, error: OptionsError) -> Self {
        TextureJobError::Options { file: file.to_owned(), error }.into()
    }
}

impl ModelFault {
    /// Returns the fault's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Json(_)
            | Self::FirstChunk
            | Self::Ends { .. }
            | Self::NoElement(_)
            | Self::Buffer(_)
            | Self::DataUri => ErrorKind::Invalid,
            Self::Version(_) => ErrorKind::Unsupported,
            Self::Memory { .. } => ErrorKind::Limit,
            Self::File(error) => error.kind(),
            Self::Io(error) => ErrorKind::of_io(error),
        }
    }
}

impl From<BatchError> for AuditError {
    fn from(error: BatchError) -> Self {
        Self::Texture(error.into())
    }
}

impl From<Cancelled> for AuditError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Texture(cancelled.into())
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        match error {
            AuditError::Texture(error) => error.into(),
            error => Self::of_file(error.kind(), error),
        }
    }
}
