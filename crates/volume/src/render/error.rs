//! What may be wrong with a picture that is asked for.

use super::MAX_SIDE;
use crate::Dims;

/// Why no picture can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A side of the picture is 0 or above [`MAX_SIDE`](super::MAX_SIDE).
    #[error("a picture of {width}×{height} pixels: each side must be 1 to {most}", most = MAX_SIDE)]
    Size {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
    },
    /// A side of the volume is above [`MAX_SIDE`](super::MAX_SIDE).
    #[error("{0} has a side of more than {most} voxels: use a smaller mip level", most = MAX_SIDE)]
    TooLarge(Dims),
    /// A number of the camera that is not finite, or out of its range.
    #[error("the camera's {what} is {value}: {expected}")]
    Camera {
        /// `zoom`, `azimuth`, ….
        what: &'static str,
        /// The number given.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// The picture reaches too far beyond the volume for positions of 32 bits.
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
    #[error("point {index} of the transfer function: {reason}")]
    Point {
        /// Which one, counted from 0.
        index: usize,
        /// What is wrong with it.
        reason: &'static str,
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
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
}
