//! Properties of MetaImage files.

/// Property of a MetaImage file that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetaImageFeature {
    /// Field with a valid value that is not supported.
    #[error("{field} = {value}")]
    Value {
        /// Name of the field, cut short.
        field: String,
        /// Value of the field, cut short.
        value: String,
    },
    /// Voxels as text that is compressed.
    #[error("text that is compressed")]
    CompressedText,
    /// Voxels at the end of a file, compressed or as text.
    #[error("HeaderSize = -1 of encoded voxels")]
    EncodedAtEnd,
    /// Bytes to skip before voxels in the header's own file.
    #[error("a HeaderSize of voxels in the same file")]
    AttachedSkip,
    /// Matrix with a direction that has parts of space and of time.
    #[error("a TransformMatrix that mixes space and time")]
    SpaceTime,
}
