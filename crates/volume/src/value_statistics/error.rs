//! Reasons why values could not be measured.

use crate::{Cancelled, Dims, ErrorKind, ShapeError, VoxelStreamError};

/// Reason why values could not be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// A percentile is not between 0 and 100.
    #[error("the percentile {0} is not between 0 and 100")]
    Percentile(f64),
    /// There are too many percentiles.
    #[error("{0} percentiles are too many; at most 1024 are computed")]
    Percentiles(usize),
    /// The number of bins is 0 or too large.
    #[error("a histogram has 1 to 1048576 bins, not {0}")]
    Bins(usize),
    /// The range of the histogram is empty or not finite.
    #[error("the range of the histogram, {} to {}, is empty or not finite", .0[0], .0[1])]
    Range([f64; 2]),
    /// A range was given without a number of bins.
    #[error("a range needs a number of bins")]
    RangeWithoutBins,
    /// The labels have other dims than the volume.
    #[error("the labels have {labels} voxels, the volume {voxels}")]
    LabelDims {
        /// Dims of the labels.
        labels: Dims,
        /// Dims of the volume.
        voxels: Dims,
    },
    /// The labels have several channels.
    #[error("the labels have {0} channels; one can be measured at a time")]
    LabelChannels(usize),
    /// The labels have a number of frames that is neither 1 nor that of the volume.
    #[error("the labels have {labels} frames, the volume {voxels}")]
    LabelFrames {
        /// Frames of the labels.
        labels: usize,
        /// Frames of the volume.
        voxels: usize,
    },
    /// A label has a fraction, or is not finite.
    #[error("the label {value} at {}, {}, {} is not an integer", at[0], at[1], at[2])]
    Fraction {
        /// The value.
        value: f64,
        /// The voxel: x, y, z.
        at: [usize; 3],
    },
    /// There are too many labels.
    #[error("there are more than {labels} labels, the maximum for {percentiles} percentiles of each")]
    TooManyLabels {
        /// The maximum number of labels.
        labels: usize,
        /// Number of percentiles of each label.
        percentiles: usize,
    },
    /// The header of a volume is invalid, or the volume lacks the frames or the channel.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The voxels cannot be read.
    #[error(transparent)]
    Voxels(VoxelStreamError),
    /// The labels cannot be read.
    #[error("labels: {0}")]
    Labels(VoxelStreamError),
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl StatisticsError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Percentile(_)
            | Self::Percentiles(_)
            | Self::Bins(_)
            | Self::Range(_)
            | Self::RangeWithoutBins
            | Self::LabelDims { .. }
            | Self::LabelChannels(_)
            | Self::LabelFrames { .. }
            | Self::Shape(_) => ErrorKind::Argument,
            Self::Fraction { .. } => ErrorKind::Invalid,
            Self::TooManyLabels { .. } => ErrorKind::Limit,
            Self::Voxels(error) | Self::Labels(error) => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }

    /// True if the labels are at fault, not the volume or the options.
    pub const fn is_of_labels(&self) -> bool {
        matches!(
            self,
            Self::LabelDims { .. }
                | Self::LabelChannels(_)
                | Self::LabelFrames { .. }
                | Self::Fraction { .. }
                | Self::TooManyLabels { .. }
                | Self::Labels(_)
        )
    }
}
