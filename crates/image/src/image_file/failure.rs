//! Failures of decoders.

use super::{fault::ImageFault, feature::ImageFeature};
use crate::Cancelled;
use std::io;

/// A failure, before its position in the file is added.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The file is damaged, near the reader's position.
    Malformed(ImageFault),
    /// Like `Malformed`, if the file as a whole is wrong.
    MalformedWhole(ImageFault),
    /// Like `Malformed`, at a known byte.
    MalformedAt(u64, ImageFault),
    /// The file has a feature that is not read.
    Unsupported(ImageFeature),
    /// The memory limit is exceeded, by this number of bytes needed, if known.
    Limit(Option<u64>),
    /// The system has no memory for this number of bytes.
    OutOfMemory(u64),
    /// The reader's error, or a decoder's.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Cancelled> for Failure {
    fn from(cancelled: Cancelled) -> Self {
        Self::Io(io::Error::other(cancelled))
    }
}
