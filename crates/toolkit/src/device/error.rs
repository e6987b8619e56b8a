//! Errors of opening a device.

use brickwork_base::ErrorKind;

/// The requested GPU cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The GPU does not exist, or cannot be opened.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] brickwork_gpu::GpuError),
    /// The toolkit was built without its feature `gpu`.
    #[error("this brickwork was built without GPU support")]
    NotBuilt,
}

impl DeviceError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            #[cfg(feature = "gpu")]
            Self::Gpu(error) => error.kind(),
            Self::NotBuilt => ErrorKind::Unsupported,
        }
    }
}
