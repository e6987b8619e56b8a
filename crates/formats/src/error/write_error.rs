//! Errors of writing a volume.

use crate::UnwritableFeature;
use brickwork_volume::{ErrorKind, VolumeWriteError};

/// Reason why a volume could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Error of the voxels, the limits or the sink, as for a `.bwv` file.
    #[error(transparent)]
    Volume(VolumeWriteError),
    /// The format does not hold such a volume.
    #[error("{format} does not hold {what}; {instead}")]
    Unsupported {
        /// The format's name.
        format: &'static str,
        /// Property that it does not hold.
        what: UnwritableFeature,
        /// Formats that do, or other advice.
        instead: &'static str,
    },
    /// Volumes are read from files of this format, but not written to them.
    #[error("{0} files are read, but not written")]
    NotWritten(&'static str),
}

impl<E: Into<VolumeWriteError>> From<E> for WriteError {
    fn from(error: E) -> Self {
        Self::Volume(error.into())
    }
}

impl WriteError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Volume(error) => error.kind(),
            Self::Unsupported { .. } | Self::NotWritten(_) => ErrorKind::Unsupported,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FormatError, NrrdFeature, OpenError, error::into_io};
    use brickwork_volume::VoxelStreamError;

    #[test]
    fn errors_go_to_other_threads() {
        fn check<E: std::error::Error + Send + Sync + 'static>() {}
        check::<FormatError>();
        check::<OpenError>();
        check::<WriteError>();
    }

    #[test]
    fn errors_of_a_stream_keep_their_kind_and_text() {
        let (stored, written) = (FormatError::from(NrrdFeature::AttachedSkip), NrrdFeature::AttachedSkip);
        let error = WriteError::from(VoxelStreamError::from(into_io(stored)));
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(error.to_string(), FormatError::from(written).to_string());
    }
}
