//! What may go wrong, by who can act on it.

use crate::{Dims, Region};

/// A shape that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A side of zero voxels.
    #[error("{0} has a side of zero voxels")]
    Empty(Dims),
    /// More voxels or bytes than this machine can address.
    #[error("{0} is more than this machine can address")]
    TooLarge(Dims),
    /// The slice of voxels has another length than the dims say.
    #[error("{dims} has {expected} voxels, not {actual}")]
    Length {
        /// The volume's dims.
        dims: Dims,
        /// Voxels the dims ask for.
        expected: usize,
        /// Voxels given.
        actual: usize,
    },
    /// A region that is empty or reaches outside.
    #[error("the region {region} is empty or reaches outside {dims}")]
    Outside {
        /// The region asked for.
        region: Region,
        /// The volume's dims.
        dims: Dims,
    },
}

/// Compressed bytes that break the format's rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end too soon.
    #[error("{part} ends at byte {have}, but {need} bytes are needed")]
    Short {
        /// What was being read.
        part: &'static str,
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// A value no encoder writes.
    #[error("{part} at byte {offset} holds {value}, which is not allowed")]
    Value {
        /// What was being read.
        part: &'static str,
        /// Where, counted from the start of the stream.
        offset: u64,
        /// What was found.
        value: u64,
    },
    /// The shape asked for does not fit.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}
