//! Properties of VTI files.

/// Property of a VTI file that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VtiFeature {
    /// Compressor of the voxels; the name is cut short.
    #[error("{0}")]
    Compressor(String),
    /// Several pieces of an image.
    #[error("an image in several pieces")]
    Pieces,
    /// Type of voxels; the name is cut short.
    #[error("the type {0:?}")]
    Type(String),
}
