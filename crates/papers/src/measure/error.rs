//! Errors of the measurements.

use brickwork_texture::EncodeError;
use brickwork_volume::{
    ErrorKind, VolumeReadError, VolumeWriteError, gpu::GpuVolumeError, render::RenderError,
};

/// Reason why a table cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The encoder of textures failed.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A volume cannot be encoded.
    #[error(transparent)]
    Write(#[from] VolumeWriteError),
    /// A volume cannot be decoded.
    #[error(transparent)]
    Read(#[from] VolumeReadError),
    /// The GPU does not take a volume.
    #[error(transparent)]
    Gpu(#[from] GpuVolumeError),
    /// A rendering failed.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// No appearance suits a volume.
    #[error(transparent)]
    Look(RenderError),
    /// The voxels have several channels, frames or numbers.
    #[error("the paper's table covers volumes of one channel of up to 32 bits per voxel")]
    Voxels,
    /// A volume of the repository is damaged.
    #[error("does not match its description")]
    TestData,
    /// The error of one volume.
    #[error("{name}: {error}")]
    Volume {
        /// Name of the volume.
        name: String,
        /// Its error.
        error: Box<BenchError>,
    },
}

impl BenchError {
    /// Names the volume of the error.
    pub(crate) fn of(self, name: &str) -> Self {
        match self {
            named @ Self::Volume { .. } => named,
            error => Self::Volume { name: name.to_owned(), error: Box::new(error) },
        }
    }

    /// Returns who can act on the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Encode(error) => error.kind(),
            Self::Write(error) => error.kind(),
            Self::Read(error) => error.kind(),
            Self::Gpu(error) => error.kind(),
            Self::Render(error) => error.kind(),
            Self::Look(_) | Self::Voxels => ErrorKind::Unsupported,
            Self::TestData => ErrorKind::Invalid,
            Self::Volume { error, .. } => error.kind(),
        }
    }
}
