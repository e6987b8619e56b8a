//! Errors of rendering.

use super::MAX_SIDE;
#[cfg(feature = "gpu")]
use crate::gpu::GpuVolumeError;
use crate::{Cancelled, Dims, ErrorKind, ShapeError};
#[cfg(feature = "gpu")]
use brickwork_gpu::GpuError;

/// The reason why a volume cannot be rendered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A side of the rendering is 0 or above [`MAX_SIDE`](super::MAX_SIDE).
    #[error("a picture of {width}×{height} pixels: each side must be 1 to {most}", most = MAX_SIDE)]
    Size {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
    },
    /// Rows that the rendering does not have, or none.
    #[error("rows {start}..{end} of a picture of {height} rows: expected a range of at least one row")]
    Rows {
        /// The first row.
        start: u32,
        /// The row after the last one.
        end: u32,
        /// Rows of the rendering.
        height: u32,
    },
    /// A side of the volume is above [`MAX_SIDE`](super::MAX_SIDE).
    #[error("{0} has a side of more than {most} voxels: use a smaller mip level", most = MAX_SIDE)]
    TooLarge(Dims),
    /// The voxels do not fit their shape, or there is no such channel.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A view, or a volume on a GPU, is that of a volume of other dims.
    #[error("a view of {seen} voxels, but the volume has {dims}")]
    OtherVolume {
        /// Dims of the volume that the view was made for.
        seen: Dims,
        /// Dims of the volume to render.
        dims: Dims,
    },
    /// Number of the camera that is not finite, or out of range.
    #[error("the camera's {what} is {value}: {expected}")]
    Camera {
        /// `zoom`, `azimuth`, ….
        what: &'static str,
        /// The number given.
        value: f64,
        /// The allowed values.
        expected: &'static str,
    },
    /// The rendering reaches too far beyond the volume for positions of 32 bits.
    #[error(
        "the picture reaches more than 32767 voxels beyond the volume: zoom in, or use a smaller mip level"
    )]
    Far,
    /// A transfer function without points.
    #[error("the transfer function is empty: it needs at least one point")]
    NoPoints,
    /// A transfer function with which nothing can be seen.
    #[error("the transfer function is transparent everywhere")]
    Transparent,
    /// A point of a transfer function that cannot be.
    #[error("point {index} of the transfer function: {fault}")]
    Point {
        /// Index, counted from 0.
        index: usize,
        /// The fault.
        fault: TransferPointFault,
    },
    /// An isosurface at a value that is not a finite number.
    #[error("the surface's value is {value}: expected a finite number")]
    Iso {
        /// The value.
        value: f64,
    },
    /// A window that is empty or not of numbers.
    #[error("the window {low}..{high} is empty: the second value must be larger than the first")]
    Window {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// All voxels have the same value, so no window suits them.
    #[error("all voxels have the same value: choose a window")]
    Constant,
    /// All voxels are NaN or infinite.
    #[error("no voxel is a finite number")]
    NoNumbers,
    /// Values of 64 bits that f32, in which voxels are rendered, does not tell apart.
    #[error("the values from {low} to {high} are too close together: rendering uses f32, which has 24 bits")]
    Precision {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// Memory ran out: number of bytes that could not be reserved.
    #[error("out of memory: {0} bytes for the ranges of bricks; use a smaller mip level")]
    Memory(u64),
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The GPU failed, or the rendering exceeds its limits.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Rays on the GPU wait for pages of the volume again and again.
    #[cfg(feature = "gpu")]
    #[error("rendering: rays wait for pages again and again")]
    Stalled,
    /// The volume cannot be copied to the GPU, or rendered there.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    GpuVolume(#[from] GpuVolumeError),
}

impl RenderError {
    /// Returns who can act on the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Size { .. }
            | Self::Rows { .. }
            | Self::Shape(_)
            | Self::OtherVolume { .. }
            | Self::Camera { .. }
            | Self::Far
            | Self::NoPoints
            | Self::Transparent
            | Self::Point { .. }
            | Self::Iso { .. }
            | Self::Window { .. }
            | Self::Constant => ErrorKind::Argument,
            Self::NoNumbers => ErrorKind::Invalid,
            Self::TooLarge(_) | Self::Precision { .. } => ErrorKind::Unsupported,
            Self::Memory(_) => ErrorKind::Limit,
            Self::Cancelled(_) => ErrorKind::Cancelled,
            #[cfg(feature = "gpu")]
            Self::Stalled => ErrorKind::Device,
            #[cfg(feature = "gpu")]
            Self::Gpu(error) => error.kind(),
            #[cfg(feature = "gpu")]
            Self::GpuVolume(error) => error.kind(),
        }
    }
}

/// The fault of a point of a transfer function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransferPointFault {
    /// The value is not a finite number.
    #[error("its value is not a finite number")]
    Value,
    /// The value is smaller than that of the point before.
    #[error("its value is smaller than that of the point before")]
    Order,
    /// Red, green or blue is not from 0 to 1.
    #[error("red, green and blue must be from 0 to 1")]
    Color,
    /// The opacity is not from 0 to 1.
    #[error("its opacity must be from 0 to 1")]
    Opacity,
}
