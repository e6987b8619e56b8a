//! Errors of HTML reports.

use brickwork_base::ByteCount;
use brickwork_toolkit::{batch::BatchError, texture::TextureJobError};

/// The reason why no page was made.
#[derive(Debug, thiserror::Error)]
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
    NoEncodeReport {
        /// Name of the input.
        input: String,
    },
}

#[cfg(test)]
impl HtmlReportError {
    /// Returns the kind of the error of a file.
    pub fn kind(&self) -> brickwork_base::ErrorKind {
        match self {
            Self::Texture(error) => error.kind(),
            error => panic!("{error}"),
        }
    }
}

impl From<BatchError> for HtmlReportError {
    fn from(error: BatchError) -> Self {
        Self::Texture(error.into())
    }
}
