//! Replacement for `zstd.rs` without the feature `ktx2-zstd`. Its functions return errors.

use super::super::ContainerError;
use std::io::{BufRead, Empty};

fn unsupported() -> ContainerError {
    ContainerError::unsupported("KTX2 with Zstandard (it needs the feature ktx2-zstd of brickwork-texture)")
}

/// Returns [`ContainerError::Unsupported`].
pub(crate) fn reader<B: BufRead>(_compressed: B, _memory_limit: u64) -> Result<Empty, ContainerError> {
    Err(unsupported())
}

/// Returns [`ContainerError::Unsupported`].
pub(crate) fn compress<'a>(
    _parts: impl Iterator<Item = Result<&'a [u8], ContainerError>>,
    _byte_count: u64,
    _level: i32,
) -> Result<Vec<u8>, ContainerError> {
    Err(unsupported())
}
