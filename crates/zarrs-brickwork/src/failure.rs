//! Errors, as those of zarrs.

use zarrs::array::CodecError;

/// Returns an error of zarrs with the text of one of ours.
pub(crate) fn failure(error: impl std::error::Error) -> CodecError {
    CodecError::Other(format!("codec brickwork: {error}"))
}
