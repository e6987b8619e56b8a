//! Errors of volumes on a GPU.

use crate::{Cancelled, ErrorKind, ShapeError, VoxelType};
use brickwork_gpu::GpuError;
use std::fmt;

/// The reason why a volume cannot be copied to a GPU, or decoded or rendered there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuVolumeError {
    /// The GPU failed, or the volume exceeds its limits.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The region is empty or extends beyond the volume.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The voxels are of another type.
    #[error("the voxels are {have}, not {asked}")]
    Type {
        /// The volume's type.
        have: VoxelType,
        /// The requested type.
        asked: VoxelType,
    },
    /// Kernels that render cannot read the volume.
    #[error("GPUs cannot render this volume: {0}")]
    NotRendered(NotRendered),
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl GpuVolumeError {
    /// Returns who can act on the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Gpu(error) => error.kind(),
            Self::Shape(_) | Self::Type { .. } => ErrorKind::Argument,
            Self::NotRendered(_) => ErrorKind::Unsupported,
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}

/// The reason why GPUs do not render a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRendered {
    /// Volume with numbers of 64 bits or half floats: see [`NarrowVoxels`](crate::render::NarrowVoxels).
    Numbers(VoxelType),
    /// Volume with other bricks than those of 4×4×4 voxels of the default profile: see
    /// [`ResidentOptions::with_kept_bricks`](crate::ResidentOptions).
    OtherBricks,
}

impl fmt::Display for NotRendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(voxel_type) => {
                write!(f, "its numbers are {voxel_type}; integers of up to 32 bits and f32 are supported")
            }
            Self::OtherBricks => {
                f.write_str("its bricks are not those of 4×4×4 voxels: load it without `with_kept_bricks`")
            }
        }
    }
}
