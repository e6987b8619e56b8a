//! Properties of NumPy's files.

/// Property of a `.npy` file that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyFeature {
    /// Version of the format.
    #[error("NumPy's format of version {0}")]
    Version(u8),
    /// Type of the numbers; the text is cut short.
    #[error("an array of the type {0}")]
    Type(String),
    /// Axes other than 2 to 4, or 5 with channels; the shape is cut short.
    #[error("an array of the shape ({0})")]
    Axes(String),
}
