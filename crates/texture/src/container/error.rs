//! Errors of readers and writers of containers.

use crate::{Cancelled, ErrorKind, TextureError, TextureFormat};
use brickwork_base::task_io::cancelled;

/// The reason why a container was not read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The first bytes do not belong to a known container.
    #[error("neither DDS, KTX2 nor .astc: {}", starts_with(first_bytes))]
    UnknownContainer {
        /// The bytes at offset 0, at most 12.
        first_bytes: Vec<u8>,
    },
    /// The extension of a file to be written does not belong to a known container.
    #[error("the extension \"{extension}\" does not name a container; expected dds, ktx2 or astc")]
    UnknownExtension {
        /// The extension, without the dot.
        extension: String,
    },
    /// The file ends early.
    #[error("the file is truncated: {needed} bytes are needed at byte {offset}, {available} are there")]
    Truncated {
        /// Expected start of the bytes, from the start of the file.
        offset: u64,
        /// Bytes needed there.
        needed: u64,
        /// Bytes available there.
        available: u64,
    },
    /// A field contains an invalid value.
    #[error("byte {offset}: {reason} (found {found})")]
    Header {
        /// Start of the field, from the start of the file.
        offset: u64,
        /// The reason.
        reason: &'static str,
        /// Number in the field.
        found: u64,
    },
    /// A Zstandard stream is damaged, or does not contain exactly the bytes that the shape needs.
    #[error(
        "byte {offset}: the Zstandard data of mip level {level} {reason} (the shape needs {needed} bytes)"
    )]
    Compressed {
        /// Start of the stream, from the start of the file.
        offset: u64,
        /// Mip level of the stream.
        level: u32,
        /// Number of bytes that it should contain.
        needed: u64,
        /// The reason.
        reason: &'static str,
    },
    /// The file to be read, or the texture to be written, is valid but not supported.
    #[error("{what} is not supported")]
    Unsupported {
        /// The unsupported feature.
        what: String,
    },
    /// DDS has no number of the texture's format.
    #[error("DDS has no format for {format}; write KTX2")]
    NoDdsFormat {
        /// The format.
        format: TextureFormat,
    },
    /// An `.astc` file cannot represent the texture.
    #[error("an .astc file cannot contain {what}; write KTX2")]
    NoAstcFile {
        /// The property that it cannot represent.
        what: String,
    },
    /// The legacy header of DDS, which was requested, has no form of the texture.
    #[error("{what} in a legacy DDS header is not supported")]
    LegacyHeader {
        /// The format, or `an array`.
        what: &'static str,
    },
    /// More memory is needed than is allowed or available.
    #[error("{needed} bytes of memory are needed, the limit is {limit}")]
    TooLarge {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed by [`TextureReadOptions`](crate::container::TextureReadOptions), or the maximum that
        /// this machine can address or provide.
        limit: u64,
    },
    /// The shape in the header, or that of the texture to be written, is impossible.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// The reader or the writer failed.
    #[error(transparent)]
    Io(std::io::Error),
    /// The caller cancelled the [`Task`](crate::Task).
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<std::io::Error> for ContainerError {
    fn from(error: std::io::Error) -> Self {
        cancelled(&error).map_or(Self::Io(error), Self::Cancelled)
    }
}

/// Returns the first bytes of a file in words: `the file starts with 68 69 0a`.
pub(super) fn starts_with(first_bytes: &[u8]) -> String {
    if first_bytes.is_empty() {
        return "the file is empty".to_owned();
    }
    let mut text = "the file starts with".to_owned();
    text.extend(first_bytes.iter().map(|byte| format!(" {byte:02x}")));
    text
}

impl ContainerError {
    /// Returns the kind: the file is invalid, unsupported or too large, or could not be read or written.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnknownContainer { .. }
            | Self::Truncated { .. }
            | Self::Header { .. }
            | Self::Compressed { .. }
            | Self::Texture(_) => ErrorKind::Invalid,
            Self::UnknownExtension { .. }
            | Self::Unsupported { .. }
            | Self::NoDdsFormat { .. }
            | Self::NoAstcFile { .. }
            | Self::LegacyHeader { .. } => ErrorKind::Unsupported,
            Self::TooLarge { .. } => ErrorKind::Limit,
            Self::Io(_) => ErrorKind::Io,
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }

    pub(super) fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into() }
    }
}
