//! Errors of opening, loading and rendering volumes.

use brickwork_base::{Cancelled, ErrorKind};
#[cfg(feature = "files")]
use brickwork_formats::{OpenError, WriteError};
use brickwork_volume::{
    Dims, ShapeError, StatisticsError, VolumeReadError, VolumeWriteError, VoxelStreamError,
    render::RenderError,
};
#[cfg(feature = "files")]
use std::path::PathBuf;

/// The reason why a volume cannot be opened, loaded or rendered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeError {
    /// The volume cannot be opened.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The `.bwv` file cannot be read.
    #[error(transparent)]
    Read(#[from] VolumeReadError),
    /// The voxels of another format cannot be read.
    #[error(transparent)]
    Voxels(#[from] VoxelStreamError),
    /// The volume cannot be compressed in memory.
    #[error(transparent)]
    Compress(#[from] VolumeWriteError),
    /// The volume cannot be written in another format.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The volume lacks the mip level, frame or channel.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The volume lacks the slice.
    #[error("there are {count} slices, the last is {}", count - 1)]
    NoSlice {
        /// The index.
        index: usize,
        /// The number of slices.
        count: usize,
    },
    /// Mip level without physical values: its voxels are means of stored numbers with different slopes or
    /// intercepts.
    #[error(
        "level {0} has means of stored numbers whose slopes or intercepts differ, which have no physical \
         values; take level 0, or stored numbers"
    )]
    MixedLevel(usize),
    /// An anatomical plane or marks were requested, but the volume states no directions of a patient.
    #[error(
        "no directions to left, back and head are stated, which marks and the planes axial, coronal and \
         sagittal need; choose axis x, y or z, without marks"
    )]
    NoDirections,
    /// The image of a slice would be too large in true proportions.
    #[error("is {width}×{height} pixels in true proportions")]
    LargeSlice {
        /// Pixels per row.
        width: f64,
        /// Rows.
        height: f64,
    },
    /// The values cannot be measured.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// Negative label in a slice, a rendering or an overlay.
    #[error("the label {value} at {}, {}, {} is negative; images show labels from 0", at[0], at[1], at[2])]
    NegativeLabel {
        /// The value.
        value: f64,
        /// The voxel: x, y, z.
        at: [usize; 3],
    },
    /// The volume cannot be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A channel among others cannot be rendered.
    #[error("channel {index}: {error}")]
    Channel {
        /// Index of the channel.
        index: usize,
        /// Reason.
        error: RenderError,
    },
    /// An option has an unknown name or a wrong value.
    #[error("{option}: {reason}")]
    Setting {
        /// Name of the option.
        option: String,
        /// Reason.
        reason: String,
    },
    /// An option has no effect in the mode.
    #[error("{option} is for mode {modes}")]
    OptionOfMode {
        /// Name of the option.
        option: &'static str,
        /// Names of the modes that have it.
        modes: &'static str,
    },
    /// The overlay cannot be read.
    #[error(transparent)]
    Overlay(Box<VolumeError>),
    /// The overlay has other dims than the volume.
    #[error("the overlay has {overlay} voxels, the volume {volume}")]
    OverlayDims {
        /// Dims of the overlay.
        overlay: Dims,
        /// Dims of the volume.
        volume: Dims,
    },
    /// The overlay has several channels.
    #[error("the overlay has {0} channels; labels have one")]
    OverlayChannels(usize),
    /// The overlay has a number of frames that is neither 1 nor that of the volume.
    #[error("the overlay has {overlay} frames, the volume {volume}")]
    OverlayFrames {
        /// Frames of the overlay.
        overlay: usize,
        /// Frames of the volume.
        volume: usize,
    },
    /// A file of a transfer function cannot be used.
    #[cfg(feature = "files")]
    #[error("{}: {reason}", path.display())]
    Transfer {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: TransferFault,
    },
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Fault of a file of points.
#[cfg(feature = "files")]
#[derive(Debug, thiserror::Error)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum TransferFault {
    /// The file cannot be read.
    #[error(transparent)]
    Io(std::io::Error),
    /// The file is not a transfer function.
    #[error("{0}")]
    Invalid(String),
}

impl VolumeError {
    /// Returns the same error of the overlay.
    #[must_use]
    pub fn of_overlay(error: impl Into<Self>) -> Self {
        Self::Overlay(Box::new(error.into()))
    }

    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            #[cfg(feature = "files")]
            Self::Open(error) => error.kind(),
            #[cfg(feature = "files")]
            Self::Write(error) => error.kind(),
            Self::Read(error) => error.kind(),
            Self::Voxels(error) => error.kind(),
            Self::Compress(error) => error.kind(),
            Self::Shape(_)
            | Self::NoSlice { .. }
            | Self::NoDirections
            | Self::Setting { .. }
            | Self::OverlayDims { .. }
            | Self::OverlayChannels(_)
            | Self::OverlayFrames { .. }
            | Self::OptionOfMode { .. } => ErrorKind::Argument,
            #[cfg(feature = "files")]
            Self::Transfer { reason: TransferFault::Io(error), .. } => ErrorKind::of_io(error),
            #[cfg(feature = "files")]
            Self::Transfer { .. } => ErrorKind::Invalid,
            Self::NegativeLabel { .. } => ErrorKind::Invalid,
            Self::LargeSlice { .. } | Self::MixedLevel(_) => ErrorKind::Unsupported,
            Self::Overlay(error) => error.kind(),
            Self::Statistics(error) => error.kind(),
            Self::Render(error) | Self::Channel { error, .. } => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}
