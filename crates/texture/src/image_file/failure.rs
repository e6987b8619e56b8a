//! Failures of decoders.

use super::{fault::ImageFault, feature::ImageFeature};
use crate::Cancelled;
use std::io;

/// A failure, before its position in the file is added.
pub(super) enum Failure {
    Malformed(ImageFault),
    /// Like `Malformed`, if the file as a whole is wrong.
    MalformedWhole(ImageFault),
    /// Like `Malformed`, at a known byte.
    MalformedAt(u64, ImageFault),
    Unsupported(ImageFeature),
    Limit(Option<u64>),
    OutOfMemory(u64),
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
