//! What goes wrong in a decoder.

use std::io;

/// What went wrong, before it is known where.
pub(super) enum Failure {
    Malformed(String),
    /// As `Malformed`, if the file as a whole is wrong.
    MalformedWhole(String),
    /// As `Malformed`, at a byte that is known.
    MalformedAt(u64, String),
    Unsupported(String),
    Limit(Option<u64>),
    OutOfMemory(u64),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
