//! Errors of HTML reports.

use crate::{batch::BatchError, texture::TextureJobError};
use brickwork_base::{ByteCount, ErrorKind};

/// The reason why no page was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HtmlReportError {
    /// An input cannot be read or compared, or the page cannot be written.
    #[error(transparent)]
    Texture(#[from] TextureJobError),
    /// There is no texture to compare with the original.
    #[error("a page needs at least one texture")]
    NoTexture,
    /// The page is too large even with the smallest pictures.
    #[error(
        "{output}: the page is {} even with the smallest pictures; the limit is {}",
        ByteCount(*needed), ByteCount(*limit)
    )]
    #[non_exhaustive]
    PageSize {
        /// Name of the output.
        output: String,
        /// Bytes of the page.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The page of two folders is too large even without pictures.
    #[error(
        "{output}: the page is {} without pictures; the limit is {}",
        ByteCount(*needed), ByteCount(*limit)
    )]
    #[non_exhaustive]
    TableSize {
        /// Name of the output.
        output: String,
        /// Bytes of the page.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// An input is not the JSON report of `encode`.
    #[error("{input}: not a report of encode --json")]
    #[non_exhaustive]
    NoEncodeReport {
        /// Name of the input.
        input: String,
    },
}

impl HtmlReportError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Texture(error) => error.kind(),
            Self::NoTexture | Self::PageSize { .. } | Self::TableSize { .. } => ErrorKind::Argument,
            Self::NoEncodeReport { .. } => ErrorKind::Invalid,
        }
    }
}

impl From<BatchError> for HtmlReportError {
    fn from(error: BatchError) -> Self {
        Self::Texture(error.into())
    }
}
