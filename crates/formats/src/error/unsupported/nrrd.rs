//! Properties of NRRD files.

/// Property of an NRRD file that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NrrdFeature {
    /// Type of voxels; the name is cut short.
    #[error("the type {0:?}")]
    Type(String),
    /// Number of axes; the text is cut short.
    #[error("a dimension of {0}")]
    Dimension(String),
    /// Encoding of the voxels; the name is cut short.
    #[error("the encoding {0:?}")]
    Encoding(String),
    /// Frames as the first axis of voxels from a pipe.
    #[error("a volume from a pipe whose first axis is its frames")]
    PipedFramesFirst,
    /// Bytes to skip before voxels in the header's own file.
    #[error("a byte skip before voxels in the same file")]
    AttachedSkip,
    /// Voxels at the end of a file, compressed or as text.
    #[error("a byte skip of -1 of encoded voxels")]
    EncodedAtEnd,
    /// Axis of vectors, colours or other components that is not the first.
    #[error("a vector axis that is not the first (axis {axis} of {count} is of kind {kind:?})")]
    LateVector {
        /// Index of the axis, from 1.
        axis: usize,
        /// Number of axes.
        count: usize,
        /// Kind of the axis, cut short.
        kind: String,
    },
    /// Axis whose kind does not fit its index.
    #[error("an axis of kind {kind:?} in place {axis} of {count}")]
    Axis {
        /// Index of the axis, from 1.
        axis: usize,
        /// Number of axes.
        count: usize,
        /// Kind of the axis, cut short.
        kind: String,
    },
    /// Number of axes of space and time.
    #[error("an image of {0} axes of space and time")]
    AxisCount(usize),
}
