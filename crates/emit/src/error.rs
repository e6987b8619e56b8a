//! Reason for which a chain or a file cannot be data.

use brickwork_texture::{TextureError, container::ContainerError};

/// Error of [`emit`](crate::emit).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A word of a kernel's parameters is neither a constant nor a field of the dispatch.
    #[error("{what}: word {word} of the parameters is neither a constant nor a field")]
    Word {
        /// Chain and kernel, or container.
        what: String,
        /// Index of the word.
        word: usize,
    },
    /// The number of parts depends on more than the case of the dispatch.
    #[error("{what}: the number of parts depends on the dispatch")]
    Parts {
        /// Chain and kernel.
        what: String,
    },
    /// A container refused the texture whose header is emitted.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A texture whose header is emitted could not be created.
    #[error(transparent)]
    Texture(#[from] TextureError),
}
