//! What slices have in common, whatever file they are in.

use super::FormatError;
use crate::{Dims, VoxelType};
use std::fmt;

/// Bytes that one byte of a packed file may stand for: Deflate's 1032, and something for small files.
const MAX_RATIO: u64 = 1100;

/// The size and type of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub width: usize,
    pub height: usize,
    pub voxel_type: VoxelType,
}

impl Shape {
    /// The slice's bytes, if a file of `file_bytes` can hold them.
    pub fn byte_count(self, file_bytes: u64) -> Result<usize, FormatError> {
        let dims = Dims::new(self.width, self.height, 1);
        let byte_count = dims.byte_count(self.voxel_type.byte_count())?;
        let most = file_bytes.saturating_mul(MAX_RATIO);
        if byte_count as u64 > most {
            let (need, have) = (byte_count as u64, most);
            return Err(FormatError::Length { part: "a slice of a file so short", need, have });
        }
        Ok(byte_count)
    }

    /// Checks that this slice is as the first.
    pub fn check(self, first: Self) -> Result<(), FormatError> {
        if self == first {
            return Ok(());
        }
        Err(FormatError::Differs { have: self.to_string(), first: first.to_string() })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{} {}", self.width, self.height, self.voxel_type)
    }
}

/// Makes `bytes` as long as asked, or says that there is no such memory.
pub fn resize(bytes: &mut Vec<u8>, byte_count: usize) -> Result<(), FormatError> {
    bytes.try_reserve_exact(byte_count).map_err(|error| FormatError::Decoder(error.into()))?;
    bytes.resize(byte_count, 0);
    Ok(())
}

/// Names the slice that an error is about.
pub fn named(slice: impl Into<String>) -> impl FnOnce(FormatError) -> FormatError {
    let slice = slice.into();
    |reason| FormatError::Slice { slice, reason: Box::new(reason) }
}
