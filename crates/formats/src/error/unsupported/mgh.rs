//! Properties of FreeSurfer's files.

/// Property of a `.mgh` or `.mgz` file that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MghFeature {
    /// Number of the voxels' type.
    #[error("voxels of the type {0}")]
    Type(i32),
}
